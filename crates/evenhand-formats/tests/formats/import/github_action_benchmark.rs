//! github-action-benchmark's data: the newest run of each suite, as figures.

use crate::foreign::{
    every_cut_is_refused, no_damage_panics, notes, only_its_own_folder_is_recognised, reported, trial,
    trial_of,
};
use evenhand_formats::import::Format;
use evenhand_trial::Better;

const FORMAT: Format = Format::GithubActionBenchmark;

#[test]
fn the_newest_run_of_a_suite_is_read() {
    let trial = trial("github-action-benchmark/data.js");
    let figure = reported(&trial, "parser: parse/text", "wall")[0];
    assert_eq!((trial.reported.len(), figure.mean), (1, Some(1_250_000.0)));
    assert_eq!(trial.metrics[0].unit.symbol(), "ns");
    assert!(notes(&trial).contains("the newest of 2 runs was read, of commit bbbbbbbb"), "{}", notes(&trial));
    assert!(trial.environment.git.unwrap().commit.starts_with("bbbbbbbb"));
    assert_eq!(trial.started, None);
}

#[test]
fn what_is_counted_by_time_is_better_when_there_is_more() {
    let trial = trial("github-action-benchmark/pytest.js");
    let name = "Benchmark: tests/test_components/test_logger.py::TestLogger::test_benchmark_log_method";
    assert_eq!(reported(&trial, name, "throughput")[0].mean, Some(131_091.842_226_683_16));
    let throughput = &trial.metrics[0];
    assert_eq!((throughput.unit.symbol(), throughput.better), ("iter/sec", Better::Higher));
    assert_eq!(trial.started.unwrap().as_millisecond(), 1_739_916_726_405);
}

#[test]
fn the_list_of_a_tool_of_ones_own_is_read_and_assumes_that_less_is_better() {
    let trial = trial("github-action-benchmark/custom.json");
    let names: Vec<_> = trial.metrics.iter().map(|metric| (metric.name.as_str(), metric.better)).collect();
    assert_eq!(names, [("value", Better::Lower), ("value (Megabytes each)", Better::Lower)]);
    assert!(notes(&trial).contains("which direction is better: lower is assumed"), "{}", notes(&trial));
    let bigger = r#"window.BENCHMARK_DATA = {"entries":{"s":[{"commit":{"id":"c"},"date":0,"tool":"customBiggerIsBetter",
        "benches":[{"name":"n","unit":"ms","value":1}]}]}};"#;
    let trial = trial_of(bigger, FORMAT);
    assert_eq!((trial.metrics[0].name.as_str(), trial.metrics[0].better), ("value", Better::Higher));
}

#[test]
fn damage_is_refused_and_no_other_file_is_taken_for_one() {
    every_cut_is_refused("github-action-benchmark/pytest.js", FORMAT);
    no_damage_panics("github-action-benchmark/data.js", FORMAT);
    only_its_own_folder_is_recognised("github-action-benchmark", FORMAT);
}
