//! What did a round give? A sample of each arm that was measured, and what failed. One value from the run of an arm to the
//! journal, the columns of the trial and the stop rule: made once, filled in each round, and read where it lies.
//!
//! Nothing of an earlier round shows in a later one: an arm has a row only if it was measured in this round.
//!
//! Tests: `tests/round.rs`.

use crate::{ArmId, Failure, LaunchId, RoundId, Sample};
use std::ops::Range;

/// A round, which keeps its memory for the next one.
#[derive(Debug, Clone, Default)]
pub struct Round {
    launch: LaunchId,
    number: RoundId,
    rows: Vec<Row>,
    /// The numbers of all rows, one row after the other.
    values: Vec<f64>,
    pub failures: Vec<Failure>,
}

#[derive(Debug, Clone)]
struct Row {
    arm: ArmId,
    position: Option<u32>,
    started: Option<u64>,
    iterations: u64,
    values: Range<usize>,
}

impl Round {
    /// Forgets the last round and begins this one.
    pub fn begin(&mut self, launch: LaunchId, number: RoundId) {
        (self.launch, self.number) = (launch, number);
        self.rows.clear();
        self.values.clear();
        self.failures.clear();
    }

    /// Adds the sample of an arm; see [`Sample`] for what its parts are. `values`: one number for each metric of the trial, NaN
    /// where missing.
    pub fn push(
        &mut self,
        arm: ArmId,
        position: Option<u32>,
        started: Option<u64>,
        iterations: u64,
        values: impl IntoIterator<Item = f64>,
    ) {
        let from = self.values.len();
        self.values.extend(values);
        let values = from..self.values.len();
        self.rows.push(Row { arm, position, started, iterations, values });
    }

    /// In which launch it was.
    pub fn launch(&self) -> LaunchId {
        self.launch
    }

    /// Its number in the launch.
    pub fn number(&self) -> RoundId {
        self.number
    }

    /// How many arms were measured.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no arm was measured.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The samples, in the order in which they were added.
    pub fn samples(&self) -> impl Iterator<Item = (ArmId, Sample<'_>)> {
        self.rows.iter().map(|Row { arm, position, started, iterations, values }| {
            let sample = Sample {
                round: self.number,
                position: *position,
                started: *started,
                iterations: *iterations,
                values: &self.values[values.clone()],
            };
            (*arm, sample)
        })
    }

    /// Where an arm ran, from 0, if it was measured and that is known.
    pub fn position(&self, arm: ArmId) -> Option<u32> {
        self.rows.iter().find(|row| row.arm == arm)?.position
    }

    /// The numbers of an arm, if it was measured.
    pub fn values(&self, arm: ArmId) -> Option<&[f64]> {
        self.rows.iter().find(|row| row.arm == arm).map(|row| &self.values[row.values.clone()])
    }
}
