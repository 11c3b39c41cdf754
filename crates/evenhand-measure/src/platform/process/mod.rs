//! How is one process run from its start to its end, its time taken, and everything that it started put away?
//!
//! The clock runs from just before the process is started to the moment that its end is known. Everything that can be
//! done before or after is done there. What a process leaves behind in its group is killed and reaped, and its resources
//! count. On Linux see [`linux`]; elsewhere [`portable`], which knows the time only.
//!
//! Tests: `tests/command.rs`, `tests/interrupt.rs`, `tests/starter.rs`.

#[cfg(target_os = "linux")]
pub mod linux;
pub mod portable;
#[cfg(target_os = "linux")]
mod starter;

#[cfg(target_os = "linux")]
pub use linux::{Poised, Spawnable, poise};
#[cfg(not(target_os = "linux"))]
pub use portable::{Poised, Spawnable, Starter, poise};
#[cfg(target_os = "linux")]
pub use starter::Starter;

pub(crate) use super::signals::{end_group_politely, kill_group};

use super::Monotonic;
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How long a process has to end by itself after it was asked to.
pub const GRACE: Duration = Duration::from_millis(500);

/// How often a process that runs on is talked about.
const TICK: Duration = Duration::from_secs(1);

/// What shall be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub program: PathBuf,
    /// What it is told, its own name first.
    pub words: Vec<OsString>,
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs; here if `None`.
    pub directory: Option<PathBuf>,
}

/// Where a process reads from and writes to.
#[derive(Debug)]
pub struct Streams {
    pub input: File,
    pub output: Stream,
    pub error: Stream,
}

/// Where a process writes to.
#[derive(Debug)]
pub enum Stream {
    /// To wherever this program writes.
    Inherited,
    File(File),
    /// To us.
    Heard,
}

/// Who takes what a process writes.
pub trait Listener {
    /// Takes the next bytes.
    fn hear(&mut self, bytes: &[u8]);
}

/// How long a process may run, and who may end it.
#[derive(Debug, Clone, Copy)]
pub struct Limits<'a> {
    /// The longest it may run.
    pub timeout: Option<Duration>,
    /// The user, who may end it the first time they ask. `patient` processes are ended only the second time.
    pub interrupt: &'a super::interrupt::Interrupt,
    /// Whether the first request does not end it.
    pub patient: bool,
}

/// What came of a process.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessRun {
    pub end: ProcessEnd,
    /// When it began, in nanoseconds of the clock.
    pub started: u64,
    /// How long it ran, in nanoseconds.
    pub wall: u64,
    /// What it used, with all that it waited for or left behind. `None` where the system does not say.
    pub usage: Option<Usage>,
    /// Nanoseconds that it was ready to run while others had the processor: known of a single task only, because several wait
    /// for each other, too. `None` of several, and where the system does not say.
    pub waited: Option<u64>,
    /// How many processes of its group were still running when it ended.
    pub left_behind: u32,
    /// The peak of memory, in KiB, that was passed on to it: that of this program, or 0 if the starter made it. Filled in, like
    /// the counts, by who measures.
    pub floor: i64,
    /// What was counted of it: a number for each event.
    pub counts: Vec<f64>,
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessEnd {
    /// By itself, with a code.
    Exit(i32),
    Signal(i32),
    /// By us: its time was over.
    TimedOut,
    /// By us: the user asked to end.
    Interrupted,
}

/// What the kernel accounts for a process tree (`getrusage(2)`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Microseconds in the program itself.
    pub user: i64,
    /// Microseconds in the kernel.
    pub system: i64,
    /// The largest resident memory of one of the processes, in KiB.
    pub max_rss: i64,
    /// Pages that were there or made.
    pub minor_faults: i64,
    /// Pages that were read from a disk.
    pub major_faults: i64,
    /// Blocks of 512 bytes that were read from a disk.
    pub blocks_in: i64,
    /// Blocks of 512 bytes that were to be written to a disk.
    pub blocks_out: i64,
    /// How often it waited for something.
    pub voluntary_switches: i64,
    /// How often another process was let in.
    pub involuntary_switches: i64,
}

impl Usage {
    /// What two process trees used together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            user: self.user + other.user,
            system: self.system + other.system,
            max_rss: self.max_rss.max(other.max_rss),
            minor_faults: self.minor_faults + other.minor_faults,
            major_faults: self.major_faults + other.major_faults,
            blocks_in: self.blocks_in + other.blocks_in,
            blocks_out: self.blocks_out + other.blocks_out,
            voluntary_switches: self.voluntary_switches + other.voluntary_switches,
            involuntary_switches: self.involuntary_switches + other.involuntary_switches,
        }
    }
}

/// Runs a process to its end, started by this program itself. `padding` is one more variable, as it stands in the
/// environment; `still_runs` is told about once a second for how long it has been running.
///
/// # Errors
/// If it cannot be started.
pub fn run(
    prepared: &Spawnable,
    padding: Option<&CString>,
    streams: &Streams,
    limits: &Limits<'_>,
    clock: &Monotonic,
    listeners: [&mut dyn Listener; 2],
    still_runs: &mut dyn FnMut(Duration),
) -> io::Result<ProcessRun> {
    poise(prepared, None, padding, streams)?.run(limits, clock, listeners, still_runs)
}
