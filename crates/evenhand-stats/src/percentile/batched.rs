//! Do these samples hide the tail?
//!
//! A sample over many iterations is an average, and averages have short tails: with one call in a hundred
//! slow, a batch of a thousand calls always holds about ten slow ones, so its P99 says nothing of the slow
//! calls (seed 001's second table, where the averaged job shows no tail at all). Percentiles of such samples
//! are percentiles of batch means, and every table that prints them carries this warning.
//!
//! Tests: tests/percentile.rs.

use std::fmt;

/// A warning: samples are averages over several iterations, so their percentiles hide the tail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchedSamples {
    /// The largest number of iterations in one sample.
    pub iterations: u64,
}

impl fmt::Display for BatchedSamples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let iterations = self.iterations;
        write!(f, "each sample averages up to {iterations} iterations, so its percentiles hide the tail")
    }
}

/// The warning due for samples with these iteration counts, if any.
#[must_use]
pub fn batched_samples(iterations: impl IntoIterator<Item = u64>) -> Option<BatchedSamples> {
    let iterations = iterations.into_iter().max()?;
    (iterations > 1).then_some(BatchedSamples { iterations })
}
