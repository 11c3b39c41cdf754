//! What does vegeta say of an attack? Each request, as `vegeta encode` writes it, or the figures of `vegeta report -type=json`.
//!
//! ```json
//! {"attack":"","seq":0,"code":200,"timestamp":"2026-11-23T08:00:00.5Z","latency":1250000,"error":"","method":"GET","url":"http://localhost/"}
//! {"latencies":{"total":237119463,"mean":2371194,"50th":2854306,"99th":3530000,"max":3660505,"min":1949582},"requests":100,"success":1}
//! ```
//!
//! Requests of one attack, method and address are an arm, in the order in which they were sent; latencies are nanoseconds.
//! A request without an answer, or with a status below 200 or from 400 on, is a failure, as vegeta counts.
//!
//! Format: `lib/results.go` and `lib/metrics.go` in <https://github.com/tsenart/vegeta>.
//!
//! Tests: `tests/formats/import/vegeta.rs`.

use super::loose_json::{after_mark, has_key};
use super::{Draft, ImportErrorKind, Input};
use evenhand_trial::{Arm, Failure, LaunchId, Metric, Reason, Reported, RoundId, Unit, Whole};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::BufRead;

const NO_SAMPLES: &str = "the report has figures without samples: no interval and no comparison can be made from it; \
                          import what `vegeta encode` writes of the same results";

pub(super) fn looks_like(head: &[u8]) -> bool {
    let has = |keys: &[&str]| keys.iter().all(|key| has_key(head, key));
    let is_object = after_mark(head).starts_with(b"{");
    is_object && (is_report(head) || has(&["attack", "seq", "latency", "timestamp"]))
}

fn is_report(head: &[u8]) -> bool {
    ["latencies", "bytes_in", "bytes_out"].iter().all(|key| has_key(head, key))
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.tool("vegeta");
    if is_report(input.fill_buf()?) {
        return add_report(serde_json::from_reader(input)?, draft);
    }
    let mut attacks: BTreeMap<String, Vec<Request>> = BTreeMap::new();
    let mut started = None;
    for result in serde_json::Deserializer::from_reader(input).into_iter::<WireResult>() {
        let result = result?;
        started = [started, result.timestamp.parse::<Timestamp>().ok()].into_iter().flatten().min();
        let (name, request) = result.named();
        attacks.entry(name).or_default().push(request);
    }
    started.into_iter().for_each(|at| draft.started(at));
    for (name, requests) in attacks {
        draft.add_or_leave_out(|draft| add_attack(name, requests, draft));
    }
    Ok(())
}

#[derive(Deserialize)]
struct WireResult {
    #[serde(default)]
    attack: String,
    seq: u64,
    code: u16,
    timestamp: String,
    latency: u64,
    #[serde(default)]
    error: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    url: String,
}

/// What is kept of a request: its place, its latency in nanoseconds, and why it failed.
type Request = (u64, u64, Option<String>);

impl WireResult {
    fn named(self) -> (String, Request) {
        let words = [self.attack, self.method, self.url];
        let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let failed = !(200..400).contains(&self.code);
        let why = if self.error.is_empty() { format!("status {}", self.code) } else { self.error };
        (words.join(" "), (self.seq, self.latency, failed.then_some(why)))
    }
}

fn wall() -> Metric {
    Metric::time("wall", Unit::nanoseconds())
}

fn add_attack(name: String, mut requests: Vec<Request>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    // The file has them as they were answered.
    requests.sort_by_key(|(place, ..)| *place);
    let column = draft.metric(wall());
    let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
    let (mut places, mut latencies) = (Vec::new(), Vec::new());
    for (place, (_, latency, failed)) in (0..).zip(requests) {
        match failed {
            Some(message) => draft.failure(Failure {
                arm,
                launch: LaunchId(0),
                round: RoundId(place),
                reason: Reason::Other { message },
                seconds: Some(latency as f64 / 1e9),
            }),
            None => {
                places.push(place);
                latencies.push(latency as f64);
            }
        }
    }
    if latencies.is_empty() {
        return Ok(());
    }
    let once = Whole::Same { same: 1 };
    draft.samples_in_rounds(arm, LaunchId(0), Whole::of(places), once, vec![(column, latencies)])
}

#[derive(Deserialize)]
struct WireReport {
    latencies: BTreeMap<String, f64>,
    #[serde(default)]
    earliest: String,
    requests: Option<u64>,
    success: Option<f64>,
}

fn add_report(report: WireReport, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    draft.note(NO_SAMPLES);
    if let Some(success) = report.success.filter(|share| *share < 1.0) {
        draft.note(format!(
            "{:.2} % of the requests failed; vegeta counts them in the latencies",
            (1.0 - success) * 100.0
        ));
    }
    report.earliest.parse().into_iter().for_each(|at| draft.started(at));
    let name = draft.file_stem();
    let arm = draft.arm(Arm { group: name.clone(), name, ..Arm::default() });
    let column = draft.metric(wall());
    let at = |key: &str| report.latencies.get(key).copied();
    let percent = |(key, value): (&String, &f64)| Some((key.strip_suffix("th")?.parse().ok()?, *value));
    let mut percentiles: Vec<(f64, f64)> = report.latencies.iter().filter_map(percent).collect();
    percentiles.sort_by(|one, other| one.0.total_cmp(&other.0));
    draft.reported(
        column,
        Reported {
            samples: report.requests,
            min: at("min"),
            mean: at("mean"),
            max: at("max"),
            percentiles,
            ..Reported::new(arm, column.metric)
        },
    );
    Ok(())
}
