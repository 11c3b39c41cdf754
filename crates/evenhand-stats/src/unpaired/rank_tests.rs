//! Do two series, or positive and negative differences, come from one distribution? Ranks only.
//!
//! * Mann–Whitney: U counts the pairs with x_i − threshold > y_j, ties one half. Exact without ties while the
//!   exact distribution is cheap (`rank_null.rs`); otherwise normal with continuity correction of 1/2 and the
//!   variance nm/12·((N + 1) − sum(t³ − t)/(N(N − 1))), N = n + m (Lehmann, Nonparametrics, 1975, §1.4).
//! * Wilcoxon signed rank: W sums the ranks of |d| over positive d; zeros are left out, as Wilcoxon did. Exact up
//!   to 63 untied values; otherwise normal with continuity correction and the variance
//!   n(n + 1)(2n + 1)/24 − sum(t³ − t)/48.
//!
//! Both take the values for independent draws: on the raw runs of a benchmark, one block after the other, they
//! cry wolf in half of all cases (docs/method.md).
//!
//! Leaves to others: size of the effect (`bounds.rs`).
//!
//! Tests: tests/rank_tests.rs

use super::rank_null::{RankNull, mann_whitney_is_exact, signed_rank_is_exact};
use crate::error::{InputError, Rule, finite, in_range};
use crate::order::midranks;
use statrs::function::erf::erfc;
use std::f64::consts::SQRT_2;

/// What is claimed against "no difference".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alternative {
    /// The first series lies above the second (or the differences above zero).
    Greater,
    /// The first series lies below the second (or the differences below zero).
    Less,
    /// Either of the two.
    TwoSided,
}

/// Outcome of a rank test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RankTest {
    /// U or W.
    pub statistic: f64,
    /// Chance of a statistic at least as extreme if there is nothing to find.
    pub p_value: f64,
    /// Whether every ordering was counted; otherwise the normal distribution stands in.
    pub exact: bool,
}

/// Compares `x` with `y + threshold`. Values nearer than `tie_tolerance` are ties (Perfolizer takes 1e-9, too
/// coarse for times in seconds); 0 ties equal values only.
pub fn mann_whitney(
    x: &[f64],
    y: &[f64],
    threshold: f64,
    tie_tolerance: f64,
    alternative: Alternative,
) -> Result<RankTest, InputError> {
    finite(x, "x")?;
    finite(y, "y")?;
    finite(&[threshold], "threshold")?;
    in_range(tie_tolerance, 0.0, f64::MAX, "tie_tolerance")?;
    let pooled: Vec<f64> = x.iter().map(|value| value - threshold).chain(y.iter().copied()).collect();
    refuse_overflow(&pooled, "threshold")?;
    let ranked = midranks(&pooled, tie_tolerance);
    let (n, m) = (x.len() as f64, y.len() as f64);
    let u = ranked.ranks[..x.len()].iter().sum::<f64>() - n * (n + 1.0) / 2.0;
    if ranked.tie_term == 0.0 && mann_whitney_is_exact(x.len(), y.len()) {
        return Ok(counted(&RankNull::mann_whitney(x.len(), y.len()), u, alternative));
    }
    let total = n + m;
    let variance = n * m / 12.0 * ((total + 1.0) - ranked.tie_term / (total * (total - 1.0)));
    Ok(approximated(u, n * m / 2.0, variance, alternative))
}

/// Tests whether differences are symmetric about zero.
pub fn wilcoxon(differences: &[f64], alternative: Alternative) -> Result<RankTest, InputError> {
    finite(differences, "differences")?;
    let moved: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    if moved.is_empty() {
        return Err(InputError::new(Rule::NotConstant, "differences"));
    }
    let sizes: Vec<f64> = moved.iter().map(|d| d.abs()).collect();
    let ranked = midranks(&sizes, 0.0);
    let w = moved.iter().zip(&ranked.ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    if ranked.tie_term == 0.0 && signed_rank_is_exact(moved.len()) {
        return Ok(counted(&RankNull::signed_rank(moved.len()), w, alternative));
    }
    let n = moved.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranked.tie_term / 48.0;
    Ok(approximated(w, n * (n + 1.0) / 4.0, variance, alternative))
}

fn refuse_overflow(values: &[f64], argument: &'static str) -> Result<(), InputError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(InputError::new(Rule::Finite { index }, argument)),
        None => Ok(()),
    }
}

/// Without ties the statistic is a whole number.
fn counted(null: &RankNull, statistic: f64, alternative: Alternative) -> RankTest {
    let observed = statistic as u64;
    let less = null.at_most(observed);
    let greater = null.at_most(null.largest() - observed);
    RankTest { statistic, p_value: choose(greater, less, alternative), exact: true }
}

fn approximated(statistic: f64, mean: f64, variance: f64, alternative: Alternative) -> RankTest {
    // All values tied: nothing speaks against "no difference".
    if variance <= 0.0 {
        return RankTest { statistic, p_value: 1.0, exact: false };
    }
    let above = |distance: f64| 0.5 * erfc((distance - 0.5) / variance.sqrt() / SQRT_2);
    let p_value = choose(above(statistic - mean), above(mean - statistic), alternative);
    RankTest { statistic, p_value, exact: false }
}

pub(super) fn choose(greater: f64, less: f64, alternative: Alternative) -> f64 {
    match alternative {
        Alternative::Greater => greater,
        Alternative::Less => less,
        Alternative::TwoSided => (2.0 * greater.min(less)).min(1.0),
    }
}
