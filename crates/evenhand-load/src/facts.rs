//! What should a reader know before reading a slice's times? Above all: was the generator the limit, and not the service?
//!
//! Facts with their figures, not sentences: the caller words them and decides what to show.
//!
//! Tests: here, and `tests/truth/limits.rs`.

use crate::request::RequestFailure;
use crate::{Percentile, Slice};

/// Above this share of its time at work a generator's own queue counts: at 80 % a request waits four times as long as it takes us.
const BUSY: f64 = 0.8;

/// Our own lateness may be this part of a response.
const OURS: f64 = 0.1;

/// Where lateness is judged.
const AT: f64 = 0.99;

/// Something that a reader should know.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fact {
    /// The generator had hardly time to spare: it may be what was measured.
    GeneratorBusy { share: f64 },
    /// The generator was late at P99 by more than a tenth of the response at P99, both in nanoseconds.
    GeneratorLate { late: u64, response: u64 },
    /// The generator had no ports or files left for so many requests.
    GeneratorWithoutSockets { requests: u64 },
    /// So many requests waited for a connection when the load ended: with a longer load, there are more. Percentiles then say how
    /// long the load was. The service could not keep up, unless the generator was busy.
    Behind { waiting: u64, planned: u64 },
    /// So many requests got no answer, or a wrong one.
    Failures { requests: u64, planned: u64 },
}

impl Fact {
    /// Does it say that the generator was the limit?
    pub fn is_of_the_generator(&self) -> bool {
        matches!(
            self,
            Self::GeneratorBusy { .. } | Self::GeneratorLate { .. } | Self::GeneratorWithoutSockets { .. }
        )
    }
}

impl Slice {
    /// What a reader should know of it.
    pub fn facts(&self) -> Vec<Fact> {
        let all = self.all();
        let share = self.generator.busy;
        let busy = (share >= BUSY).then_some(Fact::GeneratorBusy { share });
        let late = match (all.late.percentile(AT), all.response_at(AT)) {
            (Some(late), Some(Percentile::Answered(response))) if late as f64 > OURS * response as f64 => {
                Some(Fact::GeneratorLate { late, response })
            }
            _ => None,
        };
        let planned = all.planned;
        let requests = all.failures.get(&RequestFailure::NoSocket).copied().unwrap_or(0);
        let sockets = (requests > 0).then_some(Fact::GeneratorWithoutSockets { requests });
        let waiting = self.waiting_at_end;
        let behind = (waiting > planned / 100).then_some(Fact::Behind { waiting, planned });
        let requests = all.failed();
        let failures = (requests > 0).then_some(Fact::Failures { requests, planned });
        [busy, late, sockets, behind, failures].into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Generator, Outcome, Request, Tally};

    /// A slice of a hundred requests, each so late and answered in a millisecond, or failed.
    fn slice(late: u64, failed: u64) -> Slice {
        let mut tally = Tally::of("GET /");
        for place in 0..100 {
            let failure = Outcome::Failed(RequestFailure::NoSocket);
            let outcome = if place < failed { failure } else { Outcome::Answered };
            let (planned, sent) = (place, Some(place + late));
            let (taken, ended) = (place + late, place + 1_000_000);
            tally.count(&Request { operation: 0, planned, free: planned, taken, sent, ended, outcome });
            tally.planned += 1;
        }
        let generator = Generator { processor: 0, awake: 0, busy: 0.5, opened: 0, resent: 0 };
        let (operations, length) = (vec![tally], 1_000_000_000);
        let (start, lead_in, elapsed, in_flight) = (0, 0, length, 0);
        Slice {
            start,
            length,
            lead_in,
            elapsed,
            operations,
            taken: 0,
            waiting_at_end: 1,
            in_flight,
            generator,
        }
    }

    #[test]
    fn a_slice_as_it_should_be_needs_no_remark() {
        assert_eq!(slice(90_000, 0).facts(), []);
    }

    #[test]
    fn a_generator_that_is_late_busy_or_without_sockets_is_told() {
        let late = slice(110_000, 0).facts();
        assert!(matches!(late[..], [Fact::GeneratorLate { late: 109_000..=111_000, .. }]), "{late:?}");
        let mut busy = slice(0, 0);
        busy.generator.busy = 0.8;
        assert_eq!(busy.facts(), [Fact::GeneratorBusy { share: 0.8 }]);
        let (requests, planned) = (2, 100);
        let expected = [Fact::GeneratorWithoutSockets { requests }, Fact::Failures { requests, planned }];
        assert_eq!(slice(0, 2).facts(), expected);
    }

    #[test]
    fn a_service_is_behind_when_more_than_one_in_a_hundred_waits_at_the_end() {
        let mut behind = slice(0, 0);
        behind.waiting_at_end = 2;
        let facts = behind.facts();
        assert_eq!(facts, [Fact::Behind { waiting: 2, planned: 100 }]);
        assert!(!facts.iter().any(Fact::is_of_the_generator));
    }
}
