//! What does it cost to run second? A figure that is known before the coin falls, and is taken off each difference.
//!
//! Whoever runs second often differs: caches, turbo, a heap that the first has grown. With s = +1 where the candidate ran
//! second and −1 where the baseline did, a difference is d = τ + s·h, and the rounds form two heaps at τ ± h. Then the sign
//! of d − τ says little of τ, and a verdict takes several times the rounds.
//!
//! *Exact.* Let m be any number made of the rounds before this one. For every hypothetical effect τ, the sign of
//! (d − s·m) − τ = s·(h − m) is still the coin's, given its size and the past. So every score and every look stays valid.
//!
//! m is half the difference of the medians of the last [`WINDOW`] rounds of either kind, shrunk towards 0 by its own error:
//! where there is nothing to adjust, an adjustment would only add its noise. It is 0 below [`SURE`] standard errors.
//!
//! With more than two arms every pair of places has a figure of its own: first and third differ by more than first and
//! second.
//!
//! Tests: `tests/position.rs`, calibration.

use std::collections::{BTreeMap, VecDeque};

/// So many rounds of each kind are looked at: enough for a median, few enough to follow what changes.
const WINDOW: usize = 64;
/// With fewer of each kind nothing is known.
const FEWEST: usize = 2;
/// Standard errors below which a figure is taken for 0.
const SURE: f64 = 2.0;
/// The standard error of a median, as a part of the interquartile range over √n.
const ERROR_OF_MEDIAN: f64 = 0.93;

/// The places in a round where the two arms of a comparison ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places {
    /// The baseline's, from 0.
    pub baseline: u32,
    /// The candidate's.
    pub candidate: u32,
}

impl Places {
    fn pair(self) -> (u32, u32) {
        (self.baseline.min(self.candidate), self.baseline.max(self.candidate))
    }

    fn is_candidate_later(self) -> bool {
        self.candidate > self.baseline
    }
}

/// A difference, with the places of its arms if they are known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placed {
    /// The logarithm of candidate over baseline.
    pub difference: f64,
    /// Where both ran.
    pub places: Option<Places>,
}

impl From<f64> for Placed {
    fn from(difference: f64) -> Self {
        Self { difference, places: None }
    }
}

/// What is known of places so far.
#[derive(Debug, Clone, Default)]
pub struct Position {
    pairs: BTreeMap<(u32, u32), Heaps>,
}

impl Position {
    /// The difference of the next round without what the rounds before it say of its places; then it counts for those after it.
    pub fn round(&mut self, round: Placed) -> f64 {
        let adjusted = self.adjusted(round);
        self.learn(round);
        adjusted
    }

    /// The differences of the next launch. It has one coin for the whole of it beside those of its rounds, so only what the launches before
    /// it say is taken off.
    pub fn launch<R: Copy + Into<Placed>>(&mut self, rounds: &[R]) -> Vec<f64> {
        let adjusted = rounds.iter().map(|round| self.adjusted((*round).into())).collect();
        rounds.iter().for_each(|round| self.learn((*round).into()));
        adjusted
    }

    fn adjusted(&self, Placed { difference, places }: Placed) -> f64 {
        let Some(places) = places else { return difference };
        let cost = self.pairs.get(&places.pair()).map_or(0.0, Heaps::cost_of_second);
        if places.is_candidate_later() { difference - cost } else { difference + cost }
    }

    fn learn(&mut self, Placed { difference, places }: Placed) {
        let Some(places) = places else { return };
        let heaps = self.pairs.entry(places.pair()).or_default();
        let heap = if places.is_candidate_later() {
            &mut heaps.candidate_second
        } else {
            &mut heaps.candidate_first
        };
        heap.push(difference);
    }
}

/// The last differences of rounds with the same two places.
#[derive(Debug, Clone, Default)]
struct Heaps {
    candidate_first: Heap,
    candidate_second: Heap,
}

impl Heaps {
    fn cost_of_second(&self) -> f64 {
        let (Some(second), Some(first)) = (self.candidate_second.middle(), self.candidate_first.middle())
        else {
            return 0.0;
        };
        let cost = 0.5 * (second.median - first.median);
        let doubtful = SURE * 0.5 * second.error.hypot(first.error);
        if cost.abs() <= doubtful { 0.0 } else { cost * (1.0 - (doubtful / cost).powi(2)) }
    }
}

/// The last differences, in the order they came and in ascending order.
#[derive(Debug, Clone, Default)]
struct Heap {
    recent: VecDeque<f64>,
    ascending: Vec<f64>,
}

struct Middle {
    median: f64,
    error: f64,
}

impl Heap {
    fn push(&mut self, difference: f64) {
        if self.recent.len() == WINDOW
            && let Some(oldest) = self.recent.pop_front()
        {
            let place = self.ascending.partition_point(|known| known.total_cmp(&oldest).is_lt());
            self.ascending.remove(place);
        }
        self.recent.push_back(difference);
        let place = self.ascending.partition_point(|known| known.total_cmp(&difference).is_lt());
        self.ascending.insert(place, difference);
    }

    fn middle(&self) -> Option<Middle> {
        let count = self.ascending.len();
        let at = |quarters: usize| self.ascending[(quarters * count / 4).min(count - 1)];
        (count >= FEWEST).then(|| Middle {
            median: at(2),
            error: ERROR_OF_MEDIAN * (at(3) - at(1)) / (count as f64).sqrt(),
        })
    }
}
