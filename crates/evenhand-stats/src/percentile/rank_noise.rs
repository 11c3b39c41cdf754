//! How far does the number of samples at or below a percentile stray from its expectation?
//!
//! Rounds resemble their neighbours, so the count of samples at or below a threshold varies more than a
//! binomial count. Its *long-run variance* is estimated by the equal-weighted cosine estimator (Lazarus,
//! Lewis, Stock and Watson, "HAR Inference", Journal of Business & Economic Statistics 36, 2018, equations 8
//! to 10): project the indicator series I_t on K slow cosines,
//!
//! `L_j = sqrt(2) * sum_t cos(pi j (t - 1/2) / n) (I_t - mean I)`, j = 1..K,
//!
//! and the mean of the squares is n times the long-run variance, with K degrees of freedom. K = 0.4 n^(2/3)
//! as they recommend, within 8..=64 and at most n/2. The projections are kept, not only their squares: the
//! projections of two arms on the *same* cosines carry their covariance, and a random mix of them is one
//! draw of the bootstrap.
//!
//! The cosines are slow, so the indicators are first summed over up to 512 contiguous batches of rounds. The
//! fastest cosine then still has 16 batches per period, and the whole costs one pass over the rounds.
//!
//! Tests: tests/percentile.rs (through the intervals).

use std::f64::consts::{PI, SQRT_2};

use super::Ranked;

const MOST_BATCHES: usize = 512;
const MOST_COSINES: usize = 64;
const FEWEST_COSINES: usize = 8;

/// Rounds below which the resemblance of neighbours cannot be told at all.
pub(super) const FEWEST_ROUNDS: usize = 2 * FEWEST_COSINES;

/// The random movement of the ranks of one arm, for several percentiles.
pub(super) struct RankNoise {
    /// Number of cosines K: the degrees of freedom behind every variance here.
    pub(super) cosines: usize,
    /// One entry per wanted percentile, in the order they were asked for.
    pub(super) at: Vec<PercentileNoise>,
}

/// The random movement of the rank of one percentile.
pub(super) struct PercentileNoise {
    /// L_1..L_K, in samples.
    pub(super) projections: Vec<f64>,
    /// The share of samples at or below the threshold.
    pub(super) share_below: f64,
    /// Long-run variance of the count over the variance of a binomial count; 0 when the count cannot move.
    pub(super) inflation: f64,
}

/// Measures the noise of the ranks at `shares` (0 to 1). Needs [`FEWEST_ROUNDS`] rounds.
pub(super) fn rank_noise(arm: &Ranked<'_>, shares: &[f64]) -> RankNoise {
    let rounds = arm.rounds();
    let cosines = cosines_for(rounds);
    let thresholds: Vec<f64> = shares.iter().map(|&share| nearest_threshold(arm, share)).collect();
    let counts = BatchCounts::of(arm, &thresholds);
    let waves = waves(rounds, &counts.starts, cosines);
    let at = thresholds.iter().map(|&threshold| percentile_noise(&counts, threshold, &waves)).collect();
    RankNoise { cosines, at }
}

fn cosines_for(rounds: usize) -> usize {
    let recommended = (0.4 * (rounds as f64).powf(2.0 / 3.0)) as usize;
    recommended.clamp(FEWEST_COSINES, MOST_COSINES).min(rounds / 2)
}

/// The threshold whose share of samples at or below it is nearest to the wanted share.
///
/// It is the percentile itself or, where many samples are tied there, possibly the value before it: of the
/// counts "at or below" and "strictly below", the one that is nearer tells how the rank at this share moves.
/// The other may not move at all (40 % at 10 ms, 60 % at 40 ms: nothing is above the median, yet it is
/// unsure).
fn nearest_threshold(arm: &Ranked<'_>, share: f64) -> f64 {
    let ascending = arm.ascending;
    let percentile = arm.at_share(share);
    let wanted = share * ascending.len() as f64;
    let below = ascending.partition_point(|&x| x < percentile);
    let at_or_below = ascending.partition_point(|&x| x <= percentile);
    if at_or_below as f64 - wanted <= wanted - below as f64 {
        return percentile;
    }
    below.checked_sub(1).map_or(f64::NEG_INFINITY, |previous| ascending[previous])
}

/// Per batch of rounds, how many samples lie at or below each of some thresholds.
struct BatchCounts {
    /// First round of each batch, and the number of rounds as the last entry.
    starts: Vec<usize>,
    /// Distinct thresholds, ascending.
    thresholds: Vec<f64>,
    /// `at_or_below[batch * thresholds + threshold]`.
    at_or_below: Vec<u32>,
}

impl BatchCounts {
    fn of(arm: &Ranked<'_>, wanted: &[f64]) -> Self {
        let thresholds = distinct_ascending(wanted);
        let starts = batch_starts(arm.rounds());
        let mut at_or_below = Vec::with_capacity((starts.len() - 1) * thresholds.len());
        for batch in starts.windows(2) {
            let samples = &arm.in_round_order[batch[0]..batch[1]];
            at_or_below.extend(count_at_or_below(samples, &thresholds));
        }
        Self { starts, thresholds, at_or_below }
    }

    /// Counts per batch less what an even spread over the rounds would give, and the overall share.
    fn deviations(&self, threshold: f64) -> (Vec<f64>, f64) {
        let column = self.thresholds.partition_point(|&t| t < threshold);
        let counts = self.at_or_below.iter().skip(column).step_by(self.thresholds.len());
        let counts: Vec<f64> = counts.map(|&count| f64::from(count)).collect();
        let rounds = self.starts[self.starts.len() - 1];
        let share = counts.iter().sum::<f64>() / rounds as f64;
        let sizes = self.starts.windows(2).map(|batch| (batch[1] - batch[0]) as f64);
        (counts.iter().zip(sizes).map(|(count, size)| count - size * share).collect(), share)
    }
}

fn distinct_ascending(values: &[f64]) -> Vec<f64> {
    let mut distinct = crate::order::ascending(values);
    distinct.dedup();
    distinct
}

fn batch_starts(rounds: usize) -> Vec<usize> {
    let batches = rounds.min(MOST_BATCHES);
    (0..=batches).map(|batch| batch * rounds / batches).collect()
}

/// How many samples lie at or below each of the ascending thresholds.
fn count_at_or_below(samples: &[f64], thresholds: &[f64]) -> Vec<u32> {
    let mut counts = vec![0_u32; thresholds.len() + 1];
    for &sample in samples {
        counts[thresholds.partition_point(|&t| t < sample)] += 1;
    }
    counts.pop();
    let mut below = 0;
    for count in &mut counts {
        below += *count;
        *count = below;
    }
    counts
}

/// The cosines j = 1..K at the middles of the batches, one row per cosine.
fn waves(rounds: usize, starts: &[usize], cosines: usize) -> Vec<Vec<f64>> {
    let middles: Vec<f64> =
        starts.windows(2).map(|batch| (batch[0] + batch[1]) as f64 / (2.0 * rounds as f64)).collect();
    let wave = |j: usize| middles.iter().map(|middle| SQRT_2 * (PI * j as f64 * middle).cos()).collect();
    (1..=cosines).map(wave).collect()
}

fn percentile_noise(counts: &BatchCounts, threshold: f64, waves: &[Vec<f64>]) -> PercentileNoise {
    let (deviations, share_below) = counts.deviations(threshold);
    let project = |wave: &Vec<f64>| wave.iter().zip(&deviations).map(|(w, d)| w * d).sum();
    let projections: Vec<f64> = waves.iter().map(project).collect();
    let variance = projections.iter().map(|p| p * p).sum::<f64>() / waves.len() as f64;
    let rounds = counts.starts[counts.starts.len() - 1] as f64;
    let binomial = rounds * share_below * (1.0 - share_below);
    let inflation = if binomial > 0.0 { variance / binomial } else { 0.0 };
    PercentileNoise { projections, share_below, inflation }
}
