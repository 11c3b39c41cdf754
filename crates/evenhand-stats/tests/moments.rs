//! Moments against NIST's certified digits, against each other, and against a recurrence known to be wrong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed helper is a failed test")]

use evenhand_stats::Rule;
use evenhand_stats::level::moments::Moments;
use proptest::prelude::*;
use serde_json::Value;

fn streamed(samples: &[f64]) -> Moments {
    let mut moments = Moments::default();
    samples.iter().for_each(|x| moments.push(*x).unwrap());
    moments
}

fn near(got: f64, wanted: f64, relative: f64) -> bool {
    (got - wanted).abs() <= relative * wanted.abs()
}

#[test]
fn certified_digits_of_nist() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/moments/nist_strd.json")).unwrap();
    let sets = fixture["sets"].as_array().unwrap();
    assert_eq!(sets.len(), 9);
    for set in sets {
        let name = set["name"].as_str().unwrap();
        let values: Vec<f64> =
            set["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        let (mean, sd) = (set["mean"].as_f64().unwrap(), set["sd"].as_f64().unwrap());
        // A double near 1e7 is off by up to 1e-9, which is 1e-8 of NumAcc4's deviation of 0.1.
        let of_sd = match name {
            "NumAcc4" => 2e-8,
            "NumAcc3" => 2e-9,
            _ => 1e-12,
        };
        for (way, moments) in [("at once", Moments::of(&values).unwrap()), ("streamed", streamed(&values))] {
            assert_eq!(moments.count(), set["n"].as_u64().unwrap());
            assert!(near(moments.mean().unwrap(), mean, 1e-14), "{name} {way}: mean {:?}", moments.mean());
            assert!(near(moments.sd().unwrap(), sd, of_sd), "{name} {way}: sd {:?}", moments.sd());
        }
    }
}

#[test]
fn all_moments_of_a_worked_example() {
    // 1, 2, 3, 10: mean 4, M2 = 9+4+1+36 = 50, M3 = -27-8-1+216 = 180, M4 = 81+16+1+1296 = 1394.
    for moments in [Moments::of(&[1.0, 2.0, 3.0, 10.0]).unwrap(), streamed(&[10.0, 1.0, 3.0, 2.0])] {
        assert_eq!(moments.mean(), Some(4.0));
        assert!(near(moments.variance().unwrap(), 50.0 / 3.0, 1e-15));
        assert!(near(moments.population_variance().unwrap(), 12.5, 1e-15));
        assert!(near(moments.population_sd().unwrap(), 12.5_f64.sqrt(), 1e-15));
        assert!(near(moments.skewness().unwrap(), 2.0 * 180.0 / 50.0_f64.powf(1.5), 1e-14));
        assert!(near(moments.excess_kurtosis().unwrap(), 4.0 * 1394.0 / 2500.0 - 3.0, 1e-13));
        assert_eq!((moments.min(), moments.max()), (Some(1.0), Some(10.0)));
    }
}

/// Bazhenov's figure data carry a "running error" that adds (x − current mean)² once and never updates it. Each
/// step is short by (i − 1)/i, so it is far off when the early samples vary most; the moments must not be.
#[test]
fn flawed_recurrence_is_not_what_is_computed() {
    let warm_up = [0.0, 1000.0];
    let samples: Vec<f64> = warm_up.into_iter().chain((0..98).map(|i| 500.0 + f64::from(i % 7))).collect();
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let honest = (samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n).sqrt() / n.sqrt();
    let (mut flawed, mut sum) = (0.0, 0.0);
    for (i, x) in samples.iter().enumerate() {
        sum += x;
        flawed += (x - sum / (i as f64 + 1.0)).powi(2);
    }
    let flawed = (flawed / n).sqrt() / n.sqrt();
    let ours = streamed(&samples).population_sd().unwrap() / n.sqrt();
    assert!(near(ours, honest, 1e-12));
    assert!(!near(ours, flawed, 0.2), "{ours} and {flawed}");
}

#[test]
fn too_few_samples_have_no_answer() {
    let none = Moments::default();
    assert_eq!((none.mean(), none.min(), none.max(), none.population_variance()), (None, None, None, None));
    assert_eq!((none.skewness(), none.excess_kurtosis(), none.variance()), (None, None, None));
    let one = streamed(&[0.1]);
    assert_eq!((one.mean(), one.population_variance()), (Some(0.1), Some(0.0)));
    assert_eq!((one.variance(), one.sd(), one.skewness()), (None, None, None));
}

#[test]
fn constants_vary_by_exactly_nothing() {
    for n in [2, 3, 7, 1000] {
        let constant = vec![0.1; n];
        for moments in [Moments::of(&constant).unwrap(), streamed(&constant)] {
            assert_eq!((moments.mean(), moments.sd()), (Some(0.1), Some(0.0)));
            assert_eq!((moments.skewness(), moments.excess_kurtosis()), (None, None));
        }
    }
}

#[test]
fn bad_input_is_named_and_leaves_no_trace() {
    assert_eq!(Moments::of(&[]).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(Moments::of(&[1.0, 1e200]).unwrap_err().rule, Rule::Representable { index: 1 });
    let mut moments = streamed(&[1.0, 2.0]);
    let before = moments;
    for bad in [f64::NAN, f64::INFINITY, 1e141, 1e-141] {
        assert_eq!(moments.push(bad).unwrap_err().argument, "sample");
    }
    assert_eq!(moments, before);
}

#[test]
fn largest_and_smallest_sizes_stay_finite() {
    for size in [1e140, 1e-140, -1e140] {
        for moments in [Moments::of(&[size, 0.0, size]).unwrap(), streamed(&[size, 0.0, size])] {
            assert!(near(moments.sd().unwrap(), size.abs() / 3.0_f64.sqrt(), 1e-14));
            assert_eq!(moments.skewness(), None, "third powers cannot be held");
            assert_eq!(moments.excess_kurtosis(), None);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn merging_equals_seeing_all(
        left in prop::collection::vec(0.5..2e3_f64, 0..50), right in prop::collection::vec(1.0..4e3_f64, 0..50),
    ) {
        let all: Vec<f64> = left.iter().chain(&right).copied().collect();
        prop_assume!(all.len() >= 2);
        let mut merged = streamed(&left);
        merged.merge(&streamed(&right));
        let batch = Moments::of(&all).unwrap();
        prop_assert_eq!(merged.count(), batch.count());
        prop_assert_eq!((merged.min(), merged.max()), (batch.min(), batch.max()));
        prop_assert!(near(merged.mean().unwrap(), batch.mean().unwrap(), 1e-13));
        prop_assert!(near(merged.variance().unwrap(), batch.variance().unwrap(), 1e-11));
        let (skew, wanted) = (merged.skewness().unwrap(), batch.skewness().unwrap());
        prop_assert!((skew - wanted).abs() < 1e-9, "{} {}", skew, wanted);
        let (tails, wanted) = (merged.excess_kurtosis().unwrap(), batch.excess_kurtosis().unwrap());
        prop_assert!((tails - wanted).abs() < 1e-8, "{} {}", tails, wanted);
    }

    #[test]
    fn shift_moves_the_mean_and_scale_the_spread(
        values in prop::collection::vec(0.0..1e3_f64, 2..50), shift in 0.0..1e3_f64, scale in 0.1..10.0_f64,
    ) {
        let moved: Vec<f64> = values.iter().map(|x| shift + scale * x).collect();
        let (before, after) = (Moments::of(&values).unwrap(), Moments::of(&moved).unwrap());
        prop_assert!((after.mean().unwrap() - (shift + scale * before.mean().unwrap())).abs() < 1e-9);
        prop_assert!((after.sd().unwrap() - scale * before.sd().unwrap()).abs() < 1e-8);
    }
}
