//! Pragmastat's estimators and bounds against its reference vectors, and what must hold for every input.

use evenhand_stats::unpaired::bounds::{Bounds, shift_bounds};
use evenhand_stats::unpaired::pragmatic::{ratio, shift};
use evenhand_stats::{InputError, Rule};
use proptest::prelude::*;
use serde_json::Value;

type Answer = Result<Vec<f64>, InputError>;

#[test]
fn shift_is_the_very_double_of_pragmastat() {
    check_all("shift", 62, exact, |input| one(shift(&series(input, "x"), &series(input, "y"))));
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
    assert_eq!(rule(shift(&[1.0, f64::NAN], &good)), (Rule::Finite { index: 1 }, "x"));
    assert_eq!(rule(shift(&good, &[f64::INFINITY])), (Rule::Finite { index: 0 }, "y"));
    assert_eq!(rule(ratio(&[0.0], &good)), (Rule::Positive { index: 0 }, "x"));
}

#[test]
fn the_ends_of_the_doubles_give_finite_answers() {
    let tiny = [5e-324, 1e-310, 3e-308];
    assert_eq!(shift(&[f64::MAX], &[-f64::MAX]), Ok(f64::MAX));
    assert_eq!(ratio(&[1e300], &[1e-300]), Ok(f64::MAX));
    assert_eq!(ratio(&tiny, &[1e300]), Ok(f64::MIN_POSITIVE));
}

#[test]
fn too_small_misrates_are_refused_with_the_smallest_possible() {
    let x = [1.0, 2.0, 3.0, 4.0, 5.0];
    let low = |result: Result<Bounds, InputError>| match result.unwrap_err() {
        InputError { rule: Rule::InRange { low, .. }, argument: "misrate" } => low,
        other => panic!("{other}"),
    };
    assert!((low(shift_bounds(&x, &x, 0.007)) - 2.0 / 252.0).abs() < 1e-12);
    assert!(shift_bounds(&x, &x, f64::NAN).is_err());
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
        prop_assert_eq!(shift(&turned, &y), shift(&x, &y));
        prop_assert_eq!(ratio(&turned, &y), ratio(&x, &y));
    }

    #[test]
    fn bounds_hold_the_estimate_and_nest_as_the_misrate_falls(
        x in prop::collection::vec(0.1f64..100.0, 12..30),
        y in prop::collection::vec(0.1f64..100.0, 12..30),
        (small, large) in (0.07f64..0.4, 0.5f64..0.95),
    ) {
        let (wide, narrow) = (shift_bounds(&x, &y, small).unwrap(), shift_bounds(&x, &y, large).unwrap());
        prop_assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper, "{wide:?} {narrow:?}");
        let estimate = shift(&x, &y).unwrap();
        prop_assert!(narrow.lower <= estimate && estimate <= narrow.upper);
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
