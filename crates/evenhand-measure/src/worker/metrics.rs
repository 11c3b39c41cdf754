//! What is measured of a turn? `time` and `wall`, the rates of what the benchmark says it does in an iteration, and what it measures
//! itself. `time` is `wall` less what the turn waited for other programs; it is missing where that is not known, as in turns too short to
//! ask the system, and `wall` is judged.
//!
//! Tests: `tests/worker/`.

use evenhand_protocol::message::{self, Prepared};
use evenhand_trial::{ArmId, Better, Metric, Per, Unit};

/// What is measured of every turn of a trial, and from where: the names are compared once, before the first turn.
#[derive(Debug)]
pub struct Layout {
    metrics: Vec<Metric>,
    /// One for each arm, with a column for each metric.
    arms: Vec<Vec<Column>>,
}

/// One number of a turn.
#[derive(Debug, Clone, Copy)]
enum Column {
    Time,
    Wall,
    /// How much is done in an iteration.
    Rate(f64),
    /// The place among those that the benchmark measures itself.
    Own(usize),
    /// The benchmark does not have it.
    Missing,
}

impl Layout {
    /// For the benchmarks of the arms, in the order of their numbers.
    pub fn new<'a>(benchmarks: impl Iterator<Item = &'a Prepared> + Clone) -> Self {
        let metrics = metrics(benchmarks.clone());
        let columns = |of: &Prepared| metrics.iter().map(|metric| Column::new(&metric.name, of)).collect();
        let arms = benchmarks.map(columns).collect();
        Self { metrics, arms }
    }

    /// `time`, `wall`, then all rates and other metrics that any benchmark has.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The numbers of a turn of an arm, one for each metric, NaN for what its benchmark does not have. `own`: what the
    /// benchmark measures itself.
    pub fn values(
        &self,
        arm: ArmId,
        iterations: u64,
        time: f64,
        wall: f64,
        own: &[f64],
    ) -> impl Iterator<Item = f64> {
        self.arms[arm.index()].iter().map(move |column| column.value(iterations, time, wall, own))
    }
}

impl Column {
    fn new(name: &str, benchmark: &Prepared) -> Self {
        let rate = || benchmark.amounts.iter().find(|(what, _)| rate_name(what) == name);
        let own = || benchmark.metrics.iter().position(|metric| metric.name == name);
        match name {
            "time" => Self::Time,
            "wall" => Self::Wall,
            _ => match (rate(), own()) {
                (Some((_, amount)), _) => Self::Rate(*amount),
                (None, Some(place)) => Self::Own(place),
                (None, None) => Self::Missing,
            },
        }
    }

    fn value(self, iterations: u64, time: f64, wall: f64, own: &[f64]) -> f64 {
        match self {
            Self::Time => time,
            Self::Wall => wall,
            Self::Rate(amount) => {
                let done = amount * iterations as f64;
                let known = if time.is_nan() { wall } else { time };
                // In next to no time it would be infinite.
                Some(done / (known * 1e-9)).filter(|rate| rate.is_finite()).unwrap_or(f64::NAN)
            }
            Self::Own(place) => own.get(place).copied().unwrap_or(f64::NAN),
            Self::Missing => f64::NAN,
        }
    }
}

fn metrics<'a>(benchmarks: impl Iterator<Item = &'a Prepared>) -> Vec<Metric> {
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
