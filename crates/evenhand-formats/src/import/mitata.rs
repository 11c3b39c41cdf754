//! What does mitata's JSON say? (`run({ format: 'json' })`, <https://github.com/evanwashere/mitata>, `src/main.mjs`)
//!
//! ```text
//! {"layout": [{"name": null, "types": []}, {"name": "sums", "types": ["s", "g"]}],
//!  "benchmarks": [{"group": 1, "baseline": true, "runs": [
//!     {"name": "sort(10)", "args": {"size": 10}, "stats": {"samples": [9925.1, …], "ticks": 139264, …}}]}],
//!  "context": {"now": 1795248687538, "runtime": "node", …}}
//! ```
//!
//! Times are nanoseconds of one iteration. mitata sorts the samples and, when there are more than 12, drops the two
//! smallest and the two largest. A sample is one call or a batch of calls; `ticks` is calls in all the samples kept,
//! so `ticks / samples` is the size of the batch. Without samples (`{ json: { samples: false } }`) the figures remain.
//!
//! Left out: `counters` (processor events, only with another package and privileges), mitata's own calibration.
//!
//! Tests: `tests/formats/import/mitata.rs`.

use super::javascript::{Thrown, failure};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use jiff::Timestamp;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::{BTreeMap, HashMap, HashSet};

pub(super) fn looks_like(head: &[u8]) -> bool {
    let first_key = |head: &[u8]| {
        head.trim_ascii_start()
            .strip_prefix(b"{")
            .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\"layout\""))
    };
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    first_key(head) && has(b"\"types\"")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let report: Report = serde_json::from_reader(input)?;
    draft.tool("mitata");
    if let Some(context) = report.context {
        read_context(context, draft)?;
    }
    let mut groups = Groups::new(report.layout);
    for benchmark in report.benchmarks {
        let group = groups.of(&benchmark);
        let mut baseline = group.is_some() && benchmark.baseline;
        for run in benchmark.runs {
            // A benchmark with arguments is one arm a combination; a group has one baseline.
            baseline = baseline && groups.first_baseline(group.as_deref());
            draft.add_or_leave_out(|draft| read_run(run, group.as_deref(), baseline, draft));
        }
    }
    Ok(())
}

fn read_context(context: Context, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    if let Some(now) = context.now {
        // A double beyond i64 becomes the largest i64, which jiff refuses.
        let started = Timestamp::from_millisecond(now as i64);
        draft.started(started.map_err(|error| ImportErrorKind::wrong("context.now", error))?);
    }
    let environment = draft.environment();
    environment.cpu.model = context.cpu.name;
    environment.other.extend(context.arch.map(|arch| ("arch".to_owned(), arch)));
    let clock = context.cpu.freq.map(|freq| ("cpu.freq (GHz, estimated)".to_owned(), freq.to_string()));
    environment.other.extend(clock);
    if let Some(runtime) = context.runtime {
        environment.tools.insert(runtime, context.version.unwrap_or_default());
    }
    Ok(())
}

fn read_run(run: Run, group: Option<&str>, baseline: bool, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let arm = draft.arm(Arm {
        group: group.unwrap_or(&run.name).to_owned(),
        name: run.name.clone(),
        baseline,
        parameters: run.args.into_iter().map(|(key, value)| (key, value.text())).collect(),
        ..Arm::default()
    });
    match (run.stats, run.error) {
        (_, Some(error)) => {
            // A trial has a metric even if nothing could be measured.
            draft.metric(wall());
            draft.failure(failure(arm, error.text()));
            Ok(())
        }
        (Some(stats), None) => read_stats(stats, arm, &run.name, draft),
        (None, None) => {
            let place = format!("\"{}\"", run.name.escape_debug());
            Err(ImportErrorKind::wrong(place, "has neither stats nor an error"))
        }
    }
}

fn read_stats(stats: Stats, arm: ArmId, name: &str, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let column = draft.metric(wall());
    let figures = Figures {
        count: None,
        min: stats.min,
        mean: stats.avg,
        median: stats.p50,
        max: stats.max,
        percentiles: [(25.0, stats.p25), (75.0, stats.p75), (99.0, stats.p99), (99.9, stats.p999)],
    };
    match stats.samples.filter(|samples| !samples.is_empty()) {
        Some(samples) => {
            draft.note(SORTED);
            draft.order_is_lost(arm);
            let iterations = Whole::Same { same: batch(stats.ticks, samples.len(), name, draft)? };
            draft.samples(arm, LaunchId(0), iterations, vec![(column, samples)])?;
        }
        None => {
            draft.note(NO_SAMPLES);
            let mut reported = figures.reported(arm, column);
            reported.more.extend(stats.ticks.map(|ticks| ("ticks".to_owned(), ticks)));
            draft.reported(column, reported);
        }
    }
    for (extra, metric) in [(stats.heap, heap()), (stats.gc, gc())] {
        let Some(extra) = extra.filter(|extra| extra.avg.is_some()) else { continue };
        let column = draft.metric(metric);
        let figures = Figures {
            count: extra.count,
            min: extra.min,
            mean: extra.avg,
            median: None,
            max: extra.max,
            percentiles: [(0.0, None); 4],
        };
        draft.reported(column, figures.reported(arm, column));
    }
    Ok(())
}

const SORTED: &str = "mitata sorts the samples and, of more than 12, drops the two smallest and the two largest: \
     their order, their autocorrelation and the true extremes cannot be known";
const NO_SAMPLES: &str = "written without samples: neither an interval nor a test can be made from the figures; \
     write with samples on (mitata's default)";

/// Calls in one sample.
fn batch(ticks: Option<f64>, samples: usize, name: &str, draft: &mut Draft) -> Result<u64, ImportErrorKind> {
    let Some(ticks) = ticks else {
        draft.note(format!("\"{}\": how many calls a sample holds is not in the file", name.escape_debug()));
        return Ok(1);
    };
    let size = ticks / samples as f64;
    if size < 1.0 || size.fract() != 0.0 || size > 1e15 {
        let place = format!("\"{}\", ticks", name.escape_debug());
        return Err(ImportErrorKind::wrong(
            place,
            format_args!("{ticks} calls do not fill {samples} samples"),
        ));
    }
    Ok(size as u64)
}

fn wall() -> Metric {
    Metric { per: Per::Iteration, ..Metric::time("wall", Unit::nanoseconds()) }
}

fn heap() -> Metric {
    Metric { name: "heap".to_owned(), unit: Unit::bytes(), per: Per::Iteration, better: Better::Lower }
}

fn gc() -> Metric {
    Metric { per: Per::Sample, ..Metric::time("gc", Unit::nanoseconds()) }
}

/// What mitata prints of a list of numbers.
struct Figures {
    count: Option<u64>,
    min: Option<f64>,
    mean: Option<f64>,
    median: Option<f64>,
    max: Option<f64>,
    percentiles: [(f64, Option<f64>); 4],
}

impl Figures {
    fn reported(self, arm: ArmId, column: Column) -> Reported {
        let percentiles: Vec<(f64, f64)> =
            self.percentiles.into_iter().filter_map(|(percent, value)| Some((percent, value?))).collect();
        Reported {
            samples: self.count,
            min: self.min,
            mean: self.mean,
            median: self.median,
            max: self.max,
            percentiles,
            ..Reported::new(arm, column.metric)
        }
    }
}

/// Which benchmarks are alternatives: those of one `summary`, plot or named group. One that stands in none of them is
/// a question of its own.
struct Groups {
    layout: Vec<Collection>,
    names: HashMap<usize, String>,
    taken: HashSet<String>,
    with_baseline: HashSet<String>,
}

impl Groups {
    fn new(layout: Vec<Collection>) -> Self {
        Self { layout, names: HashMap::new(), taken: HashSet::new(), with_baseline: HashSet::new() }
    }

    fn of(&mut self, benchmark: &Benchmark) -> Option<String> {
        let id = benchmark.group?;
        let collection = self.layout.get(id).filter(|collection| !collection.types.is_empty())?;
        if let Some(name) = self.names.get(&id) {
            return Some(name.clone());
        }
        let wanted = collection.name.clone().map_or_else(|| "summary".to_owned(), Label::text);
        // What follows a nested summary in a named group gets a new id in the file, and is the same group.
        let resumed = collection.types.iter().all(|kind| kind == "g");
        let mut name = wanted.clone();
        let mut number = 2_usize;
        while !resumed && self.taken.contains(&name) {
            name = format!("{wanted} ({number})");
            number += 1;
        }
        self.taken.insert(name.clone());
        self.names.insert(id, name.clone());
        Some(name)
    }

    /// Whether a baseline of this group is its first.
    fn first_baseline(&mut self, group: Option<&str>) -> bool {
        group.is_some_and(|group| self.with_baseline.insert(group.to_owned()))
    }
}

#[derive(Deserialize)]
struct Report {
    #[serde(default)]
    layout: Vec<Collection>,
    benchmarks: Vec<Benchmark>,
    context: Option<Context>,
}

#[derive(Deserialize)]
struct Collection {
    name: Option<Label>,
    #[serde(default)]
    types: Vec<String>,
}

/// The name of a collection: mitata starts again with the number 0 for none after a first run.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Label {
    Text(String),
    Number(f64),
}

impl Label {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct Benchmark {
    group: Option<usize>,
    #[serde(default)]
    baseline: bool,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    name: String,
    #[serde(default)]
    args: BTreeMap<String, Argument>,
    stats: Option<Stats>,
    error: Option<Thrown>,
}

/// The value of an argument: anything that JSON can hold.
#[derive(Deserialize)]
#[serde(untagged)]
enum Argument {
    Text(String),
    Number(serde_json::Number),
    Switch(bool),
    Other(IgnoredAny),
}

impl Argument {
    fn text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
            Self::Switch(switch) => switch.to_string(),
            Self::Other(_) => "a structure".to_owned(),
        }
    }
}

#[derive(Deserialize)]
struct Stats {
    samples: Option<Vec<f64>>,
    min: Option<f64>,
    max: Option<f64>,
    p25: Option<f64>,
    p50: Option<f64>,
    p75: Option<f64>,
    p99: Option<f64>,
    p999: Option<f64>,
    avg: Option<f64>,
    ticks: Option<f64>,
    heap: Option<Extra>,
    gc: Option<Extra>,
}

#[derive(Deserialize)]
struct Extra {
    #[serde(rename = "_")]
    count: Option<u64>,
    min: Option<f64>,
    max: Option<f64>,
    avg: Option<f64>,
}

#[derive(Deserialize)]
struct Context {
    now: Option<f64>,
    arch: Option<String>,
    version: Option<String>,
    runtime: Option<String>,
    #[serde(default)]
    cpu: Cpu,
}

#[derive(Default, Deserialize)]
struct Cpu {
    name: Option<String>,
    freq: Option<f64>,
}
