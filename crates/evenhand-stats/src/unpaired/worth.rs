//! How many independent samples are two series worth that are compared by ranks?
//!
//! **Ranks have a memory of their own.** On a loaded machine spikes come as they like, and between them the level stays for hundreds of
//! samples: the mean is that of independent samples, and the ranks are not. So a series is worth what its values or its ranks are
//! worth, whichever is less ([`mean_error`] of both).
//!
//! **That number is an estimate, too**, of few degrees of freedom where the series is short. The interval of a mean allows for
//! that with Student's t in place of the normal z. Bounds of ranks have no t, so here the worth itself is taken times (z/t)², which makes
//! an interval wider by t/z. It never makes the interval impossible: where only the allowance does, as much of it is left
//! away as leaves the widest bounds there are, the extremes of all pairs, and nothing but complete separation is a difference.
//!
//! Recorded times of identical work, first a block of one arm, then one of the other, a thousand runs each, are called different in up to
//! 22 % of draws at a nominal 1 %; by the worth of the values alone it was up to 90 % in 200 draws
//! (`calibration`, "Without a coin", which keeps the first figure only).
//!
//! Tests: tests/worth.rs

use super::margins::smallest_pairwise_misrate;
use crate::error::{InputError, probability};
use crate::level::mean_error::{MeanErrorRule, mean_error};
use crate::order::midranks;
use crate::student;

/// Fewer draws than two tell nothing of how much a series varies.
const FEWEST: f64 = 2.0;
/// The allowance is given up in so many steps.
const STEPS: u32 = 20;

/// A memory shows in so many samples. In fewer, an estimate of it is noise: they can only be taken for independent, and whoever does so
/// has to say it.
pub const SHOWS_MEMORY: usize = 20;

/// How many independent samples a series is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    estimated: f64,
    /// The same, allowing for the error of the estimate.
    surely: f64,
}

impl Worth {
    /// The worth of samples that are taken for independent.
    pub fn independent(count: usize) -> Self {
        Self { estimated: count as f64, surely: count as f64 }
    }

    /// The worth of samples in the order in which they were taken, at least two. `None`: they resemble the ones before them for too
    /// long to know.
    pub fn of(samples: &[f64], rule: MeanErrorRule, misrate: f64) -> Result<Option<Self>, InputError> {
        let values = Self::of_one(samples, rule, misrate)?;
        let ranks = Self::of_one(&midranks(samples, 0.0).ranks, rule, misrate)?;
        Ok(values.zip(ranks).map(|(values, ranks)| Self {
            estimated: values.estimated.min(ranks.estimated),
            surely: values.surely.min(ranks.surely),
        }))
    }

    fn of_one(series: &[f64], rule: MeanErrorRule, misrate: f64) -> Result<Option<Self>, InputError> {
        probability(misrate, "misrate")?;
        // Bounds of ranks fail worse than the interval of a mean where a memory hides, so it need not show here to count.
        let rule = if rule == MeanErrorRule::EvidentMemory { MeanErrorRule::PrewhitenedCosine } else { rule };
        let error = mean_error(series, rule)?;
        if error.has_too_few_independent_samples() {
            return Ok(None);
        }
        let within = |worth: f64| worth.clamp(FEWEST, series.len() as f64);
        let quantile = |freedom| student::quantile_above(misrate / 2.0, freedom);
        let allowance = (quantile(f64::INFINITY) / quantile(error.degrees_of_freedom)).powi(2);
        let estimated = within(error.effective_samples);
        Ok(Some(Self { estimated, surely: within(estimated * allowance) }))
    }

    /// The best estimate.
    pub fn estimated(self) -> f64 {
        self.estimated
    }

    /// With a share of the allowance for the error of the estimate.
    fn allowing(self, share: f64) -> f64 {
        self.estimated + share * (self.surely - self.estimated)
    }
}

/// What two series may be taken to be worth for bounds that miss with at most `misrate`; `None` if they are worth too little for any.
pub fn worth_together(one: Worth, other: Worth, misrate: f64) -> Option<[f64; 2]> {
    let possible =
        |[one, other]: &[f64; 2]| smallest_pairwise_misrate(*one as usize, *other as usize) <= misrate;
    let shares = (0..=STEPS).rev().map(|step| f64::from(step) / f64::from(STEPS));
    shares.map(|share| [one.allowing(share), other.allowing(share)]).find(possible)
}
