//! Quantiles and their intervals against Perfolizer's vectors, exact binomial ranks and properties.

use evenhand_stats::Rule;
use evenhand_stats::level::quantile::{QuantileType, Sorted};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

const TYPES: [QuantileType; 9] = [
    QuantileType::Type1,
    QuantileType::Type2,
    QuantileType::Type3,
    QuantileType::Type4,
    QuantileType::Type5,
    QuantileType::Type6,
    QuantileType::Type7,
    QuantileType::Type8,
    QuantileType::Type9,
];

fn fixture(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn sorted(values: &[f64]) -> Sorted {
    Sorted::new(values).unwrap()
}

fn close(got: f64, wanted: f64, tolerance: f64, what: &str) {
    let scale = wanted.abs().max(1.0);
    assert!((got - wanted).abs() <= tolerance * scale, "{what}: {got} instead of {wanted}");
}

#[test]
fn nine_types_agree_with_perfolizer() {
    let vectors = fixture(include_str!("fixtures/quantile/perfolizer.json"));
    let vectors = &vectors["hyndman_fan"];
    let samples = sorted(&numbers(&vectors["source"]));
    for (number, definition) in TYPES.iter().enumerate() {
        let expected = numbers(&vectors["expected_by_type"][(number + 1).to_string()]);
        assert_eq!(expected.len(), 101);
        for (percent, wanted) in expected.iter().enumerate() {
            let got = samples.quantile(percent as f64 / 100.0, *definition).unwrap();
            close(got, *wanted, 1e-12, &format!("type {} P{percent}", number + 1));
        }
    }
    assert_eq!(QuantileType::default(), QuantileType::Type7);
}

#[test]
fn harrell_davis_agrees_with_perfolizer() {
    let vectors = fixture(include_str!("fixtures/quantile/perfolizer.json"));
    for case in vectors["harrell_davis"].as_array().unwrap() {
        let samples = sorted(&numbers(&case["values"]));
        for (p, wanted) in numbers(&case["probabilities"]).iter().zip(numbers(&case["expected"])) {
            let got = samples.harrell_davis(*p).unwrap();
            close(got, wanted, 1e-9, &format!("{} p = {p}", case["name"]));
        }
    }
}

/// For X(i) = i/n the estimate is close to the mean of a Beta, which is p: the distribution function (up to 100)
/// and the density (from there on) must meet without a step.
#[test]
fn harrell_davis_is_exact_on_a_ramp_at_every_size() {
    for n in [3_usize, 50, 197, 198, 199, 200, 201, 1000, 20_000, 1_000_000] {
        let ramp: Vec<f64> = (0..n).map(|i| (i as f64 + 0.5) / n as f64).collect();
        let ramp = sorted(&ramp);
        for p in [1e-6, 0.001, 0.01, 0.5, 0.9, 0.999] {
            let a = p * (n as f64 + 1.0);
            // In the first cells the middle of a cell is not its mean; elsewhere the two agree to (h/σ)².
            let tolerance = if a.min(n as f64 + 1.0 - a) > 2.0 { 0.02 / n as f64 } else { 0.5 / n as f64 };
            let got = ramp.harrell_davis(p).unwrap();
            assert!((got - p).abs() <= tolerance, "n = {n}, p = {p}: {got}");
        }
    }
}

#[test]
fn rounding_of_n_p_does_not_jump_to_the_next_sample() {
    let hundred = sorted(&(1..=100).map(f64::from).collect::<Vec<_>>());
    for percent in 1..=100 {
        let p = f64::from(percent) / 100.0;
        assert_eq!(hundred.quantile(p, QuantileType::Type1).unwrap(), f64::from(percent), "type 1 at {p}");
        let between = (f64::from(percent) + 0.5).min(100.0);
        assert_eq!(hundred.quantile(p, QuantileType::Type2).unwrap(), between, "type 2 at {p}");
        assert_eq!(hundred.quantile(p, QuantileType::Type3).unwrap(), f64::from(percent), "type 3 at {p}");
    }
}

#[test]
fn intervals_agree_with_exact_binomial_ranks() {
    let cases = fixture(include_str!("fixtures/quantile/intervals.json"));
    let cases = cases["cases"].as_array().unwrap();
    assert!(cases.len() > 180);
    for case in cases {
        let n = case["n"].as_u64().unwrap();
        let ranks = sorted(&(1..=n).map(|rank| rank as f64).collect::<Vec<_>>());
        let interval = ranks
            .quantile_interval(case["p"].as_f64().unwrap(), case["confidence"].as_f64().unwrap())
            .unwrap();
        assert_eq!(interval.low, case["low"].as_f64(), "{case}");
        assert_eq!(interval.high, case["high"].as_f64(), "{case}");
        close(interval.confidence, case["achieved"].as_f64().unwrap(), 1e-12, &case.to_string());
    }
}

#[test]
fn few_samples_leave_an_end_open() {
    let twenty = sorted(&(1..=20).map(f64::from).collect::<Vec<_>>());
    let p99 = twenty.quantile_interval(0.99, 0.95).unwrap();
    assert_eq!(p99.high, None);
    assert!(p99.low.is_some());
    let p1 = twenty.quantile_interval(0.01, 0.95).unwrap();
    assert_eq!((p1.low, p1.high.is_some()), (None, true));
    let single = sorted(&[7.0]).quantile_interval(0.5, 0.95).unwrap();
    assert_eq!((single.low, single.high, single.confidence), (None, None, 1.0));
}

/// In the middle of a million samples the ranks are those of the normal approximation, np ± z·sqrt(npq).
#[test]
fn interval_of_a_million_samples() {
    let million = sorted(&(1..=1_000_000).map(f64::from).collect::<Vec<_>>());
    for p in [0.5, 0.95] {
        let interval = million.quantile_interval(p, 0.99).unwrap();
        let reach = 2.575_829 * (1e6 * p * (1.0 - p)).sqrt();
        assert!((interval.low.unwrap() - (1e6 * p - reach)).abs() < 3.0, "{interval:?}");
        assert!((interval.high.unwrap() - (1e6 * p + reach)).abs() < 3.0, "{interval:?}");
        assert!((0.99..0.9902).contains(&interval.confidence));
    }
}

/// Every value seen ten times is worth the values seen once.
#[test]
fn effective_size_undoes_repetition() {
    let once: Vec<f64> = (1..=60).map(f64::from).collect();
    let tenfold: Vec<f64> = once.iter().flat_map(|x| [*x; 10]).collect();
    for p in [0.05, 0.5, 0.9] {
        let honest = sorted(&once).quantile_interval(p, 0.95).unwrap();
        let repeated = sorted(&tenfold).quantile_interval_effective(p, 0.95, 60.7).unwrap();
        assert_eq!(honest, repeated, "p = {p}");
        let naive = sorted(&tenfold).quantile_interval(p, 0.95).unwrap();
        assert!(naive.high.unwrap() < honest.high.unwrap_or(f64::INFINITY));
    }
}

#[test]
fn intervals_cover_as_often_as_they_claim() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut covered, runs) = (0, 4000);
    for _ in 0..runs {
        let samples: Vec<f64> = (0..50).map(|_| (rng.next_u64() >> 11) as f64 / 2_f64.powi(53)).collect();
        let interval = sorted(&samples).quantile_interval(0.8, 0.9).unwrap();
        if interval.low.unwrap() <= 0.8 && 0.8 <= interval.high.unwrap() {
            covered += 1;
        }
    }
    let claimed = sorted(&[0.0; 50]).quantile_interval(0.8, 0.9).unwrap().confidence;
    let share = f64::from(covered) / f64::from(runs);
    assert!((share - claimed).abs() < 0.015, "{share} instead of {claimed}");
}

#[test]
fn bad_input_is_named() {
    assert_eq!(Sorted::new(&[]).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(Sorted::new(&[1.0, f64::NAN]).unwrap_err().rule, Rule::Finite { index: 1 });
    assert_eq!(Sorted::new(&[f64::INFINITY]).unwrap_err().rule, Rule::Finite { index: 0 });
    let some = sorted(&[1.0, 2.0]);
    for p in [-0.1, 1.1, f64::NAN] {
        assert_eq!(some.quantile(p, QuantileType::Type7).unwrap_err().argument, "p");
        assert_eq!(some.harrell_davis(p).unwrap_err().argument, "p");
    }
    assert_eq!(some.percentile(100.1).unwrap_err().argument, "percent");
    assert_eq!(some.quantile_interval(0.0, 0.9).unwrap_err().argument, "p");
    assert_eq!(some.quantile_interval(0.5, 1.0).unwrap_err().argument, "confidence");
    for effective in [0.5, 2.5, f64::NAN] {
        assert_eq!(some.quantile_interval_effective(0.5, 0.9, effective).unwrap_err().argument, "effective");
    }
}

#[test]
fn extremes_of_the_doubles_stay_finite() {
    let wide = sorted(&[-f64::MAX, f64::MAX, 5e-324, f64::MAX, -f64::MAX]);
    for percent in 0..=100 {
        let p = f64::from(percent) / 100.0;
        for definition in TYPES {
            assert!(wide.quantile(p, definition).unwrap().is_finite());
        }
        assert!(wide.harrell_davis(p).unwrap().is_finite());
    }
    let top = sorted(&[f64::MAX; 3]);
    assert_eq!(top.harrell_davis(0.37).unwrap(), f64::MAX);
    assert_eq!(top.quantile(0.37, QuantileType::Type8).unwrap(), f64::MAX);
    assert_eq!(sorted(&[3.0]).harrell_davis(0.2).unwrap(), 3.0);
    for p in [f64::MIN_POSITIVE, 5e-324, 1.0 - f64::EPSILON / 2.0] {
        assert!(sorted(&[1.0, 2.0, 3.0]).harrell_davis(p).unwrap().is_finite());
        assert!(sorted(&[1.0, 2.0, 3.0]).quantile_interval(p, 0.9).unwrap().confidence >= 0.9);
    }
}

/// What every estimator must do; the last entry is Harrell–Davis.
fn all_estimates(samples: &Sorted, p: f64) -> Vec<f64> {
    let types = TYPES.iter().map(|definition| samples.quantile(p, *definition).unwrap());
    types.chain([samples.harrell_davis(p).unwrap()]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn quantiles_rise_with_p_and_stay_inside(
        values in prop::collection::vec(-1e6..1e6_f64, 1..40), p in 0.0..=1.0_f64, q in 0.0..=1.0_f64,
    ) {
        let samples = sorted(&values);
        let (low, high) = (all_estimates(&samples, p.min(q)), all_estimates(&samples, p.max(q)));
        for (low, high) in low.iter().zip(&high) {
            prop_assert!(*low <= *high + 1e-8);
            prop_assert!(samples.min() <= *low && *high <= samples.max());
        }
        prop_assert!(low[6] <= high[6], "type 7 rises to the last digit");
    }

    #[test]
    fn quantiles_move_and_stretch_with_the_samples(
        values in prop::collection::vec(0.0..1e3_f64, 1..40), p in 0.0..=1.0_f64,
        shift in -1e3..1e3_f64, scale in 0.01..100.0_f64,
    ) {
        let moved: Vec<f64> = values.iter().map(|x| shift + scale * x).collect();
        let pairs = all_estimates(&sorted(&values), p).into_iter().zip(all_estimates(&sorted(&moved), p));
        for (before, after) in pairs {
            prop_assert!((after - (shift + scale * before)).abs() < 1e-7);
        }
    }

    #[test]
    fn order_of_the_samples_is_irrelevant(values in prop::collection::vec(-1e3..1e3_f64, 1..40), p in 0.0..=1.0_f64) {
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        prop_assert_eq!(all_estimates(&sorted(&values), p), all_estimates(&sorted(&backwards), p));
    }

    #[test]
    fn more_confidence_or_less_information_widens_the_interval(
        values in prop::collection::vec(0.0..1.0_f64, 1..300), p in 0.01..0.99_f64,
        c in 0.01..0.99_f64, d in 0.01..0.99_f64, worth in 0.1..=1.0_f64,
    ) {
        let samples = sorted(&values);
        let outer = samples.quantile_interval(p, c.max(d)).unwrap();
        let inner = samples.quantile_interval(p, c.min(d)).unwrap();
        prop_assert!(outer.low.unwrap_or(-1.0) <= inner.low.unwrap_or(-1.0));
        prop_assert!(inner.high.unwrap_or(2.0) <= outer.high.unwrap_or(2.0));
        prop_assert!(inner.confidence <= outer.confidence && outer.confidence >= c.max(d));
        let effective = (worth * values.len() as f64).max(1.0);
        let poorer = samples.quantile_interval_effective(p, c, effective).unwrap();
        prop_assert!(poorer.confidence >= c);
        prop_assert!(poorer.low.unwrap_or(-1.0) <= poorer.high.unwrap_or(2.0));
    }
}
