//! What do tinybench's results say? (<https://github.com/tinylibs/tinybench>)
//!
//! tinybench writes no file. People write one of these with `JSON.stringify`:
//!
//! ```text
//! bench.tasks.map(t => ({ name: t.name, result: t.result }))
//!    [{"name": "sort", "result": {"state": "completed", "latency": {"samples": [0.42, …], "mean": 0.44, …}, …}}]
//! bench.tasks.map(t => ({ name: t.name, ...t.result }))
//!    [{"name": "sort", "state": "completed", "latency": {"samples": [0.42, …], "mean": 0.44, …}, …}]
//! bench.table()
//!    [{"Task name": "sort", "Latency avg (ns)": "437962 ± 2.60%", "Samples": 20, …}]
//! ```
//!
//! Results are in milliseconds; up to version 2 the figures of `latency` stand in `result` itself. Samples are kept only
//! with `retainSamples: true` since version 4, and always sorted. A table is rounded text.
//!
//! Left out: the samples of the throughput, which are 1000 / latency.
//!
//! Tests: `tests/formats/import/tinybench.rs`.

use super::javascript::{Thrown, failure};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::fmt;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let Some(object) = head.trim_ascii_start().strip_prefix(b"[") else { return false };
    let Some(first_key) = object.trim_ascii_start().strip_prefix(b"{") else { return false };
    let first_key = first_key.trim_ascii_start();
    let has = |word: &str| head.windows(word.len()).any(|window| window == word.as_bytes());
    let figures = || has("\"latency\"") || has("\"hz\"");
    let outcome = || has("\"result\"") && (has("\"state\"") || has("\"error\""));
    first_key.starts_with(b"\"Task name\"")
        || first_key.starts_with(b"\"Task Name\"")
        || (first_key.starts_with(b"\"name\"") && (figures() || outcome()))
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.tool("tinybench");
    let mut json = serde_json::Deserializer::from_reader(input);
    Tasks { draft }.deserialize(&mut json)?;
    Ok(json.end()?)
}

/// Takes one task after the other, so that only one is in memory beside the draft.
struct Tasks<'a> {
    draft: &'a mut Draft,
}

impl<'de> DeserializeSeed<'de> for Tasks<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Tasks<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tasks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(task) = list.next_element::<Task>()? {
            self.draft.add_or_leave_out(|draft| read_task(task, draft));
        }
        Ok(())
    }
}

fn read_task(mut task: Task, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let Some(name) = task.name.take() else {
        return Err(ImportErrorKind::wrong("a task", "has no name; write { name, result } for each task"));
    };
    // The tasks of one Bench are printed side by side: they are alternatives.
    let arm = draft.arm(Arm { name: name.clone(), ..Arm::default() });
    match task.result.take() {
        Some(result) => read_result(*result, arm, &name, draft),
        None if task.is_result() => read_result(task, arm, &name, draft),
        None => read_row(task, arm, &name, draft),
    }
}

fn read_result(mut result: Task, arm: ArmId, name: &str, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    read_environment(&mut result, draft);
    let column = draft.metric(Metric::time("wall", Unit::new("ms")));
    if let Some(error) = result.error {
        draft.failure(failure(arm, error.text()));
        return Ok(());
    }
    let state = result.state.take();
    let throughput = result.throughput.take();
    let latency = result.latency.take().map_or(result, |latency| *latency);
    if latency.mean.is_none() {
        let state = state.unwrap_or_else(|| "without figures".to_owned());
        draft.failure(failure(arm, Some(format!("the task is {state}"))));
        return Ok(());
    }
    if state.is_some_and(|state| state != "completed") {
        draft.note(format!("\"{}\" was aborted before its end", name.escape_debug()));
    }
    let has_samples = latency.has_samples();
    add_latency(latency, arm, column, NO_SAMPLES, draft)?;
    if !has_samples {
        report_rates(throughput, arm, draft);
    }
    Ok(())
}

/// The samples, or the figures with the reason why there are no more.
pub(super) fn add_latency(
    mut latency: Task,
    arm: ArmId,
    column: Column,
    no_samples: &str,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    if latency.has_samples() {
        draft.note(SORTED);
        draft.order_is_lost(arm);
        let samples = latency.samples.take().unwrap_or_default();
        return draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(column, samples)]);
    }
    draft.note(no_samples);
    report_latency(latency, arm, column, draft);
    Ok(())
}

const SORTED: &str = "tinybench sorts the samples: their order and their autocorrelation cannot be known";
const NO_SAMPLES: &str = "written without samples: neither an interval nor a test can be made from the figures; run \
     with retainSamples: true";
const TABLE: &str = "a printed table: figures are rounded and there are no samples; write \
     bench.tasks.map(t => ({ name: t.name, result: t.result })) of a Bench with retainSamples: true";

fn read_environment(result: &mut Task, draft: &mut Draft) {
    let environment = draft.environment();
    if let Some(runtime) = result.runtime.take() {
        environment.tools.insert(runtime, result.runtime_version.take().unwrap_or_default());
    }
    let clock = result.clock.take().map(|clock| ("timestampProviderName".to_owned(), clock));
    environment.other.extend(clock);
}

fn report_latency(figures: Task, arm: ArmId, column: Column, draft: &mut Draft) {
    let percentiles = [(75.0, figures.p75), (99.0, figures.p99), (99.5, figures.p995), (99.9, figures.p999)];
    let more = [("mad", figures.mad), ("aad", figures.aad), ("sem", figures.sem)];
    let reported = Reported {
        samples: figures.count,
        min: figures.min,
        mean: figures.mean,
        median: figures.p50,
        max: figures.max,
        sd: figures.sd,
        mean_error: figures.moe,
        percentiles: percentiles.into_iter().filter_map(|(percent, value)| Some((percent, value?))).collect(),
        more: more.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, reported);
}

fn report_rates(rates: Option<Rates>, arm: ArmId, draft: &mut Draft) {
    let Some(rates) = rates.filter(|rates| rates.mean.is_some()) else { return };
    let column = draft.metric(throughput());
    let reported = Reported {
        min: rates.min,
        mean: rates.mean,
        median: rates.p50,
        max: rates.max,
        sd: rates.sd,
        mean_error: rates.moe,
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, reported);
}

/// A row of `bench.table()`.
fn read_row(row: Task, arm: ArmId, name: &str, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let column = draft.metric(Metric::time("wall", Unit::nanoseconds()));
    if let Some(error) = row.row_error {
        draft.failure(failure(arm, Some(error)));
        return Ok(());
    }
    draft.note(TABLE);
    let place = |column: &str| format!("\"{}\", {column}", name.escape_debug());
    let cell = |cell: Option<Cell>, column: &str| cell.map(|cell| cell.read(&place(column))).transpose();
    let (mean, mut margin) = cell(row.row_mean, "latency")?.unwrap_or_default();
    if let Some((_, alone)) = cell(row.row_margin, "Margin")? {
        margin = alone;
    }
    if mean.is_none() {
        return Err(ImportErrorKind::wrong(place("table"), "has neither a result nor a latency column"));
    }
    let reported = Reported {
        samples: row.row_samples,
        mean,
        median: cell(row.row_median, "latency median")?.and_then(|(median, _)| median),
        mean_error: mean.zip(margin).map(|(mean, percent)| percent / 100.0 * mean),
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, reported);
    let mean = cell(row.row_rate, "throughput")?.and_then(|(rate, _)| rate);
    let rates = Rates { mean, moe: None, min: None, p50: None, max: None, sd: None };
    report_rates(Some(rates), arm, draft);
    Ok(())
}

fn throughput() -> Metric {
    Metric {
        name: "throughput".to_owned(),
        unit: Unit::new("ops/s"),
        per: Per::Iteration,
        better: Better::Higher,
    }
}

/// A task with its result in it or beside its name, the `latency` in a result, which has the same figures one level
/// deeper since version 3, or a row of `bench.table()`. Spelled out because serde's `flatten` would hold every sample
/// in memory four times over.
#[derive(Deserialize)]
pub(super) struct Task {
    #[serde(alias = "Task name", alias = "Task Name")]
    pub(super) name: Option<String>,
    result: Option<Box<Task>>,
    state: Option<String>,
    error: Option<Thrown>,
    latency: Option<Box<Task>>,
    throughput: Option<Rates>,
    runtime: Option<String>,
    #[serde(rename = "runtimeVersion")]
    runtime_version: Option<String>,
    #[serde(rename = "timestampProviderName")]
    clock: Option<String>,
    samples: Option<Vec<f64>>,
    #[serde(rename = "samplesCount", alias = "sampleCount")]
    count: Option<u64>,
    min: Option<f64>,
    pub(super) mean: Option<f64>,
    max: Option<f64>,
    sd: Option<f64>,
    sem: Option<f64>,
    moe: Option<f64>,
    aad: Option<f64>,
    mad: Option<f64>,
    #[serde(alias = "median")]
    p50: Option<f64>,
    p75: Option<f64>,
    p99: Option<f64>,
    p995: Option<f64>,
    p999: Option<f64>,
    #[serde(rename = "Latency avg (ns)", alias = "Latency average (ns)", alias = "Average Time (ns)")]
    row_mean: Option<Cell>,
    #[serde(rename = "Latency med (ns)", alias = "Latency median (ns)")]
    row_median: Option<Cell>,
    #[serde(rename = "Throughput avg (ops/s)", alias = "Throughput average (ops/s)", alias = "ops/sec")]
    row_rate: Option<Cell>,
    #[serde(rename = "Margin")]
    row_margin: Option<Cell>,
    #[serde(rename = "Samples")]
    row_samples: Option<u64>,
    #[serde(rename = "Error")]
    row_error: Option<String>,
}

impl Task {
    fn is_result(&self) -> bool {
        self.state.is_some() || self.error.is_some() || self.latency.is_some() || self.mean.is_some()
    }

    fn has_samples(&self) -> bool {
        self.samples.as_ref().is_some_and(|samples| !samples.is_empty())
    }
}

/// Operations a second. Its samples are 1000 / latency.
#[derive(Deserialize)]
struct Rates {
    mean: Option<f64>,
    moe: Option<f64>,
    min: Option<f64>,
    p50: Option<f64>,
    max: Option<f64>,
    sd: Option<f64>,
}

/// `437962 ± 2.60%`, `2,299`, `±3.52%` or a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Cell {
    Number(f64),
    Text(String),
}

impl Cell {
    /// The number, and the margin in percent of it. A cell may hold only one of them.
    fn read(self, place: &str) -> Result<(Option<f64>, Option<f64>), ImportErrorKind> {
        let text = match self {
            Self::Number(value) => return Ok((Some(value), None)),
            Self::Text(text) => text,
        };
        let (value, margin) = text.split_once('±').unwrap_or((&text, ""));
        let parse = |text: &str| text.trim().replace(',', "").parse::<f64>().ok().filter(|n| n.is_finite());
        let (number, percent) = (parse(value), margin.trim().strip_suffix('%').and_then(parse));
        if number.is_none() && (percent.is_none() || !value.trim().is_empty()) {
            return Err(ImportErrorKind::wrong(
                place,
                format_args!("\"{}\" is not a number", text.escape_debug()),
            ));
        }
        Ok((number, percent))
    }
}
