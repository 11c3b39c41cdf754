//! When the mean tells another story than the middle, which tail is responsible?
//!
//! The mean difference splits exactly into three parts by the fences around the median of the differences:
//! `mean = middle + lower + upper`, where lower = sum of (d - median) over the excursions below, divided by n,
//! upper the same above, and middle the rest (median included). A slow excursion of the candidate is above,
//! one of the baseline below.
//!
//! Tests: tests/paired.rs.

use super::{Fences, differences, fences};
use crate::error::InputError;

/// A side of the differences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Differences far below the median: the baseline had slow rounds.
    Lower,
    /// Differences far above the median: the candidate had slow rounds.
    Upper,
}

/// What each part of the differences adds to their mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TailContributions {
    /// The fences used.
    pub fences: Fences,
    /// The mean difference, the sum of the three parts.
    pub mean_difference: f64,
    /// Part of the rounds below the low fence.
    pub lower: f64,
    /// Part of the rounds within the fences, and the median of all.
    pub middle: f64,
    /// Part of the rounds above the high fence.
    pub upper: f64,
}

impl TailContributions {
    /// The part of a tail as a share of the mean difference; `None` when that mean is 0.
    ///
    /// Shares may be negative or above 1: the parts can pull in opposite directions.
    #[must_use]
    pub fn share(&self, tail: Tail) -> Option<f64> {
        let share = self.part(tail) / self.mean_difference;
        share.is_finite().then_some(share)
    }

    fn part(&self, tail: Tail) -> f64 {
        match tail {
            Tail::Lower => self.lower,
            Tail::Upper => self.upper,
        }
    }
}

/// Splits the mean difference at fences `width` interquartile ranges from the median.
///
/// # Errors
/// As [`differences`] and [`fences`].
pub fn tail_contributions(
    baseline: &[f64],
    candidate: &[f64],
    width: f64,
) -> Result<TailContributions, InputError> {
    let differences = differences(baseline, candidate)?;
    let fences = fences(&differences, width)?;
    let count = differences.len() as f64;
    let part = |belongs: &dyn Fn(f64) -> bool| {
        differences.iter().filter(|d| belongs(**d)).map(|d| d - fences.median).sum::<f64>() / count
    };
    let lower = part(&|d| d < fences.low);
    let upper = part(&|d| d > fences.high);
    let middle = fences.median + part(&|d| d >= fences.low && d <= fences.high);
    Ok(TailContributions { fences, mean_difference: lower + middle + upper, lower, middle, upper })
}

/// The tail that pulls the mean away from a robust figure of the difference (median, Hodges-Lehmann).
///
/// `None` when neither tail pulls that way. Ask it only when the two figures disagree.
#[must_use]
pub fn responsible_tail(contributions: &TailContributions, robust_difference: f64) -> Option<Tail> {
    let gap = contributions.mean_difference - robust_difference;
    if gap > 0.0 && contributions.upper > 0.0 {
        Some(Tail::Upper)
    } else if gap < 0.0 && contributions.lower < 0.0 {
        Some(Tail::Lower)
    } else {
        None
    }
}
