//! Are the excursions the machine's, so that they cancel between the arms?
//!
//! An excursion is a difference beyond median +- 3 IQR. An interrupt hits either arm alike: then the
//! excursions are split between the sides like coin tosses (exact two-sided binomial test) and are of like
//! size (Mann-Whitney test on the distances from the median; Mann and Whitney 1947). Bazhenov 2023: three peaks
//! fall 2:1 in a given direction with chance C(3,1)/2^3 = 37.5 %, and such an accident dominates the mean.
//! When nothing speaks against both, and both sides have some, the excursions are *paired off*. Nothing is
//! dropped silently: both figures, the counts and the p-values are the answer.
//!
//! Tests: tests/paired.rs.

use super::{ChangeTest, FENCE_WIDTH, Fences, MeanDifference, differences, fences, mean_difference};
use crate::error::{InputError, probability};
use crate::unpaired::rank_tests::{Alternative, mann_whitney};
use crate::unpaired::sign_test::binomial_test;

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

/// Two-sided binomial p-value for counts on two sides that should be alike; 1 when both are empty.
#[must_use]
pub fn equal_counts_p(left: usize, right: usize) -> f64 {
    binomial_test(left as u64, (left + right) as u64, 0.5).unwrap_or(1.0)
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
fn like_size_p(left: &[f64], right: &[f64]) -> f64 {
    mann_whitney(left, right, 0.0, 0.0, Alternative::TwoSided).map_or(1.0, |test| test.p_value)
}
