//! What should a reader know before reading a slice's times? Above all: was the generator the limit, and not the service?
//!
//! Facts, not sentences. Each has its figures, and whoever shows them decides by them.
//!
//! Tests: here, and `tests/truth/`.

use crate::request::Failure;
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
    /// long the load was.
    ServiceBehind { waiting: u64, planned: u64 },
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
        let requests = all.failures.get(&Failure::NoSocket).copied().unwrap_or(0);
        let sockets = (requests > 0).then_some(Fact::GeneratorWithoutSockets { requests });
        let waiting = self.waiting_at_end;
        let behind = (waiting > planned / 100).then_some(Fact::ServiceBehind { waiting, planned });
        let requests = all.failed();
        let failures = (requests > 0).then_some(Fact::Failures { requests, planned });
        [busy, late, sockets, behind, failures].into_iter().flatten().collect()
    }
}
