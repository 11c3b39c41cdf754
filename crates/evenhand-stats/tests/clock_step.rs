//! How coarse is the clock, and what room does an effect need for it?

use evenhand_stats::clock_step::{ClockStep, Readings};
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use proptest::prelude::*;

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

#[test]
fn the_first_two_hundred_rounds_show_the_step() {
    let mut readings = Readings::default();
    (0..200).for_each(|_| readings.push(30.0, 40.0));
    let found = readings.clock_step(None);
    (0..200_u32).for_each(|round| readings.push(30.0 + f64::from(round) / 7.0, 41.0));
    assert_eq!((found, found.unwrap().step()), (readings.clock_step(None), Some(10.0)));
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
