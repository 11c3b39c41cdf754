//! tinybench's results become a trial: every mapped field of real files, and what happens to broken ones.
use evenhand_formats::import::{Format, ImportError, import};
use evenhand_trial::{Better, Origin, Per, Reason, Trial, Whole};

const SAMPLES: &str = include_str!("../../fixtures/tinybench/samples.json");
const SUMMARY: &str = include_str!("../../fixtures/tinybench/summary.json");
const TABLE: &str = include_str!("../../fixtures/tinybench/table.json");
const OLD_SAMPLES: &str = include_str!("../../fixtures/tinybench/2.9.0/samples.json");
const OLD_TABLE: &str = include_str!("../../fixtures/tinybench/2.9.0/table.json");

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "bench.json", Some(Format::Tinybench))
}

fn recognised(text: &str) -> Trial {
    let trial = import(text.as_bytes(), "bench.json", None).unwrap();
    assert!(matches!(&trial.origin, Origin::Imported { format, .. } if format == "tinybench"));
    trial
}

fn tree(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

fn numbers(list: &serde_json::Value) -> Vec<f64> {
    list.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn samples_arrive_in_milliseconds() {
    let trial = recognised(SAMPLES);
    let file = tree(SAMPLES);
    assert_eq!(trial.arms.iter().map(|arm| &*arm.name).collect::<Vec<_>>(), ["busy", "busier", "throws"]);
    assert!(trial.arms.iter().all(|arm| arm.group.is_empty()), "tasks of one Bench are alternatives");
    for index in [0, 1] {
        assert_eq!(trial.series[index].values[0], numbers(&file[index]["result"]["latency"]["samples"]));
        assert_eq!(trial.series[index].iterations, Whole::Same { same: 1 });
    }
    let metric = &trial.metrics[0];
    assert_eq!((&*metric.name, metric.unit.symbol(), metric.per), ("wall", "ms", Per::Sample));
    assert_eq!(trial.environment.tools["node"], "20.20.2");
    assert_eq!(trial.environment.other["timestampProviderName"], "performanceNow");
    assert!(trial.notes.iter().any(|note| note.to_string().contains("sorts the samples")));
    assert!(
        matches!(&trial.failures[0].reason, Reason::Other { message } if message.contains("not in the file"))
    );
}

#[test]
fn a_summary_stays_a_summary() {
    let trial = recognised(SUMMARY);
    assert!(trial.series.is_empty());
    let theirs = &tree(SUMMARY)[0]["result"];
    let ours = &trial.reported[0];
    let figure = |name: &str| theirs["latency"][name].as_f64();
    assert_eq!(ours.samples, Some(20));
    assert_eq!((ours.min, ours.mean, ours.median), (figure("min"), figure("mean"), figure("p50")));
    assert_eq!((ours.max, ours.sd, ours.mean_error), (figure("max"), figure("sd"), figure("moe")));
    assert_eq!(ours.percentiles[2], (99.5, figure("p995").unwrap()));
    assert_eq!(ours.percentiles.len(), 4);
    assert_eq!(ours.more["mad"], figure("mad").unwrap());
    let rate = &trial.reported[1];
    let metric = &trial.metrics[rate.metric.index()];
    assert_eq!((&*metric.name, metric.unit.symbol(), metric.better), ("throughput", "ops/s", Better::Higher));
    assert_eq!(rate.mean, theirs["throughput"]["mean"].as_f64());
    assert_eq!(rate.median, theirs["throughput"]["p50"].as_f64());
}

#[test]
fn a_table_is_read_as_printed() {
    let trial = recognised(TABLE);
    let ours = &trial.reported[0];
    assert_eq!(tree(TABLE)[0]["Latency avg (ns)"], "437962 ± 2.60%");
    assert_eq!((ours.mean, ours.median, ours.samples), (Some(437_962.0), Some(428_665.0), Some(20)));
    assert!((ours.mean_error.unwrap() - 0.026 * 437_962.0).abs() < 1e-6);
    assert_eq!(trial.reported[1].mean, Some(2289.0));
    assert_eq!(trial.metrics[0].unit.symbol(), "ns");
    assert_eq!(trial.failures[0].reason, Reason::Other { message: "boom".to_owned() });
    assert!(trial.notes.iter().any(|note| note.to_string().contains("rounded")));
}

#[test]
fn version_2_is_read_too() {
    let trial = recognised(OLD_SAMPLES);
    assert_eq!(trial.series[1].values[0], numbers(&tree(OLD_SAMPLES)[1]["result"]["samples"]));
    let table = recognised(OLD_TABLE);
    assert_eq!(table.reported[0].mean, tree(OLD_TABLE)[0]["Average Time (ns)"].as_f64());
    assert_eq!(table.reported[1].mean, Some(2299.0), "a comma separates thousands");
    let error = table.reported[0].mean_error.unwrap() / table.reported[0].mean.unwrap();
    assert!((error - 0.0352).abs() < 1e-9);
}

fn with_result(result: &str) -> String {
    format!(r#"[{{"name":"a","result":{result}}}]"#)
}

#[test]
fn unfinished_tasks_are_failures_and_aborted_ones_are_marked() {
    let trial = read(&with_result(r#"{"state":"not-started","runtime":"bun"}"#)).unwrap();
    assert_eq!(trial.failures[0].reason, Reason::Other { message: "the task is not-started".to_owned() });
    let trial =
        read(&with_result(r#"{"state":"aborted-with-statistics","latency":{"samples":[1,2],"mean":1.5}}"#))
            .unwrap();
    assert_eq!(trial.series[0].values[0], [1.0, 2.0]);
    assert!(trial.notes.iter().any(|note| note.to_string().contains("aborted")));
    let trial = read(&with_result(r#"{"error":"no"}"#)).unwrap();
    assert_eq!(trial.failures[0].reason, Reason::Other { message: "no".to_owned() });
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let latency = |figures: &str| with_result(&format!(r#"{{"latency":{figures}}}"#));
    let row = |cells: &str| format!(r#"[{{"Task name":"a",{cells}}}]"#);
    let cases = [
        (latency(r#"{"mean":1,"samples":[1,-1]}"#), "sample 2: -1 is not"),
        (latency(r#"{"mean":1,"samples":[1,null]}"#), "null"),
        (latency(r#"{"mean":1,"samples":{}}"#), "a sequence"),
        (latency(r#"{"mean":-1}"#), "-1 is not a possible"),
        (latency(r#"{"mean":1e400}"#), "out of range"),
        (latency(r#"{"mean":1,"samplesCount":-1}"#), "invalid value"),
        (row(r#""Latency avg (ns)":"quick""#), "\"quick\" is not a number"),
        (row(r#""Latency avg (ns)":"-3 ± 1%""#), "-3 is not"),
        (row(r#""Samples":3"#), "neither a result nor"),
        (r#"[{"result":{}}]"#.to_owned(), "has no name"),
        ("[]".to_owned(), "holds no result"),
        ("{}".to_owned(), "a list of tasks"),
        ("[] []".to_owned(), "trailing"),
        (SAMPLES[..900].to_owned(), "ends too early"),
    ];
    for (text, expected) in cases {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:.100}: {error}");
    }
    assert!(read("").unwrap_err().to_string().contains("empty"));
    assert!(import(&b"[{\"name\":\"\xff\"}]"[..], "x", Some(Format::Tinybench)).is_err());
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    for end in (1..SAMPLES.trim_end().len()).step_by(11).filter(|end| SAMPLES.is_char_boundary(*end)) {
        assert!(read(&SAMPLES[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn results_beside_their_names_are_read_like_results_in_their_own_object() {
    for (text, latency) in [
        (include_str!("../../fixtures/tinybench/spread.json"), "latency"),
        (include_str!("../../fixtures/tinybench/2.9.0/spread.json"), ""),
    ] {
        let trial = recognised(text);
        let names: Vec<&str> = trial.arms.iter().map(|arm| &*arm.name).collect();
        assert_eq!(names, ["busy", "busier", "throws"]);
        let file = tree(text);
        for index in [0, 1] {
            let figures = if latency.is_empty() { &file[index] } else { &file[index][latency] };
            assert_eq!(trial.series[index].values[0], numbers(&figures["samples"]));
        }
        assert_eq!((trial.failures.len(), trial.metrics.len()), (1, 1));
    }
}
