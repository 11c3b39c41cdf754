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
use super::score::{LEVELS, Mixture, Stakes};

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
