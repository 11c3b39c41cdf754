//! Between which two pair values does the true shift lie?
//!
//! The pairs are sorted and k of them left out on each side, 2k being the margin for the misrate; the bounds are
//! the pair values at ranks k and N − 1 − k, counted from 0 (Pragmastat's ShiftBounds). No distribution is assumed:
//! they ask that the two series differ by a shift only, and that values are independent draws without ties (with
//! ties the bounds only get wider than needed).
//!
//! Pragmastat's cut is one step of the discrete distribution more daring than the misrate says: two series of 5
//! values at misrate 0.05 miss with probability 0.0556. [`guaranteed_shift_bounds`] cuts one pair less on each side
//! and keeps the promise.
//!
//! Leaves to others: how many pairs to leave out (`margins.rs`), dependent values (`comparison.rs`).
//!
//! Tests: tests/pragmatic.rs (Pragmastat's vectors), tests/margins.rs (coverage)

use super::margins::{guaranteed_pairwise_cut, pairwise_margin};
use super::pairwise::{Differences, PairTable};
use super::pragmatic::ratio_of;
use crate::error::InputError;

/// An interval, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The lower end.
    pub lower: f64,
    /// The upper end, never below the lower.
    pub upper: f64,
}

impl Bounds {
    /// Whether the value lies within the bounds.
    pub fn contain(&self, value: f64) -> bool {
        (self.lower..=self.upper).contains(&value)
    }
}

/// Bounds of the shift of `x` above `y`, as Pragmastat cuts them.
pub fn shift_bounds(x: &[f64], y: &[f64], misrate: f64) -> Result<Bounds, InputError> {
    let differences = Differences::new(x, y)?;
    let margin = pairwise_margin(x.len(), y.len(), misrate)?;
    Ok(cut_both_sides(&differences, margin / 2))
}

/// Bounds of the shift of `x` above `y` that miss with at most the misrate.
pub fn guaranteed_shift_bounds(x: &[f64], y: &[f64], misrate: f64) -> Result<Bounds, InputError> {
    let differences = Differences::new(x, y)?;
    let cut = guaranteed_pairwise_cut(x.len(), y.len(), misrate)?;
    Ok(cut_both_sides(&differences, cut))
}

/// The pair values that remain outermost after `cut` pairs are left out on each side; one or two always remain.
pub(crate) fn cut_both_sides(table: &impl PairTable, cut: u64) -> Bounds {
    let last = table.pairs() - 1;
    let cut = cut.min(last / 2);
    Bounds { lower: table.ranked(cut), upper: table.ranked(last - cut) }
}

/// Bounds of a ratio from bounds of its logarithm.
pub(crate) fn as_ratios(logs: Bounds) -> Bounds {
    Bounds { lower: ratio_of(logs.lower), upper: ratio_of(logs.upper) }
}
