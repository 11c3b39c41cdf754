//! How is the end of a child heard in a `poll`? By a pidfd (`pidfd_open(2)`). Kernels before 5.3 have none and old container
//! profiles refuse it; there a thread waits for the child and then closes a pipe, which wakes whoever polls it as well.
//!
//! These threads stay and wait for one child after the other, so that a run makes no task of its own: how many tasks were
//! made during a run tells whether its command is a single one ([`tasks`](super::tasks)).
//!
//! Tests: `tests/refusals.rs`, `tests/worker/refusals.rs`.

use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A descriptor on which `poll` sees something once this child has ended. The child must not be reaped before.
///
/// # Errors
/// There are no descriptors left, or no thread can be made.
pub(crate) fn of_child(number: i32) -> io::Result<OwnedFd> {
    let child = Pid::from_raw(number).ok_or(io::ErrorKind::NotFound)?;
    match pidfd_open(child, PidfdFlags::empty()) {
        Err(Errno::NOSYS | Errno::PERM | Errno::ACCESS) => heard_by_thread(child),
        opened => Ok(opened?),
    }
}

/// A child to wait for, and what is closed when it has ended.
type Task = (Pid, OwnedFd);

/// The threads that wait for nobody.
static IDLE: Mutex<Vec<Sender<Task>>> = Mutex::new(Vec::new());

fn heard_by_thread(child: Pid) -> io::Result<OwnedFd> {
    let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let thread = idle.map_or_else(new_thread, Ok)?;
    thread.send((child, writer)).map_err(io::Error::other)?;
    Ok(reader)
}

fn new_thread() -> io::Result<Sender<Task>> {
    let (sender, tasks) = channel();
    let itself = sender.clone();
    thread::Builder::new().name("endings".to_owned()).spawn(move || wait_for_each(&tasks, &itself))?;
    Ok(sender)
}

fn wait_for_each(tasks: &Receiver<Task>, itself: &Sender<Task>) {
    for (child, writer) in tasks {
        // Any other error means that somebody has reaped it, so it has ended, too.
        while let Err(Errno::INTR) = waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {
        }
        // First idle, so that who is woken by the pipe finds this thread for the next child.
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(itself.clone());
        drop(writer);
    }
}
