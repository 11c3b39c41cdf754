//! How far may the mean effect of a suite be from the mean of what was found?
//!
//! Each benchmark ends when its own verdict stands, so its estimate leans to the side that ended it. Where all moved alike, all lean
//! alike, and no root of a sum of squares allows for that. Two intervals do, for any effects, the same in all benchmarks or not:
//!
//! 1. *Openings.* No word can be final before a number of rounds that is known beforehand. So how many of these first rounds there
//!    are says nothing of what they found. They are cut into parts of five, or two parts if they are fewer than ten; of launches,
//!    each is a part. The trimmed means of the parts (a fifth off either end) lean to no side and err independently: given the sizes of the differences, the coin makes each
//!    symmetric about the effect. So their variance over their number is, on average, the variance of their mean, whatever the distribution:
//!    a mode or two, spikes, a place that costs more. The variance of the mean of independent benchmarks is the sum of theirs over the square of their number, with Satterthwaite's degrees of freedom
//!    (*Biometrics* 2, 1946). This part narrows with the number of benchmarks. It is as good as Student's t is for a mean of so many values, by
//!    calibration; it is not exact.
//! 2. *Intervals.* With m benchmarks, each has an interval at an error rate of α/m that holds at its end, whenever that is. All of them
//!    hold together with 1 − α (Bonferroni), and then the mean of their ends holds the mean. This is exact. It narrows with the rounds.
//!
//! Each gets half of α, and what both allow is told. Benchmarks must have coins of their own.
//!
//! Tests: tests/suite.rs; calibration, "suites".

use super::ConfidenceSequence;
use super::confidence_sequence::Look;
use super::score::Mixture;
use crate::error::{InputError, probability};
use crate::order::ascending;
use crate::student;

/// What one benchmark of a suite found.
#[derive(Debug, Clone)]
pub struct Benchmark<'a> {
    /// The effects of its rounds, or of its launches, as its own interval is made of them.
    effects: &'a [f64],
    /// So many of them were sure to come, whatever they would say.
    opening: usize,
    /// The scores by which they are judged.
    mixture: Mixture,
    /// Effects that make a part of the opening: enough of them that a spike can be trimmed, or one where each is a median already.
    part: usize,
}

impl<'a> Benchmark<'a> {
    /// A benchmark by its rounds, single runs among which some may be far out.
    pub fn of_rounds(effects: &'a [f64], opening: usize) -> Self {
        Self { effects, opening, mixture: Mixture::rounds(), part: ROUNDS_OF_A_PART }
    }

    /// A benchmark by its launches, each with the median of its rounds.
    pub fn of_launches(effects: &'a [f64], opening: usize) -> Self {
        Self { effects, opening, mixture: Mixture::launches(), part: 1 }
    }
}

/// An interval for the mean effect; an end that nothing bounds is missing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanEffect {
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// A part trimmed off either end of a part of an opening.
const TRIMMED: f64 = 0.2;
/// The fewest of which a spike can be trimmed.
const ROUNDS_OF_A_PART: usize = 5;
/// Two parts of two rounds.
const SHORTEST_OPENING: usize = 4;

/// The interval for the mean of the benchmarks' effects at error rate `alpha`.
///
/// # Errors
/// `alpha` lies strictly between 0 and 1, and effects are such that two times can have.
pub fn mean_effect(benchmarks: &[Benchmark<'_>], alpha: f64) -> Result<MeanEffect, InputError> {
    probability(alpha, "alpha")?;
    let unknown = MeanEffect { low: None, high: None };
    let opening = of_openings(benchmarks, alpha / 2.0).unwrap_or(unknown);
    let together = of_intervals(benchmarks, alpha / 2.0)?;
    let low = opening.low.into_iter().chain(together.low).reduce(f64::max);
    let high = opening.high.into_iter().chain(together.high).reduce(f64::min);
    // Where the two contradict each other, at most α of all suites, only the exact one is told.
    let contradict = low.zip(high).is_some_and(|(low, high)| low > high);
    Ok(if contradict { together } else { MeanEffect { low, high } })
}

fn of_openings(benchmarks: &[Benchmark<'_>], alpha: f64) -> Option<MeanEffect> {
    let openings: Vec<Opening> = benchmarks.iter().map(Opening::of).collect::<Option<_>>()?;
    let count = openings.len() as f64;
    let mean = openings.iter().map(|one| one.mean).sum::<f64>() / count;
    let variance: f64 = openings.iter().map(|one| one.variance).sum();
    let doubt: f64 = openings.iter().map(|one| one.variance.powi(2) / one.degrees_of_freedom).sum();
    let freedom = if doubt > 0.0 { variance.powi(2) / doubt } else { count };
    let half = student::quantile_above(alpha / 2.0, freedom) * variance.sqrt() / count;
    half.is_finite().then_some(MeanEffect { low: Some(mean - half), high: Some(mean + half) })
}

fn of_intervals(benchmarks: &[Benchmark<'_>], alpha: f64) -> Result<MeanEffect, InputError> {
    let count = benchmarks.len() as f64;
    let mut sums = (Some(0.0), Some(0.0));
    for benchmark in benchmarks {
        let sequence = ConfidenceSequence::of(benchmark.effects, alpha / count, benchmark.mixture.clone())?;
        let Look::Interval(found) = sequence.interval() else {
            return Ok(MeanEffect { low: None, high: None });
        };
        sums.0 = sums.0.zip(found.low).map(|(sum, low)| sum + low.0);
        sums.1 = sums.1.zip(found.high).map(|(sum, high)| sum + high.0);
    }
    Ok(MeanEffect { low: sums.0.map(|sum| sum / count), high: sums.1.map(|sum| sum / count) })
}

/// What the first rounds of a benchmark say, part by part.
struct Opening {
    mean: f64,
    /// Of the mean.
    variance: f64,
    degrees_of_freedom: f64,
}

impl Opening {
    fn of(benchmark: &Benchmark<'_>) -> Option<Self> {
        let effects = &benchmark.effects[..benchmark.opening.min(benchmark.effects.len())];
        if effects.len() < SHORTEST_OPENING {
            return None;
        }
        let parts = (effects.len() / benchmark.part).max(2);
        let start = |part: usize| part * effects.len() / parts;
        let means: Vec<f64> =
            (0..parts).map(|part| trimmed_mean(&effects[start(part)..start(part + 1)])).collect();
        let (count, degrees_of_freedom) = (parts as f64, parts as f64 - 1.0);
        let mean = means.iter().sum::<f64>() / count;
        let squares: f64 = means.iter().map(|one| (one - mean).powi(2)).sum();
        Some(Self { mean, variance: squares / (count * degrees_of_freedom), degrees_of_freedom })
    }
}

fn trimmed_mean(effects: &[f64]) -> f64 {
    let ascending = ascending(effects);
    let trimmed = (TRIMMED * ascending.len() as f64) as usize;
    let kept = &ascending[trimmed..ascending.len() - trimmed];
    kept.iter().sum::<f64>() / kept.len() as f64
}
