//! What does latte's JSON report say? (<https://github.com/pkolaczk/latte>, `Report` in `src/report/mod.rs`)
//!
//! ```text
//! {"conf": {"workload": "read.rn", "functions": [{"name": "run", "weight": 1.0}], "rate": 1000.0, …},
//!  "percentiles": [0.0, 1.0, …, 99.99, 100.0],
//!  "result": {"cycle_latency": {"mean": {"n": 9, "value": 0.2, "std_err": 0.01},
//!                               "percentiles": [{"n": 100, "value": 0.1, "std_err": 0.0}, …],
//!                               "histogram": "HISTFAAA…"}, "cycle_latency_by_fn": {…}, "request_latency": {…}, …}}
//! ```
//!
//! Latencies are milliseconds, but the histogram (base64 of a compressed HDR histogram) counts nanoseconds: its values
//! are multiplied with 1e-6, as latte does for its percentiles. There are no samples of latency; `log` has the
//! throughput of every second, and that is a series of samples.
//!
//! Left out: connection settings (they may hold a password), the latencies within `log`.
//!
//! Tests: `tests/formats/import/latte.rs`.

mod hdr;

use super::{Column, Draft, ImportErrorKind, Input};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use evenhand_trial::{Arm, ArmId, Better, LaunchId, Metric, Per, Reported, Unit, Whole};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

pub(super) fn looks_like(head: &[u8]) -> bool {
    let Some(rest) = head.trim_ascii_start().strip_prefix(b"{") else { return false };
    let has = |word: &str| head.windows(word.len()).any(|window| window == word.as_bytes());
    rest.trim_ascii_start().starts_with(b"\"conf\"") && has("\"workload\"") && has("\"sampling_interval\"")
}

pub(super) fn read(input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let report: Report = serde_json::from_reader(input)?;
    draft.tool("latte");
    read_environment(&report, draft)?;
    let reader = &mut Reader { percents: report.percentiles, buckets_left: MOST_BUCKETS, draft };
    let (name, parameters) = (report.conf.name(), report.conf.parameters());
    let arm = Arm { name: name.clone(), group: name.clone(), parameters, ..Arm::default() };
    let whole = reader.draft.arm(arm.clone());
    let result = report.result;
    reader.latency(whole, "wall", &result.cycle_latency, "result.cycle_latency")?;
    if let Some(request) = &result.request_latency {
        reader.latency(whole, "request", request, "result.request_latency")?;
    }
    // One function alone is the same as the whole.
    for (function, latency) in result.cycle_latency_by_fn.iter().filter(|_| report.conf.functions.len() > 1) {
        let name = format!("{name}: {function}");
        let arm = reader.draft.arm(Arm { group: name.clone(), name, ..arm.clone() });
        let place = format!("result.cycle_latency_by_fn.{}", function.escape_debug());
        reader.latency(arm, "wall", latency, &place)?;
    }
    reader.throughput(whole, &result.cycle_throughput, &result.log)?;
    if result.error_count > 0 {
        draft.note(format!(
            "{} cycles ended with an error; latte counts their latencies too",
            result.error_count
        ));
    }
    draft.note(HISTOGRAM);
    Ok(())
}

/// Far more than latte's histograms of three digits have; keeps a small hostile file from filling the memory.
const MOST_BUCKETS: usize = 4_000_000;

const HISTOGRAM: &str = "latte keeps a histogram of the latencies (three digits) and not their order: their \
     autocorrelation and changes over time cannot be known";

fn read_environment(report: &Report, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    if let Some(start) = &report.result.start_time {
        let started: Result<Timestamp, _> = start.parse();
        draft.started(started.map_err(|error| ImportErrorKind::wrong("result.start_time", error))?);
    }
    let other = &mut draft.environment().other;
    for (key, value) in
        [("cluster", &report.conf.cluster_name), ("database version", &report.conf.cass_version)]
    {
        other.extend(value.clone().map(|value| (key.to_owned(), value)));
    }
    Ok(())
}

struct Reader<'a> {
    percents: Vec<f64>,
    buckets_left: usize,
    draft: &'a mut Draft,
}

impl Reader<'_> {
    fn latency(
        &mut self,
        arm: ArmId,
        metric: &str,
        latency: &Latency,
        place: &str,
    ) -> Result<(), ImportErrorKind> {
        let column = self.draft.metric(Metric::time(metric, Unit::new("ms")));
        let histogram = self.histogram(&latency.histogram, place)?;
        let percentiles = self.percentiles(latency, place)?;
        let at = |percent: f64| percentiles.iter().find(|(p, _)| *p == percent).map(|(_, value)| *value);
        let samples = histogram.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count));
        let Some(samples) = samples else {
            return Err(ImportErrorKind::wrong(
                format_args!("{place}.histogram"),
                "counts more than 2^64 cycles",
            ));
        };
        let mut more = self.errors_of_percentiles(latency);
        more.insert("effective_samples".to_owned(), latency.mean.n as f64);
        let reported = Reported {
            samples: Some(samples),
            min: at(0.0),
            median: at(50.0),
            max: at(100.0),
            mean: latency.mean.value,
            mean_error: latency.mean.std_err,
            percentiles,
            histogram,
            more,
            ..Reported::new(arm, column.metric)
        };
        self.report(column, reported, place)
    }

    fn histogram(&mut self, text: &str, place: &str) -> Result<Vec<(f64, u64)>, ImportErrorKind> {
        let place = || format!("{place}.histogram");
        let bytes = STANDARD.decode(text).map_err(|error| ImportErrorKind::wrong(place(), error))?;
        let mut buckets = hdr::decode(&bytes, self.buckets_left).map_err(|problem| match problem {
            ImportErrorKind::Wrong { what, .. } => ImportErrorKind::wrong(place(), what),
            other => other,
        })?;
        self.buckets_left -= buckets.len();
        buckets.iter_mut().for_each(|(nanoseconds, _)| *nanoseconds *= 1e-6);
        Ok(buckets)
    }

    fn percentiles(&self, latency: &Latency, place: &str) -> Result<Vec<(f64, f64)>, ImportErrorKind> {
        let place = || format!("{place}.percentiles");
        if latency.percentiles.len() != self.percents.len() {
            let (have, want) = (latency.percentiles.len(), self.percents.len());
            return Err(ImportErrorKind::wrong(
                place(),
                format_args!("{have} values for {want} percentiles"),
            ));
        }
        let ascending = self.percents.is_sorted_by(|a, b| a < b);
        if !ascending || self.percents.iter().any(|percent| !(0.0..=100.0).contains(percent)) {
            return Err(ImportErrorKind::wrong("percentiles", "are not percents from 0 to 100, ascending"));
        }
        let values = latency.percentiles.iter().zip(&self.percents);
        Ok(values.filter_map(|(mean, percent)| Some((*percent, mean.value?))).collect())
    }

    fn errors_of_percentiles(&self, latency: &Latency) -> BTreeMap<String, f64> {
        let values = latency.percentiles.iter().zip(&self.percents);
        values.filter_map(|(mean, percent)| Some((format!("p{percent} std_err"), mean.std_err?))).collect()
    }

    fn throughput(&mut self, arm: ArmId, mean: &Mean, log: &[Second]) -> Result<(), ImportErrorKind> {
        let column = self.draft.metric(Metric {
            name: "cycle_throughput".to_owned(),
            unit: Unit::new("1/s"),
            per: Per::Iteration,
            better: Better::Higher,
        });
        let reported = Reported {
            mean: mean.value,
            mean_error: mean.std_err,
            more: BTreeMap::from([("effective_samples".to_owned(), mean.n as f64)]),
            ..Reported::new(arm, column.metric)
        };
        self.report(column, reported, "result.cycle_throughput")?;
        if log.is_empty() {
            return Ok(());
        }
        let rates = log.iter().map(|second| second.cycle_throughput.unwrap_or(f64::NAN)).collect();
        self.draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(column, rates)])
    }

    fn report(&mut self, column: Column, reported: Reported, place: &str) -> Result<(), ImportErrorKind> {
        let figures = [reported.min, reported.mean, reported.median, reported.max, reported.mean_error];
        let percentiles = reported.percentiles.iter().map(|(_, value)| *value);
        if let Some(bad) = figures.into_iter().flatten().chain(percentiles).find(|value| *value < 0.0) {
            return Err(ImportErrorKind::wrong(place, format_args!("{bad} is not a possible measurement")));
        }
        self.draft.reported(column, reported);
        Ok(())
    }
}

#[derive(Deserialize)]
struct Report {
    conf: Conf,
    percentiles: Vec<f64>,
    result: Outcome,
}

#[derive(Deserialize)]
struct Conf {
    workload: String,
    #[serde(default)]
    functions: Vec<Function>,
    #[serde(default)]
    params: Vec<(String, String)>,
    #[serde(default)]
    tags: Vec<String>,
    rate: Option<f64>,
    threads: Option<u64>,
    concurrency: Option<u64>,
    cluster_name: Option<String>,
    cass_version: Option<String>,
}

impl Conf {
    /// `workloads/read.rn` is `read`.
    fn name(&self) -> String {
        Path::new(&self.workload)
            .file_stem()
            .map_or_else(|| self.workload.clone(), |stem| stem.to_string_lossy().into_owned())
    }

    fn parameters(&self) -> BTreeMap<String, String> {
        let functions: Vec<String> =
            self.functions.iter().map(|function| format!("{}:{}", function.name, function.weight)).collect();
        let settings = [
            ("functions", Some(functions.join(","))),
            ("tags", Some(self.tags.join(",")).filter(|tags| !tags.is_empty())),
            ("rate", self.rate.map(|rate| rate.to_string())),
            ("threads", self.threads.map(|threads| threads.to_string())),
            ("concurrency", self.concurrency.map(|concurrency| concurrency.to_string())),
        ];
        let settings = settings.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        let workload = self.params.iter().map(|(key, value)| (format!("-P {key}"), value.clone()));
        settings.chain(workload).collect()
    }
}

#[derive(Deserialize)]
struct Function {
    name: String,
    weight: f64,
}

#[derive(Deserialize)]
struct Outcome {
    start_time: Option<String>,
    #[serde(default)]
    error_count: u64,
    cycle_throughput: Mean,
    cycle_latency: Latency,
    #[serde(default)]
    cycle_latency_by_fn: BTreeMap<String, Latency>,
    request_latency: Option<Latency>,
    #[serde(default)]
    log: Vec<Second>,
}

#[derive(Deserialize)]
struct Latency {
    mean: Mean,
    percentiles: Vec<Mean>,
    histogram: String,
}

/// `n` is the effective sample size. Rust writes NaN as `null`.
#[derive(Deserialize)]
struct Mean {
    n: u64,
    value: Option<f64>,
    std_err: Option<f64>,
}

#[derive(Deserialize)]
struct Second {
    cycle_throughput: Option<f64>,
}
