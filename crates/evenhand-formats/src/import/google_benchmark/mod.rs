//! What did Google Benchmark write with `--benchmark_out`? Repetitions as samples, or aggregates if it kept no more.
//!
//! ```text
//! {"context": {"date": "…", "num_cpus": 2, …}, "benchmarks": [
//!    {"name": "BM_A/8", "run_name": "BM_A/8", "run_type": "iteration", "repetition_index": 0, "iterations": 1000,
//!     "real_time": 1.5, "cpu_time": 1.5, "time_unit": "ns", "items_per_second": 6e8, …}, …]}
//! ```
//!
//! `real_time` and `cpu_time` are those of one iteration, in `time_unit`. Source: <https://github.com/google/benchmark>
//! (`src/json_reporter.cc`, `docs/user_guide.md`). The mapping is in `docs/formats/google_benchmark.md`; the entries
//! are gathered by benchmark in [`entries`].
//!
//! Tests: `tests/formats/import/google_benchmark.rs`.

mod entries;

use self::entries::{Aggregate, Benchmark, Collected, Series, Skipped};
use super::{Column, Draft, ImportErrorKind, Input, json_keys, loose_json, possible};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, Per, Reason, Reported, RoundId, Unit, Whole,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let has = |key| loose_json::has_key(head, key);
    match json_keys::first_keys(head, 1).as_slice() {
        ["context"] => has("num_cpus") || has("library_build_type") || has("real_time"),
        ["benchmarks"] => has("real_time") && has("cpu_time") && has("time_unit"),
        _ => false,
    }
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: WireFile = serde_json::from_reader(input)?;
    add_context(draft, file.context);
    note_complexities(draft, &file.benchmarks.complexities);
    if file.benchmarks.all.iter().all(|one| one.samples.is_empty() && one.aggregates.is_empty()) {
        draft.metric(metric("real_time", &Unit::nanoseconds()));
    }
    for benchmark in file.benchmarks.all {
        draft.add_or_leave_out(|draft| add_benchmark(draft, benchmark));
    }
    Ok(())
}

fn note_complexities(draft: &mut Draft, names: &[String]) {
    if let Some(first) = names.first() {
        draft.note(format!(
            "{} fits over several benchmarks (\"{}\" is the first) are no measurements and were left out.",
            names.len(),
            first.escape_debug()
        ));
    }
}

#[derive(Deserialize)]
struct WireFile {
    #[serde(default)]
    context: WireContext,
    benchmarks: Collected,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WireContext {
    date: Option<String>,
    host_name: Option<String>,
    num_cpus: Option<u32>,
    mhz_per_cpu: Option<f64>,
    load_avg: Vec<f64>,
    library_version: Option<String>,
    library_build_type: Option<String>,
    cpu_scaling_enabled: Option<bool>,
    #[serde(flatten)]
    more: BTreeMap<String, Value>,
}

fn add_context(draft: &mut Draft, context: WireContext) {
    draft.tool(&match &context.library_version {
        Some(version) => format!("Google Benchmark {version}"),
        None => "Google Benchmark".to_owned(),
    });
    if context.library_build_type.as_deref() == Some("debug") {
        draft.note("The library says it was built for debugging, which can make the times too long.");
    }
    if context.cpu_scaling_enabled == Some(true) {
        draft.note("The processor was allowed to change its frequency.");
    }
    let mut other: BTreeMap<String, String> =
        context.more.into_iter().map(|(key, value)| (key, as_text(value))).collect();
    match context.date.as_deref().map(str::parse) {
        Some(Ok(at)) => draft.started(at),
        Some(Err(_)) => other.extend(context.date.map(|date| ("date".to_owned(), date))),
        None => {}
    }
    other.extend(context.library_build_type.map(|kind| ("library_build_type".to_owned(), kind)));
    let environment = draft.environment();
    environment.host = context.host_name;
    environment.cpu.logical = context.num_cpus;
    environment.cpu.mhz = context.mhz_per_cpu;
    environment.load_average = context.load_avg.try_into().ok();
    environment.other = other;
}

fn as_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// Nothing says which benchmarks are alternatives to each other, so each is a group of its own.
fn add_benchmark(draft: &mut Draft, benchmark: Benchmark) -> Result<(), ImportErrorKind> {
    let place = format!("\"{}\"", benchmark.name.escape_debug());
    if let Some(what) = benchmark.wrong {
        return Err(ImportErrorKind::wrong(place, what));
    }
    let measured = !benchmark.samples.is_empty() || !benchmark.aggregates.is_empty();
    let unit = match benchmark.time_unit.as_deref() {
        None if !measured => Unit::nanoseconds(),
        unit => time_unit(unit, &place)?,
    };
    let mut arm = Arm { name: benchmark.name.clone(), group: benchmark.name.clone(), ..Arm::default() };
    arm.parameters.extend(benchmark.label.map(|label| ("label".to_owned(), label)));
    if let Some(threads) = benchmark.threads.filter(|threads| *threads > 1) {
        arm.parameters.insert("threads".to_owned(), threads.to_string());
    }
    let arm = draft.arm(arm);
    benchmark.skipped.into_iter().for_each(|skipped| add_skipped(draft, arm, skipped));
    if benchmark.samples.is_empty() {
        return add_aggregates(draft, arm, &benchmark.aggregates, &unit, &place);
    }
    let only_derived: Vec<Aggregate> =
        benchmark.aggregates.into_iter().filter(|one| !one.follows()).collect();
    add_samples(draft, arm, benchmark.samples, &unit, &place)?;
    add_aggregates(draft, arm, &only_derived, &unit, &place)
}

fn time_unit(unit: Option<&str>, place: &str) -> Result<Unit, ImportErrorKind> {
    match unit {
        Some("ns" | "us" | "ms" | "s") => Ok(Unit::new(unit.unwrap_or_default())),
        Some(other) => {
            Err(ImportErrorKind::wrong(place, format_args!("\"{}\" is no time_unit", other.escape_debug())))
        }
        None => Err(ImportErrorKind::wrong(place, "has no time_unit")),
    }
}

/// A run that broke off or was skipped is no sample.
fn add_skipped(draft: &mut Draft, arm: ArmId, skipped: Skipped) {
    let reason = Reason::Other { message: skipped.message };
    let round = RoundId(skipped.repetition);
    draft.failure(Failure { arm, launch: LaunchId(0), round, reason, seconds: None });
}

fn add_samples(
    draft: &mut Draft,
    arm: ArmId,
    series: Series,
    unit: &Unit,
    place: &str,
) -> Result<(), ImportErrorKind> {
    if series.iterations.contains(&0) {
        return Err(ImportErrorKind::wrong(place, "has a repetition of 0 iterations"));
    }
    let mut columns = Vec::with_capacity(series.columns.len());
    for (name, numbers) in series.columns {
        let column = draft.metric(metric(&name, unit));
        columns.push((column, numbers));
    }
    note_counters(draft, &columns);
    draft.samples_in_rounds(
        arm,
        LaunchId(0),
        rounds(series.repetitions),
        Whole::of(series.iterations),
        columns,
    )
}

fn note_counters(draft: &mut Draft, columns: &[(Column, Vec<f64>)]) {
    if columns.len() > 2 {
        draft.note(
            "The file does not say in which direction a counter is good: bytes_per_second and items_per_second \
             count as better when higher, all others when lower.",
        );
    }
}

/// The order of a benchmark's own repetitions is known; that among benchmarks is not.
fn rounds(repetitions: Vec<u64>) -> Whole {
    match repetitions.as_slice() {
        [one] => Whole::Counting { from: *one },
        _ => Whole::of(repetitions),
    }
}

fn add_aggregates(
    draft: &mut Draft,
    arm: ArmId,
    aggregates: &[Aggregate],
    unit: &Unit,
    place: &str,
) -> Result<(), ImportErrorKind> {
    let mut by_column: BTreeMap<&str, Vec<(&Aggregate, f64)>> = BTreeMap::new();
    for aggregate in aggregates {
        for (name, value) in &aggregate.figures {
            by_column.entry(name).or_default().push((aggregate, *value));
        }
    }
    if by_column.is_empty() {
        return Ok(());
    }
    draft.note(
        "Some benchmarks come as aggregates only: their single repetitions, and with them intervals and \
         percentiles, are not known.",
    );
    // Wall time first: the verdict is on the first metric.
    let mut names: Vec<&str> = by_column.keys().copied().collect();
    names.sort_by_key(|name| match *name {
        "real_time" => 0,
        "cpu_time" => 1,
        _ => 2,
    });
    for name in names {
        let column = draft.metric(metric(name, unit));
        let reported = figures(arm, column, &by_column[name], unit, place)?;
        if matches!(name, "real_time" | "cpu_time") {
            let known = [reported.mean, reported.median, reported.sd, reported.min, reported.max];
            known.into_iter().flatten().try_for_each(|time| possible::figure(place, time).map(drop))?;
        }
        draft.reported(column, reported);
    }
    Ok(())
}

fn figures(
    arm: ArmId,
    column: Column,
    aggregates: &[(&Aggregate, f64)],
    unit: &Unit,
    place: &str,
) -> Result<Reported, ImportErrorKind> {
    let mut reported = Reported::new(arm, column.metric);
    for (aggregate, value) in aggregates {
        let value = possible::finite(format_args!("{place}, {}", aggregate.name.escape_debug()), *value)?;
        reported.samples = reported.samples.or(aggregate.repetitions);
        match aggregate.name.as_str() {
            "mean" => reported.mean = Some(value),
            "median" => reported.median = Some(value),
            "stddev" => reported.sd = Some(value),
            "min" => reported.min = Some(value),
            "max" => reported.max = Some(value),
            // A ratio, whatever the unit.
            "cv" => drop(reported.more.insert("cv".to_owned(), value)),
            other => drop(reported.more.insert(format!("{other} ({unit})"), value)),
        }
    }
    Ok(reported)
}

fn metric(theirs: &str, time: &Unit) -> Metric {
    let (name, unit, better) = match theirs {
        "real_time" => ("wall", time.clone(), Better::Lower),
        "cpu_time" => ("cpu", time.clone(), Better::Lower),
        "bytes_per_second" => (theirs, Unit::new("B/s"), Better::Higher),
        "items_per_second" => (theirs, Unit::new("1/s"), Better::Higher),
        "max_bytes_used" | "total_allocated_bytes" => (theirs, Unit::bytes(), Better::Lower),
        _ => (theirs, Unit::count(), Better::Lower),
    };
    Metric { name: name.to_owned(), unit, per: Per::Iteration, better }
}
