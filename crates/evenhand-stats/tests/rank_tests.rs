//! Rank and binomial tests against Perfolizer's vectors and scipy's.

use crate::vectors::{alternative, fixture, series};
use evenhand_stats::unpaired::rank_tests::{Alternative, mann_whitney, wilcoxon};
use evenhand_stats::unpaired::sign_test::binomial_test;
use serde_json::Value;

const PERFOLIZER_TIE_TOLERANCE: f64 = 1e-9;

#[test]
fn mann_whitney_agrees_with_perfolizer() {
    let mut rows = 0;
    for case in fixture("perfolizer/significance.json")["mann_whitney"].as_array().unwrap() {
        for row in case["rows"].as_array().unwrap() {
            let which = row["alternative"].as_str().unwrap_or("greater");
            let (x, y) = (series(&case["x"]), series(&case["y"]));
            let threshold = row["threshold"].as_f64().unwrap();
            let test = mann_whitney(&x, &y, threshold, PERFOLIZER_TIE_TOLERANCE, alternative(which)).unwrap();
            assert_eq!(test.statistic, row["u"].as_f64().unwrap(), "{}", case["name"]);
            // Printed with as few as four digits; two rows are off (see ORIGIN-perfolizer.md).
            let name = case["name"].as_str().unwrap();
            match (name, threshold) {
                ("N30Vs40", -0.5) => close(test.p_value, &row["p"], 1e-3),
                ("N300", 0.0) => assert!(test.p_value > 2.521e-19 && test.p_value < 2.522e-19),
                _ => close(test.p_value, &row["p"], 1e-4),
            }
            rows += 1;
        }
    }
    assert_eq!(rows, 46);
}

#[test]
fn mann_whitney_agrees_with_scipy() {
    for case in fixture("scipy/vectors.json")["mann_whitney"].as_array().unwrap() {
        for which in ["greater", "less", "two_sided"] {
            let (x, y) = (series(&case["x"]), series(&case["y"]));
            let test = mann_whitney(&x, &y, 0.0, 0.0, alternative(which)).unwrap();
            let method = if test.exact { "exact" } else { "asymptotic" };
            assert_eq!(test.exact, case["exact"].is_object());
            assert_eq!(test.statistic, case["u"].as_f64().unwrap());
            close(test.p_value, &case[method][which], 1e-9);
        }
    }
}

#[test]
fn wilcoxon_agrees_with_scipy() {
    for case in fixture("scipy/vectors.json")["wilcoxon"].as_array().unwrap() {
        for which in ["greater", "less", "two_sided"] {
            let test = wilcoxon(&series(&case["differences"]), alternative(which)).unwrap();
            let method = if test.exact { "exact" } else { "asymptotic" };
            assert_eq!(test.exact, case["exact"].is_object());
            assert_eq!(test.statistic, case["w"].as_f64().unwrap());
            close(test.p_value, &case[method][which], 1e-9);
        }
    }
}

#[test]
fn binomial_tests_agree_with_scipy() {
    for case in fixture("scipy/vectors.json")["binomial_test"].as_array().unwrap() {
        let (successes, trials) = (case["successes"].as_u64().unwrap(), case["trials"].as_u64().unwrap());
        let p = binomial_test(successes, trials, case["chance"].as_f64().unwrap()).unwrap();
        close(p, &case["p_value"], 5e-9);
    }
}

#[test]
fn bad_and_degenerate_input_has_an_answer() {
    assert!(mann_whitney(&[], &[1.0], 0.0, 0.0, Alternative::Less).is_err());
    assert!(mann_whitney(&[1.0], &[1.0], f64::NAN, 0.0, Alternative::Less).is_err());
    assert!(mann_whitney(&[f64::MAX], &[1.0], f64::MIN, 0.0, Alternative::Less).is_err());
    assert!(mann_whitney(&[1.0], &[1.0], 0.0, -1.0, Alternative::Less).is_err());
    assert!(wilcoxon(&[0.0, 0.0], Alternative::Less).is_err());
    assert!(binomial_test(3, 2, 0.5).is_err());
    assert!(binomial_test(0, 0, 0.5).is_err());
    assert!(binomial_test(1, 2, 1.0).is_err());
    let tied = mann_whitney(&[2.0; 5], &[2.0; 9], 0.0, 0.0, Alternative::TwoSided).unwrap();
    assert_eq!((tied.p_value, tied.exact), (1.0, false));
}

#[test]
fn only_a_tolerance_restores_ties_that_a_threshold_broke() {
    // 0.3 - 0.1 is a little below 0.2.
    let u = |tolerance| mann_whitney(&[0.3], &[0.2], 0.1, tolerance, Alternative::Greater).unwrap().statistic;
    assert_eq!((u(0.0), u(1e-9)), (0.0, 0.5));
}

fn close(value: f64, expected: &Value, relative: f64) {
    let expected = expected.as_f64().unwrap();
    assert!((value - expected).abs() <= relative * expected.abs(), "{value:e} is not {expected:e}");
}
