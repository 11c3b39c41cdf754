//! The summary against BenchmarkDotNet's and Lemire's published figures, and what it does at the edges.

use evenhand_stats::Rule;
use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::summary::Summary;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, Normal};

fn benchmarkdotnet() -> Value {
    serde_json::from_str(include_str!("fixtures/summary/benchmarkdotnet.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn samples_of(case: &Value) -> Vec<f64> {
    let ramp = (1..=30).map(f64::from);
    match case["values_rule"].as_str() {
        None => numbers(&case["values"]),
        Some("1..30") => ramp.collect(),
        Some(_) => [0.0; 30].into_iter().chain(ramp).chain([31.0; 30]).collect(),
    }
}

#[test]
fn unit_values_of_benchmarkdotnet() {
    let fixture = benchmarkdotnet();
    let cases = fixture["statistics_tests"].as_array().unwrap();
    assert_eq!(cases.len(), 7);
    for case in cases {
        let sorted = Sorted::new(&samples_of(case)).unwrap();
        let summary = Summary::of_sorted(&sorted).unwrap();
        let view = sorted.outliers(OutlierRule::Tukey, Estimator::Type7);
        let same = |name: &str, got: f64| {
            if let Some(wanted) = case[name].as_f64() {
                assert!((got - wanted).abs() < 1e-5, "{name}: {got} instead of {wanted} in {case}");
            }
        };
        same("min", summary.min);
        same("q1", summary.p25);
        same("median", summary.median);
        same("mean", summary.mean);
        same("q3", summary.p75);
        same("max", summary.max);
        same("iqr", summary.iqr);
        same("lower_fence", view.fences.low);
        same("upper_fence", view.fences.high);
        // BenchmarkDotNet prints 0 for one sample; one sample has no standard deviation.
        same("sd", summary.sd.unwrap_or(0.0));
        if case["outliers"].is_array() {
            assert_eq!([view.below, view.above].concat(), numbers(&case["outliers"]));
        }
        for (percent, wanted) in case["p"].as_object().into_iter().flatten() {
            let got = sorted.percentile(percent.parse().unwrap()).unwrap();
            assert!((got - wanted.as_f64().unwrap()).abs() < 1e-9, "P{percent} of {case}: {got}");
        }
    }
}

#[test]
fn published_tables_are_ratios_of_percentiles() {
    let fixture = benchmarkdotnet();
    let mut checked = 0;
    for job in ["job_a", "job_b"] {
        let rows = fixture["published"][job].as_array().unwrap();
        let cell = |row: &Value, name: &str| row[name].as_f64().unwrap();
        for row in rows {
            assert_eq!(cell(row, "median_ms"), cell(row, "p50"));
            let pairs =
                [("scaled", "p50"), ("scaled_p50", "p50"), ("scaled_p85", "p85"), ("scaled_p95", "p95")];
            for (scaled, percentile) in pairs {
                let ratio = cell(row, percentile) / cell(&rows[0], percentile);
                assert!((ratio - cell(row, scaled)).abs() <= 0.005 + 1e-9, "{scaled} of {row}");
                checked += 1;
            }
        }
    }
    assert_eq!(checked, 24);
    // RareDelays: 14 slow runs of 80 put P80 among the fast ones and P85 among the slow ones (type 7), sd 11.47.
    let rare: Vec<f64> = (0..80).map(|i| if i < 66 { 10.3 } else { 40.3 }).collect();
    let sorted = Sorted::new(&rare).unwrap();
    assert_eq!((sorted.percentile(80.0), sorted.percentile(85.0)), (Ok(10.3), Ok(40.3)));
    assert!((Summary::of_sorted(&sorted).unwrap().sd.unwrap() - 11.47).abs() < 0.01);
}

/// Thirty samples with this mean, standard deviation (divisor n) and these extremes: the other 28 take two values.
fn thirty(mean: f64, sd: f64, bottom: f64, top: f64) -> Vec<f64> {
    let (others, left) = ((bottom - top) / 28.0, 30.0 - bottom * bottom - top * top);
    let variance = left / 28.0 - others * others;
    for low in 1..28_usize {
        let (low_share, high_share) = (low as f64, 28.0 - low as f64);
        let a = others - (variance * high_share / low_share).sqrt();
        let b = others + (variance * low_share / high_share).sqrt();
        if a >= -bottom && b <= top {
            let mut z = vec![b; 28 - low];
            z.extend(vec![a; low]);
            z.extend([-bottom, top]);
            return z.into_iter().map(|z| mean + sd * z).collect();
        }
    }
    panic!("no such sample: {bottom} {top}");
}

#[test]
fn sigma_distances_of_lemires_forty_lanes() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/summary/lanes.json")).unwrap();
    let rows = fixture["rows"].as_array().unwrap();
    let (mut top_beyond_3, mut top_beyond_bottom, mut largest) = (0, 0, 0.0_f64);
    for row in rows {
        let cell = |name: &str| row[name].as_f64().unwrap();
        let summary = Summary::of(&thirty(cell("mean"), cell("sd"), cell("bottom"), cell("top"))).unwrap();
        let sigmas = summary.sigmas.unwrap();
        assert!((sigmas.bottom - cell("bottom")).abs() < 1e-9, "{row}: {sigmas:?}");
        assert!((sigmas.top - cell("top")).abs() < 1e-9, "{row}: {sigmas:?}");
        let friction = (summary.mean - summary.min) / summary.min;
        assert!((summary.mean_over_min.unwrap() - friction).abs() < 1e-15);
        top_beyond_3 += usize::from(sigmas.top > 3.0 + 1e-9);
        top_beyond_bottom += usize::from(sigmas.top > sigmas.bottom);
        largest = largest.max(sigmas.top);
    }
    assert_eq!((rows.len(), top_beyond_3, top_beyond_bottom), (40, 10, 35));
    assert!((largest - 4.6).abs() < 1e-9);
}

#[test]
fn friction_of_lemires_forty_lanes() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/summary/lanes.json")).unwrap();
    let friction = |row: &Value| {
        let (min, mean) = (row["min"].as_f64().unwrap(), row["mean"].as_f64().unwrap());
        // Two samples with this minimum and this mean.
        Summary::of(&[min, 2.0 * mean - min]).unwrap().mean_over_min.unwrap()
    };
    let all: Vec<f64> = fixture["rows"].as_array().unwrap().iter().map(friction).collect();
    assert_eq!(all.iter().filter(|friction| **friction < 0.01).count(), 21);
    assert!((all[0] - (3.191 - 3.080) / 3.080).abs() < 1e-12 && (all[0] - 0.036).abs() < 1e-3);
    assert!(all.iter().all(|friction| *friction <= all[0]));
}

#[test]
fn no_sample_lies_beyond_the_largest_possible_sigma() {
    let mut samples = vec![1.0; 29];
    samples.push(100.0);
    let sigmas = Summary::of(&samples).unwrap().sigmas.unwrap();
    assert!((sigmas.top - 29.0_f64.sqrt()).abs() < 1e-9);
    assert!((sigmas.largest_possible() - 5.385).abs() < 1e-3);
    assert_eq!(sigmas.to_string(), "maximum at 5.4 sigma (n = 30, at most 5.4 possible)");
    samples[29] = -100.0;
    let sigmas = Summary::of(&samples).unwrap().sigmas.unwrap();
    assert_eq!(sigmas.to_string(), "minimum at 5.4 sigma (n = 30, at most 5.4 possible)");
}

/// "The minimum is easier to measure than mean and median": false for a plain log-normal, true for one on top of
/// a fixed cost. Relative standard errors of minimum, median and mean of 30 draws, from 20,000 runs elsewhere.
#[test]
fn minimum_is_steadier_only_above_a_fixed_cost() {
    let normal = Normal::standard();
    for (shift, scale, sigma, wanted) in
        [(0.0, 1.0, 0.5, [0.236, 0.112, 0.097]), (1.0, 0.1, 1.0, [0.0065, 0.021, 0.034])]
    {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(42);
        let mut draw = || {
            let u = ((rng.next_u64() >> 11) as f64 + 0.5) / 2_f64.powi(53);
            shift + scale * (sigma * normal.inverse_cdf(u)).exp()
        };
        let summaries: Vec<Summary> =
            (0..4000).map(|_| Summary::of(&[(); 30].map(|()| draw())).unwrap()).collect();
        let relative_error = |of: fn(&Summary) -> f64| {
            let runs = Summary::of(&summaries.iter().map(of).collect::<Vec<_>>()).unwrap();
            runs.cv.unwrap()
        };
        let got = [relative_error(|s| s.min), relative_error(|s| s.median), relative_error(|s| s.mean)];
        for (got, wanted) in got.iter().zip(wanted) {
            assert!((got / wanted - 1.0).abs() < 0.1, "shift {shift}: {got} instead of {wanted}");
        }
        assert_eq!(got[0] < got[1] && got[0] < got[2], shift > 0.0);
    }
}

#[test]
fn ratios_without_a_denominator_are_none() {
    let zero = Summary::of(&[0.0, 0.0, 0.0]).unwrap();
    assert_eq!((zero.cv, zero.iqr_over_median, zero.mean_over_min, zero.sigmas), (None, None, None, None));
    assert_eq!((zero.sd, zero.mad, zero.iqr), (Some(0.0), 0.0, 0.0));
    let single = Summary::of(&[2.0]).unwrap();
    assert_eq!((single.n, single.sd, single.cv, single.sigmas), (1, None, None, None));
    assert_eq!((single.mean_over_min, single.iqr_over_median), (Some(0.0), Some(0.0)));
    let negative = Summary::of(&[-3.0, -1.0]).unwrap();
    assert_eq!((negative.cv, negative.iqr_over_median, negative.mean_over_min), (None, None, None));
    let spread = Summary::of(&[1.0, 2.0, 3.0, 4.0, 10.0]).unwrap();
    assert_eq!((spread.mean, spread.mean_over_min), (4.0, Some(3.0)));
    assert_eq!((spread.iqr, spread.iqr_over_median, spread.mad), (2.0, Some(2.0 / 3.0), 1.0));
    assert!((spread.cv.unwrap() - 12.5_f64.sqrt() / 4.0).abs() < 1e-15);
}

#[test]
fn bad_input_is_named() {
    assert_eq!(Summary::of(&[]).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(Summary::of(&[f64::NAN]).unwrap_err().rule, Rule::Finite { index: 0 });
    assert_eq!(Summary::of(&[1.0, 1e308]).unwrap_err().rule, Rule::Representable { index: 1 });
    assert_eq!(
        Summary::of_sorted(&Sorted::new(&[1e308]).unwrap()).unwrap_err().rule,
        Rule::Representable { index: 0 }
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn scale_changes_no_ratio_and_order_changes_nothing(
        values in prop::collection::vec(1.0..1e3_f64, 2..60), power in -40..40_i32,
    ) {
        let summary = Summary::of(&values).unwrap();
        let scaled: Vec<f64> = values.iter().map(|x| x * 2.0_f64.powi(power)).collect();
        let other = Summary::of(&scaled).unwrap();
        prop_assert_eq!(summary.cv, other.cv);
        prop_assert_eq!(summary.iqr_over_median, other.iqr_over_median);
        prop_assert_eq!(summary.mean_over_min, other.mean_over_min);
        prop_assert_eq!(summary.sigmas, other.sigmas);
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        prop_assert_eq!(summary, Summary::of(&backwards).unwrap());
    }

    #[test]
    fn the_list_is_in_order(values in prop::collection::vec(-1e3..1e3_f64, 1..60)) {
        let s = Summary::of(&values).unwrap();
        prop_assert!([s.min, s.p5, s.p10, s.p25, s.median, s.p75, s.p90, s.p95, s.p99, s.max].is_sorted());
        prop_assert!(s.min <= s.mean && s.mean <= s.max && s.mad <= s.max - s.min);
        if let Some(sigmas) = s.sigmas {
            let limit = sigmas.largest_possible() * (1.0 + 1e-9);
            prop_assert!(sigmas.top <= limit && sigmas.bottom <= limit);
        }
    }
}

#[test]
fn every_percentile_stands_in_its_own_field() {
    let samples: Vec<f64> = (0..=100).rev().map(f64::from).collect();
    let s = Summary::of(&samples).unwrap();
    let fields = [s.min, s.p5, s.p10, s.p25, s.median, s.p75, s.p90, s.p95, s.p99, s.max];
    assert_eq!(fields, [0.0, 5.0, 10.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0]);
    assert_eq!((s.n, s.iqr, s.mad, s.mean), (101, 50.0, 25.0, 50.0));
}
