//! Does each command keep to a single task? Only then it is the same command on one processor.
//!
//! A run *proves* it when the kernel's accounts of that run have room for no other thread and no other process
//! ([`account`](crate::platform::account)). What else happens on the machine does not matter. One proven run of each command is
//! enough; a later run with more than one task takes it back. After [`PATIENCE`] runs of each the question stays open.
//!
//! More processor time than time passed shows several tasks at once, with 5 % for the coarseness of the accounts.
//!
//! Tests: `tests/pinning.rs`.

use evenhand_trial::ArmId;
use std::collections::BTreeMap;

/// So many runs of each command are asked.
pub const PATIENCE: u32 = 5;
/// More processor time per wall time than this is the work of several.
const ALONE: f64 = 1.05;

/// What a run says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// Processor time, in nanoseconds.
    pub cpu: f64,
    /// Wall time, in nanoseconds.
    pub wall: f64,
    /// Whether it was surely a single task.
    pub is_single: bool,
}

/// What the runs say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proven {
    /// Each is a single task.
    Single,
    /// This one is not, or not always.
    Several(ArmId),
    /// Of these it is not known.
    Unproven(Vec<ArmId>),
}

/// What is known so far.
#[derive(Debug, Default)]
pub struct Proof(BTreeMap<ArmId, ArmProof>);

#[derive(Debug, Default)]
struct ArmProof {
    runs: u32,
    is_proven: bool,
}

impl Proof {
    /// Nothing is known of these yet.
    pub fn of(arms: &[ArmId]) -> Self {
        Self(arms.iter().map(|arm| (*arm, ArmProof::default())).collect())
    }

    /// Takes a run. Answers when that decides it.
    pub fn take(&mut self, arm: ArmId, run: Evidence) -> Option<Proven> {
        let evidence = self.0.entry(arm).or_default();
        evidence.runs += 1;
        if run.cpu > ALONE * run.wall || (evidence.is_proven && !run.is_single) {
            return Some(Proven::Several(arm));
        }
        evidence.is_proven |= run.is_single;
        if self.0.values().all(|evidence| evidence.is_proven) {
            return Some(Proven::Single);
        }
        let is_enough = self.0.values().all(|evidence| evidence.runs >= PATIENCE);
        is_enough.then(|| Proven::Unproven(self.unproven().collect()))
    }

    /// Those that have run and are not known to be single.
    pub fn unproven(&self) -> impl Iterator<Item = ArmId> {
        self.0.iter().filter(|(_, evidence)| evidence.runs > 0 && !evidence.is_proven).map(|(arm, _)| *arm)
    }
}
