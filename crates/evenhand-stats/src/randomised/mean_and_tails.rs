//! Did the mean or a tail move, whatever the typical round did?
//!
//! Where a twentieth of the candidate's runs take three times as long, the typical round is the same and the mean is a tenth
//! higher. The same coin proves that, with bets on other scores of a round:
//!
//! - *mean*: worse − better, over the root mean square of the rounds before, cut off at ±4: large differences count for more,
//!   which ranks do not let them;
//! - *tails*: whether each arm exceeds a threshold, P10 or P90 of all samples of both arms in the rounds before.
//!
//! For the tails the candidate's cost is first divided by the margin. If it moved by no more than that, a bet on "more" multiplies
//! what is staked by 1 on average, or less: of the two orders of a round the one against the bet is at least as large. So each
//! direction of each score is an e-process, and may be looked at after every round. They share an error rate, see [`Shares`].
//! With the margin taken off every round, a mean pulled by a few would hardly ever be proven: for the mean the coin proves the
//! direction, and it counts as moved only where it lies beyond the margin.
//!
//! Tests: `tests/mean_and_tails.rs`, calibration ("what is printed").

use super::bets::{Bets, Thresholds, above, mean};
use super::verdict::Margin;
use crate::percentile::Direction;

/// Percent below the thresholds of the fast and of the slow tail.
const TAILS: [f64; 2] = [10.0, 90.0];

/// How the error rate of a comparison is shared among what is said of it.
#[derive(Debug, Clone, Copy)]
pub struct Shares;

impl Shares {
    /// For the verdict on the typical round, and its interval: so much that ten rounds can still be 99 % sure.
    pub const TYPICAL: f64 = 0.85;
    /// For the mean, either direction.
    const MEAN: f64 = 0.07;
    /// For each tail, either direction.
    const TAIL: f64 = 0.04;
}

/// What is proven to have moved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moved {
    /// The mean.
    pub mean: Option<Direction>,
    /// The fast tail.
    pub low: Option<Direction>,
    /// The slow tail.
    pub high: Option<Direction>,
}

/// The evidence on the mean and the tails, after any number of rounds.
#[derive(Debug, Clone)]
pub struct MeanAndTails {
    /// From these factors on the candidate is worse, and up to these better.
    margins: [f64; 2],
    /// The sums of the means.
    sums: [f64; 2],
    mean: Sides,
    tails: [Sides; 2],
    thresholds: Thresholds<2>,
}

impl MeanAndTails {
    /// Before the first round.
    pub fn new(margin: Margin) -> Self {
        Self {
            margins: [margin.slower().factor(), margin.faster().factor()],
            sums: [0.0; 2],
            mean: Sides::default(),
            tails: [Sides::default(), Sides::default()],
            thresholds: Thresholds::of(TAILS),
        }
    }

    /// The next round, or the next launch with the samples of all its rounds, for which one coin was tossed. `worse`: the costs
    /// that are large if the candidate is worse; its own, where less is better.
    pub fn push(&mut self, better: &[f64], worse: &[f64]) {
        if better.is_empty() || worse.is_empty() {
            return;
        }
        let (better_mean, worse_mean) = (mean(better), mean(worse));
        Bets::push_both(&mut self.mean.0, worse_mean - better_mean);
        self.sums[0] += better_mean;
        self.sums[1] += worse_mean;
        for (tail, threshold) in self.tails.iter_mut().zip(self.thresholds.now.into_iter().flatten()) {
            let excess = |margin| above(worse, threshold * margin) - above(better, threshold);
            tail.push(self.margins.map(excess));
        }
        self.thresholds.take_in(better.iter().chain(worse).copied());
    }

    /// What is proven, at the error rate of the whole comparison.
    pub fn moved(&self, alpha: f64) -> Moved {
        let [low, high] = &self.tails;
        Moved {
            mean: self.mean.moved(Shares::MEAN * alpha).filter(|direction| self.mean_is_beyond(*direction)),
            low: low.moved(Shares::TAIL * alpha),
            high: high.moved(Shares::TAIL * alpha),
        }
    }

    /// Whether more speaks for a movement of the mean or a tail than against it.
    pub fn may_have_moved(&self) -> bool {
        let favours = |bets: &Bets| bets.ln_e_value() > 0.0;
        let [more, less] = &self.mean.0;
        let mean = (favours(more) && self.mean_is_beyond(Direction::Slower))
            || (favours(less) && self.mean_is_beyond(Direction::Faster));
        mean || self.tails.iter().any(|tail| tail.0.iter().any(favours))
    }

    /// Whether the mean lies beyond the margin in this direction.
    fn mean_is_beyond(&self, direction: Direction) -> bool {
        let (ratio, [slower, faster]) = (self.sums[1] / self.sums[0], self.margins);
        match direction {
            Direction::Slower => ratio > slower,
            Direction::Faster => ratio < faster,
        }
    }
}

/// The bets on "more" and on "less".
#[derive(Debug, Clone, Default)]
struct Sides([Bets; 2]);

impl Sides {
    fn push(&mut self, [more, less]: [f64; 2]) {
        self.0[0].push(more);
        self.0[1].push(-less);
    }

    fn moved(&self, alpha: f64) -> Option<Direction> {
        // Half of the error rate for either direction.
        let needed = -(alpha / 2.0).ln();
        let [more, less] = &self.0;
        if more.ln_e_value() >= needed {
            Some(Direction::Slower)
        } else {
            (less.ln_e_value() >= needed).then_some(Direction::Faster)
        }
    }
}
