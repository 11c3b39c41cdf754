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
//! Readings that seldom recur are on no grid that matters, and are left as they are: then noise is far wider than the step. It is looked
//! for in readings from end to end of each arm, and again in the middle half of them: a slow start is no news of the step, and what decides is
//! the median.
//!
//! Tests: `tests/clock_step.rs`, calibration (coarse clock).

use crate::order::{ascending, at_position};
use crate::randomised::LogRatio;
use crate::randomised::confidence_sequence::{Interval, Look};

/// So many readings of each arm show the step. Of more, noise far wider than the step would recur as well.
const MOST: usize = 200;
/// Readings that differ by less than this share are equal: differences of large numbers are rounded.
const ROUNDING: f64 = 1e-8;
/// A step below this share of the readings moves an effect by 0.02 % at most.
const NEGLIGIBLE: f64 = 2e-4;
/// Readings recur where there are at least so many for each value.
const FOR_EACH_VALUE: usize = 2;
/// In the middle half of noise that is 50 steps wide, readings lie three for each value, and in all of it two: such noise is left alone
/// in both.
const FOR_EACH_IN_THE_MIDDLE: usize = 4;

/// Readings from end to end of two arms, each of one sample: the time of all its iterations.
#[derive(Debug, Clone, Default)]
pub struct Readings {
    baseline: Spread,
    candidate: Spread,
}

/// All readings of a series, then half of them, a quarter and so on, as it grows.
#[derive(Debug, Clone, Default)]
struct Spread {
    /// Each with its place, by which it stays.
    kept: Vec<(u64, f64)>,
    count: u64,
    halvings: u32,
}

/// 2⁶⁴ over the golden ratio: its multiples lie evenly between 0 and 2⁶⁴, and keep step with no period.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

impl Spread {
    fn push(&mut self, reading: f64) {
        let place = self.count.wrapping_mul(GOLDEN);
        self.count += 1;
        if place.leading_zeros() < self.halvings {
            return;
        }
        self.kept.push((place, reading));
        while self.kept.len() > MOST {
            self.halvings += 1;
            let halvings = self.halvings;
            self.kept.retain(|(place, _)| place.leading_zeros() >= halvings);
        }
    }

    fn ascending(&self) -> Vec<f64> {
        ascending(&self.kept.iter().map(|(_, reading)| *reading).collect::<Vec<_>>())
    }
}

impl FromIterator<f64> for Spread {
    fn from_iter<T: IntoIterator<Item = f64>>(readings: T) -> Self {
        let mut spread = Self::default();
        readings.into_iter().for_each(|reading| spread.push(reading));
        spread
    }
}

impl Readings {
    /// Of both arms; only those above zero say how coarse the clock is.
    pub fn of(baseline: impl Iterator<Item = f64>, candidate: impl Iterator<Item = f64>) -> Self {
        Self { baseline: baseline.collect(), candidate: candidate.collect() }
    }

    /// Adds what both arms read in a round.
    pub fn push(&mut self, baseline: f64, candidate: f64) {
        self.baseline.push(baseline);
        self.candidate.push(candidate);
    }

    /// The step that these readings are rounded to, if it matters. `recorded`: what the clock says of itself.
    pub fn clock_step(&self, recorded: Option<f64>) -> Option<ClockStep> {
        let arms = [&self.baseline, &self.candidate].map(Spread::ascending);
        if arms.iter().any(|arm| arm.first().is_none_or(|smallest| *smallest <= 0.0)) {
            return None;
        }
        let pooled = ascending(&arms.concat());
        let step = step_of_grid(&arms, &pooled)?.or(recorded).map(|step| step.min(pooled[0]));
        let fine = step.is_some_and(|step| step < NEGLIGIBLE * pooled[0]);
        let [baseline, candidate] = arms.each_ref().map(|arm| at_position(arm, 0.5 * (arm.len() - 1) as f64));
        (!fine).then_some(ClockStep { step, baseline, candidate })
    }
}

/// The step of the grid that the sorted readings of both arms lie on, if they do; `Some(None)` where all are equal and nothing tells it.
fn step_of_grid(arms: &[Vec<f64>; 2], pooled: &[f64]) -> Option<Option<f64>> {
    let whole = arms.each_ref().map(Vec::as_slice);
    let all = values(pooled);
    if recur(whole, FOR_EACH_VALUE) {
        return Some(smallest_distance(&all));
    }
    let middle = whole.map(middle_half);
    recur(middle, FOR_EACH_IN_THE_MIDDLE)
        .then(|| smallest_distance(&recurring(&ascending(&middle.concat()))).or(smallest_distance(&all)))
}

/// The readings of an arm between its quartiles.
fn middle_half(ascending: &[f64]) -> &[f64] {
    let quarter = ascending.len() / 4;
    &ascending[quarter..ascending.len() - quarter]
}

/// Whether there are so many readings for each value, and some recur in one arm: two copies of one series tie with each other on any clock.
fn recur(arms: [&[f64]; 2], for_each_value: usize) -> bool {
    let pooled = ascending(&arms.concat());
    arms.iter().any(|arm| values(arm).len() < arm.len())
        && for_each_value * values(&pooled).len() <= pooled.len()
}

fn smallest_distance(values: &[f64]) -> Option<f64> {
    values.windows(2).map(|pair| pair[1] - pair[0]).reduce(f64::min)
}

/// The different values of sorted readings.
fn values(ascending: &[f64]) -> Vec<f64> {
    by_value(ascending).map(|equal| equal[0]).collect()
}

/// Those values that were read twice or more.
fn recurring(ascending: &[f64]) -> Vec<f64> {
    by_value(ascending).filter(|equal| equal.len() > 1).map(|equal| equal[0]).collect()
}

/// Sorted readings, those of one value together.
fn by_value(mut ascending: &[f64]) -> impl Iterator<Item = &[f64]> {
    std::iter::from_fn(move || {
        let first = ascending.first()?;
        let equal = ascending.partition_point(|reading| reading - first <= ROUNDING * reading);
        let (group, rest) = ascending.split_at(equal);
        ascending = rest;
        Some(group)
    })
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
