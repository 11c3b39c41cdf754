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
//!
//! A percentile that falls on a request without an answer is the longest that anything was waited for: the timeout, or the slowest
//! answer if that was slower.
//!
//! Tests: `tests/service.rs`.

use super::shape::{Shape, Traffic};
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
}

impl Columns {
    /// For a load that is cut like this.
    pub fn new(traffic: Traffic, shape: &Shape) -> Self {
        let highest = shape.highest;
        let mut columns = vec![Column::Response(highest)];
        columns.extend([50, 90, 95].into_iter().filter(|lower| *lower < highest).map(Column::Response));
        match traffic {
            Traffic::Clients(_) => columns.insert(0, Column::Throughput),
            Traffic::Rate(_) => columns.push(Column::Throughput),
        }
        columns.extend([Column::Service(highest), Column::Late(highest), Column::Errors, Column::Stall]);
        Self(columns)
    }

    /// The metrics, the one that decides first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.0.iter().map(Column::metric).collect()
    }

    /// The numbers of a slice, one for each metric, NaN where missing. `timeout`: for how long an answer is waited for.
    pub fn values(
        &self,
        slice: &Slice,
        all: &Tally,
        stalled: u64,
        timeout: Duration,
    ) -> impl Iterator<Item = f64> {
        self.0.iter().map(move |column| column.value(slice, all, stalled, timeout))
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
        }
    }

    fn value(self, slice: &Slice, all: &Tally, stalled: u64, timeout: Duration) -> f64 {
        let number = |time: Option<u64>| time.map_or(f64::NAN, |time| time as f64);
        let share = |percent: u32| f64::from(percent) / 100.0;
        match self {
            Self::Response(percent) => match all.response_at(share(percent)) {
                Some(Percentile::Answered(time)) => time as f64,
                Some(Percentile::Failed) => longest(all, timeout),
                None => f64::NAN,
            },
            Self::Service(percent) => number(all.service.percentile(share(percent))),
            Self::Late(percent) => number(all.late.percentile(share(percent))),
            Self::Throughput => slice.served(),
            Self::Errors => (all.planned - all.answered) as f64 / all.planned.max(1) as f64,
            Self::Stall => stalled as f64,
        }
    }
}

/// What stands for a request without an answer.
fn longest(all: &Tally, timeout: Duration) -> f64 {
    (timeout.as_nanos() as f64).max(all.response.max().unwrap_or(0) as f64)
}
