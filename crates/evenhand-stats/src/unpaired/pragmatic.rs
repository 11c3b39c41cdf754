//! How far apart are two series, in figures that a few wild values cannot move?
//!
//! Two estimators of Pragmastat (Akinshin, pragmastat.dev; definitions confirmed by brute force):
//!
//! | name | formula |
//! |---|---|
//! | shift | median of x_i − y_j (Hodges–Lehmann) |
//! | ratio | exp(median of log x_i − log y_j) |
//!
//! Leaves to others: how certain they are (`bounds.rs`).
//!
//! Tests: tests/pragmatic.rs

use super::pairwise::{Differences, PairTable};
use crate::error::{InputError, positive};

/// How far `x` lies above `y`.
pub fn shift(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    Ok(Differences::new(x, y)?.median())
}

/// How many times `y` the series `x` is. A ratio too large or too small for a double counts as the largest or
/// the smallest normal double.
pub fn ratio(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    Ok(ratio_of(log_differences(x, y)?.median()))
}

/// The log ratios of all pairs; every value must be above zero.
pub(crate) fn log_differences(x: &[f64], y: &[f64]) -> Result<Differences, InputError> {
    positive(x, "x")?;
    positive(y, "y")?;
    Differences::new(&logs(x), &logs(y))
}

/// The ratio that belongs to a log ratio, kept within the normal doubles.
pub(crate) fn ratio_of(log_ratio: f64) -> f64 {
    log_ratio.exp().clamp(f64::MIN_POSITIVE, f64::MAX)
}

pub(super) fn logs(x: &[f64]) -> Vec<f64> {
    x.iter().map(|value| value.ln()).collect()
}
