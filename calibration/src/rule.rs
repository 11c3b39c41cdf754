//! The decision rules under test: ours, and those that other tools use.
//!
//! A sequential rule is shown one round after another and may decide after each. A fixed rule sees the whole
//! trial once and answers a p-value. "Blocks" means what benchmark tools without pairing do: first all runs of
//! one arm, then all runs of the other.

use crate::source::{Pair, Random, coin, uniform};
use evenhand_stats::randomised::position::Places;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{EProcess, LogRatio};
use evenhand_stats::unpaired::rank_tests::{Alternative, mann_whitney, wilcoxon};
use evenhand_stats::unpaired::welch::welch;
use statrs::distribution::{ContinuousCDF, Normal};

/// A rule that may decide after every round.
pub trait Sequential {
    /// Takes in the effect of the next round.
    fn push(&mut self, difference: f64);
    /// The smallest error rate at which the rule now calls a change.
    fn smallest_alpha(&self) -> f64;
}

/// evenhand's rule against the hypothetical effect `hypothesis`.
pub fn evenhand(hypothesis: f64, mixture: &Mixture) -> Box<dyn Sequential> {
    Box::new(EProcess::against(LogRatio(hypothesis), mixture))
}

impl Sequential for EProcess {
    fn push(&mut self, difference: f64) {
        // Traces and processes hold times above zero only, so no difference is refused.
        let _ = EProcess::push(self, LogRatio(difference));
    }

    fn smallest_alpha(&self) -> f64 {
        (-self.ln_e_value()).exp()
    }
}

/// The e-process as first designed: the hump score alone, seven bets of equal share, exact running ranks. The bar
/// that the default has to clear.
#[derive(Default)]
pub struct FirstDesign {
    magnitudes: Vec<f64>,
    sum: f64,
    costs: [f64; 7],
}

impl FirstDesign {
    const BETS: [f64; 7] = [0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5];
}

impl Sequential for FirstDesign {
    fn push(&mut self, difference: f64) {
        let magnitude = difference.abs();
        let below = self.magnitudes.partition_point(|m| *m < magnitude);
        self.magnitudes.insert(below, magnitude);
        if magnitude == 0.0 {
            return;
        }
        let u = (below as f64 + 0.5) / self.magnitudes.len() as f64;
        let weight = (std::f64::consts::PI * u).sin();
        self.sum += difference.signum() * weight;
        for (cost, bet) in self.costs.iter_mut().zip(Self::BETS) {
            *cost += (bet * weight).cosh().ln();
        }
    }

    fn smallest_alpha(&self) -> f64 {
        let member =
            |(bet, cost): (f64, &f64)| (bet * self.sum - cost).exp() + (-bet * self.sum - cost).exp();
        let average = Self::BETS.into_iter().zip(&self.costs).map(member).sum::<f64>() / 14.0;
        1.0 / average
    }
}

/// "Watch it until it is significant": a z-test of the mean difference, looked at after every round from the tenth.
#[derive(Default)]
pub struct WatchedZ {
    n: f64,
    mean: f64,
    squares: f64,
}

impl WatchedZ {
    fn p_value(&self) -> f64 {
        let error = (self.squares / (self.n - 1.0) / self.n).sqrt();
        if error > 0.0 { two_sided(self.mean / error) } else { 1.0 }
    }
}

impl Sequential for WatchedZ {
    fn push(&mut self, difference: f64) {
        self.n += 1.0;
        let step = difference - self.mean;
        self.mean += step / self.n;
        self.squares += step * (difference - self.mean);
    }

    fn smallest_alpha(&self) -> f64 {
        if self.n >= 10.0 { self.p_value() } else { 1.0 }
    }
}

fn two_sided(z: f64) -> f64 {
    2.0 * Normal::standard().sf(z.abs())
}

/// A rule that sees the whole trial once.
pub struct Fixed {
    /// Who decides like this.
    pub name: &'static str,
    /// The p-value of "the arms do not differ" for rounds of identical arms with `effect` planted.
    pub p_value: fn(&[Pair], f64, &mut Random) -> f64,
}

/// The fixed rules of the table.
pub const FIXED: [Fixed; 6] = [
    Fixed {
        name: "coin, signed rank",
        p_value: |pairs, effect, random| signed_rank(&tossed(pairs, effect, random)),
    },
    Fixed { name: "coin, z", p_value: |pairs, effect, random| z(&tossed(pairs, effect, random)) },
    Fixed { name: "paired, A always first, z", p_value: |pairs, effect, _| z(&a_first(pairs, effect)) },
    Fixed { name: "blocks, Welch t on logs", p_value: |pairs, effect, _| welch_blocks(pairs, effect) },
    Fixed { name: "blocks, Mann-Whitney", p_value: |pairs, effect, _| mann_whitney_blocks(pairs, effect) },
    Fixed { name: "blocks, bootstrap of the mean", p_value: bootstrap_blocks },
];

/// The effects of a trial whose order a coin decides.
pub fn tossed(pairs: &[Pair], effect: f64, random: &mut Random) -> Vec<f64> {
    in_coin_order(pairs, |a, b| b.ln() - a.ln() + effect, random)
}

/// The same where the candidate takes `more` time in every round, however long the round was.
pub fn tossed_with_time_added(pairs: &[Pair], more: f64, random: &mut Random) -> Vec<f64> {
    in_coin_order(pairs, |a, b| (b + more).ln() - a.ln(), random)
}

/// A round whose order a coin decided.
pub struct Tossed {
    /// What baseline and candidate took.
    pub times: Pair,
    /// Its effect. That of two equal readings is the planted one to the digit: rounding would take sides with it.
    pub difference: f64,
    /// Where both ran.
    pub places: Places,
}

/// As [`tossed`], with the times, and the places that the coin gave the arms.
pub fn tossed_by_place(pairs: &[Pair], effect: f64, random: &mut Random) -> Vec<Tossed> {
    let toss = |&(first, second): &Pair| {
        let (old, new, places) = if coin(random) {
            (first, second, Places { baseline: 0, candidate: 1 })
        } else {
            (second, first, Places { baseline: 1, candidate: 0 })
        };
        Tossed { times: (old, new * effect.exp()), difference: new.ln() - old.ln() + effect, places }
    };
    pairs.iter().map(toss).collect()
}

fn in_coin_order(pairs: &[Pair], difference: impl Fn(f64, f64) -> f64, random: &mut Random) -> Vec<f64> {
    let toss = |&(first, second): &Pair| {
        let (a, b) = if coin(random) { (first, second) } else { (second, first) };
        difference(a, b)
    };
    pairs.iter().map(toss).collect()
}

fn a_first(pairs: &[Pair], effect: f64) -> Vec<f64> {
    pairs.iter().map(|(first, second)| second.ln() - first.ln() + effect).collect()
}

fn z(differences: &[f64]) -> f64 {
    let mut watched = WatchedZ::default();
    differences.iter().for_each(|d| watched.push(*d));
    watched.p_value()
}

fn signed_rank(differences: &[f64]) -> f64 {
    // Refused only when all differences are zero: then nothing was found.
    wilcoxon(differences, Alternative::TwoSided).map_or(1.0, |test| test.p_value)
}

/// Log times of block A, then of block B: one execution from each round, so both blocks are as long as a paired trial.
pub fn blocks(pairs: &[Pair], effect: f64) -> (Vec<f64>, Vec<f64>) {
    let logs: Vec<f64> = pairs.iter().map(|(first, _)| first.ln()).collect();
    let (a, b) = logs.split_at(logs.len() / 2);
    (a.to_vec(), b.iter().map(|log| log + effect).collect())
}

fn welch_blocks(pairs: &[Pair], effect: f64) -> f64 {
    let (a, b) = blocks(pairs, effect);
    welch(&a, &b, 0.0, Alternative::TwoSided).map_or(1.0, |test| test.p_value)
}

pub fn mann_whitney_blocks(pairs: &[Pair], effect: f64) -> f64 {
    let (a, b) = blocks(pairs, effect);
    mann_whitney(&a, &b, 0.0, 0.0, Alternative::TwoSided).map_or(1.0, |test| test.p_value)
}

/// Percentile bootstrap of the difference of mean logs: twice the smaller share of resamples on one side of 0.
fn bootstrap_blocks(pairs: &[Pair], effect: f64, random: &mut Random) -> f64 {
    const RESAMPLES: usize = 999;
    let (a, b) = blocks(pairs, effect);
    let mut mean_of_resample = |block: &[f64]| {
        let pick = |_| block[(uniform(random) * block.len() as f64) as usize];
        (0..block.len()).map(pick).sum::<f64>() / block.len() as f64
    };
    let above = (0..RESAMPLES).filter(|_| mean_of_resample(&b) > mean_of_resample(&a)).count();
    2.0 * (above.min(RESAMPLES - above) + 1) as f64 / (RESAMPLES + 1) as f64
}
