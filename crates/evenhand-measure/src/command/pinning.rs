//! On which processor do the commands run? All on the same one if they can: two processors of a machine, of one kind,
//! differ by up to a quarter in speed, and the scheduler picks one per run.
//!
//! A command that uses several processors would be another command on one. So the first runs of each are free, until
//! each is proven to be a single task ([`proof`](super::proof)); if one of them is not, none is pinned.
//!
//! The same proof decides whether `time` is known: what a single task waited for a processor, it waited for others.
//!
//! This thread is pinned, and what it starts inherits that: it sleeps while a command runs, and wakes where the
//! command was.
//!
//! Tests: `tests/pinning.rs`.

use super::proof::{Evidence, Proof, Proven};
use super::{Pin, metrics};
use crate::finish::ExecutorError;
use crate::noise;
use crate::platform::affinity;
use crate::platform::process::ProcessRun;
use evenhand_trial::ArmId;
use evenhand_trial::words::processors;
use std::io;

/// Pins a group, and lets it free again.
#[derive(Debug, Default)]
pub struct Pinning {
    /// What was allowed before.
    before: Vec<u32>,
    /// Whether this thread is kept on fewer now.
    is_kept: bool,
    /// Whether it is ours to choose: a group of single tasks is pinned, and let go once one turns out to be none.
    is_ours: bool,
    tasks: Tasks,
}

/// What is known of the tasks of the group.
#[derive(Debug, Default)]
enum Tasks {
    /// Some command has several, or nobody knows.
    #[default]
    Unknown,
    /// The first runs are looked at.
    Asked(Proof),
    /// Each command was seen to be a single one.
    Single,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// All run on these processors.
    Pinned(Vec<u32>),
    /// This arm uses several processors, so none is pinned.
    Several(ArmId),
    /// These arms may use several processors, so none is pinned.
    Unproven(Vec<ArmId>),
    /// The system does not allow it.
    Refused(String),
}

impl Pinning {
    /// Begins a group.
    ///
    /// # Errors
    /// If a processor that the user wants may not be used.
    pub fn begin(&mut self, pin: &Pin, arms: &[ArmId]) -> Result<Option<Decision>, ExecutorError> {
        self.end();
        self.before = affinity::allowed().unwrap_or_default();
        self.tasks = Tasks::Asked(Proof::of(arms));
        self.is_ours = *pin == Pin::Auto && self.before.len() > 1;
        match pin {
            Pin::None => Ok(None),
            Pin::Auto if self.before.is_empty() => {
                Ok(Some(Decision::Refused("the allowed CPUs are unknown".to_owned())))
            }
            // There is no choice.
            Pin::Auto if self.before.len() == 1 => Ok(Some(Decision::Pinned(self.before.clone()))),
            Pin::Auto => Ok(None),
            Pin::Cpus(cpus) => {
                refuse_unknown(cpus, &self.before)?;
                self.keep_on(cpus).map(Some).map_err(|error| {
                    ExecutorError(format!(
                        "cannot pin to {}: {error}; --pin none does without",
                        processors(cpus)
                    ))
                })
            }
        }
    }

    /// Whether each command may be a single task, as far as its runs have shown.
    pub fn may_be_single(&self) -> bool {
        !matches!(self.tasks, Tasks::Unknown)
    }

    /// Learns from a run. Answers when that decides something.
    pub fn learn(&mut self, arm: ArmId, run: &ProcessRun) -> Option<Decision> {
        let cpu = run.usage.map_or(0, |used| metrics::cpu(&used)) as f64 * 1000.0;
        let run = Evidence { cpu, wall: run.wall as f64, is_single: run.waited.is_some() };
        let answer = match &mut self.tasks {
            Tasks::Unknown => return None,
            Tasks::Asked(proof) => proof.take(arm, run)?,
            Tasks::Single if run.is_single => return None,
            Tasks::Single => Proven::Several(arm),
        };
        self.tasks = if answer == Proven::Single { Tasks::Single } else { Tasks::Unknown };
        match answer {
            _ if !self.is_ours => None,
            Proven::Single => self.settle(),
            Proven::Several(arm) => {
                self.release();
                Some(Decision::Several(arm))
            }
            Proven::Unproven(arms) => Some(Decision::Unproven(arms)),
        }
    }

    fn settle(&mut self) -> Option<Decision> {
        let Some(cpu) = noise::quietest(&self.before) else {
            return Some(Decision::Refused("the system refused it".to_owned()));
        };
        Some(self.keep_on(&[cpu]).unwrap_or_else(|error| Decision::Refused(error.to_string())))
    }

    fn keep_on(&mut self, cpus: &[u32]) -> io::Result<Decision> {
        affinity::restrict(cpus)?;
        self.is_kept = true;
        Ok(Decision::Pinned(cpus.to_vec()))
    }

    /// No more runs come. What stayed open, if something did.
    pub fn give_up(&mut self) -> Option<Decision> {
        let Tasks::Asked(proof) = &self.tasks else { return None };
        let unproven: Vec<ArmId> = proof.unproven().collect();
        self.tasks = Tasks::Unknown;
        (self.is_ours && !unproven.is_empty()).then_some(Decision::Unproven(unproven))
    }

    /// Ends a group.
    pub fn end(&mut self) {
        self.release();
        self.tasks = Tasks::Unknown;
    }

    /// Lets this thread run where it could before.
    fn release(&mut self) {
        if std::mem::replace(&mut self.is_kept, false) {
            // These processors were allowed a moment ago; if they are gone since, the system has chosen others.
            let _ = affinity::restrict(&self.before);
        }
    }
}

impl Drop for Pinning {
    fn drop(&mut self) {
        self.end();
    }
}

fn refuse_unknown(wanted: &[u32], allowed: &[u32]) -> Result<(), ExecutorError> {
    if allowed.is_empty() {
        return Err(ExecutorError("this system cannot pin: use --pin none".to_owned()));
    }
    if wanted.is_empty() {
        return Err(ExecutorError(format!("--pin names no CPU: choose from {}", processors(allowed))));
    }
    match wanted.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(()),
        Some(cpu) => {
            Err(ExecutorError(format!("no CPU {cpu} to pin to: choose from {}", processors(allowed))))
        }
    }
}
