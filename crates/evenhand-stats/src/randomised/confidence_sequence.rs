//! Which effects are not yet refuted? The interval that narrows while you watch.
//!
//! The confidence sequence at error rate α is {τ : E_n(τ) < 1/α} with the e-process of [`super::e_process`]
//! (test inversion; Howard, Ramdas, McAuliffe & Sekhon 2021). It covers a constant effect at all n at once
//! with probability at least 1 - α, so an interval may be cut with every earlier one
//! (running intersection, [`ConfidenceSequence::look`]).
//!
//! *Its hull.* E_n(τ) need not have one valley: where the rounds form two heaps, the effects that are not refuted lie in several
//! stretches. What is reported is the hull of them all, and provably so: from beyond all differences inwards, whole ranges of
//! effects are refuted at once by a lower bound of E over the range ([`super::tally`]), until a small one is not. That no constant effect
//! fits is said only if every range up to the other side is refuted. E_n(τ) and its bounds are counted in far fewer than n steps.
//!
//! Tests: `tests/confidence_sequence.rs`, calibration (coverage).

use std::borrow::Cow;

use super::effect::{self, LogRatio};
use super::reference::{Reference, Snapshots};
use super::score::{Mixture, Stakes};
use super::tally::{Block, RangeTally, Side, Tally};
use crate::error::{InputError, probability};

/// The effects not refuted at some error rate. A missing end means "no bound yet".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: Option<LogRatio>,
    /// The best single guess: where the scores of both signs balance.
    pub estimate: LogRatio,
    /// The upper end.
    pub high: Option<LogRatio>,
}

/// What a look at the confidence sequence finds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Look {
    /// The effects not refuted.
    Interval(Interval),
    /// Every constant effect is refuted: the effect itself changed over the rounds.
    NoConstantEffect,
}

/// All rounds so far, ready to be asked about any effect.
#[derive(Debug, Clone)]
pub struct ConfidenceSequence {
    mixture: Mixture,
    alpha: f64,
    blocks: Vec<Block>,
    snapshots: Snapshots,
    reference: Reference,
    open: Vec<f64>,
    narrowest: (Option<LogRatio>, Option<LogRatio>),
}

impl ConfidenceSequence {
    /// An empty sequence at error rate `alpha` (0.01 for 99 %).
    ///
    /// # Errors
    /// `alpha` lies strictly between 0 and 1.
    pub fn new(alpha: f64, mixture: Mixture) -> Result<Self, InputError> {
        probability(alpha, "alpha")?;
        Ok(Self {
            mixture,
            alpha,
            blocks: Vec::new(),
            snapshots: Snapshots::default(),
            reference: Reference::default(),
            open: Vec::new(),
            narrowest: (None, None),
        })
    }

    /// The sequence after all of `differences`, in round order.
    ///
    /// # Errors
    /// As [`Self::new`] and [`Self::push`].
    pub fn of(differences: &[f64], alpha: f64, mixture: Mixture) -> Result<Self, InputError> {
        let mut sequence = Self::new(alpha, mixture)?;
        for difference in differences {
            sequence.push(LogRatio(*difference))?;
        }
        Ok(sequence)
    }

    /// Adds the effect of the next round.
    ///
    /// # Errors
    /// The effect is one that two times can have ([`effect::LARGEST`]); otherwise nothing was added.
    pub fn push(&mut self, difference: LogRatio) -> Result<(), InputError> {
        effect::plausible(difference)?;
        self.open.push(difference.0);
        if self.open.len() >= self.snapshots.block_size() {
            self.close_block();
        }
        Ok(())
    }

    fn close_block(&mut self) {
        self.open.sort_unstable_by(f64::total_cmp);
        let reference = std::mem::take(&mut self.reference);
        self.blocks.push(Block::new(reference, &self.open));
        self.reference = self.snapshots.take_in(&self.open);
        self.open.clear();
    }

    /// Rounds so far, ties included.
    pub fn rounds(&self) -> usize {
        self.snapshots.sorted().len() + self.open.len()
    }

    /// The error rate that the interval is for.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Natural logarithm of the e-value against `effect`, as [`super::EProcess`] would have it.
    pub fn ln_e_value(&self, effect: LogRatio) -> f64 {
        self.stakes(effect.0).ln_e_value()
    }

    fn stakes(&self, effect: f64) -> Stakes {
        let mut tally = Tally::default();
        for block in &self.blocks {
            tally.count_block(block, effect);
        }
        for difference in &self.open {
            tally.count(&self.reference, effect, *difference);
        }
        tally.stakes(&self.mixture)
    }

    /// The interval now, cut with those of all earlier looks.
    pub fn look(&mut self) -> Look {
        let Look::Interval(now) = self.interval() else { return Look::NoConstantEffect };
        let low = larger(self.narrowest.0, now.low);
        let high = smaller(self.narrowest.1, now.high);
        if matches!((low, high), (Some(low), Some(high)) if low > high) {
            return Look::NoConstantEffect;
        }
        self.narrowest = (low, high);
        let estimate = low.map_or(now.estimate, |low| LogRatio(now.estimate.0.max(low.0)));
        let estimate = high.map_or(estimate, |high| LogRatio(estimate.0.min(high.0)));
        Look::Interval(Interval { low, estimate, high })
    }

    /// The interval from the rounds so far alone, forgetting earlier looks: all effects that are not refuted, and what
    /// lies between them. There may be several stretches of them, as where the rounds form two heaps.
    pub fn interval(&self) -> Look {
        let sorted = self.all_sorted();
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return Look::Interval(Interval { low: None, estimate: LogRatio(0.0), high: None });
        };
        let ground = Ground::of(&sorted);
        let (low, high) = (self.end(&ground, Side::Below), self.end(&ground, Side::Above));
        if low.zip(high).is_some_and(|(low, high)| low >= high) {
            return Look::NoConstantEffect;
        }
        let (from, to) = (self.probe(low.unwrap_or(*first)), self.probe(high.unwrap_or(*last)));
        let estimate = self.balance(from, to, ground.centre);
        let estimate = LogRatio(estimate.clamp(from.effect, to.effect));
        Look::Interval(Interval { low: low.map(LogRatio), estimate, high: high.map(LogRatio) })
    }

    fn all_sorted(&self) -> Cow<'_, [f64]> {
        if self.open.is_empty() {
            return Cow::Borrowed(self.snapshots.sorted());
        }
        let mut open = self.open.clone();
        open.sort_unstable_by(f64::total_cmp);
        Cow::Owned(self.snapshots.sorted_with(&open))
    }

    fn probe(&self, effect: f64) -> Probe {
        let stakes = self.stakes(effect);
        Probe { effect, excess: stakes.ln_e_value() + self.alpha.ln(), lean: stakes.lean() }
    }

    /// One end of the interval: all effects beyond it are refuted. From beyond all differences it goes inwards, each time over
    /// a range that is refuted as a whole, until what is not refuted is near. `None` if there is no bound.
    fn end(&self, ground: &Ground, side: Side) -> Option<f64> {
        let (start, goal) = match side {
            Side::Below => (ground.first.next_down(), ground.last.next_up()),
            Side::Above => (ground.last.next_up(), ground.first.next_down()),
        };
        let mut outer = self.probe(start);
        if !outer.refuted() {
            return None;
        }
        let mut inner = Some(self.probe(ground.centre)).filter(|centre| !centre.refuted());
        let mut longest = f64::INFINITY;
        for step in 0.. {
            let tolerance = ground.tolerance(outer.effect);
            let near = inner.is_some_and(|inner| (inner.effect - outer.effect).abs() <= tolerance);
            if outer.effect == goal || near || longest <= tolerance {
                break;
            }
            let wanted = inner.map_or(goal, |inner| self.crossing(step, outer, inner, tolerance));
            let width = (wanted - outer.effect).clamp(-longest, longest);
            let next = self.probe(if width.abs() < longest { wanted } else { outer.effect + width });
            if !next.refuted() {
                inner = Some(next);
            } else if self.refutes_all(outer, next, side) {
                (outer, longest) = (next, 2.0 * longest);
            } else {
                longest = 0.5 * width.abs();
            }
        }
        Some(outer.effect)
    }

    /// Where √ln E, which is nearly a straight line, comes down to what refutes.
    fn crossing(&self, step: usize, outer: Probe, inner: Probe, tolerance: f64) -> f64 {
        let target = (-self.alpha.ln()).sqrt();
        let height = |probe: Probe| (probe.excess + target * target).max(0.0).sqrt() - target;
        guess(step, [outer, inner].map(|probe| (probe.effect, height(probe))), tolerance)
    }

    /// Whether every effect between these two is refuted.
    fn refutes_all(&self, outer: Probe, next: Probe, side: Side) -> bool {
        let range = (outer.effect.min(next.effect), outer.effect.max(next.effect));
        let mut tally = RangeTally::new(&self.mixture, range, side);
        self.blocks.iter().for_each(|block| tally.count_block(block));
        self.open.iter().for_each(|difference| tally.count(&self.reference, *difference));
        tally.stakes().ln_e_value() + self.alpha.ln() > ROUNDING
    }

    /// Where the scores of both signs balance between `low` and `high`.
    fn balance(&self, mut low: Probe, mut high: Probe, centre: f64) -> f64 {
        if !(low.lean > 0.0 && high.lean < 0.0) {
            return centre;
        }
        let tolerance = 0.002 * (high.effect - low.effect);
        for step in 0..40 {
            if high.effect - low.effect <= tolerance {
                break;
            }
            let ends = [(low.effect, low.lean), (high.effect, high.lean)];
            let probe = self.probe(guess(step, ends, tolerance));
            if probe.lean > 0.0 {
                low = probe;
            } else {
                high = probe;
            }
        }
        low.effect + 0.5 * (high.effect - low.effect)
    }
}

/// Where to look next for the zero between two ends (place, height) of opposite sign.
///
/// The straight line between them, then a little towards the farther end, so that the bracket closes from both
/// sides. Every third step halves the bracket, so that a curve far from straight costs little.
fn guess(step: usize, [left, right]: [(f64, f64); 2], tolerance: f64) -> f64 {
    let width = right.0 - left.0;
    if step % 3 == 2 {
        return left.0 + 0.5 * width;
    }
    let share = (left.1 / (left.1 - right.1)).clamp(0.0, 1.0);
    let farther = if share > 0.5 { -share } else { 1.0 - share };
    let aside = farther.signum() * (0.4 * tolerance / width.abs()).min(0.5 * farther.abs());
    left.0 + (share + aside) * width
}

/// What is known at one effect.
#[derive(Debug, Clone, Copy)]
struct Probe {
    effect: f64,
    /// ln E - ln(1/α): negative where the effect is not refuted.
    excess: f64,
    /// The average signed score, see [`Stakes::lean`].
    lean: f64,
}

impl Probe {
    fn refuted(self) -> bool {
        self.excess >= 0.0
    }
}

/// What a search for the ends needs to know of the differences.
struct Ground {
    first: f64,
    last: f64,
    /// Their median.
    centre: f64,
    /// About as far from it as an interval can reach.
    near: f64,
}

impl Ground {
    /// Of ascending differences, of which there is one.
    fn of(sorted: &[f64]) -> Self {
        let distance = 1.0 / (sorted.len() as f64).sqrt();
        let (centre, last) = (at_rank(sorted, 0.5), sorted[sorted.len() - 1]);
        let near = 0.5 * (at_rank(sorted, 0.5 + distance) - at_rank(sorted, 0.5 - distance));
        Self { first: sorted[0], last, centre, near }
    }

    /// An end is told to a part of its distance from the middle.
    fn tolerance(&self, end: f64) -> f64 {
        let rounding = (4.0 * f64::EPSILON * end.abs()).max(f64::MIN_POSITIVE);
        (TOLERANCE * (end - self.centre).abs().max(self.near)).max(rounding)
    }
}

const TOLERANCE: f64 = 0.005;
/// Sums in another order may differ by this.
const ROUNDING: f64 = 1e-9;

/// The difference at rank `p` of the way up.
fn at_rank(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    sorted[((p.max(0.0) * sorted.len() as f64) as usize).min(last)]
}

fn larger(a: Option<LogRatio>, b: Option<LogRatio>) -> Option<LogRatio> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a > b { a } else { b }),
        (a, b) => a.or(b),
    }
}

fn smaller(a: Option<LogRatio>, b: Option<LogRatio>) -> Option<LogRatio> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a < b { a } else { b }),
        (a, b) => a.or(b),
    }
}
