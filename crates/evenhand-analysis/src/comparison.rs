//! What does a comparison say? The verdict, the effect with its interval, and why there is no more.
//!
//! An effect here is candidate/baseline − 1, so 0.013 is 1.3 % slower. For a metric where more is better the two are
//! exchanged, so that "slower" always means "worse". A comparison is ids and figures; `words/` makes sentences of it.
//!
//! Tests: `tests/analysis.rs`.

use super::layouts::LayoutEffect;
use super::study::Pair;
use evenhand_stats::InputError;
use evenhand_stats::clock_step::ClockStep;
use evenhand_stats::percentile::SureRange;
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::launches::TooFew;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_stats::randomised::signs::Counts;
use evenhand_stats::randomised::{LogRatio, Word};
use evenhand_trial::ArmId;
use serde::Serialize;

/// Candidate against baseline by one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    pub pair: Pair,
    /// Whether it compares the baseline with itself, measured once more. Such a comparison counts nowhere among the others.
    pub control: bool,
    pub verdict: Word,
    /// Relative change, 0.01 = 1 % slower (worse).
    pub effect: Effect,
    /// Launches that the verdict rests on.
    pub launches: usize,
    /// What its samples took by the clock, in seconds, if one was read.
    pub seconds: Option<f64>,
    pub percentiles: Vec<ScaledPercentile>,
    /// Why there is no more.
    pub(crate) limits: Vec<Limit>,
    pub evidence: Evidence,
}

/// Whether a coin decided the order, with what only such a comparison has.
#[derive(Debug, Clone, PartialEq)]
pub enum Evidence {
    /// It did: the verdict is exact.
    Coin(Box<Coin>),
    /// It did not: the verdict assumes that nothing else changed between the two.
    NoCoin {
        /// What its interval takes for independent.
        untested: Vec<Untested>,
    },
}

/// Samples (or launches) of an arm in which no test can see memory: so few, or no longer in the order in which they were taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untested {
    pub arm: ArmId,
    pub count: usize,
    pub of: Piece,
    pub order_lost: bool,
}

/// What only a coin gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coin {
    /// Rounds in which both were measured and that count for the verdict.
    pub rounds: usize,
    /// The percentiles of a tail that tells another story than the verdict.
    pub tail: Vec<SureRange>,
    /// What the mean and the tails do other than the verdict says.
    pub(crate) moved: Moved,
    /// How many rounds (or launches, when there are several) in all a final word would take at this rate; while the
    /// effect has no interval, the fewest with which a word is possible.
    pub needed: Option<u64>,
    /// The interval inside the launches, when the verdict is over launches.
    pub within_launches: Option<Effect>,
    pub launch_effects: Vec<f64>,
    /// Logarithms of ratios, of rounds or of launches, that the interval is made of: what a suite needs of its parts.
    pub(crate) effects: Vec<f64>,
    /// How much the order of the functions in the program is worth, where there were several.
    pub layouts: Option<LayoutEffect>,
    /// Natural logarithm of the e-value against "no difference".
    pub ln_e_value: Option<f64>,
    /// Who cost more how often, where that decides because some cost nothing.
    pub signs: Option<SignCounts>,
    /// Whether it may be called a change among all comparisons of the analysis.
    pub change_in_suite: Option<bool>,
    /// Minima and means, and the paired z-test of the means.
    pub mean: Option<MeanComparison>,
}

/// Rounds, or launches, by who cost more in them, and what both cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignCounts {
    pub counts: Counts,
    /// What is counted.
    pub of: Piece,
    /// The means of both in these rounds.
    pub baseline_mean: f64,
    pub candidate_mean: f64,
}

impl Comparison {
    /// What only a coin gives.
    pub fn coin(&self) -> Option<&Coin> {
        match &self.evidence {
            Evidence::Coin(coin) => Some(coin),
            Evidence::NoCoin { .. } => None,
        }
    }

    /// Who cost more how often, where that decides because some cost nothing: then an effect has no size.
    pub fn signs(&self) -> Option<SignCounts> {
        self.coin()?.signs
    }

    /// Rounds that count for the verdict; without a coin there are none.
    pub fn rounds(&self) -> usize {
        self.coin().map_or(0, |coin| coin.rounds)
    }
}

/// Why a comparison says no more than it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Limit {
    NoSharedRound,
    NotKnownOfBoth,
    OnlyFigures,
    NoRatio,
    /// Some cost nothing, so rounds count by who cost more.
    OnlySigns,
    /// Most of them go one way, and the means the other.
    SignsAgainstMeans,
    /// Both cost the same in every round, and nothing in some.
    NoDifference,
    ShortLaunches {
        short: usize,
        of: usize,
    },
    NoLongLaunch,
    TooFewLaunches(TooFew),
    NoConstantEffect,
    PercentilesNotDrawn,
    CoarseClock(ClockStep),
    /// The load generator was late by this much more in one arm than in the other, beside this response.
    OwnLateness {
        difference: f64,
        response: f64,
    },
    NoInterval(TooLittle),
}

/// What is too little for an interval without a coin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TooLittle {
    /// So many independent ones cannot be as sure together as wanted; with so many a side they could.
    Worth { baseline: usize, candidate: usize, of: Piece, needed: Option<usize> },
    /// A single number does not vary.
    OnlyOne { arm: ArmId, of: Piece },
    /// The memory of an arm is as long as its run.
    RemembersAll { arm: ArmId, count: usize, of: Piece },
    /// All times of either arm are equal, so their clock hides how much they vary.
    Constant,
    /// The statistics refuse these numbers.
    Refused(InputError),
}

/// What an unpaired comparison compares: each sample, or each launch by its median.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    Sample,
    Launch,
}

/// A relative change with its interval. A missing end is not bounded yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Effect {
    pub estimate: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Effect {
    /// Whether an end of the interval is known.
    pub fn is_bounded(&self) -> bool {
        self.low.is_some() || self.high.is_some()
    }
}

/// The same percentile of both arms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ScaledPercentile {
    /// 0 to 100.
    pub percent: f64,
    pub baseline: f64,
    pub candidate: f64,
    /// candidate / baseline.
    pub scaled: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// Minima and means of both arms from the same rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeanComparison {
    pub baseline_min: f64,
    pub candidate_min: f64,
    pub baseline_mean: f64,
    pub candidate_mean: f64,
    /// Mean of candidate − baseline.
    pub difference: f64,
    /// The same in percent of the baseline's mean.
    pub difference_percent: f64,
    /// Its z; missing when the differences are all the same.
    pub z: Option<f64>,
    /// |z| reached 2.6.
    pub change_detected: bool,
    /// The same without the excursions that pair off, if the evidence says that they are the machine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub without_excursions: Option<f64>,
    /// Excursions below and above the fences.
    pub excursions: [usize; 2],
    /// Chance of counts as unequal.
    pub equal_counts_p: f64,
    /// Chance of sizes as different.
    pub like_size_p: f64,
    /// Which arm's outlying rounds pull the mean to the other side of no difference than the effect is on.
    #[serde(skip)]
    pub pulled_by: Option<ArmId>,
}

/// The effect, with its best guess even while no end of its interval is known.
pub(super) fn effect(look: Look) -> Effect {
    let Look::Interval(interval) = look else { return Effect::default() };
    Effect {
        estimate: Some(relative(interval.estimate)),
        low: interval.low.map(relative),
        high: interval.high.map(relative),
    }
}

/// A relative change that JSON can hold: two times may differ by more than a double says.
pub(super) fn relative(effect: LogRatio) -> f64 {
    effect.0.exp_m1().min(f64::MAX)
}
