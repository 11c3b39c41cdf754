//! What is most useful to do after this result? One thing at most: measure longer, where that would likely settle it; look at a page,
//! where there are many benchmarks; look at the distributions, where one number does not say it all.
//!
//! Tests: `tests/analysis/next.rs`.

use super::comparison::{Comparison, Piece};
use super::{Analysis, Concern};
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::mean_and_tails::Moved;

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Measure so much longer.
    Longer(ToDo),
    /// Look at the distributions.
    Distributions,
    /// Look at a page with every benchmark.
    Page,
}

/// What is missing to a final word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToDo {
    /// Rounds or launches so far.
    pub so_far: u64,
    /// How many more it most likely takes; without an interval, how many at least.
    pub more: u64,
    /// What they are: a sample of each arm, or a launch.
    pub of: Piece,
    /// How long they most likely take, if that is known.
    pub seconds: Option<f64>,
}

/// So many times the rounds so far are more than anyone will wait for.
const HOPELESS: u64 = 100;
/// So many seconds are, too.
const A_DAY: f64 = 86_400.0;

impl ToDo {
    /// What a comparison needs; `None` where nobody knows, nothing is missing, or nobody waits for it, as for a control.
    pub fn of(analysis: &Analysis, comparison: &Comparison) -> Option<Self> {
        let coin = comparison.coin()?;
        let over_launches = coin.within_launches.is_some();
        let so_far = if over_launches { comparison.launches } else { coin.rounds } as u64;
        let of = if over_launches { Piece::Launch } else { Piece::Sample };
        let more = coin.needed?.checked_sub(so_far).filter(|more| *more > 0 && !comparison.control)?;
        // The trial's seconds went into the rounds of this group only if there is no other.
        let spent = analysis.trial.seconds.filter(|_| analysis.names.one_group() && so_far > 0);
        let seconds = spent.map(|seconds| seconds / so_far as f64 * more as f64);
        Some(Self { so_far, more, of, seconds })
    }

    /// Whether nobody would wait for it.
    pub fn is_hopeless(&self) -> bool {
        let Self { so_far, more, seconds, .. } = *self;
        more > so_far.saturating_mul(HOPELESS) || seconds.is_some_and(|time| time > A_DAY)
    }
}

/// The one most useful thing; `None` where nothing helps.
pub fn next(analysis: &Analysis) -> Option<Next> {
    let is_open = |comparison: &&Comparison| comparison.verdict == Word::Unclear;
    if analysis.is_suite() && !analysis.counted().all(|comparison| is_open(&comparison)) {
        return Some(Next::Page);
    }
    let missing = analysis.counted().filter(is_open).filter_map(|open| ToDo::of(analysis, open));
    let longest = missing
        .filter(|to_do| !to_do.is_hopeless() && to_do.seconds.is_some())
        .max_by_key(|to_do| to_do.more);
    longest.map(Next::Longer).or_else(|| has_a_shape(analysis).then_some(Next::Distributions))
}

/// Whether one number does not say it all: there are several kinds of behaviour, or the mean or a tail moved by itself.
fn has_a_shape(analysis: &Analysis) -> bool {
    let modes = analysis.warnings.iter().any(|warning| matches!(warning.what, Concern::Modes { .. }));
    let mut coins = analysis.counted().filter_map(Comparison::coin);
    modes || coins.any(|coin| !coin.tail.is_empty() || coin.moved != Moved::default())
}
