//! What does only the operating system know? The clock, what this thread has used, sockets that do not block, and waiting for many
//! of them and for a moment. The one module of this crate that asks it.
//!
//! | question | Linux | elsewhere |
//! |---|---|---|
//! | wait until a moment, or until something came | `timerfd` in `epoll`, timer slack 1 ns, the last moment awake | refused |
//! | connect without waiting | `connect(2)` on a non-blocking socket | refused |
//! | when did the last bytes come? | stamps of the kernel, `SO_TIMESTAMPNS` | when they are read |
//! | what did this thread use? | its clock, and `/proc/thread-self/schedstat` | not known |
//!
//! Tests: `tests/truth/`.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::{Receiver, Waiter, connect, is_out_of_sockets, now, usage};

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{Receiver, Waiter, connect, is_out_of_sockets, now, usage};

/// What a thread has used, in nanoseconds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Usage {
    /// Time on a processor.
    pub(crate) processor: u64,
    /// Time that it could have run and waited for a processor. 0 if nobody says.
    pub(crate) queued: u64,
}

/// Something came on a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    /// What it was watched as.
    pub(crate) token: u64,
    /// It can be written to.
    pub(crate) writable: bool,
    /// The other side has ended it, or it failed: it is to be read to its end.
    pub(crate) ended: bool,
}

/// Bytes that came on a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Received {
    pub(crate) length: usize,
    /// When the kernel had the last of them, as a moment of [`now`], if it says.
    pub(crate) arrived: Option<u64>,
}
