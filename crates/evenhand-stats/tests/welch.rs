//! Welch's test against Perfolizer's vectors and scipy's.

use crate::vectors::{alternative, fixture, series};
use evenhand_stats::unpaired::rank_tests::Alternative;
use evenhand_stats::unpaired::welch::welch;

#[test]
fn welch_agrees_with_perfolizer() {
    let mut rows = 0;
    for case in fixture("perfolizer/significance.json")["welch"].as_array().unwrap() {
        for row in case["rows"].as_array().unwrap() {
            let side = |name: &str| series(&case[row[name].as_str().unwrap()]);
            let threshold = row["threshold"].as_f64().unwrap();
            let which = alternative(row["alternative"].as_str().unwrap());
            let test = welch(&side("first"), &side("second"), threshold, which).unwrap();
            close(test.statistic, row["t"].as_f64().unwrap(), 1e-12);
            close(test.degrees_of_freedom, row["df"].as_f64().unwrap(), 1e-12);
            // A misprint upstream (see ORIGIN-perfolizer.md): half of the two-sided value is meant.
            let misprint = case["name"] == "DifferentHypothesisTest02" && which == Alternative::Greater;
            let expected = if misprint { 2.65593963970949e-17 / 2.0 } else { row["p"].as_f64().unwrap() };
            close(test.p_value, expected, 1e-9);
            rows += 1;
        }
    }
    assert_eq!(rows, 19);
}

#[test]
fn welch_agrees_with_scipy() {
    for case in fixture("scipy/vectors.json")["welch"].as_array().unwrap() {
        for which in ["greater", "less", "two_sided"] {
            let test = welch(&series(&case["x"]), &series(&case["y"]), 0.0, alternative(which)).unwrap();
            close(test.statistic, case["t"].as_f64().unwrap(), 1e-11);
            close(test.degrees_of_freedom, case["df"].as_f64().unwrap(), 1e-11);
            close(test.p_value, case["p"][which].as_f64().unwrap(), 1e-9);
        }
    }
}

#[test]
fn bad_input_is_refused() {
    let good = [1.0, 2.0];
    assert!(welch(&[1.0], &good, 0.0, Alternative::Less).is_err());
    assert!(welch(&good, &[1e200, 1.0], 0.0, Alternative::Less).is_err());
    assert!(welch(&good, &good, f64::INFINITY, Alternative::Less).is_err());
    assert!(welch(&[0.1; 3], &[0.3; 3], 0.0, Alternative::Less).is_err());
    // One constant side is no obstacle.
    assert_eq!(welch(&good, &[1.5; 4], 0.0, Alternative::TwoSided).unwrap().p_value, 1.0);
}

fn close(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() <= relative * expected.abs(), "{value:e} is not {expected:e}");
}
