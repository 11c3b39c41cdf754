//! Where is the middle of a series, how wide is it, and how far apart are two series, in figures that a few wild
//! values cannot move?
//!
//! The estimators of Pragmastat (Akinshin, pragmastat.dev; definitions confirmed by brute force):
//!
//! | name | formula |
//! |---|---|
//! | center | median of (x_i + x_j)/2, i ≤ j (Hodges–Lehmann) |
//! | spread | median of \|x_i − x_j\|, i < j (Shamos), no scale factor |
//! | shift | median of x_i − y_j (Hodges–Lehmann) |
//! | ratio | exp(median of log x_i − log y_j) |
//! | average spread | (n·spread x + m·spread y)/(n + m) |
//! | disparity | shift / average spread |
//!
//! Leaves to others: how certain they are (`bounds.rs`, `spread_bounds.rs`).
//!
//! Tests: tests/pragmatic.rs

use super::pairwise::{Averages, Differences, Distances, PairTable};
use crate::error::{InputError, Rule, positive};

/// The middle of a series. Breaks only when 29 % of the values are wild.
pub fn center(x: &[f64]) -> Result<f64, InputError> {
    Ok(Averages::new(x)?.median())
}

/// The typical distance between two values of a series. Refuses a constant series; 0 when most pairs are ties.
pub fn spread(x: &[f64]) -> Result<f64, InputError> {
    let distances = distances(x, "x")?;
    Ok(distances.median())
}

/// How far `x` lies above `y`.
pub fn shift(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    Ok(Differences::new(x, y)?.median())
}

/// How many times `y` the series `x` is. A ratio too large or too small for a double counts as the largest or
/// the smallest normal double.
pub fn ratio(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    Ok(ratio_of(log_differences(x, y)?.median()))
}

/// The spread within the two series, each weighted by its length.
pub fn average_spread(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    let of_x = distances(x, "x")?.median();
    let of_y = distances(y, "y")?.median();
    Ok(weighted(of_x, x.len(), of_y, y.len()))
}

/// The shift in units of the average spread. Refuses series whose average spread is 0 (most pairs are ties).
/// A disparity too large for a double counts as the largest double.
pub fn disparity(x: &[f64], y: &[f64]) -> Result<f64, InputError> {
    let average_spread = average_spread(x, y)?;
    if average_spread == 0.0 {
        return Err(InputError::new(Rule::NotConstant, "x"));
    }
    Ok((shift(x, y)? / average_spread).clamp(f64::MIN, f64::MAX))
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

/// The mean of two figures, weighted by the lengths of their series.
pub(crate) fn weighted(of_x: f64, n: usize, of_y: f64, m: usize) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let mean = (n * of_x + m * of_y) / (n + m);
    if mean.is_finite() { mean } else { of_x * (n / (n + m)) + of_y * (m / (n + m)) }
}

/// The distances of a series that is not constant.
fn distances(x: &[f64], argument: &'static str) -> Result<Distances, InputError> {
    let named = |error: InputError| InputError { argument, ..error };
    let distances = Distances::new(x).map_err(named)?;
    if x.iter().all(|value| *value == x[0]) {
        return Err(InputError::new(Rule::NotConstant, argument));
    }
    Ok(distances)
}

fn logs(x: &[f64]) -> Vec<f64> {
    x.iter().map(|value| value.ln()).collect()
}
