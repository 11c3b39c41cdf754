//! How did it end? A turn ends with a sample or as a [`NoSample`], a group and a measurement as an [`Finish`], and what nobody
//! planned is a [`MeasureError`].
//!
//! Tests: `tests/rounds.rs`, `tests/launches.rs`, `tests/command.rs`.

use evenhand_trial::{ArmId, Failure, Reason};
use std::time::Duration;
use thiserror::Error;

/// Why the measurement cannot go on, in words: what went wrong, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ExecutorError(pub String);

/// Why there is no sample.
#[derive(Debug)]
pub enum NoSample {
    Failed {
        arm: ArmId,
        reason: Reason,
        /// How long it had run, in seconds.
        seconds: Option<f64>,
    },
    /// The user ended it.
    Interrupted,
    /// There was no time left for it.
    OutOfTime {
        /// What was ended, in words.
        what: String,
        /// How long that had run.
        ran: Duration,
    },
    /// The measurement cannot go on.
    Error(MeasureError),
}

/// How a group, or a measurement, ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Finish {
    /// As planned.
    Complete,
    /// The user ended it.
    Interrupted,
    /// An arm failed, and failures were not to be ignored. The failure is recorded.
    Failed(Failure),
}

/// Why a measurement cannot go on. Every round before is recorded.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// What is measured could not be run.
    #[error(transparent)]
    NotRun(#[from] ExecutorError),
    /// A round could not be recorded.
    #[error(transparent)]
    NotRecorded(Box<dyn std::error::Error + Send + Sync>),
}

impl<E: Into<MeasureError>> From<E> for NoSample {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}
