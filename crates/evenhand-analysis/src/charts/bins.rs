//! How many samples are where? Counted between edges, with what lies outside.
//!
//! Tests: `tests/analysis/charts.rs`, `tests/analysis/pictures.rs`.

use evenhand_stats::level::quantile::Sorted;
use serde::Serialize;

/// Samples counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bins {
    /// Where they begin, and where the last ends.
    pub edges: Vec<f64>,
    pub counts: Vec<u64>,
    pub below: u64,
    pub above: u64,
}

impl Bins {
    /// Those of one width. An edge belongs to the bin behind it, the last one to the last bin.
    pub(super) fn even(sorted: &Sorted, [from, to]: [f64; 2], count: usize) -> Self {
        let width = (to - from) / count as f64;
        let edges = (0..count).map(|edge| from + width * edge as f64);
        Self::between(sorted, edges.chain([to]).collect())
    }

    /// Those of one factor, of samples above zero: the room around samples that are all alike may not be.
    pub(super) fn by_factor(sorted: &Sorted, [from, to]: [f64; 2], count: usize) -> Self {
        let from = if from > 0.0 { from } else { sorted.min() };
        let edges = (0..count).map(|edge| from * (to / from).powf(edge as f64 / count as f64));
        Self::between(sorted, edges.chain([to]).collect())
    }

    pub(super) fn between(sorted: &Sorted, edges: Vec<f64>) -> Self {
        let samples = sorted.as_slice();
        let before = |edge: f64| samples.partition_point(|sample| *sample < edge) as u64;
        let mut begins: Vec<u64> = edges.iter().map(|edge| before(*edge)).collect();
        let last = edges.len() - 1;
        begins[last] = samples.partition_point(|sample| *sample <= edges[last]) as u64;
        let counts = begins.windows(2).map(|ends| ends[1].saturating_sub(ends[0])).collect();
        Self { below: begins[0], above: samples.len() as u64 - begins[last], edges, counts }
    }

    /// All samples, those outside included.
    pub fn samples(&self) -> u64 {
        self.below + self.counts.iter().sum::<u64>() + self.above
    }
}
