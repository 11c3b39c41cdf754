//! mitata's JSON becomes a trial: every mapped field of real files, and what happens to broken ones.
use evenhand_formats::import::{Format, ImportError, import};
use evenhand_trial::{Better, Origin, Per, Reason, Trial, Whole};

const SAMPLES: &str = include_str!("../../fixtures/mitata/groups-samples.json");
const NO_SAMPLES: &str = include_str!("../../fixtures/mitata/groups-nosamples.json");
const BATCHED: &str = include_str!("../../fixtures/mitata/batched-samples.json");

fn read(text: &str) -> Result<Trial, ImportError> {
    import(text.as_bytes(), "bench.json", Some(Format::Mitata))
}

fn recognised(text: &str) -> Trial {
    let trial = import(text.as_bytes(), "bench.json", None).unwrap();
    let mitata = Some("mitata".to_owned());
    assert!(
        matches!(&trial.origin, Origin::Imported { format, tool, .. } if format == "mitata" && *tool == mitata)
    );
    trial
}

fn tree(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn samples_groups_arguments_and_failures_arrive() {
    let trial = recognised(SAMPLES);
    let file = tree(SAMPLES);
    let names: Vec<&str> = trial.arms.iter().map(|arm| arm.name.as_str()).collect();
    assert_eq!(names, ["busy(20000000)", "busy(40000000)", "busier", "throws"]);
    let groups: Vec<&str> = trial.arms.iter().map(|arm| arm.group.as_str()).collect();
    assert_eq!(groups, ["sums", "sums", "sums", "throws"]);
    let baselines: Vec<bool> = trial.arms.iter().map(|arm| arm.baseline).collect();
    assert_eq!(baselines, [true, false, false, false], "one baseline, although two arms are marked");
    assert_eq!(trial.arms[0].parameters["size"], "20000000");
    assert!(trial.schedule.is_none());

    let theirs = &file["benchmarks"][0]["runs"][0]["stats"]["samples"];
    assert_eq!(serde_json::to_value(&trial.series[0].values[0]).unwrap().as_array().unwrap().len(), 12);
    let ours: Vec<f64> = theirs.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect();
    assert_eq!(trial.series[0].values[0], ours);
    assert_eq!(trial.series[0].iterations, Whole::Same { same: 1 });

    let metric = &trial.metrics[0];
    assert_eq!((metric.name.as_str(), metric.unit.symbol(), metric.per), ("wall", "ns", Per::Iteration));
    assert_eq!(metric.better, Better::Lower);
    assert_eq!(trial.failures.len(), 1);
    assert_eq!(trial.failures[0].reason, Reason::Other { message: "boom".to_owned() });
    assert_eq!(trial.failures[0].arm.index(), 3);
    assert!(trial.notes.iter().any(|note| note.to_string().contains("sorts the samples")));
}

#[test]
fn heap_and_environment_arrive() {
    let trial = recognised(SAMPLES);
    let heap = &trial.reported[0];
    assert_eq!(trial.metrics[heap.metric.index()].name, "heap");
    assert_eq!(trial.metrics[heap.metric.index()].unit.symbol(), "B");
    let theirs = &tree(SAMPLES)["benchmarks"][0]["runs"][0]["stats"]["heap"];
    assert_eq!(heap.samples, theirs["_"].as_u64());
    assert_eq!(
        (heap.min, heap.mean, heap.max),
        (theirs["min"].as_f64(), theirs["avg"].as_f64(), theirs["max"].as_f64())
    );

    assert_eq!(trial.environment.tools["node"], "20.20.2");
    assert_eq!(trial.environment.cpu.model.as_deref(), Some("AMD EPYC"));
    assert_eq!(trial.environment.other["arch"], "x64-linux");
    assert_eq!(trial.started.unwrap().as_millisecond(), tree(SAMPLES)["context"]["now"].as_i64().unwrap());
}

#[test]
fn a_batch_is_a_sample_of_many_iterations() {
    let trial = recognised(BATCHED);
    assert!(trial.series.iter().all(|series| series.iterations == Whole::Same { same: 4096 }));
    assert_eq!(trial.arms[0].group, "summary");
    assert!(trial.arms[0].baseline && !trial.arms[1].baseline);
}

#[test]
fn figures_without_samples_stay_figures() {
    let trial = recognised(NO_SAMPLES);
    assert!(trial.series.is_empty());
    let (ours, theirs) = (&trial.reported[0], &tree(NO_SAMPLES)["benchmarks"][0]["runs"][0]["stats"]);
    let figure = |name: &str| theirs[name].as_f64();
    assert_eq!(
        (ours.min, ours.mean, ours.median, ours.max),
        (figure("min"), figure("avg"), figure("p50"), figure("max"))
    );
    let expected: Vec<(f64, f64)> = [(25.0, "p25"), (75.0, "p75"), (99.0, "p99"), (99.9, "p999")]
        .map(|(percent, name)| (percent, figure(name).unwrap()))
        .to_vec();
    assert_eq!(ours.percentiles, expected);
    assert_eq!(ours.samples, None, "how many samples there were is not in the file");
    assert_eq!(ours.more["ticks"], figure("ticks").unwrap());
    assert!(trial.notes.iter().any(|note| note.to_string().contains("without samples")));
}

fn with_stats(stats: &str) -> String {
    format!(
        r#"{{"layout":[{{"name":null,"types":[]}}],"benchmarks":[{{"group":0,"runs":[{{"name":"a\u0007","args":{{}},"stats":{stats}}}]}}]}}"#
    )
}

#[test]
fn broken_files_are_refused_with_the_place() {
    let cases = [
        (with_stats(r#"{"samples":[1.0,-2.0],"ticks":2}"#), r#""a\u{7}", wall, sample 2: -2 is not"#),
        (with_stats(r#"{"samples":[1.0,2.0],"ticks":3}"#), "3 calls do not fill 2 samples"),
        (with_stats(r#"{"samples":[1.0,2.0],"ticks":0}"#), "0 calls"),
        (with_stats(r#"{"samples":[1.0],"ticks":1e300}"#), "calls do not fill"),
        (with_stats(r#"{"samples":[1.0,null]}"#), "null"),
        (with_stats(r#"{"samples":["fast"]}"#), "string"),
        (with_stats(r#"{"samples":[1e999]}"#), "out of range"),
        (with_stats(r#"{"min":-1,"avg":2}"#), "-1 is not a possible"),
        (with_stats("null"), "neither stats nor an error"),
        (r#"{"layout":[],"benchmarks":[],"context":{"now":1e300}}"#.to_owned(), "context.now"),
        (r#"{"layout":[],"benchmarks":[]}"#.to_owned(), "holds no result"),
        ("[]".to_owned(), "invalid length"),
        (SAMPLES[..SAMPLES.len() / 2].to_owned(), "ends too early"),
    ];
    for (text, expected) in cases {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text:.100}: {error}");
    }
    assert!(read("").unwrap_err().to_string().contains("empty"));
    assert!(import(&b"{\"layout\":\"\xff\"}"[..], "x", Some(Format::Mitata)).is_err());
}

#[test]
fn every_cut_of_a_file_is_an_error() {
    for end in (1..SAMPLES.trim_end().len()).step_by(7) {
        assert!(read(&SAMPLES[..end]).is_err(), "cut at {end}");
    }
}

#[test]
fn two_summaries_with_baselines_do_not_meet() {
    let run = |group: u32, name: &str| {
        format!(
            r#"{{"group":{group},"baseline":true,"runs":[{{"name":"{name}","stats":{{"samples":[1,2],"ticks":2}}}}]}}"#
        )
    };
    let text = format!(
        r#"{{"layout":[{{"name":0,"types":[]}},{{"name":null,"types":["s"]}},{{"name":null,"types":["s"]}},{{"name":7,"types":["g"]}}],"benchmarks":[{},{},{},{}]}}"#,
        run(1, "a"),
        run(2, "a"),
        run(3, "b"),
        run(0, "c")
    );
    let trial = recognised(&text);
    let groups: Vec<&str> = trial.arms.iter().map(|arm| arm.group.as_str()).collect();
    assert_eq!(groups, ["summary", "summary (2)", "7", "c"]);
    assert_eq!(trial.arms[1].name, "a (2)");
}
