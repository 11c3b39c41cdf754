//! Which effects are not yet refuted? The interval that narrows while you watch.
//!
//! The confidence sequence at error rate α is {τ : E_n(τ) < 1/α} with the e-process of [`super::e_process`]
//! (test inversion; Howard, Ramdas, McAuliffe & Sekhon 2021). It covers a constant effect at all n at once
//! with probability at least 1 - α, so an interval may be cut with every earlier one
//! (running intersection, [`ConfidenceSequence::look`]).
//!
//! E_n(τ) at any τ is counted by [`super::tally`] in far fewer than n steps. The two ends are found by a
//! secant search on √ln E, which is nearly a straight line in τ; the outer side of the last bracket is
//! reported, so rounding widens.
//!
//! Tests: `tests/confidence_sequence.rs`, calibration (coverage).

use std::borrow::Cow;

use super::effect::{self, LogRatio};
use super::reference::{Reference, Snapshots};
use super::score::{Mixture, Stakes};
use super::tally::{Block, Tally};
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

    /// The interval from the rounds so far alone, forgetting earlier looks.
    pub fn interval(&self) -> Look {
        let sorted = self.all_sorted();
        let (Some(first), Some(last)) = (sorted.first(), sorted.last()) else {
            return Look::Interval(Interval { low: None, estimate: LogRatio(0.0), high: None });
        };
        let Some(centre) = self.somewhere_inside(&sorted) else { return Look::NoConstantEffect };
        let reach = (last - first).max(f64::EPSILON * last.abs()).max(f64::MIN_POSITIVE);
        let low = self.end(&sorted, centre, first - reach, |p| p);
        let high = self.end(&sorted, centre, last + reach, |p| 1.0 - p);
        let estimate =
            self.balance(low.unwrap_or(self.probe(*first)), high.unwrap_or(self.probe(*last)), centre.effect);
        Look::Interval(Interval {
            low: low.map(|low| LogRatio(low.effect)),
            estimate: LogRatio(estimate),
            high: high.map(|high| LogRatio(high.effect)),
        })
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

    /// An effect that is not refuted: the median of the differences, else the best of a few other quantiles, else the
    /// middle between two of them. With two kinds of rounds, such as "the candidate ran first" and "it ran second", every
    /// quantile lies in one of the two heaps and is refuted by the other, while the truth lies in the gap.
    fn somewhere_inside(&self, sorted: &[f64]) -> Option<Probe> {
        const TRIES: [f64; 9] = [0.5, 0.45, 0.55, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
        const BETWEEN: [f64; 5] = [0.45, 0.4, 0.3, 0.2, 0.1];
        let quantiles = TRIES.iter().map(|p| at_rank(sorted, *p));
        let middles = BETWEEN.iter().map(|p| {
            let (low, high) = (at_rank(sorted, *p), at_rank(sorted, 1.0 - p));
            low + 0.5 * (high - low)
        });
        quantiles.chain(middles).map(|effect| self.probe(effect)).find(|probe| !probe.refuted())
    }

    /// One end of the interval: the outermost crossing between `far` (beyond all differences) and `centre`.
    fn end(&self, sorted: &[f64], centre: Probe, far: f64, side: impl Fn(f64) -> f64) -> Option<Probe> {
        let mut outer = self.probe(far);
        if !outer.refuted() {
            return None;
        }
        for p in outside_in(sorted.len()) {
            let effect = at_rank(sorted, side(p));
            if (effect - centre.effect) * (far - centre.effect) <= 0.0 {
                break;
            }
            let probe = self.probe(effect);
            if !probe.refuted() {
                return Some(self.crossing(outer, probe, centre.effect));
            }
            outer = probe;
        }
        Some(self.crossing(outer, centre, centre.effect))
    }

    /// Narrows the bracket [outer refuted, inner not refuted] to a hundredth of its distance from the centre, and
    /// answers its outer side.
    fn crossing(&self, mut outer: Probe, mut inner: Probe, centre: f64) -> Probe {
        const STEPS: usize = 60;
        let target = (-self.alpha.ln()).sqrt();
        let height = |probe: Probe| (probe.excess + target * target).max(0.0).sqrt() - target;
        for step in 0..STEPS {
            let tolerance =
                (0.005 * (outer.effect - centre).abs()).max(4.0 * f64::EPSILON * outer.effect.abs());
            if (outer.effect - inner.effect).abs() <= tolerance {
                break;
            }
            let ends = [(outer.effect, height(outer)), (inner.effect, height(inner))];
            let probe = self.probe(guess(step, ends, tolerance));
            if height(probe) >= 0.0 {
                outer = probe;
            } else {
                inner = probe;
            }
        }
        outer
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

/// Ranks from the extreme inwards, where the search for an end looks first: the half, the 2nd, the 32nd, the
/// 2048th, in ever longer strides, then some multiples of 1/√n before the median. The ends lie about 2/√n from it,
/// and a tight bracket saves steps.
fn outside_in(n: usize) -> impl Iterator<Item = f64> {
    const COARSE: [f64; 5] = [0.5, 2.0, 32.0, 2_048.0, 524_288.0];
    const FINE: [f64; 5] = [8.0, 4.0, 3.0, 2.0, 1.5];
    let n = n as f64;
    let coarse = COARSE.into_iter().map(move |rank| rank / n).take_while(|p| *p < 0.25);
    let fine = FINE.into_iter().map(move |distance| 0.5 - distance / n.sqrt()).filter(|p| *p > 0.25);
    coarse.chain(fine)
}

/// The difference at rank `p` of the way up.
fn at_rank(sorted: &[f64], p: f64) -> f64 {
    let last = sorted.len() - 1;
    sorted[((p * sorted.len() as f64) as usize).min(last)]
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
