//! The unpaired comparison: what it claims, of what, and on which effective sizes.

use evenhand_stats::unpaired::bounds::{Bounds, guaranteed_shift_bounds};
use evenhand_stats::unpaired::comparison::{Series, compare, compare_ratio};
use evenhand_stats::unpaired::pragmatic::{ratio, shift};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

#[test]
fn independent_series_get_the_guaranteed_bounds() {
    let (old, new) = (sawtooth(40, 10.0), sawtooth(50, 12.0));
    let claims = compare(Series::independent(&old), Series::independent(&new), 0.01).unwrap();
    assert_eq!(Ok(claims.shift.value), shift(&new, &old));
    assert_eq!(Ok(claims.shift.bounds), guaranteed_shift_bounds(&new, &old, 0.01));
    let of_times = claims.ratio.unwrap();
    assert_eq!(Ok(of_times.value), ratio(&new, &old));
    let logs = |times: &[f64]| times.iter().map(|time| time.ln()).collect::<Vec<f64>>();
    let of_logs = guaranteed_shift_bounds(&logs(&new), &logs(&old), 0.01).unwrap();
    assert_eq!((of_times.bounds.lower, of_times.bounds.upper), (of_logs.lower.exp(), of_logs.upper.exp()));
    assert!(claims.shift.value > 0.0, "a slower candidate is positive");
}

#[test]
fn mean_bounds_are_students() {
    // Means 2 and 5, variances 1 and 1, three values each: se = sqrt(2/3), 4 degrees of freedom.
    let claims =
        compare(Series::independent(&[1.0, 2.0, 3.0]), Series::independent(&[4.0, 5.0, 6.0]), 0.1).unwrap();
    let mean = claims.mean;
    assert!((mean.standard_error - (2.0f64 / 3.0).sqrt()).abs() < 1e-14);
    assert!((mean.degrees_of_freedom - 4.0).abs() < 1e-12);
    let reach = 2.131_846_786_326_649 * mean.standard_error;
    assert!((mean.estimate.bounds.upper - (3.0 + reach)).abs() < 1e-11);
    assert!((mean.estimate.bounds.lower - (3.0 - reach)).abs() < 1e-11);
}

#[test]
fn student_quantiles_agree_with_scipy() {
    // Two series of equal size and variance have 2(n' - 1) degrees of freedom, which the effective size sets.
    let path = format!("{}/tests/fixtures/scipy/vectors.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let values = sawtooth(6000, 10.0);
    let mut checked = 0;
    for case in document["student"]["quantiles"].as_array().unwrap() {
        let (freedom, p) = (case["df"].as_f64().unwrap(), case["p"].as_f64().unwrap());
        let effective = freedom / 2.0 + 1.0;
        if !(5.0..=6000.0).contains(&effective) || p < 0.01 {
            continue;
        }
        let series = Series::dependent(&values, effective);
        let mean = compare(series, series, 2.0 * p).unwrap().mean;
        let quantile = mean.estimate.bounds.upper / mean.standard_error;
        assert!((quantile / case["value"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{freedom} {p}");
        checked += 1;
    }
    assert_eq!(checked, 15);
}

#[test]
fn unreachable_and_senseless_requests_are_refused() {
    let x = sawtooth(10, 5.0);
    let refused = |n: f64, misrate: f64| {
        compare(Series::dependent(&x, n), Series::independent(&x), misrate).unwrap_err()
    };
    assert_eq!(refused(1.9, 0.1).argument, "baseline");
    assert_eq!(refused(11.0, 0.1).argument, "baseline");
    assert_eq!(refused(f64::NAN, 0.1).argument, "baseline");
    assert_eq!(refused(5.0, 0.0).argument, "misrate");
    // Two effective draws against ten: no misrate below 2/C(12, 2).
    let InputError { rule: Rule::InRange { low, .. }, argument: "misrate" } = refused(2.0, 0.03) else {
        panic!()
    };
    assert!((low - 2.0 / 66.0).abs() < 1e-12);
    assert!(compare(Series::independent(&[3.0; 9]), Series::independent(&[4.0; 9]), 0.1).is_err());
    assert!(compare(Series::independent(&[1.0]), Series::independent(&x), 0.5).is_err());
}

#[test]
fn without_positive_values_there_is_no_ratio() {
    let mut x = sawtooth(20, 5.0);
    x[3] = 0.0;
    let claims = compare(Series::independent(&sawtooth(20, 5.0)), Series::independent(&x), 0.05).unwrap();
    assert_eq!(claims.ratio, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn fewer_effective_samples_widen_every_bound(
        old in prop::collection::vec(1.0f64..100.0, 40..80),
        new in prop::collection::vec(1.0f64..100.0, 40..80),
    ) {
        let at = |share: f64| {
            let (n, m) = (old.len() as f64 * share, new.len() as f64 * share);
            compare(Series::dependent(&old, n), Series::dependent(&new, m), 0.05).unwrap()
        };
        let (few, many) = (at(0.3), at(1.0));
        let pairs = [
            (few.shift, many.shift),
            (few.ratio.unwrap(), many.ratio.unwrap()),
            (few.mean.estimate, many.mean.estimate),
        ];
        for (wide, narrow) in pairs {
            prop_assert_eq!(wide.value, narrow.value);
            prop_assert!(wide.bounds.lower < narrow.bounds.lower && narrow.bounds.upper < wide.bounds.upper);
            prop_assert!(narrow.bounds.contain(narrow.value));
        }
    }
}

/// Values without ties about a level.
fn sawtooth(n: u32, level: f64) -> Vec<f64> {
    (0..n).map(|i| level + f64::from(i * 7919 % 6007) / 6007.0).collect()
}

/// Draws of about a normal distribution: the sum of twelve uniform ones.
struct Draws(Xoshiro256PlusPlus);

impl Draws {
    fn times(&mut self, count: usize, spread: f64) -> Vec<f64> {
        let mut uniform = || (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut normal = || (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
        (0..count).map(|_| (spread * normal()).exp()).collect()
    }
}

/// How many of 400 intervals at 99 % miss, and how wide they are beside those that take both spreads for equal, in the median.
fn misses_and_width(sizes: [usize; 2], spreads: [f64; 2]) -> (usize, f64) {
    let mut draws = Draws(Xoshiro256PlusPlus::seed_from_u64(19));
    let one = |_| {
        let [old, new] = [0, 1].map(|arm: usize| draws.times(sizes[arm], spreads[arm]));
        let (old, new) = (Series::independent(&old), Series::independent(&new));
        let found = compare_ratio(old, new, 0.01).unwrap();
        let alike = compare(old, new, 0.01).unwrap().ratio.unwrap();
        assert!(found.bounds.contain(found.value) && found.value == alike.value);
        let width = |bounds: Bounds| (bounds.upper / bounds.lower).ln();
        (found.bounds.contain(1.0), width(found.bounds) / width(alike.bounds))
    };
    let found: Vec<(bool, f64)> = (0..400).map(one).collect();
    let mut widths: Vec<f64> = found.iter().map(|(_, width)| *width).collect();
    widths.sort_by(f64::total_cmp);
    (found.iter().filter(|(holds, _)| !holds).count(), widths[200])
}

#[test]
fn unequal_spreads_are_allowed_for() {
    for sizes in [[19, 10], [200, 19], [60, 60]] {
        let (misses, width) = misses_and_width(sizes, [0.01, 0.1]);
        // One in a hundred, and three deviations; without the allowance 13 to 45 miss.
        assert!(misses <= 10, "{sizes:?}: {misses} of 400");
        assert!(width > 1.1, "{sizes:?}: {width}");
    }
}

#[test]
fn equal_spreads_cost_little() {
    for (sizes, most) in [([10, 10], 1.2), ([19, 10], 1.1), ([200, 19], 1.03), ([60, 60], 1.02)] {
        let (misses, width) = misses_and_width(sizes, [0.1, 0.1]);
        assert!(misses <= 10 && (1.0..=most).contains(&width), "{sizes:?}: {misses}, {width}");
    }
}

#[test]
fn few_samples_keep_the_bounds_that_are_possible() {
    let old = [1.0, 1.001, 1.002, 1.003, 1.004];
    let new = [0.5, 0.8, 1.0025, 1.3, 2.0];
    let (old, new) = (Series::independent(&old), Series::independent(&new));
    let found = compare_ratio(old, new, 0.01).unwrap();
    assert_eq!(found.bounds, compare(old, new, 0.01).unwrap().ratio.unwrap().bounds);
    assert!(compare_ratio(old, new, 0.001).is_err());
}
