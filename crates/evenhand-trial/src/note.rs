//! What should a reader know of how a record came about? Each note is a fact with its figures; `words/notes.rs` says it in a sentence.
//!
//! In JSON a note is an object with its `kind`; or a sentence, where somebody else said it: another tool's file, or version 1, which
//! wrote nothing but sentences. A new kind raises the number of the version.
//!
//! Tests: `tests/notes.rs`.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One fact about how a record came about. Arms, sides and trials are called by their names, processors by their numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Note {
    /// All runs were kept to these processors.
    PinnedTo { cpus: Vec<u32> },
    /// The runs were kept to no single processor.
    NotPinned(WhyNotPinned),
    /// Both arms of a round ran at the same time.
    InLockstep { cpus: Vec<u32> },
    /// All arms of all launches were kept to these processors.
    LaunchesOn { cpus: Vec<u32> },
    /// Each launch was kept to one of these processors.
    EachLaunchOnOne { cpus: Vec<u32> },
    /// The workers could not hand on their turns themselves.
    TurnsAskedFor { why: String },
    /// Each side was started only once.
    OneStart,
    /// The services ran already: none was started for this.
    RunningInstances,
    /// Each service was started only once.
    ServicesStartedOnce,
    /// A service could not keep up with the load in some of its slices.
    FellBehind { arm: String, slices: u64, of: u64 },
    /// Requests to a service got no answer, or a wrong one.
    RequestsFailed { arm: String, requests: u64, of: u64 },
    /// The load generator had no time to spare in some of a service's slices.
    GeneratorBusy { arm: String, slices: u64, of: u64 },
    /// The load generator was late by more than a tenth of the response in some of a service's slices.
    GeneratorLate { arm: String, slices: u64, of: u64 },
    /// A service took this part of a processor, in percent, while others were loaded.
    BusyWhileIdle { arm: String, percent: f64 },
    /// The runs were to be cold.
    Cold(Coldness),
    /// Processes that runs of an arm left running were ended.
    LeftBehind { arm: String, processes: u64, runs: u64 },
    /// The peak memory of runs is lost below that of the process they were made from: so many MiB, rounded up to a tenth.
    LostPeaks { mib: f64, runs: u64 },
    /// Runs waited for a processor that others had: this part of their wall time, in whole percent.
    Waited { percent: f64 },
    /// What hardware counters leave out, in a sentence.
    Counters { what: String },
    /// These programs are the same bytes on both sides.
    SameBytes { programs: Vec<String> },
    /// These benchmarks are not in a side.
    NotInSide { side: String, benchmarks: Vec<String> },
    /// A further session began.
    WentOn { at: Timestamp, samples: u64 },
    /// Only one of the joined trials has this arm, and so many others.
    OnlyIn { trial: String, arm: String, others: u64 },
    /// One of the joined trials did not come to its end.
    CutOff { trial: String },
    /// The joined trials come from different machines.
    MachinesDiffer { parts: Vec<Differing> },
    /// A note of one of the joined trials.
    Of { trial: String, note: Box<Self> },
    /// Parts of the record were lost in a damaged archive.
    Salvaged { lost: Vec<String> },
    /// What somebody else said, in a sentence.
    #[serde(untagged)]
    Said(String),
}

/// Why runs were kept to no single processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum WhyNotPinned {
    /// An arm was seen to use several.
    Several { arm: String },
    /// Arms may use several.
    Unproven { arms: Vec<String> },
    /// The system does not allow it.
    Refused { reason: String },
}

/// Which files were not in memory when a command started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "forgot", rename_all = "snake_case")]
pub enum Coldness {
    /// None was in memory.
    All,
    /// These were not, or had their pages in use elsewhere.
    Some { files: Vec<String> },
    /// No way is known here.
    Nothing,
}

/// A part of the machine that is not the same in all joined trials: what it is in each that knows it, after what the trial is called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differing {
    pub part: String,
    pub each: Vec<(String, String)>,
}

impl Note {
    /// Whether it may change what is believed of a verdict.
    pub fn bears_on_verdict(&self) -> bool {
        match self {
            Self::OneStart
            | Self::RunningInstances
            | Self::ServicesStartedOnce
            | Self::FellBehind { .. }
            | Self::RequestsFailed { .. }
            | Self::GeneratorBusy { .. }
            | Self::GeneratorLate { .. }
            | Self::BusyWhileIdle { .. }
            | Self::LeftBehind { .. }
            | Self::Waited { .. }
            | Self::SameBytes { .. }
            | Self::NotInSide { .. }
            | Self::OnlyIn { .. }
            | Self::CutOff { .. }
            | Self::MachinesDiffer { .. }
            | Self::Salvaged { .. }
            | Self::NotPinned(WhyNotPinned::Unproven { .. })
            | Self::Cold(Coldness::Some { .. } | Coldness::Nothing) => true,
            Self::Of { note, .. } => note.bears_on_verdict(),
            Self::PinnedTo { .. }
            | Self::NotPinned(_)
            | Self::InLockstep { .. }
            | Self::LaunchesOn { .. }
            | Self::EachLaunchOnOne { .. }
            | Self::TurnsAskedFor { .. }
            | Self::Cold(Coldness::All)
            | Self::LostPeaks { .. }
            | Self::Counters { .. }
            | Self::WentOn { .. }
            | Self::Said(_) => false,
        }
    }

    /// Whether two notes say the same, also if one of them is from a version that wrote sentences.
    pub fn says(&self, other: &Self) -> bool {
        self == other || self.to_string() == other.to_string()
    }
}
