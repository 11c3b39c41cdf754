//! What does only the operating system know? The one module that asks it: elsewhere there are no system calls beyond
//! those of the standard library's files, processes and time.
//!
//! On Linux nearly everything stands in files, so [`linux`] compiles everywhere and is tested with files of other
//! machines.
//!
//! Tests: `tests/machines.rs`, `tests/probe.rs`, `tests/programs.rs`, `tests/command.rs`.

pub mod account;
pub mod addresses;
pub mod affinity;
pub mod cache;
#[cfg(target_os = "linux")]
mod calls;
pub mod counters;
#[cfg(target_os = "linux")]
pub(crate) mod ending;
pub mod family;
pub mod groups;
pub mod interrupt;
pub mod linux;
pub mod machine;
pub mod other;
pub mod pinned;
pub mod process;
pub(crate) mod signals;

use evenhand_trial::Environment;
use std::process::{Child, Command};

/// What this machine says of itself.
pub fn describe() -> Environment {
    if cfg!(target_os = "linux") {
        linux::describe(&machine::Files::of_this_machine())
    } else {
        other::describe()
    }
}

/// The clock for samples: never goes back, and does not follow the wall clock.
#[derive(Debug, Clone, Copy)]
pub struct Monotonic {
    /// What the system's clock said at the start.
    origin: u64,
}

impl Monotonic {
    /// Begins to count.
    pub fn start() -> Self {
        Self { origin: system_clock() }
    }

    /// Nanoseconds since the start.
    pub fn nanoseconds(&self) -> u64 {
        self.since_start(system_clock())
    }

    /// Nanoseconds from the start to when the system's clock said this: to another process, perhaps.
    pub(crate) fn since_start(&self, reading: u64) -> u64 {
        reading.saturating_sub(self.origin)
    }
}

/// `CLOCK_MONOTONIC`, in nanoseconds: 2^64 of them are 584 years.
#[cfg(target_os = "linux")]
fn system_clock() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Nanoseconds since it was first asked: the standard library does not say what the system's clock says.
#[cfg(not(target_os = "linux"))]
fn system_clock() -> u64 {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}

/// The largest memory that this program has had, in KiB: a process that it starts itself cannot show less, because the
/// kernel counts from before the process becomes its program (`exec_mmap` in fs/exec.c of Linux). Without /proc it is that of
/// `getrusage(2)`, which counts whoever started this program, too. 0 if nobody says.
pub fn own_peak() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok());
    #[cfg(target_os = "linux")]
    let peak = peak.or_else(calls::own_peak);
    peak.unwrap_or(0)
}

/// Takes back the answer to "which of my children ended, and how?": who is started with SIGCHLD ignored would wait for them
/// in vain (`wait(2)`). Call it once, before anything is started.
pub fn hear_of_children() {
    #[cfg(target_os = "linux")]
    calls::heed_children();
}

/// What the clock is called.
pub fn clock_source() -> String {
    if cfg!(target_os = "linux") {
        linux::clock_source(&machine::Files::of_this_machine())
    } else {
        "std::time::Instant".to_owned()
    }
}

/// Makes a program the leader of its own process group, so that it can be stopped with all that it starts.
#[cfg(unix)]
pub(crate) fn lead_a_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Makes a program the leader of its own process group: nothing to do here.
#[cfg(not(unix))]
pub(crate) fn lead_a_group(_: &mut Command) {}

/// Has a program asked to end when this thread has ended, however that came.
pub(crate) fn end_with_starter(command: &mut Command) {
    #[cfg(target_os = "linux")]
    calls::end_with_starter(command);
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Whether a program has ended. It is not reaped, so that its number stays its own.
#[cfg(unix)]
pub(crate) fn has_ended(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else { return false };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // Who cannot be waited for has been.
    waitid(WaitId::Pid(pid), options).map_or(true, |status| status.is_some())
}

/// Nobody is asked here.
#[cfg(not(unix))]
pub(crate) fn has_ended(_: &Child) -> bool {
    false
}

/// Ends a program that leads a group, and what it started.
pub(crate) fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        // It may have ended by itself; there is nothing to do then.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
