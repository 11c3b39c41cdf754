//! The levels against NumPy, SciPy and statsmodels (`scripts/scipy_vectors.py`). The rank and mean tests meet theirs in
//! `rank_tests.rs`, `welch.rs` and `unpaired.rs`.

use evenhand_stats::level::autocovariance::{autocorrelations, autocovariances};
use evenhand_stats::level::distribution::Fits;
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::quantile::{QuantileType, Sorted};
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Vectors {
    series: BTreeMap<String, Vec<f64>>,
    student: Student,
    quantiles: Vec<Quantiles>,
    harrell_davis: Vec<HarrellDavis>,
    harrell_davis_of_many: Many,
    autocovariance: Vec<Autocovariance>,
    anderson_darling: Vec<AndersonDarling>,
}

#[derive(Deserialize)]
struct Student {
    quantiles: Vec<StudentQuantile>,
}

#[derive(Deserialize)]
struct StudentQuantile {
    df: f64,
    p: f64,
    value: f64,
}

#[derive(Deserialize)]
struct Quantiles {
    series: String,
    r#type: usize,
    probabilities: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct HarrellDavis {
    series: String,
    probabilities: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Many {
    probabilities: Vec<f64>,
    values: Vec<f64>,
}

#[derive(Deserialize)]
struct Autocovariance {
    series: String,
    acovf: Vec<f64>,
    acf: Vec<f64>,
}

#[derive(Deserialize)]
struct AndersonDarling {
    series: String,
    statistic: f64,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("fixtures/scipy/vectors.json")).unwrap()
}

fn near(got: f64, want: f64, tolerance: f64, what: &str) {
    assert!((got - want).abs() <= tolerance * want.abs().max(1.0), "{what}: {got}, SciPy has {want}");
}

#[test]
fn hyndman_fan_types() {
    use QuantileType::*;
    const TYPES: [QuantileType; 9] = [Type1, Type2, Type3, Type4, Type5, Type6, Type7, Type8, Type9];
    let vectors = vectors();
    assert_eq!(vectors.quantiles.len(), 36);
    for case in &vectors.quantiles {
        let sorted = Sorted::new(&vectors.series[&case.series]).unwrap();
        for (p, want) in case.probabilities.iter().zip(&case.values) {
            let got = sorted.quantile(*p, TYPES[case.r#type - 1]).unwrap();
            near(got, *want, 1e-12, &format!("{} type {} p {p}", case.series, case.r#type));
        }
    }
}

#[test]
fn harrell_davis() {
    let vectors = vectors();
    for case in &vectors.harrell_davis {
        let sorted = Sorted::new(&vectors.series[&case.series]).unwrap();
        for (p, want) in case.probabilities.iter().zip(&case.values) {
            near(sorted.harrell_davis(*p).unwrap(), *want, 1e-9, &format!("{} p {p}", case.series));
        }
    }
}

/// So many values that the weights come from the density, not from the distribution function.
#[test]
fn harrell_davis_of_many() {
    let values: Vec<f64> = (0..600).map(|i| -(-(f64::from(i) + 0.5) / 600.0).ln_1p()).collect();
    let sorted = Sorted::new(&values).unwrap();
    let many = vectors().harrell_davis_of_many;
    for (p, want) in many.probabilities.iter().zip(&many.values) {
        near(sorted.harrell_davis(*p).unwrap(), *want, 1e-10, &format!("p {p}"));
    }
}

#[test]
fn autocovariances_of_statsmodels() {
    let vectors = vectors();
    for case in &vectors.autocovariance {
        let series = &vectors.series[&case.series];
        let (covariances, correlations) =
            (autocovariances(series, 20).unwrap(), autocorrelations(series, 20).unwrap());
        assert_eq!((covariances.len(), correlations.len()), (21, 21));
        for lag in 0..=20 {
            near(covariances[lag], case.acovf[lag], 1e-10, &format!("{} lag {lag}", case.series));
            near(correlations[lag], case.acf[lag], 1e-10, &format!("{} lag {lag}", case.series));
        }
    }
}

#[test]
fn anderson_darling_of_the_normal_fit() {
    let vectors = vectors();
    for case in &vectors.anderson_darling {
        // A shift changes nothing for the normal fit, and makes the zeros among the ties positive for the other.
        let shifted: Vec<f64> = vectors.series[&case.series].iter().map(|v| v + 1.0).collect();
        let n = shifted.len() as f64;
        let adjusted = case.statistic * (1.0 + 0.75 / n + 2.25 / (n * n));
        let fits = Fits::of(&Sorted::new(&shifted).unwrap()).unwrap();
        near(fits.normal.anderson_darling, adjusted, 1e-7, &case.series);
    }
}

/// A series whose naive interval is mean ± t/√n · s gives Student's quantile away.
#[test]
fn student_quantiles_behind_the_intervals() {
    let whole = |df: f64| df.fract() == 0.0 && df <= 1000.0;
    let mut checked = 0;
    for case in vectors().student.quantiles.iter().filter(|case| whole(case.df)) {
        let samples: Vec<f64> = (0..=case.df as u64).map(|i| (i % 7) as f64 + i as f64 * 1e-3).collect();
        let error = mean_error(&samples, MeanErrorRule::Naive).unwrap();
        if error.degrees_of_freedom != case.df {
            continue;
        }
        let t = error.half_width(1.0 - 2.0 * case.p).unwrap() / error.standard_error;
        // 1 - 2p rounds p itself by 1e-16, which at p = 1e-9 moves t by 1e-7 of its size.
        assert!(
            (t / case.value - 1.0).abs() < 1e-6,
            "df {} p {}: {t}, SciPy has {}",
            case.df,
            case.p,
            case.value
        );
        checked += 1;
    }
    assert!(checked >= 35, "{checked} of the quantiles were checked");
}
