//! On which machine, with which tools, started how?
//!
//! Every field may be missing: a portable fallback knows less than Linux, and a foreign file says what it says. Nothing
//! secret is kept: of the environment variables only those on an allow-list, and the list is in the prober.
//!
//! Tests: `tests/json.rs`.

use crate::rule::is_finite;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The machine, the tools and the way the trial was started.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The name of the machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The operating system, such as `Debian GNU/Linux 12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The kernel and its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The instruction set, such as `x86_64`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// The processor.
    #[serde(skip_serializing_if = "Cpu::is_unknown")]
    pub cpu: Cpu,
    /// Main memory in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Memory that the control group may use, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
    /// The size of a page in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page_bytes: Option<u64>,
    /// Whether the kernel gives every process its own random layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aslr: Option<bool>,
    /// The hypervisor or container, `none` on bare metal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Share of the processor time since boot that the hypervisor gave to others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steal_share: Option<f64>,
    /// How many processes wanted to run, on average over 1, 5 and 15 minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load_average: Option<[f64; 3]>,
    /// The logical processors that the arms were pinned to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pinned_to: Vec<u32>,
    /// The clock that took the times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// Versions of compilers, runtimes and other tools.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, String>,
    /// The source that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<Git>,
    /// The command line that started the trial.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The directory that it was started in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Environment variables that change what runs, from an allow-list.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, String>,
    /// What another tool wrote of the environment, under its own names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub other: BTreeMap<String, String>,
}

/// The processor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cpu {
    /// What it calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Logical processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logical: Option<u32>,
    /// Cores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Whether two logical processors share a core.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// Who decides the frequency, such as `performance`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether the frequency may rise above the nominal one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// Nominal or present frequency in MHz.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mhz: Option<f64>,
    /// Processor time that the control group may use, in processors: 0.5 is half of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// Logical processors that the scheduler leaves alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub isolated: Vec<u32>,
}

impl Environment {
    /// Whether every figure is a finite number.
    pub(crate) fn is_finite(&self) -> bool {
        let clock = self.clock.iter().flat_map(|clock| [Some(clock.cost_ns), Some(clock.resolution_ns)]);
        let load = self.load_average.into_iter().flatten().map(Some);
        is_finite(clock.chain(load).chain([self.steal_share, self.cpu.mhz, self.cpu.limit]))
    }
}

impl Cpu {
    fn is_unknown(&self) -> bool {
        *self == Self::default()
    }
}

/// The clock that took the times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// What it is called, such as `CLOCK_MONOTONIC (tsc)`.
    pub source: String,
    /// What one reading costs, in nanoseconds: the median of many.
    pub cost_ns: f64,
    /// The smallest step above 0 seen between two readings, in nanoseconds.
    pub resolution_ns: f64,
}

/// The source that was measured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Git {
    /// The commit's full name.
    pub commit: String,
    /// Whether files differed from it.
    pub dirty: bool,
    /// The branch, if one was checked out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}
