//! What did a slice of load give? Counts and times for each operation, and what the generator itself did.
//!
//! Planned = answered + failed + unsent, always.
//!
//! Tests: `tests/truth/`.

use crate::Times;
use crate::request::{Outcome, Request, RequestFailure};
use std::collections::BTreeMap;

/// The requests of an operation, counted.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// The operation's name.
    pub name: String,
    /// Requests that were due.
    pub planned: u64,
    /// Requests that got the answer that they asked for.
    pub answered: u64,
    /// Requests that still waited for a connection when the drain ended.
    pub unsent: u64,
    /// What went wrong with the others.
    pub failures: BTreeMap<RequestFailure, u64>,
    /// From planned to answered, of the answered.
    pub response: Times,
    /// From sent to answered, of the answered.
    pub service: Times,
    /// How long no connection was free, of all but the unsent.
    pub waited: Times,
    /// How late we were, of all but the unsent.
    pub late: Times,
}

impl Tally {
    pub(crate) fn of(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Requests that failed.
    pub fn failed(&self) -> u64 {
        self.failures.values().sum()
    }

    /// The share of the planned requests that got no right answer, sent or not.
    pub fn errors(&self) -> f64 {
        (self.planned - self.answered) as f64 / self.planned.max(1) as f64
    }

    /// The percentile q of the response, over all that was planned.
    pub fn response_at(&self, q: f64) -> Option<crate::Percentile> {
        self.response.percentile_of(q, self.planned)
    }

    pub(crate) fn count(&mut self, request: &Request) {
        self.waited.record(request.waited());
        self.late.record(request.late());
        match request.outcome {
            Outcome::Answered => {
                self.answered += 1;
                self.response.record(request.response());
                request.service().into_iter().for_each(|service| self.service.record(service));
            }
            Outcome::Failed(failure) => *self.failures.entry(failure).or_default() += 1,
        }
    }

    fn add(&mut self, other: &Self) {
        self.planned += other.planned;
        self.answered += other.answered;
        self.unsent += other.unsent;
        for (failure, count) in &other.failures {
            *self.failures.entry(*failure).or_default() += count;
        }
        self.response.add(&other.response);
        self.service.add(&other.service);
        self.waited.add(&other.waited);
        self.late.add(&other.late);
    }
}

/// What the generator did and used.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Generator {
    /// Processor time, in nanoseconds, that of waiting awake included.
    pub processor: u64,
    /// How long it waited awake for the next moment, in nanoseconds.
    pub awake: u64,
    /// The share of the load's time in which it worked, or waited for a processor. Who waits awake does not work.
    pub busy: f64,
    /// Connections opened during the slice, after those that it began with.
    pub opened: u64,
    /// Requests sent again, because their connection had ended while it was idle.
    pub resent: u64,
}

/// A slice of load.
#[derive(Debug, Clone)]
pub struct Slice {
    /// When it began, as the system's monotonic clock says, in nanoseconds.
    pub start: u64,
    /// How long the load was, in nanoseconds, its lead-in included: as planned, unless it was ended before.
    pub length: u64,
    /// The part of it at the beginning whose requests are not counted, in nanoseconds.
    pub lead_in: u64,
    /// How long it took until the last request had ended, in nanoseconds; no less than `length`.
    pub elapsed: u64,
    /// For each operation of the service, in its order.
    pub operations: Vec<Tally>,
    /// Requests that a connection was found for, those of the lead-in among them.
    pub taken: u64,
    /// Requests that waited for a connection when the load ended, before the drain.
    pub waiting_at_end: u64,
    /// The time that all requests together were due and not ended, in nanoseconds, as it was seen while they were; those of the
    /// lead-in are among them.
    pub in_flight: u128,
    /// What it cost to measure this.
    pub generator: Generator,
}

impl Slice {
    /// All operations together.
    pub fn all(&self) -> Tally {
        let mut all = Tally::of("all");
        self.operations.iter().for_each(|operation| all.add(operation));
        all
    }

    /// Answers a second, of the requests that count.
    pub fn served(&self) -> f64 {
        let answered: u64 = self.operations.iter().map(|operation| operation.answered).sum();
        answered as f64 * 1e9 / self.length.saturating_sub(self.lead_in).max(1) as f64
    }

    /// How many requests were due and not ended, on average.
    pub fn mean_in_flight(&self) -> f64 {
        self.in_flight as f64 / self.elapsed as f64
    }

    /// The generator's processor time for each request that it planned, in nanoseconds.
    pub fn processor_a_request(&self) -> Option<f64> {
        let planned: u64 = self.operations.iter().map(|operation| operation.planned).sum();
        (planned > 0).then(|| self.generator.processor as f64 / planned as f64)
    }
}
