//! The e-process: against its definition in another language, against exact enumeration of the coin, and for what
//! must hold for every input.

use evenhand_stats::Rule;
use evenhand_stats::randomised::score::{Mixture, Weight};
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio, differences};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vectors {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    mixture: String,
    effect: f64,
    differences: Vec<f64>,
    ln_e_value: f64,
}

impl Case {
    fn mixture(&self) -> Mixture {
        if self.mixture == "rounds" { Mixture::rounds() } else { Mixture::launches() }
    }
}

fn process_of(differences: &[f64], effect: f64, mixture: &Mixture) -> EProcess {
    let mut process = EProcess::against(LogRatio(effect), mixture);
    for d in differences {
        process.push(LogRatio(*d)).unwrap();
    }
    process
}

#[test]
fn agrees_with_the_definition_in_another_language() {
    let vectors: Vectors = serde_json::from_str(include_str!("fixtures/e_process/vectors.json")).unwrap();
    assert_eq!(vectors.cases.len(), 30);
    for case in vectors.cases {
        let incremental = process_of(&case.differences, case.effect, &case.mixture()).ln_e_value();
        let sequence = ConfidenceSequence::of(&case.differences, 0.01, case.mixture()).unwrap();
        let batch = sequence.ln_e_value(LogRatio(case.effect));
        for (route, got) in [("incremental", incremental), ("batch", batch)] {
            let miss = (got - case.ln_e_value).abs();
            assert!(
                miss < 1e-8,
                "{} {} {}: {route} {got}, want {}",
                case.name,
                case.mixture,
                case.effect,
                case.ln_e_value
            );
        }
    }
}

/// All 2^n ways the coin could have fallen, for given magnitudes.
fn all_coins(magnitudes: &[f64]) -> impl Iterator<Item = Vec<f64>> + '_ {
    (0..1_u32 << magnitudes.len()).map(|coins| {
        let signed = |(i, m): (usize, &f64)| if coins >> i & 1 == 1 { *m } else { -m };
        magnitudes.iter().enumerate().map(signed).collect()
    })
}

const MAGNITUDES: [f64; 12] = [0.1, 3.0, 0.2, 0.2, 7.5, 0.01, 0.5, 0.4, 0.1, 1e-9, 40.0, 0.3];

#[test]
fn expectation_over_the_coin_is_exactly_one() {
    let scores = [Weight::Hump, Weight::Rank, Weight::Sign].map(|weight| Mixture::new(&[(weight, 1.0)]));
    for mixture in [Mixture::rounds(), Mixture::launches()].iter().chain(&scores) {
        let total: f64 = all_coins(&MAGNITUDES).map(|d| process_of(&d, 0.0, mixture).e_value()).sum();
        let mean = total / f64::from(1 << MAGNITUDES.len());
        assert!((mean - 1.0).abs() < 1e-9, "{mixture:?}: {mean}");
    }
}

#[test]
fn looking_after_every_round_keeps_the_error_rate() {
    // Exact, not simulated: of all 4,096 falls of the coin, at most α ever reach 1/α.
    for alpha in [0.5, 0.2, 0.05, 0.01] {
        let reached = all_coins(&MAGNITUDES).filter(|d| {
            let mut process = EProcess::of_no_difference();
            d.iter().any(|d| {
                process.push(LogRatio(*d)).unwrap();
                process.refutes(alpha)
            })
        });
        let share = reached.count() as f64 / 4096.0;
        assert!(share <= alpha, "alpha {alpha}: {share}");
    }
    // The bound is not kept by never deciding.
    assert!(process_of(&[1.0; 14], 0.0, &Mixture::rounds()).refutes(0.01));
}

#[test]
fn one_over_alpha_is_the_threshold() {
    let process = process_of(&[1.0; 14], 0.0, &Mixture::rounds());
    let alpha = (-process.ln_e_value()).exp();
    assert!(process.refutes(alpha * (1.0 + 1e-9)));
    assert!(!process.refutes(alpha * (1.0 - 1e-9)));
}

#[test]
fn shares_of_a_mixture_are_scaled_and_bad_ones_left_out() {
    let (sign, rank, hump) = (Weight::Sign, Weight::Rank, Weight::Hump);
    assert_eq!(Mixture::new(&[(sign, 3.0), (rank, 1.0)]), Mixture::new(&[(sign, 0.75), (rank, 0.25)]));
    for bad in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Mixture::new(&[(hump, bad), (sign, 2.0)]), Mixture::new(&[(sign, 1.0)]), "{bad}");
    }
    assert_eq!(Mixture::new(&[]), Mixture::new(&[(sign, 1.0)]));
}

#[test]
fn ties_say_nothing() {
    let mut process = EProcess::of_no_difference();
    for _ in 0..1000 {
        process.push(LogRatio(0.0)).unwrap();
    }
    assert_eq!(process.rounds(), 1000);
    assert!(process.ln_e_value().abs() < 1e-12);
    assert!(!process.refutes(0.99));
}

#[test]
fn evidence_names_its_side() {
    assert!(process_of(&[0.1; 20], 0.0, &Mixture::rounds()).leans_slower());
    assert!(!process_of(&[-0.1; 20], 0.0, &Mixture::rounds()).leans_slower());
    assert!(!process_of(&[0.1; 20], 0.2, &Mixture::rounds()).leans_slower());
}

#[test]
fn bad_rounds_are_refused_and_nothing_is_lost() {
    let mut process = process_of(&[0.1, 0.2, 0.3], 0.0, &Mixture::rounds());
    let before = process.ln_e_value();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1501.0, -1e308] {
        let error = process.push(LogRatio(bad)).unwrap_err();
        assert_eq!(error.argument, "difference");
        assert_eq!(error.rule, Rule::InRange { low: -1500.0, high: 1500.0 });
    }
    assert_eq!((process.rounds(), process.ln_e_value()), (3, before));
}

#[test]
fn differences_refuse_what_is_not_a_time() {
    let rule = |a: &[f64], b: &[f64]| differences(a, b).map_err(|e| (e.argument, e.rule)).unwrap_err();
    assert_eq!(rule(&[1.0, 0.0], &[1.0, 1.0]), ("baseline", Rule::Positive { index: 1 }));
    assert_eq!(rule(&[1.0, 1.0], &[1.0, -2.0]), ("candidate", Rule::Positive { index: 1 }));
    assert_eq!(rule(&[1.0], &[f64::NAN]), ("candidate", Rule::Finite { index: 0 }));
    assert_eq!(rule(&[1.0], &[1.0, 2.0]), ("candidate", Rule::SameLength { left: 1, right: 2 }));
    assert_eq!(rule(&[], &[]), ("baseline", Rule::AtLeast { needed: 1, got: 0 }));
    let extremes = differences(&[5e-324, 1.7e308], &[1.7e308, 5e-324]).unwrap();
    assert!(extremes.iter().all(|d| d.is_finite()) && extremes[0] > 1453.0 && extremes[1] < -1453.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn never_more_than_two_to_the_rounds(d in prop::collection::vec(-1.0..1.0_f64, 1..200)) {
        // A fair coin can at most double the stake each round.
        let ln_e = process_of(&d, 0.0, &Mixture::rounds()).ln_e_value();
        prop_assert!(ln_e.is_finite() && ln_e <= d.len() as f64 * std::f64::consts::LN_2 + 1e-9);
    }

    #[test]
    fn swapping_the_arms_keeps_the_evidence(d in prop::collection::vec(-1.0..1.0_f64, 1..300)) {
        let swapped: Vec<f64> = d.iter().map(|d| -d).collect();
        let (one, other) = (process_of(&d, 0.0, &Mixture::rounds()), process_of(&swapped, 0.0, &Mixture::rounds()));
        // Above 256 rounds the kept knots of the mirrored differences differ by at most one rank.
        let slack = if d.len() > 256 { 0.5 } else { 1e-9 };
        prop_assert!((one.ln_e_value() - other.ln_e_value()).abs() < slack);
    }

    #[test]
    fn scale_does_not_matter(d in prop::collection::vec(-100..100_i32, 1..200), power in -10..10_i32) {
        let plain: Vec<f64> = d.iter().map(|d| f64::from(*d)).collect();
        let scaled: Vec<f64> = plain.iter().map(|d| d * 2f64.powi(power)).collect();
        let bits = |d: &[f64]| process_of(&d.iter().map(|d| d / 1024.0).collect::<Vec<_>>(), 0.0, &Mixture::rounds()).ln_e_value();
        prop_assert_eq!(bits(&plain), bits(&scaled));
    }
}
