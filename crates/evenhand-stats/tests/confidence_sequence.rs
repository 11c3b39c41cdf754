//! The confidence sequence: it inverts the e-process, covers, nests and moves with the data.

use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn interval_of(differences: &[f64], alpha: f64) -> Interval {
    match ConfidenceSequence::of(differences, alpha, Mixture::rounds()).unwrap().interval() {
        Look::Interval(interval) => interval,
        Look::NoConstantEffect => panic!("no interval"),
    }
}

/// A sum of three uniforms around `effect`: bell-shaped, bounded, seeded.
fn bells(seed: u64, n: usize, effect: f64, scale: f64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..n).map(|_| effect + scale * (uniform() + uniform() + uniform() - 1.5)).collect()
}

#[test]
fn ends_are_where_the_evidence_reaches_one_over_alpha() {
    for (n, alpha) in [(30, 0.05), (300, 0.01), (5000, 0.001)] {
        let d = bells(n as u64, n, 0.02, 0.1);
        let sequence = ConfidenceSequence::of(&d, alpha, Mixture::rounds()).unwrap();
        let interval = interval_of(&d, alpha);
        let (low, high) = (interval.low.unwrap(), interval.high.unwrap());
        let width = high.0 - low.0;
        for (end, inwards) in [(low, 0.02 * width), (high, -0.02 * width)] {
            assert!(sequence.ln_e_value(end) >= -alpha.ln(), "the reported end is refuted itself");
            assert!(sequence.ln_e_value(LogRatio(end.0 + inwards)) < -alpha.ln(), "2 % further in is not");
        }
        assert!(low < interval.estimate && interval.estimate < high);
        assert!(low.0 < 0.02 && 0.02 < high.0);
    }
}

#[test]
fn too_few_rounds_have_no_bound() {
    let interval = interval_of(&bells(1, 6, 0.0, 1.0), 0.01);
    assert_eq!((interval.low, interval.high), (None, None));
    let empty = ConfidenceSequence::new(0.01, Mixture::rounds()).unwrap().interval();
    assert!(matches!(empty, Look::Interval(Interval { low: None, high: None, .. })));
}

#[test]
fn constant_differences_close_in_on_the_constant() {
    let interval = interval_of(&[0.25; 50], 0.01);
    let (low, high) = (interval.low.unwrap().0, interval.high.unwrap().0);
    assert!((0.249_999..=0.25).contains(&low) && (0.25..=0.250_001).contains(&high), "{low} {high}");
}

#[test]
fn an_effect_that_changes_is_said_to_change() {
    // 2,000 rounds at +10 %, then 2,000 at -10 %, hardly any noise: looking on the way refutes every constant.
    let mut sequence = ConfidenceSequence::new(0.01, Mixture::rounds()).unwrap();
    let rounds = bells(3, 2000, 0.1, 0.001).into_iter().chain(bells(4, 2000, -0.1, 0.001));
    let mut looks = Vec::new();
    for (i, d) in rounds.enumerate() {
        sequence.push(LogRatio(d)).unwrap();
        if i % 500 == 499 {
            looks.push(sequence.look());
        }
    }
    assert!(matches!(looks[3], Look::Interval(_)));
    assert_eq!(looks.last(), Some(&Look::NoConstantEffect));
}

#[test]
fn looks_that_contradict_each_other_leave_no_constant_effect() {
    // The few rounds at +10 % hardly show among many at -10 %, but an earlier look has refuted all below +5 %.
    let mut sequence = ConfidenceSequence::new(0.01, Mixture::rounds()).unwrap();
    bells(21, 200, 0.1, 0.1).into_iter().for_each(|d| sequence.push(LogRatio(d)).unwrap());
    assert!(matches!(sequence.look(), Look::Interval(Interval { low: Some(low), .. }) if low.0 > 0.05));
    bells(22, 4000, -0.1, 0.1).into_iter().for_each(|d| sequence.push(LogRatio(d)).unwrap());
    assert!(matches!(sequence.interval(), Look::Interval(Interval { high: Some(high), .. }) if high.0 < 0.0));
    assert_eq!(sequence.look(), Look::NoConstantEffect);
}

#[test]
fn looks_never_widen() {
    let mut sequence = ConfidenceSequence::new(0.05, Mixture::rounds()).unwrap();
    let mut last = (f64::NEG_INFINITY, f64::INFINITY);
    for (i, d) in bells(9, 3000, 0.0, 0.2).into_iter().enumerate() {
        sequence.push(LogRatio(d)).unwrap();
        if i % 100 == 0 {
            let Look::Interval(look) = sequence.look() else { panic!("no interval") };
            let now = (look.low.map_or(last.0, |l| l.0), look.high.map_or(last.1, |h| h.0));
            assert!(now.0 >= last.0 && now.1 <= last.1);
            assert!(
                look.low.is_none_or(|l| l <= look.estimate) && look.high.is_none_or(|h| look.estimate <= h)
            );
            last = now;
        }
    }
    assert!(last.1 - last.0 < 0.05, "3,000 rounds narrow it: {last:?}");
}

#[test]
fn a_look_is_the_tightest_of_all_intervals_so_far() {
    let mut sequence = ConfidenceSequence::new(0.05, Mixture::rounds()).unwrap();
    let mut tightest = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut cut_below, mut cut_above) = (0, 0);
    for (i, d) in bells(11, 2000, 0.0, 0.2).into_iter().enumerate() {
        sequence.push(LogRatio(d)).unwrap();
        if i < 50 || i % 10 != 0 {
            continue;
        }
        let Look::Interval(alone) = sequence.interval() else { panic!("no interval") };
        let Look::Interval(look) = sequence.look() else { panic!("no look") };
        let (low, high) = (alone.low.unwrap().0, alone.high.unwrap().0);
        cut_below += u32::from(low < tightest.0);
        cut_above += u32::from(high > tightest.1);
        tightest = (low.max(tightest.0), high.min(tightest.1));
        assert_eq!((look.low.unwrap().0, look.high.unwrap().0), tightest);
        assert_eq!(look.estimate.0, alone.estimate.0.clamp(tightest.0, tightest.1));
    }
    assert!(cut_below > 10 && cut_above > 10, "intervals alone do widen at times: {cut_below} {cut_above}");
}

#[test]
fn keeps_narrowing_after_a_hundred_thousand_rounds() {
    let width = |n| {
        let interval = interval_of(&bells(5, n, 0.0, 0.2), 0.01);
        interval.high.unwrap().0 - interval.low.unwrap().0
    };
    let ratio = width(4_000) / width(256_000);
    assert!((6.0..10.0).contains(&ratio), "64 times the rounds, about 8 times as narrow: {ratio}");
}

#[test]
fn alpha_must_be_a_probability() {
    for alpha in [0.0, 1.0, -0.1, f64::NAN] {
        assert_eq!(ConfidenceSequence::new(alpha, Mixture::rounds()).unwrap_err().argument, "alpha");
    }
}

/// Coin tosses, +1 or −1.
fn tosses(seed: u64, n: usize) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..n).map(|_| if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
}

#[test]
fn the_truth_between_two_heaps_is_not_lost() {
    // Identical arms whose every run takes longer than the one before: the second in a round is slower, each time by a little more. The
    // differences lie on both sides of the truth, and the effects near either side are a stretch of their own.
    let lost = (0..200).filter(|seed| {
        let places = tosses(*seed, 60).into_iter().zip(bells(1000 + seed, 60, 0.0, 0.001)).zip(0..);
        let differences: Vec<f64> =
            places.map(|((toss, luck), round)| toss * (0.01 + 0.001 * f64::from(round) + luck)).collect();
        (8..=60).step_by(4).any(|rounds| {
            let Interval { low, high, .. } = interval_of(&differences[..rounds], 0.01);
            low.is_some_and(|low| low.0 > 0.0) || high.is_some_and(|high| high.0 < 0.0)
        })
    });
    let lost = lost.count();
    assert!(lost <= 7, "{lost} of 200, where 2 are expected; looking for one stretch only lost 170");
}

#[test]
fn no_constant_effect_is_said_only_when_none_is_left() {
    let mut sequence = ConfidenceSequence::new(0.01, Mixture::rounds()).unwrap();
    // Heaps that take turns, without a coin: everything but a far heap can be refuted, and in the end all is.
    for round in 0..400 {
        let difference = if (round / 20) % 2 == 0 { 0.1 } else { -0.1 } + 1e-4 * f64::from(round % 7);
        sequence.push(LogRatio(difference)).unwrap();
        if matches!(sequence.interval(), Look::NoConstantEffect) {
            let left = (-300..=300)
                .map(|k| f64::from(k) * 1e-3)
                .find(|effect| sequence.ln_e_value(LogRatio(*effect)) < -0.01_f64.ln());
            assert_eq!(left, None, "after {round} rounds");
        }
    }
}

/// The effect beyond the ends of the interval that is not refuted, if there is one. Rounds in two heaps `apart`, that grow apart by `growth`
/// a round, read to a `step`.
fn left_beyond(seed: u64, n: usize, apart: f64, growth: f64, step: f64) -> Option<f64> {
    let noise = bells(seed, n, 0.01, if growth > 0.0 { 0.001 } else { 0.1 });
    let rounds = tosses(seed + 1, n).into_iter().zip(noise).zip(0..);
    let difference = |((toss, noise), round): ((f64, f64), i32)| {
        let exact = toss * apart * (1.0 + growth * f64::from(round)) + noise;
        if step > 0.0 { (exact / step).round() * step } else { exact }
    };
    let differences: Vec<f64> = rounds.map(difference).collect();
    let sequence = ConfidenceSequence::of(&differences, 0.01, Mixture::rounds()).unwrap();
    let Look::Interval(Interval { low, high, .. }) = sequence.interval() else { return None };
    let is_refuted = |effect: f64| sequence.ln_e_value(LogRatio(effect)) >= -0.01_f64.ln();
    // The differences themselves are where the evidence jumps.
    let grid = (-400..=400).map(|k| f64::from(k) * 0.005).chain(differences.iter().copied());
    let near = grid.flat_map(|effect| [effect.next_down(), effect, effect.next_up()]);
    let is_beyond =
        |effect: &f64| low.is_some_and(|low| *effect <= low.0) || high.is_some_and(|high| *effect >= high.0);
    near.filter(is_beyond).find(|effect| !is_refuted(*effect))
}

#[test]
fn what_opposes_is_counted_where_it_weighs_most() {
    assert_eq!(left_beyond(1264, 98, 0.01, 0.1, 0.01), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn nothing_beyond_the_ends_is_left(
        seed in 0..10_000_u64,
        n in 12..200_usize,
        apart in prop::sample::select(vec![0.0, 0.01, 0.1, 1.0]),
        growth in prop::sample::select(vec![0.0, 0.1]),
        step in prop::sample::select(vec![0.0, 0.01, 0.05]),
    ) {
        prop_assert_eq!(left_beyond(seed, n, apart, growth, step), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn shifts_with_the_data(d in prop::collection::vec(-1.0..1.0_f64, 20..120), shift in -3.0..3.0_f64) {
        let moved: Vec<f64> = d.iter().map(|d| d + shift).collect();
        let (plain, moved) = (interval_of(&d, 0.1), interval_of(&moved, 0.1));
        if let (Some(a), Some(b)) = (plain.low, moved.low) {
            prop_assert!((b.0 - a.0 - shift).abs() < 0.02);
        }
        prop_assert_eq!(plain.low.is_some(), moved.low.is_some());
    }

    #[test]
    fn more_confidence_is_never_narrower(d in prop::collection::vec(-1.0..1.0_f64, 20..120)) {
        let (narrow, wide) = (interval_of(&d, 0.2), interval_of(&d, 0.01));
        let slack = 0.02;
        if let (Some(n), Some(w)) = (narrow.low, wide.low) {
            prop_assert!(w.0 <= n.0 + slack * (n.0 - narrow.estimate.0).abs());
        }
        prop_assert!(!(wide.low.is_some() && narrow.low.is_none()));
    }
}

/// Blocks are counted stretch by stretch; the e-process takes every round by itself. On a grid all sums are exact,
/// differences tie with each other, with the knots and with the effect, and mirror images fall on knots.
#[test]
fn counting_by_stretches_is_counting_round_by_round() {
    let smooth = bells(5, 20_000, 0.0, 1.0);
    for grid in [4.0, 64.0, 1024.0] {
        let d: Vec<f64> = smooth.iter().map(|d| (d * grid).round() / grid).collect();
        let sequence = ConfidenceSequence::of(&d, 0.01, Mixture::rounds()).unwrap();
        for effect in [-2.0, -1.25, -0.25, 0.0, 0.015625, 0.1, 0.5, 1.5, 2.0] {
            let mut process = EProcess::against(LogRatio(effect), &Mixture::rounds());
            d.iter().for_each(|d| process.push(LogRatio(*d)).unwrap());
            let (one, all) = (process.ln_e_value(), sequence.ln_e_value(LogRatio(effect)));
            assert!((one - all).abs() <= 1e-9 * one.abs().max(1.0), "{grid} {effect}: {one} and {all}");
        }
    }
}

/// Whoever runs second takes 3 % more, and the coin decides who does: the effect is 0, where no difference lies.
#[test]
fn an_effect_between_two_heaps_of_differences_is_found() {
    let noise = bells(9, 400, 0.0, 0.01);
    let coins = bells(10, 400, 0.0, 1.0);
    let d: Vec<f64> = noise.iter().zip(&coins).map(|(d, coin)| d + 0.03_f64.copysign(*coin)).collect();
    let sequence = ConfidenceSequence::of(&d, 0.01, Mixture::rounds()).unwrap();
    assert!(sequence.ln_e_value(LogRatio(0.0)) < 0.0, "no difference is far from refuted");
    let interval = interval_of(&d, 0.01);
    assert!(interval.low.unwrap().0 < 0.0 && interval.high.unwrap().0 > 0.0, "{interval:?}");
    assert!(interval.low.unwrap().0 > -0.04 && interval.high.unwrap().0 < 0.04, "{interval:?}");
}
