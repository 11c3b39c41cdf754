//! What did hyperfine write with `--export-json` and `--export-csv`? JSON of 1.x and of schema version 2, that of 2.0.
//!
//! ```text
//! 1.x   {"results": [{"command": "a", "mean": 0.1, "times": [0.1], "exit_codes": [0], …}]}
//! 2.0   {"schema_version": 2, "metadata": {…}, "primary_metric": "time_wall_clock", "results": [
//!          {"command": "a", "measurements": [{"time_wall_clock": {"value": 0.1, "unit": "second"}, "exit_code": 0}]}]}
//! CSV   command,mean,stddev,median,user,system,min,max,parameter_threads
//! ```
//!
//! There is no median before 1.6, and no exit code before 1.10. `--export-csv` writes the figures only.
//!
//! Source: <https://github.com/sharkdp/hyperfine> (`src/benchmark/benchmark_result.rs`, changelog of 2.0.0). Times are
//! seconds and memory is bytes in both. The mapping is in `docs/formats/hyperfine.md`. The list of runs of 2.0 is read
//! into columns by [`runs`].
//!
//! Tests: `tests/formats/import/hyperfine.rs`.

mod runs;

use self::runs::{Quantity, Runs};
use super::figures::{self, Row};
use super::headings::begin_with;
use super::{Column, Draft, ImportErrorKind, Input, json_keys, loose_json, possible};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, Per, Reason, Reported, RoundId, Unit, Whole,
};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The newest `schema_version` that is understood.
const NEWEST: u64 = 2;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let has = |key| loose_json::has_key(head, key);
    match json_keys::first_keys(head, 1).as_slice() {
        ["results"] => has("command") && has("mean") && !has("median(elapsed)"),
        ["schema_version"] => has("hyperfine_version") || (has("primary_metric") && has("results")),
        _ => begin_with(head, &HEADINGS),
    }
}

/// The headings of its CSV that every version has.
const HEADINGS: [&str; 4] = ["command", "mean", "stddev", "user"];

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    if begin_with(input.fill_buf()?, &HEADINGS) {
        draft.tool("hyperfine");
        return figures::each_row(input, |row| {
            draft.add_or_leave_out(|draft| add_result(draft, result_of(row)?));
            Ok(())
        });
    }
    let file: WireFile = serde_json::from_reader(input)?;
    let version = file.schema_version.unwrap_or(1);
    if version > NEWEST {
        let what = format_args!("{version} is newer than {NEWEST}, the newest that is understood");
        return Err(ImportErrorKind::wrong("schema_version", what));
    }
    add_metadata(draft, file.metadata);
    let primary = file.primary_metric.as_deref().unwrap_or("time_wall_clock");
    // The verdict is on the first metric, so the one that hyperfine compared comes first.
    draft.metric(metric(primary, base_unit(primary)));
    for result in file.results {
        draft.add_or_leave_out(|draft| add_result(draft, result));
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    schema_version: Option<u64>,
    #[serde(default)]
    metadata: WireMetadata,
    primary_metric: Option<String>,
    results: Vec<WireResult>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WireMetadata {
    hyperfine_version: Option<String>,
    start_time: Option<String>,
    platform: WirePlatform,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WirePlatform {
    os: Option<String>,
    architecture: Option<String>,
}

#[derive(Default, Deserialize)]
struct WireResult {
    command: String,
    name: Option<String>,
    #[serde(default)]
    parameters: BTreeMap<String, WireParameter>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    measurements: Option<Runs>,
    times: Option<Vec<f64>>,
    memory_usage_byte: Option<Vec<f64>>,
    exit_codes: Option<Vec<Option<i32>>>,
    mean: Option<f64>,
    stddev: Option<f64>,
    median: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    user: Option<f64>,
    system: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WireParameter {
    Plain(String),
    Boxed { value: String },
}

fn result_of(row: &Row<'_>) -> Result<WireResult, ImportErrorKind> {
    let parameters = row.under("parameter_").into_iter();
    Ok(WireResult {
        command: row.text("command").to_owned(),
        parameters: parameters.map(|(key, value)| (key, WireParameter::Plain(value))).collect(),
        mean: row.number("mean")?,
        stddev: row.number("stddev")?,
        median: row.number("median")?,
        min: row.number("min")?,
        max: row.number("max")?,
        user: row.number("user")?,
        system: row.number("system")?,
        ..WireResult::default()
    })
}

fn add_metadata(draft: &mut Draft, metadata: WireMetadata) {
    match metadata.hyperfine_version {
        Some(version) => draft.tool(&format!("hyperfine {version}")),
        None => draft.tool("hyperfine 1.x"),
    }
    if let Some(text) = metadata.start_time {
        match text.parse() {
            Ok(at) => draft.started(at),
            Err(_) => draft.note(format!("The start time \"{}\" was not understood.", text.escape_debug())),
        }
    }
    draft.environment().system = metadata.platform.os;
    draft.environment().architecture = metadata.platform.architecture;
}

fn add_result(draft: &mut Draft, mut result: WireResult) -> Result<(), ImportErrorKind> {
    let place = format!("\"{}\"", result.command.escape_debug());
    let runs = match (result.measurements.take(), result.times.take()) {
        (Some(runs), _) => Some(runs),
        (None, Some(times)) => {
            Some(runs_of_1(times, result.memory_usage_byte.take(), result.exit_codes.take()))
        }
        (None, None) => None,
    };
    let arm = draft.arm(arm_of(&mut result));
    match runs {
        Some(runs) => {
            let count = runs.count;
            let failed = add_runs(draft, arm, runs, &place)?;
            add_means(draft, arm, &result, count, failed, &place)
        }
        None if result.mean.is_some() => add_summary(draft, arm, &result, &place),
        None => Err(ImportErrorKind::wrong(place, "holds no times, no measurements and no mean")),
    }
}

/// All commands of a call are alternatives, so they share the one group without a name.
fn arm_of(result: &mut WireResult) -> Arm {
    let mut arm = Arm::default();
    for (key, value) in std::mem::take(&mut result.parameters) {
        let (WireParameter::Plain(value) | WireParameter::Boxed { value }) = value;
        arm.parameters.insert(key, value);
    }
    for (key, value) in std::mem::take(&mut result.environment) {
        let value = if is_secret(&key) { "***".to_owned() } else { value };
        arm.parameters.insert(format!("env {key}"), value);
    }
    let command = std::mem::take(&mut result.command);
    match result.name.take() {
        Some(name) => (arm.name, arm.command) = (name, vec![command]),
        None => arm.name = command,
    }
    arm
}

/// Whether a variable of this name looks like one whose value nobody should read in a report.
fn is_secret(name: &str) -> bool {
    let name = name.to_lowercase();
    ["token", "secret", "password", "passwd", "credential", "key"].iter().any(|word| name.contains(word))
}

fn runs_of_1(times: Vec<f64>, memory: Option<Vec<f64>>, exit_codes: Option<Vec<Option<i32>>>) -> Runs {
    let count = times.len();
    let mut quantities = vec![Quantity::new("time_wall_clock", times)];
    quantities.extend(memory.map(|bytes| Quantity::new("memory_peak_resident", bytes)));
    Runs { count, quantities, exit_codes }
}

/// Adds the good runs as samples and the others as failures; says how many failed.
fn add_runs(draft: &mut Draft, arm: ArmId, mut runs: Runs, place: &str) -> Result<usize, ImportErrorKind> {
    check_lengths(&runs, place)?;
    let good = good_rounds(&runs);
    note_what_times_mean(draft, &runs);
    add_failures(draft, arm, &runs, &good);
    let failed = runs.count - good.len();
    if good.is_empty() {
        return Ok(failed);
    }
    if failed > 0 {
        runs.quantities.iter_mut().for_each(|quantity| quantity.keep(&good));
    }
    let columns: Vec<(Column, Vec<f64>)> = runs
        .quantities
        .into_iter()
        .map(|quantity| (draft.metric(metric(&quantity.name, quantity.unit())), quantity.numbers))
        .collect();
    let once = Whole::Same { same: 1 };
    draft.samples_in_rounds(arm, LaunchId(0), rounds_of(good), once, columns)?;
    Ok(failed)
}

/// `Whole::of` takes a single round for "the same for all", which rounds cannot be.
fn rounds_of(good: Vec<u64>) -> Whole {
    match good.as_slice() {
        [round] => Whole::Counting { from: *round },
        _ => Whole::of(good),
    }
}

fn check_lengths(runs: &Runs, place: &str) -> Result<(), ImportErrorKind> {
    let codes = runs.exit_codes.iter().map(|codes| ("exit_codes", codes.len()));
    let columns = runs.quantities.iter().map(|quantity| (quantity.name.as_str(), quantity.numbers.len()));
    match codes.chain(columns).find(|(_, length)| *length != runs.count) {
        Some((name, length)) => Err(ImportErrorKind::wrong(
            place,
            format_args!("has {length} entries of {name} for {} runs", runs.count),
        )),
        None if runs.count == 0 => Err(ImportErrorKind::wrong(place, "has an empty list of runs")),
        None => Ok(()),
    }
}

fn good_rounds(runs: &Runs) -> Vec<u64> {
    match &runs.exit_codes {
        Some(codes) => {
            (0..).zip(codes).filter(|(_, code)| **code == Some(0)).map(|(round, _)| round).collect()
        }
        None => (0..runs.count as u64).collect(),
    }
}

fn add_failures(draft: &mut Draft, arm: ArmId, runs: &Runs, good: &[u64]) {
    let Some(codes) = runs.exit_codes.as_ref().filter(|codes| codes.len() > good.len()) else { return };
    let wall = runs.quantities.iter().find(|quantity| quantity.name == "time_wall_clock");
    for (index, code) in codes.iter().enumerate().filter(|(_, code)| **code != Some(0)) {
        let reason = match code {
            Some(code) => Reason::Exit { code: i64::from(*code) },
            None => Reason::Other { message: "ended without an exit code".to_owned() },
        };
        let seconds = wall.map(|wall| wall.numbers[index]).filter(|seconds| *seconds >= 0.0);
        let round = RoundId(index as u64);
        draft.failure(Failure { arm, launch: LaunchId(0), round, reason, seconds });
    }
    draft.note("Runs that ended with a code other than 0 are kept as failures, not as samples.");
}

fn note_what_times_mean(draft: &mut Draft, runs: &Runs) {
    if runs.exit_codes.is_none() {
        draft.note("The file does not say how the runs ended; all of them count as good.");
    }
    let walls = runs.quantities.iter().filter(|quantity| quantity.name == "time_wall_clock");
    if walls.flat_map(|wall| &wall.numbers).any(|seconds| *seconds == 0.0) {
        draft.note(
            "Some times are exactly 0: where hyperfine runs a command in a shell it takes the shell's start-up \
             off and stops at 0, so the true time is unknown there.",
        );
    }
}

/// The means of user and system time, which 1.x writes without the single runs.
fn add_means(
    draft: &mut Draft,
    arm: ArmId,
    result: &WireResult,
    count: usize,
    failed: usize,
    place: &str,
) -> Result<(), ImportErrorKind> {
    for (name, mean) in [("time_user", result.user), ("time_system", result.system)] {
        let Some(mean) = mean else { continue };
        let column = draft.metric(metric(name, Unit::seconds()));
        let mut reported = Reported::new(arm, column.metric);
        reported.samples = Some(count as u64).filter(|count| *count > 0);
        reported.mean = Some(possible::figure(format_args!("{place}, {name}"), mean)?);
        draft.reported(column, reported);
        draft.note("hyperfine 1.x writes user and system time as means only.");
        if failed > 0 {
            draft.note("hyperfine's means of user and system time include the runs that failed.");
        }
    }
    Ok(())
}

fn add_summary(
    draft: &mut Draft,
    arm: ArmId,
    result: &WireResult,
    place: &str,
) -> Result<(), ImportErrorKind> {
    let figure = |number: Option<f64>| number.map(|number| possible::figure(place, number)).transpose();
    let column = draft.metric(metric("time_wall_clock", Unit::seconds()));
    let mut reported = Reported::new(arm, column.metric);
    reported.samples = result.exit_codes.as_ref().map(|codes| codes.len() as u64);
    reported.mean = figure(result.mean)?;
    reported.sd = figure(result.stddev)?;
    reported.median = figure(result.median)?;
    reported.min = figure(result.min)?;
    reported.max = figure(result.max)?;
    draft.reported(column, reported);
    draft.note("Without the single times there is no interval, no percentile and no order of the runs.");
    let count = result.exit_codes.as_ref().map_or(0, Vec::len);
    let failed = result.exit_codes.iter().flatten().filter(|code| **code != Some(0)).count();
    add_means(draft, arm, result, count, failed, place)
}

/// Their name of a quantity as a metric of ours.
fn metric(theirs: &str, unit: Unit) -> Metric {
    let (name, per) = match theirs {
        "time_wall_clock" => ("wall", Per::Sample),
        "time_cpu" => ("cpu", Per::Sample),
        "time_user" => ("user", Per::Sample),
        "time_system" => ("system", Per::Sample),
        "memory_peak_resident" => ("max_rss", Per::Iteration),
        other => (other, Per::Sample),
    };
    Metric { name: name.to_owned(), unit, per, better: Better::Lower }
}

/// The unit that hyperfine always uses for a quantity.
fn base_unit(theirs: &str) -> Unit {
    match theirs {
        _ if theirs.starts_with("time_") => Unit::seconds(),
        "memory_peak_resident" => Unit::bytes(),
        _ => Unit::count(),
    }
}
