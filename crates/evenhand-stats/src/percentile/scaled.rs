//! Both arms and their ratio, percentile by percentile (the **Scaled** columns of BenchmarkDotNet's article).
//!
//! Scaled is candidate / baseline at the same percentile. Its interval comes from the multiplier bootstrap of
//! `rank_draws.rs`, with the arms paired by round and the resemblance of neighbouring rounds included: the ends
//! are the quantiles of the drawn ratios. P0 and P100 have no interval for the ratio: how far an extreme
//! strays depends on values nobody has seen.
//!
//! Tests: tests/percentile.rs.

use super::memory::ratio_remembers_too_long;
use super::one_arm::{ArmPercentile, arm_percentiles, with_noise};
use super::rank_draws::{PairedNoise, RatioDraw};
use super::rank_noise::{FEWEST_ROUNDS, rank_noise};
use super::{Bounds, PercentileSettings, Ranked, shares};
use crate::error::{InputError, positive, same_length};

/// One percentile of both arms and their ratio.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComparedPercentile {
    /// The percentile of the baseline.
    pub baseline: ArmPercentile,
    /// The percentile of the candidate.
    pub candidate: ArmPercentile,
    /// Scaled: candidate / baseline.
    pub ratio: f64,
    /// Where the true ratio lies; unbounded for P0 and P100, for fewer than 16 rounds, and where what parts the arms remembers itself for too
    /// long.
    pub ratio_interval: Bounds,
}

/// The percentiles (0 to 100) of both arms with intervals, and their ratios with intervals, in the order
/// asked for. The arms are paired: sample i of both belongs to round i.
///
/// # Errors
/// Times that are not above zero, arms of different length, a percentile outside 0..=100, settings out of
/// range.
pub fn compared_percentiles(
    baseline: &Ranked<'_>,
    candidate: &Ranked<'_>,
    percentiles: &[f64],
    settings: &PercentileSettings,
) -> Result<Vec<ComparedPercentile>, InputError> {
    check_pair(baseline, candidate)?;
    settings.checked()?;
    let shares = shares(percentiles)?;
    if baseline.rounds() < FEWEST_ROUNDS || ratio_remembers_too_long(baseline, candidate) {
        let baselines = arm_percentiles(baseline, percentiles, settings)?;
        let candidates = arm_percentiles(candidate, percentiles, settings)?;
        return Ok(combine(baselines, candidates, vec![Bounds::UNBOUNDED; percentiles.len()]));
    }
    let (baseline_noise, candidate_noise) = (rank_noise(baseline, &shares), rank_noise(candidate, &shares));
    let of_arm = |arm, noise: &super::rank_noise::RankNoise| {
        with_noise(arm, percentiles, &noise.at, noise.cosines, settings)
    };
    let (baselines, candidates) = (of_arm(baseline, &baseline_noise), of_arm(candidate, &candidate_noise));
    let noise = PairedNoise {
        baseline,
        candidate,
        baseline_noise: &baseline_noise,
        candidate_noise: &candidate_noise,
    };
    let draws = noise.ratios(&shares, settings.draws, settings.seed);
    let interval = |(share, draws): (&f64, Vec<RatioDraw>)| ratio_interval(*share, &draws, settings);
    Ok(combine(baselines, candidates, shares.iter().zip(draws).map(interval).collect()))
}

/// Refuses arms whose percentiles cannot be divided or that did not run in the same rounds.
pub(super) fn check_pair(baseline: &Ranked<'_>, candidate: &Ranked<'_>) -> Result<(), InputError> {
    positive(baseline.in_round_order, "baseline")?;
    positive(candidate.in_round_order, "candidate")?;
    same_length(baseline.in_round_order, candidate.in_round_order, "candidate")
}

fn combine(
    baselines: Vec<ArmPercentile>,
    candidates: Vec<ArmPercentile>,
    intervals: Vec<Bounds>,
) -> Vec<ComparedPercentile> {
    let arms = baselines.into_iter().zip(candidates);
    arms.zip(intervals)
        .map(|((baseline, candidate), interval)| {
            let ratio = (candidate.value / baseline.value).min(f64::MAX);
            ComparedPercentile { baseline, candidate, ratio, ratio_interval: interval.widened_to(ratio) }
        })
        .collect()
}

fn ratio_interval(share: f64, draws: &[RatioDraw], settings: &PercentileSettings) -> Bounds {
    if share <= 0.0 || share >= 1.0 {
        return Bounds::UNBOUNDED;
    }
    let beyond = (settings.error_per_side() * draws.len() as f64) as usize;
    let low = nth_smallest(draws.iter().map(|draw| draw.low), beyond);
    let high = -nth_smallest(draws.iter().map(|draw| -draw.high), beyond);
    drawn_bounds(low, high)
}

/// An end that lies at 0 or infinity stands for draws that left the data: it is open.
pub(super) fn drawn_bounds(low: f64, high: f64) -> Bounds {
    Bounds { low: (low > 0.0).then_some(low), high: high.is_finite().then_some(high) }
}

/// The value that `index` others lie below.
fn nth_smallest(values: impl Iterator<Item = f64>, index: usize) -> f64 {
    let mut values: Vec<f64> = values.collect();
    *values.select_nth_unstable_by(index, f64::total_cmp).1
}
