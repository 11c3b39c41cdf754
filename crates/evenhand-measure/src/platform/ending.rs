//! How is the end of a child heard in a `poll`? By a pidfd (`pidfd_open(2)`). Kernels before 5.3 have none and old container
//! profiles refuse it; there a thread waits for the child and then closes a pipe, which wakes whoever polls it as well.
//!
//! Tests: `tests/refusals.rs`, `tests/worker/refusals.rs`.

use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::io;
use std::os::fd::OwnedFd;
use std::thread;

/// A descriptor on which `poll` sees something once this child has ended. The child must not be reaped before.
///
/// # Errors
/// There are no descriptors left, or no thread can be made.
pub(crate) fn of_child(number: i32) -> io::Result<OwnedFd> {
    let child = Pid::from_raw(number).ok_or(io::ErrorKind::NotFound)?;
    match pidfd_open(child, PidfdFlags::empty()) {
        Err(Errno::NOSYS | Errno::PERM | Errno::ACCESS) => by_thread(child),
        opened => Ok(opened?),
    }
}

fn by_thread(child: Pid) -> io::Result<OwnedFd> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    let wait = move || {
        // Any other error means that somebody has reaped it, so it has ended, too.
        while let Err(Errno::INTR) = waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {
        }
        drop(writer);
    };
    thread::Builder::new().name("ending".to_owned()).spawn(wait)?;
    Ok(reader)
}
