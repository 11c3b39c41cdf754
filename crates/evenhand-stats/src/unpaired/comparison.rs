//! How do two series compare that were not measured together?
//!
//! Three estimates of candidate against baseline, positive when the candidate is larger: the Hodges–Lehmann shift
//! and ratio with distribution-free bounds, and the difference of the means with Student bounds
//! (docs/method.md). Imported samples follow each other and resemble their neighbours, so all bounds are computed for
//! the *effective* sizes n', m' that the caller hands in (how many independent draws the series are worth, from
//! `level`):
//!
//! * shift, ratio: the share of pairs cut is the one that n' and m' independent draws allow; of the nm pairs at
//!   hand that share, rounded down, is left out on each side. With n' = n and m' = m these are the guaranteed
//!   bounds of `bounds.rs`; otherwise an approximation, which takes ranks to be as dependent as values.
//! * means: se² = s_x²/n' + s_y²/m', Satterthwaite's degrees of freedom on n' − 1 and m' − 1 (`welch.rs`).
//!
//! None of it can tell a change in the program from a change in the machine between the two runs: all of it assumes
//! that nothing else changed, which has to be shown with the verdict.
//!
//! Tests: tests/unpaired.rs

use super::bounds::{Bounds, as_ratios, cut_both_sides};
use super::margins::guaranteed_pairwise_cut;
use super::pairwise::{Differences, PairTable};
use super::pragmatic::{log_differences, logs, ratio_of};
use super::spread::Worths;
use super::welch::{ErrorOfDifference, Moments};
use crate::error::{InputError, in_range, probability};
use crate::student;

/// A series and the number of independent draws that it is worth.
#[derive(Debug, Clone, Copy)]
pub struct Series<'a> {
    values: &'a [f64],
    effective: f64,
}

impl<'a> Series<'a> {
    /// Values that are independent draws.
    pub fn independent(values: &'a [f64]) -> Self {
        Self { values, effective: values.len() as f64 }
    }

    /// Values that are worth `effective` independent draws, at least 2 and at most as many as there are values.
    pub fn dependent(values: &'a [f64], effective: f64) -> Self {
        Self { values, effective }
    }

    fn check(&self, argument: &'static str) -> Result<(), InputError> {
        in_range(self.effective, 2.0, self.values.len() as f64, argument)
    }

    /// Ranks need whole draws; a part of one does not count.
    fn whole_draws(&self) -> usize {
        self.effective as usize
    }
}

/// An estimate and the bounds that miss the truth with at most the misrate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Its bounds.
    pub bounds: Bounds,
}

/// The difference of two means.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanDifference {
    /// Mean of the candidate less mean of the baseline, with Student bounds.
    pub estimate: Estimate,
    /// Its standard error on the effective sizes.
    pub standard_error: f64,
    /// Satterthwaite's degrees of freedom on the effective sizes.
    pub degrees_of_freedom: f64,
}

/// Everything that is claimed of two series without a coin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedComparison {
    /// Typical candidate less typical baseline.
    pub shift: Estimate,
    /// Typical candidate over typical baseline; none when a value is not above zero.
    pub ratio: Option<Estimate>,
    /// Mean against mean.
    pub mean: MeanDifference,
}

/// Compares the candidate with the baseline.
///
/// The misrate is the accepted chance that a given pair of bounds misses, and at least 2/C(n' + m', n'): fewer
/// effective samples cannot promise less. Two constant series are refused: they say nothing of their error.
pub fn compare(
    baseline: Series<'_>,
    candidate: Series<'_>,
    misrate: f64,
) -> Result<UnpairedComparison, InputError> {
    probability(misrate, "misrate")?;
    let mean = mean_difference(baseline, candidate, misrate)?;
    let cut = CutShare::new(candidate.whole_draws(), baseline.whole_draws(), misrate)?;
    let shift = cut.estimate(&Differences::new(candidate.values, baseline.values)?);
    let ratio = cut.ratio(baseline, candidate).ok();
    Ok(UnpairedComparison { shift, ratio, mean })
}

/// Typical candidate over typical baseline alone, of values above zero. Of independent draws of one spread the bounds are exact however few
/// there are; where the spreads differ they are wider (`spread.rs`). Ties only make them wider, too, and constant series, whose means have
/// no error, are welcome: they differ or they do not.
pub fn compare_ratio(
    baseline: Series<'_>,
    candidate: Series<'_>,
    misrate: f64,
) -> Result<Estimate, InputError> {
    probability(misrate, "misrate")?;
    baseline.check("baseline")?;
    candidate.check("candidate")?;
    let pairs = log_differences(candidate.values, baseline.values)?;
    let log = pairs.median();
    let aligned: Vec<f64> = logs(candidate.values).iter().map(|value| value - log).collect();
    let worths = Worths::new(candidate.effective, baseline.effective);
    let (n, m) = worths.allowing(&aligned, &logs(baseline.values), misrate)?;
    let bounds = CutShare::new(n, m, misrate)?.bounds(&pairs);
    Ok(Estimate { value: ratio_of(log), bounds: as_ratios(bounds) })
}

/// The share of all pairs that is left out on each side.
#[derive(Debug, Clone, Copy)]
struct CutShare {
    cut: u64,
    of_pairs: u64,
}

impl CutShare {
    fn new(n: usize, m: usize, misrate: f64) -> Result<Self, InputError> {
        let cut = guaranteed_pairwise_cut(n, m, misrate)?;
        Ok(Self { cut, of_pairs: n as u64 * m as u64 })
    }

    fn ratio(&self, baseline: Series<'_>, candidate: Series<'_>) -> Result<Estimate, InputError> {
        let log = self.estimate(&log_differences(candidate.values, baseline.values)?);
        Ok(Estimate { value: ratio_of(log.value), bounds: as_ratios(log.bounds) })
    }

    fn estimate(&self, pairs: &impl PairTable) -> Estimate {
        Estimate { value: pairs.median(), bounds: self.bounds(pairs) }
    }

    fn bounds(&self, pairs: &impl PairTable) -> Bounds {
        let cut = u128::from(pairs.pairs()) * u128::from(self.cut) / u128::from(self.of_pairs);
        cut_both_sides(pairs, cut as u64)
    }
}

fn mean_difference(
    baseline: Series<'_>,
    candidate: Series<'_>,
    misrate: f64,
) -> Result<MeanDifference, InputError> {
    let old = Moments::of(baseline.values, "baseline")?;
    let new = Moments::of(candidate.values, "candidate")?;
    baseline.check("baseline")?;
    candidate.check("candidate")?;
    let error = ErrorOfDifference::new(new, candidate.effective, old, baseline.effective)
        .map_err(|error| InputError { argument: "candidate", ..error })?;
    let value = new.mean - old.mean;
    let reach = student::quantile_above(misrate / 2.0, error.degrees_of_freedom) * error.standard_error;
    let bounds = Bounds { lower: (value - reach).max(f64::MIN), upper: (value + reach).min(f64::MAX) };
    Ok(MeanDifference {
        estimate: Estimate { value, bounds },
        standard_error: error.standard_error,
        degrees_of_freedom: error.degrees_of_freedom,
    })
}
