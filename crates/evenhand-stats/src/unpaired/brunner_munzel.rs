//! Is a value of one series likelier to lie above a value of the other, when their shapes may differ?
//!
//! Brunner and Munzel, "The nonparametric Behrens–Fisher problem", Biometrical Journal 42 (2000). With pooled
//! midranks R, midranks within each series V, and s_x² = 1/(n − 1) · sum(R_i − V_i − mean R + (n + 1)/2)²:
//! W = nm(mean R_x − mean R_y) / ((n + m)·sqrt(n s_x² + m s_y²)), Student with Satterthwaite's degrees of freedom.
//!
//! Unlike Mann–Whitney it does not take unequal spreads for a difference. It takes the values for independent
//! draws, and wants ten or more on each side.
//!
//! Tests: tests/rank_tests.rs

use super::rank_tests::{Alternative, choose};
use crate::error::{InputError, Rule, at_least, finite};
use crate::order::midranks;
use crate::student;

/// Outcome of the Brunner–Munzel test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BrunnerMunzel {
    /// W and its degrees of freedom; none when one series lies wholly above the other, where the variance is 0.
    pub statistic: Option<(f64, f64)>,
    /// Chance of a statistic at least as extreme. Without a statistic it is 0 or 1, which is a convention: with
    /// few values use the exact Mann–Whitney test there.
    pub p_value: f64,
}

/// Compares `x` with `y`; two values each, not all of them tied.
pub fn brunner_munzel(x: &[f64], y: &[f64], alternative: Alternative) -> Result<BrunnerMunzel, InputError> {
    for (series, argument) in [(x, "x"), (y, "y")] {
        finite(series, argument)?;
        at_least(series, 2, argument)?;
    }
    let pooled = midranks(&[x, y].concat(), 0.0).ranks;
    let (ranks_x, ranks_y) = pooled.split_at(x.len());
    let (n, m) = (x.len() as f64, y.len() as f64);
    let distance = mean(ranks_x) - mean(ranks_y);
    let (of_x, of_y) = (n * placement_variance(x, ranks_x), m * placement_variance(y, ranks_y));
    if of_x + of_y <= 0.0 {
        return without_overlap(distance, alternative);
    }
    let statistic = n * m * distance / ((n + m) * (of_x + of_y).sqrt());
    let freedom = (of_x + of_y).powi(2) / (of_x.powi(2) / (n - 1.0) + of_y.powi(2) / (m - 1.0));
    let p_value =
        choose(student::above(statistic, freedom), student::above(-statistic, freedom), alternative);
    Ok(BrunnerMunzel { statistic: Some((statistic, freedom)), p_value })
}

fn without_overlap(distance: f64, alternative: Alternative) -> Result<BrunnerMunzel, InputError> {
    if distance == 0.0 {
        return Err(InputError::new(Rule::NotConstant, "x"));
    }
    let (greater, less) = if distance > 0.0 { (0.0, 1.0) } else { (1.0, 0.0) };
    Ok(BrunnerMunzel { statistic: None, p_value: choose(greater, less, alternative) })
}

/// Variance of how many values of the other series lie below each value.
fn placement_variance(values: &[f64], pooled_ranks: &[f64]) -> f64 {
    let within = midranks(values, 0.0).ranks;
    let placements: Vec<f64> = pooled_ranks.iter().zip(&within).map(|(pooled, own)| pooled - own).collect();
    let center = mean(&placements);
    placements.iter().map(|placement| (placement - center).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
