//! What does a file of JMH say? What `-rf json`, `-rf csv` and `-rf scsv` write.
//!
//! ```json
//! [{"jmhVersion":"1.37","benchmark":"demo.Words.sum","mode":"avgt","threads":1,"forks":2,"params":{"length":"16"},
//!   "primaryMetric":{"score":9.1,"scoreError":0.4,"scorePercentiles":{"0.0":9.0},"scoreUnit":"ns/op",
//!                    "rawData":[[9.0,9.1],[9.2,9.1]]},
//!   "secondaryMetrics":{"gc.time":{"score":5.0,"scoreUnit":"ms","rawData":[[2.0,3.0],[0.0,0.0]]}}}]
//! ```
//!
//! A benchmark with its parameters is an arm, a fork a launch, an iteration a sample: `rawData[fork][iteration]` is the
//! mean of one operation, or operations by time in the mode `thrpt`, over a number of operations that the file does not
//! say. The mode `sample` has a histogram for each iteration instead; they are kept as one for each fork, and the
//! percentiles that JMH repeats as secondary metrics are left out.
//!
//! CSV has the figures only, secondary metrics as rows of their own:
//!
//! ```text
//! "Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: length"
//! "demo.Words.sum","avgt",1,10,9.123456,0.412345,"ns/op",16
//! "demo.Words.sum:gc.time","avgt",1,10,5.000000,NaN,"ms",16
//! ```
//!
//! Format: <https://github.com/openjdk/jmh/blob/master/jmh-core/src/main/java/org/openjdk/jmh/results/format/JSONResultFormat.java>
//! and `XSVResultFormat.java` beside it.
//!
//! Tests: `tests/formats/import/jmh.rs`.

use super::figures::{self, Row};
use super::headings::begin_with;
use super::loose_json::{Number, after_mark, has_key, remember, skip_mark};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, HashSet};
use std::io::BufRead;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let is_json = after_mark(head).starts_with(b"[")
        && has_key(head, "benchmark")
        && has_key(head, "mode")
        && (has_key(head, "primaryMetric") || has_key(head, "measurementIterations"));
    is_json || begin_with(head, &HEADINGS)
}

const HEADINGS: [&str; 4] = ["Benchmark", "Mode", "Score", "Score Error (99.9%)"];

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    skip_mark(&mut input)?;
    let entries = match begin_with(input.fill_buf()?, &HEADINGS) {
        true => entries_of_table(input)?,
        false => serde_json::from_reader::<_, Vec<WireEntry>>(input)?,
    };
    let mut names = HashSet::new();
    for entry in entries {
        draft.add_or_leave_out(|draft| add_entry(entry, &mut names, draft));
    }
    Ok(())
}

const NOTE_MEANS: &str = "JMH does not write how many operations an iteration ran: a sample is the mean over one \
                          iteration, and percentiles are those of such means";
const NOTE_HISTOGRAMS: &str = "JMH's mode sample writes histograms: the order of the samples and their exact times \
                               within a bucket are not known";
const NOTE_FIGURES: &str = "the file has no single iterations, only figures of them: no interval and no comparison can \
                            be made from these; run JMH with -rf json, and without -Djmh.json.rawData=false";

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireEntry {
    benchmark: String,
    mode: String,
    params: Option<BTreeMap<String, String>>,
    threads: Option<u64>,
    forks: Option<u64>,
    measurement_iterations: Option<u64>,
    primary_metric: WireMetric,
    #[serde(default)]
    secondary_metrics: BTreeMap<String, WireMetric>,
    jmh_version: Option<String>,
    jdk_version: Option<String>,
    vm_name: Option<String>,
    vm_version: Option<String>,
    #[serde(default)]
    jvm: Value,
    #[serde(default)]
    jvm_args: Vec<Value>,
    #[serde(default)]
    warmup_iterations: Value,
    #[serde(default)]
    warmup_time: Value,
    #[serde(default)]
    warmup_batch_size: Value,
    #[serde(default)]
    measurement_time: Value,
    #[serde(default)]
    measurement_batch_size: Value,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireMetric {
    /// CSV says how many there were.
    #[serde(skip)]
    samples: Option<u64>,
    score: Number,
    score_error: Option<Number>,
    #[serde(default)]
    score_percentiles: BTreeMap<String, Number>,
    score_unit: String,
    #[serde(default)]
    raw_data: Vec<Vec<Number>>,
    #[serde(default)]
    raw_data_histogram: Vec<Vec<Vec<(Number, u64)>>>,
}

/// The rows of the CSV, each secondary metric with the benchmark above it.
fn entries_of_table(input: Input<'_>) -> Result<Vec<WireEntry>, ImportErrorKind> {
    let mut entries: Vec<WireEntry> = Vec::new();
    figures::each_row(input, |row| {
        let metric = metric_of(row)?;
        match (row.text("Benchmark").split_once(':'), entries.last_mut()) {
            (Some((_, key)), Some(entry)) => add_secondary(entry, key, metric),
            (Some((name, _)), None) => {
                return Err(ImportErrorKind::wrong(name, "has no row of its own above this one"));
            }
            (None, _) => entries.push(entry_of(row, metric)?),
        }
        Ok(())
    })?;
    Ok(entries)
}

fn metric_of(row: &Row<'_>) -> Result<WireMetric, ImportErrorKind> {
    Ok(WireMetric {
        samples: row.number("Samples")?.map(|samples| samples as u64),
        score: Number(row.number("Score")?.unwrap_or(f64::NAN)),
        score_error: row.number("Score Error (99.9%)")?.map(Number),
        score_unit: row.text("Unit").to_owned(),
        ..WireMetric::default()
    })
}

fn entry_of(row: &Row<'_>, primary_metric: WireMetric) -> Result<WireEntry, ImportErrorKind> {
    Ok(WireEntry {
        benchmark: row.text("Benchmark").to_owned(),
        mode: row.text("Mode").to_owned(),
        params: Some(row.under("Param: ")),
        threads: row.number("Threads")?.map(|threads| threads as u64),
        primary_metric,
        ..WireEntry::default()
    })
}

/// The percentiles of the mode `sample` are rows like any other.
fn add_secondary(entry: &mut WireEntry, key: &str, metric: WireMetric) {
    match percentile_of(key) {
        Some(share) => {
            let percent = format!("{}", (share * 1e8).round() / 1e6);
            entry.primary_metric.score_percentiles.insert(percent, metric.score);
        }
        None => drop(entry.secondary_metrics.insert(key.to_owned(), metric)),
    }
}

fn add_entry(
    entry: WireEntry,
    names: &mut HashSet<String>,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    let name = name_of(&entry, names);
    keep_environment(&entry, &name, draft);
    let arm = draft.arm(arm_of(&name, &entry));
    let column = draft.metric(primary(&entry.primary_metric.score_unit, &entry.mode));
    let by_percentile = !entry.primary_metric.raw_data_histogram.is_empty();
    let samples = iterations_of(&entry);
    let secondary = entry.secondary_metrics.into_iter();
    let secondary: Vec<_> = secondary.filter(|(key, _)| !(by_percentile && is_percentile(key))).collect();
    if entry.primary_metric.raw_data.iter().all(Vec::is_empty) {
        draft.note(if by_percentile { NOTE_HISTOGRAMS } else { NOTE_FIGURES });
        note_error(&name, &entry.primary_metric, draft);
        let samples = entry.primary_metric.samples.or(samples);
        add_figures(arm, column, &WireMetric { samples, ..entry.primary_metric }, draft);
        secondary.iter().for_each(|(key, metric)| add_secondary_figures(arm, key, metric, draft));
        return Ok(());
    }
    if entry.mode != "ss" {
        draft.note(NOTE_MEANS);
    }
    add_samples(arm, &name, column, entry.primary_metric.raw_data, secondary, draft)
}

/// How many iterations the score is of; of the mode `sample`, single operations are counted and not told. Without forks JMH
/// runs once, in its own process.
fn iterations_of(entry: &WireEntry) -> Option<u64> {
    let iterations = entry.measurement_iterations.filter(|_| entry.mode != "sample")?;
    entry.forks?.max(1).checked_mul(iterations)
}

/// A figure that others have no place for.
fn note_error(name: &str, metric: &WireMetric, draft: &mut Draft) {
    if let Some(error) = metric.score_error.and_then(Number::finite) {
        draft.note(format!(
            "\"{}\": JMH's error of the score at 99.9 % is {error} {}",
            name.escape_debug(),
            metric.score_unit.escape_debug()
        ));
    }
}

/// The name with the parameters, as JMH's own table has them beside it; with the mode too where that alone differs.
fn name_of(entry: &WireEntry, names: &mut HashSet<String>) -> String {
    let parameters: Vec<String> =
        entry.params.iter().flatten().map(|(key, value)| format!("{key}={value}")).collect();
    let mut name = entry.benchmark.clone();
    if !parameters.is_empty() {
        name = format!("{name} ({})", parameters.join(", "));
    }
    if !names.insert(name.clone()) {
        name = format!("{name} [{}]", entry.mode);
    }
    name
}

fn arm_of(name: &str, entry: &WireEntry) -> Arm {
    let mut parameters = entry.params.clone().unwrap_or_default();
    parameters.entry("mode".to_owned()).or_insert_with(|| entry.mode.clone());
    if let Some(threads) = entry.threads {
        parameters.entry("threads".to_owned()).or_insert_with(|| threads.to_string());
    }
    Arm { name: name.to_owned(), group: name.to_owned(), parameters, ..Arm::default() }
}

fn primary(unit: &str, mode: &str) -> Metric {
    match unit.strip_suffix("/op").map(time_unit) {
        Some(unit) if mode != "thrpt" => Metric { per: Per::Iteration, ..Metric::time("wall", unit) },
        _ => Metric {
            name: "throughput".to_owned(),
            unit: Unit::new(unit),
            per: Per::Iteration,
            better: Better::Higher,
        },
    }
}

/// JMH's symbols for hours and days are words.
fn time_unit(symbol: &str) -> Unit {
    Unit::new(match symbol {
        "hr" => "h",
        "day" => "d",
        other => other,
    })
}

/// What a profiler or an auxiliary counter adds. JMH does not say which direction of it is good.
fn secondary_metric(key: &str, unit: &str) -> Metric {
    let operations = unit.starts_with("ops/");
    let each = unit.strip_suffix("/op");
    // Older versions begin the name of a profiler's metric with a middle dot.
    let name = match key.trim_start_matches('·') {
        taken @ ("wall" | "throughput") => format!("{taken} (secondary)"),
        free => free.to_owned(),
    };
    Metric {
        name,
        unit: time_unit(each.unwrap_or(unit)),
        per: if each.is_some() || unit.contains('/') { Per::Iteration } else { Per::Sample },
        better: if operations { Better::Higher } else { Better::Lower },
    }
}

fn add_samples(
    arm: ArmId,
    name: &str,
    column: Column,
    forks: Vec<Vec<Number>>,
    secondary: Vec<(String, WireMetric)>,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    let shape: Vec<usize> = forks.iter().map(Vec::len).collect();
    let mut beside = Vec::new();
    for (key, metric) in secondary {
        let unit_column = draft.metric(secondary_metric(&key, &metric.score_unit));
        if metric.raw_data.iter().map(Vec::len).eq(shape.iter().copied()) {
            beside.push((unit_column, metric.raw_data.into_iter()));
        } else {
            draft.note(format!(
                "\"{}\" of \"{}\" is missing in some iterations, and the file does not say in which: its values \
                 were kept without their order",
                key.escape_debug(),
                name.escape_debug()
            ));
            add_figures(arm, unit_column, &metric, draft);
        }
    }
    if !beside.is_empty() {
        draft.note("JMH does not say which direction of a profiler's figure is better: lower is assumed");
    }
    for (launch, fork) in forks.into_iter().enumerate().filter(|(_, fork)| !fork.is_empty()) {
        refuse_nan(name, launch, &fork)?;
        let mut columns = vec![(column, numbers(fork))];
        for (unit_column, forks) in &mut beside {
            columns.extend(forks.next().map(|fork| (*unit_column, missing_if_not_finite(fork))));
        }
        draft.samples(arm, LaunchId(launch as u32), Whole::Same { same: 1 }, columns)?;
    }
    Ok(())
}

fn numbers(fork: Vec<Number>) -> Vec<f64> {
    fork.into_iter().map(|number| number.0).collect()
}

fn missing_if_not_finite(fork: Vec<Number>) -> Vec<f64> {
    fork.into_iter().map(|number| number.finite().unwrap_or(f64::NAN)).collect()
}

fn refuse_nan(name: &str, launch: usize, fork: &[Number]) -> Result<(), ImportErrorKind> {
    match fork.iter().position(|number| number.0.is_nan()) {
        None => Ok(()),
        Some(iteration) => Err(ImportErrorKind::wrong(
            format_args!("\"{}\", fork {}, iteration {}", name.escape_debug(), launch + 1, iteration + 1),
            "is not a number",
        )),
    }
}

fn add_secondary_figures(arm: ArmId, key: &str, metric: &WireMetric, draft: &mut Draft) {
    let column = draft.metric(secondary_metric(key, &metric.score_unit));
    add_figures(arm, column, metric, draft);
}

/// Keeps what JMH reported, and for each fork its histogram or the values that cannot be laid to their iterations.
fn add_figures(arm: ArmId, column: Column, metric: &WireMetric, draft: &mut Draft) {
    let percentiles = percentiles(&metric.score_percentiles);
    let at = |percent: f64| percentiles.iter().find(|(known, _)| *known == percent).map(|(_, value)| *value);
    let whole = Reported {
        samples: metric.samples,
        min: at(0.0),
        mean: metric.score.finite(),
        median: at(50.0),
        max: at(100.0),
        mean_error: metric.score_error.and_then(Number::finite),
        percentiles,
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, whole);
    let forks = metric.raw_data_histogram.iter().map(|fork| fork.concat());
    let lone = metric
        .raw_data
        .iter()
        .map(|fork| fork.iter().filter(|value| value.finite().is_some()).map(|value| (*value, 1)).collect());
    let forks: Vec<Vec<(Number, u64)>> =
        if metric.raw_data_histogram.is_empty() { lone.collect() } else { forks.collect() };
    for (launch, fork) in forks.into_iter().enumerate().filter(|(_, fork)| !fork.is_empty()) {
        let figures = Reported { launch: Some(LaunchId(launch as u32)), ..histogram(arm, column, &fork) };
        draft.reported(column, figures);
    }
}

/// The buckets of a fork's iterations as one histogram.
fn histogram(arm: ArmId, column: Column, fork: &[(Number, u64)]) -> Reported {
    let mut buckets: Vec<(f64, u64)> = fork.iter().map(|(value, count)| (value.0, *count)).collect();
    buckets.sort_by(|a, b| a.0.total_cmp(&b.0));
    buckets.dedup_by(|next, kept| {
        let alike = next.0 == kept.0;
        if alike {
            kept.1 = kept.1.saturating_add(next.1);
        }
        alike
    });
    Reported {
        samples: buckets.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count)),
        min: buckets.first().map(|(value, _)| *value),
        max: buckets.last().map(|(value, _)| *value),
        histogram: buckets,
        ..Reported::new(arm, column.metric)
    }
}

fn percentiles(written: &BTreeMap<String, Number>) -> Vec<(f64, f64)> {
    let read = |(at, value): (&String, &Number)| Some((at.parse().ok()?, value.finite()?));
    let mut percentiles: Vec<(f64, f64)> = written.iter().filter_map(read).collect();
    percentiles.sort_by(|a, b| a.0.total_cmp(&b.0));
    percentiles
}

fn is_percentile(key: &str) -> bool {
    percentile_of(key).is_some()
}

/// `p0.99`, `read:p0.99` for a method of a group, or `read·p0.99` of older versions.
fn percentile_of(key: &str) -> Option<f64> {
    let last = key.rsplit([':', '·']).next().unwrap_or(key);
    last.strip_prefix('p')?.parse().ok()
}

fn keep_environment(entry: &WireEntry, name: &str, draft: &mut Draft) {
    if let Some(version) = &entry.jmh_version {
        draft.tool(&format!("JMH {version}"));
    }
    let environment = draft.environment();
    if let Some(version) = &entry.jdk_version {
        environment.tools.insert("jdk".to_owned(), version.clone());
    }
    if let (Some(vm), Some(version)) = (&entry.vm_name, &entry.vm_version) {
        environment.tools.insert("jvm".to_owned(), format!("{vm} {version}"));
    }
    let arguments = Some(Value::from(entry.jvm_args.clone())).filter(|_| !entry.jvm_args.is_empty());
    let settings = [
        ("jvm", &entry.jvm),
        ("jvmArgs", arguments.as_ref().unwrap_or(&Value::Null)),
        ("warmupIterations", &entry.warmup_iterations),
        ("warmupTime", &entry.warmup_time),
        ("warmupBatchSize", &entry.warmup_batch_size),
        ("measurementTime", &entry.measurement_time),
        ("measurementBatchSize", &entry.measurement_batch_size),
    ];
    for (key, value) in settings {
        remember(environment, name, key, value);
    }
}
