//! Many comparisons at once: e-BH against its definition and by exact enumeration, averages and products of e-values.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use evenhand_stats::Rule;
use evenhand_stats::randomised::suite::{average, e_bh, product};
use proptest::prelude::*;

fn logs(e_values: &[f64]) -> Vec<f64> {
    e_values.iter().map(|e| e.ln()).collect()
}

/// e-BH as it is defined: the largest k with at least k e-values of m/(kα) or more.
fn by_definition(ln_e_values: &[f64], alpha: f64) -> Vec<bool> {
    let m = ln_e_values.len();
    let reached = |k: usize| {
        let threshold = (m as f64 / (k as f64 * alpha)).ln();
        ln_e_values.iter().map(|ln_e| *ln_e >= threshold).collect::<Vec<bool>>()
    };
    let called = |k: &usize| reached(*k).iter().filter(|reached| **reached).count() >= *k;
    (1..=m).rev().find(called).map_or(vec![false; m], reached)
}

#[test]
fn a_later_rank_can_rescue_an_earlier_one() {
    // At α = 0.05 the four thresholds are 80, 40, 26.7 and 20. The second largest misses its own, the third does not.
    let called = e_bh(&logs(&[27.0, 1.0, 100.0, 39.0]), 0.05).unwrap();
    assert_eq!(called, [true, false, true, true]);
    assert_eq!(e_bh(&logs(&[26.0, 1.0, 100.0, 39.0]), 0.05).unwrap(), [false, false, true, false]);
    assert_eq!(e_bh(&logs(&[20.0; 4]), 0.05).unwrap(), [true; 4]);
    assert_eq!(e_bh(&logs(&[79.0, 1.0, 1.0, 1.0]), 0.05).unwrap(), [false; 4]);
}

#[test]
fn the_threshold_itself_is_enough() {
    let threshold = 16_f64.ln(); // m/(kα) for m = 4, k = 1, α = 1/4
    assert_eq!(e_bh(&[threshold, 0.0, 0.0, 0.0], 0.25).unwrap(), [true, false, false, false]);
    assert_eq!(e_bh(&[threshold.next_down(), 0.0, 0.0, 0.0], 0.25).unwrap(), [false; 4]);
}

#[test]
fn one_comparison_needs_one_over_alpha() {
    assert_eq!(e_bh(&logs(&[100.1]), 0.01).unwrap(), [true]);
    assert_eq!(e_bh(&logs(&[99.9]), 0.01).unwrap(), [false]);
}

/// The expected share of false calls when `nulls` e-values are `height` with chance 1/height, else nothing, and
/// `changes` more are certain. Every outcome is counted; `alike`: all nulls fall together.
fn false_discovery_rate(nulls: usize, changes: usize, height: f64, alpha: f64, alike: bool) -> f64 {
    let chance_up = 1.0 / height;
    (0..1_u32 << nulls)
        .map(|outcome| {
            let up = outcome.count_ones() as usize;
            let chance = match (alike, up) {
                (true, up) if up == nulls => chance_up,
                (true, 0) => 1.0 - chance_up,
                (true, _) => 0.0,
                (false, up) => chance_up.powi(up as i32) * (1.0 - chance_up).powi((nulls - up) as i32),
            };
            let null = |i: usize| if outcome >> i & 1 == 1 { height.ln() } else { -1000.0 };
            let ln_e_values: Vec<f64> = (0..nulls).map(null).chain(vec![50.0; changes]).collect();
            let called = e_bh(&ln_e_values, alpha).unwrap();
            let wrong = called[..nulls].iter().filter(|called| **called).count() as f64;
            let calls = called.iter().filter(|called| **called).count() as f64;
            chance * wrong / calls.max(1.0)
        })
        .sum()
}

#[test]
fn the_share_of_false_calls_stays_below_alpha() {
    let mut largest: f64 = 0.0;
    for alike in [true, false] {
        for (nulls, changes) in [(1, 0), (6, 0), (4, 2), (2, 8)] {
            for height in [1.5, 4.0, 5.1, 6.0, 8.0, 10.1, 20.0, 31.0] {
                let rate = false_discovery_rate(nulls, changes, height, 0.2, alike);
                assert!(rate <= 0.2, "{nulls} nulls, {changes} changes, {height}, {alike}: {rate}");
                largest = largest.max(rate);
            }
        }
    }
    assert!(largest > 0.19, "the bound is nearly reached, not kept by never calling: {largest}");
}

#[test]
fn averages_and_products_are_of_the_e_values_themselves() {
    assert!((average(&logs(&[1.0, 3.0])).unwrap() - 2_f64.ln()).abs() < 1e-15);
    assert!((average(&logs(&[0.5, 2.0, 0.5])).unwrap()).abs() < 1e-15);
    assert!((product(&logs(&[2.0, 3.0, 0.5])).unwrap() - 3_f64.ln()).abs() < 1e-15);
}

#[test]
fn evidence_too_large_for_a_double_keeps_its_logarithm() {
    assert_eq!(average(&[1000.0, 1000.0]).unwrap(), 1000.0);
    assert!((average(&[5000.0, 0.0]).unwrap() - (5000.0 - 2_f64.ln())).abs() < 1e-12);
    assert_eq!(average(&[-2000.0, -2000.0, -2000.0]).unwrap(), -2000.0);
    assert_eq!(product(&[1000.0, 2000.0, -500.0]).unwrap(), 2500.0);
    assert_eq!(e_bh(&[1e9, -1e9], 0.01).unwrap(), [true, false]);
}

#[test]
fn bad_input_is_named() {
    for refused in [e_bh(&[], 0.1).unwrap_err(), average(&[]).unwrap_err(), product(&[]).unwrap_err()] {
        assert_eq!((refused.argument, refused.rule), ("ln_e_values", Rule::AtLeast { needed: 1, got: 0 }));
    }
    for refused in [e_bh(&[0.0, f64::NAN], 0.1).unwrap_err(), average(&[0.0, f64::INFINITY]).unwrap_err()] {
        assert_eq!(refused.rule, Rule::Finite { index: 1 });
    }
    for alpha in [0.0, 1.0, -0.1, f64::NAN] {
        assert_eq!(e_bh(&[1.0], alpha).unwrap_err().argument, "alpha");
    }
    assert_eq!(product(&[1.0, 1e308, 1e308]).unwrap_err().rule, Rule::Representable { index: 1 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn agrees_with_the_definition(ln_e in prop::collection::vec(-2.0..8.0_f64, 1..12), alpha in 0.01..0.9_f64) {
        prop_assert_eq!(e_bh(&ln_e, alpha).unwrap(), by_definition(&ln_e, alpha));
    }

    #[test]
    fn more_evidence_never_takes_a_call_back(ln_e in prop::collection::vec(0.0..6.0_f64, 1..12), which in 0..12_usize) {
        let mut raised = ln_e.clone();
        raised[which % ln_e.len()] += 1.0;
        let (before, after) = (e_bh(&ln_e, 0.2).unwrap(), e_bh(&raised, 0.2).unwrap());
        prop_assert!(before.iter().zip(after).all(|(before, after)| after || !before));
    }

    #[test]
    fn an_average_lies_between_its_ends(ln_e in prop::collection::vec(-900.0..900.0_f64, 1..20)) {
        let mean = average(&ln_e).unwrap();
        let (least, most) = ln_e.iter().fold((f64::MAX, f64::MIN), |(l, m), e| (l.min(*e), m.max(*e)));
        prop_assert!(least - 1e-9 <= mean && mean <= most + 1e-9);
    }
}
