//! Which of many comparisons may be called changes? False discovery control by e-values.
//!
//! e-BH (Wang & Ramdas 2022): sort the m e-values downwards and call the k* largest, k* the largest k with
//! e_(k) ≥ m/(k·α). The expected share of false calls is at most α under *any* dependence between the
//! comparisons, so benchmarks that share a machine, a baseline or a process are no problem.
//!
//! Averages of e-values are e-values under any dependence ([`average`]). Products are so only when each factor
//! is an e-value given the ones before it, as for independent coins ([`product`]): two comparisons that share
//! rounds may be averaged, not multiplied.
//!
//! Tests: `tests/suite.rs`.

use crate::error::{InputError, Rule, finite, probability};

/// For each comparison, whether it may be called a change at false discovery rate `alpha`.
/// `ln_e_values` are natural logarithms, as [`super::EProcess::ln_e_value`] gives them.
///
/// # Errors
/// At least one value, all finite; `alpha` strictly between 0 and 1.
pub fn e_bh(ln_e_values: &[f64], alpha: f64) -> Result<Vec<bool>, InputError> {
    finite(ln_e_values, "ln_e_values")?;
    probability(alpha, "alpha")?;
    let mut downwards = ln_e_values.to_vec();
    downwards.sort_unstable_by(|a, b| b.total_cmp(a));
    let m = downwards.len() as f64;
    let enough = |k: usize, ln_e: f64| ln_e >= (m / ((k + 1) as f64 * alpha)).ln();
    let threshold = downwards.iter().enumerate().rfind(|(k, ln_e)| enough(*k, **ln_e)).map(|(_, ln_e)| *ln_e);
    Ok(ln_e_values.iter().map(|ln_e| threshold.is_some_and(|threshold| *ln_e >= threshold)).collect())
}

/// The average of e-values, as a logarithm: evidence against "no comparison differs", under any dependence.
///
/// # Errors
/// At least one value, all finite.
pub fn average(ln_e_values: &[f64]) -> Result<f64, InputError> {
    finite(ln_e_values, "ln_e_values")?;
    let largest = ln_e_values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = ln_e_values.iter().map(|ln_e| (ln_e - largest).exp()).sum();
    Ok(largest + (sum / ln_e_values.len() as f64).ln())
}

/// The product of e-values, as a logarithm: for comparisons whose coins were independent.
///
/// # Errors
/// At least one value, all finite, and a sum of logarithms that a double can hold.
pub fn product(ln_e_values: &[f64]) -> Result<f64, InputError> {
    finite(ln_e_values, "ln_e_values")?;
    let sum: f64 = ln_e_values.iter().sum();
    if sum.is_finite() {
        return Ok(sum);
    }
    let index = ln_e_values.iter().position(|ln_e| ln_e.abs() > 1e300).unwrap_or(0);
    Err(InputError::new(Rule::Representable { index }, "ln_e_values"))
}
