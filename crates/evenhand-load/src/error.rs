//! Why can a load not be put on a service at all? What a service does wrong is no error: it is counted, see [`crate::RequestFailure`].
//!
//! Tests: `tests/plan.rs`, `tests/truth/`.

use std::io;
use thiserror::Error;

/// Why nothing was measured.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A rate below 0, of 0 all the time, none, or more than one thread ever sends.
    #[error("no load goes from {from} to {to} requests a second: ask for a positive rate of 1000000 at most")]
    Rate { from: f64, to: f64 },
    /// A slice without length.
    #[error("a load needs time: ask for more than 0 s")]
    NoTime,
    /// Nothing to send.
    #[error("there is no operation to send: name one")]
    NoOperation,
    /// An operation that would never be sent.
    #[error("the weight of the operation {name} is {weight}: give it a positive number")]
    Weight { name: String, weight: f64 },
    /// A plan that was made for other operations.
    #[error(
        "the plan is one of {planned} operations and the service has {offered}: make it with those of the service"
    )]
    OtherPlan { planned: usize, offered: usize },
    /// Nothing to send on.
    #[error("a load needs connections: ask for 1 or more")]
    NoConnections,
    /// The system refused what a load needs.
    #[error("the system does not let evenhand wait for connections: {0}")]
    System(#[from] io::Error),
}
