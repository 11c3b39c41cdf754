//! How many independent samples are two series worth whose bounds are made of ranks?

use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::unpaired::comparison::{Series, compare};
use evenhand_stats::unpaired::worth::{Worth, worth_together};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn uniforms(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn worth(samples: &[f64], rule: MeanErrorRule) -> Worth {
    Worth::of(samples, rule, 0.01).unwrap().unwrap()
}

fn independent(n: usize, seed: u64) -> Vec<f64> {
    let mut uniform = uniforms(seed);
    (0..n).map(|_| 10.0 + uniform()).collect()
}

/// Each sample keeps `memory` of the one before.
fn remembering(n: usize, memory: f64, uniform: &mut impl FnMut() -> f64) -> Vec<f64> {
    let mut mood = 0.0;
    let mut next = || {
        mood = memory * mood + uniform() - 0.5;
        100.0 + mood
    };
    (0..100).for_each(|_| {
        next();
    });
    (0..n).map(|_| next()).collect()
}

#[test]
fn spikes_do_not_hide_the_memory_of_ranks() {
    let mut uniform = uniforms(1);
    let levels: Vec<f64> = (0..80).map(|_| if uniform() < 0.5 { 1.0 } else { 1.01 }).collect();
    let samples: Vec<f64> = (0..2000)
        .map(|i| {
            let level = levels[i / 25];
            let spike = if uniform() < 0.05 { 10.0 * uniform() } else { 0.0 };
            level + 0.001 * uniform() + spike
        })
        .collect();
    let by_values = mean_error(&samples, MeanErrorRule::default()).unwrap().effective_samples;
    let found = worth(&samples, MeanErrorRule::default()).estimated();
    assert!(by_values > 1500.0 && found < 500.0, "{by_values} by values, {found} with ranks");
}

#[test]
fn a_memory_of_the_values_counts_too() {
    // Ranks forget how far out the few slow samples are; these stand together.
    let samples: Vec<f64> = independent(1000, 2)
        .into_iter()
        .enumerate()
        .map(|(i, x)| if i % 200 < 4 { 50.0 * x } else { x })
        .collect();
    let of_ranks: Vec<f64> =
        samples.iter().map(|x| samples.iter().filter(|other| *other < x).count() as f64).collect();
    let by_ranks = mean_error(&of_ranks, MeanErrorRule::default()).unwrap().effective_samples;
    let found = worth(&samples, MeanErrorRule::default()).estimated();
    assert!(found < 0.6 * by_ranks, "{found} with values, {by_ranks} by ranks");
}

#[test]
fn independent_samples_are_worth_nearly_all_of_them() {
    let found = worth(&independent(1000, 3), MeanErrorRule::default());
    assert!(found.estimated() > 800.0, "{found:?}");
    let [one, other] = worth_together(found, found, 0.01).unwrap();
    assert!(one > 600.0 && one < found.estimated() && one.total_cmp(&other).is_eq(), "{one} {found:?}");
    let constant = worth(&[5.0; 40], MeanErrorRule::default());
    assert!((constant.estimated() - 40.0).abs() < 1e-12, "nothing in it speaks of a memory");
}

#[test]
fn the_error_of_the_estimate_is_allowed_for_as_in_students_t() {
    // z = 2.575829, t = 2.756386 with 29 degrees of freedom.
    let thirty = worth(&independent(30, 4), MeanErrorRule::Naive);
    let found = worth_together(thirty, thirty, 0.01).unwrap();
    assert!((found[0] - 26.1991).abs() < 1e-3, "{found:?}");
}

#[test]
fn the_allowance_alone_never_takes_the_interval_away() {
    // Six are worth 2.4 with t = 4.03; five on each side are the fewest that can be 99 % sure.
    let six = worth(&independent(6, 5), MeanErrorRule::Naive);
    let [one, other] = worth_together(six, six, 0.01).unwrap();
    assert!((5.0..5.4).contains(&one) && one.total_cmp(&other).is_eq(), "{one} {other}");
    let (low, high) = (independent(6, 5), independent(6, 6));
    let bounds =
        compare(Series::dependent(&low, one), Series::dependent(&high, other), 0.01).unwrap().shift.bounds;
    let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((bounds.lower - (least(&high) - most(&low))).abs() < 1e-12, "the extremes of all pairs");
    assert!((bounds.upper - (most(&high) - least(&low))).abs() < 1e-12, "the extremes of all pairs");
    let four = worth(&independent(4, 7), MeanErrorRule::Naive);
    assert_eq!(worth_together(four, four, 0.01), None);
}

#[test]
fn a_memory_as_long_as_the_series_is_worth_nothing_known() {
    let ramp: Vec<f64> = (0..200).map(f64::from).collect();
    assert_eq!(Worth::of(&ramp, MeanErrorRule::default(), 0.01), Ok(None));
    assert!(Worth::of(&[1.0], MeanErrorRule::default(), 0.01).is_err());
    assert!(Worth::of(&[1.0, 2.0], MeanErrorRule::default(), 1.5).is_err());
}

#[test]
fn series_of_one_source_are_called_different_no_more_often_than_promised() {
    const DRAWS: usize = 400;
    let mut uniform = uniforms(8);
    let wrong = (0..DRAWS)
        .filter(|_| {
            let [old, new] = [(); 2].map(|()| remembering(60, 0.6, &mut uniform));
            let [one, other] =
                [&old, &new].map(|series| Worth::of(series, MeanErrorRule::default(), 0.05).unwrap());
            let Some([n, m]) = one.zip(other).and_then(|(one, other)| worth_together(one, other, 0.05))
            else {
                return false;
            };
            let bounds =
                compare(Series::dependent(&old, n), Series::dependent(&new, m), 0.05).unwrap().shift.bounds;
            bounds.lower > 0.0 || bounds.upper < 0.0
        })
        .count();
    assert!(wrong <= 32, "{wrong} of {DRAWS} at 5 %: 20 expected, 32 are three standard deviations more");
    assert!(wrong > 0, "a rule that never decides keeps any promise");
}
