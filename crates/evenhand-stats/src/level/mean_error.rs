//! How far may the mean of one run be from the mean of a run that never ends?
//!
//! The standard error is sqrt(V/N), V the long-run variance: samples that remember each other make V larger than
//! their plain variance. [`MeanErrorRule`] names the estimators of V, [`mean_error`] applies one and says next to it
//! what the naive formula s/√N would have claimed.
//!
//! The interval is mean ± t·SE with Student's t, because V is itself an estimate. When the run holds too few
//! independent stretches no rule can know V, and [`MeanError::interval`] says so instead of a narrow interval.
//!
//! Tests: tests/mean_error.rs

use crate::student;

use super::autocovariance::Deviations;
use super::long_run_variance::{
    LongRunVariance, equal_weighted_cosine, hierarchical_batch_means, independent, kolaczkowski,
    newey_west_andrews, overlapping_batch_means,
};
use super::memory::{SPEAKS_OF_MEMORY, evident_memory};
use super::prewhitening::{autoregressive, independent_samples_of_order_one, prewhitened_cosine};
use crate::error::{InputError, at_least, probability};

/// How the error of the mean is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MeanErrorRule {
    /// s/√N, right only for samples that do not remember each other.
    Naive,
    /// The function of Kolaczkowski's article: lags below ⌈√N⌉ weighted 1 − k/N, normal quantiles.
    Kolaczkowski,
    /// Newey and West's Bartlett weights with Andrews' automatic bandwidth.
    NeweyWestAndrews,
    /// The lowest cosine sums, equally weighted (Lazarus, Lewis, Stock and Watson 2018).
    EqualWeightedCosine,
    /// Overlapping batch means of ⌊√N⌋ samples.
    BatchMeans,
    /// Hierarchical batch means, as latte does since 2024.
    LatteNow,
    /// The spectrum at frequency 0 of an autoregression fitted by AIC.
    Autoregressive,
    /// Cosine sums carried to frequency 0 by a fitted autoregression; never less than the naive error.
    PrewhitenedCosine,
    /// Student's, unless the samples show a memory: then as [`Self::PrewhitenedCosine`]. The default, chosen by the calibration
    /// table.
    #[default]
    EvidentMemory,
}

/// The mean of a run and how well it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanError {
    /// The rule that was applied.
    pub rule: MeanErrorRule,
    /// The number of samples.
    pub samples: usize,
    /// The mean.
    pub mean: f64,
    /// The standard error of the mean by this rule; 0 only for a constant series.
    pub standard_error: f64,
    /// Degrees of freedom for Student's t; infinite where the rule uses normal quantiles.
    pub degrees_of_freedom: f64,
    /// s/√N, the error if samples did not remember each other.
    pub naive: f64,
    /// `standard_error / naive`, 1 for a constant series.
    pub inflation: f64,
    /// `samples / inflation²`: how many independent samples would know the mean as well.
    pub effective_samples: f64,
    /// The fewer of what the default rule and an autoregression of order one see, whichever rule was asked for.
    independent_samples: f64,
}

/// The interval for the mean, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MeanInterval {
    /// The mean of an endless run lies here, at the confidence asked for.
    Between {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// The samples remember each other for so long that the run holds about this many independent ones: too few to
    /// know the error of the mean by any rule. Run longer.
    TooFewIndependentSamples {
        /// Estimated number of independent samples.
        effective: f64,
    },
}

/// A run with fewer independent samples than this has no interval …
const ENOUGH: f64 = 10.0;
/// … unless they are this share of all samples, less one: then the run is merely short.
const MERELY_SHORT: f64 = 0.25;
/// An interval of fewer degrees of freedom says nothing: at one, and 99 %, it is 64 standard errors wide to either side.
const FEWEST_DEGREES_OF_FREEDOM: f64 = 2.0;

/// The mean of `samples`, in the order they were taken, and its standard error by `rule`. Needs two samples.
///
/// A constant series has standard error 0, inflation 1 and as many effective samples as samples: nothing in it speaks
/// of any error. (A clock too coarse for the work does this; see the clock's resolution before you believe it.)
pub fn mean_error(samples: &[f64], rule: MeanErrorRule) -> Result<MeanError, InputError> {
    at_least(samples, 2, "samples")?;
    let deviations = Deviations::of(samples)?;
    if deviations.constant() {
        return Ok(MeanError::of_constant(rule, samples.len(), deviations.mean));
    }
    let naive = independent(&deviations.values);
    let chosen = rule.long_run_variance(&deviations.values);
    let default = if rule == MeanErrorRule::default() {
        chosen
    } else {
        MeanErrorRule::default().long_run_variance(&deviations.values)
    };
    let n = samples.len() as f64;
    // Sums that cancel to nothing (a series that alternates, say) must not claim an error of 0 for values that vary: no
    // less than the variance (divisor N) over N, what perfect cancelling leaves of the two ends.
    let variance = chosen.variance.max(naive.variance * (n - 1.0) / (n * n));
    let inflation = (variance / naive.variance).sqrt();
    Ok(MeanError {
        rule,
        samples: samples.len(),
        mean: deviations.mean,
        standard_error: (variance / n).sqrt() * deviations.unit,
        degrees_of_freedom: chosen.degrees_of_freedom,
        naive: (naive.variance / n).sqrt() * deviations.unit,
        inflation,
        effective_samples: n / (inflation * inflation),
        independent_samples: (n * naive.variance / default.variance)
            .min(independent_samples_of_order_one(&deviations.values)),
    })
}

impl MeanErrorRule {
    /// Every rule, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::Naive,
        Self::Kolaczkowski,
        Self::NeweyWestAndrews,
        Self::EqualWeightedCosine,
        Self::BatchMeans,
        Self::LatteNow,
        Self::Autoregressive,
        Self::PrewhitenedCosine,
        Self::EvidentMemory,
    ];

    fn long_run_variance(self, deviations: &[f64]) -> LongRunVariance {
        match self {
            Self::Naive => independent(deviations),
            Self::Kolaczkowski => kolaczkowski(deviations),
            Self::NeweyWestAndrews => newey_west_andrews(deviations),
            Self::EqualWeightedCosine => equal_weighted_cosine(deviations),
            Self::BatchMeans => overlapping_batch_means(deviations),
            Self::LatteNow => hierarchical_batch_means(deviations),
            Self::Autoregressive => autoregressive(deviations),
            Self::PrewhitenedCosine => at_least_independent(prewhitened_cosine(deviations), deviations),
            Self::EvidentMemory => evident_memory(deviations),
        }
    }
}

/// Errors that cancel each other are rarer in benchmarks than estimates that come out too small by chance.
fn at_least_independent(estimate: LongRunVariance, deviations: &[f64]) -> LongRunVariance {
    LongRunVariance { variance: estimate.variance.max(independent(deviations).variance), ..estimate }
}

impl MeanError {
    fn of_constant(rule: MeanErrorRule, samples: usize, mean: f64) -> Self {
        let n = samples as f64;
        Self {
            rule,
            samples,
            mean,
            standard_error: 0.0,
            degrees_of_freedom: n - 1.0,
            naive: 0.0,
            inflation: 1.0,
            effective_samples: n,
            independent_samples: n,
        }
    }

    /// The interval that covers the mean of an endless run with probability `confidence` (between 0 and 1), unless the
    /// run holds too few independent samples for any rule to know, or the rule has fewer than two degrees of freedom.
    pub fn interval(&self, confidence: f64) -> Result<MeanInterval, InputError> {
        let half_width = self.half_width(confidence)?;
        if self.degrees_of_freedom < FEWEST_DEGREES_OF_FREEDOM || self.has_too_few_independent_samples() {
            return Ok(MeanInterval::TooFewIndependentSamples { effective: self.independent_samples });
        }
        Ok(MeanInterval::Between { low: self.mean - half_width, high: self.mean + half_width })
    }

    /// Half the interval that this rule would claim, even where [`MeanError::interval`] refuses one.
    pub fn half_width(&self, confidence: f64) -> Result<f64, InputError> {
        probability(confidence, "confidence")?;
        Ok(self.standard_error * student::quantile_above(0.5 - confidence / 2.0, self.degrees_of_freedom))
    }

    /// Whether the memory of the series is too long for its length.
    pub fn has_too_few_independent_samples(&self) -> bool {
        self.has_fewer_independent_samples_than(ENOUGH)
    }

    /// The same for a figure that needs `enough` of them.
    pub(crate) fn has_fewer_independent_samples_than(&self, enough: f64) -> bool {
        self.samples >= SPEAKS_OF_MEMORY
            && self.independent_samples < enough.min(MERELY_SHORT * self.samples as f64 - 1.0)
    }
}
