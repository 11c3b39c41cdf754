//! The Bencher Metric Format: figures of any tool, with the units of the measures that Bencher defines.

use crate::foreign::{
    every_cut_is_refused, no_damage_panics, notes, only_its_own_folder_is_recognised, reported, trial,
    trial_of,
};
use evenhand_formats::import::Format;
use evenhand_trial::Better;

const FORMAT: Format = Format::Bencher;

#[test]
fn each_measure_of_a_benchmark_is_a_figure_with_its_unit() {
    let trial = trial("bencher/results.json");
    let latency = reported(&trial, "benchmark_name", "wall")[0];
    assert_eq!(
        (latency.mean, latency.more["lower_value"], latency.more["upper_value"]),
        (Some(88.0), 87.42, 88.88)
    );
    assert_eq!(reported(&trial, "my_binary", "file-size")[0].mean, Some(42.0));
    let units: Vec<_> = trial
        .metrics
        .iter()
        .map(|metric| (metric.name.as_str(), metric.unit.symbol(), metric.better))
        .collect();
    assert_eq!(
        units,
        [
            ("wall", "ns", Better::Lower),
            ("throughput", "ops/s", Better::Higher),
            ("crates", "", Better::Lower),
            ("file-size", "B", Better::Lower)
        ]
    );
    assert_eq!((trial.sample_count(), trial.groups().len()), (0, 2));
    assert!(notes(&trial).contains("no interval and no comparison can be made from it"), "{}", notes(&trial));
}

#[test]
fn a_benchmark_with_an_impossible_figure_is_left_out() {
    let trial = trial_of(r#"{"a":{"latency":{"value":-1}},"b":{"latency":{"value":2}}}"#, FORMAT);
    assert_eq!(trial.arms.len(), 1);
    assert!(notes(&trial).contains("\"a\", wall, reported mean: -1 is not a possible measurement"));
}

#[test]
fn damage_is_refused_and_no_other_file_is_taken_for_one() {
    every_cut_is_refused("bencher/results.json", FORMAT);
    no_damage_panics("bencher/results.json", FORMAT);
    only_its_own_folder_is_recognised("bencher", FORMAT);
}
