//! How is a note said to people? In one sentence.
//!
//! Tests: `tests/notes.rs`.

use super::counted;
use crate::note::{Coldness, Differing, Note, WhyNotPinned};
use std::fmt;

/// How much of a part that differs is shown, at most.
const MOST_SHOWN: usize = 4;

/// A start draws its own luck, which the coin inside it cannot share out.
const ONE_START: &str = "each side was started once, so this compares these two starts; two starts of one program can differ. \
                         Without --launches 1 the verdict also holds for the next start";

/// What nobody started here cannot be started again.
const RUNNING_INSTANCES: &str =
    "this compares these running instances; after a restart the same programs can differ";

/// A start draws its own luck here, too.
const STARTED_ONCE: &str =
    "this compares one start of each service; after a restart the same programs can differ";

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PinnedTo { cpus } if cpus.len() == 1 => write!(f, "pinned to CPU {}", processors(cpus)),
            Self::PinnedTo { cpus } => write!(f, "pinned to CPUs {}", processors(cpus)),
            Self::NotPinned(why) => write!(f, "not pinned to one CPU: {why}"),
            Self::InLockstep { cpus } => {
                write!(f, "both ran at the same time, on CPUs {}", processors(cpus))
            }
            Self::LaunchesOn { cpus } => write!(f, "all ran on CPUs {}", processors(cpus)),
            Self::EachLaunchOnOne { cpus } => {
                write!(f, "each launch ran on one CPU: {}", joined(cpus, " or "))
            }
            Self::TurnsAskedFor { why } => write!(f, "{why}, so each turn was requested"),
            Self::OneStart => f.write_str(ONE_START),
            Self::RunningInstances
            | Self::ServicesStartedOnce
            | Self::FellBehind { .. }
            | Self::RequestsFailed { .. }
            | Self::GeneratorBusy { .. }
            | Self::GeneratorLate { .. }
            | Self::BusyWhileIdle { .. } => self.of_services(f),
            Self::Cold(coldness) => coldness.fmt(f),
            Self::LeftBehind { arm, processes, runs } => left_behind(arm, *processes, *runs, f),
            Self::LostPeaks { mib, runs } => lost_peaks(*mib, *runs, f),
            Self::Waited { percent } => waited(*percent, f),
            Self::SameBytes { programs } => same_bytes(programs, f),
            Self::NotInSide { side, benchmarks } => {
                write!(f, "not in {side}, so not compared: {}", benchmarks.join(", "))
            }
            Self::WentOn { at, samples } => {
                write!(f, "resumed at {}, after {samples} samples", at.strftime("%Y-%m-%d %H:%M UTC"))
            }
            Self::OnlyIn { trial, arm, others } => only_in(trial, arm, *others, f),
            Self::CutOff { trial } => {
                write!(f, "{trial} was interrupted: the samples that it has are compared")
            }
            Self::MachinesDiffer { parts } => machines_differ(parts, f),
            Self::Of { trial, note } => write!(f, "{trial}: {note}"),
            Self::Salvaged { lost } => {
                write!(f, "salvaged from a damaged archive, without: {}", lost.join("; "))
            }
            Self::Counters { what } | Self::Said(what) => f.write_str(what),
        }
    }
}

impl Note {
    /// Those that services under load have.
    fn of_services(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RunningInstances => f.write_str(RUNNING_INSTANCES),
            Self::ServicesStartedOnce => f.write_str(STARTED_ONCE),
            Self::FellBehind { arm, slices, of } => write!(
                f,
                "`{arm}` could not keep up in {}, so its response depends on their length: use a lower rate",
                slices_of(*slices, *of)
            ),
            Self::RequestsFailed { arm, requests, of } => {
                let all = counted(*of as usize, "request");
                write!(f, "{requests} of {all} to `{arm}` failed; they count as slower than all others")
            }
            Self::GeneratorBusy { arm, slices, of } => {
                let slices = slices_of(*slices, *of);
                write!(f, "evenhand itself was the limit in {slices} of `{arm}`: use a lower rate")
            }
            Self::GeneratorLate { arm, slices, of } => write!(
                f,
                "evenhand itself was late by over 10 % of the response in {} of `{arm}`, so a change looks smaller than it is",
                slices_of(*slices, *of)
            ),
            Self::BusyWhileIdle { arm, percent } => write!(
                f,
                "`{arm}` used {percent} % of a CPU while the other services were loaded, which may slow them"
            ),
            // The others are said by their own words.
            _ => Ok(()),
        }
    }
}

impl fmt::Display for WhyNotPinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Several { arm } => write!(f, "`{arm}` runs several threads or processes"),
            Self::Unproven { arms } => {
                let (run, them) = if arms.len() == 1 { ("runs", "it") } else { ("run", "them") };
                let arms: Vec<String> = arms.iter().map(|arm| format!("`{arm}`")).collect();
                let arms = arms.join(" and ");
                write!(f, "{arms} {run} several threads or processes; --pin N pins {them}")
            }
            Self::Refused { reason } => f.write_str(reason),
        }
    }
}

impl fmt::Display for Coldness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("the file cache was dropped before each run"),
            Self::Some { files } => write!(
                f,
                "only these files were dropped from the cache before each run: {}; run as root to drop all",
                files.join(", ")
            ),
            Self::Nothing => f.write_str("the file cache could not be dropped here, so no run was cold"),
        }
    }
}

impl fmt::Display for Differing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.each.iter().take(MOST_SHOWN).map(|(trial, what)| format!("{what} in {trial}"));
        let more = (self.each.len() > MOST_SHOWN).then(|| "…".to_owned());
        write!(f, "{}: {}", self.part, shown.chain(more).collect::<Vec<_>>().join(", "))
    }
}

/// `2 of 30 slices`
fn slices_of(some: u64, all: u64) -> String {
    format!("{some} of {}", counted(all as usize, "slice"))
}

fn left_behind(arm: &str, processes: u64, runs: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (left, runs) = (counted(processes as usize, "process"), counted(runs as usize, "run"));
    let (they_were, their) = if processes == 1 { ("it was", "its") } else { ("they were", "their") };
    write!(
        f,
        "`{arm}` left {left} running in {runs}; {they_were} killed, and {their} usage until then is included"
    )
}

fn lost_peaks(mib: f64, runs: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let runs = counted(runs as usize, "run");
    write!(f, "peak memory below {mib:.1} MiB cannot be measured here; it is missing in {runs}")
}

fn waited(percent: f64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(
        f,
        "{percent} % of wall time was spent waiting for a CPU and is excluded from `time` (include it: --metric wall)"
    )
}

fn same_bytes(programs: &[String], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let programs = programs.join(", ");
    write!(f, "both sides of {programs} are identical files: any difference is chance")
}

fn only_in(trial: &str, arm: &str, others: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    write!(f, "only in {trial}, so not compared: {arm}{more}")
}

fn machines_differ(parts: &[Differing], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let parts = joined(parts, "; ");
    write!(f, "the machines differ, so a difference may be due to them ({parts})")
}

fn joined(all: &[impl fmt::Display], between: &str) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// Numbers of processors: `0-3, 8`.
pub fn processors(cpus: &[u32]) -> String {
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
