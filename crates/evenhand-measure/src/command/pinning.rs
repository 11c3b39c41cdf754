//! On which processor do the commands run? All on the same one if they can: two processors of a machine, of one kind,
//! differ by up to a quarter in speed, and the scheduler picks one per run.
//!
//! A command that uses several processors would be another command on one. So the first run of each is free, and if one
//! of them used more processor time than time passed, with 5 % for the coarseness of the accounts, none is pinned.
//!
//! This thread is pinned, and what it starts inherits that: it sleeps while a command runs, and wakes where the
//! command was.
//!
//! Tests: `tests/command.rs`.

use super::{Pin, metrics};
use crate::executor::Trouble;
use crate::noise;
use crate::platform::affinity;
use crate::platform::process::Run;
use evenhand_trial::ArmId;
use std::collections::BTreeSet;

/// More processor time per wall time than this is the work of several.
const ALONE: f64 = 1.05;

/// Pins a group, and lets it free again.
#[derive(Debug, Default)]
pub struct Pinning {
    /// What was allowed before.
    before: Vec<u32>,
    /// The arms whose first run is still to come.
    unseen: BTreeSet<ArmId>,
    several: BTreeSet<ArmId>,
    state: State,
}

#[derive(Debug, Default)]
enum State {
    /// Nothing to do.
    #[default]
    Settled,
    /// Looking at first runs.
    Looking,
    Pinned,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// All run on these processors.
    Pinned(Vec<u32>),
    /// These arms use several processors, so none is pinned.
    Several(Vec<ArmId>),
    /// The system does not allow it.
    Refused(String),
}

impl Pinning {
    /// Begins a group.
    ///
    /// # Errors
    /// If a processor that the user wants may not be used.
    pub fn begin(&mut self, pin: &Pin, arms: &[ArmId]) -> Result<Option<Decision>, Trouble> {
        self.end();
        self.before = affinity::allowed().unwrap_or_default();
        self.unseen.clear();
        self.several.clear();
        match pin {
            Pin::None => Ok(None),
            Pin::Auto if self.before.is_empty() => {
                Ok(Some(Decision::Refused("this system knows no way to pin".to_owned())))
            }
            // There is no choice.
            Pin::Auto if self.before.len() == 1 => Ok(Some(Decision::Pinned(self.before.clone()))),
            Pin::Auto => {
                (self.unseen, self.state) = (arms.iter().copied().collect(), State::Looking);
                Ok(None)
            }
            Pin::Cpus(cpus) => {
                refuse_unknown(cpus, &self.before)?;
                affinity::restrict(cpus)
                    .map_err(|error| Trouble(format!("cannot pin to {}: {error}", list(cpus))))?;
                self.state = State::Pinned;
                Ok(Some(Decision::Pinned(cpus.clone())))
            }
        }
    }

    /// Learns from a run. Answers once, when that decides it.
    pub fn learn(&mut self, arm: ArmId, run: &Run) -> Option<Decision> {
        if !matches!(self.state, State::Looking) || !self.unseen.remove(&arm) {
            return None;
        }
        let cpu = run.usage.map_or(0, |used| metrics::cpu(&used)) as f64 * 1000.0;
        if cpu > ALONE * run.wall as f64 {
            self.several.insert(arm);
        }
        if !self.unseen.is_empty() {
            return None;
        }
        self.state = State::Settled;
        if !self.several.is_empty() {
            return Some(Decision::Several(self.several.iter().copied().collect()));
        }
        let cpu = noise::quietest(&self.before)?;
        Some(match affinity::restrict(&[cpu]) {
            Ok(()) => {
                self.state = State::Pinned;
                Decision::Pinned(vec![cpu])
            }
            Err(error) => Decision::Refused(error.to_string()),
        })
    }

    /// Lets this thread run where it could before.
    pub fn end(&mut self) {
        if matches!(self.state, State::Pinned) {
            // These processors were allowed a moment ago; if they are gone since, the system has chosen others.
            let _ = affinity::restrict(&self.before);
        }
        self.state = State::Settled;
    }
}

impl Drop for Pinning {
    fn drop(&mut self) {
        self.end();
    }
}

fn refuse_unknown(wanted: &[u32], allowed: &[u32]) -> Result<(), Trouble> {
    if allowed.is_empty() {
        return Err(Trouble("this system knows no way to pin: use --pin none".to_owned()));
    }
    if wanted.is_empty() {
        return Err(Trouble(format!("--pin names no processor: those here are {}", list(allowed))));
    }
    match wanted.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(()),
        Some(cpu) => {
            Err(Trouble(format!("there is no processor {cpu} to pin to: those here are {}", list(allowed))))
        }
    }
}

/// `0-3, 8`.
pub fn list(cpus: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for cpu in cpus {
        match runs.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*cpu) => *last = *cpu,
            _ => runs.push((*cpu, *cpu)),
        }
    }
    let words = runs.iter().map(
        |(first, last)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        },
    );
    words.collect::<Vec<_>>().join(", ")
}
