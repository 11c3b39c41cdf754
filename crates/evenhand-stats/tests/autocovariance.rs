//! Lags of a series: certified values, the transform against the direct sum, and what must hold for every input.

use evenhand_stats::Rule;
use evenhand_stats::level::autocovariance::{autocorrelations, autocovariances, lag1_autocorrelation};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
struct Certified {
    datasets: Vec<Dataset>,
}

#[derive(Deserialize)]
struct Dataset {
    name: String,
    lag1_autocorrelation: f64,
    values: Vec<f64>,
}

fn direct(samples: &[f64], lag: usize) -> f64 {
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    samples.iter().zip(samples.iter().skip(lag)).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n
}

#[test]
fn nist_lag_one_to_the_digits_that_doubles_allow() {
    let certified: Certified =
        serde_json::from_str(include_str!("fixtures/autocovariance/nist_strd.json")).unwrap();
    assert_eq!(certified.datasets.len(), 9);
    for set in certified.datasets {
        let r = lag1_autocorrelation(&set.values).unwrap();
        // NumAcc4 holds 10000000.1 to 1e-9, a hundred-millionth of its spread; NumAcc3 is ten times finer.
        let tolerance = match set.name.as_str() {
            "NumAcc4" => 2e-8,
            "NumAcc3" => 2e-9,
            _ => 1e-12,
        };
        assert!((r - set.lag1_autocorrelation).abs() < tolerance, "{}: {r}", set.name);
    }
}

#[test]
fn small_case_by_hand() {
    // 1 2 4: deviations −4/3, −1/3, 5/3.
    let lags = autocovariances(&[1.0, 2.0, 4.0], 4).unwrap();
    let expected = [42.0 / 27.0, -1.0 / 27.0, -20.0 / 27.0, 0.0, 0.0];
    assert_eq!(lags.len(), 5);
    for (lag, value) in lags.iter().zip(expected) {
        assert!((lag - value).abs() < 1e-15);
    }
}

#[test]
fn the_transform_agrees_with_the_direct_sum_at_every_length() {
    for n in [30, 63, 64, 65, 1000, 1024, 3001] {
        let samples: Vec<f64> = (0..n).map(|i| f64::from((i * i) % 97) + f64::from(i) / 50.0).collect();
        let max_lag = (n as usize - 1).min(200);
        let lags = autocovariances(&samples, max_lag).unwrap();
        for lag in [0, 1, 2, 13, max_lag / 2, max_lag - 1, max_lag] {
            let expected = direct(&samples, lag);
            assert!((lags[lag] - expected).abs() < 1e-10 * lags[0], "n {n} lag {lag}");
        }
    }
}

#[test]
fn bad_input_names_its_rule() {
    assert_eq!(autocovariances(&[], 1).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(autocovariances(&[1.0, f64::NAN], 1).unwrap_err().rule, Rule::Finite { index: 1 });
    assert_eq!(autocovariances(&[1e308, 1.0], 1).unwrap_err().rule, Rule::Representable { index: 0 });
    assert_eq!(lag1_autocorrelation(&[3.0, 3.0]).unwrap_err().rule, Rule::NotConstant);
    assert_eq!(lag1_autocorrelation(&[3.0]).unwrap_err().rule, Rule::AtLeast { needed: 2, got: 1 });
    assert_eq!(autocovariances(&[5.0], 2).unwrap(), vec![0.0, 0.0, 0.0]);
    assert!(autocorrelations(&[1e140, -1e140, 1e-140], 2).unwrap().iter().all(|r| r.is_finite()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn correlations_ignore_shift_and_scale(
        samples in prop::collection::vec(0.0..100.0f64, 30..120), shift in -1e4..1e4f64, scale in 0.01..1e6f64,
    ) {
        let moved: Vec<f64> = samples.iter().map(|x| scale * x + shift).collect();
        let before = autocorrelations(&samples, 20).unwrap();
        let after = autocorrelations(&moved, 20).unwrap();
        prop_assert!((before[0] - 1.0).abs() < 1e-12);
        for (a, b) in before.iter().zip(&after) {
            prop_assert!((a - b).abs() < 1e-6 && a.abs() <= 1.0);
        }
    }
}
