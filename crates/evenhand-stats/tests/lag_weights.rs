//! Are weighted autocovariances added as the formula says? Against a program in Python that adds every pair, and against the article's
//! own function.

use evenhand_stats::Rule;
use evenhand_stats::level::lag_weights::{LagRule, LagWeights, weighted_errors};
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};

/// Forty values that repeat and rise.
fn series() -> Vec<f64> {
    (0..40_u32).map(|i| f64::from(i * 37 % 23) + f64::from(i / 8) * 3.5).collect()
}

#[test]
fn each_weighting_adds_the_pairs_as_a_python_program_does() {
    let reference = [
        (4, [2.091676660003, 1.697817532893, 1.527118968434, 1.667263556484, 1.795864830183]),
        (7, [2.514452848037, 2.022878783177, 1.819311918395, 2.017958700391, 2.204290608497]),
        (20, [2.780309672501, 2.539603069379, 2.489645021446, 2.632782586963, 2.715950817396]),
    ];
    for (bandwidth, right) in reference {
        let rules = LagWeights::ALL.map(|weights| LagRule { weights, bandwidth });
        let found = weighted_errors(&series(), &rules).unwrap();
        for ((found, right), weights) in found.iter().zip(right).zip(LagWeights::ALL) {
            assert!((found - right).abs() < 1e-9, "{weights:?} {bandwidth}: {found} instead of {right}");
        }
    }
}

#[test]
fn cut_off_at_the_root_it_is_the_article_s_function() {
    let alternating: Vec<f64> = (0..16).map(|i| f64::from(1 + i % 2)).collect();
    for samples in [series(), alternating] {
        let bandwidth = (samples.len() as f64).sqrt().ceil() as usize;
        let rule = LagRule { weights: LagWeights::Truncated, bandwidth };
        let found = weighted_errors(&samples, &[rule]).unwrap()[0];
        let right = mean_error(&samples, MeanErrorRule::Kolaczkowski).unwrap().standard_error;
        assert!((found - right).abs() < 1e-12 * right, "{found} instead of {right}");
    }
}

#[test]
fn a_bandwidth_of_no_lags_is_the_error_of_independent_samples() {
    let n = series().len() as f64;
    let naive = mean_error(&series(), MeanErrorRule::Naive).unwrap().standard_error * ((n - 1.0) / n).sqrt();
    for weights in [LagWeights::Truncated, LagWeights::Bartlett, LagWeights::Parzen, LagWeights::TukeyHanning]
    {
        for bandwidth in [0, 1] {
            let found = weighted_errors(&series(), &[LagRule { weights, bandwidth }]).unwrap()[0];
            assert!((found - naive).abs() < 1e-12, "{weights:?}: {found} instead of {naive}");
        }
    }
}

#[test]
fn bad_input_is_refused_and_a_constant_has_no_error() {
    let rules = LagWeights::ALL.map(|weights| LagRule { weights, bandwidth: 3 });
    assert_eq!(weighted_errors(&[1.0], &rules).unwrap_err().rule, Rule::AtLeast { needed: 2, got: 1 });
    assert_eq!(weighted_errors(&[7.0; 9], &rules).unwrap(), [0.0; 5]);
    assert!(weighted_errors(&series(), &[]).unwrap().is_empty());
}
