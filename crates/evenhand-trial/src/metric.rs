//! What was measured? A metric has a name, a unit, and a direction in which it is better.
//!
//! Numbers stay as they were measured or as another tool wrote them: seconds stay seconds, and the unit says so.
//! Nothing is converted on the way in, because a conversion rounds.
//!
//! Tests: `tests/trial.rs`.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The place of a metric in [`Trial::metrics`](crate::Trial::metrics), counted from 0. The first is the one that the
/// verdict is on unless told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct MetricId(pub u32);

impl MetricId {
    /// The place as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something measured on every sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Metric {
    /// Unique within the trial: `wall`, `user`, `max_rss`, or any name of the user's.
    pub name: String,
    /// What the numbers count.
    pub unit: Unit,
    /// Whether a number is the total of a sample's iterations or already that of one.
    pub per: Per,
    /// Which direction is good.
    pub better: Better,
}

impl Metric {
    /// A total time where less is better: the usual case.
    pub fn time(name: &str, unit: Unit) -> Self {
        Self { name: name.to_owned(), unit, per: Per::Sample, better: Better::Lower }
    }

    /// A percentile of a service's response, if it is one: `response_p99` of all requests, `response_p99_order` of the operation
    /// `order`.
    pub fn response(&self) -> Option<(u32, Option<&str>)> {
        let rest = self.name.strip_prefix("response_p")?;
        let (percent, operation) = match rest.split_once('_') {
            Some((percent, operation)) => (percent, Some(operation)),
            None => (rest, None),
        };
        Some((percent.parse().ok()?, operation))
    }

    /// The number of one iteration, from the number recorded for a sample of `iterations`.
    pub fn per_iteration(&self, value: f64, iterations: u64) -> f64 {
        match self.per {
            Per::Sample if iterations > 1 => value / iterations as f64,
            Per::Sample | Per::Iteration => value,
        }
    }
}

/// What a recorded number belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Per {
    /// The whole sample: divide by its iterations for the cost of one.
    Sample,
    /// One iteration already, or something that iterations do not add to, such as the largest memory.
    Iteration,
}

/// Which direction of a metric is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Times, bytes, faults.
    Lower,
    /// Throughput.
    Higher,
}

/// What the numbers of a metric count, by its symbol: `ns`, `s`, `B`, or any word of the user's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Unit(String);

/// The units of time, with the picoseconds in each: whole numbers, so that a ratio of two is rounded once at most.
const TIMES: [(&str, f64); 8] = [
    ("ps", 1.0),
    ("ns", 1e3),
    ("us", 1e6),
    ("ms", 1e9),
    ("s", PICOSECONDS_A_SECOND),
    ("min", 60.0 * PICOSECONDS_A_SECOND),
    ("h", 3600.0 * PICOSECONDS_A_SECOND),
    ("d", 86400.0 * PICOSECONDS_A_SECOND),
];

const PICOSECONDS_A_SECOND: f64 = 1e12;

impl Unit {
    /// A unit by its symbol. `µs` in either spelling is `us`.
    pub fn new(symbol: &str) -> Self {
        match symbol {
            "µs" | "μs" => Self("us".to_owned()),
            _ => Self(symbol.to_owned()),
        }
    }

    pub fn nanoseconds() -> Self {
        Self::new("ns")
    }

    pub fn seconds() -> Self {
        Self::new("s")
    }

    pub fn bytes() -> Self {
        Self::new("B")
    }

    /// A plain count, without a symbol.
    pub fn count() -> Self {
        Self::new("")
    }

    pub fn symbol(&self) -> &str {
        &self.0
    }

    /// How many seconds one of it is; `None` for what is no time.
    pub fn in_seconds(&self) -> Option<f64> {
        Some(self.in_picoseconds()? / PICOSECONDS_A_SECOND)
    }

    /// What to multiply a number of this unit with to have it in `other`. `None` if they measure different things.
    pub fn factor_to(&self, other: &Self) -> Option<f64> {
        if self == other {
            return Some(1.0);
        }
        Some(self.in_picoseconds()? / other.in_picoseconds()?)
    }

    fn in_picoseconds(&self) -> Option<f64> {
        TIMES.iter().find(|(symbol, _)| *symbol == self.0).map(|(_, picoseconds)| *picoseconds)
    }
}

impl From<String> for Unit {
    fn from(symbol: String) -> Self {
        Self::new(&symbol)
    }
}

impl From<Unit> for String {
    fn from(unit: Unit) -> Self {
        unit.0
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
