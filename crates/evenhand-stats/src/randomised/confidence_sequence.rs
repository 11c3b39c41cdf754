//! Which effects are not yet refuted? The interval that narrows while you watch.
//!
//! The confidence sequence at error rate α is {τ : E_n(τ) < 1/α} with the e-process of [`super::e_process`]
//! (test inversion; Howard, Ramdas, McAuliffe & Sekhon 2021). It covers a constant effect at all n at once
//! with probability at least 1 - α, so an interval may be cut with every earlier one
//! (running intersection, [`ConfidenceSequence::look`]).
//!
//! One evaluation of E_n(τ) at any τ takes O(n) steps without a transcendental function: rounds are kept
//! block by block, sorted inside their block (the order inside a block does not change a sum), and each
//! block is walked once against its snapshot. The two ends are found by a secant search on √ln E, which is
//! nearly a straight line in τ; the outer side of the last bracket is reported, so rounding widens.
//!
//! Tests: `tests/confidence_sequence.rs`, calibration (coverage).

use super::effect::{self, LogRatio};
use super::reference::{Reference, Snapshots};
use super::score::{LEVELS, Mixture, Stakes};
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

/// A block of rounds that share one snapshot.
#[derive(Debug, Clone)]
struct Block {
    reference: Reference,
    end: usize,
}

/// All rounds so far, ready to be asked about any effect.
#[derive(Debug, Clone)]
pub struct ConfidenceSequence {
    mixture: Mixture,
    alpha: f64,
    blocks: Vec<Block>,
    /// Differences in closed blocks, ascending inside each block.
    closed: Vec<f64>,
    /// For each of `closed`, twice its rank in its block's snapshot.
    twice_ranks: Vec<u16>,
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
            closed: Vec::new(),
            twice_ranks: Vec::new(),
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
        self.twice_ranks.extend(self.open.iter().map(|d| reference.twice_below(*d) as u16));
        self.closed.extend(&self.open);
        self.blocks.push(Block { reference, end: self.closed.len() });
        self.reference = self.snapshots.take_in(&self.open);
        self.open.clear();
    }

    /// Rounds so far, ties included.
    pub fn rounds(&self) -> usize {
        self.closed.len() + self.open.len()
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
        let mut start = 0;
        for block in &self.blocks {
            let rounds = start..block.end;
            tally.count_block(
                &block.reference,
                effect,
                &self.closed[rounds.clone()],
                &self.twice_ranks[rounds],
            );
            start = block.end;
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
        let estimate = self.balance(low.unwrap_or(*first), high.unwrap_or(*last), centre);
        Look::Interval(Interval {
            low: low.map(LogRatio),
            estimate: LogRatio(estimate),
            high: high.map(LogRatio),
        })
    }

    fn all_sorted(&self) -> Vec<f64> {
        let mut open = self.open.clone();
        open.sort_unstable_by(f64::total_cmp);
        let mut all = self.snapshots.clone();
        all.take_in(&open);
        all.sorted().to_vec()
    }

    /// ln E - ln(1/α): negative where the effect is not refuted.
    fn excess(&self, effect: f64) -> f64 {
        self.stakes(effect).ln_e_value() + self.alpha.ln()
    }

    /// An effect that is not refuted: the median of the differences, else the best of a few other quantiles.
    fn somewhere_inside(&self, sorted: &[f64]) -> Option<f64> {
        const TRIES: [f64; 9] = [0.5, 0.45, 0.55, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8];
        TRIES.iter().map(|p| at_rank(sorted, *p)).find(|effect| self.excess(*effect) < 0.0)
    }

    /// One end of the interval: the outermost crossing between `far` (beyond all differences) and `centre`.
    fn end(&self, sorted: &[f64], centre: f64, far: f64, side: impl Fn(f64) -> f64) -> Option<f64> {
        if self.excess(far) < 0.0 {
            return None;
        }
        let mut outer = far;
        for p in outside_in(sorted.len()) {
            let effect = at_rank(sorted, side(p));
            let between = (effect - centre) * (far - centre) > 0.0;
            if !between || self.excess(effect) < 0.0 {
                let inner = if between { effect } else { centre };
                return Some(self.crossing(outer, inner, centre));
            }
            outer = effect;
        }
        Some(self.crossing(outer, centre, centre))
    }

    /// Narrows the bracket [outer refuted, inner not refuted] to a hundredth of its distance from the centre, and
    /// answers its outer side.
    fn crossing(&self, mut outer: f64, mut inner: f64, centre: f64) -> f64 {
        const STEPS: usize = 60;
        let target = (-self.alpha.ln()).sqrt();
        let height = |excess: f64| (excess + target * target).max(0.0).sqrt() - target;
        let (mut above, mut below) = (height(self.excess(outer)), height(self.excess(inner)));
        for step in 0..STEPS {
            let width = (outer - inner).abs();
            if width <= 0.005 * (outer - centre).abs() || width <= 4.0 * f64::EPSILON * outer.abs() {
                break;
            }
            // Every third step halves the bracket, so that a curve far from straight costs little.
            let share = if step % 3 == 2 { 0.5 } else { (above / (above - below)).clamp(0.002, 0.998) };
            // Aim a little outside the crossing, so that the outer side, which is reported, closes in too.
            let share = (share - 0.002).max(0.001);
            let effect = outer + share * (inner - outer);
            let excess = height(self.excess(effect));
            if excess >= 0.0 {
                (outer, above) = (effect, excess);
            } else {
                (inner, below) = (effect, excess);
            }
        }
        outer
    }

    /// Where the scores of both signs balance between `low` and `high`.
    fn balance(&self, low: f64, high: f64, centre: f64) -> f64 {
        let (mut low, mut high) = (low, high);
        let (mut lean_low, mut lean_high) = (self.stakes(low).lean(), self.stakes(high).lean());
        if !(lean_low > 0.0 && lean_high < 0.0) {
            return centre;
        }
        let tolerance = 0.002 * (high - low);
        for step in 0..40 {
            if high - low <= tolerance {
                break;
            }
            let share =
                if step % 3 == 2 { 0.5 } else { (lean_low / (lean_low - lean_high)).clamp(0.05, 0.95) };
            let effect = low + share * (high - low);
            let lean = self.stakes(effect).lean();
            if lean > 0.0 {
                (low, lean_low) = (effect, lean);
            } else {
                (high, lean_high) = (effect, lean);
            }
        }
        low + 0.5 * (high - low)
    }
}

/// Rounds by level: how many more were slower than faster, and how many in all.
struct Tally {
    surplus: [i64; LEVELS],
    rounds: [u64; LEVELS],
}

impl Default for Tally {
    fn default() -> Self {
        Self { surplus: [0; LEVELS], rounds: [0; LEVELS] }
    }
}

impl Tally {
    fn count(&mut self, reference: &Reference, effect: f64, difference: f64) {
        let rest = difference - effect;
        if rest != 0.0 {
            self.add(reference.level(effect, rest.abs()), rest > 0.0);
        }
    }

    fn add(&mut self, level: usize, slower: bool) {
        self.surplus[level] += if slower { 1 } else { -1 };
        self.rounds[level] += 1;
    }

    /// Counts a whole block: as the differences ascend, their mirror images 2τ - d descend, so one walk over
    /// the snapshot ranks them all.
    fn count_block(&mut self, reference: &Reference, effect: f64, ascending: &[f64], twice_ranks: &[u16]) {
        let knots = reference.knots();
        let (mut below, mut up_to) = (knots.len(), knots.len());
        for (difference, twice_rank) in ascending.iter().zip(twice_ranks) {
            let mirror = 2.0 * effect - difference;
            while below > 0 && knots[below - 1] >= mirror {
                below -= 1;
            }
            while up_to > 0 && knots[up_to - 1] > mirror {
                up_to -= 1;
            }
            if *difference == effect {
                continue;
            }
            let (own, mirrored) = (usize::from(*twice_rank), below + up_to);
            let level = reference.level_between(own.min(mirrored), own.max(mirrored));
            self.add(level, *difference > effect);
        }
    }

    fn stakes(&self, mixture: &Mixture) -> Stakes {
        let mut stakes = Stakes::new(mixture.table());
        for (level, (surplus, rounds)) in self.surplus.iter().zip(self.rounds).enumerate() {
            if rounds > 0 {
                stakes.add_many(level, *surplus, rounds);
            }
        }
        stakes
    }
}

/// Ranks from the extreme inwards, each four times the one before: where the search for an end looks first.
fn outside_in(n: usize) -> impl Iterator<Item = f64> {
    let first = 0.5 / n as f64;
    (0..).map(move |k| first * 4f64.powi(k)).take_while(|p| *p < 0.5)
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
