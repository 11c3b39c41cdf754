//! Percentiles of the arms, their ratios, and the intervals of both.

use evenhand_stats::percentile::{
    Bounds, ComparedPercentile, DEFAULT_PERCENTILES, PercentileSettings, Ranked, arm_percentiles,
    compared_percentiles,
};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

fn compare(
    baseline: &[f64],
    candidate: &[f64],
    percentiles: &[f64],
) -> Result<Vec<ComparedPercentile>, InputError> {
    let (below, above) = (sorted(baseline), sorted(candidate));
    compared_percentiles(
        &Ranked::new(baseline, &below)?,
        &Ranked::new(candidate, &above)?,
        percentiles,
        &PercentileSettings::default(),
    )
}

fn interval_of(values: &[f64], percent: f64) -> (Option<f64>, Option<f64>) {
    let ascending = sorted(values);
    let arm = Ranked::new(values, &ascending).unwrap();
    let interval = arm_percentiles(&arm, &[percent], &PercentileSettings::default()).unwrap()[0].interval;
    (interval.low, interval.high)
}

fn one_to(n: u32) -> Vec<f64> {
    (1..=n).map(f64::from).collect()
}

/// 1..=n in an order so even that every batch of rounds holds every percentile in proportion.
fn evenly_spread(n: u32) -> Vec<f64> {
    let step = (f64::from(n) * 0.381_966_011) as u64 | 1;
    let step = (step..).find(|step| gcd(*step, u64::from(n)) == 1).unwrap();
    (0..u64::from(n)).map(|i| (i * step % u64::from(n) + 1) as f64).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A standard normal AR(1) series.
fn ar1(phi: f64, n: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut normal =
        || Normal::standard().inverse_cdf(((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64);
    let mut state = normal();
    (0..n)
        .map(|_| {
            state = phi * state + (1.0 - phi * phi).sqrt() * normal();
            state
        })
        .collect()
}

/// Times of two arms on one machine; every true ratio is 1.05, the baseline's true P80 is exp(0.2 * 0.841621).
fn two_arms(phi: f64, n: usize, rng: &mut Xoshiro256PlusPlus) -> (Vec<f64>, Vec<f64>) {
    let (common, first, second) = (ar1(phi, n, rng), ar1(phi, n, rng), ar1(phi, n, rng));
    let time = |own: &[f64], level: f64| -> Vec<f64> {
        common.iter().zip(own).map(|(c, o)| level * (0.2 * 0.5_f64.sqrt() * (c + o)).exp()).collect()
    };
    (time(&first, 1.0), time(&second, 1.05))
}

#[test]
fn percentiles_are_type_7() {
    // BenchmarkDotNet's unit values (MIT, (c) .NET Foundation and contributors).
    let powers = [64.0, 1.0, 2.0, 32.0, 4.0, 16.0, 8.0];
    let ascending = sorted(&powers);
    let arm = Ranked::new(&powers, &ascending).unwrap();
    let close = |percent, wanted: f64| {
        let got = arm.percentile(percent).unwrap();
        assert!((got - wanted).abs() < 1e-12, "P{percent}: {got}");
    };
    for (percent, wanted) in
        [(0.0, 1.0), (25.0, 3.0), (75.0, 24.0), (85.0, 35.2), (95.0, 54.4), (100.0, 64.0)]
    {
        close(percent, wanted);
    }
    let thirty = one_to(30);
    let arm = Ranked::new(&thirty, &thirty).unwrap();
    for (percent, wanted) in [(25.0, 8.25), (67.0, 20.43), (95.0, 28.55)] {
        assert!((arm.percentile(percent).unwrap() - wanted).abs() < 1e-12);
    }
}

#[test]
fn order_statistics_at_exact_binomial_ranks() {
    // Ranks from the exact binomial distribution, computed with another program.
    assert_eq!(interval_of(&one_to(10), 50.0), (Some(2.0), Some(9.0)));
    assert_eq!(interval_of(&one_to(6), 50.0), (Some(1.0), Some(6.0)));
    assert_eq!(interval_of(&one_to(5), 50.0), (None, None));
    assert_eq!(interval_of(&one_to(15), 25.0), (Some(1.0), Some(8.0)));
    assert_eq!(interval_of(&evenly_spread(1_000), 50.0), (Some(469.0), Some(532.0)));
    assert_eq!(interval_of(&evenly_spread(1_000), 90.0), (Some(881.0), Some(919.0)));
    assert_eq!(interval_of(&evenly_spread(1_000), 99.0), (Some(983.0), Some(997.0)));
    assert_eq!(interval_of(&evenly_spread(3_000), 67.0), (Some(1_959.0), Some(2_061.0)));
    assert_eq!(interval_of(&evenly_spread(100_000), 99.0), (Some(98_938.0), Some(99_062.0)));
    assert_eq!(interval_of(&evenly_spread(100_000), 99.99), (Some(99_983.0), Some(99_997.0)));
    // Where the normal approximation takes over.
    assert_eq!(interval_of(&evenly_spread(100_000), 50.0), (Some(49_690.0), Some(50_311.0)));
    assert_eq!(interval_of(&evenly_spread(1_000_000), 95.0), (Some(949_572.0), Some(950_428.0)));
}

#[test]
fn extremes_are_bounded_on_the_inside_only() {
    let values = evenly_spread(200);
    assert_eq!(interval_of(&values, 0.0), (None, Some(1.0)));
    assert_eq!(interval_of(&values, 100.0), (Some(200.0), None));
    for compared in compare(&values, &values, &[0.0, 100.0]).unwrap() {
        assert_eq!((compared.ratio, compared.ratio_interval), (1.0, Bounds::UNBOUNDED));
    }
    // Ten of 1000 samples above P99 bound the ratio; two of 200 do not.
    assert_eq!(compare(&values, &evenly_spread(200), &[99.0]).unwrap()[0].ratio_interval, Bounds::UNBOUNDED);
}

#[test]
fn rounds_that_resemble_their_neighbours_count_less() {
    let n = 4_000;
    let clumped: Vec<f64> = (0..n).map(|i| evenly_spread(200)[i / 20]).collect();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let scattered = ar1(0.0, n, &mut rng);
    let effective = |values: &[f64]| {
        let ascending = sorted(values);
        let arm = Ranked::new(values, &ascending).unwrap();
        arm_percentiles(&arm, &[50.0], &PercentileSettings::default()).unwrap()[0].effective_samples
    };
    assert!(effective(&scattered) > 2_500.0, "{}", effective(&scattered));
    let runs = ar1(0.9, n, &mut rng);
    assert!((150.0..800.0).contains(&effective(&runs)), "{}", effective(&runs));
    assert_eq!(effective(&evenly_spread(4_000)), 4_000.0);
    assert!(effective(&clumped) <= 4_000.0);
}

#[test]
fn a_candidate_in_step_with_the_baseline_has_a_sure_ratio() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let baseline: Vec<f64> = ar1(0.7, 2_000, &mut rng).iter().map(|x| (0.3 * x).exp()).collect();
    let candidate: Vec<f64> = baseline.iter().map(|time| 1.25 * time).collect();
    for compared in compare(&baseline, &candidate, &[25.0, 50.0, 95.0]).unwrap() {
        let (low, high) = (compared.ratio_interval.low.unwrap(), compared.ratio_interval.high.unwrap());
        assert!(
            (low - 1.25).abs() < 1e-9 && (high - 1.25).abs() < 1e-9,
            "the arms must move together: {low} {high}"
        );
    }
    let mut unpaired = candidate.clone();
    unpaired.rotate_left(1_000);
    let loose = compare(&baseline, &unpaired, &[50.0]).unwrap()[0].ratio_interval;
    assert!(loose.high.unwrap() - loose.low.unwrap() > 0.05);
}

#[test]
fn swapping_the_arms_mirrors_the_ratio() {
    let (baseline, candidate) = two_arms(0.5, 700, &mut Xoshiro256PlusPlus::seed_from_u64(3));
    let there = compare(&baseline, &candidate, &[80.0]).unwrap()[0];
    let back = compare(&candidate, &baseline, &[80.0]).unwrap()[0];
    assert!((there.ratio * back.ratio - 1.0).abs() < 1e-12);
    assert!((there.ratio_interval.low.unwrap() * back.ratio_interval.high.unwrap() - 1.0).abs() < 1e-12);
    assert!(there.ratio_interval.contains(there.ratio));
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_others() {
    let (baseline, candidate) = two_arms(0.5, 500, &mut Xoshiro256PlusPlus::seed_from_u64(4));
    let once = compare(&baseline, &candidate, &DEFAULT_PERCENTILES).unwrap();
    assert_eq!(once, compare(&baseline, &candidate, &DEFAULT_PERCENTILES).unwrap());
    let (below, above) = (sorted(&baseline), sorted(&candidate));
    let other = PercentileSettings { seed: 99, ..PercentileSettings::default() };
    let arms = (Ranked::new(&baseline, &below).unwrap(), Ranked::new(&candidate, &above).unwrap());
    let again = compared_percentiles(&arms.0, &arms.1, &DEFAULT_PERCENTILES, &other).unwrap();
    assert_ne!(once, again);
    for (once, again) in once.iter().zip(&again).filter(|(once, _)| once.ratio_interval.low.is_some()) {
        let width = once.ratio_interval.high.unwrap_or(f64::MAX) - once.ratio_interval.low.unwrap();
        let moved = (once.ratio_interval.low.unwrap() - again.ratio_interval.low.unwrap()).abs();
        assert!(moved < 0.15 * width, "the seed must not matter: {once:?} {again:?}");
    }
}

#[test]
fn more_confidence_is_wider() {
    let (baseline, candidate) = two_arms(0.5, 1_000, &mut Xoshiro256PlusPlus::seed_from_u64(5));
    let (below, above) = (sorted(&baseline), sorted(&candidate));
    let (baseline, candidate) =
        (Ranked::new(&baseline, &below).unwrap(), Ranked::new(&candidate, &above).unwrap());
    let at = |confidence: f64| {
        let settings = PercentileSettings::at_confidence(confidence).unwrap();
        compared_percentiles(&baseline, &candidate, &[50.0], &settings).unwrap()[0]
    };
    let width = |bounds: Bounds| bounds.high.unwrap() - bounds.low.unwrap();
    let growth = width(at(0.99).ratio_interval) / width(at(0.95).ratio_interval);
    assert!((1.2..1.55).contains(&growth), "2.70 / 2.02 = 1.34 with 40 degrees of freedom: {growth}");
    assert!(width(at(0.99).baseline.interval) > width(at(0.95).baseline.interval));
    assert_eq!(PercentileSettings::at_confidence(0.95).unwrap(), PercentileSettings::default());
    assert_eq!(PercentileSettings::at_confidence(0.99).unwrap().draws, 10_000);
}

#[test]
fn ties_at_the_percentile_do_not_make_it_sure() {
    // 45 % take 10 ms and 55 % take 40 ms: nothing lies above the median, and yet 10 ms is possible.
    let baseline = vec![20.0; 100];
    let candidate: Vec<f64> =
        evenly_spread(100).iter().map(|&v| if v <= 45.0 { 10.0 } else { 40.0 }).collect();
    let mut shuffled = candidate.clone();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(6);
    (1..100).rev().for_each(|last| shuffled.swap(last, (rng.next_u64() % (last as u64 + 1)) as usize));
    let compared = compare(&baseline, &shuffled, &[50.0]).unwrap()[0];
    assert_eq!(compared.ratio, 2.0);
    assert_eq!((compared.ratio_interval.low, compared.ratio_interval.high), (Some(0.5), Some(2.0)));
    assert_eq!((compared.candidate.interval.low, compared.candidate.interval.high), (Some(10.0), Some(40.0)));
}

#[test]
fn coverage_holds_where_neighbours_resemble_each_other() {
    // Quick guard; the calibration program has the figures. 200 trials: 95 % +- 3 standard errors = 90.4 to 99.6 %.
    let truth = (0.2 * 0.841_621_f64).exp();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut arm_held, mut ratio_held) = (0, 0);
    for _ in 0..200 {
        let (baseline, candidate) = two_arms(0.7, 500, &mut rng);
        let (below, above) = (sorted(&baseline), sorted(&candidate));
        let arms = (Ranked::new(&baseline, &below).unwrap(), Ranked::new(&candidate, &above).unwrap());
        let settings = PercentileSettings { draws: 400, ..PercentileSettings::default() };
        let compared = compared_percentiles(&arms.0, &arms.1, &[80.0], &settings).unwrap()[0];
        arm_held += u32::from(compared.baseline.interval.contains(truth));
        ratio_held += u32::from(compared.ratio_interval.contains(1.05));
    }
    assert!((178..=199).contains(&arm_held), "{arm_held} of 200");
    assert!((178..=199).contains(&ratio_held), "{ratio_held} of 200");
}

#[test]
fn few_rounds_give_percentiles_without_a_ratio_interval() {
    let compared = compare(&one_to(15), &one_to(15), &[50.0]).unwrap()[0];
    assert_eq!(compared.ratio_interval, Bounds::UNBOUNDED);
    assert_eq!(compared.baseline.effective_samples, 15.0);
    assert!(compare(&one_to(16), &evenly_spread(16), &[50.0]).unwrap()[0].ratio_interval.low.is_some());
    let one = compare(&[2.0], &[3.0], &DEFAULT_PERCENTILES).unwrap();
    assert!(one.iter().all(|p| p.ratio == 1.5 && p.ratio_interval == Bounds::UNBOUNDED));
}

#[test]
fn an_arm_that_remembers_itself_for_long_has_percentiles_without_intervals() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(8);
    for phi in [0.97, 0.995, 0.9999] {
        let answered = |_: &u32| {
            let (baseline, candidate) = two_arms(phi, 200, &mut rng);
            let found = compare(&baseline, &candidate, &[50.0]).unwrap()[0];
            found.ratio_interval != Bounds::UNBOUNDED || found.baseline.interval != Bounds::UNBOUNDED
        };
        let answered = (0..50).filter(answered).count();
        assert!(answered <= 3, "phi {phi}: {answered} of 50");
    }
    // What both share cancels: the ratio stays known where neither arm is.
    let shared = ar1(0.9999, 400, &mut rng);
    let noise = ar1(0.0, 400, &mut rng);
    let baseline: Vec<f64> = shared.iter().map(|s| (s + 5.0).exp()).collect();
    let candidate: Vec<f64> = baseline.iter().zip(&noise).map(|(b, n)| b * (0.01 * n).exp()).collect();
    let found = compare(&baseline, &candidate, &[50.0]).unwrap()[0];
    assert_eq!(found.baseline.interval, Bounds::UNBOUNDED);
    assert!(found.ratio_interval.low.is_some() && found.ratio_interval.high.is_some(), "{found:?}");
}

#[test]
fn constant_samples_are_sure() {
    for compared in compare(&[7.0; 50], &[14.0; 50], &[25.0, 50.0, 85.0]).unwrap() {
        assert_eq!((compared.ratio_interval.low, compared.ratio_interval.high), (Some(2.0), Some(2.0)));
        assert_eq!((compared.baseline.interval.low, compared.baseline.interval.high), (Some(7.0), Some(7.0)));
    }
}

#[test]
fn bad_input_is_named() {
    let rule =
        |in_order: &[f64], ascending: &[f64]| Ranked::new(in_order, ascending).map(|_| ()).unwrap_err().rule;
    assert_eq!(rule(&[], &[]), Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(rule(&[1.0, f64::NAN], &[1.0, 2.0]), Rule::Finite { index: 1 });
    assert_eq!(rule(&[1.0, 2.0], &[1.0, f64::INFINITY]), Rule::Finite { index: 1 });
    assert_eq!(rule(&[1.0, 2.0], &[1.0]), Rule::SameLength { left: 2, right: 1 });
    assert_eq!(rule(&[2.0, 1.0], &[2.0, 1.0]), Rule::InRange { low: 2.0, high: f64::MAX });
    let fails =
        |baseline: &[f64], candidate: &[f64], percent| compare(baseline, candidate, &[percent]).unwrap_err();
    assert_eq!(fails(&[1.0, 0.0], &[1.0, 1.0], 50.0).rule, Rule::Positive { index: 1 });
    assert_eq!(fails(&[1.0, 1.0], &[1.0, -1.0], 50.0).argument, "candidate");
    assert_eq!(fails(&[1.0, 1.0], &[1.0], 50.0).rule, Rule::SameLength { left: 2, right: 1 });
    for percent in [-1.0, 100.1, f64::NAN] {
        assert_eq!(fails(&[1.0], &[1.0], percent).rule, Rule::InRange { low: 0.0, high: 100.0 });
    }
    let values = one_to(20);
    let arm = Ranked::new(&values, &values).unwrap();
    assert!(PercentileSettings::at_confidence(1.0).is_err());
    let settings = PercentileSettings { draws: 0, ..PercentileSettings::default() };
    assert!(arm_percentiles(&arm, &[50.0], &settings).is_err());
    let settings = PercentileSettings { confidence: 0.0, ..PercentileSettings::default() };
    assert!(compared_percentiles(&arm, &arm, &[50.0], &settings).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_positive_input_has_an_ordered_finite_answer(
        rounds in prop::collection::vec((1e-320..f64::MAX, prop::sample::select(vec![5e-324, 1e-308, 1.0, 2.0, 1e308, f64::MAX])), 1..80)
    ) {
        let (baseline, candidate): (Vec<f64>, Vec<f64>) = rounds.into_iter().unzip();
        for compared in compare(&baseline, &candidate, &DEFAULT_PERCENTILES).unwrap() {
            let intervals = [compared.baseline.interval, compared.candidate.interval, compared.ratio_interval];
            prop_assert!(compared.ratio.is_finite() && compared.baseline.value.is_finite());
            for Bounds { low, high } in intervals {
                prop_assert!(low.is_none_or(f64::is_finite) && high.is_none_or(f64::is_finite));
                prop_assert!(low.zip(high).is_none_or(|(low, high)| low <= high));
            }
            for arm in [compared.baseline, compared.candidate] {
                prop_assert!(arm.interval.contains(arm.value), "{arm:?}");
            }
        }
    }

    #[test]
    fn a_unit_changes_no_ratio(values in prop::collection::vec((1.0..100.0_f64, 1.0..100.0_f64), 20..60)) {
        let (baseline, candidate): (Vec<f64>, Vec<f64>) = values.into_iter().unzip();
        let scale = |values: &[f64]| values.iter().map(|v| v * 1024.0).collect::<Vec<_>>();
        let (plain, scaled) = (compare(&baseline, &candidate, &[50.0]).unwrap()[0], compare(&scale(&baseline), &scale(&candidate), &[50.0]).unwrap()[0]);
        prop_assert_eq!(plain.ratio, scaled.ratio);
        let (plain, scaled) = (plain.ratio_interval.low, scaled.ratio_interval.low);
        prop_assert_eq!(plain.is_some(), scaled.is_some());
        prop_assert!(plain.zip(scaled).is_none_or(|(plain, scaled)| (plain / scaled - 1.0).abs() < 1e-12));
    }
}
