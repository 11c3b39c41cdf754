//! Parameters, ranges, combinations.

use evenhand_measure::grid::{Combination, MOST, Parameter, combinations, filled, in_words, uses};
use std::ffi::OsStr;

fn values(text: &str) -> Vec<String> {
    text.parse::<Parameter>().unwrap().values
}

fn refusal(text: &str) -> String {
    text.parse::<Parameter>().unwrap_err().to_string()
}

#[test]
fn values_are_listed_or_counted() {
    assert_eq!(values("kind=a,b c,ü"), ["a", "b c", "ü"]);
    assert_eq!(values("n=1..4"), ["1", "2", "3", "4"]);
    assert_eq!(values("n=-2..2..2"), ["-2", "0", "2"]);
    assert_eq!(values("n=1..10..4"), ["1", "5", "9"]);
    assert_eq!(values("x=0.5..1..0.25"), ["0.50", "0.75", "1.00"]);
    assert_eq!(values("x=-0.1..0.1..0.1"), ["-0.1", "0.0", "0.1"]);
    assert_eq!(values("path=../a,../b/.."), ["../a", "../b/.."], "dots of a path are no range");
    assert_eq!(values("equation=a=b"), ["a=b"]);
}

#[test]
fn ten_steps_of_a_tenth_end_on_the_last_value() {
    assert_eq!(values("x=0..1..0.1").last().unwrap(), "1.0");
    assert_eq!(values("x=0..1..0.1").len(), 11);
}

#[test]
fn what_is_no_parameter_is_refused_with_an_example() {
    assert!(refusal("size").contains("size=10,100"));
    assert!(refusal("=1").contains("\"\" is not a parameter name"));
    assert!(refusal("a b=1").contains("\"a b\" is not a parameter name"));
    assert!(refusal("n=1,,2").contains("empty"));
    assert!(refusal("n=").contains("empty"));
    assert!(refusal("n=1,2,1").contains("twice"));
    assert!(refusal("n=5..1").contains("rising"));
    assert!(refusal("n=1..5..0").contains("rising"));
    assert!(refusal("n=a..b").contains("1..8"));
    assert!(refusal("n=1..9999999").contains(&MOST.to_string()));
}

#[test]
fn numbers_beyond_all_measure_are_refused_at_once() {
    for too_long in [
        "n=1..18446744073709551615",
        "n=-9223372036854775807..9223372036854775807..9223372036854775807",
        "n=-9223372036854775808..0",
        "n=0..9223372036854775807..0.000000001",
        "n=0..1..0.0000000001",
        &format!("n=0..1{}", "0".repeat(100_000)),
        &format!("n=0..0.{}", "1".repeat(100_000)),
    ] {
        let told = refusal(too_long);
        assert!(told.contains("too many digits: at most 18, and 9 after the point"), "{told}");
    }
    for no_number in
        ["n=0..1..1e-300", "n=NaN..1", "n=0..inf", "n=0..1..-1", "n=--1..1", "n=1..2..+1", "n=..5"]
    {
        let told = refusal(no_number);
        assert!(told.contains("is not a range: write FIRST..LAST"), "{told}");
    }
    let widest = "-999999999999999999..999999999999999999";
    assert_eq!(refusal(&format!("n={widest}")), format!("{widest} has more than 1000 values"));
    assert_eq!(values(&format!("n={widest}..999999999999999999")).len(), 3);
    let everything: Vec<String> = (0..1_000_000).map(|number| number.to_string()).collect();
    assert!(refusal(&format!("n={}", everything.join(","))).contains("more than 1000 values"));
    assert_eq!(values(&format!("n={}", everything[..MOST].join(","))).len(), MOST);
}

fn grid(texts: &[&str]) -> Vec<Combination> {
    let parameters: Vec<Parameter> = texts.iter().map(|text| text.parse().unwrap()).collect();
    combinations(&parameters).unwrap()
}

#[test]
fn all_combinations_in_the_order_of_the_words() {
    let words: Vec<String> = grid(&["size=1,2", "kind=a,b"]).iter().map(in_words).collect();
    assert_eq!(words, ["kind=a, size=1", "kind=b, size=1", "kind=a, size=2", "kind=b, size=2"]);
    assert_eq!(grid(&[]), [Combination::new()]);
}

#[test]
fn too_many_and_double_names_are_refused() {
    let parse = |text: &str| text.parse::<Parameter>().unwrap();
    let many = [parse("a=1..100"), parse("b=1..100")];
    assert!(combinations(&many).unwrap_err().to_string().contains("1000"));
    assert!(combinations(&[parse("a=1"), parse("a=2")]).unwrap_err().to_string().contains("twice"));
}

#[test]
fn braces_are_filled_where_they_name_a_parameter() {
    let combination = &grid(&["n=7", "name={n}"])[0];
    let fill = |text: &str| filled(OsStr::new(text), combination).into_string().unwrap();
    assert_eq!(fill("head -n {n} {n}.txt"), "head -n 7 7.txt");
    assert_eq!(fill("awk '{print} {' {m} {n"), "awk '{print} {' {m} {n");
    assert_eq!(fill("{{n}}"), "{7}");
    assert_eq!(fill("{name}"), "{n}", "a value is not filled again");
    assert!(uses(OsStr::new("a {n}"), "n") && !uses(OsStr::new("a {nn}"), "n"));
}
