//! Which value stands at a given rank among all pairs of values, without writing the pairs down?
//!
//! The table of differences x_i − y_j is laid out so that it ascends along rows and along columns; then the number of pairs at or
//! below a threshold is one walk down a staircase (Saddleback search), O(n + m). The rank is found by bisection
//! over the doubles in their order (their bit patterns are integers, so at most 64 walks), and as soon as no
//! more pairs are left in the bracket than there are values, these are listed and selected from (after Monahan,
//! "Algorithm 616: fast computation of the Hodges–Lehmann location estimator", ACM TOMS 10, 1984).
//! Rounding keeps order, so the answer is the very double that sorting all pairs would give.
//!
//! Documented answers: zero is always +0; a difference too large for a double counts as the largest double.
//! Leaves to others: which rank to ask for (`bounds.rs`), what it means (`pragmatic.rs`).
//!
//! Tests: tests/pairwise.rs

use crate::error::{InputError, finite};
use crate::order::ascending;

/// A table of pairs that ascends along every row and down every column.
pub trait PairTable {
    /// Number of rows.
    fn rows(&self) -> usize;

    /// Number of columns.
    fn columns(&self) -> usize;

    /// The first column of this row that belongs to a pair; the columns from here on all do.
    fn first_column(&self, row: usize) -> usize;

    /// The value in a cell. Defined (and ascending) for every cell, whether it is a pair or not.
    fn value(&self, row: usize, column: usize) -> f64;

    /// How many pairs there are.
    fn pairs(&self) -> u64;

    /// The pair value at a rank, counted from 0 in ascending order; beyond the last rank, the largest value.
    fn ranked(&self, rank: u64) -> f64 {
        let rank = rank.min(self.pairs() - 1);
        search(self, rank) + 0.0
    }

    /// The median over all pairs: the mean of the two middle values when their number is even.
    fn median(&self) -> f64 {
        let pairs = self.pairs();
        let upper_rank = pairs / 2;
        if pairs % 2 == 1 {
            return self.ranked(upper_rank);
        }
        let lower = self.ranked(upper_rank - 1);
        let upper = if self.at_most(lower) > upper_rank { lower } else { self.next_above(lower) };
        lower.midpoint(upper)
    }

    /// How many pairs are at or below the threshold.
    fn at_most(&self, threshold: f64) -> u64 {
        staircase(self, threshold).map(|(row, end)| end.saturating_sub(self.first_column(row)) as u64).sum()
    }

    /// The smallest pair value above the threshold; the largest double when there is none.
    fn next_above(&self, threshold: f64) -> f64 {
        staircase(self, threshold)
            .map(|(row, end)| (row, end.max(self.first_column(row))))
            .filter(|(_, column)| *column < self.columns())
            .map(|(row, column)| self.value(row, column))
            .fold(f64::MAX, f64::min)
            + 0.0
    }
}

/// All differences x_i − y_j.
#[derive(Debug, Clone)]
pub struct Differences {
    minuends: Vec<f64>,
    subtrahends: Vec<f64>,
}

impl Differences {
    /// Pairs every value of `x` with every value of `y`; both need at least one finite value.
    pub fn new(x: &[f64], y: &[f64]) -> Result<Self, InputError> {
        finite(x, "x")?;
        finite(y, "y")?;
        let mut subtrahends = ascending(y);
        subtrahends.reverse();
        Ok(Self { minuends: ascending(x), subtrahends })
    }
}

impl PairTable for Differences {
    fn rows(&self) -> usize {
        self.minuends.len()
    }

    fn columns(&self) -> usize {
        self.subtrahends.len()
    }

    fn first_column(&self, _row: usize) -> usize {
        0
    }

    fn value(&self, row: usize, column: usize) -> f64 {
        (self.minuends[row] - self.subtrahends[column]).clamp(f64::MIN, f64::MAX)
    }

    fn pairs(&self) -> u64 {
        self.rows() as u64 * self.columns() as u64
    }
}

/// Per row, the first column whose value lies above the threshold. It only moves left from row to row.
fn staircase<T: PairTable + ?Sized>(table: &T, threshold: f64) -> impl Iterator<Item = (usize, usize)> {
    let mut end = table.columns();
    (0..table.rows()).map(move |row| {
        while end > 0 && table.value(row, end - 1) > threshold {
            end -= 1;
        }
        (row, end)
    })
}

/// Bisects over the doubles until the bracket `(low, high]` holds one double or few enough pairs to list.
fn search<T: PairTable + ?Sized>(table: &T, rank: u64) -> f64 {
    let few = (table.rows() + table.columns()) as u64;
    let (mut low, mut high) = (place(f64::NEG_INFINITY), place(f64::MAX));
    let (mut at_most_low, mut at_most_high) = (0, table.pairs());
    while high.abs_diff(low) > 1 {
        if at_most_high - at_most_low <= few {
            return select(table, double(low), double(high), rank - at_most_low);
        }
        let middle = low.midpoint(high);
        let count = table.at_most(double(middle));
        if count > rank {
            (high, at_most_high) = (middle, count);
        } else {
            (low, at_most_low) = (middle, count);
        }
    }
    double(high)
}

/// The pair value at `rank` among those in `(low, high]`.
fn select<T: PairTable + ?Sized>(table: &T, low: f64, high: f64, rank: u64) -> f64 {
    let mut inside = Vec::new();
    for ((row, start), (_, end)) in staircase(table, low).zip(staircase(table, high)) {
        let start = start.max(table.first_column(row));
        inside.extend((start..end).map(|column| table.value(row, column)));
    }
    *inside.select_nth_unstable_by(rank as usize, f64::total_cmp).1
}

/// The place of a double among all doubles in ascending order, zero at 0.
fn place(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

/// The double at a place.
fn double(place: i64) -> f64 {
    let bits = if place < 0 { place ^ i64::MAX } else { place };
    f64::from_bits(bits as u64)
}
