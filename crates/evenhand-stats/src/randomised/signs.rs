//! Who cost more, where some cost nothing? A service that never fails has an error rate of 0, and 0 has no ratio to anything.
//!
//! A round then counts by its sign alone: worse, better, or equal, which says nothing. If the arms are the same, the sign of a round that
//! differs is a fair coin, whatever the sizes are: rare errors, bursts of them, drift. The e-value is the average over bets λ of
//! exp(λS − n·ln cosh λ), on both sides, with S = worse − better and n = worse + better: the bets of [`super::score`] with weight 1. Each
//! launch is one sign where launches count: that of the sum of its rounds' signs.
//!
//! *Rounds before the first zero* have ratios, and were looked at by them. Two ways to look at one round would give chance two tries at
//! the error rate. So their evidence is kept, and that of the signs from there on multiplies it. Where the first zero is depends on what was
//! measured in a round, not on whose it was, so the product is one martingale: Ville's inequality holds for all looks, before and after.
//!
//! Such a verdict has no size, and no margin: it may be a difference that nobody would act on. And there is none where the means go the other
//! way: who fails in fewer rounds, but in one of them thousands of times, does not fail less.
//!
//! Tests: `tests/signs.rs`, calibration.

use super::score::{Mixture, Stakes};
use super::verdict::Word;
use std::cmp::Ordering;

/// Rounds, or launches, by who cost more in them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The candidate was worse.
    pub worse: u64,
    /// It was better.
    pub better: u64,
    /// Neither.
    pub equal: u64,
}

impl Counts {
    /// Those that say something.
    pub fn that_differ(self) -> u64 {
        self.worse + self.better
    }

    fn surplus(self) -> i64 {
        self.worse as i64 - self.better as i64
    }
}

/// The signs so far, ready to be asked for the evidence.
#[derive(Debug, Clone, Default)]
pub struct Signs {
    all: Counts,
    /// What the candidate cost more in all of them together.
    difference: f64,
    /// The first of them, which count by their ratios,
    by_ratio: Counts,
    /// with this evidence.
    ln_by_ratio: f64,
}

impl Signs {
    /// The next round, or the next launch with the samples of all its rounds. `worse`: the costs that are large if the candidate is worse.
    pub fn push(&mut self, better: &[f64], worse: &[f64]) {
        let sign = |(better, worse): (&f64, &f64)| i64::from(worse > better) - i64::from(worse < better);
        self.difference += worse.iter().sum::<f64>() - better.iter().sum::<f64>();
        match better.iter().zip(worse).map(sign).sum::<i64>().cmp(&0) {
            Ordering::Greater => self.all.worse += 1,
            Ordering::Equal => self.all.equal += 1,
            Ordering::Less => self.all.better += 1,
        }
    }

    /// What came so far had ratios, and they say so much against "no difference".
    pub fn leave_to_ratios(&mut self, ln_e_value: f64) {
        self.by_ratio = self.all;
        self.ln_by_ratio = ln_e_value;
    }

    /// All of them, those with a ratio too.
    pub fn counts(&self) -> Counts {
        self.all
    }

    /// Natural logarithm of the e-value against "no difference".
    pub fn ln_e_value(&self) -> f64 {
        let rounds = self.all.that_differ() - self.by_ratio.that_differ();
        let mut stakes = Stakes::new(Mixture::signs().table());
        // A sign weighs the same at every level.
        stakes.add_many(0, self.all.surplus() - self.by_ratio.surplus(), rounds);
        self.ln_by_ratio + stakes.ln_e_value()
    }

    /// Whether "no difference" is refuted at error rate `alpha`.
    pub fn refute(&self, alpha: f64) -> bool {
        self.ln_e_value() >= -alpha.ln()
    }

    /// The verdict at error rate `alpha`: slower, faster or unclear. Signs never say that two are the same.
    pub fn word(&self, alpha: f64) -> Word {
        match self.all.surplus() {
            _ if !self.refute(alpha) => Word::Unclear,
            1.. if self.difference > 0.0 => Word::Slower,
            ..=-1 if self.difference < 0.0 => Word::Faster,
            _ => Word::Unclear,
        }
    }
}
