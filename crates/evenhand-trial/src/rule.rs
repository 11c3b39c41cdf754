//! What does every record keep to? A rule that it breaks is said in words; numbers are finite.
//!
//! Tests: `tests/trial.rs`.

use thiserror::Error;

/// A rule of trials that this one breaks, in words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TrialError(pub String);

/// Whether every number that is there is finite.
pub(crate) fn is_finite(figures: impl IntoIterator<Item = Option<f64>>) -> bool {
    figures.into_iter().flatten().all(f64::is_finite)
}
