//! Are the excursions the machine's, so that they cancel between the arms?
//!
//! An excursion is a difference beyond median +- 3 IQR. An interrupt hits either arm alike: then the
//! excursions are split between the sides like coin tosses (exact two-sided binomial test) and are of like
//! size (Mann-Whitney test on the distances from the median; Mann and Whitney 1947). Seed 004: three peaks
//! fall 2:1 in a given direction with chance C(3,1)/2^3 = 37.5 %, and such an accident dominates the mean.
//! When nothing speaks against both, and both sides have some, the excursions are *paired off*. Nothing is
//! dropped silently: both figures, the counts and the p-values are the answer.
//!
//! Tests: tests/paired.rs.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal};

use super::{ChangeTest, FENCE_WIDTH, Fences, MeanDifference, differences, fences, mean_difference};
use crate::error::{InputError, probability};

/// What is an excursion, and what speaks against pairing off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairingRule {
    /// Distance of the fences from the median, in interquartile ranges.
    pub fence_width: f64,
    /// Both p-values must exceed this. It is high on purpose: the error to fear is to pair off what belongs
    /// to the candidate.
    pub level: f64,
    /// The test for the mean differences. A standard error given here is used for the full figure only.
    pub test: ChangeTest,
}

impl Default for PairingRule {
    /// 3 IQR, 20 %, |z| >= 2.6.
    fn default() -> Self {
        Self { fence_width: FENCE_WIDTH, level: 0.2, test: ChangeTest::default() }
    }
}

/// The excursions, the evidence about them, and the mean difference with and without them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairingOff {
    /// Where excursions begin.
    pub fences: Fences,
    /// Excursions below: rounds in which the baseline was slow.
    pub below: usize,
    /// Excursions above: rounds in which the candidate was slow.
    pub above: usize,
    /// Chance of counts at least as unequal, were the sides alike.
    pub equal_counts_p: f64,
    /// Chance of sizes at least as different, were the sides alike; 1 when a side has none.
    pub like_size_p: f64,
    /// The evidence allows to pair the excursions off.
    pub paired_off: bool,
    /// Over all rounds.
    pub full: MeanDifference,
    /// Over the rounds without an excursion; `None` when fewer than 2 are left.
    pub without_excursions: Option<MeanDifference>,
}

/// Finds the excursions and weighs the evidence that they are not the candidate's.
///
/// # Errors
/// As [`mean_difference`]; a level not strictly between 0 and 1; a fence width out of range.
pub fn pair_off(baseline: &[f64], candidate: &[f64], rule: &PairingRule) -> Result<PairingOff, InputError> {
    probability(rule.level, "level")?;
    let full = mean_difference(baseline, candidate, &rule.test)?;
    let differences = differences(baseline, candidate)?;
    let fences = fences(&differences, rule.fence_width)?;
    let distances = |beyond: &dyn Fn(f64) -> bool| -> Vec<f64> {
        differences.iter().filter(|d| beyond(**d)).map(|d| (d - fences.median).abs()).collect()
    };
    let (below, above) = (distances(&|d| d < fences.low), distances(&|d| d > fences.high));
    let equal_counts_p = equal_counts_p(below.len(), above.len());
    let like_size_p = like_size_p(&below, &above);
    let on_both_sides = !below.is_empty() && !above.is_empty();
    Ok(PairingOff {
        fences,
        below: below.len(),
        above: above.len(),
        equal_counts_p,
        like_size_p,
        paired_off: on_both_sides && equal_counts_p > rule.level && like_size_p > rule.level,
        full,
        without_excursions: without_excursions(baseline, candidate, &fences, rule.test.threshold)?,
    })
}

/// Two-sided binomial p-value for counts on two sides that should be alike: twice the chance of so few or
/// fewer on the smaller side, at most 1.
#[must_use]
pub fn equal_counts_p(left: usize, right: usize) -> f64 {
    let (fewer, total) = (left.min(right) as u64, (left + right) as u64);
    (2.0 * binomial_half_cdf(fewer, total)).min(1.0)
}

/// P(Bin(total, 1/2) <= count).
fn binomial_half_cdf(count: u64, total: u64) -> f64 {
    // The library's continued fraction stops after 140 terms, which loses digits for large samples.
    const EXACT_UP_TO: u64 = 4_000;
    if total > EXACT_UP_TO {
        let (mean, deviation) = (total as f64 / 2.0, (total as f64).sqrt() / 2.0);
        return Normal::standard().cdf((count as f64 + 0.5 - mean) / deviation);
    }
    Binomial::new(0.5, total).map_or(1.0, |binomial| binomial.cdf(count))
}

fn without_excursions(
    baseline: &[f64],
    candidate: &[f64],
    fences: &Fences,
    threshold: f64,
) -> Result<Option<MeanDifference>, InputError> {
    let stays =
        |(baseline, candidate): &(f64, f64)| (fences.low..=fences.high).contains(&(candidate - baseline));
    let rounds = baseline.iter().copied().zip(candidate.iter().copied());
    let (baseline, candidate): (Vec<f64>, Vec<f64>) = rounds.filter(stays).unzip();
    if baseline.len() < 2 {
        return Ok(None);
    }
    mean_difference(&baseline, &candidate, &ChangeTest { threshold, standard_error: None }).map(Some)
}

/// Two-sided Mann-Whitney p-value; 1 when a side is empty.
///
/// SWAP ON MERGE: `unpaired::rank_tests::mann_whitney` answers the same question.
fn like_size_p(left: &[f64], right: &[f64]) -> f64 {
    const EXACT_UP_TO: usize = 8;
    if left.is_empty() || right.is_empty() {
        return 1.0;
    }
    let ranks = doubled_ranks(left, right);
    if left.len() <= EXACT_UP_TO && right.len() <= EXACT_UP_TO {
        permutation_p(&ranks, left.len())
    } else {
        normal_p(&ranks, left.len())
    }
}

/// Twice the mid-ranks (whole numbers) of the pooled values, those of `left` first.
fn doubled_ranks(left: &[f64], right: &[f64]) -> Vec<u64> {
    let pooled: Vec<f64> = left.iter().chain(right).copied().collect();
    let sorted = crate::error::ascending(&pooled);
    let doubled_rank = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let at_or_below = sorted.partition_point(|other| other <= value);
        (below + at_or_below + 1) as u64
    };
    pooled.iter().map(doubled_rank).collect()
}

/// The share of all splits whose rank sum is at least as far from its mean as the one seen.
fn permutation_p(ranks: &[u64], left: usize) -> f64 {
    let twice_mean = left as u64 * (ranks.len() as u64 + 1);
    let distance = |sum: u64| sum.abs_diff(twice_mean);
    let seen = distance(ranks[..left].iter().sum());
    let (mut splits, mut as_far) = (0_u32, 0_u32);
    for chosen in (0_u32..1 << ranks.len()).filter(|chosen| chosen.count_ones() as usize == left) {
        let sum = ranks.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, rank)| rank).sum();
        splits += 1;
        as_far += u32::from(distance(sum) >= seen);
    }
    f64::from(as_far) / f64::from(splits)
}

/// Normal approximation with half a rank for continuity; the variance of the actual ranks corrects for ties.
fn normal_p(ranks: &[u64], left: usize) -> f64 {
    let (total, left_count) = (ranks.len() as f64, left as f64);
    let mean_rank = (total + 1.0) / 2.0;
    let rank = |doubled: &u64| *doubled as f64 / 2.0;
    let squares: f64 = ranks.iter().map(|doubled| (rank(doubled) - mean_rank).powi(2)).sum();
    let variance = left_count * (total - left_count) / (total * (total - 1.0)) * squares;
    let distance = (ranks[..left].iter().map(rank).sum::<f64>() - left_count * mean_rank).abs() - 0.5;
    if variance <= 0.0 || distance <= 0.0 {
        return 1.0;
    }
    (2.0 * Normal::standard().sf(distance / variance.sqrt())).min(1.0)
}
