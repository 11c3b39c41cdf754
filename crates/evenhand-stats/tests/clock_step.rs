//! How coarse is the clock, and what room does an effect need for it?

use evenhand_stats::clock_step::{ClockStep, Readings};
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn step_of(baseline: &[f64], candidate: &[f64], recorded: Option<f64>) -> Option<ClockStep> {
    Readings::of(baseline.iter().copied(), candidate.iter().copied()).clock_step(recorded)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} {expected}");
}

#[test]
fn the_step_is_the_smallest_distance_between_readings_that_recur() {
    let found = step_of(&[30.0, 40.0, 30.0, 70.0], &[30.0, 40.0, 40.0, 30.0], None).unwrap();
    assert_eq!((found.step(), found.reading()), (Some(10.0), 35.0));
    let (below, above) = found.room().unwrap();
    near(below, ((1.0 - 5.0 / 35.0) / (1.0 + 5.0 / 35.0_f64)).ln());
    near(above, ((1.0 + 5.0 / 35.0) / (1.0 - 5.0 / 35.0_f64)).ln());
}

#[test]
fn a_clock_that_cuts_off_may_be_worse_than_one_that_rounds() {
    let found = step_of(&[100.0; 4], &[20.0, 20.0, 20.0, 10.0], None).unwrap();
    let (below, above) = found.room().unwrap();
    near(below, (0.75 / 1.05_f64).ln());
    near(above, (30.0 / 20.0_f64).ln());
}

#[test]
fn readings_that_seldom_recur_are_on_no_grid() {
    assert_eq!(step_of(&[1.0, 2.0, 3.0], &[4.0, 5.0, 5.0], None), None);
    assert_eq!(step_of(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0], None), None, "two copies of one series");
    assert_eq!(step_of(&[], &[4.0, 4.0, 4.0], None), None);
    assert_eq!(step_of(&[0.0, 0.0, 0.0], &[4.0, 4.0, 4.0], None), None, "such have no ratio");
}

#[test]
fn a_fine_step_is_left_alone() {
    let at = |level: f64| step_of(&[level, level, level + 1.0], &[level, level + 1.0, level + 1.0], None);
    assert_eq!(at(5001.0), None);
    assert!(at(4999.0).is_some());
}

#[test]
fn the_rounding_of_differences_is_no_step() {
    let (late, later) = (30.000_000_1, 40.000_000_2);
    let found = step_of(&[30.0, late, 30.0, 40.0], &[30.0, late, later, 40.0], None).unwrap();
    near(found.step().unwrap(), 10.0);
}

#[test]
fn neighbours_on_a_fine_clock_are_not_one_reading() {
    let readings: Vec<f64> = (0..200).map(|round| 1e6 + f64::from(round % 50)).collect();
    assert_eq!(step_of(&readings, &readings, None), None);
}

#[test]
fn equal_readings_have_the_step_of_the_clock_or_no_interval() {
    assert_eq!(step_of(&[30.0; 5], &[30.0; 5], Some(10.0)).unwrap().step(), Some(10.0));
    assert_eq!(
        step_of(&[30.0; 5], &[30.0; 5], Some(80.0)).unwrap().step(),
        Some(30.0),
        "no more than was read"
    );
    let unknown = step_of(&[30.0; 5], &[30.0; 5], None).unwrap();
    assert_eq!((unknown.step(), unknown.room()), (None, None));
    let read = Interval { low: Some(LogRatio(0.0)), estimate: LogRatio(0.0), high: Some(LogRatio(0.0)) };
    let none = Interval { low: None, high: None, ..read };
    assert_eq!(unknown.widened(Look::Interval(read)), Look::Interval(none));
    assert_eq!(unknown.widened(Look::NoConstantEffect), Look::NoConstantEffect);
}

/// 3 to 90 µs in steps of 10 ns.
fn slow_start(rounds: usize, seed: u64) -> impl Iterator<Item = f64> {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
    std::iter::repeat_with(move || 10.0 * (300 + draws.next_u64() % 8700) as f64).take(rounds)
}

#[test]
fn a_slow_start_does_not_hide_the_step() {
    for (slow, later) in [(200, 240), (200, 400), (1000, 1100), (300_000, 700_000)] {
        let of = |seed: u64| slow_start(slow, seed).chain(std::iter::repeat_n(30.0, later));
        let found = Readings::of(of(1), of(2)).clock_step(None).unwrap();
        // Two neighbours of 10 ns need not be among few.
        assert!(found.step().is_some_and(|step| step >= 10.0) && found.reading() == 30.0, "{found:?}");
    }
}

#[test]
fn the_step_that_the_median_lies_on_counts() {
    // A third of the times is read off another clock, below and above: none of them recurs.
    let of = |offset: f64| {
        let low = (0..100).map(move |round| 20.0 + f64::from(round) / 13.0 + offset);
        let high = (0..100).map(move |round| 50.0 + f64::from(round) / 13.0 + offset);
        low.chain(high).chain([30.0, 40.0].into_iter().cycle().take(130))
    };
    let found = Readings::of(of(0.0), of(0.01)).clock_step(None).unwrap();
    assert_eq!(found.step(), Some(10.0));
}

#[test]
fn the_middle_of_wide_noise_is_no_grid() {
    // About fifty steps wide: many recur among those in the middle, yet not four for each value.
    let noise =
        |round: u32| (1..=12).map(|part| f64::from(round * 7919 * part % 6007) / 6007.0).sum::<f64>() - 6.0;
    let reading = |round: u32| 1000.0 + (60.0 * noise(round)).round();
    let found = step_of(
        &(1..=200).map(reading).collect::<Vec<_>>(),
        &(201..=400).map(reading).collect::<Vec<_>>(),
        None,
    );
    assert_eq!(found, None);
}

#[test]
fn pushed_round_by_round_they_show_the_same() {
    let read = |steps: f64| {
        slow_start(600, 3).chain((0..700).map(move |round| 10.0 * (steps + f64::from(round % 3)))).collect()
    };
    let [old, new]: [Vec<f64>; 2] = [3.0, 4.0].map(read);
    let mut pushed = Readings::default();
    old.iter().zip(&new).for_each(|(old, new)| pushed.push(*old, *new));
    let at_once = Readings::of(old.iter().copied(), new.iter().copied());
    assert!(at_once.clock_step(None).is_some());
    assert_eq!(pushed.clock_step(None), at_once.clock_step(None));
}

proptest! {
    /// Two constant times, read by a clock that rounds or that cuts off: the widened interval of what was read holds their ratio.
    #[test]
    fn the_room_holds_the_truth(old in 1.0f64..50.0, new in 1.0f64..50.0, cuts in any::<bool>()) {
        let read = |time: f64| if cuts { time.floor() } else { time.round().max(1.0) };
        let (a, b) = (read(old), read(new));
        prop_assume!(cuts || (old >= 0.5 && new >= 0.5));
        let found = step_of(&[a; 9], &[b, b, b, b, b, b, b, b, b + 1.0], None).unwrap();
        let effect = Some(LogRatio((b / a).ln()));
        let read = Interval { low: effect, estimate: LogRatio(0.0), high: effect };
        let Look::Interval(widened) = found.widened(Look::Interval(read)) else { unreachable!() };
        let truth = (new / old).ln();
        prop_assert!(widened.low.unwrap().0 <= truth + 1e-12 && truth <= widened.high.unwrap().0 + 1e-12);
    }
}

#[test]
fn readings_that_alternate_are_both_seen() {
    for period in 2..7 {
        let of = || (0..10_000).map(move |round| if round % period == 0 { 40.0 } else { 30.0 });
        let found = Readings::of(of(), of()).clock_step(None).unwrap();
        assert_eq!(found.step(), Some(10.0), "{period}");
    }
}
