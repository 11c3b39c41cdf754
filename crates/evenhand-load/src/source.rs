//! What is due now? Of a plan, what it says; of clients who wait for their answers, one request for each who has his.
//!
//! Tests: `tests/truth/`.

use crate::load::nanoseconds;
use crate::plan::{Arrival, LoadPlan, Mix};
use crate::{Load, LoadError, Outcome, RequestFailure, Service};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Peekable;

/// A client who got no answer rests this long, in nanoseconds: a service that refuses would be asked as fast as we can.
const REST: u64 = 10_000_000;

/// Where requests come from.
pub(crate) enum Source {
    /// `None`: nothing more is due.
    Open(Option<Box<Peekable<LoadPlan>>>),
    Closed {
        mix: Mix,
        /// When clients come who have no request on its way.
        ready: BinaryHeap<Reverse<u64>>,
        length: u64,
    },
}

impl Source {
    pub(crate) fn new(load: Load, service: &Service) -> Result<Self, LoadError> {
        match load {
            Load::Open(plan) if plan.operations() != service.operations.len() => {
                let (planned, offered) = (plan.operations(), service.operations.len());
                Err(LoadError::OtherPlan { planned, offered })
            }
            Load::Open(plan) => Ok(Self::Open(Some(Box::new(plan.peekable())))),
            Load::Closed { length, .. } if length.is_zero() => Err(LoadError::NoTime),
            Load::Closed { clients, length, seed } => Ok(Self::Closed {
                mix: Mix::new(&service.operations, seed)?,
                ready: std::iter::repeat_n(Reverse(0), clients).collect(),
                length: nanoseconds(length),
            }),
        }
    }

    /// When is the next request due? `None` if nobody knows yet, or there is none any more.
    pub(crate) fn next_at(&mut self) -> Option<u64> {
        match self {
            Self::Open(plan) => plan.as_mut()?.peek().map(|arrival| arrival.at),
            Self::Closed { ready, length, .. } => ready.peek().map(|at| at.0).filter(|at| at < length),
        }
    }

    /// The next request, if it is due.
    pub(crate) fn due(&mut self, now: u64) -> Option<Arrival> {
        let at = self.next_at().filter(|at| *at <= now)?;
        match self {
            Self::Open(plan) => plan.as_mut()?.next(),
            Self::Closed { mix, ready, .. } => {
                ready.pop();
                Some(mix.arrival(at))
            }
        }
    }

    /// Nothing more is due.
    pub(crate) fn stop(&mut self, now: u64) {
        match self {
            Self::Open(plan) => *plan = None,
            Self::Closed { length, .. } => *length = now.min(*length),
        }
    }

    /// A request has ended.
    pub(crate) fn ended(&mut self, now: u64, outcome: Outcome) {
        let answered = matches!(outcome, Outcome::Answered | Outcome::Failed(RequestFailure::Wrong));
        if let Self::Closed { ready, .. } = self {
            ready.push(Reverse(if answered { now } else { now + REST }));
        }
    }
}
