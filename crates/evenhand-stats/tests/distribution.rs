//! The two fits against an independent computation, the tables of D'Agostino and Stephens, and simulation.

use evenhand_stats::Rule;
use evenhand_stats::level::distribution::{Family, Fits, anderson_darling_p_value};
use evenhand_stats::level::quantile::Sorted;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use statrs::distribution::{ContinuousCDF, Normal};

fn fits(samples: &[f64]) -> Fits {
    Fits::of(&Sorted::new(samples).unwrap()).unwrap()
}

fn normal_draws(seed: u64, n: usize) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let normal = Normal::standard();
    (0..n).map(|_| normal.inverse_cdf(((rng.next_u64() >> 11) as f64 + 0.5) / 2_f64.powi(53))).collect()
}

#[test]
fn statistics_agree_with_an_independent_computation() {
    let fixture: Value = serde_json::from_str(include_str!("fixtures/distribution/fits.json")).unwrap();
    let cases = fixture["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 6);
    for case in cases {
        let values: Vec<f64> =
            case["values"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect();
        let got = fits(&values);
        for (family, fit) in [("normal", got.normal), ("log_normal", got.log_normal)] {
            let wanted = |name: &str| case[family][name].as_f64().unwrap();
            let near = |got: f64, wanted: f64| (got - wanted).abs() <= 1e-9 * wanted.abs().max(1.0);
            assert!(
                near(fit.anderson_darling, wanted("anderson_darling")),
                "{} {family} {fit:?}",
                case["name"]
            );
            assert!(near(fit.log_likelihood, wanted("log_likelihood")), "{} {family} {fit:?}", case["name"]);
        }
    }
}

/// Upper tail points of table 4.7, case 3.
#[test]
fn p_values_agree_with_the_table() {
    for (statistic, level) in [(0.631, 0.10), (0.752, 0.05), (0.873, 0.025), (1.035, 0.01), (1.159, 0.005)] {
        let p = anderson_darling_p_value(statistic);
        assert!((p / level - 1.0).abs() < 0.03, "{statistic}: {p}");
    }
    assert!((anderson_darling_p_value(0.341) - 0.5).abs() < 0.02);
    assert!(anderson_darling_p_value(0.0) > 0.999);
    let falling: Vec<f64> = (0..4000).map(|i| anderson_darling_p_value(f64::from(i) * 0.1)).collect();
    assert!(falling.windows(2).all(|pair| pair[0] >= pair[1]) && falling.iter().all(|p| *p > 0.0));
}

#[test]
fn normal_samples_are_refuted_as_often_as_the_level_says() {
    let draws = normal_draws(3, 4000 * 20);
    let refuted = draws
        .chunks(20)
        .filter(|chunk| {
            let times: Vec<f64> = chunk.iter().map(|z| 1000.0 + z).collect();
            fits(&times).normal.p_value < 0.05
        })
        .count();
    assert!((150..=250).contains(&refuted), "{refuted} of 4000 at 5 %");
}

#[test]
fn each_family_is_recognised() {
    let z = normal_draws(5, 400);
    let normal = fits(&z.iter().map(|z| 10.0 + 2.0 * z).collect::<Vec<_>>());
    assert_eq!(normal.better(), Family::Normal);
    assert!(normal.normal.p_value > 0.05 && normal.log_normal.p_value < 0.01);
    let log_normal = fits(&z.iter().map(|z| (3.0 + 0.5 * z).exp()).collect::<Vec<_>>());
    assert_eq!(log_normal.better(), Family::LogNormal);
    assert!(log_normal.log_normal.p_value > 0.05 && log_normal.normal.p_value < 0.01);
    assert!((log_normal.log_normal.location - 3.0).abs() < 0.1);
    assert!((log_normal.log_normal.scale - 0.5).abs() < 0.05);
}

#[test]
fn a_family_that_does_not_fit_is_refuted() {
    let z = normal_draws(5, 200);
    let refuted = |samples: &[f64]| {
        let fits = fits(samples);
        (fits.normal.is_refuted(), fits.log_normal.is_refuted())
    };
    assert!(!refuted(&z.iter().map(|z| 10.0 + z).collect::<Vec<_>>()).0);
    assert_eq!(refuted(&z.iter().map(|z| z.exp()).collect::<Vec<_>>()), (true, false));
    let mut spiked: Vec<f64> = z.iter().map(|z| 100.0 + z).collect();
    spiked[0] = 140.0;
    assert_eq!(refuted(&spiked), (true, true));
}

/// 999,999 equal times and one far out: 1000 standard deviations, where Φ itself is zero.
#[test]
fn spike_in_a_million_stays_finite() {
    let mut samples = vec![1.0; 1_000_000];
    samples[77] = 1e6;
    let got = fits(&samples);
    for fit in [got.normal, got.log_normal] {
        assert!(fit.anderson_darling.is_finite() && fit.anderson_darling > 1e4);
        assert!(fit.log_likelihood.is_finite() && fit.p_value > 0.0 && fit.p_value < 1e-20);
    }
    assert!((got.sigmas.top - 999.9995).abs() < 1e-3);
}

#[test]
fn nearly_equal_and_extreme_times_have_an_answer() {
    let ulp = 1e10_f64.next_up() - 1e10;
    for samples in [
        (0..20).map(|i| 1e10 + f64::from(i) * ulp).collect::<Vec<_>>(),
        (0..20).map(|i| 1e-139 * f64::from(i + 1)).collect(),
        (0..20).map(|i| 10.0_f64.powi(14 * i - 139)).collect(),
    ] {
        let got = fits(&samples);
        for fit in [got.normal, got.log_normal] {
            assert!(fit.anderson_darling.is_finite() && fit.log_likelihood.is_finite(), "{fit:?}");
            assert!(fit.location.is_finite() && fit.scale > 0.0 && (0.0..=1.0).contains(&fit.p_value));
        }
    }
}

#[test]
fn bad_input_is_named() {
    let refused = |values: &[f64]| Fits::of(&Sorted::new(values).unwrap()).unwrap_err().rule;
    assert_eq!(refused(&[1.0; 7]), Rule::AtLeast { needed: 8, got: 7 });
    assert_eq!(refused(&[1.0; 8]), Rule::NotConstant);
    assert_eq!(refused(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), Rule::Positive { index: 0 });
    assert_eq!(refused(&[1.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 1e308]), Rule::Representable { index: 7 });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn the_unit_of_time_is_irrelevant(values in prop::collection::vec(1.0..1e3_f64, 8..60), scale in 1e-6..1e6_f64) {
        prop_assume!(values.iter().any(|x| (x - values[0]).abs() > 1.0));
        let (before, after) = (fits(&values), fits(&values.iter().map(|x| x * scale).collect::<Vec<_>>()));
        let gap = |fits: &Fits| fits.log_normal.log_likelihood - fits.normal.log_likelihood;
        prop_assert!((gap(&before) - gap(&after)).abs() < 1e-7);
        for (a, b) in [(before.normal, after.normal), (before.log_normal, after.log_normal)] {
            prop_assert!((a.anderson_darling - b.anderson_darling).abs() < 1e-7);
        }
    }
}
