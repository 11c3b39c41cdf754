//! Percentiles of the arms, how they compare, and how sure that is.
//!
//! An *arm percentile* is the type 7 quantile (Hyndman and Fan, "Sample Quantiles in Statistical Packages",
//! The American Statistician 50, 1996) at position `p (n - 1)` of the sorted samples, counted from 0. The
//! **Scaled** figure of a percentile is candidate / baseline *at the same percentile*, not a percentile of
//! ratios.
//!
//! All uncertainty is worked out in rank space: how far may the number of samples below the true percentile
//! stray from its expectation, given that rounds resemble their neighbours and that both arms share the
//! machine? [`rank_noise`](self) answers it from batches of rounds, so the cost is one pass over the rounds.
//! The sorted samples then translate ranks to times. No density is estimated, so ties, gaps and several modes
//! do no harm.
//!
//! | file | question |
//! |---|---|
//! | `memory.rs` | is the run long enough for its memory? |
//! | `rank_noise.rs` | how far do the ranks stray, autocorrelation included? |
//! | `one_arm.rs` | the percentiles of one arm, with intervals |
//! | `rank_draws.rs` | the multiplier bootstrap: ratios as they might have come out |
//! | `scaled.rs` | both arms and their ratio, percentile by percentile |
//! | `shift_curve.rs` | the ratio over all percentiles with one band, and where its tail tells another story |
//!
//! Tests: tests/percentile.rs and tests/shift_curve.rs.

mod memory;
mod one_arm;
mod rank_draws;
mod rank_noise;
mod scaled;
mod shift_curve;

pub use one_arm::{ArmPercentile, arm_percentiles, independent_percentiles};
pub use scaled::{ComparedPercentile, compared_percentiles};
pub use shift_curve::{
    Direction, ShiftCurve, ShiftPoint, SureRange, WHOLE_PERCENTS, shift_curve, shift_curve_at, sure_ranges,
    tail_ranges,
};

use crate::error::{InputError, Rule, finite, in_range, probability, same_length};
use crate::order::at_position;

/// The percentiles of the tables in BenchmarkDotNet's article.
pub const DEFAULT_PERCENTILES: [f64; 10] = [0.0, 25.0, 50.0, 67.0, 80.0, 85.0, 90.0, 95.0, 99.0, 100.0];

/// The samples of one arm, twice: in the order of the rounds and in ascending order.
#[derive(Debug, Clone, Copy)]
pub struct Ranked<'a> {
    in_round_order: &'a [f64],
    ascending: &'a [f64],
}

impl<'a> Ranked<'a> {
    /// Pairs the samples with their sorted copy, so that the caller sorts once for all statistics.
    ///
    /// # Errors
    /// Values that are not finite, slices of different length, or a second slice that does not ascend
    /// ([`Rule::InRange`]: from the value before it upwards). That both hold the same values is the caller's
    /// word.
    pub fn new(in_round_order: &'a [f64], ascending: &'a [f64]) -> Result<Self, InputError> {
        finite(in_round_order, "in_round_order")?;
        finite(ascending, "ascending")?;
        same_length(in_round_order, ascending, "ascending")?;
        match ascending.windows(2).find(|pair| pair[0] > pair[1]) {
            Some(pair) => Err(InputError::new(Rule::InRange { low: pair[0], high: f64::MAX }, "ascending")),
            None => Ok(Self { in_round_order, ascending }),
        }
    }

    /// How many rounds the arm ran in.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.in_round_order.len()
    }

    /// The type 7 percentile, `percent` from 0 to 100.
    ///
    /// # Errors
    /// A `percent` outside 0..=100.
    pub fn percentile(&self, percent: f64) -> Result<f64, InputError> {
        in_range(percent, 0.0, 100.0, "percent")?;
        Ok(self.at_share(percent / 100.0))
    }

    fn at_share(&self, share: f64) -> f64 {
        at_position(self.ascending, share * (self.ascending.len() - 1) as f64)
    }
}

/// An interval for a percentile or a ratio. An end that the data cannot bound is `None`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The lower end, or `None` when the samples do not reach far enough down.
    pub low: Option<f64>,
    /// The upper end, or `None` when the samples do not reach far enough up.
    pub high: Option<f64>,
}

impl Bounds {
    /// Nothing is known.
    pub const UNBOUNDED: Self = Self { low: None, high: None };

    /// Type 7 leans inward at the extremes, so with few samples an estimate may lie just outside its
    /// interval.
    fn widened_to(self, estimate: f64) -> Self {
        Self { low: self.low.map(|low| low.min(estimate)), high: self.high.map(|high| high.max(estimate)) }
    }

    /// True when `value` lies within, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low.is_none_or(|low| low <= value) && self.high.is_none_or(|high| value <= high)
    }
}

/// How sure the intervals shall be, and how the random draws behind them are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PercentileSettings {
    /// Coverage aimed at, strictly between 0 and 1.
    pub confidence: f64,
    /// Draws of the multiplier bootstrap behind each ratio interval.
    pub draws: usize,
    /// Seed of those draws. The same seed and data give the same bytes.
    pub seed: u64,
}

/// Draws beyond each end of an interval. With 50, an end moves by about 6 % of a standard error from seed to
/// seed.
const DRAWS_BEYOND_EACH_END: f64 = 50.0;

impl PercentileSettings {
    /// Settings for a confidence, with as many draws as its tails need (2,000 at 95 %, 10,000 at 99 %).
    ///
    /// # Errors
    /// A confidence that is not strictly between 0 and 1.
    pub fn at_confidence(confidence: f64) -> Result<Self, InputError> {
        probability(confidence, "confidence")?;
        let draws = (2.0 * DRAWS_BEYOND_EACH_END / (1.0 - confidence)).round().clamp(1_000.0, 100_000.0);
        Ok(Self { confidence, draws: draws as usize, ..Self::default() })
    }

    fn checked(&self) -> Result<(), InputError> {
        probability(self.confidence, "confidence")?;
        in_range(self.draws as f64, 100.0, 1e6, "draws")
    }

    fn error_per_side(&self) -> f64 {
        (1.0 - self.confidence) / 2.0
    }
}

impl Default for PercentileSettings {
    /// 95 %, 2,000 draws, a fixed seed.
    fn default() -> Self {
        Self { confidence: 0.95, draws: 2_000, seed: 0x0065_7665_6e68_616e }
    }
}

/// Shares (0 to 1) of the wanted percentiles (0 to 100).
fn shares(percentiles: &[f64]) -> Result<Vec<f64>, InputError> {
    for &percent in percentiles {
        in_range(percent, 0.0, 100.0, "percentiles")?;
    }
    Ok(percentiles.iter().map(|percent| percent / 100.0).collect())
}
