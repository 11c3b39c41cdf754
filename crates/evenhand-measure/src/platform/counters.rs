//! What does the processor count while a process runs? `perf_event_open(2)`: events that are attached to this thread, are
//! inherited by what it starts, and count only from `exec` on, so that only the measured program counts.
//!
//! They are opened afresh for each run. The kernel may swap the events of two threads that have the same ones when it
//! switches from one to the other; then ours goes with the program and ends with it. It has counted all of that run, but
//! would count no other: seen on Linux 6.18 after a few runs.
//!
//! Virtual machines often have no such counters, and the system may forbid them (`perf_event_paranoid`,
//! <https://docs.kernel.org/admin-guide/perf-security.html>); then the reason is said. Where only the program's own part
//! may be counted, without the kernel's, that is counted and said.
//!
//! Tests: `tests/counters.rs`, with events that the kernel counts itself, which every machine has.

use super::calls;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;

/// Something that is counted: numbers of <linux/perf_event.h>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What people call it.
    pub name: &'static str,
    /// `PERF_TYPE_HARDWARE` is 0, `PERF_TYPE_SOFTWARE` 1.
    kind: u32,
    number: u64,
}

/// What processors count.
pub const HARDWARE: [Event; 5] = [
    Event { name: "instructions", kind: 0, number: 1 },
    Event { name: "cycles", kind: 0, number: 0 },
    Event { name: "branches", kind: 0, number: 4 },
    Event { name: "branch_misses", kind: 0, number: 5 },
    Event { name: "cache_misses", kind: 0, number: 3 },
];

/// What the kernel counts itself.
pub const SOFTWARE: [Event; 3] = [
    Event { name: "task_clock", kind: 1, number: 1 },
    Event { name: "page_faults", kind: 1, number: 2 },
    Event { name: "context_switches", kind: 1, number: 3 },
];

/// Counters of the next run that this thread starts.
#[derive(Debug)]
pub struct Counters {
    open: Vec<(Event, OwnedFd)>,
    /// Why some are missing, or what they leave out.
    pub note: Option<String>,
}

impl Counters {
    /// Opens those that this machine has, for the calling thread.
    pub fn open(events: &[Event]) -> Self {
        let (mut open, mut refusal, mut without_kernel) = (Vec::new(), None, false);
        for event in events {
            match open_one(event) {
                Ok((descriptor, whole)) => {
                    without_kernel |= !whole;
                    open.push((*event, descriptor));
                }
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
        let note = match refusal {
            Some(error) if open.is_empty() => Some(explain(&error)),
            _ if without_kernel => Some(
                "hardware counters leave out the kernel's part here: `sudo sysctl kernel.perf_event_paranoid=1` \
                 would let it be counted"
                    .to_owned(),
            ),
            _ => None,
        };
        Self { open, note }
    }

    /// What is counted.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.open.iter().map(|(event, _)| event)
    }

    /// What was counted, once the run is over. Counters that had to share the processor's are scaled up; NaN if one never
    /// had its turn.
    pub fn counts(&self) -> Vec<f64> {
        self.open.iter().map(|(_, descriptor)| count(descriptor).unwrap_or(f64::NAN)).collect()
    }
}

/// Whether the kernel's part is counted, too.
fn open_one(event: &Event) -> io::Result<(OwnedFd, bool)> {
    match calls::open_counter(event.kind, event.number, true) {
        Ok(descriptor) => Ok((descriptor, true)),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            calls::open_counter(event.kind, event.number, false).map(|descriptor| (descriptor, false))
        }
        Err(error) => Err(error),
    }
}

/// From three numbers: the count, and for how long it was wanted and counted.
fn count(descriptor: &OwnedFd) -> io::Result<f64> {
    let mut bytes = [0; 24];
    if rustix::io::read(descriptor, &mut bytes)? != bytes.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let (numbers, _) = bytes.as_chunks();
    let mut numbers = numbers.iter().map(|number| u64::from_ne_bytes(*number));
    let mut next = || numbers.next().unwrap_or(0) as f64;
    let (value, enabled, running) = (next(), next(), next());
    Ok(if running >= enabled && running > 0.0 { value } else { (value * (enabled / running)).round() })
}

fn explain(error: &io::Error) -> String {
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let why = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) => format!(
            "the system does not allow them (perf_event_paranoid is {}): `sudo sysctl kernel.perf_event_paranoid=2`, \
             or the container's rules, would",
            paranoid.trim()
        ),
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => {
            "the processor shows none, as is usual in a virtual machine".to_owned()
        }
        Some(libc::ENOSYS) => "the kernel was built without them".to_owned(),
        _ => "opening one failed".to_owned(),
    };
    format!("no hardware counters here: {why} ({error})")
}
