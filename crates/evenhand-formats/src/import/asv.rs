//! What did asv (airspeed velocity) keep of a run? A file of its folder of results, named by commit and environment.
//!
//! ```text
//! {"commit_hash": "c97d…", "date": 1795408756000, "params": {"machine": "vm", "cpu": "…"}, "python": "3.11",
//!  "result_columns": ["result", "params", "version", …, "samples", "profile"],
//!  "results": {"sums.Sums.time_sum": [[5.6e-07, 8.5e-06], [["100", "1000"]], "…", …, [[1.8e-05, 5.8e-07], [8.4e-06, 8.5e-06]]]}}
//! ```
//!
//! A benchmark has a value for each combination of its parameters, the last of which runs fastest, and each is an arm.
//! Values and samples are of one iteration. The beginning of the name says what was measured: `time_` and `timeraw_`
//! seconds, `mem_` and `peakmem_` bytes, `track_` anything. asv keeps samples with `--record-samples` only.
//!
//! Format: <https://asv.readthedocs.io/en/stable/dev.html>, version 2 of the results; `Results.save` in `asv/results.py`.
//!
//! Tests: `tests/formats/import/asv.rs`.

use super::loose_json::{has_key, remember};
use super::{Column, Draft, ImportErrorKind, Input, json_keys};
use evenhand_trial::environment::Git;
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, Per, Reason, Reported, RoundId, Unit, Whole,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::BTreeMap;

const NO_SAMPLES: &str = "without samples no interval and no comparison can be made from asv's figures; run asv with \
     --record-samples";

pub(super) fn looks_like(head: &[u8]) -> bool {
    json_keys::first_keys(head, 1) == ["commit_hash"] && has_key(head, "result_columns")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let file: WireFile = serde_json::from_reader(input)?;
    if file.version != 2 {
        return Err(ImportErrorKind::wrong(
            "version",
            format_args!("{} is not 2, the one that is understood", file.version),
        ));
    }
    keep_environment(&file, draft);
    for (name, results) in file.results {
        for (place, parameters) in combinations(&results.params).into_iter().enumerate() {
            draft.add_or_leave_out(|draft| add(&name, &parameters, results.at(place), draft));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireFile {
    version: u32,
    commit_hash: Option<String>,
    #[serde(default)]
    params: BTreeMap<String, Value>,
    python: Option<String>,
    results: BTreeMap<String, WireResults>,
}

/// A list whose places have these meanings; those at the end may be missing, and any of them is `null` if it is of no
/// use.
#[derive(Deserialize)]
struct WireResults {
    result: Option<Vec<Option<f64>>>,
    #[serde(default)]
    params: Vec<Vec<String>>,
    #[serde(default)]
    _version: IgnoredAny,
    #[serde(default)]
    started_at: Option<f64>,
    #[serde(default)]
    _duration: IgnoredAny,
    #[serde(default)]
    lower: Figures,
    #[serde(default)]
    upper: Figures,
    #[serde(default)]
    q_25: Figures,
    #[serde(default)]
    q_75: Figures,
    #[serde(default)]
    number: Option<Vec<Option<u64>>>,
    #[serde(default)]
    repeat: Option<Vec<Option<u64>>>,
    #[serde(default)]
    samples: Option<Vec<Option<Vec<f64>>>>,
    #[serde(default)]
    _profile: IgnoredAny,
}

type Figures = Option<Vec<Option<f64>>>;

/// What there is of one combination of parameters.
struct Combination {
    value: Option<f64>,
    samples: Vec<f64>,
    iterations: u64,
    repeat: Option<u64>,
    quartiles: [Option<f64>; 2],
    interval: [Option<f64>; 2],
}

impl WireResults {
    fn at(&self, place: usize) -> Combination {
        let figure = |figures: &Figures| figures.as_ref()?.get(place).copied()?;
        let count = |counts: &Option<Vec<Option<u64>>>| counts.as_ref()?.get(place).copied()?;
        let samples = self.samples.as_ref().and_then(|samples| samples.get(place)?.clone());
        Combination {
            value: figure(&self.result),
            samples: samples.unwrap_or_default(),
            iterations: count(&self.number).unwrap_or(1),
            repeat: count(&self.repeat),
            quartiles: [figure(&self.q_25), figure(&self.q_75)],
            interval: [figure(&self.lower), figure(&self.upper)],
        }
    }
}

/// More of them are no parameters of a benchmark.
const MOST_COMBINATIONS: usize = 100_000;

/// All combinations, the last parameter changing first. One without parameters has one.
fn combinations(parameters: &[Vec<String>]) -> Vec<Vec<&str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    for values in parameters {
        if all.len().saturating_mul(values.len()) > MOST_COMBINATIONS {
            break;
        }
        all = all
            .iter()
            .flat_map(|begun| values.iter().map(|value| [begun.as_slice(), &[value.as_str()]].concat()))
            .collect();
    }
    all
}

fn add(
    name: &str,
    parameters: &[&str],
    result: Combination,
    draft: &mut Draft,
) -> Result<(), ImportErrorKind> {
    let in_brackets =
        if parameters.is_empty() { String::new() } else { format!("({})", parameters.join(", ")) };
    let full = format!("{name}{in_brackets}");
    let named =
        (1..).zip(parameters).map(|(place, value)| (format!("parameter {place}"), (*value).to_owned()));
    let arm = Arm { name: full.clone(), group: full, parameters: named.collect(), ..Arm::default() };
    let arm = draft.arm(arm);
    let column = draft.metric(metric_of(name));
    match result.value {
        None => add_failure(arm, draft),
        Some(_) if !result.samples.is_empty() => {
            let iterations = Whole::Same { same: result.iterations.max(1) };
            draft.samples(arm, LaunchId(0), iterations, vec![(column, result.samples)])?;
        }
        Some(value) => add_figures(arm, column, value, &result, draft),
    }
    Ok(())
}

fn add_failure(arm: ArmId, draft: &mut Draft) {
    let reason = Reason::Other { message: "failed, or was skipped".to_owned() };
    draft.failure(Failure { arm, launch: LaunchId(0), round: RoundId(0), reason, seconds: None });
}

fn add_figures(arm: ArmId, column: Column, value: f64, result: &Combination, draft: &mut Draft) {
    draft.note(NO_SAMPLES);
    let percentiles = [25.0, 75.0].into_iter().zip(result.quartiles);
    let more = ["99 % lower", "99 % upper"].into_iter().zip(result.interval);
    let reported = Reported {
        samples: result.repeat,
        median: Some(value),
        percentiles: percentiles.filter_map(|(percent, value)| Some((percent, value?))).collect(),
        more: more.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect(),
        ..Reported::new(arm, column.metric)
    };
    draft.reported(column, reported);
}

/// By the beginning of the last part of the name.
fn metric_of(name: &str) -> Metric {
    let function = name.rsplit('.').next().unwrap_or(name);
    let (name, unit) = match function.split('_').next().unwrap_or_default() {
        "time" | "timeraw" => ("wall", Unit::seconds()),
        "mem" => ("size", Unit::bytes()),
        "peakmem" => ("max_rss", Unit::bytes()),
        _ => ("value", Unit::count()),
    };
    Metric { name: name.to_owned(), unit, per: Per::Iteration, better: Better::Lower }
}

fn keep_environment(file: &WireFile, draft: &mut Draft) {
    draft.tool("asv");
    let starts = file.results.values().filter_map(|results| results.started_at);
    if let Ok(began) = Timestamp::from_millisecond(starts.fold(f64::INFINITY, f64::min) as i64) {
        draft.started(began);
    }
    let environment = draft.environment();
    let git = |commit: &String| Git { commit: commit.clone(), dirty: false, branch: None };
    environment.git = file.commit_hash.as_ref().map(git);
    environment.tools.extend(file.python.clone().map(|version| ("python".to_owned(), version)));
    for (key, value) in &file.params {
        let text = value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
        match key.as_str() {
            "machine" => environment.host = text,
            "os" => environment.system = text,
            "arch" => environment.architecture = text,
            "cpu" => environment.cpu.model = text,
            "num_cpu" => environment.cpu.logical = text.and_then(|count| count.parse().ok()),
            "python" => {}
            _ => remember(environment, "", key, value),
        }
    }
}
