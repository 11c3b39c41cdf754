//! What does one arm cost, in one table?
//!
//! The list of docs/method.md from one sorted copy of the samples: percentiles by type 7, standard deviation with
//! divisor n − 1, and the ratios that say how much the machine got in the way:
//!
//! - CV = sd/mean, IQR/median, and the friction (mean − min)/min;
//! - sigma distances (mean − min)/σ and (max − mean)/σ as Lemire prints them ("Are your memory-bound benchmarking
//!   timings normally distributed?", 2023), with divisor n in σ. They cannot exceed √(n − 1) (Samuelson 1968): 30
//!   samples never show a 6-sigma event, so n and that limit belong to the figure.
//!
//! A ratio whose denominator is not above zero is `None`. The error of the mean needs the order of the samples: `mean_error.rs`.
//!
//! Tests: tests/summary.rs

use std::fmt;

use super::moments::Moments;
use super::quantile::Sorted;
use crate::error::{InputError, squarable};

/// The level and the spread of one arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Number of samples.
    pub n: usize,
    /// Smallest sample.
    pub min: f64,
    /// 5th percentile, type 7 as all of them.
    pub p5: f64,
    /// 10th percentile.
    pub p10: f64,
    /// 25th percentile, the first quartile.
    pub p25: f64,
    /// 50th percentile.
    pub median: f64,
    /// 75th percentile, the third quartile.
    pub p75: f64,
    /// 90th percentile.
    pub p90: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Largest sample.
    pub max: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Standard deviation with divisor n − 1; `None` for a single sample.
    pub sd: Option<f64>,
    /// Interquartile range, `p75 − p25`.
    pub iqr: f64,
    /// Median absolute deviation from the median, not scaled.
    pub mad: f64,
    /// Coefficient of variation, sd/mean.
    pub cv: Option<f64>,
    /// Interquartile range over median.
    pub iqr_over_median: Option<f64>,
    /// (mean − min)/min, the friction.
    pub mean_over_min: Option<f64>,
    /// How far the extremes lie from the mean; `None` when all samples are alike.
    pub sigmas: Option<SigmaDistances>,
}

/// Distances of the extremes from the mean in standard deviations (divisor n).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SigmaDistances {
    /// (mean − min)/σ.
    pub bottom: f64,
    /// (max − mean)/σ.
    pub top: f64,
    /// Number of samples.
    pub n: usize,
}

impl Summary {
    /// Sorts the samples and summarises them. They must be zero or between 1e-140 and 1e140 in size.
    pub fn of(samples: &[f64]) -> Result<Self, InputError> {
        squarable(samples, "samples")?;
        Self::of_sorted(&Sorted::new(samples)?)
    }

    /// Summarises samples that are sorted already.
    pub fn of_sorted(sorted: &Sorted) -> Result<Self, InputError> {
        squarable(sorted.as_slice(), "samples")?;
        let moments = Moments::two_passes(sorted.as_slice());
        let mean = moments.mean_of_some();
        let (p25, median, p75) = (sorted.percentile(25.0)?, sorted.median(), sorted.percentile(75.0)?);
        Ok(Self {
            n: sorted.count(),
            min: sorted.min(),
            p5: sorted.percentile(5.0)?,
            p10: sorted.percentile(10.0)?,
            p25,
            median,
            p75,
            p90: sorted.percentile(90.0)?,
            p95: sorted.percentile(95.0)?,
            p99: sorted.percentile(99.0)?,
            max: sorted.max(),
            mean,
            sd: moments.sd(),
            iqr: p75 - p25,
            mad: sorted.mad(),
            cv: moments.sd().and_then(|sd| ratio(sd, mean)),
            iqr_over_median: ratio(p75 - p25, median),
            mean_over_min: ratio(mean - sorted.min(), sorted.min()),
            sigmas: SigmaDistances::of(&moments),
        })
    }
}

impl SigmaDistances {
    /// `None` when all samples are alike, or when there are none.
    pub(crate) fn of(moments: &Moments) -> Option<Self> {
        let (mean, sigma) = (moments.mean()?, moments.population_sd()?);
        let (min, max) = (moments.min()?, moments.max()?);
        Some(Self {
            bottom: ratio(mean - min, sigma)?,
            top: ratio(max - mean, sigma)?,
            n: usize::try_from(moments.count()).ok()?,
        })
    }

    /// √(n − 1): no sample of n can lie farther out, whatever the distribution.
    pub fn largest_possible(&self) -> f64 {
        (self.n as f64 - 1.0).sqrt()
    }
}

impl fmt::Display for SigmaDistances {
    /// Names the farther extreme: "maximum at 4.6 sigma (n = 30, at most 5.4 possible)".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (end, distance) =
            if self.top >= self.bottom { ("maximum", self.top) } else { ("minimum", self.bottom) };
        let possible = self.largest_possible();
        write!(f, "{end} at {distance:.1} sigma (n = {}, at most {possible:.1} possible)", self.n)
    }
}

/// `None` unless the denominator is above zero: a share of nothing, or of a negative, tells nobody anything.
fn ratio(numerator: f64, denominator: f64) -> Option<f64> {
    let value = numerator / denominator;
    (denominator > 0.0 && value.is_finite()).then_some(value)
}
