//! What does a file of pyperf say? Its JSON: one suite of benchmarks, each with the runs of its worker processes.
//!
//! ```json
//! {"benchmarks":[{"metadata":{"name":"sort","loops":8},
//!                 "runs":[{"metadata":{"calibrate_loops":8},"warmups":[[1,1.9e-6],[8,1.1e-6]]},
//!                         {"values":[1.02e-6,1.01e-6],"warmups":[[8,1.2e-6]]}]}],
//!  "metadata":{"unit":"second","perf_version":"2.10.0"},"version":"1.0"}
//! ```
//!
//! A benchmark is an arm, a run with values a launch, a value a sample of `loops · inner_loops` iterations, already
//! divided by them. Metadata said once for all runs or benchmarks counts for each. A run without values calibrated;
//! neither it nor a warmup is a sample. The largest memory of a process was read once, at its end, and stands at the
//! launch's last sample.
//!
//! Format: <https://pyperf.readthedocs.io/en/latest/api.html#pyperf-json> and `_json_load` in
//! <https://github.com/psf/pyperf/blob/main/pyperf/_bench.py> (versions "1.0" and 6; older ones name other keys).
//!
//! Tests: `tests/formats/import/pyperf.rs`.

use super::loose_json::{each_of, has_key, remember, words};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Unit, Whole};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn looks_like(head: &[u8]) -> bool {
    head.trim_ascii_start().starts_with(b"{")
        && has_key(head, "benchmarks")
        && has_key(head, "runs")
        && (has_key(head, "warmups") || has_key(head, "values"))
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let suite: WireSuite = serde_json::from_reader(input)?;
    refuse_other_versions(&suite.version)?;
    keep_environment(&suite.metadata, draft);
    let mut warmups = 0;
    for benchmark in suite.benchmarks {
        warmups += draft.add_or_leave_out(|draft| add_benchmark(benchmark, &suite.metadata, draft));
    }
    if warmups > 0 {
        draft.note(format!(
            "the {warmups} warmup and calibration values of pyperf are not samples and were left out"
        ));
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireSuite {
    version: Value,
    #[serde(default)]
    metadata: WireMetadata,
    benchmarks: Vec<WireBenchmark>,
}

#[derive(Deserialize)]
struct WireBenchmark {
    #[serde(default)]
    metadata: WireMetadata,
    runs: Runs,
}

/// The runs of a benchmark, one behind the other: they are many and short, and the suite's metadata, which say what
/// they are, stand behind all of them.
#[derive(Default)]
struct Runs {
    /// Those with values: how many, and the run's own metadata.
    measured: Vec<(usize, WireRunFacts)>,
    values: Vec<f64>,
    /// Those of runs without values too.
    warmups: usize,
}

#[derive(Deserialize)]
struct WireRun {
    #[serde(default)]
    values: Vec<f64>,
    /// Only counted.
    #[serde(default)]
    warmups: Vec<IgnoredAny>,
    #[serde(default)]
    metadata: WireRunFacts,
}

impl Runs {
    fn add(&mut self, run: WireRun) {
        self.warmups += run.warmups.len();
        if !run.values.is_empty() {
            self.measured.push((run.values.len(), run.metadata));
            self.values.extend(run.values);
        }
    }
}

impl<'de> Deserialize<'de> for Runs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut runs = Self::default();
        each_of(deserializer, "a list of runs", |run| {
            runs.add(run);
            Ok(())
        })?;
        runs.measured.shrink_to_fit();
        runs.values.shrink_to_fit();
        Ok(runs)
    }
}

#[derive(Deserialize, Default)]
struct WireMetadata {
    #[serde(flatten)]
    facts: WireFacts,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// The metadata that says what the values are.
#[derive(Deserialize, Default)]
struct WireFacts {
    name: Option<String>,
    unit: Option<String>,
    loops: Option<u64>,
    inner_loops: Option<u64>,
    command_max_rss: Option<u64>,
    mem_max_rss: Option<u64>,
}

/// The same metadata where they are a run's: mostly none of them but the memory.
#[derive(Deserialize, Default)]
struct WireRunFacts {
    unit: Option<Box<str>>,
    loops: Option<u64>,
    inner_loops: Option<u64>,
    command_max_rss: Option<u64>,
    mem_max_rss: Option<u64>,
}

/// The facts that hold for a run.
#[derive(Clone, Copy, Default)]
struct Facts<'a> {
    name: Option<&'a str>,
    unit: Option<&'a str>,
    loops: Option<u64>,
    inner_loops: Option<u64>,
    command_max_rss: Option<u64>,
    mem_max_rss: Option<u64>,
}

impl WireFacts {
    fn facts(&self) -> Facts<'_> {
        Facts {
            name: self.name.as_deref(),
            unit: self.unit.as_deref(),
            loops: self.loops,
            inner_loops: self.inner_loops,
            command_max_rss: self.command_max_rss,
            mem_max_rss: self.mem_max_rss,
        }
    }
}

impl WireRunFacts {
    fn facts(&self) -> Facts<'_> {
        Facts {
            name: None,
            unit: self.unit.as_deref(),
            loops: self.loops,
            inner_loops: self.inner_loops,
            command_max_rss: self.command_max_rss,
            mem_max_rss: self.mem_max_rss,
        }
    }
}

impl Facts<'_> {
    /// These facts, and for what they do not say those of the whole.
    fn within(self, whole: Self) -> Self {
        Self {
            name: self.name.or(whole.name),
            unit: self.unit.or(whole.unit),
            loops: self.loops.or(whole.loops),
            inner_loops: self.inner_loops.or(whole.inner_loops),
            command_max_rss: self.command_max_rss.or(whole.command_max_rss),
            mem_max_rss: self.mem_max_rss.or(whole.mem_max_rss),
        }
    }

    fn iterations(&self) -> Option<u64> {
        self.loops.unwrap_or(1).checked_mul(self.inner_loops.unwrap_or(1)).filter(|product| *product > 0)
    }

    fn max_rss(&self) -> Option<u64> {
        self.command_max_rss.or(self.mem_max_rss)
    }
}

/// The columns of a benchmark. Its runs are many and of one unit, so a column is not looked up for each.
#[derive(Default)]
struct Columns<'a> {
    values: Option<(Option<&'a str>, Column)>,
    memory: Option<Column>,
}

impl<'a> Columns<'a> {
    fn values(&mut self, unit: Option<&'a str>, draft: &mut Draft) -> Column {
        match self.values {
            Some((known, column)) if known == unit => column,
            _ => self.values.insert((unit, draft.metric(metric_of(unit)))).1,
        }
    }

    fn memory(&mut self, draft: &mut Draft) -> Column {
        *self.memory.get_or_insert_with(|| draft.metric(max_rss()))
    }
}

fn refuse_other_versions(version: &Value) -> Result<(), ImportErrorKind> {
    if *version == "1.0" || *version == 6 {
        return Ok(());
    }
    Err(ImportErrorKind::wrong(
        "version",
        format_args!(
            "{version} is not one that can be read (\"1.0\" and 6 are): try pyperf convert FILE -o NEW.json"
        ),
    ))
}

/// Adds one benchmark, and says how many warmups it had.
fn add_benchmark(
    benchmark: WireBenchmark,
    suite: &WireMetadata,
    draft: &mut Draft,
) -> Result<usize, ImportErrorKind> {
    let facts = benchmark.metadata.facts.facts().within(suite.facts.facts());
    let name = facts.name.unwrap_or("unnamed");
    let arm = draft.arm(arm_of(name, &benchmark.metadata, suite));
    for (key, value) in benchmark.metadata.rest.iter().filter(|(key, _)| is_of_the_moment(key)) {
        remember(draft.environment(), "", &format!("{name}: {key}"), value);
    }
    let mut columns = Columns::default();
    let mut values = benchmark.runs.values.as_slice();
    for (launch, (count, own)) in (0..).zip(&benchmark.runs.measured) {
        let (of_run, of_others) = values.split_at(*count);
        values = of_others;
        let facts = own.facts().within(facts);
        add_launch(arm, LaunchId(launch), of_run.to_vec(), facts, &mut columns, draft)?;
    }
    Ok(benchmark.runs.warmups)
}

fn add_launch<'a>(
    arm: ArmId,
    launch: LaunchId,
    values: Vec<f64>,
    facts: Facts<'a>,
    columns: &mut Columns<'a>,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    let Some(iterations) = facts.iterations() else {
        let name = facts.name.unwrap_or("unnamed");
        return Err(ImportErrorKind::wrong(
            format_args!("\"{}\", launch {}", name.escape_debug(), launch.0 + 1),
            "loops times inner_loops is 0 or too large",
        ));
    };
    let column = columns.values(facts.unit, draft);
    let memory = facts.max_rss().map(|bytes| (columns.memory(draft), at_the_end(bytes, values.len())));
    let mut filled = Vec::with_capacity(2);
    filled.push((column, values));
    filled.extend(memory);
    draft.samples(arm, launch, Whole::Same { same: iterations }, filled)
}

fn at_the_end(bytes: u64, samples: usize) -> Vec<f64> {
    let mut numbers = vec![f64::NAN; samples];
    if let Some(last) = numbers.last_mut() {
        *last = bytes as f64;
    }
    numbers
}

fn max_rss() -> Metric {
    Metric { name: "max_rss".to_owned(), unit: Unit::bytes(), per: Per::Iteration, better: Better::Lower }
}

/// pyperf's units are words. Its comparison calls the lower value the better one, whatever the unit.
fn metric_of(unit: Option<&str>) -> Metric {
    let (name, unit) = match unit.unwrap_or("second") {
        "second" => ("wall", Unit::seconds()),
        "byte" => ("memory", Unit::bytes()),
        "integer" => ("count", Unit::count()),
        other => ("value", Unit::new(other)),
    };
    Metric { name: name.to_owned(), unit, per: Per::Iteration, better: Better::Lower }
}

fn arm_of(name: &str, own: &WireMetadata, suite: &WireMetadata) -> Arm {
    let shared = suite.rest.iter().filter(|(key, _)| is_of_an_arm(key));
    let own = own.rest.iter().filter(|(key, _)| !is_of_the_moment(key));
    let parameters =
        shared.chain(own).filter_map(|(key, value)| Some((key.clone(), words(value)?))).collect();
    Arm { name: name.to_owned(), group: name.to_owned(), parameters, ..Arm::default() }
}

/// Metadata that describe a benchmark even where a suite of one says them for the whole.
fn is_of_an_arm(key: &str) -> bool {
    key.starts_with("timeit_") || matches!(key, "command" | "description" | "tags")
}

/// Metadata of the machine at the time of a run, which pyperf collects by itself.
fn is_of_the_moment(key: &str) -> bool {
    const COLLECTED: [&str; 18] = [
        "boot_time",
        "calibrate_loops",
        "calibrate_warmups",
        "date",
        "duration",
        "hostname",
        "load_avg_1min",
        "mem_peak_pagefile_usage",
        "perf_version",
        "platform",
        "recalibrate_loops",
        "recalibrate_warmups",
        "runnable_threads",
        "timer",
        "uptime",
        "aslr",
        "values",
        "warmups",
    ];
    COLLECTED.contains(&key) || key.starts_with("cpu_") || key.starts_with("python_")
}

fn keep_environment(suite: &WireMetadata, draft: &mut Draft) {
    if let Some(version) = suite.rest.get("perf_version").and_then(words) {
        draft.tool(&format!("pyperf {version}"));
    }
    let environment = draft.environment();
    for (key, value) in suite.rest.iter().filter(|(key, _)| !is_of_an_arm(key)) {
        match (key.as_str(), words(value)) {
            ("perf_version", _) => {}
            ("hostname", host) => environment.host = host,
            ("platform", system) => environment.system = system,
            ("cpu_model_name", model) => environment.cpu.model = model,
            ("cpu_count", _) => {
                environment.cpu.logical = value.as_u64().and_then(|count| u32::try_from(count).ok());
            }
            ("aslr", Some(setting)) => environment.aslr = Some(!setting.starts_with("No ")),
            ("python_version", Some(version)) => {
                environment.tools.insert("python".to_owned(), version);
            }
            _ => remember(environment, "", key, value),
        }
    }
}
