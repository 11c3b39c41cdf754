//! The error of the mean: published vectors, coverage by simulation, and what must hold for every input.

use evenhand_stats::level::mean_error::{MeanError, MeanErrorRule, MeanInterval, mean_error};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Deserialize;
use statrs::distribution::{ContinuousCDF, Normal};

#[derive(Deserialize)]
struct Vectors {
    vectors: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    n: usize,
    iid: f64,
    blog: f64,
    latte_now: f64,
    ess: usize,
}

#[derive(Deserialize)]
struct Calibration {
    rows: Vec<CalibrationRow>,
}

#[derive(Deserialize)]
struct CalibrationRow {
    phi: f64,
    n: usize,
    iid: Outcome,
    blog: Outcome,
    latte_now: Outcome,
}

#[derive(Deserialize)]
struct Outcome {
    ratio: f64,
    cov95: f64,
}

fn lehmer(count: usize) -> Vec<f64> {
    let modulus = 2_147_483_647_u64;
    let mut x = 1_u64;
    (0..count)
        .map(|_| {
            x = x * 48_271 % modulus;
            x as f64 / modulus as f64
        })
        .collect()
}

fn series(name: &str) -> Vec<f64> {
    match name {
        "ramp10" => (1..=10).map(f64::from).collect(),
        "alt16" => (0..16).map(|i| f64::from(1 + i % 2)).collect(),
        "const5" => vec![3.0; 5],
        "two" => vec![1.0, 3.0],
        "step100" => (0..100).map(|i| f64::from(i / 50)).collect(),
        "lcg1000" => lehmer(1000),
        "lcg_ar9" => {
            let mut y = None;
            let step = |u: f64| *y.insert(y.map_or(u, |last: f64| 0.9 * last + 0.1 * u));
            lehmer(1000).into_iter().map(step).collect()
        }
        "lcg_blocks10" => lehmer(100).into_iter().flat_map(|u| [u; 10]).collect(),
        _ => panic!("unknown series {name}"),
    }
}

fn error(samples: &[f64], rule: MeanErrorRule) -> f64 {
    mean_error(samples, rule).unwrap().standard_error
}

fn default_of(samples: &[f64]) -> MeanError {
    mean_error(samples, MeanErrorRule::default()).unwrap()
}

/// A stationary normal autoregression of variance 1.
fn autoregression(n: usize, phi: f64, seed: u64) -> Vec<f64> {
    let standard = Normal::standard();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut normal = || standard.inverse_cdf((rng.next_u64() >> 12) as f64 / (1_u64 << 52) as f64 + 1e-17);
    let mut value = normal();
    (0..n)
        .map(|_| {
            let now = value;
            value = phi * value + (1.0 - phi * phi).sqrt() * normal();
            now
        })
        .collect()
}

fn assert_close(got: f64, expected: f64, what: &str) {
    assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{what}: {got} for {expected}");
}

#[test]
fn published_vectors() {
    let fixture: Vectors =
        serde_json::from_str(include_str!("fixtures/mean_error/standard_error_vectors.json")).unwrap();
    assert_eq!(fixture.vectors.len(), 8);
    for v in fixture.vectors {
        let samples = series(&v.name);
        assert_eq!(samples.len(), v.n, "{}", v.name);
        assert_close(error(&samples, MeanErrorRule::Naive), v.iid, &v.name);
        let latte = mean_error(&samples, MeanErrorRule::LatteNow).unwrap();
        assert_close(latte.standard_error, v.latte_now, &v.name);
        assert_eq!(latte.effective_samples.round() as usize, v.ess, "{}", v.name);
        if v.name != "alt16" {
            assert_close(error(&samples, MeanErrorRule::Kolaczkowski), v.blog, &v.name);
        }
    }
}

#[test]
fn the_article_never_answers_zero_for_values_that_differ() {
    // Alternating 1 2: the article's sum cancels to 0; one deviation of 0.5 among 16 has no partner.
    assert_close(error(&series("alt16"), MeanErrorRule::Kolaczkowski), 0.5 / 16.0, "alt16");
}

#[test]
fn a_constant_series_has_no_error() {
    for rule in MeanErrorRule::ALL {
        let e = mean_error(&[7.5; 9], rule).unwrap();
        assert_eq!((e.mean, e.standard_error, e.naive), (7.5, 0.0, 0.0));
        assert_eq!((e.inflation, e.effective_samples), (1.0, 9.0));
        assert_eq!(e.interval(0.95).unwrap(), MeanInterval::Between { low: 7.5, high: 7.5 });
    }
}

#[test]
fn three_samples_give_the_student_interval_and_two_give_none() {
    // t with two degrees of freedom at 97.5 % is 4.30265; the error of {1, 2, 3} is 1/√3.
    let MeanInterval::Between { low, high } = default_of(&[1.0, 2.0, 3.0]).interval(0.95).unwrap() else {
        panic!("refused");
    };
    let half = 4.302_652_730 / 3.0_f64.sqrt();
    assert!((low - (2.0 - half)).abs() < 1e-6 && (high - (2.0 + half)).abs() < 1e-6);
    for rule in MeanErrorRule::ALL {
        let two = mean_error(&[1.0, 3.0], rule).unwrap();
        let refused = matches!(two.interval(0.95), Ok(MeanInterval::TooFewIndependentSamples { .. }));
        assert_eq!(refused, two.degrees_of_freedom < 2.0, "{rule:?}");
    }
    assert!(default_of(&[1.0, 3.0]).degrees_of_freedom < 2.0);
}

#[test]
fn independent_samples_get_about_the_student_interval_however_few_they_are() {
    for n in [5, 10, 20, 50, 200, 1000] {
        let draws: u64 = if n > 200 { 100 } else { 400 };
        let width = |seed: u64| {
            let samples = autoregression(n, 0.0, 90_000 + seed);
            let student = mean_error(&samples, MeanErrorRule::Naive).unwrap().half_width(0.99).unwrap();
            match default_of(&samples).interval(0.99).unwrap() {
                MeanInterval::Between { low, high } => Some((high - low) / 2.0 / student),
                MeanInterval::TooFewIndependentSamples { .. } => None,
            }
        };
        let mut widths: Vec<f64> = (0..draws).filter_map(width).collect();
        assert!(widths.len() as f64 >= 0.92 * draws as f64, "n {n}: {} answered", widths.len());
        widths.sort_unstable_by(f64::total_cmp);
        let at = |percent: usize| widths[percent * widths.len() / 100];
        assert!(at(0) >= 1.0 - 1e-9 && at(50) <= 1.25 && at(95) <= 2.0, "n {n}: {} {}", at(50), at(95));
    }
}

#[test]
fn memory_that_neighbours_do_not_show_is_seen_in_slow_waves() {
    // Two levels 1 apart, 50 samples each in turn, under noise of 1: neighbours hardly resemble each other.
    let noise = autoregression(1000, 0.0, 5);
    let samples: Vec<f64> = (0..1000).map(|i| noise[i] + f64::from(u8::from(i / 50 % 2 == 0))).collect();
    assert!(default_of(&samples).inflation > 1.5, "{:?}", default_of(&samples));
}

#[test]
fn known_processes_have_the_known_error() {
    let independent = default_of(&lehmer(10_000));
    assert!((0.99..1.2).contains(&independent.inflation), "{}", independent.inflation);
    let slow = default_of(&autoregression(100_000, 0.99, 1));
    assert!((0.85..1.15).contains(&(slow.inflation / 199.0_f64.sqrt())), "{}", slow.inflation);
    // Clusters of equal values: as many effective samples as clusters, within a factor of two (the default is more wary:
    // an autoregression is a poor likeness of clusters).
    for size in [2, 4, 10, 16, 50, 100, 256] {
        let clustered: Vec<f64> = lehmer(100).into_iter().flat_map(|u| vec![u; size]).collect();
        let latte = mean_error(&clustered, MeanErrorRule::LatteNow).unwrap().effective_samples;
        assert!((50.0..=200.0).contains(&latte), "{size}: {latte}");
        let effective = default_of(&clustered).effective_samples;
        assert!((25.0..200.0).contains(&effective), "{size}: {effective}");
    }
}

#[test]
fn cosine_and_batch_rules_on_a_ramp() {
    // Of 1..=4, one cosine sum: Λ_1 = √(2/4) Σ x cos(π(t − ½)/4) = −(3 cos 22.5° + cos 67.5°)/√2 about the mean 2.5.
    let ramp = [1.0, 2.0, 3.0, 4.0];
    let cosine = (3.0 * (22.5_f64).to_radians().cos() + (67.5_f64).to_radians().cos()) / 2.0_f64.sqrt();
    assert_close(error(&ramp, MeanErrorRule::EqualWeightedCosine), cosine / 2.0, "cosine");
    // Batches of two: means −1, 0, 1 about the mean; the sum of squares 2 times 4·2/(2·3) is 8/3, over N = 4.
    assert_close(error(&ramp, MeanErrorRule::BatchMeans), (8.0_f64 / 12.0).sqrt(), "batches");
}

#[test]
fn the_rivals_reproduce_their_published_calibration() {
    let fixture: Calibration =
        serde_json::from_str(include_str!("fixtures/mean_error/ar1_calibration.json")).unwrap();
    for row in fixture.rows {
        let phi = row.phi;
        let n = row.n as f64;
        let correlated: f64 = (1..row.n).map(|k| (1.0 - k as f64 / n) * phi.powi(k as i32)).sum();
        let true_error = ((1.0 + 2.0 * correlated) / n).sqrt();
        for (rule, expected) in [
            (MeanErrorRule::Naive, &row.iid),
            (MeanErrorRule::Kolaczkowski, &row.blog),
            (MeanErrorRule::LatteNow, &row.latte_now),
        ] {
            let (mut covered, mut ratio) = (0.0, 0.0);
            for seed in 0..400 {
                let e = mean_error(&autoregression(row.n, phi, seed), rule).unwrap();
                covered += f64::from(e.mean.abs() <= 1.96 * e.standard_error) / 400.0;
                ratio += e.standard_error / true_error / 400.0;
            }
            // Two simulations of 400 runs each: 3.5 standard errors of their difference, and a little.
            assert!(
                (covered - expected.cov95).abs() < 0.09,
                "{rule:?} {phi} {n}: {covered} {}",
                expected.cov95
            );
            assert!((ratio - expected.ratio).abs() < 0.08, "{rule:?} {phi} {n}: {ratio} {}", expected.ratio);
        }
    }
}

#[test]
fn the_default_covers_what_it_promises() {
    for phi in [0.0, 0.3, 0.5, 0.7, 0.9] {
        let runs = 600;
        let mut covered = 0;
        for seed in 0..runs {
            match default_of(&autoregression(1000, phi, 7_000 + seed)).interval(0.95).unwrap() {
                MeanInterval::Between { low, high } => covered += u32::from(low <= 0.0 && 0.0 <= high),
                MeanInterval::TooFewIndependentSamples { effective } => {
                    panic!("phi {phi} refused at {effective}")
                }
            }
        }
        let share = f64::from(covered) / runs as f64;
        assert!((0.93..=0.975).contains(&share), "phi {phi}: {share}");
    }
}

#[test]
fn a_long_memory_in_a_short_run_is_refused_and_a_short_run_alone_is_not() {
    let refused = |n, phi| {
        let runs = 200_u32;
        let count: u32 = (0..runs)
            .map(|seed| {
                let e = default_of(&autoregression(n, phi, u64::from(seed)));
                let typed = matches!(e.interval(0.95), Ok(MeanInterval::TooFewIndependentSamples { .. }));
                assert_eq!(typed, e.has_too_few_independent_samples() || e.degrees_of_freedom < 2.0);
                u32::from(typed)
            })
            .sum();
        f64::from(count) / f64::from(runs)
    };
    assert!(refused(100, 0.99) >= 0.97);
    assert!(refused(20, 0.0) <= 0.03);
    assert!(refused(1000, 0.9) <= 0.0);
    assert!(refused(5, 0.0) <= 0.0);
}

#[test]
fn bad_input_names_its_rule() {
    let rule_of = |samples: &[f64]| mean_error(samples, MeanErrorRule::default()).unwrap_err().rule;
    assert_eq!(rule_of(&[]), Rule::AtLeast { needed: 2, got: 0 });
    assert_eq!(rule_of(&[1.0]), Rule::AtLeast { needed: 2, got: 1 });
    assert_eq!(rule_of(&[1.0, f64::INFINITY]), Rule::Finite { index: 1 });
    assert_eq!(rule_of(&[1e-300, 1.0]), Rule::Representable { index: 0 });
    let e = default_of(&[1.0, 2.0, 3.0]);
    for confidence in [0.0, 1.0, -1.0, f64::NAN] {
        assert!(matches!(
            e.interval(confidence),
            Err(InputError { rule: Rule::InRange { .. }, argument: "confidence" })
        ));
    }
}

#[test]
fn extremes_stay_finite_and_above_zero() {
    let close: Vec<f64> = (0..50).map(|i| 1e140 * (1.0 - f64::from(i % 3) * 1e-15)).collect();
    let tiny: Vec<f64> = (1..60).map(|i| 1e-139 * f64::from(i % 7 + 1)).collect();
    let spike: Vec<f64> = (0..5000).map(|i| if i == 77 { 1e12 } else { 1.0 }).collect();
    for samples in [close, tiny, spike] {
        for rule in MeanErrorRule::ALL {
            let e = mean_error(&samples, rule).unwrap();
            assert!(e.standard_error > 0.0 && e.standard_error.is_finite(), "{e:?}");
            assert!(
                e.degrees_of_freedom >= 1.0 && e.inflation.is_finite() && e.effective_samples > 0.0,
                "{e:?}"
            );
            assert!(e.half_width(0.999_999).unwrap().is_finite());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_rule_follows_shift_and_scale(
        steps in prop::collection::vec(-1.0..1.0f64, 2..300), memory in 0.0..1.0f64,
        shift in -1e3..1e3f64, scale in 0.1..1e3f64,
    ) {
        let mut level = 0.0;
        let samples: Vec<f64> = steps.iter().map(|s| { level = memory * level + s; level }).collect();
        let moved: Vec<f64> = samples.iter().map(|x| shift + scale * x).collect();
        for rule in MeanErrorRule::ALL {
            let before = mean_error(&samples, rule).unwrap();
            let after = mean_error(&moved, rule).unwrap();
            prop_assert!(before.standard_error > 0.0);
            prop_assert!((after.mean - shift - scale * before.mean).abs() < 1e-9 * (shift.abs() + scale));
            let ratio = after.standard_error / before.standard_error / scale;
            // A rule that rounds (latte) or picks an order may tip over; all others follow to rounding.
            if !matches!(rule, MeanErrorRule::LatteNow) {
                prop_assert!((ratio - 1.0).abs() < 1e-6, "{:?} {}", rule, ratio);
            }
        }
        prop_assert!(default_of(&samples).inflation >= 1.0);
    }
}

#[test]
fn newey_and_west_with_andrews_bandwidth_by_its_formula() {
    let mut value = 0.0;
    let samples: Vec<f64> = lehmer(300)
        .iter()
        .map(|draw| {
            value = 0.6 * value + draw;
            value
        })
        .collect();
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let lag =
        |k: usize| samples.iter().zip(&samples[k..]).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n;
    let rho = lag(1) / lag(0);
    let bandwidth = 1.1447 * (4.0 * rho * rho / (1.0 - rho * rho).powi(2) * n).powf(1.0 / 3.0);
    let weighted: f64 = (1..bandwidth as usize + 1).map(|k| (1.0 - k as f64 / bandwidth) * lag(k)).sum();
    let expected = ((lag(0) + 2.0 * weighted) / n).sqrt();
    let error = mean_error(&samples, MeanErrorRule::NeweyWestAndrews).unwrap();
    assert!((error.standard_error / expected - 1.0).abs() < 1e-9, "{} {expected}", error.standard_error);
    assert!((error.degrees_of_freedom / (1.5 * n / bandwidth) - 1.0).abs() < 1e-9);
    assert!((8.0..20.0).contains(&bandwidth), "{bandwidth}");
}

fn naive(samples: &[f64]) -> MeanError {
    mean_error(samples, MeanErrorRule::Naive).unwrap()
}

/// The column `Error`: half the interval at 99.9 %.
#[test]
fn the_naive_rule_is_the_error_of_benchmarkdotnet() {
    let samples: Vec<f64> = (1..=30).map(f64::from).collect();
    let error = naive(&samples);
    let half = error.half_width(0.999).unwrap();
    assert!((error.mean - half - 9.618_329).abs() < 1e-6 && (error.mean + half - 21.381_67).abs() < 1e-5);
    assert!((error.standard_error - (77.5_f64 / 30.0).sqrt()).abs() < 1e-14);
    assert_eq!(error.half_width(1.0).unwrap_err().argument, "confidence");
}

/// n samples with standard deviation √n have a standard error of 1, so half the interval is the quantile itself.
#[test]
fn student_quantiles_of_perfolizer() {
    let fixture: serde_json::Value =
        serde_json::from_str(include_str!("fixtures/summary/student.json")).unwrap();
    for row in fixture["rows"].as_array().unwrap() {
        let n = row["n"].as_u64().unwrap() as usize;
        let spread = (n as f64 * (n as f64 - 1.0) / 2.0).sqrt();
        let mut samples = vec![0.0; n];
        (samples[0], samples[1]) = (-spread, spread);
        let half = naive(&samples).half_width(row["level"].as_f64().unwrap()).unwrap();
        let wanted = row["t_quantile"].as_f64().unwrap();
        assert!((half - wanted).abs() < 2e-6 * wanted, "{row}: {half}");
    }
}

#[test]
fn student_quantiles_do_not_jump_where_their_expansion_begins() {
    // Above 10^4 degrees of freedom an expansion stands in; one more degree changes t by 1e-8 of itself.
    let quantile = |n: usize| {
        let samples: Vec<f64> = (0..n).map(|i| (i % 7) as f64).collect();
        let error = naive(&samples);
        error.half_width(0.95).unwrap() / error.standard_error
    };
    let (exact, expanded) = (quantile(10_001), quantile(10_002));
    assert!((1.9602..1.9603).contains(&exact) && (expanded / exact - 1.0).abs() < 1e-7, "{exact} {expanded}");
}
