//! Can another program read the answers?

use crate::desk::Desk;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn an_analysis_has_the_fields_that_the_manual_names() {
    let desk = Desk::with_results();
    let done = desk.run(&["analyze", "results/sums.csv", "--json"]);
    assert_eq!((done.code, done.err.as_str(), done.out.lines().count()), (0, "", 1));
    let analysis = json(&done.out);
    let comparison = &analysis["comparisons"][0];
    assert_eq!((&comparison["baseline"], &comparison["candidate"]), (&"old".into(), &"new".into()));
    assert!(
        comparison["verdict"].is_string() && comparison["sentence"].as_str().unwrap().contains("+1.78 %")
    );
    let effect = |end: &str| comparison["effect"][end].as_f64().unwrap();
    assert!(effect("low") < effect("estimate") && effect("estimate") < effect("high"));
    assert!((effect("estimate") - 0.0178).abs() < 0.001, "{}", effect("estimate"));
    for field in ["confidence", "rounds", "launches", "seconds", "metric"] {
        assert!(comparison.get(field).is_some(), "{field}");
    }
    for list in ["levels", "warnings"] {
        assert!(analysis[list].is_array(), "{list}");
    }
}

#[test]
fn twice_the_same_bytes() {
    let desk = Desk::with_archive();
    let first = desk.run(&["analyze", "@last", "--json"]).out;
    assert_eq!(first, desk.run(&["analyze", "@last", "--json"]).out);
    assert!(first.len() > 500);
}

#[test]
fn settings_reach_the_analysis() {
    let desk = Desk::with_archive();
    let with = |words: &[&str]| {
        let all: Vec<&str> = ["analyze", "@last", "--json"].iter().chain(words).copied().collect();
        let done = desk.run(&all);
        assert_eq!(done.code, 0, "{}", done.err);
        json(&done.out)["comparisons"][0].clone()
    };
    let usual = with(&[]);
    let wide = |comparison: &Value| {
        comparison["effect"]["high"].as_f64().unwrap() - comparison["effect"]["low"].as_f64().unwrap()
    };
    assert!(wide(&with(&["--confidence", "90"])) < wide(&usual));
    assert_ne!(with(&["--margin", "10"])["sentence"], usual["sentence"]);
    assert_eq!(with(&["--baseline", "new"])["candidate"], "old");
    let percents: Vec<f64> = with(&["--percentiles=50,90"])["percentiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|both| both["percent"].as_f64().unwrap())
        .collect();
    assert_eq!(percents, [50.0, 90.0]);
}

#[test]
fn a_list_is_one_object_a_line() {
    let desk = Desk::with_archive();
    let done = desk.run(&["list", "--json"]);
    let entries: Vec<Value> = done.out.lines().map(json).collect();
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0]["arms"], json!(["old", "new"]));
    assert_eq!(entries[0]["samples"], 60);
    assert_eq!((&entries[0]["verdict"], &entries[1]["verdict"]), (&json!("unclear"), &json!("faster")));
    assert_eq!(entries[1]["verdicts"], json!(["faster"]));
    let schema = json(include_str!("../../list.schema.json"));
    let described: BTreeSet<&String> = schema["properties"].as_object().unwrap().keys().collect();
    let words = schema["$defs"]["verdict"]["enum"].as_array().unwrap();
    for entry in &entries {
        assert_eq!(entry.as_object().unwrap().keys().collect::<BTreeSet<_>>(), described);
        assert!(words.contains(&entry["verdict"]), "{entry}");
    }
    assert_eq!(json(&desk.run(&["show", "@last", "--json"]).out)["id"], entries[0]["id"]);
}
