//! Do samples in a row remember each other at all? Where nothing says so, Student's error of the mean is the right one.
//!
//! An estimate of the long-run variance rests on few squares, so for a handful of independent samples it makes the
//! interval several times too wide, and now and then a hundred times. So memory has to show itself:
//!
//! 1. The lag-1 autocorrelation r always counts as that of an autoregression of order one, if it is above 0: the variance
//!    is s² (1 + r)/(1 − r), and the degrees of freedom are those of the independent samples that are left, less one.
//! 2. A memory that neighbours do not show (regimes under noise) shows in slow waves: the ν lowest squared cosine sums
//!    over s² add up to χ² with ν degrees of freedom if there is none. Where they are too large for chance, the estimate of
//!    [`super::prewhitening`] counts, if it is larger.
//!
//! Chosen by the parts "mean, independent" and "mean, dependent" of the calibration. At 99 % the half width of independent
//! samples is 1.0 times Student's in the median and at most twice in 95 % of draws, from 5 samples to 1,000.
//!
//! Tests: tests/mean_error.rs

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::autocovariance::autocovariances_of;
use super::long_run_variance::{LongRunVariance, independent, squared_cosine_sums};
use super::prewhitening::{cosines, prewhitened_cosine};

/// Fewer samples than this cannot show a memory: their lag-1 autocorrelation is anything by chance.
pub(crate) const SPEAKS_OF_MEMORY: usize = 10;
/// Chance at which slow waves count as memory. At 0.02 the intervals of runs of 20 to 200 samples with regimes cover 1 to 4 %
/// less; at 0.1 those of independent samples stay within twice Student's.
const TOO_LARGE_FOR_CHANCE: f64 = 0.1;

/// The long-run variance as far as the samples show any memory.
pub(crate) fn evident_memory(deviations: &[f64]) -> LongRunVariance {
    let none = independent(deviations);
    if deviations.len() < SPEAKS_OF_MEMORY {
        return none;
    }
    let neighbours = order_one(deviations, none.variance);
    if !shows_in_slow_waves(deviations, none.variance) {
        return neighbours;
    }
    let slow = prewhitened_cosine(deviations);
    if slow.variance > neighbours.variance { slow } else { neighbours }
}

/// What the lag-1 autocorrelation makes of the variance.
fn order_one(deviations: &[f64], variance: f64) -> LongRunVariance {
    let n = deviations.len() as f64;
    let lags = autocovariances_of(deviations, 1);
    let r = (lags[1] / lags[0]).clamp(0.0, 1.0 - 1.0 / n);
    let inflation = (1.0 + r) / (1.0 - r);
    LongRunVariance { variance: variance * inflation, degrees_of_freedom: (n / inflation - 1.0).max(1.0) }
}

fn shows_in_slow_waves(deviations: &[f64], variance: f64) -> bool {
    let count = cosines(deviations.len());
    let power = squared_cosine_sums(deviations, count).iter().sum::<f64>() / variance;
    ChiSquared::new(count as f64).is_ok_and(|chance| chance.sf(power) < TOO_LARGE_FOR_CHANCE)
}
