//! Does the tail tell another story than the middle?
//!
//! The shift curve is the ratio candidate / baseline at every percentile from 1 to 99 with a *simultaneous*
//! band: with the chosen confidence the true curve lies within the band everywhere at once (Doksum,
//! "Empirical Probability Plots and Statistical Inference for Nonlinear Models in the Two-Sample Case",
//! Annals of Statistics 2, 1974, for the idea of the curve). So every percentile whose band excludes 1 may
//! be named without paying for having looked at all of them.
//!
//! The band is cut from the draws of `rank_draws.rs` by depth: order the draws at each percentile, drop the
//! k outermost at either end everywhere, with the largest k that still leaves the wanted share of whole
//! curves untouched (Besag, Green, Higdon and Mengersen, Statistical Science 10, 1995, section 6.3). Only
//! the order of the draws matters, so a jump from one mode to another needs no standard deviation and an
//! infinite draw no special rule.
//!
//! Tests: tests/shift_curve.rs.

use super::memory::ratio_remembers_too_long;
use super::rank_draws::{PairedNoise, RatioDraw};
use super::rank_noise::{FEWEST_ROUNDS, rank_noise};
use super::scaled::{check_pair, drawn_bounds};
use super::{Bounds, PercentileSettings, Ranked, shares};
use crate::error::{InputError, Rule};
use crate::order::ascending;

/// The percentiles of the default curve: 1, 2, ... 99.
pub const WHOLE_PERCENTS: [f64; 99] = {
    let mut percents = [0.0; 99];
    let mut index = 0;
    while index < 99 {
        percents[index] = (index + 1) as f64;
        index += 1;
    }
    percents
};

/// The ratio of the arms at one percentile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShiftPoint {
    /// Which percentile, above 0 and below 100.
    pub percentile: f64,
    /// Candidate / baseline.
    pub ratio: f64,
    /// The simultaneous band at this percentile.
    pub band: Bounds,
}

/// The ratio of the arms over the percentiles.
#[derive(Debug, Clone, PartialEq)]
pub struct ShiftCurve {
    /// The points, by ascending percentile.
    pub points: Vec<ShiftPoint>,
    /// The chance that the band holds the whole true curve.
    pub confidence: f64,
}

/// Which way the candidate differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The candidate takes less time.
    Faster,
    /// The candidate takes more time.
    Slower,
}

/// A run of neighbouring percentiles at which the candidate surely differs the same way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SureRange {
    /// Which way.
    pub direction: Direction,
    /// First percentile of the run.
    pub from: f64,
    /// Last percentile of the run.
    pub to: f64,
}

/// The bootstrap draws behind a band per draw behind one interval: the band looks further into the tails.
const DRAWS_PER_INTERVAL_DRAW: usize = 2;

/// The shift curve at 1, 2, ... 99 %. Where what parts the arms remembers itself for too long, its band is open.
///
/// # Errors
/// As [`super::compared_percentiles`], and fewer than 16 rounds.
pub fn shift_curve(
    baseline: &Ranked<'_>,
    candidate: &Ranked<'_>,
    settings: &PercentileSettings,
) -> Result<ShiftCurve, InputError> {
    shift_curve_at(baseline, candidate, &WHOLE_PERCENTS, settings)
}

/// The shift curve at chosen percentiles, which need not be sorted. The extremes 0 and 100 have no band.
///
/// # Errors
/// As [`shift_curve`].
pub fn shift_curve_at(
    baseline: &Ranked<'_>,
    candidate: &Ranked<'_>,
    percentiles: &[f64],
    settings: &PercentileSettings,
) -> Result<ShiftCurve, InputError> {
    check_pair(baseline, candidate)?;
    settings.checked()?;
    let got = baseline.rounds();
    if got < FEWEST_ROUNDS {
        return Err(InputError::new(Rule::AtLeast { needed: FEWEST_ROUNDS, got }, "baseline"));
    }
    let percentiles = ascending(percentiles);
    let shares = shares(&percentiles)?;
    let (baseline_noise, candidate_noise) = (rank_noise(baseline, &shares), rank_noise(candidate, &shares));
    let noise = PairedNoise {
        baseline,
        candidate,
        baseline_noise: &baseline_noise,
        candidate_noise: &candidate_noise,
    };
    let bands = if ratio_remembers_too_long(baseline, candidate) {
        vec![Bounds::UNBOUNDED; shares.len()]
    } else {
        let draws = noise.ratios(&shares, DRAWS_PER_INTERVAL_DRAW * settings.draws, settings.seed);
        simultaneous_band(&shares, &draws, settings.confidence)
    };
    let point = |((&percentile, &share), band): ((&f64, &f64), Bounds)| {
        let ratio = (candidate.at_share(share) / baseline.at_share(share)).min(f64::MAX);
        ShiftPoint { percentile, ratio, band: band.widened_to(ratio) }
    };
    let points = percentiles.iter().zip(&shares).zip(bands).map(point).collect();
    Ok(ShiftCurve { points, confidence: settings.confidence })
}

/// The runs of percentiles at which the band excludes every ratio within the margin (0.01 = 1 %; 0 = any
/// difference counts).
#[must_use]
pub fn sure_ranges(curve: &ShiftCurve, margin: f64) -> Vec<SureRange> {
    let directions: Vec<_> =
        curve.points.iter().map(|point| (point.percentile, direction(point, margin))).collect();
    directions
        .chunk_by(|left, right| left.1 == right.1)
        .filter_map(|run| {
            let (from, to) = (run[0].0, run[run.len() - 1].0);
            run[0].1.map(|direction| SureRange { direction, from, to })
        })
        .collect()
}

/// The ranges of a tail that tells another story than the middle, those of one direction with only unsure percentiles
/// between them as one. None when all sure percentiles agree with P50, or none is sure.
#[must_use]
pub fn tail_ranges(curve: &ShiftCurve, margin: f64) -> Vec<SureRange> {
    match merged(&sure_ranges(curve, margin)) {
        stories if matches!(stories.as_slice(), [only] if only.holds_median()) => Vec::new(),
        stories => stories,
    }
}

impl SureRange {
    /// Whether P50 is one of its percentiles.
    #[must_use]
    pub fn holds_median(&self) -> bool {
        (self.from..=self.to).contains(&50.0)
    }
}

fn direction(point: &ShiftPoint, margin: f64) -> Option<Direction> {
    let slower = point.band.low.is_some_and(|low| low > 1.0 + margin);
    let faster = point.band.high.is_some_and(|high| high < 1.0 / (1.0 + margin));
    match (slower, faster) {
        (true, false) => Some(Direction::Slower),
        (false, true) => Some(Direction::Faster),
        _ => None,
    }
}

/// Ranges of one direction with only unsure percentiles between them, as one.
fn merged(ranges: &[SureRange]) -> Vec<SureRange> {
    ranges
        .chunk_by(|left, right| left.direction == right.direction)
        .map(|run| SureRange { to: run[run.len() - 1].to, ..run[0] })
        .collect()
}

/// The ends of the band at every percentile.
fn simultaneous_band(shares: &[f64], draws: &[Vec<RatioDraw>], confidence: f64) -> Vec<Bounds> {
    let lows: Vec<Vec<f64>> = draws.iter().map(|draws| sorted(draws, |draw| draw.low)).collect();
    let highs: Vec<Vec<f64>> = draws.iter().map(|draws| sorted(draws, |draw| draw.high)).collect();
    let dropped = droppable(draws, &lows, &highs, confidence);
    let bounds = |((share, lows), highs): ((&f64, &Vec<f64>), &Vec<f64>)| {
        if *share <= 0.0 || *share >= 1.0 {
            return Bounds::UNBOUNDED;
        }
        let (low, high) = (lows[dropped], highs[highs.len() - 1 - dropped]);
        drawn_bounds(low, high)
    };
    shares.iter().zip(&lows).zip(&highs).map(bounds).collect()
}

fn sorted(draws: &[RatioDraw], end: impl Fn(&RatioDraw) -> f64) -> Vec<f64> {
    let mut ends: Vec<f64> = draws.iter().map(end).collect();
    ends.sort_unstable_by(f64::total_cmp);
    ends
}

/// How many draws may be dropped at either end of every percentile.
fn droppable(draws: &[Vec<RatioDraw>], lows: &[Vec<f64>], highs: &[Vec<f64>], confidence: f64) -> usize {
    let count = draws.first().map_or(0, Vec::len);
    let mut depths = vec![count / 2; count];
    for ((draws, lows), highs) in draws.iter().zip(lows).zip(highs) {
        for (depth, draw) in depths.iter_mut().zip(draws) {
            let above_low = lows.partition_point(|low| *low <= draw.low) - 1;
            let below_high = count - 1 - highs.partition_point(|high| *high < draw.high);
            *depth = (*depth).min(above_low).min(below_high);
        }
    }
    depths.sort_unstable();
    let untouched = (confidence * count as f64).ceil() as usize;
    depths.get(count - untouched.min(count)).copied().unwrap_or(0)
}
