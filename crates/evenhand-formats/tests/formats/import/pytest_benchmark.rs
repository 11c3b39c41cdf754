//! pytest-benchmark's JSON: what it maps to, and what is refused.

use crate::foreign::{fixture, iterations, notes, numbers, refused, reported, trial, trial_of};
use evenhand_formats::import::Format;
use evenhand_trial::{Better, LaunchId, Origin, Per, Reason};
use serde_json::Value;

const FORMAT: Format = Format::PytestBenchmark;
const SORT: &str = "test_lengths.py::test_sort[20]";
const JOIN: &str = "test_lengths.py::test_join";

fn whole(name: &str) -> Value {
    serde_json::from_slice(&fixture(name)).unwrap()
}

fn file(stats: &str) -> String {
    format!(r#"{{"machine_info":{{}},"benchmarks":[{{"name":"t","stats":{stats}}}]}}"#)
}

#[test]
fn a_round_is_a_sample_in_seconds_a_call() {
    let trial = trial("pytest-benchmark/with-data.json");
    let wall = &trial.metrics[0];
    assert_eq!(
        (wall.name.as_str(), wall.unit.symbol(), wall.per, wall.better),
        ("wall", "s", Per::Iteration, Better::Lower)
    );
    let seen = numbers(&trial, SORT, "wall");
    assert_eq!(
        seen,
        [vec![
            4.864359998464351e-07,
            5.32765001480584e-07,
            4.862549994868459e-07,
            4.866969993599923e-07,
            4.947889992763521e-07
        ]]
    );
    assert_eq!(iterations(&trial, SORT), [(0, vec![1000; 5])]);
    assert_eq!(iterations(&trial, JOIN), [(0, vec![20; 12])]);
    assert_eq!(trial.sample_count(), 22);
}

#[test]
fn the_samples_give_the_figures_that_the_tool_printed() {
    let trial = trial("pytest-benchmark/with-data.json");
    for benchmark in whole("pytest-benchmark/with-data.json")["benchmarks"].as_array().unwrap() {
        let seen = &numbers(&trial, benchmark["fullname"].as_str().unwrap(), "wall")[0];
        let mean = seen.iter().sum::<f64>() / seen.len() as f64;
        assert!((mean / benchmark["stats"]["mean"].as_f64().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(seen.len() as u64, benchmark["stats"]["rounds"].as_u64().unwrap());
    }
}

#[test]
fn groups_and_parameters_are_the_authors() {
    let trial = trial("pytest-benchmark/with-data.json");
    let groups: Vec<_> = trial.groups().into_iter().map(|(name, arms)| (name, arms.len())).collect();
    assert_eq!(groups, [("sorting", 2), (JOIN, 1)]);
    assert_eq!(trial.arms[0].parameters["length"], "20");
    assert_eq!(trial.arms[1].parameters["length"], "200");
    assert!(trial.arms[2].parameters.is_empty());
}

#[test]
fn machine_commit_and_date_are_kept() {
    let trial = trial("pytest-benchmark/with-data.json");
    let there = &trial.environment;
    assert_eq!(there.host.as_deref(), Some("host"));
    assert_eq!((there.system.as_deref(), there.kernel.as_deref()), (Some("Linux"), Some("6.1.0")));
    assert_eq!(there.architecture.as_deref(), Some("x86_64"));
    assert_eq!((there.cpu.model.as_deref(), there.cpu.logical), (Some("AMD EPYC"), Some(2)));
    assert_eq!(there.cpu.mhz, Some(2596.12));
    assert_eq!(there.tools["python"], "CPython 3.11.7");
    assert_eq!(there.other["timer"], "perf_counter");
    assert_eq!(there.other["note"], "small ints");
    assert_eq!(there.git, None, "the fixture says \"unversioned\"");
    assert_eq!(trial.started.unwrap().to_string(), "2026-11-21T08:02:08.093115Z");
    let Origin::Imported { format, tool, .. } = &trial.origin else { panic!("{:?}", trial.origin) };
    assert_eq!((format.as_str(), tool.as_deref()), ("pytest-benchmark", Some("pytest-benchmark 5.3.1")));
}

#[test]
fn a_commit_is_kept_with_its_branch() {
    let text = r#"{"machine_info":{},"commit_info":{"id":"4f0c","dirty":true,"branch":"main"},"datetime":"long ago",
        "benchmarks":[{"name":"t","stats":{"data":[1.0]}}]}"#;
    let trial = trial_of(text, FORMAT);
    let git = trial.environment.git.unwrap();
    assert_eq!((git.commit.as_str(), git.dirty, git.branch.as_deref()), ("4f0c", true, Some("main")));
    assert_eq!((trial.started, trial.environment.other["datetime"].as_str()), (None, "long ago"));
}

#[test]
fn without_data_the_figures_are_reported_and_the_note_says_so() {
    let trial = trial("pytest-benchmark/without-data.json");
    assert_eq!((trial.sample_count(), trial.reported.len()), (0, 3));
    let stats = &whole("pytest-benchmark/without-data.json")["benchmarks"][0]["stats"];
    let figure = |name: &str| stats[name].as_f64();
    let seen = reported(&trial, SORT, "wall")[0];
    assert_eq!(seen.launch, Some(LaunchId(0)));
    assert_eq!(seen.samples, stats["rounds"].as_u64());
    assert_eq!(
        [seen.min, seen.mean, seen.median, seen.max, seen.sd],
        ["min", "mean", "median", "max", "stddev"].map(figure)
    );
    assert_eq!(seen.percentiles, [(25.0, figure("q1").unwrap()), (75.0, figure("q3").unwrap())]);
    assert_eq!(seen.more["iterations"], 1000.0);
    for name in ["iqr", "ops", "total", "ld15iqr", "hd15iqr", "iqr_outliers", "stddev_outliers"] {
        assert_eq!(seen.more.get(name).copied(), figure(name), "{name}");
    }
    assert!(notes(&trial).contains("--benchmark-save-data"), "{}", notes(&trial));
}

#[test]
fn a_test_without_figures_failed() {
    let trial = trial_of(&file("null"), FORMAT);
    assert!(matches!(&trial.failures[0].reason, Reason::Other { message } if message.contains("no figures")));
}

#[test]
fn a_parameter_that_is_no_number_keeps_nothing_else_out() {
    let trial = trial("pytest-benchmark/not-a-number.json");
    assert_eq!((trial.arms.len(), trial.sample_count()), (4, 16));
    assert_eq!(trial.arms[0].parameters["fill"], "1.0");
    assert!(trial.arms[1..].iter().all(|arm| !arm.parameters.contains_key("fill")));
    assert!(notes(&trial).contains("NaN and Infinity in the file are read as missing"));
}

#[test]
fn a_test_that_cannot_be_read_is_left_out_and_named() {
    let text = r#"{"machine_info":{},"benchmarks":[{"name":"t","stats":{"mean":-1.0}},{"name":"u","stats":{"data":[1.0]}}]}"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!(trial.arms.len(), 1);
    assert!(notes(&trial).contains("left out: \"t\", wall, reported mean: -1 is not a possible measurement"));
}

#[test]
fn empty_data_are_no_samples() {
    let trial = trial_of(&file(r#"{"data":[],"mean":2.0}"#), FORMAT);
    assert_eq!((trial.sample_count(), reported(&trial, "t", "wall")[0].mean), (0, Some(2.0)));
}

#[test]
fn impossible_values_are_refused_by_name() {
    for (stats, word) in [
        (r#"{"data":[1.0,-2.0]}"#, "\"t\", wall, sample 2: -2 is not"),
        (r#"{"data":[1.0],"iterations":0}"#, "\"t\", stats.iterations"),
        (r#"{"data":[1.0],"iterations":1e30}"#, "invalid type: floating point"),
        (r#"{"data":[1.0],"iterations":-1}"#, "invalid value"),
        (r#"{"mean":-1.0}"#, "\"t\", wall, reported mean: -1 is not"),
        (r#"{"data":[NaN]}"#, "line 1: NaN or Infinity stands where a number is needed"),
        (r#"{"data":[1e400]}"#, "number out of range"),
        (r#"{"data":[null]}"#, "invalid type: null"),
        (r#"{"data":{}}"#, "invalid type: map"),
        (r#"[1]"#, "invalid type"),
    ] {
        let said = refused(file(stats), FORMAT);
        assert!(said.contains(word), "{stats}: {said}");
    }
    let said = refused(r#"{"machine_info":{},"benchmarks":[]}"#, FORMAT);
    assert!(said.contains("holds no result"), "{said}");
}

#[test]
fn cut_files_are_refused() {
    crate::foreign::every_cut_is_refused("pytest-benchmark/with-data.json", FORMAT);
    crate::foreign::every_cut_is_refused("pytest-benchmark/without-data.json", FORMAT);
}

#[test]
fn no_damage_panics() {
    crate::foreign::no_damage_panics("pytest-benchmark/with-data.json", FORMAT);
    crate::foreign::no_damage_panics("pytest-benchmark/without-data.json", FORMAT);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("pytest-benchmark", FORMAT);
}

#[test]
fn its_csv_has_figures_and_parameters() {
    let trial = crate::foreign::trial("pytest-benchmark/results.csv");
    let names: Vec<&str> = trial.arms.iter().map(|arm| &*arm.name).collect();
    assert_eq!(names[..2], ["test_lengths.py::test_join", "test_lengths.py::test_sort[20]"]);
    assert_eq!(trial.arms[1].parameters["length"], "20");
    assert!(trial.arms[0].parameters.is_empty());
    let figures = crate::foreign::reported(&trial, names[0], "wall")[0];
    assert_eq!((figures.mean, figures.samples), (Some(3.097954080052053e-06), Some(12)));
    assert_eq!((figures.median, figures.more["iterations"]), (Some(3.089849997195415e-06), 20.0));
    assert_eq!((trial.sample_count(), trial.metrics[0].unit.symbol()), (0, "s"));
}
