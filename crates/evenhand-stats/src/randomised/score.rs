//! How much a round counts: the weight of a round by the rank of its magnitude, and the size of the bets.
//!
//! A score is x_i = s_i · w(u_i): the sign s_i of the difference times a weight of the relative rank
//! u_i in (0, 1) of its magnitude among the magnitudes so far. Any weight that never looks at the sign keeps
//! the test exact; the weights differ only in how soon they see an effect:
//!
//! - **hump**, w = sin(πu): trusts neither near-ties nor wild spikes; best inside a launch, where spikes rule;
//! - **rank**, w = u (Wilcoxon): best where luck is nearly normal, as between launches;
//! - **sign**, w = 1: best for two-mode luck.
//!
//! The evidence is a weighted average over weights and bet sizes λ of exp(Σ λ·x_i − ln cosh(λ·w_i)). Each
//! member has expectation 1 under a fair coin, so the average has too. Averaging costs at most ln(1/share)
//! of the ln(1/α) needed. "Bake-off of scores" in `calibration/RESULTS.md` compares the shares. Large bets
//! decide in a dozen rounds, small ones keep the interval narrowing after a hundred thousand (a test goes to 256,000).
//!
//! Tests: `tests/e_process.rs`.

use std::f64::consts::{LN_2, PI};
use std::sync::{Arc, OnceLock};

/// Ranks are rounded down to this many levels, so that a round costs table look-ups and no transcendental
/// functions. The rounding sees magnitudes only, so it costs no validity.
pub(crate) const LEVELS: usize = 512;

/// Bet sizes λ and their share of the average; each is placed on both signs.
const BETS: [(f64, f64); 9] = [
    (2.5, 1.0),
    (1.0, 1.0),
    (0.5, 1.0),
    (0.25, 1.0),
    (0.12, 0.5),
    (0.05, 0.15),
    (0.02, 0.1),
    (0.007, 0.05),
    (0.002, 0.05),
];

/// A weight of the relative rank of a magnitude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// sin(πu)
    Hump,
    /// u
    Rank,
    /// 1
    Sign,
}

impl Weight {
    /// The weight at relative rank `u`.
    pub fn at(self, u: f64) -> f64 {
        match self {
            Self::Hump => (PI * u).sin(),
            Self::Rank => u,
            Self::Sign => 1.0,
        }
    }
}

/// A weighted average of scores: what is bet on.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture {
    parts: Vec<(Weight, f64)>,
}

impl Mixture {
    /// The average of the named weights with the given shares, scaled to sum to one. Shares that are not
    /// above zero are left out; without any, all of it is [`Weight::Sign`].
    pub fn new(parts: &[(Weight, f64)]) -> Self {
        let kept: Vec<_> =
            parts.iter().copied().filter(|(_, share)| *share > 0.0 && share.is_finite()).collect();
        let total: f64 = kept.iter().map(|(_, share)| share).sum();
        if kept.is_empty() {
            return Self { parts: vec![(Weight::Sign, 1.0)] };
        }
        Self { parts: kept.into_iter().map(|(weight, share)| (weight, share / total)).collect() }
    }

    /// The default for rounds inside one launch.
    pub fn rounds() -> Self {
        Self::new(&[(Weight::Hump, 0.6), (Weight::Sign, 0.2), (Weight::Rank, 0.2)])
    }

    /// The default for effects of launches.
    pub fn launches() -> Self {
        Self::new(&[(Weight::Rank, 0.5), (Weight::Sign, 0.5)])
    }

    /// For signs without sizes.
    pub fn signs() -> Self {
        Self::new(&[(Weight::Sign, 1.0)])
    }

    /// The mixture's table of weights and costs; the three above are computed once.
    pub(crate) fn table(&self) -> Arc<ScoreTable> {
        static DEFAULTS: OnceLock<[(Mixture, Arc<ScoreTable>); 3]> = OnceLock::new();
        let with_table = |mixture: Self| (mixture.clone(), Arc::new(ScoreTable::of(&mixture)));
        let defaults =
            DEFAULTS.get_or_init(|| [Self::rounds(), Self::launches(), Self::signs()].map(with_table));
        match defaults.iter().find(|(mixture, _)| mixture == self) {
            Some((_, table)) => Arc::clone(table),
            None => Arc::new(ScoreTable::of(self)),
        }
    }
}

/// For each level of the relative rank: the weight of each score, then the cost ln cosh(λ·w) of each bet.
#[derive(Debug)]
pub(crate) struct ScoreTable {
    rows: Vec<f64>,
    width: usize,
    shares: Vec<f64>,
    /// The level at which each score weighs most; its weight rises up to there and falls behind it.
    peaks: Vec<usize>,
}

impl ScoreTable {
    fn of(mixture: &Mixture) -> Self {
        let shares: Vec<f64> = mixture.parts.iter().map(|(_, share)| *share).collect();
        let width = shares.len() * (1 + BETS.len());
        let mut rows = Vec::with_capacity(LEVELS * width);
        for level in 0..LEVELS {
            let u = (level as f64 + 0.5) / LEVELS as f64;
            let weights: Vec<f64> = mixture.parts.iter().map(|(weight, _)| weight.at(u)).collect();
            rows.extend(&weights);
            rows.extend(weights.iter().flat_map(|w| BETS.iter().map(move |(bet, _)| ln_cosh(bet * w))));
        }
        let mut table = Self { rows, width, shares, peaks: Vec::new() };
        let weight = |score: usize| move |table: &Self, level: usize| table.row(level)[score];
        let peak = |score: usize| {
            (0..LEVELS).max_by(|a, b| weight(score)(&table, *a).total_cmp(&weight(score)(&table, *b)))
        };
        table.peaks = (0..table.shares.len()).map(|score| peak(score).unwrap_or(0)).collect();
        table
    }

    /// How many scores there are.
    pub(crate) fn scores(&self) -> usize {
        self.shares.len()
    }

    /// The levels from `low` to `high` at which a score weighs least and most.
    pub(crate) fn lightest_and_heaviest(&self, score: usize, low: usize, high: usize) -> (usize, usize) {
        let lighter_low = self.row(low)[score] <= self.row(high)[score];
        (if lighter_low { low } else { high }, self.peaks[score].clamp(low, high))
    }

    fn row(&self, level: usize) -> &[f64] {
        &self.rows[level * self.width..(level + 1) * self.width]
    }
}

/// What a trial's rounds add up to: per score the sum of signed weights, per bet the sum of its costs.
#[derive(Debug, Clone)]
pub(crate) struct Stakes {
    table: Arc<ScoreTable>,
    sums: Vec<f64>,
}

impl Stakes {
    pub(crate) fn new(table: Arc<ScoreTable>) -> Self {
        let sums = vec![0.0; table.width];
        Self { table, sums }
    }

    /// Adds one round: its level and whether the candidate was slower than the hypothesis says.
    pub(crate) fn add(&mut self, level: usize, slower: bool) {
        let (row, scores) = (self.table.row(level), self.table.shares.len());
        let sign = if slower { 1.0 } else { -1.0 };
        for (sum, weight) in self.sums[..scores].iter_mut().zip(&row[..scores]) {
            *sum += sign * weight;
        }
        for (sum, cost) in self.sums[scores..].iter_mut().zip(&row[scores..]) {
            *sum += cost;
        }
    }

    /// Adds `rounds` rounds of one level at once, `surplus` of them more slower than faster.
    pub(crate) fn add_many(&mut self, level: usize, surplus: i64, rounds: u64) {
        let (row, scores) = (self.table.row(level), self.table.shares.len());
        for (sum, weight) in self.sums[..scores].iter_mut().zip(&row[..scores]) {
            *sum += surplus as f64 * weight;
        }
        for (sum, cost) in self.sums[scores..].iter_mut().zip(&row[scores..]) {
            *sum += rounds as f64 * cost;
        }
    }

    /// Bounds on one score: rounds of one level that count for the evidence at least, against it at most, and what they cost.
    pub(crate) fn bound(&mut self, score: usize, level: usize, sure: Sure) {
        let (row, scores) = (self.table.row(level), self.table.shares.len());
        self.sums[score] += (sure.supporting as f64 - sure.opposing as f64) * row[score];
        let costs = scores + score * BETS.len()..scores + (score + 1) * BETS.len();
        for (sum, cost) in self.sums[costs.clone()].iter_mut().zip(&row[costs]) {
            *sum += sure.costing as f64 * cost;
        }
    }

    /// The bounds are complete: a score that may lean the other way may as well be 0, where the evidence is least.
    pub(crate) fn at_least(mut self) -> Self {
        let scores = self.table.shares.len();
        self.sums[..scores].iter_mut().for_each(|sum| *sum = sum.max(0.0));
        self
    }

    /// The average signed score; its sign says on which side of the hypothesis the evidence lies.
    pub(crate) fn lean(&self) -> f64 {
        self.table.shares.iter().zip(&self.sums).map(|(share, sum)| share * sum).sum()
    }

    /// ln of the e-value: the average over scores and bets, each bet placed on both signs, so that
    /// ½·exp(λS) + ½·exp(-λS) = cosh(λS).
    pub(crate) fn ln_e_value(&self) -> f64 {
        let all_bets: f64 = BETS.iter().map(|(_, share)| share).sum();
        let largest = self.members().map(|member| member.won()).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self
            .members()
            .filter(|member| member.won() > largest - NEGLIGIBLE)
            .map(|member| {
                member.share * (member.won() - largest).exp() * (1.0 + (-2.0 * member.staked).exp())
            })
            .sum();
        largest + (sum / (2.0 * all_bets)).ln()
    }

    fn members(&self) -> impl Iterator<Item = Member> {
        let scores = self.table.shares.len();
        let costs = self.sums[scores..].chunks_exact(BETS.len());
        self.table.shares.iter().zip(&self.sums).zip(costs).flat_map(|((share, sum), costs)| {
            BETS.iter().zip(costs).map(move |((bet, bet_share), cost)| Member {
                share: share * bet_share,
                staked: (bet * sum).abs(),
                cost: *cost,
            })
        })
    }
}

/// Rounds of one level, as far as they are sure while the effect is only known to lie in a range.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sure {
    /// Those whose sign supports the evidence, counted where they weigh least.
    pub(crate) supporting: u64,
    /// Those whose sign may oppose it, counted where they weigh most.
    pub(crate) opposing: u64,
    /// All of them, counted where they weigh most: heavy rounds cost more.
    pub(crate) costing: u64,
}

impl Sure {
    pub(crate) fn any(&self) -> bool {
        self.supporting | self.opposing | self.costing != 0
    }
}

/// exp(-50) times the largest member changes no digit of a double, whatever the shares.
const NEGLIGIBLE: f64 = 50.0;

/// One bet on one score: its share, |λS|, and its cost Σ ln cosh(λw).
struct Member {
    share: f64,
    staked: f64,
    cost: f64,
}

impl Member {
    /// The logarithm of what the better of its two signs has won.
    fn won(&self) -> f64 {
        self.staked - self.cost
    }
}

/// ln cosh(x) without overflow.
fn ln_cosh(x: f64) -> f64 {
    let x = x.abs();
    x + (-2.0 * x).exp().ln_1p() - LN_2
}
