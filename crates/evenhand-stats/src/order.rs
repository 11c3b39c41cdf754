//! Values in order: sorted, their middle, their ranks.
//!
//! Ties share the mean of their ranks. Values that follow each other in sorted order at a distance below the
//! tolerance are ties (Perfolizer's rule, which lets a threshold be subtracted without rounding breaking ties
//! apart). Ranks count from 1.
//!
//! Tests: tests/rank_tests.rs, tests/launches.rs, tests/stationarity.rs.

/// The values in ascending order (finite input: checked by the caller).
pub(crate) fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The middle value, of an even count the mean of both middle ones (at least one finite value: checked by the caller).
pub(crate) fn median(values: &[f64]) -> f64 {
    let sorted = ascending(values);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) }
}

/// The value at a real position (from 0) of a sorted slice, linear between neighbours; positions outside are clamped.
pub(crate) fn at_position(ascending: &[f64], position: f64) -> f64 {
    let last = ascending.len() - 1;
    let position = position.clamp(0.0, last as f64);
    let below = position as usize;
    interpolate(ascending[below], ascending[(below + 1).min(last)], position - below as f64)
}

/// `low + t·(high − low)`, monotone in `t`, never outside the two, and finite even where their distance is not.
pub(crate) fn interpolate(low: f64, high: f64, t: f64) -> f64 {
    let distance = high - low;
    let value = if distance.is_finite() { low + t * distance } else { low * (1.0 - t) + high * t };
    value.clamp(low, high)
}

/// Ranks in the order of the values, and how much the ties take from the variance of a rank sum.
pub(crate) struct Midranks {
    pub(crate) ranks: Vec<f64>,
    /// Sum of t³ − t over all groups of t tied values; 0 without ties.
    pub(crate) tie_term: f64,
}

pub(crate) fn midranks(values: &[f64], tolerance: f64) -> Midranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
    let tied = |a: &usize, b: &usize| values[*a] == values[*b] || values[*b] - values[*a] < tolerance;
    let mut ranks = vec![0.0; values.len()];
    let (mut tie_term, mut before) = (0.0, 0.0);
    for group in order.chunk_by(tied) {
        let size = group.len() as f64;
        for index in group {
            ranks[*index] = before + (size + 1.0) / 2.0;
        }
        before += size;
        tie_term += size * (size * size - 1.0);
    }
    Midranks { ranks, tie_term }
}
