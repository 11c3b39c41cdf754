//! How large is the mean difference between paired arms, and is it a change by Bazhenov's rule?
//!
//! With d_i = candidate_i - baseline_i and s their standard deviation (divisor n - 1), z = mean(d) / (s /
//! sqrt n), and `CHANGE DETECTED` when |z| >= 2.6 (Bazhenov, paired benchmarking, 2023: 99 %). The means of
//! both arms and the mean difference come from the same rounds, so that they add up. Where rounds are not
//! independent the caller passes a standard error that knows so.
//!
//! Tests: tests/paired.rs.

use super::differences;
use crate::error::{InputError, in_range, positive, squarable};

/// Bazhenov's threshold for |z|.
pub const CHANGE_DETECTED: f64 = 2.6;

/// When a mean difference counts as a change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangeTest {
    /// A change is detected when |z| reaches this.
    pub threshold: f64,
    /// A standard error of the mean difference that allows for autocorrelation, in the unit of the samples.
    /// `None`: s / sqrt n.
    pub standard_error: Option<f64>,
}

impl Default for ChangeTest {
    /// |z| >= 2.6 with the plain standard error.
    fn default() -> Self {
        Self { threshold: CHANGE_DETECTED, standard_error: None }
    }
}

/// The minima, means and paired difference of two arms, all from the same rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanDifference {
    /// Number of rounds.
    pub rounds: usize,
    /// Smallest time of the baseline.
    pub baseline_min: f64,
    /// Smallest time of the candidate.
    pub candidate_min: f64,
    /// Smallest time of the candidate less that of the baseline.
    pub min_difference: f64,
    /// Mean time of the baseline.
    pub baseline_mean: f64,
    /// Mean time of the candidate.
    pub candidate_mean: f64,
    /// Mean of candidate - baseline.
    pub mean_difference: f64,
    /// The mean difference in percent of the baseline's mean.
    pub percent_of_baseline: f64,
    /// Standard deviation of the differences, divisor n - 1.
    pub standard_deviation: f64,
    /// The standard error that z was computed with.
    pub standard_error: f64,
    /// Mean difference over its standard error; `None` when the standard error is 0.
    pub z: Option<f64>,
    /// |z| reached the threshold. Without a z: the differences are all the same and not 0.
    pub changed: bool,
}

/// Compares the means of two arms that ran in the same rounds.
///
/// # Errors
/// As [`differences`]; a negative threshold; a given standard error that is not above zero.
pub fn mean_difference(
    baseline: &[f64],
    candidate: &[f64],
    test: &ChangeTest,
) -> Result<MeanDifference, InputError> {
    let differences = differences(baseline, candidate)?;
    check(test)?;
    let mean = mean(&differences);
    let standard_deviation = standard_deviation(&differences, mean);
    let plain_error = standard_deviation / (differences.len() as f64).sqrt();
    let standard_error = test.standard_error.unwrap_or(plain_error);
    let z = (standard_error > 0.0).then(|| (mean / standard_error).clamp(f64::MIN, f64::MAX));
    let (baseline_min, candidate_min) = (smallest(baseline), smallest(candidate));
    let baseline_mean = self::mean(baseline);
    Ok(MeanDifference {
        rounds: differences.len(),
        baseline_min,
        candidate_min,
        min_difference: candidate_min - baseline_min,
        baseline_mean,
        candidate_mean: self::mean(candidate),
        mean_difference: mean,
        percent_of_baseline: (100.0 * (mean / baseline_mean)).clamp(f64::MIN, f64::MAX),
        standard_deviation,
        standard_error,
        z,
        changed: z.map_or(mean != 0.0, |z| z.abs() >= test.threshold),
    })
}

fn check(test: &ChangeTest) -> Result<(), InputError> {
    in_range(test.threshold, 0.0, f64::MAX, "threshold")?;
    if let Some(error) = test.standard_error {
        positive(&[error], "standard_error")?;
        squarable(&[error], "standard_error")?;
    }
    Ok(())
}

fn smallest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The mean in two passes: the second adds what rounding lost in the first.
fn mean(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let rough = values.iter().sum::<f64>() / count;
    rough + values.iter().map(|value| value - rough).sum::<f64>() / count
}

/// Divisor n - 1. Differences that are all the same give exactly 0.
fn standard_deviation(values: &[f64], mean: f64) -> f64 {
    if values.iter().all(|value| *value == values[0]) {
        return 0.0;
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (squares / (values.len() - 1) as f64).sqrt()
}
