//! k6: the points of each request, and the figures of its summaries.

use crate::foreign::{
    no_damage_panics, notes, numbers, only_its_own_folder_is_recognised, refused, reported, series, trial,
    trial_of,
};
use evenhand_formats::import::Format;
use evenhand_trial::RoundId;

const FORMAT: Format = Format::K6;
const POST: &str = "POST https://httpbin.test.k6.io/post";

#[test]
fn the_requests_of_a_name_are_samples_and_a_failed_one_is_a_failure() {
    for file in ["k6/points.json", "k6/points-0.35.json"] {
        let trial = trial(file);
        assert_eq!(numbers(&trial, POST, "http_req_duration"), [[118.96, 104.25, 110.125]], "{file}");
        assert_eq!(numbers(&trial, POST, "http_req_blocked"), [[0.5, 1.5, 3.5]]);
        assert_eq!(series(&trial, POST)[0].rounds.iter(3).collect::<Vec<_>>(), [0, 1, 3]);
        let [failure] = trial.failures.as_slice() else { panic!("{:?}", trial.failures) };
        assert_eq!(
            (failure.round, failure.reason.to_string().as_str()),
            (RoundId(2), "not the expected response (500)")
        );
        assert_eq!(numbers(&trial, "default", "iteration_duration"), [[1104.25, 1110.125]]);
        assert_eq!(trial.metrics[0].name, "http_req_duration");
        assert!(trial.metrics.iter().all(|metric| metric.unit.symbol() == "ms"), "{:?}", trial.metrics);
        assert_eq!(trial.started.unwrap().to_string(), "2022-01-05T11:46:23.603474Z");
        assert!(notes(&trial).contains("sends no request while it waits"), "{}", notes(&trial));
    }
}

#[test]
fn a_summary_gives_figures() {
    let trial = trial("k6/summary-export.json");
    let arm = "summary-export";
    let duration = reported(&trial, arm, "http_req_duration")[0];
    assert_eq!((duration.mean, duration.median, duration.samples), (Some(144.5), Some(110.4), Some(100)));
    assert_eq!(duration.percentiles, [(90.0, 203.5), (95.0, 215.9)]);
    assert_eq!(reported(&trial, arm, "iteration_duration")[0].samples, Some(50));
    assert_eq!(trial.metric("my_trend").unwrap().1.unit.symbol(), "");
    assert_eq!((trial.metrics[0].name.as_str(), trial.sample_count()), ("http_req_duration", 0));
    assert!(notes(&trial).contains("2.00 % of the requests failed"), "{}", notes(&trial));
}

#[test]
fn the_object_of_handle_summary_gives_the_same_with_its_units() {
    let trial = trial("k6/handle-summary.json");
    let duration = reported(&trial, "handle-summary", "http_req_duration")[0];
    assert_eq!(duration.percentiles, [(90.0, 203.5), (99.9, 1100.5)]);
    assert_eq!((duration.mean, duration.samples), (Some(144.5), Some(100)));
    assert_eq!(trial.metric("my_sizes").unwrap().1.unit.symbol(), "B");
    assert!(!notes(&trial).contains("failed"));
}

#[test]
fn a_trend_without_requests_and_a_file_without_trends() {
    let lines = r#"{"type":"Metric","data":{"name":"t","type":"trend","contains":"default"},"metric":"t"}
        {"metric":"t","type":"Point","data":{"time":"2026-01-05T12:00:00Z","value":-2.5,"tags":null}}"#;
    let trial = trial_of(lines, FORMAT);
    assert_eq!(numbers(&trial, "default", "t"), [[-2.5]]);
    assert!(notes(&trial).is_empty());
    let counter = r#"{"type":"Metric","data":{"name":"c","type":"counter"},"metric":"c"}
        {"metric":"c","type":"Point","data":{"value":1}}"#;
    assert!(refused(counter, FORMAT).contains("holds no result"));
}

#[test]
fn damage_panics_nowhere_and_no_other_file_is_taken_for_one() {
    no_damage_panics("k6/points.json", FORMAT);
    no_damage_panics("k6/summary-export.json", FORMAT);
    only_its_own_folder_is_recognised("k6", FORMAT);
}
