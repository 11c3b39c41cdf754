//! How many of the most extreme pairs lie outside the bounds?
//!
//! With a misrate (the accepted chance that the bounds miss), a margin is 2k, where k is the number of values u
//! with P(U ≤ u) < misrate/2, strictly, and U is Mann–Whitney's statistic. Pragmastat's PairwiseMargin.
//!
//! A probability that equals misrate/2 up to the rounding of its sum counts as equal, not as below: the margin
//! must not depend on the last bit. Leaving out k pairs on each side misses with probability 2·P(U ≤ k), which is
//! a step above the misrate; leaving out k − 1 keeps it below. The guaranteed cut does that.
//!
//! Leaves to others: the distributions (`rank_null.rs`), picking the pairs (`bounds.rs`).
//!
//! Tests: tests/margins.rs

use super::rank_null::RankNull;
use crate::error::{InputError, Rule, in_range};

/// A misrate may lie this much, relatively, below the smallest one: the rounding of a product.
const ROUNDING: f64 = 1e-12;

/// Pairs to leave out of the n·m pairwise differences, both sides together.
///
/// The misrate lies between 2/C(n+m, n), the chance of the most extreme order, and 1.
pub fn pairwise_margin(n: usize, m: usize, misrate: f64) -> Result<u64, InputError> {
    Ok(2 * pairwise_steps(n, m, misrate)?)
}

/// Pairwise differences to leave out on each side so that the bounds miss with at most the misrate.
pub fn guaranteed_pairwise_cut(n: usize, m: usize, misrate: f64) -> Result<u64, InputError> {
    Ok(pairwise_steps(n, m, misrate)?.saturating_sub(1))
}

/// The smallest misrate of a pairwise margin: the chance that one series lies wholly above the other, 2/C(n+m, n).
pub fn smallest_pairwise_misrate(n: usize, m: usize) -> f64 {
    let (short, long) = (n.min(m), n.max(m) as f64);
    (1..=short).map(|i| i as f64 / (long + i as f64)).product::<f64>().min(0.5) * 2.0
}

/// How many values each of two series needs so that a pairwise margin can have this misrate; `None` for a misrate of 0 or below.
pub fn fewest_a_side(misrate: f64) -> Option<usize> {
    let possible = |n: &usize| smallest_pairwise_misrate(*n, *n) * (1.0 - ROUNDING) <= misrate;
    (misrate > 0.0).then(|| (1..).find(possible))?
}

fn pairwise_steps(n: usize, m: usize, misrate: f64) -> Result<u64, InputError> {
    not_empty(n, "n")?;
    not_empty(m, "m")?;
    reachable(smallest_pairwise_misrate(n, m), misrate)?;
    Ok(steps_below(&RankNull::mann_whitney(n, m), misrate / 2.0))
}

fn reachable(smallest: f64, misrate: f64) -> Result<(), InputError> {
    in_range(misrate, smallest * (1.0 - ROUNDING), 1.0, "misrate")
}

/// How many values u have P(statistic ≤ u) below `p`, which is at most one half.
fn steps_below(null: &RankNull, p: f64) -> u64 {
    let clearly_below = p * (1.0 - null.rounding());
    let (mut low, mut high) = (0, null.largest() / 2);
    while low < high {
        let middle = low + (high - low) / 2;
        if null.at_most(middle) < clearly_below {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn not_empty(count: usize, argument: &'static str) -> Result<(), InputError> {
    if count == 0 {
        return Err(InputError::new(Rule::AtLeast { needed: 1, got: 0 }, argument));
    }
    Ok(())
}
