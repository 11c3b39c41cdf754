//! What does k6 say of a load test? Each point of `k6 run --out json=FILE`, or the figures of `--summary-export FILE` and of
//! the object that `handleSummary` gets.
//!
//! ```json
//! {"type":"Metric","data":{"name":"http_req_duration","type":"trend","contains":"time"},"metric":"http_req_duration"}
//! {"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-23T08:00:00Z","value":1.25,
//!  "tags":{"expected_response":"true","method":"GET","name":"http://localhost/","scenario":"default","status":"200"}}}
//! ```
//!
//! Only trends are samples. The points of one request are counted by its method and `name`; what has no name, such as
//! `iteration_duration`, by its scenario. A request without the expected response is a failure. Times are milliseconds.
//! The summary names no units but those of `handleSummary`: there k6's own trends are known to be times.
//!
//! Format: <https://grafana.com/docs/k6/latest/results-output/real-time/json/> and
//! <https://grafana.com/docs/k6/latest/results-output/end-of-test/custom-summary/>.
//!
//! Tests: `tests/formats/import/k6.rs`.

use super::loose_json::{after_mark, has_key};
use super::{Column, Draft, ImportErrorKind, Input};
use evenhand_trial::{
    Arm, ArmId, Better, Failure, LaunchId, Metric, Per, Reason, Reported, RoundId, Unit, Whole,
};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::BufRead;

/// The metric on which requests are compared.
const DURATION: &str = "http_req_duration";

const NO_SAMPLES: &str = "a summary has figures without samples: no interval and no comparison can be made from it; run k6 \
                          with `--out json=FILE` and import that";
const WAITING: &str = "unless its executor sends at a fixed rate, k6 sends no request while it waits for an answer: when the \
                       service stalls, few requests show it";

pub(super) fn looks_like(head: &[u8]) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| has_key(head, key));
    let is_object = after_mark(head).starts_with(b"{");
    is_object && (has(&["root_group", "metrics"]) || has(&["type", "metric", "data"]))
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.tool("k6");
    let head = input.fill_buf()?;
    if has_key(head, "root_group") && has_key(head, "metrics") {
        return add_summary(serde_json::from_reader(input)?, draft);
    }
    let mut points = Points::default();
    for line in serde_json::Deserializer::from_reader(input).into_iter::<WireLine>() {
        points.take(line?);
    }
    points.fill(draft)
}

#[derive(Deserialize)]
struct WireLine {
    metric: String,
    data: WireData,
}

/// A metric's definition or a point of it.
#[derive(Deserialize)]
struct WireData {
    #[serde(rename = "type")]
    kind: Option<String>,
    contains: Option<String>,
    time: Option<String>,
    value: Option<f64>,
    #[serde(default)]
    tags: Option<BTreeMap<String, String>>,
}

/// The trends by their arms and metrics, in the order of the file.
#[derive(Default)]
struct Points {
    /// What a trend contains, by its name.
    trends: BTreeMap<String, String>,
    arms: BTreeMap<String, OfArm>,
    started: Option<Timestamp>,
}

/// The points of an arm.
#[derive(Default)]
struct OfArm {
    trends: BTreeMap<String, Vec<f64>>,
    /// The places of the requests that were answered as expected.
    answered: Vec<u64>,
    /// The places of the others, with the reason.
    failed: Vec<(u64, String)>,
}

impl Points {
    fn take(&mut self, WireLine { metric, data }: WireLine) {
        let Some(value) = data.value else {
            if data.kind.as_deref() == Some("trend") {
                self.trends.insert(metric, data.contains.unwrap_or_default());
            }
            return;
        };
        if !self.trends.contains_key(&metric) {
            return;
        }
        let at = data.time.and_then(|time| time.parse().ok());
        self.started = [self.started, at].into_iter().flatten().min();
        let tags = data.tags.unwrap_or_default();
        let arm = self.arms.entry(name_of(&tags)).or_default();
        let failure = why_failed(&tags);
        if metric == DURATION {
            let place = (arm.answered.len() + arm.failed.len()) as u64;
            match &failure {
                Some(why) => arm.failed.push((place, why.clone())),
                None => arm.answered.push(place),
            }
        }
        if failure.is_none() {
            arm.trends.entry(metric).or_default().push(value);
        }
    }

    fn fill(self, draft: &mut Draft) -> Result<(), ImportErrorKind> {
        self.started.into_iter().for_each(|at| draft.started(at));
        if self.trends.contains_key(DURATION) {
            draft.metric(metric_of(DURATION, "time"));
            draft.note(WAITING);
        }
        for (name, of_arm) in self.arms {
            draft.add_or_leave_out(|draft| of_arm.add(name, &self.trends, draft));
        }
        Ok(())
    }
}

fn name_of(tags: &BTreeMap<String, String>) -> String {
    let tag = |key: &str| tags.get(key).filter(|value| !value.is_empty());
    match (tag("method"), tag("name").or_else(|| tag("url"))) {
        (Some(method), Some(name)) => format!("{method} {name}"),
        (None, Some(name)) => name.clone(),
        _ => tag("scenario").cloned().unwrap_or_else(|| "default".to_owned()),
    }
}

fn why_failed(tags: &BTreeMap<String, String>) -> Option<String> {
    let expected = tags.get("expected_response").is_none_or(|expected| expected != "false");
    let error = tags.get("error").filter(|error| !error.is_empty()).cloned();
    let status = || tags.get("status").map_or_else(String::new, |status| format!(" ({status})"));
    (!expected).then(|| error.unwrap_or_else(|| format!("not the expected response{}", status())))
}

impl OfArm {
    fn add(
        self,
        name: String,
        kinds: &BTreeMap<String, String>,
        draft: &mut Draft,
    ) -> Result<(), ImportErrorKind> {
        let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
        for (place, message) in self.failed {
            let (launch, round) = (LaunchId(0), RoundId(place));
            let reason = Reason::Other { message };
            draft.failure(Failure { arm, launch, round, reason, seconds: None });
        }
        let mut beside = Vec::new();
        for (metric, values) in self.trends {
            let contains = kinds.get(&metric).map_or("", String::as_str);
            let column = draft.metric(metric_of(&metric, contains));
            // k6 writes all trends of a request together; others have a number of their own.
            if !self.answered.is_empty() && values.len() == self.answered.len() {
                beside.push((column, values));
            } else {
                add_alone(arm, column, values, draft)?;
            }
        }
        if beside.is_empty() {
            return Ok(());
        }
        draft.samples_in_rounds(arm, LaunchId(0), Whole::of(self.answered), Whole::Same { same: 1 }, beside)
    }
}

fn add_alone(arm: ArmId, column: Column, values: Vec<f64>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.samples(arm, LaunchId(0), Whole::Same { same: 1 }, vec![(column, values)])
}

fn metric_of(name: &str, contains: &str) -> Metric {
    let unit = match contains {
        "time" => Unit::new("ms"),
        "data" => Unit::bytes(),
        _ => Unit::count(),
    };
    Metric { name: name.to_owned(), unit, per: Per::Sample, better: Better::Lower }
}

#[derive(Deserialize)]
struct WireSummary {
    metrics: BTreeMap<String, WireMetric>,
}

/// `--summary-export` has the figures beside each other, `handleSummary` in `values`.
#[derive(Deserialize)]
struct WireMetric {
    contains: Option<String>,
    values: Option<BTreeMap<String, f64>>,
    #[serde(flatten)]
    figures: BTreeMap<String, Value>,
}

impl WireMetric {
    fn figure(&self, key: &str) -> Option<f64> {
        let beside = || self.figures.get(key).and_then(Value::as_f64);
        self.values.as_ref().map_or_else(beside, |values| values.get(key).copied())
    }

    /// `p(99.9)`, rising.
    fn percentiles(&self) -> Vec<(f64, f64)> {
        let keys = self.figures.keys().chain(self.values.iter().flat_map(BTreeMap::keys));
        let percent = |key: &String| key.strip_prefix("p(")?.strip_suffix(')')?.parse().ok();
        let mut all: Vec<(f64, f64)> =
            keys.filter_map(|key| Some((percent(key)?, self.figure(key)?))).collect();
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        all
    }
}

fn add_summary(summary: WireSummary, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.note(NO_SAMPLES);
    draft.note(WAITING);
    let name = draft.file_stem();
    let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
    let count = |metric: &str| summary.metrics.get(metric).and_then(|metric| metric.figure("count"));
    let first = summary.metrics.get_key_value(DURATION);
    let others = summary.metrics.iter().filter(|(name, _)| *name != DURATION);
    for (name, metric) in first.into_iter().chain(others) {
        let (Some(mean), Some(median)) = (metric.figure("avg"), metric.figure("med")) else { continue };
        let known = name.starts_with("http_req_") || name.ends_with("_duration");
        let contains = metric.contains.as_deref().unwrap_or(if known { "time" } else { "" });
        let column = draft.metric(metric_of(name, contains));
        let times = match name.as_str() {
            "iteration_duration" => count("iterations"),
            DURATION => count("http_reqs"),
            _ => None,
        };
        draft.reported(
            column,
            Reported {
                samples: times.map(|times| times as u64),
                min: metric.figure("min"),
                mean: Some(mean),
                median: Some(median),
                max: metric.figure("max"),
                percentiles: metric.percentiles(),
                ..Reported::new(arm, column.metric)
            },
        );
    }
    note_failed(&summary, draft);
    Ok(())
}

/// The share is `value` in the one form, `rate` in the other.
fn note_failed(summary: &WireSummary, draft: &mut Draft) {
    let failed = summary.metrics.get("http_req_failed");
    let share = failed.and_then(|failed| failed.figure("rate").or_else(|| failed.figure("value")));
    if let Some(share) = share.filter(|share| *share > 0.0) {
        draft.note(format!("{:.2} % of the requests failed; k6 counts them in the durations", share * 100.0));
    }
}
