//! What does a file of pytest-benchmark say? What `--benchmark-json` and `--benchmark-save` write.
//!
//! ```json
//! {"machine_info":{"node":"host"},"commit_info":{"id":"4f0c"},"datetime":"2026-01-05T12:00:00+00:00","version":"5.3.1",
//!  "benchmarks":[{"group":"sorting","fullname":"test_x.py::test_sort[20]","params":{"length":20},
//!                 "stats":{"min":4.8e-7,"rounds":2,"iterations":1000,"data":[4.9e-7,4.8e-7]}}]}
//! ```
//!
//! A test is an arm; its group is the one that its author gave it, else its own. A round is a sample of `iterations`
//! calls, in seconds a call (`Metadata.update` in <https://github.com/ionelmc/pytest-benchmark/blob/master/src/pytest_benchmark/stats.py>
//! divides). One pytest process is one launch. Without `data` the figures are kept as reported, and so are those that
//! `pytest-benchmark compare --csv` writes: `name,param:length,min,max,mean,stddev,median,…,rounds,iterations`.
//!
//! Tests: `tests/formats/import/pytest_benchmark.rs`.

use super::figures::{self, Row};
use super::headings::begin_with;
use super::loose_json::{has_key, remember, words};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::environment::Git;
use evenhand_trial::{
    Arm, ArmId, Environment, Failure, LaunchId, Metric, MetricId, Per, Reason, Reported, RoundId, Unit, Whole,
};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let is_json = head.trim_ascii_start().starts_with(b"{")
        && has_key(head, "machine_info")
        && ["commit_info", "benchmarks", "python_implementation"].iter().any(|key| has_key(head, key));
    is_json || begin_with(head, &HEADINGS)
}

/// Headings of its CSV, unless the user chose others.
const HEADINGS: [&str; 6] = ["name", "min", "max", "mean", "stddev", "rounds"];

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    if begin_with(input.fill_buf()?, &HEADINGS) {
        return figures::each_row(input, |row| {
            draft.add_or_leave_out(|draft| add_benchmark(benchmark_of(row)?, draft));
            Ok(())
        });
    }
    let file: WireFile = serde_json::from_reader(input)?;
    keep_machine(file.machine_info, draft.environment());
    keep_commit(file.commit_info, draft.environment());
    if let Some(version) = &file.version {
        draft.tool(&format!("pytest-benchmark {version}"));
    }
    match file.datetime.as_deref().map(|text| (text, text.parse())) {
        Some((_, Ok(began))) => draft.started(began),
        Some((text, Err(_))) => remember(draft.environment(), "", "datetime", &Value::from(text)),
        None => {}
    }
    for benchmark in file.benchmarks {
        draft.add_or_leave_out(|draft| add_benchmark(benchmark, draft));
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    #[serde(default)]
    machine_info: BTreeMap<String, Value>,
    #[serde(default)]
    commit_info: BTreeMap<String, Value>,
    datetime: Option<String>,
    version: Option<String>,
    benchmarks: Vec<WireBenchmark>,
}

#[derive(Default, Deserialize)]
struct WireBenchmark {
    group: Option<String>,
    name: String,
    fullname: Option<String>,
    params: Option<BTreeMap<String, Value>>,
    extra_info: Option<BTreeMap<String, Value>>,
    options: Option<BTreeMap<String, Value>>,
    stats: Option<WireStats>,
}

#[derive(Default, Deserialize)]
struct WireStats {
    data: Option<Vec<f64>>,
    iterations: Option<u64>,
    rounds: Option<u64>,
    min: Option<f64>,
    mean: Option<f64>,
    median: Option<f64>,
    max: Option<f64>,
    stddev: Option<f64>,
    q1: Option<f64>,
    q3: Option<f64>,
    iqr: Option<f64>,
    total: Option<f64>,
    ops: Option<f64>,
    ld15iqr: Option<f64>,
    hd15iqr: Option<f64>,
    iqr_outliers: Option<f64>,
    stddev_outliers: Option<f64>,
}

fn benchmark_of(row: &Row<'_>) -> Result<WireBenchmark, ImportErrorKind> {
    let whole = |heading| row.number(heading).map(|number| number.map(|number| number as u64));
    let stats = WireStats {
        iterations: whole("iterations")?,
        rounds: whole("rounds")?,
        min: row.number("min")?,
        mean: row.number("mean")?,
        median: row.number("median")?,
        max: row.number("max")?,
        stddev: row.number("stddev")?,
        iqr: row.number("iqr")?,
        ops: row.number("ops")?,
        ..WireStats::default()
    };
    let params = row.under("param:").into_iter().map(|(key, value)| (key, Value::from(value))).collect();
    let name = row.text("name").to_owned();
    Ok(WireBenchmark { name, params: Some(params), stats: Some(stats), ..WireBenchmark::default() })
}

fn add_benchmark(benchmark: WireBenchmark, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let name = benchmark.fullname.unwrap_or(benchmark.name);
    let group = benchmark.group.unwrap_or_else(|| name.clone());
    let parameters = benchmark.params.iter().flatten();
    let parameters = parameters.filter_map(|(key, value)| Some((key.clone(), words(value)?))).collect();
    let arm = draft.arm(Arm { name: name.clone(), group, parameters, ..Arm::default() });
    for (key, value) in benchmark.options.iter().chain(&benchmark.extra_info).flatten() {
        remember(draft.environment(), &name, key, value);
    }
    let wall = Metric { per: Per::Iteration, ..Metric::time("wall", Unit::seconds()) };
    let column = draft.metric(wall);
    match benchmark.stats {
        None => add_failure(arm, draft),
        Some(WireStats { data: Some(data), iterations, .. }) if !data.is_empty() => {
            let iterations = Whole::Same { same: iterations_of(&name, iterations)? };
            draft.samples(arm, LaunchId(0), iterations, vec![(column, data)])?;
        }
        Some(stats) => {
            let reported = reported(arm, column.metric, &stats);
            draft.note(
                "the file has no single rounds, only figures of them: no interval and no comparison can be made from \
                 it; run pytest with --benchmark-save-data to keep the rounds",
            );
            draft.reported(column, reported);
        }
    }
    Ok(())
}

fn add_failure(arm: ArmId, draft: &mut Draft) {
    draft.failure(Failure {
        arm,
        launch: LaunchId(0),
        round: RoundId(0),
        reason: Reason::Other { message: "pytest-benchmark has no figures for it".to_owned() },
        seconds: None,
    });
}

fn iterations_of(name: &str, iterations: Option<u64>) -> Result<u64, ImportErrorKind> {
    match iterations {
        Some(0) => Err(ImportErrorKind::wrong(
            format_args!("\"{}\", stats.iterations", name.escape_debug()),
            "a round has at least 1 iteration",
        )),
        known => Ok(known.unwrap_or(1)),
    }
}

fn reported(arm: ArmId, metric: MetricId, stats: &WireStats) -> Reported {
    let percentiles = [(25.0, stats.q1), (75.0, stats.q3)];
    let more = [
        ("hd15iqr", stats.hd15iqr),
        ("iqr", stats.iqr),
        ("iqr_outliers", stats.iqr_outliers),
        ("iterations", stats.iterations.map(|iterations| iterations as f64)),
        ("ld15iqr", stats.ld15iqr),
        ("ops", stats.ops),
        ("stddev_outliers", stats.stddev_outliers),
        ("total", stats.total),
    ];
    Reported {
        launch: Some(LaunchId(0)),
        samples: stats.rounds,
        min: stats.min,
        mean: stats.mean,
        median: stats.median,
        max: stats.max,
        sd: stats.stddev,
        percentiles: percentiles.into_iter().filter_map(|(at, figure)| Some((at, figure?))).collect(),
        more: more.into_iter().filter_map(|(name, figure)| Some((name.to_owned(), figure?))).collect(),
        ..Reported::new(arm, metric)
    }
}

fn keep_machine(machine: BTreeMap<String, Value>, environment: &mut Environment) {
    let word = |key: &str| machine.get(key).and_then(words);
    if let Some(version) = word("python_version") {
        let kind = word("python_implementation").unwrap_or_default();
        environment.tools.insert("python".to_owned(), format!("{kind} {version}").trim().to_owned());
    }
    for (key, value) in &machine {
        match key.as_str() {
            "node" => environment.host = words(value),
            "system" => environment.system = words(value),
            "release" => environment.kernel = words(value),
            "machine" => environment.architecture = words(value),
            "python_version" | "python_implementation" => {}
            "cpu" => keep_cpu(value, environment),
            _ => remember(environment, "", key, value),
        }
    }
}

fn keep_cpu(cpu: &Value, environment: &mut Environment) {
    for (key, value) in cpu.as_object().into_iter().flatten() {
        match key.as_str() {
            "brand_raw" => environment.cpu.model = words(value),
            "count" => environment.cpu.logical = value.as_u64().and_then(|count| u32::try_from(count).ok()),
            "hz_actual" => {
                environment.cpu.mhz = value.get(0).and_then(Value::as_f64).map(|hertz| hertz / 1e6);
            }
            _ => remember(environment, "", &format!("cpu {key}"), value),
        }
    }
}

fn keep_commit(commit: BTreeMap<String, Value>, environment: &mut Environment) {
    let word = |key: &str| commit.get(key).and_then(words);
    if let Some(id) = word("id").filter(|id| id != "unversioned" && id != "unknown") {
        let dirty = commit.get("dirty").and_then(Value::as_bool).unwrap_or(false);
        let branch = word("branch").filter(|branch| !branch.starts_with('('));
        environment.git = Some(Git { commit: id, dirty, branch });
    }
    for key in ["project", "time", "author_time"] {
        if let Some(value) = commit.get(key) {
            remember(environment, "", &format!("commit {key}"), value);
        }
    }
}
