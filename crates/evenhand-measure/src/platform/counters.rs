//! What does the processor count while a process runs? `perf_event_open(2)`: events that are attached to whoever starts the
//! process, this thread or a process that waits to do it, are inherited by what it starts, and count only from `exec` on, so
//! that only the measured program counts.
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

#[cfg(target_os = "linux")]
use super::calls;
use std::fs::{self, File};
use std::io::{self, Read};

/// Something that is counted: numbers of <linux/perf_event.h>.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What people call it.
    pub name: &'static str,
    /// `PERF_TYPE_HARDWARE` is 0, `PERF_TYPE_SOFTWARE` 1.
    kind: u32,
    number: u64,
}

impl Event {
    /// An event that the kernel counts itself, by its number (`PERF_COUNT_SW_…`).
    pub const fn of_kernel(name: &'static str, number: u64) -> Self {
        Self { name, kind: 1, number }
    }

    const fn of_processor(name: &'static str, number: u64) -> Self {
        Self { name, kind: 0, number }
    }
}

/// What processors count.
pub const HARDWARE: [Event; 5] = [
    Event::of_processor("instructions", 1),
    Event::of_processor("cycles", 0),
    Event::of_processor("branches", 4),
    Event::of_processor("branch_misses", 5),
    Event::of_processor("cache_misses", 3),
];

/// What the kernel counts itself.
pub const SOFTWARE: [Event; 3] = [
    Event::of_kernel("task_clock", 1),
    Event::of_kernel("page_faults", 2),
    Event::of_kernel("context_switches", 3),
];

/// Counters of the next run.
#[derive(Debug)]
pub struct Counters {
    /// In the order of the events that were asked for; `None` for those that could not be opened.
    open: Vec<Option<File>>,
    /// Why some are missing, or what they leave out.
    pub note: Option<String>,
}

impl Counters {
    /// Opens those that this machine has, for the command that `starter` starts next, a process that waits; the calling thread
    /// if it is `None`.
    pub fn open(events: &[Event], starter: Option<i32>) -> Self {
        let (mut open, mut refusal, mut without_kernel) = (Vec::new(), None, false);
        for event in events {
            open.push(match open_one(event, starter.unwrap_or(0)) {
                Ok((counter, whole)) => {
                    without_kernel |= !whole;
                    Some(counter)
                }
                Err(error) => {
                    refusal = refusal.or(Some(error));
                    None
                }
            });
        }
        let note = match refusal {
            Some(error) if open.iter().all(Option::is_none) => Some(explain(&error)),
            _ if without_kernel => Some(
                "hardware counters exclude the kernel here: `sudo sysctl kernel.perf_event_paranoid=1` includes it"
                    .to_owned(),
            ),
            _ => None,
        };
        Self { open, note }
    }

    /// Whether each of the events is counted.
    pub fn is_open(&self) -> impl Iterator<Item = bool> {
        self.open.iter().map(Option::is_some)
    }

    /// What was counted, once the run is over: a number for each of the events, NaN if it is not counted. Counters that had
    /// to share the processor's are scaled up; NaN if one never had its turn.
    pub fn counts(&mut self) -> Vec<f64> {
        let count = |counter: &mut Option<File>| counter.as_mut().and_then(|counter| count(counter).ok());
        self.open.iter_mut().map(|counter| count(counter).unwrap_or(f64::NAN)).collect()
    }
}

/// Whether the kernel's part is counted, too.
#[cfg(target_os = "linux")]
fn open_one(event: &Event, starter: i32) -> io::Result<(File, bool)> {
    let open =
        |with_kernel| calls::open_counter(starter, event.kind, event.number, with_kernel).map(File::from);
    match open(true) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok((open(false)?, false)),
        opened => opened.map(|counter| (counter, true)),
    }
}

/// No other system is asked.
#[cfg(not(target_os = "linux"))]
fn open_one(_: &Event, _: i32) -> io::Result<(File, bool)> {
    Err(io::ErrorKind::Unsupported.into())
}

/// From three numbers: the count, and for how long it was wanted and counted.
fn count(counter: &mut File) -> io::Result<f64> {
    let mut bytes = [0; 24];
    counter.read_exact(&mut bytes)?;
    let (numbers, _) = bytes.as_chunks();
    let [value, enabled, running] = [0, 1, 2].map(|place| u64::from_ne_bytes(numbers[place]));
    Ok(scaled(value, enabled, running))
}

/// The whole count of an event that was wanted for some time and counted for `running` of it.
fn scaled(value: u64, enabled: u64, running: u64) -> f64 {
    if running >= enabled && running > 0 {
        return value as f64;
    }
    (value as f64 * (enabled as f64 / running as f64)).round()
}

#[cfg(not(target_os = "linux"))]
fn explain(_: &io::Error) -> String {
    "no hardware counters: not supported on this system".to_owned()
}

#[cfg(target_os = "linux")]
fn explain(error: &io::Error) -> String {
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    let why = match error.raw_os_error() {
        Some(libc::EACCES | libc::EPERM) if paranoid.trim().parse().is_ok_and(|level: i32| level <= 2) => {
            "the system forbids them: allow perf_event_open in the container's rules".to_owned()
        }
        Some(libc::EACCES | libc::EPERM) => format!(
            "the system forbids them (perf_event_paranoid is {}): allow them with `sudo sysctl \
             kernel.perf_event_paranoid=2` or in the container's rules",
            paranoid.trim()
        ),
        Some(libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP) => {
            "the processor offers none, as is usual in a virtual machine".to_owned()
        }
        Some(libc::ENOSYS) => "the kernel was built without them".to_owned(),
        _ => "opening one failed".to_owned(),
    };
    format!("no hardware counters here: {why} ({error})")
}

#[cfg(test)]
mod tests {
    use super::scaled;

    #[test]
    fn shared_counters_are_scaled_up_and_those_without_a_turn_say_nothing() {
        assert_eq!(scaled(100, 50, 50), 100.0);
        assert_eq!(scaled(100, 50, 25), 200.0);
        assert_eq!(scaled(7, 10, 3), 23.0);
        assert!(scaled(0, 50, 0).is_nan());
    }
}
