//! What ratios might have come out, had the machine's luck been different?
//!
//! A multiplier bootstrap in rank space. [`RankNoise`] holds, per percentile, the projections L_j of the
//! indicator series on K cosines. A draw takes K normal numbers g_j, the same for both arms and all
//! percentiles, and moves each rank by `e = sum_j g_j L_j / sqrt(chi-square_K)`, which is Student's t with K
//! degrees of freedom times the estimated standard deviation of the rank. The moved ranks n p - 1/2 + e
//! (counted from 0), with the skewness term of Cornish and Fisher (1938) for counts far from one half, are
//! looked up in the sorted samples of each arm, and candidate over baseline is the draw. Sharing g between
//! the arms carries the pairing by round; sharing it between percentiles makes a simultaneous band possible.
//!
//! A rank that leaves the data cannot be looked up: such a draw counts as 0 or as infinite, on the side
//! where the ratio is unknown, and an interval that needs it is open there.
//!
//! Tests: tests/percentile.rs and tests/shift_curve.rs (through the intervals).

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

use super::Ranked;
use super::rank_noise::{PercentileNoise, RankNoise};
use crate::order::at_position;

/// The noise of two arms that ran in the same rounds.
pub(super) struct PairedNoise<'a> {
    pub(super) baseline: &'a Ranked<'a>,
    pub(super) candidate: &'a Ranked<'a>,
    pub(super) baseline_noise: &'a RankNoise,
    pub(super) candidate_noise: &'a RankNoise,
}

/// One ratio as it might have come out: the lowest and the highest that the moved ranks allow.
///
/// Both are the same number unless a rank left the data.
#[derive(Debug, Clone, Copy)]
pub(super) struct RatioDraw {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl PairedNoise<'_> {
    /// The draws of every percentile: `[percentile][draw]`. The samples must be above zero.
    pub(super) fn ratios(&self, shares: &[f64], draws: usize, seed: u64) -> Vec<Vec<RatioDraw>> {
        let weights = draw_weights(draws, self.baseline_noise.cosines, seed);
        let of_percentile = |(index, &share): (usize, &f64)| {
            let baseline = RankMover::new(self.baseline, share, &self.baseline_noise.at[index]);
            let candidate = RankMover::new(self.candidate, share, &self.candidate_noise.at[index]);
            let draw = |weights: &[f64]| ratio(baseline.moved(weights), candidate.moved(weights));
            weights.chunks_exact(self.baseline_noise.cosines).map(draw).collect()
        };
        shares.iter().enumerate().map(of_percentile).collect()
    }
}

/// K weights per draw: normal numbers over the root of an independent chi-square number with K degrees of
/// freedom.
///
/// The variance of the ranks is itself estimated with K degrees of freedom. Dividing by the root of a
/// chi-square makes the movement of every rank a Student t variable, in the way of an exact interval for a
/// normal mean.
fn draw_weights(draws: usize, cosines: usize, seed: u64) -> Vec<f64> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut weights = Vec::with_capacity(draws * cosines);
    for _ in 0..draws {
        let scale = 1.0 / chi_square(cosines as f64, &mut rng).sqrt();
        weights.extend((0..cosines).map(|_| scale * normal(&mut rng)));
    }
    weights
}

/// A chi-square number from one normal number (Wilson and Hilferty, PNAS 17, 1931): good to three digits
/// from 8 degrees of freedom on, and half the price of a draw saved.
fn chi_square(degrees: f64, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    let cube_root = 1.0 - spread + normal(rng) * spread.sqrt();
    degrees * cube_root.max(0.1).powi(3)
}

/// A standard normal number by inversion, from the middle of one of 2^53 equal cells of (0, 1).
fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    const CELL: f64 = 1.0 / (1_u64 << 53) as f64;
    Normal::standard().inverse_cdf(((rng.next_u64() >> 11) as f64 + 0.5) * CELL)
}

/// Where a percentile of one arm is found after its rank has moved.
enum Moved {
    BelowAll(f64),
    At(f64),
    AboveAll(f64),
}

/// Beyond three standard deviations the skewness term, a correction, would outgrow what it corrects.
const LARGEST_SQUARE_FOR_SKEW: f64 = 9.0;

struct RankMover<'a> {
    ascending: &'a [f64],
    projections: &'a [f64],
    /// Rank before the move, counted from 0.
    rank: f64,
    /// Standard deviation of the move.
    deviation: f64,
    /// Third cumulant over six variances: counts far from one half are skewed, clusters more so.
    skew: f64,
}

impl<'a> RankMover<'a> {
    fn new(arm: &Ranked<'a>, share: f64, noise: &'a PercentileNoise) -> Self {
        let squares: f64 = noise.projections.iter().map(|p| p * p).sum();
        Self {
            ascending: arm.ascending,
            projections: &noise.projections,
            rank: arm.rounds() as f64 * share - 0.5,
            deviation: (squares / noise.projections.len() as f64).sqrt(),
            skew: (1.0 - 2.0 * noise.share_below) * noise.inflation / 6.0,
        }
    }

    fn moved(&self, weights: &[f64]) -> Moved {
        let shift: f64 = weights.iter().zip(self.projections).map(|(w, p)| w * p).sum();
        let z = if self.deviation > 0.0 { shift / self.deviation } else { 1.0 };
        let rank = self.rank + shift + self.skew * (z * z).min(LARGEST_SQUARE_FOR_SKEW) - self.skew;
        let value = at_position(self.ascending, rank);
        if rank < -0.5 {
            Moved::BelowAll(value)
        } else if rank > self.ascending.len() as f64 - 0.5 {
            Moved::AboveAll(value)
        } else {
            Moved::At(value)
        }
    }
}

fn ratio(baseline: Moved, candidate: Moved) -> RatioDraw {
    let (baseline_low, baseline_high) = value_range(baseline);
    let (candidate_low, candidate_high) = value_range(candidate);
    RatioDraw { low: candidate_low / baseline_high, high: candidate_high / baseline_low }
}

/// The lowest and the highest time that a moved percentile may stand for.
fn value_range(moved: Moved) -> (f64, f64) {
    match moved {
        Moved::BelowAll(value) => (0.0, value),
        Moved::At(value) => (value, value),
        Moved::AboveAll(value) => (value, f64::INFINITY),
    }
}
