//! Did the level of one run move: where, how often, and by how much?
//!
//! The run is folded to at most 1024 medians of neighbours. Of positive medians the logarithm is taken, because noise grows with
//! the level, and what lies farther from the median of its nine neighbours than 3σ is brought to 3σ, so that a spike weighs little
//! and a level stays. Three descriptions then compete, each with an autoregression for what it leaves:
//!
//! - **No movement**: memory explains it all.
//! - **Steps**: the best places for 1, 2, 3 … of them at once ([`Partitions`]), so that none hides another.
//! - **Drift**: the line of least squares.
//!
//! The description that leaves the least [`surprise`] wins; each step and the line are charged [`cost_of_movement`]. Choosing the
//! number of steps by a Schwarz criterion whose rival is the memory is due to Cho and Fryzlewicz (*JRSS B* 86 (2024), "Multiple
//! change point detection under serial dependence"); the charge here is calibrated. False and found steps by the side of the rule
//! before: docs/method.md, made by `calibration part levels`.
//!
//! Tests: tests/stationarity.rs

use super::partition::Partitions;
use super::surprise::surprise;
use crate::error::{InputError, finite};
use crate::order::median;
use crate::unpaired::rank_tests::{Alternative, mann_whitney};

/// More medians than this would cost more time than their places are worth: a cut more takes a millisecond as it is.
const MOST_BLOCKS: usize = 1024;
/// Every level has at least this many blocks.
const SHORTEST_LEVEL: usize = 10;
/// A run has at least this many blocks, or nothing is said of it.
const SHORTEST_RUN: usize = 20;
/// More steps are not a list to read.
const MOST_STEPS: usize = 16;
/// Where so many more steps explain no more, the search ends. Steps to and fro show only together.
const PATIENCE: usize = 4;
/// A block counts in the median of its neighbourhood with so many on either side: fewer than half a level.
const NEIGHBOURS: usize = 4;
/// 3σ of a normal distribution, in median distances.
const SPIKE: f64 = 4.5;
/// Movements smaller than this, relative to the level before, are not worth a warning even when certain.
const WORTH_SAYING: f64 = 0.002;

/// A movement of the level inside one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Movement {
    /// A step at one place or a slope over the whole run.
    pub kind: MovementKind,
    /// First sample (or round) of the new level, counted from 0; for a drift 0.
    pub index: usize,
    /// Median level before the step, or at the beginning of the drift.
    pub before: f64,
    /// Median level after the step (up to the next one), or at the end of the drift.
    pub after: f64,
    /// log10 of how many times likelier the movement makes the run, memory and the other movements granted; at most 300.
    pub strength: f64,
}

/// The shape of a [`Movement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovementKind {
    /// The level changes at one place.
    Step,
    /// The level moves steadily from beginning to end.
    Drift,
}

impl Movement {
    /// (after − before) / |before|; infinite in sign when the level before is 0.
    pub fn relative(&self) -> f64 {
        (self.after - self.before) / self.before.abs()
    }
}

/// The movements of the level of `samples`, in the order they happened; empty for a run that stays where it is.
///
/// Nothing is reported for fewer than 20 samples, for a constant series, and for movements of less than 0.2 % of the
/// level before. A run of m samples is searched in blocks of ⌈m/1024⌉, and a level has at least ten blocks.
pub fn movements(samples: &[f64]) -> Result<Vec<Movement>, InputError> {
    finite(samples, "samples")?;
    let run = Run::of(samples);
    if run.medians.len() < SHORTEST_RUN || run.power == 0.0 {
        return Ok(Vec::new());
    }
    let steps = run.best_steps();
    let mut found = match run.drift(&steps) {
        Some(drift) => vec![drift],
        None => run.step_movements(steps.places),
    };
    found.retain(Movement::is_worth_saying);
    Ok(found)
}

/// What steps and drifts are looked for in.
struct Run<'a> {
    samples: &'a [f64],
    /// Samples in one block.
    block: usize,
    medians: Vec<f64>,
    /// The medians on an even scale, without spikes.
    series: Vec<f64>,
    /// The variance of the series.
    power: f64,
}

/// Steps, and what they leave to be explained and cost together.
struct Steps {
    places: Vec<usize>,
    total: f64,
}

impl<'a> Run<'a> {
    fn of(samples: &'a [f64]) -> Self {
        let block = samples.len().div_ceil(MOST_BLOCKS);
        let medians: Vec<f64> = samples.chunks(block).map(median).collect();
        let series = without_spikes(&evenly_scaled(&medians));
        let power = about_levels(&series, &[]).iter().map(|r| r * r).sum::<f64>() / series.len() as f64;
        Self { samples, block, medians, series, power }
    }

    /// As few steps as explain the series: none, or the number that leaves the least surprise for its cost.
    fn best_steps(&self) -> Steps {
        let mut partitions = Partitions::of(&self.series, SHORTEST_LEVEL);
        let mut best = Steps { places: Vec::new(), total: self.surprise_about(&[]) };
        for count in 1..=MOST_STEPS {
            let Some(places) = partitions.cut_again() else { break };
            let total = self.surprise_about(&places) + count as f64 * cost_of_movement(self.series.len());
            if total < best.total {
                best = Steps { places, total };
            } else if count >= best.places.len() + PATIENCE {
                break;
            }
        }
        best
    }

    fn surprise_about(&self, places: &[usize]) -> f64 {
        surprise(&about_levels(&self.series, places), self.power)
    }

    /// A steady slope, if it explains more than the steps do.
    fn drift(&self, steps: &Steps) -> Option<Movement> {
        let cost = cost_of_movement(self.series.len());
        let left = surprise(&about_line(&self.series), self.power);
        if left + cost >= steps.total {
            return None;
        }
        drift_movement(&self.medians, self.surprise_about(&[]) - left)
    }

    /// The steps that also count one by one: places that suit the series together may be worth nothing alone.
    fn step_movements(&self, mut places: Vec<usize>) -> Vec<Movement> {
        let least = strength(cost_of_movement(self.series.len()));
        loop {
            let found: Vec<Movement> = (0..places.len()).map(|i| self.step(&places, i)).collect();
            let idle = |step: &Movement| step.strength < least || !step.is_worth_saying();
            let weakest = (0..places.len())
                .filter(|i| idle(&found[*i]) || !self.shows_in_ranks(&places, *i))
                .min_by(|a, b| found[*a].strength.total_cmp(&found[*b].strength));
            match weakest {
                Some(i) => drop(places.remove(i)),
                None => return found,
            }
        }
    }

    /// The levels on both sides of a step.
    fn sides(&self, places: &[usize], i: usize) -> (&[f64], &[f64]) {
        let start = if i == 0 { 0 } else { places[i - 1] };
        let end = places.get(i + 1).copied().unwrap_or(self.medians.len());
        (&self.medians[start..places[i]], &self.medians[places[i]..end])
    }

    /// Whether the two levels differ as they were measured, spikes and all: in two heaps a run of slow ones looks like a level once the
    /// rarer heap is taken for spikes.
    fn shows_in_ranks(&self, places: &[usize], i: usize) -> bool {
        let (before, after) = self.sides(places, i);
        let chance = (-cost_of_movement(self.series.len()) / 2.0).exp();
        mann_whitney(before, after, 0.0, 0.0, Alternative::TwoSided).is_ok_and(|test| test.p_value <= chance)
    }

    fn step(&self, places: &[usize], i: usize) -> Movement {
        let (before, after) = self.sides(places, i);
        let (before, after) = (median(before), median(after));
        let others = [&places[..i], &places[i + 1..]].concat();
        let gain = self.surprise_about(&others) - self.surprise_about(places);
        Movement {
            kind: MovementKind::Step,
            index: self.parting(places[i], before, after),
            before,
            after,
            strength: strength(gain),
        }
    }

    /// The cut within a block of `place` that leaves the least distance of the samples from the level of their side.
    fn parting(&self, place: usize, before: f64, after: f64) -> usize {
        let start = (place - 1) * self.block;
        let near = &self.samples[start..((place + 1) * self.block).min(self.samples.len())];
        let mut cost = 0.0;
        let mut best = (0.0, 0);
        for (value, cut) in near.iter().zip(1..) {
            cost += (value - before).abs() - (value - after).abs();
            if cost < best.0 {
                best = (cost, cut);
            }
        }
        if cost.is_finite() { start + best.1 } else { place * self.block }
    }
}

impl Movement {
    fn is_worth_saying(&self) -> bool {
        self.relative().abs() >= WORTH_SAYING
    }
}

/// Of what the movement takes off the surprise, −2 ln likelihood.
fn strength(gain: f64) -> f64 {
    (gain / (2.0 * std::f64::consts::LN_10)).clamp(0.0, 300.0)
}

/// What a movement must explain beyond chance. The place of a step is chosen from many; a line pays as much, to be as rare.
fn cost_of_movement(blocks: usize) -> f64 {
    10.0 + 1.5 * (blocks as f64).ln()
}

/// The logarithms of positive values, because their noise grows with them; other values in units of the largest.
fn evenly_scaled(values: &[f64]) -> Vec<f64> {
    if values.iter().all(|value| *value > 0.0) {
        return values.iter().map(|value| value.ln()).collect();
    }
    let unit = values.iter().fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
    values.iter().map(|value| value / unit).collect()
}

/// Brings every value to within 3σ of the median of its neighbours, which follows a level wherever it goes.
fn without_spikes(values: &[f64]) -> Vec<f64> {
    let around =
        |i: usize| median(&values[i.saturating_sub(NEIGHBOURS)..(i + NEIGHBOURS + 1).min(values.len())]);
    let levels: Vec<f64> = (0..values.len()).map(around).collect();
    let distances: Vec<f64> =
        values.iter().zip(&levels).map(|(value, level)| (value - level).abs()).collect();
    // On a coarse clock most values are the median.
    let typical = Some(median(&distances)).filter(|distance| *distance > 0.0).unwrap_or(mean(&distances));
    let most = SPIKE * typical;
    values.iter().zip(levels).map(|(value, level)| level + (value - level).clamp(-most, most)).collect()
}

/// What is left about the line of least squares.
fn about_line(values: &[f64]) -> Vec<f64> {
    let centre = (values.len() as f64 - 1.0) / 2.0;
    let times = || (0..values.len()).map(|t| t as f64 - centre);
    let squares: f64 = times().map(|t| t * t).sum();
    let slope = times().zip(values).map(|(t, value)| t * value).sum::<f64>() / squares;
    let level = mean(values);
    times().zip(values).map(|(t, value)| value - level - slope * t).collect()
}

fn about_levels(values: &[f64], places: &[usize]) -> Vec<f64> {
    let starts = std::iter::once(0).chain(places.iter().copied());
    let ends = places.iter().copied().chain(std::iter::once(values.len()));
    starts
        .zip(ends)
        .flat_map(|(start, end)| {
            let level = mean(&values[start..end]);
            values[start..end].iter().map(move |value| value - level)
        })
        .collect()
}

/// The levels at both ends of the line through the medians of the first and the last third (Tukey's resistant line).
fn drift_movement(medians: &[f64], gain: f64) -> Option<Movement> {
    let third = medians.len() / 3;
    let first = median(&medians[..third]);
    let last = median(&medians[medians.len() - third..]);
    // The medians of the thirds lie two thirds of the run apart.
    let excess = (last - first) / 4.0;
    let (before, after) = (first - excess, last + excess);
    (before.is_finite() && after.is_finite()).then_some(Movement {
        kind: MovementKind::Drift,
        index: 0,
        before,
        after,
        strength: strength(gain),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
