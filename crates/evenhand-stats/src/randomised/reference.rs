//! Where a magnitude ranks among those before it, in constant memory a look-up.
//!
//! For a hypothetical effect τ, the number of earlier |d_j - τ| below m is the number of earlier d_j between
//! τ - m and τ + m. So one table of earlier differences serves every τ. The table is a snapshot: it is taken
//! again when the rounds have grown by an eighth, and it keeps at most [`KNOTS`] of the differences, evenly
//! spread by rank. Both are choices made from earlier rounds only, so the test stays exact; what they cost
//! in power is part of every figure of the calibration.
//!
//! Tests: `tests/e_process.rs`.

use super::score::LEVELS;

/// The most differences that a snapshot keeps.
const KNOTS: usize = 256;

/// A snapshot of the differences before some round, ascending.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reference {
    knots: Vec<f64>,
}

impl Reference {
    /// The snapshot of `sorted` differences.
    pub(crate) fn of(sorted: &[f64]) -> Self {
        let n = sorted.len();
        if n <= KNOTS {
            return Self { knots: sorted.to_vec() };
        }
        Self { knots: (0..KNOTS).map(|k| sorted[(2 * k + 1) * n / (2 * KNOTS)]).collect() }
    }

    /// The knots, ascending.
    pub(crate) fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Twice the number of knots below `x`, with ties counted half.
    pub(crate) fn twice_below(&self, x: f64) -> usize {
        let below = self.knots.partition_point(|knot| *knot < x);
        let ties = self.knots[below..].iter().take_while(|knot| **knot == x).count();
        2 * below + ties
    }

    /// The level of the distance between `difference` and `effect`: the rank of the difference among the knots and
    /// that of its mirror image 2τ - d, with no rounding of the difference itself, so that it ties where it should.
    pub(crate) fn level(&self, effect: f64, difference: f64) -> usize {
        let (own, mirrored) = (self.twice_below(difference), self.twice_below(2.0 * effect - difference));
        self.level_between(own.min(mirrored), own.max(mirrored))
    }

    /// The level of a magnitude from the doubled counts at its two ends: the relative rank
    /// (count + ½)/(knots + 1), cut to [`LEVELS`] steps.
    pub(crate) fn level_between(&self, twice_low: usize, twice_high: usize) -> usize {
        let twice_inside = twice_high.saturating_sub(twice_low);
        (twice_inside + 1) * LEVELS / (2 * (self.knots.len() + 1))
    }
}

/// The differences so far in ascending order, taken in block by block.
#[derive(Debug, Clone, Default)]
pub(crate) struct Snapshots {
    sorted: Vec<f64>,
}

impl Snapshots {
    /// How many rounds make the next block.
    pub(crate) fn block_size(&self) -> usize {
        (self.sorted.len() / 8).max(1)
    }

    /// All differences taken in, ascending.
    pub(crate) fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// All differences taken in and those of a sorted block, ascending.
    pub(crate) fn sorted_with(&self, block: &[f64]) -> Vec<f64> {
        let mut all = Vec::with_capacity(self.sorted.len() + block.len());
        all.extend(&self.sorted);
        merge_sorted(&mut all, block);
        all
    }

    /// Takes in a block that is sorted already, and answers the snapshot for the rounds after it.
    pub(crate) fn take_in(&mut self, block: &[f64]) -> Reference {
        merge_sorted(&mut self.sorted, block);
        Reference::of(&self.sorted)
    }
}

/// Merges `block` into `sorted` in place, from the back.
fn merge_sorted(sorted: &mut Vec<f64>, block: &[f64]) {
    let (mut old, mut new) = (sorted.len(), block.len());
    sorted.resize(old + new, 0.0);
    while new > 0 {
        let from_old = old > 0 && sorted[old - 1] > block[new - 1];
        sorted[old + new - 1] = if from_old { sorted[old - 1] } else { block[new - 1] };
        if from_old {
            old -= 1;
        } else {
            new -= 1;
        }
    }
}
