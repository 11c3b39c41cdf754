//! How many rounds of each level lie on either side of an effect, without looking at every round?
//!
//! Rounds are kept block by block, ascending inside their block: the order inside a block does not change a sum,
//! and all of a block are ranked against one snapshot. The magnitude |d - τ| of a round lies between d and its mirror
//! image 2τ - d. As the differences ascend their own ranks among the knots rise and the ranks of the mirror
//! images fall, so a block falls into stretches of equal level, at most four for each knot. Their ends are found
//! by bisection. The ends of equal own rank do not depend on τ and are kept.
//!
//! One evaluation costs O(log² n) steps beyond the first ten thousand rounds, and no transcendental function.
//!
//! Tests: `tests/confidence_sequence.rs`.

use super::reference::Reference;
use super::score::{LEVELS, Mixture, ScoreTable, Stakes, Sure};
use std::sync::Arc;

/// A closed block of rounds, ranked against the snapshot before it.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    reference: Reference,
    ascending: Box<[f64]>,
    own_ranks: Box<[Stretch]>,
}

/// Neighbours in a block whose own difference has one rank among the knots.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    end: usize,
    twice_rank: usize,
}

impl Block {
    /// A block of `ascending` differences after the snapshot `reference`.
    pub(crate) fn new(reference: Reference, ascending: &[f64]) -> Self {
        let own_ranks = stretches(reference.knots(), ascending);
        Self { reference, ascending: ascending.into(), own_ranks }
    }
}

fn stretches(knots: &[f64], ascending: &[f64]) -> Box<[Stretch]> {
    let mut stretches: Vec<Stretch> = Vec::new();
    let (mut below, mut up_to) = (0, 0);
    for (place, difference) in ascending.iter().enumerate() {
        below += knots[below..].iter().take_while(|knot| *knot < difference).count();
        up_to += knots[up_to..].iter().take_while(|knot| *knot <= difference).count();
        match stretches.last_mut() {
            Some(last) if last.twice_rank == below + up_to => last.end = place + 1,
            _ => stretches.push(Stretch { end: place + 1, twice_rank: below + up_to }),
        }
    }
    stretches.into()
}

/// Rounds by level: how many more were slower than faster, and how many in all.
pub(crate) struct Tally {
    surplus: [i64; LEVELS],
    rounds: [u64; LEVELS],
}

impl Default for Tally {
    fn default() -> Self {
        Self { surplus: [0; LEVELS], rounds: [0; LEVELS] }
    }
}

impl Tally {
    /// Counts one round against a snapshot.
    pub(crate) fn count(&mut self, reference: &Reference, effect: f64, difference: f64) {
        let rest = difference - effect;
        if rest != 0.0 {
            self.add(reference.level(effect, difference), u64::from(rest > 0.0), u64::from(rest < 0.0));
        }
    }

    /// Counts a whole block, stretch by stretch.
    pub(crate) fn count_block(&mut self, block: &Block, effect: f64) {
        let ascending = &block.ascending;
        let faster_end = ascending.partition_point(|difference| *difference < effect);
        let slower_start = ascending.partition_point(|difference| *difference <= effect);
        let mut mirror = Mirror::new(block.reference.knots(), effect);
        let mut start = 0;
        for own in &block.own_ranks {
            while start < own.end {
                let mirrored = mirror.move_to(ascending[start]);
                let end = start + mirror.same_rank(&ascending[start..own.end]);
                let (low, high) = (own.twice_rank.min(mirrored), own.twice_rank.max(mirrored));
                let slower = end.saturating_sub(start.max(slower_start));
                let faster = end.min(faster_end).saturating_sub(start);
                self.add(block.reference.level_between(low, high), slower as u64, faster as u64);
                start = end;
            }
        }
    }

    fn add(&mut self, level: usize, slower: u64, faster: u64) {
        self.surplus[level] += slower as i64 - faster as i64;
        self.rounds[level] += slower + faster;
    }

    /// What the counted rounds add up to.
    pub(crate) fn stakes(&self, mixture: &Mixture) -> Stakes {
        let mut stakes = Stakes::new(mixture.table());
        for (level, (surplus, rounds)) in self.surplus.iter().zip(self.rounds).enumerate() {
            if rounds > 0 {
                stakes.add_many(level, *surplus, rounds);
            }
        }
        stakes
    }
}

/// On which side of the truth a range of effects lies that is to be refuted as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Below: rounds that are slower than the whole range are the evidence.
    Below,
    /// Above: those that are faster.
    Above,
}

/// What rounds say at least of every effect from `low` to `high`. A round keeps its sign unless it lies in the range itself, and
/// its rank lies between those at the two ends, so each score has bounds that hold for the whole range.
pub(crate) struct RangeTally {
    low: f64,
    high: f64,
    side: Side,
    table: Arc<ScoreTable>,
    /// By score and level.
    sure: Vec<[Sure; LEVELS]>,
}

impl RangeTally {
    pub(crate) fn new(mixture: &Mixture, (low, high): (f64, f64), side: Side) -> Self {
        let table = mixture.table();
        let sure = vec![[Sure::default(); LEVELS]; table.scores()];
        Self { low, high, side, table, sure }
    }

    /// Counts one round against a snapshot.
    pub(crate) fn count(&mut self, reference: &Reference, difference: f64) {
        let at = |effect| reference.level(effect, difference);
        let signs = self.signs(&[difference]);
        self.add((at(self.low), at(self.high)), signs);
    }

    /// Counts a whole block, stretch by stretch.
    pub(crate) fn count_block(&mut self, block: &Block) {
        let ascending = &block.ascending;
        let knots = block.reference.knots();
        let (mut at_low, mut at_high) = (Mirror::new(knots, self.low), Mirror::new(knots, self.high));
        let level =
            |own: usize, mirrored: usize| block.reference.level_between(own.min(mirrored), own.max(mirrored));
        let mut start = 0;
        for own in &block.own_ranks {
            while start < own.end {
                let mirrored = (at_low.move_to(ascending[start]), at_high.move_to(ascending[start]));
                let rest = &ascending[start..own.end];
                let alike = at_low.same_rank(rest).min(at_high.same_rank(rest));
                let signs = self.signs(&rest[..alike]);
                self.add((level(own.twice_rank, mirrored.0), level(own.twice_rank, mirrored.1)), signs);
                start += alike;
            }
        }
    }

    /// How many of these ascending differences are above all effects of the range, below all, or among them.
    fn signs(&self, ascending: &[f64]) -> [u64; 3] {
        let below = ascending.partition_point(|difference| *difference < self.low);
        let up_to = ascending.partition_point(|difference| *difference <= self.high);
        [(ascending.len() - up_to) as u64, below as u64, (up_to - below) as u64]
    }

    /// `levels`: at the two ends of the range. A round among its effects opposes the evidence only where the effect has passed it on
    /// the way inwards, and weighs no more there than at the inner end.
    fn add(&mut self, levels: (usize, usize), [above, below, among]: [u64; 3]) {
        let (low, high) = (levels.0.min(levels.1), levels.0.max(levels.1));
        let (supporting, opposing, inner) = match self.side {
            Side::Below => (above, below, levels.1),
            Side::Above => (below, above, levels.0),
        };
        for (score, sure) in self.sure.iter_mut().enumerate() {
            let (lightest, heaviest) = self.table.lightest_and_heaviest(score, low, high);
            sure[lightest].supporting += supporting;
            sure[heaviest].opposing += opposing;
            sure[heaviest].costing += supporting + opposing;
            if among > 0 {
                sure[self.table.lightest_and_heaviest(score, 0, inner).1].opposing += among;
                sure[self.table.lightest_and_heaviest(score, 0, high).1].costing += among;
            }
        }
    }

    /// The stakes whose evidence is that of no effect of the range exceeded.
    pub(crate) fn stakes(&self) -> Stakes {
        let mut stakes = Stakes::new(Arc::clone(&self.table));
        for (score, levels) in self.sure.iter().enumerate() {
            for (level, sure) in levels.iter().enumerate().filter(|(_, sure)| sure.any()) {
                stakes.bound(score, level, *sure);
            }
        }
        stakes.at_least()
    }
}

/// The rank of the mirror image 2τ - d among the knots, for ascending d.
struct Mirror<'a> {
    knots: &'a [f64],
    twice_effect: f64,
    below: usize,
    up_to: usize,
}

impl<'a> Mirror<'a> {
    fn new(knots: &'a [f64], effect: f64) -> Self {
        Self { knots, twice_effect: 2.0 * effect, below: knots.len(), up_to: knots.len() }
    }

    /// Twice the rank of the mirror image of `difference`, which is not below the one before.
    fn move_to(&mut self, difference: f64) -> usize {
        let image = self.twice_effect - difference;
        while self.below > 0 && self.knots[self.below - 1] >= image {
            self.below -= 1;
        }
        while self.up_to > 0 && self.knots[self.up_to - 1] > image {
            self.up_to -= 1;
        }
        self.below + self.up_to
    }

    /// How many of the following differences, which ascend from the last, have the rank of the last.
    fn same_rank(&self, ascending: &[f64]) -> usize {
        let limit = match self.up_to.checked_sub(1) {
            None => f64::NEG_INFINITY,
            // On a knot now, and not yet below it.
            Some(next) if self.up_to > self.below => self.knots[next].next_down(),
            Some(next) => self.knots[next],
        };
        let stays_above = |difference: &f64| self.twice_effect - *difference > limit;
        match ascending {
            [.., last] if stays_above(last) => ascending.len(),
            _ => ascending.partition_point(stays_above).max(1),
        }
    }
}
