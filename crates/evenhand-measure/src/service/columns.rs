//! Which numbers does a slice give? The metric that decides first: the highest percentile of the response, or of clients the
//! answers a second.
//!
//! | metric | unit | what |
//! |---|---|---|
//! | `capacity` | requests/s | the rate at which the promise broke, in a slice whose rate rises; alone with the last three |
//! | `response_p99` and lower percentiles | ns | from the planned moment to the answer |
//! | `service_p99` | ns | from when a request was sent to the answer |
//! | `late_p99` | ns | how late evenhand itself was |
//! | `response_p99_order` | ns | the same for the operation `order`, where there are several |
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

use super::climb::Capacity;
use super::shape::highest_for;
use super::shape::{Shape, Traffic};
use evenhand_load::{Operation, Percentile, Slice, Tally};
use evenhand_trial::{Better, Metric, Unit};
use std::time::Duration;

/// What a slice is told by.
#[derive(Debug, Clone)]
pub struct Columns {
    columns: Vec<Column>,
    operations: Vec<String>,
}

/// A number of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Capacity,
    Response(u32),
    /// Of an operation, by its place.
    OfOperation(usize, u32),
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
    /// Where its rate broke the promise, if it rose.
    pub capacity: Option<Capacity>,
    /// The processor time that the service took for it, in nanoseconds.
    pub processor: Option<u64>,
    /// The memory that the service has at its end, in bytes.
    pub memory: Option<u64>,
}

impl Columns {
    /// For a load of these operations that is cut like this. What a service uses is known if we start it.
    pub fn new(traffic: Traffic, shape: &Shape, operations: &[Operation], are_started: bool) -> Self {
        let highest = shape.highest;
        let names = operations.iter().map(|operation| operation.name.clone()).collect();
        let mut columns = match traffic {
            Traffic::Rising(_) => vec![Column::Capacity, Column::Late(highest)],
            _ => of_response(traffic, highest),
        };
        if operations.len() > 1 && !matches!(traffic, Traffic::Rising(_)) {
            columns.extend(of_operations(traffic, shape, operations));
        }
        if are_started {
            columns.extend([Column::Processor, Column::Memory]);
        }
        Self { columns, operations: names }
    }

    /// The metrics, the one that decides first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.columns.iter().map(|column| column.metric(&self.operations)).collect()
    }

    /// The numbers of a slice, one for each metric, NaN where missing.
    pub fn values(&self, loaded: &Loaded<'_>) -> impl Iterator<Item = f64> {
        self.columns.iter().map(|column| column.value(loaded))
    }
}

/// Of all requests together, what decides first.
fn of_response(traffic: Traffic, highest: u32) -> Vec<Column> {
    let mut columns = vec![Column::Response(highest)];
    columns.extend([50, 90, 95].into_iter().filter(|lower| *lower < highest).map(Column::Response));
    match traffic {
        Traffic::Clients(_) => columns.insert(0, Column::Throughput),
        _ => columns.push(Column::Throughput),
    }
    columns.extend([Column::Service(highest), Column::Late(highest), Column::Errors, Column::Stall]);
    columns
}

/// For each operation the median, and the highest percentile that its requests in a slice tell.
fn of_operations(traffic: Traffic, shape: &Shape, operations: &[Operation]) -> Vec<Column> {
    let whole: f64 = operations.iter().map(|operation| operation.weight).sum();
    let percentiles = |operation: &Operation| match traffic {
        Traffic::Clients(_) | Traffic::Rising(_) => vec![shape.highest, 50],
        Traffic::Rate(rate) => {
            let requests = rate * shape.length.as_secs_f64() * operation.weight / whole;
            let highest = highest_for(requests).unwrap_or(50);
            if highest > 50 { vec![highest, 50] } else { vec![50] }
        }
    };
    let columns = operations.iter().enumerate().flat_map(|(place, operation)| {
        percentiles(operation).into_iter().map(move |percent| Column::OfOperation(place, percent))
    });
    columns.collect()
}

impl Column {
    fn metric(&self, operations: &[String]) -> Metric {
        let time =
            |name: &str, percent: u32| Metric::time(&format!("{name}_p{percent}"), Unit::nanoseconds());
        let of_rate =
            |name: &str| Metric { better: Better::Higher, ..Metric::time(name, Unit::new("requests/s")) };
        match *self {
            Self::Response(percent) => time("response", percent),
            Self::OfOperation(place, percent) => {
                let name = operations.get(place).map_or("", String::as_str);
                Metric::time(&format!("response_p{percent}_{name}"), Unit::nanoseconds())
            }
            Self::Service(percent) => time("service", percent),
            Self::Late(percent) => time("late", percent),
            Self::Throughput => of_rate("throughput"),
            Self::Capacity => of_rate("capacity"),
            Self::Errors => Metric::time("errors", Unit::count()),
            Self::Stall => Metric::time("stall", Unit::nanoseconds()),
            Self::Processor => Metric::time("cpu_per_request", Unit::nanoseconds()),
            Self::Memory => Metric::time("memory", Unit::bytes()),
        }
    }

    fn value(self, loaded: &Loaded<'_>) -> f64 {
        let Loaded { slice, all, stalled, timeout, capacity, processor, memory } = loaded;
        let number = |time: Option<u64>| time.map_or(f64::NAN, |time| time as f64);
        let share = |percent: u32| f64::from(percent) / 100.0;
        match self {
            Self::Response(percent) => response(all, share(percent), *timeout),
            Self::OfOperation(place, percent) => slice
                .operations
                .get(place)
                .map_or(f64::NAN, |tally| response(tally, share(percent), *timeout)),
            Self::Service(percent) => number(all.service.percentile(share(percent))),
            Self::Late(percent) => number(all.late.percentile(share(percent))),
            Self::Throughput => slice.served(),
            Self::Capacity => match capacity {
                Some(Capacity::Of(rate) | Capacity::AtLeast(rate)) => *rate,
                Some(Capacity::Ours) | None => f64::NAN,
            },
            Self::Errors => all.errors(),
            Self::Stall => *stalled as f64,
            Self::Processor => number(*processor) / slice.taken as f64,
            Self::Memory => number(*memory),
        }
    }
}

fn response(tally: &Tally, share: f64, timeout: Duration) -> f64 {
    match tally.response_at(share) {
        Some(Percentile::Answered(time)) => time as f64,
        Some(Percentile::Failed) => longest(tally, timeout),
        None => f64::NAN,
    }
}

/// What stands for a request without an answer.
fn longest(all: &Tally, timeout: Duration) -> f64 {
    (timeout.as_nanos() as f64).max(all.response.max().unwrap_or(0) as f64)
}
