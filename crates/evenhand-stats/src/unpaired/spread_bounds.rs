//! Between which two values do the true spread and disparity lie?
//!
//! Spread (Pragmastat's SpreadBounds): a seeded shuffle pairs the values off into m = ⌊n/2⌋ disjoint pairs. Their
//! distances are independent, and each lies above the true spread with chance one half, so the count of those
//! above is Binomial(m, 1/2). Leaving out k sorted distances on each side misses with 2·P(count ≤ k). The misrate
//! falls between two such steps; one draw chooses between them so that the misrate is met exactly on average.
//!
//! Average spread: both spreads at half the misrate, averaged by length (Bonferroni). Disparity: shift bounds
//! divided by average-spread bounds; each part gets its smallest misrate and half of what is left.
//!
//! The seed is part of the result: the same seed gives the same bounds, and bounds of one seed nest as the misrate
//! falls, because neither the pairing nor the draw depends on the misrate.
//!
//! Leaves to others: the shift bounds (`bounds.rs`).
//!
//! Tests: tests/pragmatic.rs

use super::bounds::{Bounds, shift_bounds};
use super::margins::smallest_pairwise_misrate;
use super::pragmatic::weighted;
use super::sign_test::at_most;
use crate::error::{InputError, Rule, at_least, finite, in_range};
use crate::order::ascending;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Bounds of the spread of `x`. The misrate is at least 2^(1−⌊n/2⌋).
pub fn spread_bounds(x: &[f64], misrate: f64, seed: u64) -> Result<Bounds, InputError> {
    spread_bounds_drawn(x, "x", misrate, &mut Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// Bounds of the average spread of `x` and `y`. The misrate is at least twice that of either spread.
pub fn average_spread_bounds(x: &[f64], y: &[f64], misrate: f64, seed: u64) -> Result<Bounds, InputError> {
    let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
    let of_x = spread_bounds_drawn(x, "x", misrate / 2.0, &mut draws)?;
    let of_y = spread_bounds_drawn(y, "y", misrate / 2.0, &mut draws)?;
    Ok(Bounds {
        lower: weighted(of_x.lower, x.len(), of_y.lower, y.len()),
        upper: weighted(of_x.upper, x.len(), of_y.upper, y.len()),
    })
}

/// Bounds of the disparity of `x` above `y`. The misrate is at least the sum of the smallest misrates of its parts.
///
/// A bound of ±[`f64::MAX`] says that there is none on that side: the average spread may be zero.
pub fn disparity_bounds(x: &[f64], y: &[f64], misrate: f64, seed: u64) -> Result<Bounds, InputError> {
    at_least(x, 2, "x")?;
    at_least(y, 2, "y")?;
    let for_shift = smallest_pairwise_misrate(x.len(), y.len());
    let for_spread = 2.0 * smallest_spread_misrate(x.len()).max(smallest_spread_misrate(y.len()));
    in_range(misrate, for_shift + for_spread, 1.0, "misrate")?;
    let to_share = (misrate - for_shift - for_spread).max(0.0) / 2.0;
    let shift = shift_bounds(x, y, for_shift + to_share)?;
    let spread = average_spread_bounds(x, y, for_spread + to_share, seed)?;
    if spread.upper == 0.0 {
        return Err(InputError::new(Rule::NotConstant, "x"));
    }
    Ok(quotient(shift, spread))
}

/// The smallest misrate of spread bounds: the chance that all pairs of values lie on one side of the spread.
pub fn smallest_spread_misrate(n: usize) -> f64 {
    2f64.powf(1.0 - (n / 2) as f64)
}

fn spread_bounds_drawn(
    x: &[f64],
    argument: &'static str,
    misrate: f64,
    draws: &mut Xoshiro256PlusPlus,
) -> Result<Bounds, InputError> {
    finite(x, argument)?;
    at_least(x, 2, argument)?;
    if x.iter().all(|value| *value == x[0]) {
        return Err(InputError::new(Rule::NotConstant, argument));
    }
    in_range(misrate, smallest_spread_misrate(x.len()), 1.0, "misrate")?;
    let distances = disjoint_distances(x, draws);
    let cut = randomised_cut(distances.len() as u64, misrate, uniform(draws)) as usize;
    Ok(Bounds { lower: distances[cut], upper: distances[distances.len() - 1 - cut] })
}

/// Sorted distances of values paired off at random; of an odd number one is left over.
fn disjoint_distances(x: &[f64], draws: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    let mut shuffled = x.to_vec();
    for last in (1..shuffled.len()).rev() {
        shuffled.swap(last, below(last + 1, draws));
    }
    let distance = |pair: &[f64]| (pair[0] - pair[1]).abs().min(f64::MAX);
    ascending(&shuffled.chunks_exact(2).map(distance).collect::<Vec<_>>())
}

/// Pairs to leave out on each side: k, or with the chance that fills the misrate up, k + 1.
fn randomised_cut(pairs: u64, misrate: f64, draw: f64) -> u64 {
    let half = misrate / 2.0;
    let cut = last_within(pairs, half);
    let (reached, next) = (at_most(cut, pairs, 0.5), at_most(cut + 1, pairs, 0.5));
    let one_more = draw < (half - reached) / (next - reached);
    (cut + u64::from(one_more)).min((pairs - 1) / 2)
}

/// The largest k with P(count ≤ k) ≤ `half`, 0 if there is none.
fn last_within(pairs: u64, half: f64) -> u64 {
    let (mut low, mut high) = (0, pairs / 2);
    while low < high {
        let middle = high - (high - low) / 2;
        if at_most(middle, pairs, 0.5) <= half {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

/// Every quotient of the two intervals lies within; `divisor.lower` is at least and `divisor.upper` above 0.
fn quotient(dividend: Bounds, divisor: Bounds) -> Bounds {
    let widest = |end: f64, down: bool| {
        let by = if (end < 0.0) == down { divisor.lower } else { divisor.upper };
        if end == 0.0 { 0.0 } else { (end / by).clamp(f64::MIN, f64::MAX) }
    };
    Bounds { lower: widest(dividend.lower, true), upper: widest(dividend.upper, false) }
}

/// A whole number below `limit`; its bias, limit/2^64, is far below anything measurable.
fn below(limit: usize, draws: &mut Xoshiro256PlusPlus) -> usize {
    ((u128::from(draws.next_u64()) * limit as u128) >> 64) as usize
}

/// A number in [0, 1) with 53 random bits.
fn uniform(draws: &mut Xoshiro256PlusPlus) -> f64 {
    (draws.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
