//! Up to which rate does a service keep a promise, such as P99 below 20 ms? The rate is doubled until it does not, and then the gap is
//! halved until it is small.
//!
//! Tests: below, and `tests/program/load.rs`.

use super::rates::{self, AtRate, Row, slice_at};
use super::task::LoadTask;
use super::{Arguments, alone};
use crate::chance::chance;
use crate::{CliError, Stage, error};
use evenhand_analysis::words::quantity;
use evenhand_load::{Percentile, Service};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::Promise;
use evenhand_report::message::Message;
use evenhand_trial::{Seed, Unit};
use serde::Serialize;
use std::time::Duration;

/// Each rate is tried for this long at least,
const USUAL_TIME: Duration = Duration::from_secs(2);
/// and until its highest percentile rests on ten requests.
const BEYOND: f64 = 10.0;
/// The first rate.
const FIRST: f64 = 500.0;
/// The search ends when the rate that breaks the promise is higher by no more than this part.
const NEAR: f64 = 0.03;
/// A rate is not tried if its highest percentile takes longer than this,
const LONGEST: f64 = 10.0;
/// or if nobody can send it.
const HIGHEST: f64 = 1e6;

fn is_kept(promise: &Promise, at: &AtRate) -> bool {
    let in_time = |(share, limit): &(f64, f64)| match at.all.response_at(*share) {
        Some(Percentile::Answered(time)) => (time as f64) < *limit,
        _ => false,
    };
    !at.is_behind() && at.all.errors() <= promise.errors && promise.responses.iter().all(in_time)
}

/// The requests that the highest percentile of a promise needs.
fn requests_for(promise: &Promise) -> f64 {
    let highest = promise.responses.iter().map(|(share, _)| *share).fold(0.5, f64::max);
    BEYOND / (1.0 - highest)
}

/// What the search has found.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Limits {
    /// The highest rate at which the promise was kept.
    kept: Option<f64>,
    /// The lowest at which it was not.
    broken: Option<f64>,
    /// Whether it was evenhand that was late or busy there.
    by_us: bool,
}

impl Limits {
    /// The rate to try next; `None` when it is enough.
    fn next(&self, lowest: f64) -> Option<f64> {
        let next = match (self.kept, self.broken) {
            (None, None) => FIRST.max(lowest),
            (Some(kept), None) => 2.0 * kept,
            (None, Some(broken)) => broken / 2.0,
            (Some(kept), Some(broken)) if broken <= kept * (1.0 + NEAR) => return None,
            (Some(kept), Some(broken)) => (kept * broken).sqrt(),
        };
        (lowest..=HIGHEST).contains(&next).then_some(next)
    }

    fn take(&mut self, at: &AtRate, is_kept: bool) {
        if is_kept {
            self.kept = Some(at.rate);
        } else {
            (self.broken, self.by_us) = (Some(at.rate), at.is_ours() || at.is_late());
        }
    }
}

pub(super) fn run(
    arguments: &Arguments,
    promise: &Promise,
    task: &LoadTask,
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let (target, _started, service) = alone::target(task, interrupt)?;
    let usual = arguments.time.map_or(USUAL_TIME, |time| time.0);
    let mut seed = arguments.deciding.seed.unwrap_or_else(|| Seed(chance()));
    let (mut limits, mut tried, first_seed) = (Limits::default(), Vec::new(), seed);
    let requests = requests_for(promise);
    while let Some(rate) = limits.next(requests / LONGEST) {
        alone::announce(arguments, &format_args!("{} requests/s", quantity(rate, &Unit::count())), stage)?;
        let time = usual.max(Duration::from_secs_f64(requests / rate));
        let (is_kept, at) = judged(promise, &service, rate, time, &mut seed, interrupt)?;
        if interrupt.is_requested() {
            stage.err.say(&Message::warning("interrupted; the rates before count"))?;
            break;
        }
        limits.take(&at, is_kept);
        tried.push(at);
    }
    tried.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    if arguments.telling.json {
        let Limits { kept, broken, .. } = limits;
        let rates = tried.iter().map(AtRate::in_json).collect();
        let condition = &promise.text;
        let json = Json {
            schema_version: 1,
            service: &target.name,
            condition,
            kept,
            broken,
            seed: first_seed,
            rates,
        };
        alone::write_json(&json, stage)?;
    } else {
        rates::print(&headline(&target.name, promise, limits), &tried, arguments, stage)?;
    }
    Ok(match limits.kept {
        _ if interrupt.is_requested() => error::INTERRUPTED,
        Some(_) => error::DONE,
        None => error::COMMAND_FAILED,
    })
}

/// What two of up to three slices say, and the last slice that says so: one stall of the machine decides nothing.
fn judged(
    promise: &Promise,
    service: &Service,
    rate: f64,
    time: Duration,
    seed: &mut Seed,
    interrupt: &Interrupt,
) -> Result<(bool, AtRate), CliError> {
    let mut votes = [0; 2];
    loop {
        seed.0 = seed.0.wrapping_add(1);
        let at = AtRate::of(rate, &slice_at(service, rate, time, *seed, interrupt)?);
        let is_kept = is_kept(promise, &at);
        votes[usize::from(is_kept)] += 1;
        if votes[usize::from(is_kept)] == 2 || interrupt.is_requested() {
            return Ok((is_kept, at));
        }
    }
}

fn headline(name: &str, promise: &Promise, limits: Limits) -> String {
    let rate = |rate: f64| quantity(rate, &Unit::new("requests/s"));
    let text = &promise.text;
    let by_us = if limits.by_us { ", where evenhand itself was late or busy" } else { "" };
    match (limits.kept, limits.broken) {
        (Some(kept), Some(broken)) => {
            format!("{name} keeps {text} up to {}, and not at {}{by_us}", rate(kept), rate(broken))
        }
        (Some(kept), None) => format!("{name} keeps {text} at {}; more was not tried", rate(kept)),
        (None, Some(broken)) => format!("{name} does not keep {text}, not even at {}{by_us}", rate(broken)),
        (None, None) => format!("{name}: whether it keeps {text} is not known"),
    }
}

#[derive(Serialize)]
struct Json<'a> {
    schema_version: u32,
    service: &'a str,
    condition: &'a str,
    /// The highest rate at which the condition held.
    kept: Option<f64>,
    /// The lowest rate at which it did not.
    broken: Option<f64>,
    seed: Seed,
    rates: Vec<Row>,
}

#[cfg(test)]
mod tests {
    use super::super::promise::PromiseArgument;
    use super::*;

    fn at(rate: f64) -> AtRate {
        AtRate { rate, all: Default::default(), served: rate, facts: Vec::new() }
    }

    #[test]
    fn the_search_ends_close_to_where_the_promise_breaks() {
        for breaks_at in [3.0, 90.0, 501.0, 777.0, 12_345.0, 999_999.0] {
            let (mut limits, mut tried) = (Limits::default(), 0);
            while let Some(rate) = limits.next(1.0) {
                limits.take(&at(rate), rate < breaks_at);
                tried += 1;
            }
            let (kept, broken) = (limits.kept.unwrap(), limits.broken.unwrap_or(1e6));
            assert!(
                kept < breaks_at && breaks_at <= broken && tried <= 17,
                "{breaks_at}: {limits:?} {tried}"
            );
            assert!(broken <= kept * 1.031 || broken > 9e5, "{breaks_at}: {limits:?}");
        }
        let mut never = Limits::default();
        while let Some(rate) = never.next(100.0) {
            never.take(&at(rate), false);
        }
        let PromiseArgument(promise) = "p99 < 1ms".parse().unwrap();
        assert_eq!(
            headline("shop", &promise, never),
            "shop does not keep p99 < 1ms, not even at 125 requests/s"
        );
        assert_eq!((never.kept, never.broken), (None, Some(125.0)));
    }
}
