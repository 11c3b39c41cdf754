//! Which numbers does a slice give? The metric that decides first: the highest percentile of the response, or of clients the
//! answers a second.
//!
//! | metric | unit | what |
//! |---|---|---|
//! | `response_p99` and lower percentiles | ns | from the planned moment to the answer |
//! | `service_p99` | ns | from when a request was sent to the answer |
//! | `late_p99` | ns | how late evenhand itself was |
//! | `throughput` | requests/s | answers a second |
//! | `errors` | | the share of the requests without a right answer |
//! | `stall` | ns | time without any answer, see [`stall`](super::stall) |
//! | `cpu_per_request` | ns | processor time of the service, for each request; of services that evenhand started |
//! | `memory` | bytes | what the service has at the end of a slice; of services that evenhand started |
//!
//! A percentile that falls on a request without an answer is the longest that anything was waited for: the timeout, or the slowest
//! answer if that was slower.
//!
//! Tests: `tests/service.rs`.

use super::shape::{Shape, Traffic};
use crate::platform::family::Used;
use evenhand_load::{Percentile, Slice, Tally};
use evenhand_trial::{Better, Metric, Unit};
use std::time::Duration;

/// What a slice is told by.
#[derive(Debug, Clone)]
pub struct Columns(Vec<Column>);

/// A number of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Response(u32),
    Service(u32),
    Late(u32),
    Throughput,
    Errors,
    Stall,
    Processor,
    Memory,
}

/// What is known of a slice when it is over.
#[derive(Debug)]
pub struct Loaded<'a> {
    pub slice: &'a Slice,
    /// All of its operations together.
    pub all: &'a Tally,
    /// Nanoseconds in which nothing was answered.
    pub stalled: u64,
    /// For how long an answer is waited for.
    pub timeout: Duration,
    /// What the service used meanwhile, and the memory that it has now.
    pub used: Option<Used>,
}

impl Columns {
    /// For a load that is cut like this. What a service uses is known if we start it.
    pub fn new(traffic: Traffic, shape: &Shape, are_started: bool) -> Self {
        let highest = shape.highest;
        let mut columns = vec![Column::Response(highest)];
        columns.extend([50, 90, 95].into_iter().filter(|lower| *lower < highest).map(Column::Response));
        match traffic {
            Traffic::Clients(_) => columns.insert(0, Column::Throughput),
            Traffic::Rate(_) => columns.push(Column::Throughput),
        }
        columns.extend([Column::Service(highest), Column::Late(highest), Column::Errors, Column::Stall]);
        if are_started {
            columns.extend([Column::Processor, Column::Memory]);
        }
        Self(columns)
    }

    /// The metrics, the one that decides first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.0.iter().map(Column::metric).collect()
    }

    /// The numbers of a slice, one for each metric, NaN where missing.
    pub fn values(&self, loaded: &Loaded<'_>) -> impl Iterator<Item = f64> {
        self.0.iter().map(|column| column.value(loaded))
    }
}

impl Column {
    fn metric(&self) -> Metric {
        let time =
            |name: &str, percent: u32| Metric::time(&format!("{name}_p{percent}"), Unit::nanoseconds());
        match *self {
            Self::Response(percent) => time("response", percent),
            Self::Service(percent) => time("service", percent),
            Self::Late(percent) => time("late", percent),
            Self::Throughput => {
                Metric { better: Better::Higher, ..Metric::time("throughput", Unit::new("requests/s")) }
            }
            Self::Errors => Metric::time("errors", Unit::count()),
            Self::Stall => Metric::time("stall", Unit::nanoseconds()),
            Self::Processor => Metric::time("cpu_per_request", Unit::nanoseconds()),
            Self::Memory => Metric::time("memory", Unit::bytes()),
        }
    }

    fn value(self, loaded: &Loaded<'_>) -> f64 {
        let Loaded { slice, all, stalled, timeout, used } = loaded;
        let number = |time: Option<u64>| time.map_or(f64::NAN, |time| time as f64);
        let share = |percent: u32| f64::from(percent) / 100.0;
        match self {
            Self::Response(percent) => match all.response_at(share(percent)) {
                Some(Percentile::Answered(time)) => time as f64,
                Some(Percentile::Failed) => longest(all, *timeout),
                None => f64::NAN,
            },
            Self::Service(percent) => number(all.service.percentile(share(percent))),
            Self::Late(percent) => number(all.late.percentile(share(percent))),
            Self::Throughput => slice.served(),
            Self::Errors => (all.planned - all.answered) as f64 / all.planned.max(1) as f64,
            Self::Stall => *stalled as f64,
            Self::Processor => number(used.map(|used| used.processor)) / slice.taken as f64,
            Self::Memory => number(used.map(|used| used.memory).filter(|memory| *memory > 0)),
        }
    }
}

/// What stands for a request without an answer.
fn longest(all: &Tally, timeout: Duration) -> f64 {
    (timeout.as_nanos() as f64).max(all.response.max().unwrap_or(0) as f64)
}
