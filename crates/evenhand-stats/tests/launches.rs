//! The verdict over launches: what counts as a launch, what its luck amounts to, and when there are enough.

use evenhand_stats::Rule;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches, Scatter, TooFew, fewest_to_decide};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{EProcess, LogRatio};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::TAU;

fn of(rounds: &[Vec<f64>], alpha: f64) -> Launches {
    let rounds: Vec<&[f64]> = rounds.iter().map(Vec::as_slice).collect();
    Launches::of(&rounds, alpha).unwrap()
}

/// Launches without luck inside: eight equal rounds each.
fn plain(effects: &[f64]) -> Vec<Vec<f64>> {
    effects.iter().map(|effect| vec![*effect; FEWEST_ROUNDS]).collect()
}

fn interval(look: Look) -> Interval {
    match look {
        Look::Interval(interval) => interval,
        Look::NoConstantEffect => panic!("no interval"),
    }
}

fn excludes_zero(look: Look) -> bool {
    let interval = interval(look);
    interval.low.is_some_and(|low| low.0 > 0.0) || interval.high.is_some_and(|high| high.0 < 0.0)
}

/// Normal draws by Box and Muller, seeded.
fn normals(seed: u64) -> impl FnMut() -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    move || {
        let mut uniform = || ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        (-2.0 * uniform().ln()).sqrt() * (TAU * uniform()).cos()
    }
}

#[test]
fn a_launch_counts_as_the_median_of_its_rounds() {
    let even = vec![0.9, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 50.0];
    let odd = vec![-9.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, -8.0];
    let effects = of(&[even, odd], 0.05).effects;
    assert!((effects[0].0 - 0.45).abs() < 1e-15);
    assert_eq!(effects[1].0, 0.3);
}

#[test]
fn launches_with_too_few_rounds_are_left_out_and_counted() {
    let analysis = of(&[vec![1.0; 7], vec![2.0; 8], vec![], vec![3.0; 9]], 0.05);
    assert_eq!(analysis.too_short, 2);
    assert_eq!(analysis.effects, [LogRatio(2.0), LogRatio(3.0)]);
}

#[test]
fn too_few_launches_are_said_to_be_too_few() {
    for alpha in [0.2, 0.05, 0.01] {
        let needed = fewest_to_decide(alpha, &Mixture::launches());
        // Ever larger effects of one sign are the luckiest fall.
        let effects: Vec<f64> = (1..=needed).map(|k| 0.01 * k as f64).collect();
        let short = of(&plain(&effects[1..]), alpha);
        assert_eq!(short.too_few, Some(TooFew { launches: needed - 1, needed }));
        assert!(short.ln_e_across < -alpha.ln());
        let enough = of(&plain(&effects), alpha);
        assert_eq!(enough.too_few, None);
        assert!(enough.ln_e_across >= -alpha.ln(), "{needed} launches on one side decide at {alpha}");
    }
}

/// All orders of `values`.
fn orders(values: &[f64]) -> Vec<Vec<f64>> {
    if values.len() < 2 {
        return vec![values.to_vec()];
    }
    (0..values.len())
        .flat_map(|first| {
            let mut rest = values.to_vec();
            let value = rest.remove(first);
            orders(&rest).into_iter().map(move |mut order| {
                order.push(value);
                order
            })
        })
        .collect()
}

#[test]
fn no_order_decides_with_fewer_than_needed() {
    for mixture in [Mixture::launches(), Mixture::rounds()] {
        let alpha = 0.1;
        let needed = fewest_to_decide(alpha, &mixture);
        assert!((4..=8).contains(&needed), "{needed}");
        let effects: Vec<f64> = (1..needed).map(|k| k as f64).collect();
        for order in orders(&effects) {
            let mut process = EProcess::against(LogRatio(0.0), &mixture);
            for effect in &order {
                process.push(LogRatio(*effect)).unwrap();
            }
            assert!(!process.refutes(alpha), "{order:?}");
        }
    }
}

#[test]
fn within_and_across_answer_different_questions() {
    // Two-mode luck: seven launches drew the slow layout for the candidate, three for the baseline. The rounds
    // inside say "slower" with great certainty; seven of ten is what a fair coin does.
    let mut normal = normals(1);
    let luck = [1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0, 1.0, -1.0, 1.0];
    let rounds: Vec<Vec<f64>> =
        luck.iter().map(|side| (0..200).map(|_| 0.03 * side + 0.05 * normal()).collect()).collect();
    let analysis = of(&rounds, 0.05);
    assert!(excludes_zero(analysis.within), "{:?}", analysis.within);
    assert!(!excludes_zero(analysis.across), "{:?}", analysis.across);
    assert!(analysis.ln_e_across < -0.05_f64.ln());
    // With hardly any noise the rounds see that no single effect can be.
    let rounds: Vec<Vec<f64>> =
        luck.iter().map(|side| (0..200).map(|_| 0.03 * side + 0.005 * normal()).collect()).collect();
    assert_eq!(of(&rounds, 0.05).within, Look::NoConstantEffect);
}

#[test]
fn launches_that_agree_do_decide() {
    let mut normal = normals(2);
    for side in [1.0, -1.0] {
        let effects: Vec<f64> = (0..30).map(|_| side * (0.02 + 0.005 * normal())).collect();
        let analysis = of(&plain(&effects), 0.01);
        let across = interval(analysis.across);
        assert!(excludes_zero(analysis.across) && across.estimate.0 * side > 0.0);
        assert!(across.low.unwrap().0 < 0.02 * side && 0.02 * side < across.high.unwrap().0);
        assert!(analysis.ln_e_across >= 100_f64.ln());
    }
}

#[test]
fn the_error_rate_is_handed_on() {
    let mut normal = normals(3);
    let rounds: Vec<Vec<f64>> = (0..40).map(|_| (0..20).map(|_| 0.02 * normal()).collect()).collect();
    let (strict, lax) = (of(&rounds, 0.001), of(&rounds, 0.2));
    for (wide, narrow) in [(strict.across, lax.across), (strict.within, lax.within)] {
        let width = |look| interval(look).high.unwrap().0 - interval(look).low.unwrap().0;
        assert!(width(wide) > 1.2 * width(narrow));
    }
}

#[test]
fn scatter_by_hand() {
    assert_eq!(of(&plain(&[0.5]), 0.05).scatter, None);
    // Effects 0 and 2: variance 2 with the divisor n - 1. Nothing scatters inside.
    let scatter = of(&plain(&[0.0, 2.0]), 0.05).scatter.unwrap();
    assert!((scatter.between - 2_f64.sqrt()).abs() < 1e-15 && scatter.within == 0.0);
    // Rounds -4..4 around 0: median distance 2. A wilder launch counts by its variance.
    let steps = |factor: f64| (-4..=4).map(|i| factor * f64::from(i)).collect::<Vec<f64>>();
    let scatter = of(&[steps(1.0), steps(7.0)], 0.05).scatter.unwrap();
    assert!((scatter.within - 1.4826 * 2.0 * 5.0).abs() < 1e-12, "√((1 + 49)/2) = 5");
    assert_eq!(scatter.between, 0.0);
}

#[test]
fn scatter_finds_what_was_planted() {
    // With 41 rounds the median of a launch scatters by 0.2·√(π/2/41) = 3.9 % itself: more than the launches do.
    for (seed, within, between) in [(4, 0.2, 0.03), (5, 0.01, 0.03)] {
        let mut normal = normals(seed);
        let mut launch = || {
            let luck = between * normal();
            (0..41).map(|_| luck + within * normal()).collect::<Vec<f64>>()
        };
        let rounds: Vec<Vec<f64>> = (0..1000).map(|_| launch()).collect();
        let scatter = of(&rounds, 0.05).scatter.unwrap();
        assert!((scatter.within / within - 1.0).abs() < 0.05, "{scatter:?}");
        assert!((scatter.between / between - 1.0).abs() < 0.12, "{scatter:?}");
    }
}

#[test]
fn spikes_do_not_rule_the_scatter_within() {
    let mut normal = normals(6);
    let mut round = |i: usize| if i.is_multiple_of(10) { 5.0 } else { 0.01 * normal() };
    let rounds: Vec<Vec<f64>> = (0..50).map(|_| (0..40).map(&mut round).collect()).collect();
    let scatter = of(&rounds, 0.05).scatter.unwrap();
    assert!((0.009..0.015).contains(&scatter.within), "{scatter:?}");
}

#[test]
fn rounds_per_launch_follow_costs_and_scatter() {
    let scatter = Scatter { within: 0.02, between: 0.01 };
    // √(100 · 0.0004/0.0001) = 20
    assert!((scatter.rounds_per_launch(100.0).unwrap() - 20.0).abs() < 1e-9);
    assert_eq!(scatter.rounds_per_launch(0.0), Some(8.0));
    assert_eq!(scatter.rounds_per_launch(-3.0), Some(8.0));
    assert_eq!(Scatter { within: 0.02, between: 0.0 }.rounds_per_launch(100.0), None);
    assert_eq!(Scatter { within: 0.0, between: 0.0 }.rounds_per_launch(100.0), None);
}

#[test]
fn bad_input_is_named() {
    let refused = |rounds: &[&[f64]], alpha| {
        let error = Launches::of(rounds, alpha).unwrap_err();
        (error.argument, error.rule)
    };
    assert_eq!(refused(&[], 0.05), ("rounds", Rule::AtLeast { needed: 8, got: 0 }));
    assert_eq!(refused(&[&[1.0; 7], &[1.0; 3]], 0.05), ("rounds", Rule::AtLeast { needed: 8, got: 7 }));
    let holed = [0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(refused(&[&[0.0; 8], &holed], 0.05), ("rounds", Rule::Finite { index: 3 }));
    assert_eq!(refused(&[&[1e9; 8]], 0.05).0, "difference");
    assert_eq!(refused(&[&[0.0; 8], &[f64::NAN]], 0.05), ("rounds", Rule::Finite { index: 0 }));
    for alpha in [0.0, 1.0, f64::NAN] {
        assert_eq!(refused(&[&[0.0; 8]], alpha).0, "alpha");
    }
}
