//! How does a program fare on a machine that refuses a system call? A seccomp filter
//! (<https://docs.kernel.org/userspace-api/seccomp_filter.html>) answers the call with an error from then on, for a thread
//! and all that it starts: no hardware, old kernel or container is needed. A filter cannot be taken off again.
//!
//! `cargo run -p evenhand-victims --example confined -- pidfd_open=ENOSYS -- evenhand run …` does it by hand.
//!
//! Tests: `crates/evenhand-measure/tests/refusals.rs`, `crates/evenhand-cli/tests/program/machines/`.

use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::panic::resume_unwind;
use std::thread;

/// A call, and the error that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    /// Its number, such as `libc::SYS_pidfd_open`.
    pub call: i64,
    /// The error, such as `libc::ENOSYS`.
    pub errno: i32,
}

/// Calls that are known by name.
const CALLS: [(&str, i64); 9] = [
    ("clone", libc::SYS_clone),
    ("clone3", libc::SYS_clone3),
    ("memfd_create", libc::SYS_memfd_create),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("pidfd_open", libc::SYS_pidfd_open),
    ("prctl", libc::SYS_prctl),
    ("sched_getaffinity", libc::SYS_sched_getaffinity),
    ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ("setpriority", libc::SYS_setpriority),
];
/// Errors that are known by name.
const ERRORS: [(&str, i32); 4] =
    [("EACCES", libc::EACCES), ("EAGAIN", libc::EAGAIN), ("ENOSYS", libc::ENOSYS), ("EPERM", libc::EPERM)];

impl Refusal {
    /// Reads `pidfd_open=ENOSYS`. `None` if the call or the error is not known.
    pub fn named(text: &str) -> Option<Self> {
        let (call, error) = text.split_once('=')?;
        let call = CALLS.iter().find(|(name, _)| *name == call)?.1;
        let errno = ERRORS.iter().find(|(name, _)| *name == error)?.1;
        Some(Self { call, errno })
    }

    fn filter(self) -> seccompiler::Result<BpfProgram> {
        let refused = SeccompAction::Errno(self.errno.unsigned_abs());
        let rules = BTreeMap::from([(self.call, Vec::new())]);
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, ARCH.try_into()?)?;
        Ok(filter.try_into()?)
    }
}

/// Refuses the call to this thread, and to what it starts from now on.
///
/// # Errors
/// The kernel knows no filters.
pub fn refuse(refusal: Refusal) -> seccompiler::Result<()> {
    apply_filter(&refusal.filter()?)
}

/// Does the work on a thread of its own, to which these calls are refused, written as in [`Refusal::named`]. `prctl` comes
/// last, because no further filter can be set without it.
///
/// # Panics
/// If one is not known, or the kernel knows no filters; and if the work panics.
#[expect(clippy::panic, reason = "only tests call it")]
pub fn confined<T: Send>(refusals: &[&str], work: impl FnOnce() -> T + Send) -> T {
    on_own_thread(|| {
        for text in refusals {
            let refusal = Refusal::named(text).unwrap_or_else(|| panic!("{text} is not in confined.rs"));
            refuse(refusal).unwrap_or_else(|error| panic!("cannot refuse {text}: {error}"));
        }
        work()
    })
}

/// Does the work on a thread of its own that has no privileges, whoever started the tests.
///
/// # Panics
/// If the work panics.
#[expect(clippy::panic, reason = "only tests call it")]
pub fn unprivileged<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    on_own_thread(|| {
        // Root would get all of them back with the next program.
        set_no_new_privs(true).unwrap_or_else(|error| panic!("{error}"));
        let none = CapabilitySet::empty();
        let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
        set_capabilities(None, sets).unwrap_or_else(|error| panic!("{error}"));
        work()
    })
}

fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(work).join().unwrap_or_else(|panic| resume_unwind(panic)))
}
