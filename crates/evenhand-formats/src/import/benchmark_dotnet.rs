//! What does a file of BenchmarkDotNet say? What its full JSON exporter writes (`*-report-full.json`).
//!
//! ```json
//! {"Title":"Demo.Words-20260101-120000","HostEnvironmentInfo":{"BenchmarkDotNetVersion":"0.14.0"},
//!  "Benchmarks":[{"DisplayInfo":"Words.Count: DefaultJob [Length=16]","Parameters":"Length=16",
//!                 "FullName":"Demo.Words.Count(Length: 16)","Statistics":{"OriginalValues":[250.0],"Mean":250.0},
//!                 "Measurements":[{"IterationMode":"Workload","IterationStage":"Result","LaunchIndex":1,
//!                                  "IterationIndex":1,"Operations":4096,"Nanoseconds":1024000}]}]}
//! ```
//!
//! A benchmark case is an arm; cases of one name under several jobs are one group. A measurement of mode `Workload` and
//! stage `Result` is a sample of `Operations` iterations; `LaunchIndex` is the launch. `Result` is `Actual` less the
//! tool's overhead and without what it took for outliers: the note says how many. Without `Result` the `Actual` ones
//! are taken, without measurements (the brief exporter) the values of one operation in `OriginalValues`. Before 0.11.2 the
//! two were modes, `Result` and `MainTarget`, and there was no stage.
//!
//! Format: <https://github.com/dotnet/BenchmarkDotNet/blob/master/src/BenchmarkDotNet/Exporters/Json/JsonExporterBase.cs>,
//! and for the older modes its `docs/articles/guides/how-it-works.md` of 0.11.1; what `Result` leaves out: `Engines/RunResults.cs` there.
//!
//! Tests: `tests/formats/import/benchmark_dotnet.rs`.

use super::loose_json::{Number, after_mark, each_of, has_key, remember, skip_mark, words};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, MetricId, Per, Reason, Reported, RoundId, Unit, Whole,
};
use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

pub(super) fn looks_like(head: &[u8]) -> bool {
    after_mark(head).starts_with(b"{")
        && has_key(head, "HostEnvironmentInfo")
        && (has_key(head, "BenchmarkDotNetVersion") || has_key(head, "Benchmarks"))
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    skip_mark(&mut input)?;
    let file: WireFile = serde_json::from_reader(input)?;
    keep_environment(file.host_environment_info, draft);
    let mut same_name: HashMap<String, usize> = HashMap::new();
    for case in &file.benchmarks {
        *same_name.entry(case.full_name.clone()).or_default() += 1;
    }
    let mut left_out = 0;
    for case in file.benchmarks {
        let several = same_name.get(&case.full_name).is_some_and(|count| *count > 1);
        left_out += draft.add_or_leave_out(|draft| add_case(case, several, draft));
    }
    if left_out > 0 {
        draft.note(format!(
            "BenchmarkDotNet classified {left_out} measurements as outliers and removed them: they are not among the samples"
        ));
    }
    Ok(())
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireFile {
    #[serde(default)]
    host_environment_info: BTreeMap<String, Value>,
    benchmarks: Vec<WireCase>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireCase {
    full_name: String,
    display_info: Option<String>,
    parameters: Option<String>,
    statistics: Option<WireStatistics>,
    memory: Option<WireMemory>,
    #[serde(default)]
    measurements: Kept,
    #[serde(default)]
    metrics: Vec<WireFigure>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireStatistics {
    original_values: Option<Vec<f64>>,
    #[serde(rename = "N")]
    n: Option<u64>,
    min: Option<Number>,
    mean: Option<Number>,
    median: Option<Number>,
    max: Option<Number>,
    standard_deviation: Option<Number>,
    standard_error: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireMemory {
    bytes_allocated_per_operation: Option<Number>,
    gen0_collections: Option<Number>,
    gen1_collections: Option<Number>,
    gen2_collections: Option<Number>,
    total_operations: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireFigure {
    value: Number,
    descriptor: WireDescriptor,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireDescriptor {
    id: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    the_greater_the_better: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct WireMeasurement {
    iteration_mode: Mode,
    iteration_stage: Option<Stage>,
    launch_index: u32,
    operations: u64,
    nanoseconds: f64,
}

#[derive(Deserialize, PartialEq)]
enum Mode {
    Workload,
    Result,
    MainTarget,
    #[serde(other)]
    Other,
}

#[derive(Deserialize, PartialEq)]
enum Stage {
    Actual,
    Result,
    #[serde(other)]
    Other,
}

/// The measurements of the workload, by launch. The others are passed over while the file is read.
#[derive(Default)]
struct Kept {
    results: BTreeMap<u32, Batches>,
    actual: BTreeMap<u32, Batches>,
}

#[derive(Default)]
struct Batches {
    operations: Vec<u64>,
    nanoseconds: Vec<f64>,
}

impl Kept {
    fn keep(&mut self, measurement: &WireMeasurement) {
        let launches = match (&measurement.iteration_mode, &measurement.iteration_stage) {
            (Mode::Workload, Some(Stage::Result)) | (Mode::Result, None) => &mut self.results,
            (Mode::Workload, Some(Stage::Actual)) | (Mode::MainTarget, None) => &mut self.actual,
            _ => return,
        };
        let batches = launches.entry(measurement.launch_index).or_default();
        batches.operations.push(measurement.operations);
        batches.nanoseconds.push(measurement.nanoseconds);
    }

    /// The samples, and how many measurements the tool left out of them.
    fn samples(self) -> (BTreeMap<u32, Batches>, usize) {
        let (results, actual) = (count(&self.results), count(&self.actual));
        if results == 0 { (self.actual, 0) } else { (self.results, actual.saturating_sub(results)) }
    }
}

fn count(launches: &BTreeMap<u32, Batches>) -> usize {
    launches.values().map(|batches| batches.nanoseconds.len()).sum()
}

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut kept = Self::default();
        each_of(deserializer, "a list of measurements", |measurement| {
            kept.keep(&measurement);
            Ok(())
        })?;
        Ok(kept)
    }
}

/// Adds a case, and says how many of its measurements the tool left out.
fn add_case(case: WireCase, several_jobs: bool, draft: &mut Draft) -> Result<usize, ImportErrorKind> {
    let name = match case.display_info.as_deref().and_then(job_of).filter(|_| several_jobs) {
        Some(job) => format!("{} [{job}]", case.full_name),
        None => case.full_name.clone(),
    };
    let parameters = parameters_of(case.parameters.as_deref().unwrap_or_default());
    let arm = draft.arm(Arm { name: name.clone(), group: case.full_name, parameters, ..Arm::default() });
    let (launches, left_out) = case.measurements.samples();
    match case.statistics {
        _ if !launches.is_empty() => add_launches(arm, &name, launches, draft)?,
        Some(statistics) => add_statistics(arm, statistics, draft)?,
        None => add_failure(arm, draft),
    }
    add_figures(arm, case.memory, &case.metrics, draft);
    Ok(left_out)
}

/// `Words.Count: Job-ABC(Runtime=.NET 8.0) [Length=16]` → `Job-ABC(Runtime=.NET 8.0)`
fn job_of(display: &str) -> Option<&str> {
    let (_, rest) = display.split_once(": ")?;
    Some(rest.split_once(" [").map_or(rest, |(job, _)| job))
}

fn parameters_of(text: &str) -> BTreeMap<String, String> {
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

fn add_launches(
    arm: ArmId,
    name: &str,
    launches: BTreeMap<u32, Batches>,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    let column = draft.metric(Metric::time("wall", Unit::nanoseconds()));
    for (launch, (index, batches)) in launches.into_iter().enumerate() {
        if let Some(at) = batches.operations.iter().position(|operations| *operations == 0) {
            return Err(ImportErrorKind::wrong(
                format_args!("\"{}\", launch {index}, measurement {}", name.escape_debug(), at + 1),
                "has 0 operations",
            ));
        }
        let columns = vec![(column, batches.nanoseconds)];
        draft.samples(arm, LaunchId(launch as u32), Whole::of(batches.operations), columns)?;
    }
    Ok(())
}

/// Without measurements: the values of one operation each if they are there, else what was reported.
fn add_statistics(arm: ArmId, statistics: WireStatistics, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let column = draft.metric(Metric { per: Per::Iteration, ..Metric::time("wall", Unit::nanoseconds()) });
    if let Some(values) = statistics.original_values.filter(|values| !values.is_empty()) {
        draft.note(
            "the file has no measurements, only values of one operation: how many operations each is from, in which \
             launch it was taken, and what was left out as an outlier is not known; export with JsonExporter.Full",
        );
        return draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(column, values)]);
    }
    draft.note(
        "the file has only figures of the measurements: no interval and no comparison can be made from it",
    );
    let finite = |figure: Option<Number>| figure.and_then(Number::finite);
    let reported = Reported {
        samples: statistics.n,
        min: finite(statistics.min),
        mean: finite(statistics.mean),
        median: finite(statistics.median),
        max: finite(statistics.max),
        sd: finite(statistics.standard_deviation),
        mean_error: finite(statistics.standard_error),
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, reported);
    Ok(())
}

fn add_failure(arm: ArmId, draft: &mut Draft) {
    // A trial needs a metric, also one where everything failed.
    draft.metric(Metric::time("wall", Unit::nanoseconds()));
    draft.failure(Failure {
        arm,
        launch: LaunchId(0),
        round: RoundId(0),
        reason: Reason::Other { message: "BenchmarkDotNet has no figures for it".to_owned() },
        seconds: None,
    });
}

/// What the diagnosers add: one figure for the whole case.
fn add_figures(arm: ArmId, memory: Option<WireMemory>, figures: &[WireFigure], draft: &mut Draft) {
    for figure in figures.iter().filter(|figure| figure.value.0.is_finite()) {
        let better = if figure.descriptor.the_greater_the_better { Better::Higher } else { Better::Lower };
        let unit = Unit::new(&figure.descriptor.unit);
        let column =
            draft.metric(Metric { name: figure.descriptor.id.clone(), unit, per: Per::Iteration, better });
        draft.reported(column, Reported { mean: figure.value.finite(), ..Reported::new(arm, column.metric) });
    }
    let Some(memory) = memory else { return };
    let metric = Metric {
        name: "allocated".to_owned(),
        unit: Unit::bytes(),
        per: Per::Iteration,
        better: Better::Lower,
    };
    let column = draft.metric(metric);
    draft.reported(column, memory_figures(arm, column.metric, &memory));
}

fn memory_figures(arm: ArmId, metric: MetricId, memory: &WireMemory) -> Reported {
    let more = [
        ("gen0_collections", memory.gen0_collections),
        ("gen1_collections", memory.gen1_collections),
        ("gen2_collections", memory.gen2_collections),
        ("total_operations", memory.total_operations),
    ];
    let known = |(name, figure): (&str, Option<Number>)| Some((name.to_owned(), figure?.finite()?));
    Reported {
        mean: memory.bytes_allocated_per_operation.and_then(Number::finite),
        more: more.into_iter().filter_map(known).collect(),
        ..Reported::new(arm, metric)
    }
}

fn keep_environment(host: BTreeMap<String, Value>, draft: &mut Draft) {
    if let Some(version) = host.get("BenchmarkDotNetVersion").and_then(words) {
        draft.tool(&format!("BenchmarkDotNet {version}"));
    }
    let environment = draft.environment();
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    for (key, value) in &host {
        match (key.as_str(), words(value)) {
            ("BenchmarkDotNetVersion" | "BenchmarkDotNetCaption", _) => {}
            ("OsVersion", system) => environment.system = system,
            ("ProcessorName", model) => environment.cpu.model = model,
            ("LogicalCoreCount", _) => environment.cpu.logical = number(value),
            ("PhysicalCoreCount", _) => environment.cpu.cores = number(value),
            ("Architecture", architecture) => environment.architecture = architecture,
            ("RuntimeVersion", Some(version)) => {
                environment.tools.insert("runtime".to_owned(), version);
            }
            ("DotNetCliVersion", Some(version)) => {
                environment.tools.insert("dotnet".to_owned(), version);
            }
            _ => remember(environment, "", key, value),
        }
    }
}
