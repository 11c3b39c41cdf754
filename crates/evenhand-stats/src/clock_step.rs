//! What can be claimed of times that a coarse clock has rounded?
//!
//! A reading v of a clock with step s says only that the time was about v: between v − s/2 and v + s/2, or between v and v + s, where
//! the clock cuts off. No number of equal readings narrows that. So an interval of the effect is widened by the worst that
//! both arms allow ([`ClockStep::widened`]): two arms that both read three steps may differ by a third, and are not the same within
//! 1 %.
//!
//! The step is found in the readings: where few different values recur, it is the smallest distance between two of them. What a clock says
//! of itself does not do, because the smallest step that is seen on a fine clock is what a reading costs. Only where all readings are equal there
//! is nothing else to go by; and if the clock's own step is not known either, they have no interval.
//!
//! Readings that seldom recur are on no grid that matters, and are left as they are: then noise is far wider than the step.
//!
//! Tests: `tests/clock_step.rs`, calibration (coarse clock).

use crate::order::{ascending, median};
use crate::randomised::LogRatio;
use crate::randomised::confidence_sequence::{Interval, Look};

/// A clock does not change its step: so many readings of each arm show it.
pub const SHOWS_STEP: usize = 200;
/// Readings that differ by less than this share are equal: differences of large numbers are rounded.
const ROUNDING: f64 = 1e-8;
/// A step below this share of the readings moves an effect by 0.02 % at most.
const NEGLIGIBLE: f64 = 2e-4;
/// Readings recur where there are at least so many for each value.
const FOR_EACH_VALUE: usize = 2;

/// The first readings of two arms, each of one sample: the time of all its iterations.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    baseline: Vec<f64>,
    candidate: Vec<f64>,
}

impl Readings {
    /// Of both arms, as many as it takes; only those above zero say how coarse the clock is.
    pub fn of(baseline: impl Iterator<Item = f64>, candidate: impl Iterator<Item = f64>) -> Self {
        Self {
            baseline: baseline.take(SHOWS_STEP).collect(),
            candidate: candidate.take(SHOWS_STEP).collect(),
        }
    }

    /// Adds what both arms read in a round.
    pub fn push(&mut self, baseline: f64, candidate: f64) {
        if self.baseline.len() < SHOWS_STEP {
            self.baseline.push(baseline);
            self.candidate.push(candidate);
        }
    }

    /// The step that these readings are rounded to, if it matters. `recorded`: what the clock says of itself.
    pub fn clock_step(&self, recorded: Option<f64>) -> Option<ClockStep> {
        let pooled = ascending(&[self.baseline.as_slice(), &self.candidate].concat());
        let smallest = *pooled.first().filter(|smallest| **smallest > 0.0)?;
        let arms = [&self.baseline, &self.candidate];
        let both = arms.iter().all(|arm| !arm.is_empty());
        // Two copies of one series tie with each other on any clock.
        let recur = arms.iter().any(|arm| values(&ascending(arm)).len() < arm.len());
        let values = values(&pooled);
        if !(both && recur) || FOR_EACH_VALUE * values.len() > pooled.len() {
            return None;
        }
        let between = values.windows(2).map(|pair| pair[1] - pair[0]).reduce(f64::min);
        let step = between.or(recorded).map(|step| step.min(smallest));
        let fine = step.is_some_and(|step| step < NEGLIGIBLE * smallest);
        let [baseline, candidate] = [median(&self.baseline), median(&self.candidate)];
        (!fine).then_some(ClockStep { step, baseline, candidate })
    }
}

/// The different values of sorted readings.
fn values(ascending: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = Vec::new();
    for reading in ascending {
        if values.last().is_none_or(|value| reading - value > ROUNDING * reading) {
            values.push(*reading);
        }
    }
    values
}

/// The step of a clock, and what the two arms typically read on it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClockStep {
    step: Option<f64>,
    baseline: f64,
    candidate: f64,
}

impl ClockStep {
    /// In the unit of the readings; `None` where all are equal, and nothing tells what another one would be.
    pub fn step(&self) -> Option<f64> {
        self.step
    }

    /// What all of them read, where the step is not known; else the smaller of what both arms typically read.
    pub fn reading(&self) -> f64 {
        self.baseline.min(self.candidate)
    }

    /// The interval with room for all effects that the readings cannot tell from those in it.
    pub fn widened(&self, look: Look) -> Look {
        let Look::Interval(interval) = look else { return look };
        let Some((below, above)) = self.room() else {
            return Look::Interval(Interval { low: None, high: None, ..interval });
        };
        let moved = |end: Option<LogRatio>, by: f64| end.map(|end| LogRatio(end.0 + by));
        Look::Interval(Interval {
            low: moved(interval.low, below),
            high: moved(interval.high, above),
            ..interval
        })
    }

    /// How far the true effect may lie below and above the one that was read, as logarithms: the worse of rounding to the nearest
    /// step and of cutting off.
    pub fn room(&self) -> Option<(f64, f64)> {
        let step = self.step?;
        let [of_baseline, of_candidate] = [self.baseline, self.candidate].map(|reading| step / reading);
        let [near_baseline, near_candidate] = [of_baseline / 2.0, of_candidate / 2.0];
        let below = ((-near_candidate).ln_1p() - near_baseline.ln_1p()).min(-of_baseline.ln_1p());
        let above = (near_candidate.ln_1p() - (-near_baseline).ln_1p()).max(of_candidate.ln_1p());
        Some((below, above))
    }
}
