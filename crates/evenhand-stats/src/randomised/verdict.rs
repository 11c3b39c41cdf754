//! Which word? From the interval of the effect and the margin to a verdict.
//!
//! | word | when |
//! |---|---|
//! | `slower` / `faster` | the whole interval is beyond +m / below -m |
//! | `same` | the whole interval is within ±m: a proof of sameness, not a failure to reject |
//! | `slightly slower` / `slightly faster` | excludes 0 and reaches into the margin |
//! | `unclear` | none of these yet |
//!
//! The interval may come from any look at a confidence sequence; the word inherits its error rate.
//!
//! Tests: `tests/verdict.rs`.

use super::confidence_sequence::{Interval, Look};
use super::effect::LogRatio;
use std::fmt;

/// The verdict in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// The candidate is slower by more than the margin.
    Slower,
    /// The candidate is faster by more than the margin.
    Faster,
    /// The arms differ by less than the margin.
    Same,
    /// The candidate is slower; by more than the margin or less is open.
    SlightlySlower,
    /// The candidate is faster; by more than the margin or less is open.
    SlightlyFaster,
    /// Not decided yet.
    Unclear,
}

impl Word {
    /// Whether more rounds could not change the word at this margin: slower, faster or same.
    pub fn is_final(self) -> bool {
        self.is_change() || self == Self::Same
    }

    /// Whether the arms differ by more than the margin.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Slower | Self::Faster)
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::SlightlySlower => "slightly slower",
            Self::SlightlyFaster => "slightly faster",
            Self::Unclear => "unclear",
        })
    }
}

/// The smallest effect worth acting on, in both directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    slower: LogRatio,
    faster: LogRatio,
}

impl Margin {
    /// A margin of `percent` to both sides: 1 % slower is +1 %, 1 % faster is -1 %.
    /// `None` unless `percent` is at least 0 and below 100.
    pub fn percent(percent: f64) -> Option<Self> {
        if !(0.0..100.0).contains(&percent) {
            return None;
        }
        Some(Self { slower: LogRatio::from_percent(percent)?, faster: LogRatio::from_percent(-percent)? })
    }

    /// The end towards slower, above 0.
    pub fn slower(self) -> LogRatio {
        self.slower
    }

    /// The end towards faster, below 0.
    pub fn faster(self) -> LogRatio {
        self.faster
    }
}

impl Default for Margin {
    /// 1 % to both sides.
    fn default() -> Self {
        Self { slower: LogRatio(0.01_f64.ln_1p()), faster: LogRatio((-0.01_f64).ln_1p()) }
    }
}

/// The verdict with what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Verdict {
    /// The word.
    pub word: Word,
    /// The effects not refuted; `None` when every constant effect is refuted.
    pub interval: Option<Interval>,
    /// Rounds that the verdict rests on.
    pub rounds: usize,
    /// How many rounds in all a final word would take at the present rate, or from `unclear` any other word; `None` when
    /// a final one stands already, or when the rate cannot be told yet.
    pub rounds_to_final: Option<u64>,
}

impl Verdict {
    /// The verdict of a look after `rounds` rounds.
    pub fn of(look: Look, margin: Margin, rounds: usize) -> Self {
        let Look::Interval(interval) = look else {
            return Self { word: Word::Unclear, interval: None, rounds, rounds_to_final: None };
        };
        let word = word(interval, margin);
        let rounds_to_final =
            if word.is_final() { None } else { rounds_to_final(word, interval, margin, rounds) };
        Self { word, interval: Some(interval), rounds, rounds_to_final }
    }
}

fn word(interval: Interval, margin: Margin) -> Word {
    let above = |bound: LogRatio| interval.low.is_some_and(|low| low > bound);
    let below = |bound: LogRatio| interval.high.is_some_and(|high| high < bound);
    let none = LogRatio(0.0);
    if above(margin.slower) {
        Word::Slower
    } else if below(margin.faster) {
        Word::Faster
    } else if above(margin.faster) && below(margin.slower) {
        Word::Same
    } else if above(none) {
        Word::SlightlySlower
    } else if below(none) {
        Word::SlightlyFaster
    } else {
        Word::Unclear
    }
}

/// The half-width shrinks like 1/√n; a final word needs it to be the distance from the estimate to the nearer margin.
/// While it is unclear, half of a margin will do wherever the effect is: an interval so short cannot hold both 0 and an end
/// of the margin, so it is the same, or there is a difference.
fn rounds_to_final(word: Word, interval: Interval, margin: Margin, rounds: usize) -> Option<u64> {
    let (low, high) = (interval.low?, interval.high?);
    let half_width = 0.5 * (high.0 - low.0);
    let estimate = interval.estimate.0;
    let wanted = (estimate - margin.slower.0).abs().min((estimate - margin.faster.0).abs());
    let clear = if word == Word::Unclear { 0.5 * margin.slower.0.min(-margin.faster.0) } else { 0.0 };
    let wanted = wanted.max(clear);
    let needed = rounds as f64 * (half_width / wanted).powi(2);
    // An estimate on the margin itself would take for ever; beyond 10^15 rounds nobody waits.
    (needed.is_finite() && needed < 1e15).then(|| (needed.ceil() as u64).max(soonest(rounds)))
}

/// An interval shrinks in steps and waits at its bounds: fewer rounds than a tenth of those so far cannot be foretold.
fn soonest(rounds: usize) -> u64 {
    (rounds + (rounds / 10).max(1)) as u64
}
