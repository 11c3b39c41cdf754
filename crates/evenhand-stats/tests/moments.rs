//! Moments against NIST's certified digits, and against a recurrence known to be wrong.

use evenhand_stats::Rule;
use evenhand_stats::level::moments::Moments;
use proptest::prelude::*;
use serde_json::Value;

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
        let moments = Moments::of(&values).unwrap();
        assert_eq!(moments.count(), set["n"].as_u64().unwrap());
        assert!(near(moments.mean().unwrap(), mean, 1e-14), "{name}: mean {:?}", moments.mean());
        assert!(near(moments.sd().unwrap(), sd, of_sd), "{name}: sd {:?}", moments.sd());
    }
}

#[test]
fn all_moments_of_a_worked_example() {
    // 1, 2, 3, 10: mean 4, squares 9 + 4 + 1 + 36 = 50.
    let moments = Moments::of(&[1.0, 2.0, 3.0, 10.0]).unwrap();
    assert_eq!(moments.mean(), Some(4.0));
    assert!(near(moments.variance().unwrap(), 50.0 / 3.0, 1e-15));
    assert!(near(moments.population_variance().unwrap(), 12.5, 1e-15));
    assert!(near(moments.population_sd().unwrap(), 12.5_f64.sqrt(), 1e-15));
    assert_eq!((moments.min(), moments.max()), (Some(1.0), Some(10.0)));
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
    let ours = Moments::of(&samples).unwrap().population_sd().unwrap() / n.sqrt();
    assert!(near(ours, honest, 1e-12));
    assert!(!near(ours, flawed, 0.2), "{ours} and {flawed}");
}

#[test]
fn a_single_sample_has_no_sample_variance() {
    let one = Moments::of(&[0.1]).unwrap();
    assert_eq!((one.mean(), one.population_variance()), (Some(0.1), Some(0.0)));
    assert_eq!((one.variance(), one.sd()), (None, None));
}

#[test]
fn constants_vary_by_exactly_nothing() {
    for n in [2, 3, 7, 1000] {
        let moments = Moments::of(&vec![0.1; n]).unwrap();
        assert_eq!((moments.mean(), moments.sd()), (Some(0.1), Some(0.0)));
    }
}

#[test]
fn bad_input_is_named() {
    assert_eq!(Moments::of(&[]).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(Moments::of(&[1.0, 1e200]).unwrap_err().rule, Rule::Representable { index: 1 });
    for bad in [f64::NAN, f64::INFINITY, 1e141, 1e-141] {
        assert_eq!(Moments::of(&[bad]).unwrap_err().argument, "samples");
    }
}

#[test]
fn largest_and_smallest_sizes_stay_finite() {
    for size in [1e140, 1e-140, -1e140] {
        let moments = Moments::of(&[size, 0.0, size]).unwrap();
        assert!(near(moments.sd().unwrap(), size.abs() / 3.0_f64.sqrt(), 1e-14));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

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
