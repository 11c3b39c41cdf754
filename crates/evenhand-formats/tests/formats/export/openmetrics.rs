//! OpenMetrics text: a snapshot that another program reads without complaint (`scripts/check_openmetrics.py`), and rules
//! of the format that hold for any trial.

use evenhand_formats::export::{ExportError, Format, export};
use evenhand_trial::{Better, Metric, Per, Trial, Unit};
use proptest::prelude::*;
use std::collections::HashSet;

const SNAPSHOT: &str = include_str!("../../fixtures/export/full.om");

fn text(trial: &Trial) -> String {
    let mut bytes = Vec::new();
    export(trial, Format::OpenMetrics, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn of_metrics(metrics: Vec<Metric>) -> String {
    let mut trial = crate::trials::small();
    for series in &mut trial.series {
        series.values = vec![series.values[0].clone(); metrics.len()];
    }
    trial.metrics = metrics;
    text(&trial)
}

fn families(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect()
}

/// With `BLESS=1` in the environment the snapshot is written again; then run the script on it.
#[test]
fn the_snapshot_that_another_program_has_read() {
    let text = text(&crate::trials::full());
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/export/full.om"), &text).unwrap();
    }
    assert_eq!(text, SNAPSHOT);
}

#[test]
fn figures_of_each_arm_in_seconds() {
    let mut trial = crate::trials::small();
    trial.series[0].values[0] = vec![4e6, f64::NAN, 1e6, 2e6, 3e6, 5e6];
    trial.series[1].values[0] = vec![8_123_456.0];
    let text = text(&trial);
    let expected = "\
        # TYPE evenhand_wall_seconds summary\n\
        # UNIT evenhand_wall_seconds seconds\n\
        # HELP evenhand_wall_seconds wall of one iteration; lower is better\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"0\"} 0.001\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"0.5\"} 0.003\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"0.9\"} 0.0046\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"0.95\"} 0.0048\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"0.99\"} 0.00496\n\
        evenhand_wall_seconds{arm=\"old\",quantile=\"1\"} 0.005\n\
        evenhand_wall_seconds_count{arm=\"old\"} 5\n\
        evenhand_wall_seconds_sum{arm=\"old\"} 0.015\n\
        evenhand_wall_seconds{arm=\"new\",quantile=\"0\"} 0.008123456\n";
    assert!(text.starts_with(expected), "{text}");
    assert!(
        text.ends_with("evenhand_trial{id=\"9f1c6a03d2b87e55\",state=\"complete\"} 1\n# EOF\n"),
        "{text}"
    );
}

#[test]
fn iterations_are_divided_out() {
    let mut trial = crate::trials::small();
    trial.series[0].iterations = evenhand_trial::Whole::Same { same: 1024 };
    assert!(text(&trial).contains("evenhand_wall_seconds{arm=\"old\",quantile=\"0\"} 7.9326376953125e-6\n"));
}

#[test]
fn quotes_backslashes_and_line_ends_are_escaped() {
    let text = text(&crate::trials::full());
    assert!(
        text.contains(r#"{arm="back\\slash \"quoted\"\nsecond, line",group="sort",quantile="0"}"#),
        "{text}"
    );
    assert!(text.contains(r#"label="before \"the\" change""#));
    assert!(
        text.contains(r"# HELP evenhand_cache_misses_count_value cache\nmisses_count in % of one iteration;")
    );
}

#[test]
fn a_metric_with_a_negative_number_is_no_summary() {
    let text = text(&crate::trials::full());
    assert!(text.contains("# TYPE evenhand_drift_seconds gauge\n"));
    assert!(!text.contains("evenhand_drift_seconds_sum"));
}

#[test]
fn a_metric_that_nobody_measured_is_not_there() {
    assert!(!text(&crate::trials::full()).contains("evenhand_never"));
}

#[test]
fn names_end_in_the_unit_and_in_no_word_of_the_format() {
    let of = |name: &str, unit: &str| {
        let text = of_metrics(vec![crate::trials::metric(name, unit, Per::Sample, Better::Higher)]);
        families(&text)[0].to_owned()
    };
    assert_eq!(of("wall", "us"), "evenhand_wall_seconds");
    assert_eq!(of("wall seconds", "ms"), "evenhand_wall_seconds");
    assert_eq!(of("max_rss", "MiB"), "evenhand_max_rss_bytes");
    assert_eq!(of("rate", "MB/s"), "evenhand_rate_MB_per_s");
    assert_eq!(of("faults", ""), "evenhand_faults");
    assert_eq!(of("faults_total", ""), "evenhand_faults_total_value");
    assert_eq!(of("calls", "count"), "evenhand_calls");
    assert_eq!(of("名前", "s"), "evenhand_metric_seconds");
    assert_eq!(of("failures", ""), "evenhand_failures_2");
}

#[test]
fn metrics_that_would_be_called_the_same_get_numbers() {
    let names = ["a b", "a-b", "a.b", "a b 2"];
    let text = of_metrics(names.map(|name| Metric::time(name, Unit::seconds())).into());
    let expected = [
        "evenhand_a_b_seconds",
        "evenhand_a_b_2_seconds",
        "evenhand_a_b_3_seconds",
        "evenhand_a_b_2_2_seconds",
    ];
    assert_eq!(families(&text)[..4], expected);
    // The number is free too.
    let text = of_metrics(["a b 2", "a b", "a-b"].map(|name| Metric::time(name, Unit::seconds())).into());
    assert_eq!(
        families(&text)[..3],
        ["evenhand_a_b_2_seconds", "evenhand_a_b_seconds", "evenhand_a_b_3_seconds"]
    );
}

#[test]
fn a_sum_beyond_all_doubles_is_spelled_as_the_format_asks() {
    let mut trial = crate::trials::small();
    trial.metrics[0].unit = Unit::seconds();
    trial.series[0].values[0] = vec![1.5e308; 2];
    assert!(text(&trial).contains("evenhand_wall_seconds_sum{arm=\"old\"} +Inf\n"));
}

#[test]
fn failures_alone_are_worth_a_file() {
    let mut trial = crate::trials::full();
    trial.series.clear();
    let text = text(&trial);
    assert_eq!(
        families(&text),
        ["evenhand_failures", "evenhand_trial", "evenhand_trial_started_timestamp_seconds"]
    );
    assert!(text.contains("\nevenhand_failures{arm=\"größe 名前\"} 1\n"));
    assert!(text.contains("\nevenhand_trial_started_timestamp_seconds 1795248000.25\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn every_line_is_one_of_the_format_and_none_comes_twice(trial in crate::trials::any_trial()) {
        prop_assume!(trial.sample_count() > 0);
        let mut bytes = Vec::new();
        if let Err(error) = export(&trial, Format::OpenMetrics, &mut bytes) {
            // Some numbers of the generator overflow when MiB become bytes.
            prop_assert!(bytes.is_empty() && matches!(error, ExportError::NoFigure { .. }), "{}", error);
            return Ok(());
        }
        let text = String::from_utf8(bytes).unwrap();
        let families = families(&text);
        let mut seen = HashSet::new();
        prop_assert!(families.iter().all(|family| seen.insert(*family)), "a family comes twice: {}", text);
        let mut lines: Vec<&str> = text.split_terminator('\n').collect();
        prop_assert_eq!(lines.pop(), Some("# EOF"));
        let mut series = HashSet::new();
        for line in lines.into_iter().filter(|line| !line.starts_with("# ")) {
            let (sample, number) = line.rsplit_once(' ').unwrap();
            prop_assert!(series.insert(sample), "{} comes twice", sample);
            prop_assert!(number.parse::<f64>().is_ok_and(|number| !number.is_nan()), "{}", line);
            let name = sample.split('{').next().unwrap();
            prop_assert!(name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'), "{}", line);
            let family = name.strip_suffix("_count").or(name.strip_suffix("_sum")).unwrap_or(name);
            prop_assert!(seen.contains(family), "{} is of no family", name);
        }
    }
}
