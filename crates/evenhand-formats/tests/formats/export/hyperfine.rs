//! hyperfine's JSON: the keys and types of real exports of hyperfine 1.20.0, and numbers checked by hand.

use evenhand_formats::export::{Format, export};
use evenhand_trial::{ArmId, Better, LaunchId, MetricId, Per, Reported, Series, Trial, Unit, Whole};
use proptest::prelude::*;
use serde_json::Value;

const REAL: &str = include_str!("../../fixtures/export/hyperfine-1.20.0.json");
const REAL_OF_ONE_RUN: &str = include_str!("../../fixtures/export/hyperfine-1.20.0-one-run.json");

fn text(trial: &Trial) -> String {
    let mut bytes = Vec::new();
    export(trial, Format::Hyperfine, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn results(trial: &Trial) -> Vec<Value> {
    serde_json::from_str::<Value>(&text(trial)).unwrap()["results"].as_array().unwrap().clone()
}

/// What hyperfine itself records, with its own numbers: times, user and system time, memory, a parameter.
fn as_measured(real: &str) -> Trial {
    let real: Value = serde_json::from_str(real).unwrap();
    let mut trial = crate::trials::small();
    trial.metrics = [("wall", "s"), ("max_rss", "B"), ("user", "s"), ("system", "s")]
        .map(|(name, unit)| crate::trials::metric(name, unit, Per::Iteration, Better::Lower))
        .into();
    trial.arms.clear();
    trial.series.clear();
    for (index, result) in real["results"].as_array().unwrap().iter().enumerate() {
        let mut arm = crate::trials::arm(result["command"].as_str().unwrap(), "");
        if let Some(parameters) = result["parameters"].as_object() {
            let texts =
                parameters.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
            arm.parameters = texts.collect();
        }
        let numbers = |key: &str| -> Vec<f64> {
            result[key].as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
        };
        trial.arms.push(arm);
        let mut series = Series::new(ArmId(index as u32), LaunchId(0), 4);
        series.values = vec![numbers("times"), numbers("memory_usage_byte"), Vec::new(), Vec::new()];
        trial.series.push(series);
        for (metric, key) in [(2, "user"), (3, "system")] {
            let mut reported = Reported::new(ArmId(index as u32), MetricId(metric));
            reported.mean = result[key].as_f64();
            trial.reported.push(reported);
        }
    }
    trial
}

/// The lines without their numbers: what is left are keys, types and their order.
fn shape(json: &str) -> Vec<String> {
    let number = |line: &str| {
        line.trim_end_matches(',').rsplit(' ').next().is_some_and(|end| end.parse::<f64>().is_ok())
    };
    let lines = json.lines().map(|line| match line.rsplit_once(' ') {
        Some((before, _)) if number(line) => format!("{before} number"),
        _ => line.to_owned(),
    });
    lines.collect()
}

#[test]
fn keys_order_and_layout_are_those_of_real_exports() {
    for real in [REAL, REAL_OF_ONE_RUN] {
        assert_eq!(shape(&text(&as_measured(real))), shape(real));
    }
}

#[test]
fn the_figures_of_real_exports_come_out_of_their_times() {
    for real in [REAL, REAL_OF_ONE_RUN] {
        let theirs: Value = serde_json::from_str(real).unwrap();
        for (ours, theirs) in results(&as_measured(real)).iter().zip(theirs["results"].as_array().unwrap()) {
            for key in ["command", "user", "system", "min", "max", "times", "memory_usage_byte", "exit_codes"]
            {
                assert_eq!(ours[key], theirs[key], "{key}");
            }
            for key in ["mean", "median", "stddev"] {
                let (Some(ours), Some(theirs)) = (ours[key].as_f64(), theirs[key].as_f64()) else {
                    assert_eq!((&ours[key], &theirs[key], key), (&Value::Null, &Value::Null, "stddev"));
                    continue;
                };
                assert!((ours - theirs).abs() <= 1e-12 * theirs, "{key}: {ours} and {theirs}");
            }
        }
    }
}

#[test]
fn times_are_seconds_of_one_iteration_without_digits_of_rounding() {
    let mut trial = crate::trials::small();
    trial.series[0].iterations = Whole::Each(vec![1, 1, 2]);
    let times = &results(&trial)[0]["times"];
    assert_eq!(times.to_string(), "[0.008123456,0.008123021,0.00410000025]");
    trial.metrics[0].unit = Unit::new("min");
    trial.series[0].values[0] = vec![1.0, 0.5, 2.0];
    assert_eq!(results(&trial)[0]["times"].to_string(), "[60.0,30.0,60.0]");
}

#[test]
fn launches_follow_each_other_and_missing_times_are_left_out_with_their_memory() {
    let mut trial = crate::trials::small();
    trial.metrics.push(crate::trials::metric("max_rss", "KiB", Per::Iteration, Better::Lower));
    let mut second = trial.series[0].clone();
    second.launch = LaunchId(1);
    trial.series[0].values = vec![vec![1e9, f64::NAN, 2e9], vec![1.0, 2.0, 3.0]];
    second.values = vec![vec![3e9], vec![4.0]];
    trial.series[1].values.push(vec![1.0, f64::NAN, 3.0]);
    trial.series.push(second);
    let results = results(&trial);
    assert_eq!(results[0]["times"].to_string(), "[1.0,2.0,3.0]");
    assert_eq!(results[0]["memory_usage_byte"].to_string(), "[1024,3072,4096]");
    assert_eq!(results[0]["exit_codes"].to_string(), "[0,0,0]");
    assert_eq!(results[0]["mean"], 2.0);
    assert_eq!(results[0]["stddev"], 1.0);
    assert_eq!(results[0]["median"], 2.0);
    // Known for some samples only: left out, not made up.
    assert_eq!(results[1].get("memory_usage_byte"), None);
}

#[test]
fn processor_times_that_nobody_measured_are_null() {
    let results = results(&crate::trials::small());
    assert_eq!((&results[0]["user"], &results[0]["system"]), (&Value::Null, &Value::Null));
}

#[test]
fn processor_times_are_means_of_samples_in_seconds() {
    let mut trial = crate::trials::small();
    trial.metrics.push(crate::trials::metric("user", "ms", Per::Sample, Better::Lower));
    trial.metrics.push(crate::trials::metric("system", "B", Per::Sample, Better::Lower));
    for series in &mut trial.series {
        series.iterations = Whole::Same { same: 2 };
        series.values.push(vec![2.0, f64::NAN, 6.0]);
        series.values.push(vec![1.0; 3]);
    }
    let results = results(&trial);
    assert_eq!(results[0]["user"], 0.002);
    // No time, whatever its name says.
    assert_eq!(results[0]["system"], Value::Null);
}

#[test]
fn a_figure_reported_of_one_launch_is_not_taken_for_that_of_all() {
    let mut trial = as_measured(REAL);
    trial.reported.iter_mut().for_each(|reported| reported.launch = Some(LaunchId(0)));
    assert_eq!(results(&trial)[0]["user"], Value::Null);
}

/// The first metric becomes a time that every arm has, of numbers that can be squared.
fn timed(mut trial: Trial) -> Trial {
    trial.metrics[0].unit = Unit::new("ms");
    for index in 0..trial.arms.len() {
        let mut series = Series::new(ArmId(index as u32), LaunchId(0), trial.metrics.len());
        series.values[0] = vec![1.5, 0.1][..=index % 2].to_vec();
        trial.series.push(series);
    }
    let numbers = trial.series.iter_mut().flat_map(|series| series.values.iter_mut().flatten());
    numbers
        .filter(|number| !(1e-100..1e100).contains(*number) && !number.is_nan())
        .for_each(|number| *number = 0.0);
    trial
}

proptest! {
    #[test]
    fn figures_fit_their_times(trial in crate::trials::any_trial()) {
        let trial = timed(trial);
        let results = results(&trial);
        prop_assert_eq!(results.len(), trial.arms.len());
        for result in results {
            let mut times: Vec<f64> = result["times"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
            times.sort_by(f64::total_cmp);
            let figure = |key: &str| result[key].as_f64().unwrap();
            prop_assert_eq!(figure("min"), times[0]);
            prop_assert_eq!(figure("max"), times[times.len() - 1]);
            prop_assert!(figure("min") <= figure("median") && figure("median") <= figure("max"));
            prop_assert!(figure("min") <= figure("mean") && figure("mean") <= figure("max"));
            prop_assert_eq!(result["exit_codes"].as_array().unwrap().len(), times.len());
            prop_assert_eq!(result["stddev"].is_null(), times.len() == 1);
        }
    }
}
