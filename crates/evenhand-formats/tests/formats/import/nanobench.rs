//! nanobench's JSON: every mapped field against a file after its template, bad files refused.
use evenhand_formats::import::{Format, ImportError, import, recognise};
use evenhand_trial::{ArmId, Better, Per, Trial, Whole};
use proptest::prelude::*;

fn fixture() -> Vec<u8> {
    std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/nanobench/results.json")).unwrap()
}

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "made.json", Some(Format::Nanobench))
}

fn is_noted(trial: &Trial, words: &str) -> bool {
    trial.notes.iter().any(|note| note.to_string().contains(words))
}

#[test]
fn every_epoch_is_a_sample_with_the_time_of_one_iteration() {
    let trial = import(&fixture()[..], "results.json", None).unwrap();
    let names: Vec<_> = trial.arms.iter().map(|arm| (arm.name.as_str(), arm.group.as_str())).collect();
    assert_eq!(names, [("fold", "fold"), ("loop", "loop")]);
    let column = |arm: usize, name: &str| trial.series[arm].column(trial.metric(name).unwrap().0);
    assert_eq!(column(0, "wall"), [2e-07, 2.05e-07, 2.1e-07]);
    assert_eq!(column(1, "wall"), [4e-06, 4.1e-06]);
    assert_eq!(trial.series[0].iterations, Whole::Each(vec![1000, 2000, 3000]));
    assert_eq!(trial.series[1].iterations, Whole::Same { same: 100 });
    assert_eq!(column(0, "cpu_cycles"), [620.5, 630.25, 640.0]);
    assert_eq!(column(0, "instructions"), [1004.5; 3]);
    assert_eq!(column(0, "branch_instructions"), [251.0; 3]);
    assert_eq!(column(0, "branch_misses"), [0.125, 0.25, 0.5]);
    let wall = &trial.metrics[0];
    assert_eq!((wall.unit.symbol(), wall.per, wall.better), ("s", Per::Iteration, Better::Lower));
    assert_eq!(trial.arms[0].parameters["title"], "sums");
    assert_eq!(trial.arms[0].parameters["batch"], "4 byte");
    assert!(!trial.arms[1].parameters.contains_key("batch"));
    assert!(is_noted(&trial, "divides them by the batch"));
    assert!(trial.reported.is_empty(), "the median follows from the epochs");
}

#[test]
fn a_counter_of_zeros_was_not_measured() {
    let trial = import(&fixture()[..], "results.json", None).unwrap();
    assert!(trial.metric("page_faults").is_none() && trial.metric("context_switches").is_none());
    let cycles = trial.metric("cpu_cycles").unwrap().0;
    assert_eq!(trial.series.iter().find(|s| s.arm == ArmId(1)).unwrap().column(cycles), [0.0; 0]);
    assert!(is_noted(&trial, "not available"));
}

#[test]
fn results_marked_relative_are_alternatives() {
    let text = String::from_utf8(fixture()).unwrap().replace("\"relative\": 0", "\"relative\": 1");
    let trial = read(&text).unwrap();
    assert_eq!(trial.groups(), [("sums", vec![ArmId(0), ArmId(1)])]);
}

#[test]
fn without_epochs_the_median_is_reported() {
    let text = r#"{"results":[{"title":"t","name":"a","epochs":11,"complexityN":64,"median(elapsed)":2e-9,
                   "medianAbsolutePercentError(elapsed)":0.04}]}"#;
    let trial = read(text).unwrap();
    let reported = &trial.reported[0];
    assert_eq!((reported.median, reported.samples), (Some(2e-9), Some(11)));
    assert_eq!(reported.more["medianAbsolutePercentError"], 0.04);
    assert_eq!(trial.arms[0].parameters["complexityN"], "64");
    assert!(trial.series.is_empty() && is_noted(&trial, "only nanobench's medians"));
}

#[test]
fn two_results_of_one_name_are_two_arms_and_large_iterations_are_read() {
    let text = r#"{"results":[{"name":"a","measurements":[{"iterations":1.5e+06,"elapsed":1}]},
                              {"name":"a","measurements":[{"iterations":1,"elapsed":2}]}]}"#;
    let trial = read(text).unwrap();
    assert_eq!((trial.arms[0].name.as_str(), trial.arms[1].name.as_str()), ("a", "a (2)"));
    assert_eq!(trial.series[0].iterations, Whole::Same { same: 1_500_000 });
}

#[test]
fn its_files_are_recognised() {
    assert_eq!(recognise(&fixture()), Some(Format::Nanobench));
    assert_eq!(recognise(&fixture()[..900]), Some(Format::Nanobench));
}

#[test]
fn bad_files_are_refused_with_the_place() {
    let one = |rest: &str| format!(r#"{{"results":[{{"name":"a b",{rest}}}]}}"#);
    for (text, words) in [
        (one(r#""measurements":[{"iterations":1,"elapsed":-1}]"#), r#""a b", wall, sample 1: -1"#),
        (one(r#""measurements":[{"iterations":0,"elapsed":1}]"#), r#""a b": 0 is not a possible number"#),
        (one(r#""measurements":[{"iterations":1.5,"elapsed":1}]"#), r#""a b": 1.5 is not"#),
        (one(r#""measurements":[{"iterations":1}]"#), "missing field `elapsed`"),
        (one(r#""measurements":[{"iterations":1,"elapsed":1e999}]"#), "out of range"),
        (one(r#""measurements":[{"iterations":1,"elapsed":null}]"#), "invalid type: null"),
        (one(r#""measurements":[{"iterations":1,"elapsed":"1"}]"#), "invalid type: string"),
        (one(r#""measurements":[]"#), "neither measurements nor median(elapsed)"),
        (one(r#""median(elapsed)":-1"#), r#""a b": -1"#),
        (one(r#""median(elapsed)":nan"#), "neither measurements nor median(elapsed)"),
        (r#"{"results":[]}"#.into(), "holds no result"),
        (r#"{"results":{}}"#.into(), "invalid type: map"),
        (r#"{"results":[{"#.into(), "ends too early"),
    ] {
        let said = read(&text).unwrap_err().to_string();
        assert!(said.contains(words), "{text}\n{said}");
    }
}

proptest! {
    #[test]
    fn changed_and_cut_files_never_panic(place in 0..2500_usize, byte in any::<u8>()) {
        let mut bytes = fixture();
        prop_assert!(import(&bytes[..place.max(1)], "cut", Some(Format::Nanobench)).is_err());
        bytes[place] = byte;
        if let Ok(trial) = import(&bytes[..], "changed", Some(Format::Nanobench)) {
            prop_assert!(trial.check().is_ok());
        }
    }
}
