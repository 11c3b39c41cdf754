//! pyperf's JSON: what it maps to, and what is refused.

use crate::foreign::{fixture, iterations, notes, numbers, refused, trial, trial_of};
use evenhand_formats::import::{Format, import};
use evenhand_trial::{Better, MetricId, Origin, Per};
use serde_json::Value;

const FORMAT: Format = Format::Pyperf;

/// The values of every measuring run of a benchmark, read without the parser.
fn values(file: &str, benchmark: usize) -> Vec<Vec<f64>> {
    let whole: Value = serde_json::from_slice(&fixture(file)).unwrap();
    let runs = whole["benchmarks"][benchmark]["runs"].as_array().unwrap();
    let values = runs.iter().filter_map(|run| run["values"].as_array());
    values.map(|values| values.iter().map(|value| value.as_f64().unwrap()).collect()).collect()
}

#[test]
fn a_run_is_a_launch_and_a_value_a_sample_of_all_its_loops() {
    let trial = trial("pyperf/timeit.json");
    let wall = &trial.metrics[0];
    assert_eq!(
        (wall.name.as_str(), wall.unit.symbol(), wall.per, wall.better),
        ("wall", "s", Per::Iteration, Better::Lower)
    );
    let seen = numbers(&trial, "sum-range", "wall");
    assert_eq!(seen, values("pyperf/timeit.json", 0));
    assert_eq!((seen.len(), seen[0][0]), (10, 5.019116287238723e-07));
    let expected: Vec<_> = (0..10).map(|launch| (launch, vec![262_144; 2])).collect();
    assert_eq!(iterations(&trial, "sum-range"), expected);
}

#[test]
fn calibration_and_warmups_are_no_samples_and_the_note_says_how_many() {
    let trial = trial("pyperf/timeit.json");
    assert_eq!(trial.sample_count(), 20);
    assert!(notes(&trial).contains("the 31 warmup and calibration values"), "{}", notes(&trial));
}

#[test]
fn inner_loops_count_and_benchmarks_are_groups_of_their_own() {
    let trial = trial("pyperf/suite.json");
    let names: Vec<_> = trial.arms.iter().map(|arm| (arm.name.as_str(), arm.group.as_str())).collect();
    assert_eq!(names, [("sort_list", "sort_list"), ("join", "join")]);
    assert_eq!(iterations(&trial, "sort_list")[0], (0, vec![32768, 32768]));
    assert_eq!(iterations(&trial, "join")[9], (9, vec![1_048_576, 1_048_576]));
    assert_eq!(numbers(&trial, "sort_list", "wall"), values("pyperf/suite.json", 0));
    assert_eq!(numbers(&trial, "join", "wall"), values("pyperf/suite.json", 1));
}

#[test]
fn metadata_go_to_the_machine_or_to_the_arm() {
    let trial = trial("pyperf/suite.json");
    let there = &trial.environment;
    assert_eq!(there.host.as_deref(), Some("host"));
    assert_eq!(there.cpu.model.as_deref(), Some("AMD EPYC"));
    assert_eq!((there.cpu.logical, there.aslr), (Some(2), Some(true)));
    assert_eq!(there.system.as_deref(), Some("Linux-6.1.0-x86_64-with-glibc2.36"));
    assert_eq!(there.tools["python"], "3.11.7 (64-bit)");
    assert_eq!(there.other["suite_note"], "two benchmarks");
    assert_eq!(there.other["timer"], "clock_gettime(CLOCK_MONOTONIC), resolution: 1.00 ns");
    assert_eq!(there.other["join: runnable_threads"], "1");
    let Origin::Imported { format, tool, .. } = &trial.origin else { panic!("{:?}", trial.origin) };
    assert_eq!((format.as_str(), tool.as_deref()), ("pyperf", Some("pyperf 2.10.0")));
    let join = &trial.arms[1].parameters;
    assert_eq!(join["timeit_stmt"], "\"','.join(words)\"");
    assert_eq!(join["words"], "50");
    assert!(!join.contains_key("loops"));
}

#[test]
fn a_suite_of_one_gives_its_statement_to_the_arm() {
    assert_eq!(trial("pyperf/timeit.json").arms[0].parameters["timeit_stmt"], "'sum(range(100))'");
    assert_eq!(trial("pyperf/command.json").arms[0].parameters["command"], "python3 -S -c pass");
}

#[test]
fn bytes_are_a_metric_of_their_own() {
    let trial = trial("pyperf/memory.json");
    let memory = &trial.metrics[0];
    assert_eq!((memory.name.as_str(), memory.unit.symbol(), memory.per), ("memory", "B", Per::Iteration));
    assert_eq!(numbers(&trial, "sort_list", "memory"), values("pyperf/memory.json", 0));
    assert_eq!(numbers(&trial, "join", "memory")[0], [12_263_424.0]);
}

#[test]
fn the_largest_memory_of_a_process_stands_at_its_last_sample() {
    let trial = trial("pyperf/command.json");
    let seen = numbers(&trial, "command", "max_rss");
    assert!(seen[0][0].is_nan());
    assert_eq!((seen[0][1], seen[9][1]), (12_795_904.0, 12_742_656.0));
    assert_eq!(trial.metrics[1].unit.symbol(), "B");
    assert_eq!(trial.metric("wall").unwrap().0, MetricId(0));
}

#[test]
fn whole_numbers_and_words_of_others_are_units_too() {
    let text = |unit: &str| {
        format!(
            r#"{{"version":6,"benchmarks":[{{"runs":[{{"values":[3,4]}}]}}],"metadata":{{"unit":"{unit}"}}}}"#
        )
    };
    let count = trial_of(&text("integer"), FORMAT);
    assert_eq!((count.metrics[0].name.as_str(), count.metrics[0].unit.symbol()), ("count", ""));
    assert_eq!(numbers(&count, "unnamed", "count"), [[3.0, 4.0]]);
    let own = trial_of(&text("furlong"), FORMAT);
    assert_eq!((own.metrics[0].name.as_str(), own.metrics[0].unit.symbol()), ("value", "furlong"));
}

#[test]
fn what_a_run_says_comes_before_its_benchmark_and_its_suite() {
    let text = r#"{"version":"1.0","metadata":{"name":"a","loops":2,"inner_loops":3},
        "benchmarks":[{"metadata":{"loops":5},"runs":[{"values":[1.0]},{"values":[1.0],"metadata":{"loops":7}}]}]}"#;
    assert_eq!(iterations(&trial_of(text, FORMAT), "a"), [(0, vec![15]), (1, vec![21])]);
}

#[test]
fn every_run_keeps_its_own_values_however_many() {
    let text = r#"{"version":"1.0","benchmarks":[
        {"metadata":{"name":"a"},"runs":[{"warmups":[[1,9.0]]},{"values":[1.0,2.0,3.0]},{"values":[]},{"values":[4.0],
            "metadata":{"mem_max_rss":7}},{"values":[5.0,6.0]}]},
        {"metadata":{"name":"b","unit":"second"},"runs":[{"values":[7.0]},{"values":[8.0],"metadata":{"unit":"byte"}}]}]}"#;
    let trial = trial_of(text, FORMAT);
    assert_eq!(numbers(&trial, "a", "wall"), [vec![1.0, 2.0, 3.0], vec![4.0], vec![5.0, 6.0]]);
    assert_eq!(numbers(&trial, "a", "max_rss"), [vec![], vec![7.0], vec![]]);
    assert_eq!(numbers(&trial, "b", "wall"), [vec![7.0], vec![]]);
    assert_eq!(numbers(&trial, "b", "memory"), [vec![], vec![8.0]]);
    assert_eq!(
        notes(&trial),
        "the 1 warmup and calibration values of pyperf are not samples and were left out"
    );
}

#[test]
fn other_versions_are_refused_with_the_way_out() {
    for version in ["5", "\"2.0\"", "null"] {
        let said = refused(format!(r#"{{"version":{version},"benchmarks":[]}}"#), FORMAT);
        assert!(said.contains("pyperf convert"), "{said}");
    }
}

#[test]
fn impossible_values_are_refused_by_name() {
    let file = |values: &str, loops: &str| {
        format!(
            r#"{{"version":"1.0","benchmarks":[{{"metadata":{{"name":"a","loops":{loops},"inner_loops":2}},
                 "runs":[{{"values":{values}}}]}}]}}"#
        )
    };
    for (values, loops, word) in [
        ("[1.0,-2e-9]", "1", "\"a\", wall, sample 2: -0.000000002"),
        ("[1.0]", "0", "\"a\", launch 1: loops times inner_loops"),
        ("[1.0]", "9223372036854775808", "\"a\", launch 1: loops times inner_loops"),
        ("[1.0]", "1e3", "invalid type: floating point"),
        ("[1.0]", "-1", "invalid value"),
        ("[1e999]", "1", "number out of range"),
        ("[null]", "1", "invalid type: null"),
        ("[\"1\"]", "1", "invalid type: string"),
        ("[NaN]", "1", "line 2: NaN or Infinity stands where a number is needed"),
        ("3", "1", "invalid type: integer"),
    ] {
        let said = refused(file(values, loops), FORMAT);
        assert!(said.contains(word), "{values} {loops}: {said}");
    }
}

#[test]
fn files_without_a_value_hold_no_result() {
    for benchmarks in ["[]", r#"[{"runs":[]}]"#, r#"[{"runs":[{"warmups":[[1,2.0]]}]}]"#] {
        let said = refused(format!(r#"{{"version":"1.0","benchmarks":{benchmarks}}}"#), FORMAT);
        assert!(said.contains("holds no result"), "{said}");
    }
}

#[test]
fn cut_files_are_refused() {
    crate::foreign::every_cut_is_refused("pyperf/suite.json", FORMAT);
    let half = &fixture("pyperf/suite.json")[..4000];
    assert!(import(half, "half.json", None).unwrap_err().to_string().contains("ends too early"));
}

#[test]
fn no_damage_panics() {
    crate::foreign::no_damage_panics("pyperf/suite.json", FORMAT);
    crate::foreign::no_damage_panics("pyperf/memory.json", FORMAT);
}

#[test]
fn only_its_own_files_are_recognised() {
    crate::foreign::only_its_own_folder_is_recognised("pyperf", FORMAT);
}
