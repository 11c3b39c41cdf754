//! Outlier views against Perfolizer's vectors, and what they do at the edges.

use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::Sorted;
use proptest::prelude::*;
use serde_json::Value;

const RULES: [(&str, OutlierRule); 3] =
    [("tukey", OutlierRule::Tukey), ("mad", OutlierRule::Mad), ("double_mad", OutlierRule::DoubleMad)];
const ESTIMATORS: [(&str, Estimator); 2] =
    [("type7", Estimator::Type7), ("harrell_davis", Estimator::HarrellDavis)];

/// The vectors that come out differently with the asymptotic factor 1.4826.
const WITH_FINITE_SAMPLE_FACTORS: [&str; 1] = ["mad/harrell_davis Beta0"];

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

#[test]
fn views_agree_with_perfolizer() {
    let vectors: Value = serde_json::from_str(include_str!("fixtures/outliers/perfolizer.json")).unwrap();
    let (mut checked, mut different) = (0, Vec::new());
    for (rule_name, rule) in RULES {
        for (estimator_name, estimator) in ESTIMATORS {
            let cases = &vectors["expected"][format!("{rule_name}/{estimator_name}")];
            for (name, case) in cases.as_object().unwrap() {
                let values = match case["data"].as_str() {
                    Some(data) => numbers(&vectors["datasets"][data]),
                    None => numbers(&case["values"]),
                };
                checked += 1;
                let Ok(samples) = Sorted::new(&values) else {
                    assert_eq!(name, "Empty");
                    continue;
                };
                let view = samples.outliers(rule, estimator);
                let got = [view.below, view.above].concat();
                if got != numbers(&case["outliers"]) {
                    different.push(format!("{rule_name}/{estimator_name} {name}"));
                }
            }
        }
    }
    assert_eq!(checked, 125);
    assert_eq!(different, WITH_FINITE_SAMPLE_FACTORS);
}

#[test]
fn a_sample_on_the_fence_is_ordinary() {
    // Q1 = 2, Q3 = 4, so the fences are -1 and 7.
    let on = Sorted::new(&[-1.0, 2.0, 2.0, 3.0, 4.0, 4.0, 7.0]).unwrap();
    let view = on.outliers(OutlierRule::Tukey, Estimator::Type7);
    assert_eq!((view.fences.low, view.fences.high), (-1.0, 7.0));
    assert_eq!((view.below.len(), view.above.len()), (0, 0));
    let beyond = Sorted::new(&[-1.01, 2.0, 2.0, 3.0, 4.0, 4.0, 7.01]).unwrap();
    let view = beyond.outliers(OutlierRule::Tukey, Estimator::Type7);
    assert_eq!((view.below, view.above), (&[-1.01][..], &[7.01][..]));
}

#[test]
fn median_absolute_deviation_is_not_scaled() {
    assert_eq!(Sorted::new(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]).unwrap().mad(), 1.0);
    assert_eq!(Sorted::new(&[1.0, 2.0, 4.0, 8.0]).unwrap().mad(), 1.5);
    assert_eq!(Sorted::new(&[5.0]).unwrap().mad(), 0.0);
}

#[test]
fn extremes_of_the_doubles_stay_finite() {
    for values in [[-f64::MAX, -f64::MAX, f64::MAX, f64::MAX], [f64::MAX; 4], [5e-324, 0.0, -5e-324, 1.0]] {
        let samples = Sorted::new(&values).unwrap();
        for (_, rule) in RULES {
            for (_, estimator) in ESTIMATORS {
                let fences = samples.fences(rule, estimator);
                assert!(fences.low.is_finite() && fences.high.is_finite());
                assert!(fences.low <= fences.high);
            }
        }
        assert!(samples.mad().is_finite());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn deviation_is_the_median_of_all_distances(values in prop::collection::vec(-1e3..1e3_f64, 1..60)) {
        let samples = Sorted::new(&values).unwrap();
        let distances: Vec<f64> = values.iter().map(|x| (x - samples.median()).abs()).collect();
        prop_assert_eq!(samples.mad(), Sorted::new(&distances).unwrap().median());
    }

    #[test]
    fn fences_move_and_stretch_with_the_samples(
        values in prop::collection::vec(0.0..1e3_f64, 1..60), shift in -1e3..1e3_f64, scale in 0.1..10.0_f64,
    ) {
        let moved: Vec<f64> = values.iter().map(|x| shift + scale * x).collect();
        for (_, rule) in [RULES[0], RULES[1]] {
            let before = Sorted::new(&values).unwrap().fences(rule, Estimator::Type7);
            let after = Sorted::new(&moved).unwrap().fences(rule, Estimator::Type7);
            prop_assert!((after.low - (shift + scale * before.low)).abs() < 1e-6);
            prop_assert!((after.high - (shift + scale * before.high)).abs() < 1e-6);
        }
    }
}
