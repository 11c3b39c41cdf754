//! What is measured of a turn? `time` and `wall`, the rates of what the benchmark says it does in an iteration, and what it measures
//! itself. `time` is `wall` less what the turn waited for other programs; it is missing where that is not known, as in turns too short to
//! ask the system, and `wall` is judged.
//!
//! Tests: `tests/worker/`.

use evenhand_protocol::message::{self, Prepared};
use evenhand_trial::{Better, Metric, Per, Unit};

/// What came of a turn; times in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turned<'a> {
    pub(super) iterations: u64,
    pub(super) time: f64,
    pub(super) wall: f64,
    /// One for each metric of the benchmark.
    pub(super) values: &'a [f64],
}

/// `time`, `wall`, then all rates and other metrics that any benchmark has.
pub(super) fn of<'a>(benchmarks: impl Iterator<Item = &'a Prepared>) -> Vec<Metric> {
    let clock = |name| Metric::time(name, Unit::nanoseconds());
    let mut metrics = vec![clock("time"), clock("wall")];
    for Prepared { amounts, metrics: own, .. } in benchmarks {
        let rates = amounts.iter().map(|(what, _)| rate(what));
        for metric in rates.chain(own.iter().map(own_metric)) {
            if metrics.iter().all(|known| known.name != metric.name) {
                metrics.push(metric);
            }
        }
    }
    metrics
}

/// One number for each of the metrics, NaN for what this benchmark does not have.
pub(super) fn values(metrics: &[Metric], prepared: &Prepared, turned: Turned<'_>) -> Vec<f64> {
    let Turned { iterations, time, wall, values } = turned;
    let known = if time.is_nan() { wall } else { time };
    let value = |metric: &Metric| {
        let rate = |(what, amount): &(String, f64)| {
            let done = amount * iterations as f64;
            // In next to no time it would be infinite.
            let rate = done / (known * 1e-9);
            (metric.name == rate_name(what)).then_some(rate).filter(|rate| rate.is_finite())
        };
        let place = prepared.metrics.iter().position(|known| known.name == metric.name);
        let own = || place.and_then(|place| values.get(place)).copied();
        prepared.amounts.iter().find_map(rate).or_else(own).unwrap_or(f64::NAN)
    };
    metrics
        .iter()
        .map(|metric| match metric.name.as_str() {
            "time" => time,
            "wall" => wall,
            _ => value(metric),
        })
        .collect()
}

fn own_metric(metric: &message::Metric) -> Metric {
    Metric {
        name: metric.name.clone(),
        unit: Unit::new(&metric.unit),
        per: Per::Sample,
        better: if metric.more_is_better { Better::Higher } else { Better::Lower },
    }
}

fn rate(what: &str) -> Metric {
    let unit = if what == "bytes" { "B/s".to_owned() } else { format!("{what}/s") };
    Metric { name: rate_name(what), unit: Unit::new(&unit), per: Per::Iteration, better: Better::Higher }
}

fn rate_name(what: &str) -> String {
    format!("{what} a second")
}
