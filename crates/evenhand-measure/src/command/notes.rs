//! What should a reader of the record know about how the commands were run? Said once, however many runs there were.
//!
//! Tests: `tests/command.rs`.

use super::metrics;
use super::pinning::Decision;
use crate::platform::process::Usage;
use evenhand_trial::note::{Coldness, WhyNotPinned};
use evenhand_trial::{ArmId, Note};
use std::collections::BTreeMap;

/// So much waiting is worth saying.
const MUCH_WAITING: f64 = 0.05;

/// What was noticed.
#[derive(Debug, Default)]
pub struct Notes {
    pinned: Vec<Decision>,
    coldness: Vec<Coldness>,
    /// Processes, and the runs that left them.
    left_behind: BTreeMap<ArmId, (u64, u64)>,
    /// Runs whose peak memory was lost below that of the process they were made from.
    lost_peaks: u64,
    kept_peaks: u64,
    /// The largest peak that can be lost, in KiB.
    least_peak: i64,
    /// Nanoseconds that runs of single tasks took by the clock, and waited of these.
    wall: u64,
    waited: u64,
    /// What hardware counters leave out.
    counters: Option<String>,
}

impl Notes {
    /// Begins with what hardware counters leave out.
    pub fn on_counters(counters: Option<String>) -> Self {
        Self { counters, ..Self::default() }
    }

    /// Where a group runs.
    pub fn pinned(&mut self, decision: Decision) {
        if !self.pinned.contains(&decision) {
            self.pinned.push(decision);
        }
    }

    /// How cold a run was.
    pub fn cooled(&mut self, coldness: Coldness) {
        if !self.coldness.contains(&coldness) {
            self.coldness.push(coldness);
        }
    }

    /// How many processes a run left behind.
    pub fn left_behind(&mut self, arm: ArmId, count: u32) {
        if count > 0 {
            let (processes, runs) = self.left_behind.entry(arm).or_default();
            *processes += u64::from(count);
            *runs += 1;
        }
    }

    /// What a run used, and the peak of memory (in KiB) of the process that it was made from.
    pub fn peak_memory(&mut self, used: Option<&Usage>, floor: i64) {
        match used {
            Some(used) if metrics::has_own_peak(used, floor) => self.kept_peaks += 1,
            Some(_) => {
                self.lost_peaks += 1;
                self.least_peak = self.least_peak.max(metrics::least_own_peak(floor));
            }
            None => {}
        }
    }

    /// How long a run waited for a processor that others had, of its wall time.
    pub fn waited(&mut self, wall: u64, waited: u64) {
        self.wall += wall;
        self.waited += waited.min(wall);
    }

    /// All of it; `name` says what an arm is called. Where we start programs ourselves, small ones never have a peak that can be
    /// told, and that is said only to those who look for it (`about_memory`), or if some runs have one.
    pub fn all(&self, name: &dyn Fn(ArmId) -> String, about_memory: bool) -> Vec<Note> {
        let mut notes: Vec<Note> = self.pinned.iter().map(|decision| place(decision, name)).collect();
        notes.extend(self.coldness.iter().cloned().map(Note::Cold));
        notes.extend(self.left_behind.iter().map(|(arm, (processes, runs))| Note::LeftBehind {
            arm: name(*arm),
            processes: *processes,
            runs: *runs,
        }));
        if self.lost_peaks > 0 && (about_memory || self.kept_peaks > 0) {
            let mib = (self.least_peak as f64 / 1024.0 * 10.0).ceil() / 10.0;
            notes.push(Note::LostPeaks { mib, runs: self.lost_peaks });
        }
        let share = self.waited as f64 / self.wall.max(1) as f64;
        if share > MUCH_WAITING {
            notes.push(Note::Waited { percent: (100.0 * share).round() });
        }
        notes.extend(self.counters.clone().map(|what| Note::Counters { what }));
        notes
    }
}

fn place(decision: &Decision, name: &dyn Fn(ArmId) -> String) -> Note {
    Note::NotPinned(match decision {
        Decision::Pinned(cpus) => return Note::PinnedTo { cpus: cpus.clone() },
        Decision::Several(arm) => WhyNotPinned::Several { arm: name(*arm) },
        Decision::Unproven(arms) => {
            WhyNotPinned::Unproven { arms: arms.iter().map(|arm| name(*arm)).collect() }
        }
        Decision::Refused(reason) => WhyNotPinned::Refused { reason: reason.clone() },
    })
}
