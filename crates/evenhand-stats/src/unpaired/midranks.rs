//! Which rank does each value have, when ties share the mean of their ranks?
//!
//! Values that follow each other in sorted order at a distance below the tolerance are ties (Perfolizer's rule,
//! which lets a threshold be subtracted without rounding breaking ties apart). Ranks count from 1.
//!
//! Tests: tests/rank_tests.rs

/// Ranks in the order of the values, and how much the ties take from the variance of a rank sum.
pub(super) struct Midranks {
    pub(super) ranks: Vec<f64>,
    /// Sum of t³ − t over all groups of t tied values; 0 without ties.
    pub(super) tie_term: f64,
}

pub(super) fn midranks(values: &[f64], tolerance: f64) -> Midranks {
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
