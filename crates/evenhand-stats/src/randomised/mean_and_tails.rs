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

use super::verdict::Margin;
use crate::percentile::Direction;

/// Bets on a score, in equal shares; each wins and loses `tanh` of itself times the score.
const BETS: [f64; 4] = [1.0, 0.3, 0.1, 0.03];
/// A score counts at most so many times its usual size.
const LARGEST: f64 = 4.0;
/// With fewer samples before it a round has no threshold.
const FEWEST: usize = 40;
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
    /// All samples so far; when there are so many, the thresholds are taken again.
    seen: Vec<f64>,
    renew: usize,
    thresholds: Option<[f64; 2]>,
}

impl MeanAndTails {
    /// Before the first round.
    pub fn new(margin: Margin) -> Self {
        Self {
            margins: [margin.slower().factor(), margin.faster().factor()],
            sums: [0.0; 2],
            mean: Sides::default(),
            tails: [Sides::default(), Sides::default()],
            seen: Vec::new(),
            renew: FEWEST,
            thresholds: None,
        }
    }

    /// The next round, or the next launch with the samples of all its rounds, for which one coin was tossed. `worse`: the costs
    /// that are large if the candidate is worse; its own, where less is better.
    pub fn push(&mut self, better: &[f64], worse: &[f64]) {
        if better.is_empty() || worse.is_empty() {
            return;
        }
        let (better_mean, worse_mean) = (mean(better), mean(worse));
        self.mean.push([worse_mean - better_mean; 2]);
        self.sums[0] += better_mean;
        self.sums[1] += worse_mean;
        for (tail, threshold) in self.tails.iter_mut().zip(self.thresholds.into_iter().flatten()) {
            let excess = |margin| above(worse, threshold * margin) - above(better, threshold);
            tail.push(self.margins.map(excess));
        }
        self.seen.extend(better.iter().chain(worse));
        if self.seen.len() >= self.renew {
            self.thresholds = Some(self.thresholds_of_seen());
            self.renew = 2 * self.seen.len();
        }
    }

    fn thresholds_of_seen(&mut self) -> [f64; 2] {
        let last = self.seen.len() - 1;
        TAILS.map(|percent| {
            let place = (percent / 100.0 * last as f64).round() as usize;
            *self.seen.select_nth_unstable_by(place, f64::total_cmp).1
        })
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

/// The part of the values above a threshold.
fn above(values: &[f64], threshold: f64) -> f64 {
    values.iter().filter(|value| **value > threshold).count() as f64 / values.len() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
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
        match () {
            () if more.ln_e_value() >= needed => Some(Direction::Slower),
            () if less.ln_e_value() >= needed => Some(Direction::Faster),
            () => None,
        }
    }
}

/// So many factors are multiplied before their logarithm is taken.
const AT_ONCE: u32 = 16;

/// Bets that a score is above 0.
#[derive(Debug, Clone)]
struct Bets {
    /// What each bet won, as a logarithm,
    ln_won: [f64; BETS.len()],
    /// and since then.
    won: [f64; BETS.len()],
    open: u32,
    /// Scores that were not 0, and the sum of their squares.
    scores: f64,
    squares: f64,
}

impl Default for Bets {
    fn default() -> Self {
        Self { ln_won: [0.0; BETS.len()], won: [1.0; BETS.len()], open: 0, scores: 0.0, squares: 0.0 }
    }
}

impl Bets {
    fn push(&mut self, score: f64) {
        if score == 0.0 {
            return;
        }
        let usual = if self.scores > 0.0 { (self.squares / self.scores).sqrt() } else { score.abs() };
        let stake = (score / usual).clamp(-LARGEST, LARGEST);
        self.scores += 1.0;
        self.squares += score * score;
        for (won, bet) in self.won.iter_mut().zip(BETS) {
            // exp(λx) / cosh(λx)
            *won *= 1.0 + (bet * stake).tanh();
        }
        self.open += 1;
        if self.open == AT_ONCE {
            self.ln_won
                .iter_mut()
                .zip(&mut self.won)
                .for_each(|(ln, won)| *ln += std::mem::replace(won, 1.0).ln());
            self.open = 0;
        }
    }

    fn ln_e_value(&self) -> f64 {
        let each = self.ln_won.iter().zip(&self.won).map(|(ln, won)| ln + won.ln());
        let largest = each.clone().fold(f64::NEG_INFINITY, f64::max);
        largest + (each.map(|ln| (ln - largest).exp()).sum::<f64>() / BETS.len() as f64).ln()
    }
}
