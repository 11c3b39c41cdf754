//! Pragmastat's estimators and bounds against its reference vectors, and what must hold for every input.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use evenhand_stats::unpaired::bounds::{Bounds, center_bounds, ratio_bounds, shift_bounds};
use evenhand_stats::unpaired::margins::smallest_pairwise_misrate;
use evenhand_stats::unpaired::pragmatic::{average_spread, center, disparity, ratio, shift, spread};
use evenhand_stats::unpaired::spread_bounds::{
    average_spread_bounds, disparity_bounds, smallest_spread_misrate, spread_bounds,
};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use serde_json::Value;

type Answer = Result<Vec<f64>, InputError>;

#[test]
fn center_is_the_very_double_of_pragmastat() {
    check_all("center", 43, exact, |input| one(center(&series(input, "x"))));
}

#[test]
fn spread_is_the_very_double_of_pragmastat() {
    check_all("spread", 32, exact, |input| one(spread(&series(input, "x"))));
}

#[test]
fn shift_is_the_very_double_of_pragmastat() {
    check_all("shift", 62, exact, |input| one(shift(&series(input, "x"), &series(input, "y"))));
}

#[test]
fn disparity_is_the_very_double_of_pragmastat() {
    check_all("disparity", 30, exact, |input| one(disparity(&series(input, "x"), &series(input, "y"))));
}

#[test]
fn ratio_agrees_with_pragmastat_up_to_the_rounding_of_logarithms() {
    check_all("ratio", 40, near, |input| one(ratio(&series(input, "x"), &series(input, "y"))));
}

#[test]
fn shift_bounds_are_the_very_doubles_of_pragmastat() {
    check_all("shift-bounds", 63, exact, |input| {
        let bounds = shift_bounds(&series(input, "x"), &series(input, "y"), number(&input["misrate"]))?;
        Ok(vec![bounds.lower, bounds.upper])
    });
}

#[test]
fn bad_input_is_named() {
    let good = [1.0, 2.0, 4.0];
    let rule = |result: Result<f64, InputError>| result.map_err(|e| (e.rule, e.argument)).unwrap_err();
    assert_eq!(rule(center(&[1.0, f64::NAN])), (Rule::Finite { index: 1 }, "x"));
    assert_eq!(rule(shift(&good, &[f64::INFINITY])), (Rule::Finite { index: 0 }, "y"));
    assert_eq!(rule(ratio(&[0.0], &good)), (Rule::Positive { index: 0 }, "x"));
    assert_eq!(rule(spread(&[3.0])), (Rule::AtLeast { needed: 2, got: 1 }, "x"));
    assert_eq!(rule(average_spread(&good, &[7.0, 7.0])), (Rule::NotConstant, "y"));
    // Most pairs are ties: there is a spread, and it is zero, but nothing can be measured in units of it.
    let mostly_tied = [5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 9.0];
    assert_eq!(spread(&mostly_tied), Ok(0.0));
    assert_eq!(rule(disparity(&mostly_tied, &mostly_tied)), (Rule::NotConstant, "x"));
}

#[test]
fn the_ends_of_the_doubles_give_finite_answers() {
    let huge = [f64::MAX, -f64::MAX, 1e308];
    let tiny = [5e-324, 1e-310, 3e-308];
    assert_eq!(shift(&[f64::MAX], &[-f64::MAX]), Ok(f64::MAX));
    assert_eq!(spread(&[f64::MAX, -f64::MAX]), Ok(f64::MAX));
    assert_eq!(ratio(&[1e300], &[1e-300]), Ok(f64::MAX));
    assert_eq!(ratio(&tiny, &[1e300]), Ok(f64::MIN_POSITIVE));
    assert!(average_spread(&huge, &huge).unwrap().is_finite());
    assert!(disparity(&huge, &tiny).unwrap().is_finite());
}

#[test]
fn average_spread_weighs_by_length() {
    // Spreads 1 and 10, lengths 2 and 3.
    assert_eq!(average_spread(&[0.0, 1.0], &[0.0, 10.0, 20.0]), Ok((2.0 + 30.0) / 5.0));
}

#[test]
fn too_small_misrates_are_refused_with_the_smallest_possible() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    let low = |result: Result<Bounds, InputError>| match result.unwrap_err() {
        InputError { rule: Rule::InRange { low, .. }, argument: "misrate" } => low,
        other => panic!("{other}"),
    };
    assert!((low(shift_bounds(&x, &x, 0.007)) - 2.0 / 252.0).abs() < 1e-12);
    assert!((low(center_bounds(&x, 0.05)) - 0.0625).abs() < 1e-12);
    assert_eq!(low(spread_bounds(&x, 0.4, 1)), 0.5);
    assert_eq!(low(average_spread_bounds(&x, &x, 0.9, 1)), 0.5);
    assert!((low(disparity_bounds(&x, &x, 0.9, 1)) - (1.0 + 2.0 / 252.0)).abs() < 1e-12);
    assert!(shift_bounds(&x, &x, f64::NAN).is_err());
    assert!(spread_bounds(&[2.0; 50], 0.1, 1).is_err());
}

#[test]
fn spread_bounds_miss_as_often_as_they_say() {
    // The spread of an exponential distribution: |x1 - x2| is exponential too, its median is ln 2.
    let misses = misses_of(4000, |draw, seed| {
        let x: Vec<f64> = (0..21).map(|_| -draw().ln()).collect();
        spread_bounds(&x, 0.1, seed).unwrap().contain(2f64.ln())
    });
    // Four standard errors about 10 %.
    assert!((0.081..0.119).contains(&misses), "{misses}");
}

#[test]
fn disparity_bounds_miss_less_often_than_they_say() {
    let misses = misses_of(2000, |draw, seed| {
        let mut exponential = |n: usize, by: f64| (0..n).map(|_| by - draw().ln()).collect::<Vec<f64>>();
        let (x, y) = (exponential(30, 2.0), exponential(40, 0.0));
        disparity_bounds(&x, &y, 0.1, seed).unwrap().contain(2.0 / 2f64.ln())
    });
    assert!(misses < 0.1, "{misses}");
}

#[test]
fn average_spread_bounds_hold_both_spreads() {
    let x: Vec<f64> = (0..40).map(f64::from).collect();
    let y: Vec<f64> = (0..120).map(|i| f64::from(i * i % 97)).collect();
    let bounds = average_spread_bounds(&x, &y, 0.01, 3).unwrap();
    assert!(bounds.contain(average_spread(&x, &y).unwrap()), "{bounds:?}");
    assert!(bounds.lower > spread(&x).unwrap().min(spread(&y).unwrap()) / 3.0);
}

#[test]
fn disparity_bounds_share_the_misrate() {
    // What the smallest possible misrates leave over goes to the shift and to the spreads in equal parts.
    let x: Vec<f64> = (0..20).map(|i| 100.0 + f64::from(i * 7 % 20)).collect();
    let y: Vec<f64> = (0..24).map(|i| f64::from(i * 5 % 24)).collect();
    let for_shift = smallest_pairwise_misrate(20, 24);
    let for_spread = 2.0 * smallest_spread_misrate(20);
    let share = (0.2 - for_shift - for_spread) / 2.0;
    let shift = shift_bounds(&x, &y, for_shift + share).unwrap();
    let spread = average_spread_bounds(&x, &y, for_spread + share, 7).unwrap();
    let bounds = disparity_bounds(&x, &y, 0.2, 7).unwrap();
    assert!((bounds.lower / (shift.lower / spread.upper) - 1.0).abs() < 1e-12);
    assert!((bounds.upper / (shift.upper / spread.lower) - 1.0).abs() < 1e-12);
}

#[test]
fn disparity_bounds_without_a_limit_say_so() {
    // Most distances are zero, so the spread may be: no upper limit. The shift is certain to be positive.
    let x: Vec<f64> = (0..30).map(|i| if i < 24 { 5.0 } else { f64::from(i) }).collect();
    let y: Vec<f64> = x.iter().map(|v| v - 100.0).collect();
    let bounds = disparity_bounds(&x, &y, 0.1, 4).unwrap();
    assert_eq!(bounds.upper, f64::MAX);
    assert!(bounds.lower > 0.0);
    let turned = disparity_bounds(&y, &x, 0.1, 4).unwrap();
    assert_eq!(turned.lower, f64::MIN);
    assert!(turned.upper < 0.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shift_follows_a_shift_and_turns_with_its_sides(
        x in whole_series(), y in whole_series(), by in -1000i32..1000, scale in 1u32..64,
    ) {
        let (by, scale) = (f64::from(by), f64::from(scale));
        let moved: Vec<f64> = x.iter().map(|v| v + by).collect();
        prop_assert_eq!(shift(&moved, &y).unwrap(), shift(&x, &y).unwrap() + by);
        prop_assert_eq!(shift(&y, &x).unwrap(), 0.0 - shift(&x, &y).unwrap());
        prop_assert_eq!(shift(&scaled(&x, scale), &scaled(&y, scale)).unwrap(), shift(&x, &y).unwrap() * scale);
        prop_assert_eq!(center(&moved).unwrap(), center(&x).unwrap() + by);
        prop_assert_eq!(center(&scaled(&x, -scale)).unwrap(), 0.0 - center(&x).unwrap() * scale);
    }

    #[test]
    fn spread_ignores_shifts_and_follows_the_scale(x in whole_series(), by in -1000i32..1000, scale in 1u32..64) {
        prop_assume!(x.iter().any(|v| *v != x[0]));
        let moved: Vec<f64> = x.iter().map(|v| v + f64::from(by)).collect();
        prop_assert_eq!(spread(&moved), spread(&x));
        prop_assert_eq!(spread(&scaled(&x, -f64::from(scale))).unwrap(), spread(&x).unwrap() * f64::from(scale));
    }

    #[test]
    fn ratio_turns_into_its_inverse(x in times(), y in times(), factor in 0.1f64..10.0) {
        let there = ratio(&x, &y).unwrap();
        prop_assert!((there * ratio(&y, &x).unwrap() - 1.0).abs() < 1e-12);
        prop_assert!((ratio(&scaled(&x, factor), &y).unwrap() / (there * factor) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn order_does_not_matter(x in times(), y in times(), turn in 0usize..50) {
        let mut turned = x.clone();
        turned.rotate_left(turn % x.len());
        prop_assert_eq!(center(&turned), center(&x));
        prop_assert_eq!(spread(&turned), spread(&x));
        prop_assert_eq!(shift(&turned, &y), shift(&x, &y));
        prop_assert_eq!(ratio(&turned, &y), ratio(&x, &y));
        prop_assert_eq!(disparity(&turned, &y), disparity(&x, &y));
    }

    #[test]
    fn bounds_hold_the_estimate_and_nest_as_the_misrate_falls(
        x in prop::collection::vec(0.1f64..100.0, 12..30),
        y in prop::collection::vec(0.1f64..100.0, 12..30),
        (small, large) in (0.07f64..0.4, 0.5f64..0.95), seed: u64,
    ) {
        let pairs = [
            (center_bounds(&x, small), center_bounds(&x, large), Some(center(&x))),
            (shift_bounds(&x, &y, small), shift_bounds(&x, &y, large), Some(shift(&x, &y))),
            (ratio_bounds(&x, &y, small), ratio_bounds(&x, &y, large), Some(ratio(&x, &y))),
            // Made from a random pairing, these need not hold the estimate.
            (spread_bounds(&x, small, seed), spread_bounds(&x, large, seed), None),
            (average_spread_bounds(&x, &y, small + 0.1, seed), average_spread_bounds(&x, &y, large, seed), None),
            (disparity_bounds(&x, &y, small + 0.1, seed), disparity_bounds(&x, &y, large, seed), None),
        ];
        for (wide, narrow, estimate) in pairs {
            let (wide, narrow) = (wide.unwrap(), narrow.unwrap());
            prop_assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper, "{wide:?} {narrow:?}");
            prop_assert!(wide.lower <= wide.upper && narrow.lower <= narrow.upper);
            if let Some(estimate) = estimate {
                let estimate = estimate.unwrap();
                let slack = estimate.abs() * 1e-12;
                prop_assert!(narrow.lower <= estimate + slack && estimate - slack <= narrow.upper);
            }
        }
    }

    #[test]
    fn spread_bounds_are_distances_of_the_sample_and_repeat_with_the_seed(
        x in prop::collection::vec(-50i32..50, 8..40), seed: u64,
    ) {
        let x: Vec<f64> = x.into_iter().map(f64::from).collect();
        prop_assume!(x.iter().any(|v| *v != x[0]));
        let bounds = spread_bounds(&x, smallest_spread_misrate(x.len()).max(0.2), seed).unwrap();
        prop_assert_eq!(Ok(bounds), spread_bounds(&x, smallest_spread_misrate(x.len()).max(0.2), seed));
        for end in [bounds.lower, bounds.upper] {
            prop_assert!(x.iter().any(|a| x.iter().any(|b| (a - b).abs() == end)));
        }
    }
}

/// Whole numbers, so that sums and halves are exact.
fn whole_series() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-1000i32..1000, 2..25).prop_map(|v| v.into_iter().map(f64::from).collect())
}

fn times() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(1e-3f64..1e3, 2..25)
}

fn scaled(x: &[f64], by: f64) -> Vec<f64> {
    x.iter().map(|v| v * by).collect()
}

/// The share of seeded rounds whose answer is false; `draw` gives uniform numbers in (0, 1].
fn misses_of(rounds: u64, mut covered: impl FnMut(&mut dyn FnMut() -> f64, u64) -> bool) -> f64 {
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    let mut draws = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(20_240_229);
    let mut draw = || ((draws.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64;
    let missed = (0..rounds).filter(|round| !covered(&mut draw, *round)).count();
    missed as f64 / rounds as f64
}

fn check_all(suite: &str, count: usize, agree: fn(f64, f64) -> bool, compute: impl Fn(&Value) -> Answer) {
    let path = format!("{}/tests/fixtures/pragmastat/{suite}.json", env!("CARGO_MANIFEST_DIR"));
    let document: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = document["cases"].as_array().unwrap();
    assert_eq!(cases.len(), count);
    for case in cases {
        let answer = compute(&case["input"]);
        match (&case["expected_error"], &answer) {
            (Value::Null, Ok(values)) => {
                let expected = outputs(&case["output"]);
                assert_eq!(expected.len(), values.len());
                for (expected, value) in expected.iter().zip(values) {
                    assert!(agree(*expected, *value), "{suite}/{}: {expected} {value}", case["name"]);
                }
            }
            (expected, Err(error)) => {
                assert_eq!(violation(error), expected["id"], "{suite}/{}: {error}", case["name"]);
                assert_eq!(error.argument, expected["subject"], "{suite}/{}", case["name"]);
            }
            (expected, Ok(_)) => panic!("{suite}/{}: expected {expected}", case["name"]),
        }
    }
}

/// Pragmastat's name for a broken rule.
fn violation(error: &InputError) -> &'static str {
    match error.rule {
        Rule::AtLeast { .. } | Rule::Finite { .. } => "validity",
        Rule::Positive { .. } => "positivity",
        Rule::NotConstant => "sparity",
        Rule::InRange { .. } => "domain",
        _ => "none",
    }
}

fn one(result: Result<f64, InputError>) -> Answer {
    result.map(|value| vec![value])
}

fn outputs(output: &Value) -> Vec<f64> {
    match output {
        Value::Object(bounds) => vec![number(&bounds["lower"]), number(&bounds["upper"])],
        single => vec![number(single)],
    }
}

fn exact(expected: f64, value: f64) -> bool {
    expected == value
}

fn near(expected: f64, value: f64) -> bool {
    (expected - value).abs() <= 1e-14 * expected.abs()
}

fn series(input: &Value, name: &str) -> Vec<f64> {
    input[name].as_array().unwrap().iter().map(number).collect()
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}
