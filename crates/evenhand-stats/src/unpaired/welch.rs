//! Do the means of two series differ, when their variances may differ too?
//!
//! Welch's t: t = (mean x − mean y − threshold)/se with se² = s_x²/n + s_y²/m (s with n − 1), and
//! Satterthwaite's degrees of freedom se⁴ / ((s_x²/n)²/(n − 1) + (s_y²/m)²/(m − 1)) (Welch, "The generalization
//! of Student's problem when several different population variances are involved", Biometrika 34, 1947).
//!
//! It takes the values for independent draws from something near a normal distribution. Dependent values:
//! `comparison.rs`, which puts effective sample sizes in the place of n and m.
//!
//! Tests: tests/welch.rs

use super::rank_tests::{Alternative, choose};
use crate::error::{InputError, Rule, at_least, finite, squarable};
use crate::student;

/// Outcome of Welch's test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WelchTest {
    /// Difference of the means, less the threshold, in standard errors.
    pub statistic: f64,
    /// Satterthwaite's degrees of freedom.
    pub degrees_of_freedom: f64,
    /// Chance of a statistic at least as extreme if the means differ by the threshold.
    pub p_value: f64,
}

/// Compares the mean of `x` with the mean of `y + threshold`; two values each, not both series constant.
pub fn welch(
    x: &[f64],
    y: &[f64],
    threshold: f64,
    alternative: Alternative,
) -> Result<WelchTest, InputError> {
    finite(&[threshold], "threshold")?;
    let (x, y) = (Moments::of(x, "x")?, Moments::of(y, "y")?);
    let error = ErrorOfDifference::new(x, x.count, y, y.count)?;
    let statistic = ((x.mean - y.mean - threshold) / error.standard_error).clamp(f64::MIN, f64::MAX);
    let greater = student::above(statistic, error.degrees_of_freedom);
    let less = student::above(-statistic, error.degrees_of_freedom);
    let p_value = choose(greater, less, alternative);
    Ok(WelchTest { statistic, degrees_of_freedom: error.degrees_of_freedom, p_value })
}

/// Mean, variance (divided by n − 1) and count of a series.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) count: f64,
}

impl Moments {
    /// Two passes, so that a large mean does not swallow a small variance.
    pub(super) fn of(values: &[f64], argument: &'static str) -> Result<Self, InputError> {
        squarable(values, argument)?;
        at_least(values, 2, argument)?;
        let count = values.len() as f64;
        let rough = values.iter().sum::<f64>() / count;
        let mean = rough + values.iter().map(|value| value - rough).sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let constant = values.iter().all(|value| *value == values[0]);
        let variance = if constant { 0.0 } else { squares / (count - 1.0) };
        Ok(Self { mean, variance, count })
    }
}

/// How far the difference of two means may be off.
#[derive(Debug, Clone, Copy)]
pub(super) struct ErrorOfDifference {
    pub(super) standard_error: f64,
    pub(super) degrees_of_freedom: f64,
}

impl ErrorOfDifference {
    /// `n` and `m` say how many independent draws the series are worth; both are above 1.
    pub(super) fn new(x: Moments, n: f64, y: Moments, m: f64) -> Result<Self, InputError> {
        let (of_x, of_y) = (x.variance / n, y.variance / m);
        let squared = of_x + of_y;
        if squared <= 0.0 {
            return Err(InputError::new(Rule::NotConstant, "x"));
        }
        // Shares first: squares of squares would leave the range of a double.
        let (share_x, share_y) = (of_x / squared, of_y / squared);
        let degrees_of_freedom = 1.0 / (share_x.powi(2) / (n - 1.0) + share_y.powi(2) / (m - 1.0));
        Ok(Self { standard_error: squared.sqrt(), degrees_of_freedom })
    }
}
