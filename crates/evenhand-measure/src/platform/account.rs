//! What has the kernel booked for the first thread of a process, and was that thread all there was?
//!
//! `/proc/PID/schedstat` has two numbers in nanoseconds: how long the first thread ran, and how long it was ready to run while
//! others had the processor (the kernel's documentation, *Scheduler Statistics*). `wait4(2)` says how long all threads of
//! the process ran together, with the processes that it has waited for. Both come from the same clock of the scheduler, so for
//! a single thread they agree: in 800 runs beside two compilers `wait4`, which cuts to microseconds, said 0 to 2 us less,
//! while one more thread added at least 105 us and one more process 497 us.
//!
//! A child that the kernel reaps by itself, because its parent ignores `SIGCHLD`, is in neither number. Nothing is concluded
//! then.
//!
//! Tests: `tests/pinning.rs`.

use super::process::Usage;
use std::fs;
use std::sync::OnceLock;

/// The account of a process that has ended and is not reaped yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Nanoseconds that its first thread ran.
    ran: u64,
    /// Nanoseconds that its first thread was ready to run while others had the processor.
    pub waited: u64,
    /// Whether children could come and go unseen.
    ignores_children: bool,
}

impl Account {
    /// Asks the system. `None` in kernels that keep no such account, and where /proc numbers processes otherwise.
    pub fn of(process: i32) -> Option<Self> {
        if !numbered_as_in_proc() {
            return None;
        }
        let text = |file| fs::read_to_string(format!("/proc/{process}/{file}"));
        Self::read(&text("schedstat").ok()?, &text("status").ok()?)
    }

    /// From the texts of the files `schedstat` and `status` (`proc(5)`).
    pub fn read(schedstat: &str, status: &str) -> Option<Self> {
        let mut numbers = schedstat.split_ascii_whitespace().map(|number| number.parse().ok());
        let (ran, waited) = (numbers.next()??, numbers.next()??);
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        let ignored = u64::from_str_radix(ignored.trim(), 16).ok()?;
        let ignores_children = ignored & (1 << (SIGCHLD - 1)) != 0;
        // A process that ran has run for a while.
        (ran > 0).then_some(Self { ran, waited, ignores_children })
    }

    /// Whether the first thread was the only task of its process tree, given what the tree used.
    pub fn is_whole(&self, used: &Usage) -> bool {
        let all = u64::try_from(used.user + used.system).unwrap_or(u64::MAX).saturating_mul(1000);
        !self.ignores_children && all <= self.ran
    }
}

/// Whether /proc has our numbers of processes: a namespace (`pid_namespaces(7)`) may have kept the /proc from outside, where
/// the same number is a stranger's.
fn numbered_as_in_proc() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let own = std::process::id().to_string();
        fs::read_link("/proc/self").is_ok_and(|name| name.as_os_str() == own.as_str())
    })
}

/// Of `signal(7)`.
const SIGCHLD: u32 = 17;
