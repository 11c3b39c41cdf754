//! Which samples lie far outside?
//!
//! A view, not a filter: evenhand never drops a sample from a level. The rules and where they come from:
//!
//! - Tukey: outside `Q1 − 1.5·IQR … Q3 + 1.5·IQR` ("Exploratory Data Analysis", 1977; BenchmarkDotNet).
//! - MAD: farther from the median than 3 times the median absolute deviation, which is scaled by 1.4826 so that it
//!   equals the standard deviation of normal samples.
//! - Double MAD: the same with one deviation for the samples up to the median and one for those from it upwards, for
//!   skewed samples such as times (Akinshin, Perfolizer).
//!
//! The quantiles in them are of type 7 or Harrell–Davis. Perfolizer replaces 1.4826 by finite-sample factors (Park, Kim
//! and Wang 2020), which are not implemented here: of its 125 reference vectors one differs for it, by one sample.
//!
//! Tests: tests/outliers.rs

use super::quantile::{QuantileType, Sorted};

/// Where to put the fences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutlierRule {
    /// One and a half interquartile ranges beyond the quartiles.
    Tukey,
    /// Three scaled median absolute deviations from the median.
    Mad,
    /// As `Mad`, with each side's own deviation.
    DoubleMad,
}

/// How the quantiles in a rule are estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Estimator {
    /// Hyndman–Fan type 7.
    #[default]
    Type7,
    /// Harrell–Davis.
    HarrellDavis,
}

/// The limits of what counts as ordinary. A sample on a fence is still ordinary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fences {
    /// Samples strictly below are outliers.
    pub low: f64,
    /// Samples strictly above are outliers.
    pub high: f64,
}

/// The samples beyond the fences, each side in ascending order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outliers<'a> {
    /// The fences they were measured by.
    pub fences: Fences,
    /// The samples below the lower fence.
    pub below: &'a [f64],
    /// The samples above the upper fence.
    pub above: &'a [f64],
}

/// Consistency of the median absolute deviation with the normal standard deviation, 1/Φ⁻¹(3/4).
const NORMAL_MAD: f64 = 1.482_602_218_505_602;
const TUKEY_REACH: f64 = 1.5;
const MAD_REACH: f64 = 3.0;

impl Sorted {
    /// The samples beyond the fences of `rule`.
    pub fn outliers(&self, rule: OutlierRule, estimator: Estimator) -> Outliers<'_> {
        let fences = self.fences(rule, estimator);
        let samples = self.as_slice();
        let below = samples.partition_point(|x| *x < fences.low);
        let ordinary = samples.partition_point(|x| *x <= fences.high);
        Outliers { fences, below: &samples[..below], above: &samples[ordinary..] }
    }

    /// The fences of `rule`; where they would leave the range of doubles, the largest double stands for them.
    pub fn fences(&self, rule: OutlierRule, estimator: Estimator) -> Fences {
        match rule {
            OutlierRule::Tukey => self.tukey_fences(estimator),
            OutlierRule::Mad => {
                let centre = estimator.quantile(self, 0.5);
                let deviation = estimator.quantile(&deviations(self.as_slice(), centre), 0.5);
                Fences::around(centre, deviation, deviation)
            }
            OutlierRule::DoubleMad => self.double_mad_fences(estimator),
        }
    }

    /// The median absolute deviation from the median, not scaled (type 7).
    pub fn mad(&self) -> f64 {
        deviations(self.as_slice(), self.median()).median()
    }

    fn tukey_fences(&self, estimator: Estimator) -> Fences {
        let (q1, q3) = (estimator.quantile(self, 0.25), estimator.quantile(self, 0.75));
        let reach = held(TUKEY_REACH * held(q3 - q1));
        Fences { low: held(q1 - reach), high: held(q3 + reach) }
    }

    fn double_mad_fences(&self, estimator: Estimator) -> Fences {
        let samples = self.as_slice();
        let centre = estimator.quantile(self, 0.5);
        let lower = &samples[..samples.partition_point(|x| *x <= centre)];
        let upper = &samples[samples.partition_point(|x| *x < centre)..];
        let deviation = |side: &[f64]| estimator.quantile(&deviations(side, centre), 0.5);
        Fences::around(centre, deviation(lower), deviation(upper))
    }
}

impl Estimator {
    fn quantile(self, sorted: &Sorted, p: f64) -> f64 {
        let estimate = match self {
            Self::Type7 => sorted.quantile(p, QuantileType::Type7),
            Self::HarrellDavis => sorted.harrell_davis(p),
        };
        #[expect(clippy::expect_used, reason = "every p in this file is a quartile")]
        estimate.expect("a quartile lies between 0 and 1")
    }
}

impl Fences {
    fn around(centre: f64, below: f64, above: f64) -> Self {
        let reach = |deviation: f64| held(MAD_REACH * NORMAL_MAD * deviation);
        Self { low: held(centre - reach(below)), high: held(centre + reach(above)) }
    }
}

/// The distances of ascending samples from `centre`, themselves ascending: a merge of two sorted runs, not a sort.
/// The centre lies between the first and the last of the samples it came from, so no side is ever empty.
fn deviations(samples: &[f64], centre: f64) -> Sorted {
    let (below, above) = samples.split_at(samples.partition_point(|x| *x < centre));
    let mut left = below.iter().rev().map(|x| held(centre - x)).peekable();
    let mut right = above.iter().map(|x| held(x - centre)).peekable();
    let merged = std::iter::from_fn(|| match (left.peek(), right.peek()) {
        (Some(l), Some(r)) if l <= r => left.next(),
        (_, Some(_)) => right.next(),
        (_, None) => left.next(),
    });
    Sorted::from_ascending(merged.collect())
}

fn held(value: f64) -> f64 {
    value.clamp(-f64::MAX, f64::MAX)
}
