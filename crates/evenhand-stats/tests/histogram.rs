//! The histogram against the exact samples it was filled with.

use evenhand_stats::Rule;
use evenhand_stats::level::histogram::Histogram;
use evenhand_stats::level::moments::Moments;
use evenhand_stats::level::quantile::{QuantileType, Sorted};
use proptest::prelude::*;

fn filled(unit: f64, digits: u8, times: &[f64]) -> Histogram {
    let mut histogram = Histogram::new(unit, digits).unwrap();
    times.iter().for_each(|time| histogram.record(*time).unwrap());
    histogram
}

#[test]
fn small_whole_times_are_exact() {
    let histogram = filled(1.0, 3, &[4.0, 1.0, 2.0, 3.0, 10.0]);
    assert_eq!(histogram.count(), 5);
    let middle = |percent: f64| histogram.percentile(percent).unwrap().middle;
    assert_eq!([0.0, 20.0, 21.0, 50.0, 80.0, 81.0, 100.0].map(middle), [1.0, 1.0, 2.0, 3.0, 4.0, 10.0, 10.0]);
    assert!((histogram.mean().unwrap().middle - 4.0).abs() < 1e-14);
    assert!((histogram.sd().unwrap() - 10.0_f64.sqrt()).abs() < 1e-14);
    assert!((histogram.relative_error() - 0.001).abs() < 1e-18);
}

#[test]
fn counts_can_be_given_at_once() {
    let mut at_once = Histogram::new(0.5, 2).unwrap();
    at_once.record_many(30.0, 3).unwrap();
    at_once.record_many(7.0, 0).unwrap();
    assert_eq!(at_once, filled(0.5, 2, &[30.0, 30.0, 30.0]));
}

#[test]
fn bad_input_is_named() {
    for (unit, digits, argument) in
        [(0.0, 3, "unit"), (f64::NAN, 3, "unit"), (1e300, 3, "unit"), (1.0, 0, "digits"), (1.0, 6, "digits")]
    {
        assert_eq!(Histogram::new(unit, digits).unwrap_err().argument, argument);
    }
    let mut histogram = Histogram::new(1.0, 2).unwrap();
    for time in [0.0, -1.0, 0.49, f64::NAN, f64::INFINITY, 2e18] {
        assert_eq!(histogram.record(time).unwrap_err().argument, "time");
    }
    assert_eq!(histogram.percentile(50.0).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert!(histogram.mean().is_err() && histogram.sd().is_err());
    histogram.record(0.5).unwrap();
    histogram.record(1e18).unwrap();
    assert_eq!(histogram.percentile(100.1).unwrap_err().argument, "percent");
    assert_eq!(histogram.percentile(f64::NAN).unwrap_err().argument, "percent");
    assert_eq!(histogram.merge(&Histogram::new(2.0, 2).unwrap()).unwrap_err().argument, "other.unit");
    assert_eq!(histogram.merge(&Histogram::new(1.0, 3).unwrap()).unwrap_err().argument, "other.digits");
    assert_eq!(histogram.record_many(1.0, u64::MAX).unwrap_err().argument, "times");
    assert_eq!(histogram.count(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn limits_hold_the_sample_and_the_error_its_bound(
        times in prop::collection::vec(prop_oneof![0.5..1e3_f64, 1e3..1e12_f64], 1..200),
        digits in 1..=3_u8, percent in 0.0..=100.0_f64,
    ) {
        let histogram = filled(1.0, digits, &times);
        let sorted = Sorted::new(&times).unwrap();
        let exact = sorted.quantile(percent / 100.0, QuantileType::Type1).unwrap();
        let binned = histogram.percentile(percent).unwrap();
        prop_assert!(binned.low <= exact && exact <= binned.high, "{} {:?}", exact, binned);
        if exact >= 10.0_f64.powi(i32::from(digits)) {
            prop_assert!((binned.middle - exact).abs() <= histogram.relative_error() * exact);
        }
        let (moments, mean) = (Moments::of(&times).unwrap(), histogram.mean().unwrap());
        let rounding = 1e-12 * mean.middle;
        prop_assert!(mean.low - rounding <= moments.mean().unwrap());
        prop_assert!(moments.mean().unwrap() <= mean.high + rounding);
        let largest = sorted.max().max(10.0_f64.powi(i32::from(digits)));
        let sd_off = (histogram.sd().unwrap() - moments.population_sd().unwrap()).abs();
        prop_assert!(sd_off <= 2.0 * histogram.relative_error() * largest);
    }

    #[test]
    fn merging_equals_recording_all(
        left in prop::collection::vec(1.0..1e9_f64, 0..60), right in prop::collection::vec(1.0..1e6_f64, 0..60),
        swap: bool,
    ) {
        let (left, right) = if swap { (right, left) } else { (left, right) };
        let all: Vec<f64> = left.iter().chain(&right).copied().collect();
        prop_assume!(!all.is_empty());
        let mut merged = filled(1.0, 2, &left);
        merged.merge(&filled(1.0, 2, &right)).unwrap();
        let together = filled(1.0, 2, &all);
        prop_assert_eq!(merged.count(), together.count());
        for percent in [0.0, 10.0, 50.0, 90.0, 99.0, 100.0] {
            prop_assert_eq!(merged.percentile(percent).unwrap(), together.percentile(percent).unwrap());
        }
        prop_assert_eq!(merged.mean().unwrap(), together.mean().unwrap());
    }
}
