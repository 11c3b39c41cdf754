//! When is each request due, and which one is it? The plan of a slice: data, made before anything is sent.
//!
//! Random gaps are those of a Poisson process: gaps of the integrated rate are −ln(u), u uniform in (0, 1] (the first 53 bits of an
//! output of xoshiro256++, plus one, over 2^53), and `rate.rs` turns them into times. Even gaps are 1 of the integrated rate.
//! Operations are drawn from a generator of their own (the first one's, jumped 2^128 outputs ahead, by its authors' `jump`), so
//! another mix leaves the times as they are; what varies in a request is drawn from a third, jumped once more.
//!
//! The same seed gives the same plan, so that both slices of a round get the same arrivals and the same requests. Between platforms
//! the last digit of a logarithm may differ, and with it a nanosecond.
//!
//! Tests: `tests/plan.rs`, against an independent program.

use crate::rate::{Rate, Walk};
use crate::{LoadError, Operation};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// How are the gaps between two requests?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Spacing {
    /// As those of many users who know nothing of each other: a Poisson process.
    #[default]
    Random,
    /// All alike at a constant rate; the first request is due at once.
    Even,
}

/// A request that is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// When it is due, in nanoseconds from the start of the slice.
    pub at: u64,
    /// Which operation it is: its place among those of the workload.
    pub operation: usize,
    /// What varies in it follows from this.
    pub draw: u64,
}

/// The requests of a slice, in the order in which they are due.
#[derive(Debug, Clone)]
pub struct LoadPlan {
    walk: Walk,
    spacing: Spacing,
    gaps: Xoshiro256PlusPlus,
    mix: Mix,
    /// The requests expected until the last one that was given out.
    expected: f64,
    any: bool,
}

impl LoadPlan {
    /// The plan of a seed.
    ///
    /// # Errors
    /// If there is no operation, or one without a positive weight.
    pub fn new(rate: Rate, spacing: Spacing, operations: &[Operation], seed: u64) -> Result<Self, LoadError> {
        Ok(Self {
            walk: Walk::along(rate),
            spacing,
            gaps: Xoshiro256PlusPlus::seed_from_u64(seed),
            mix: Mix::new(operations, seed)?,
            expected: 0.0,
            any: false,
        })
    }

    /// How long the load is.
    pub fn length(&self) -> Duration {
        self.walk.length()
    }

    /// How many operations it was made for.
    pub(crate) fn operations(&self) -> usize {
        self.mix.sums.len()
    }

    fn gap(&mut self) -> f64 {
        match self.spacing {
            Spacing::Random => -uniform(&mut self.gaps).ln(),
            Spacing::Even if self.any => 1.0,
            Spacing::Even => 0.0,
        }
    }
}

impl Iterator for LoadPlan {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        self.expected += self.gap();
        self.any = true;
        let seconds = self.walk.when(self.expected)?;
        Some(self.mix.arrival((seconds * 1e9).round() as u64))
    }
}

/// Which operation comes next, by their weights?
#[derive(Debug, Clone)]
pub(crate) struct Mix {
    draws: Xoshiro256PlusPlus,
    contents: Xoshiro256PlusPlus,
    /// The sums of the weights up to each operation.
    sums: Vec<f64>,
}

impl Mix {
    pub(crate) fn new(operations: &[Operation], seed: u64) -> Result<Self, LoadError> {
        let mut draws = Xoshiro256PlusPlus::seed_from_u64(seed);
        draws.jump();
        let mut contents = draws.clone();
        contents.jump();
        let mut sum = 0.0;
        let mut sums = Vec::with_capacity(operations.len());
        for operation in operations {
            if !(operation.weight.is_finite() && operation.weight > 0.0) {
                return Err(LoadError::Weight { name: operation.name.clone(), weight: operation.weight });
            }
            sum += operation.weight;
            sums.push(sum);
        }
        if sums.is_empty() { Err(LoadError::NoOperation) } else { Ok(Self { draws, contents, sums }) }
    }

    /// The request that is due then.
    pub(crate) fn arrival(&mut self, at: u64) -> Arrival {
        Arrival { at, operation: self.operation(), draw: self.contents.next_u64() }
    }

    fn operation(&mut self) -> usize {
        let last = self.sums.len() - 1;
        if last == 0 {
            return 0;
        }
        let place = uniform(&mut self.draws) * self.sums[last];
        self.sums.partition_point(|sum| *sum < place).min(last)
    }
}

/// Above 0, up to 1.
fn uniform(draws: &mut Xoshiro256PlusPlus) -> f64 {
    ((draws.next_u64() >> 11) as f64 + 1.0) / (1_u64 << 53) as f64
}
