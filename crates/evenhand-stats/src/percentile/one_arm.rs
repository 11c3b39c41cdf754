//! The percentiles of one arm, each with a confidence interval.
//!
//! The number of samples at or below the true percentile is binomial, so two order statistics bracket it
//! whatever the distribution (David and Nagaraja, "Order Statistics", 3rd edition 2003, section 7.1): the
//! lower end is the largest X(l) with P(Bin(n, p) <= l - 1) <= error per side, the upper end the smallest
//! X(u) with P(Bin(n, p) >= u) <= error per side. Where no such order statistic exists the end is `None`.
//!
//! Rounds resemble their neighbours, so n is replaced by the effective sample size for this threshold,
//! `n * min(1, z^2 / (t^2 * inflation))`: the wider of the interval for independent samples and the one widened
//! by the measured inflation, with Student's t because that inflation is itself an estimate.
//!
//! Tests: tests/percentile.rs.

use crate::student;
use crate::unpaired::sign_test::at_most;
use statrs::distribution::{ContinuousCDF, Normal};

use super::memory::remembers_too_long;
use super::rank_noise::{FEWEST_ROUNDS, PercentileNoise, rank_noise};
use super::{Bounds, PercentileSettings, Ranked, shares};
use crate::error::InputError;

/// One percentile of one arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ArmPercentile {
    /// Which percentile, 0 to 100.
    pub percentile: f64,
    /// Its value, type 7, in the unit of the samples.
    pub value: f64,
    /// Where the true percentile lies. P0 has no lower and P100 no upper end: nothing is known beyond the
    /// extremes.
    pub interval: Bounds,
    /// How many independent samples would place this percentile as well as these do.
    pub effective_samples: f64,
}

/// The percentiles (0 to 100) of one arm, in the order asked for.
///
/// With fewer than 16 rounds the resemblance of neighbours cannot be measured, and the intervals are those
/// for independent samples. Where the arm remembers itself for too long, there are none.
///
/// # Errors
/// A percentile outside 0..=100, or settings out of range.
pub fn arm_percentiles(
    arm: &Ranked<'_>,
    percentiles: &[f64],
    settings: &PercentileSettings,
) -> Result<Vec<ArmPercentile>, InputError> {
    settings.checked()?;
    if arm.rounds() < FEWEST_ROUNDS {
        return independent_percentiles(arm, percentiles, settings);
    }
    let shares = shares(percentiles)?;
    let noise = rank_noise(arm, &shares);
    Ok(with_noise(arm, percentiles, &noise.at, noise.cosines, settings))
}

/// The same for samples that are known to be independent, or whose order is not known.
///
/// # Errors
/// As [`arm_percentiles`].
pub fn independent_percentiles(
    arm: &Ranked<'_>,
    percentiles: &[f64],
    settings: &PercentileSettings,
) -> Result<Vec<ArmPercentile>, InputError> {
    settings.checked()?;
    shares(percentiles)?;
    let independent = |&percent: &f64| one_percentile(arm, percent, arm.rounds() as f64, settings);
    Ok(percentiles.iter().map(independent).collect())
}

impl ArmPercentile {
    /// The value stays, how sure it is is not known.
    fn forget(&mut self) {
        self.interval = Bounds::UNBOUNDED;
        self.effective_samples = 1.0;
    }
}

/// The percentiles of one arm when the noise of their ranks is already known.
pub(super) fn with_noise(
    arm: &Ranked<'_>,
    percentiles: &[f64],
    noise: &[PercentileNoise],
    cosines: usize,
    settings: &PercentileSettings,
) -> Vec<ArmPercentile> {
    let widening = widening(cosines, settings.error_per_side());
    let rounds = arm.rounds() as f64;
    let one = |(&percent, noise): (&f64, &PercentileNoise)| {
        one_percentile(arm, percent, (rounds / (widening * noise.inflation)).clamp(1.0, rounds), settings)
    };
    let mut found: Vec<ArmPercentile> = percentiles.iter().zip(noise).map(one).collect();
    if remembers_too_long(arm) {
        found.iter_mut().for_each(ArmPercentile::forget);
    }
    found
}

/// t^2 / z^2 for the error per side.
fn widening(degrees: usize, error: f64) -> f64 {
    let z = Normal::standard().inverse_cdf(error);
    (student::quantile_above(error, degrees as f64) / z).powi(2)
}

fn one_percentile(
    arm: &Ranked<'_>,
    percentile: f64,
    effective_samples: f64,
    settings: &PercentileSettings,
) -> ArmPercentile {
    let share = percentile / 100.0;
    let error = settings.error_per_side();
    let interval = Bounds {
        low: low_rank(effective_samples, share, error)
            .and_then(|rank| at_low_rank(arm, rank, effective_samples)),
        high: low_rank(effective_samples, 1.0 - share, error)
            .and_then(|rank| at_high_rank(arm, rank, effective_samples)),
    };
    let value = arm.at_share(share);
    ArmPercentile { percentile, value, interval: interval.widened_to(value), effective_samples }
}

/// The order statistic at a rank of the effective sample, counted from 1 at the bottom.
///
/// Rank l of m effective samples stands for the stretch from (l - 1) n/m to l n/m of the n samples. The
/// lower end takes its first sample: for m = n that is rank l itself.
fn at_low_rank(arm: &Ranked<'_>, rank: f64, effective_samples: f64) -> Option<f64> {
    arm.ascending.get(samples_before(arm, rank, effective_samples)).copied()
}

/// The same, counted from 1 at the top.
fn at_high_rank(arm: &Ranked<'_>, rank: f64, effective_samples: f64) -> Option<f64> {
    arm.ascending.iter().rev().nth(samples_before(arm, rank, effective_samples)).copied()
}

fn samples_before(arm: &Ranked<'_>, rank: f64, effective_samples: f64) -> usize {
    ((rank - 1.0) * arm.rounds() as f64 / effective_samples.floor()) as usize
}

/// The largest rank l >= 1 with P(Bin(samples, share) <= l - 1) <= error, or none.
fn low_rank(samples: f64, share: f64, error: f64) -> Option<f64> {
    let samples = samples.floor();
    let variance = samples * share * (1.0 - share);
    let rank = if variance <= EXACT_UP_TO {
        exact_rank(samples, share, error)
    } else {
        normal_rank(samples, share, error)
    };
    (rank >= 1.0).then_some(rank)
}

/// Variance of the count up to which the library's binomial distribution function is used. Its continued
/// fraction stops after 140 terms and needs about as many as the standard deviation: far above this it would
/// lose digits without a word, and the normal approximation is within one rank.
const EXACT_UP_TO: f64 = 1_000.0;

fn exact_rank(samples: f64, share: f64, error: f64) -> f64 {
    let (mut rank, mut too_high) = (0_u64, samples as u64 + 1);
    while rank + 1 < too_high {
        let middle = rank.midpoint(too_high);
        if at_most(middle - 1, samples as u64, share) <= error { rank = middle } else { too_high = middle }
    }
    rank as f64
}

/// The same by the normal distribution, with half a count for continuity and the skewness term of Cornish and
/// Fisher (1938).
fn normal_rank(samples: f64, share: f64, error: f64) -> f64 {
    let deviation = (samples * share * (1.0 - share)).sqrt();
    let z = Normal::standard().inverse_cdf(error);
    (samples * share + z * deviation + (1.0 - 2.0 * share) * (z * z - 1.0) / 6.0 + 0.5).floor()
}
