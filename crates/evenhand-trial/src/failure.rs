//! What if a run failed? A failed sample is data: it is kept with its reason and is never mixed with the good ones.
//!
//! Tests: `tests/trial.rs`.

use crate::rule::is_finite;
use crate::{ArmId, LaunchId, RoundId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A run that gave no sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Failure {
    pub arm: ArmId,
    pub launch: LaunchId,
    pub round: RoundId,
    pub reason: Reason,
    /// How long it had run, in seconds, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Why a run gave no sample.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Reason {
    /// It ended with a code other than 0.
    Exit {
        code: i64,
    },
    Signal {
        number: i32,
    },
    /// It ran longer than it was allowed to.
    Timeout {
        /// The time allowed, in seconds.
        allowed: f64,
    },
    /// It could not be started.
    NotStarted {
        message: String,
    },
    /// Its result was not that of the baseline.
    WrongResult {
        message: String,
    },
    Other {
        message: String,
    },
}

impl Failure {
    /// Whether every time in it is a finite number.
    pub(crate) fn is_finite(&self) -> bool {
        let allowed = match self.reason {
            Reason::Timeout { allowed } => Some(allowed),
            _ => None,
        };
        is_finite([self.seconds, allowed])
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit { code } => write!(f, "ended with code {code}"),
            Self::Signal { number } => write!(f, "ended by signal {number}"),
            Self::Timeout { allowed } => write!(f, "ran longer than the {allowed} s allowed"),
            Self::NotStarted { message } => write!(f, "could not be started: {message}"),
            Self::WrongResult { message } => write!(f, "gave another result than the baseline: {message}"),
            Self::Other { message } => f.write_str(message),
        }
    }
}
