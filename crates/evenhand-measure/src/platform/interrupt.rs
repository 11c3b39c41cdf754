//! Has the user had enough? Ctrl-C and its kin (SIGINT, SIGTERM, SIGHUP).
//!
//! The first wakes whoever waits for a measured process, who ends it politely and keeps what was measured. The second
//! ends all that runs at once, and this program with code 130. A terminal that is closed sends SIGHUP twice, once itself and
//! once through its shell, so a SIGHUP counts only as the first.
//!
//! A group is started and reaped under a lock, so a second signal always finds the group that runs, and never a stranger
//! that has got its number since.
//!
//! Tests: `tests/interrupt.rs`, `tests/signals.rs`.

use std::collections::BTreeSet;
use std::io;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The code that a shell gives to a program that Ctrl-C has ended: 128 + SIGINT.
pub const EXIT_CODE: i32 = 130;

/// Whether the user has asked to end, and how often. Clones are the same.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    requests: AtomicU32,
    /// The process groups that run: a command, or the workers of a launch.
    running: Mutex<BTreeSet<i32>>,
    #[cfg(unix)]
    bell: Bell,
}

/// A byte that is written once and never read, so that everyone who polls sees it.
#[cfg(unix)]
#[derive(Debug)]
struct Bell {
    reader: std::os::unix::net::UnixStream,
    writer: std::os::unix::net::UnixStream,
}

impl Interrupt {
    /// An interrupt that no signal triggers.
    ///
    /// # Errors
    /// If there are no file descriptors left.
    pub fn by_hand() -> io::Result<Self> {
        #[cfg(unix)]
        let (reader, writer) = std::os::unix::net::UnixStream::pair()?;
        Ok(Self(Arc::new(Inner {
            requests: AtomicU32::new(0),
            running: Mutex::new(BTreeSet::new()),
            #[cfg(unix)]
            bell: Bell { reader, writer },
        })))
    }

    /// An interrupt that signals trigger from now on: call it once. After the second signal `farewell` is called, to
    /// leave the terminal as it was, and the program ends with [`EXIT_CODE`]. Signals that whoever started this program
    /// wants ignored (`nohup`) stay ignored.
    ///
    /// # Errors
    /// If the signals cannot be caught.
    #[cfg(unix)]
    pub fn by_signals(farewell: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        Self::by_thread(farewell).map_err(|error| {
            let message =
                format!("cannot listen for Ctrl-C: {error}; raise the limits on files and processes");
            io::Error::new(error.kind(), message + " (ulimit -n, ulimit -u)")
        })
    }

    #[cfg(unix)]
    fn by_thread(farewell: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let interrupt = Self::by_hand()?;
        let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal));
        let mut signals = signal_hook::iterator::Signals::new(wanted)?;
        let signalled = interrupt.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            for signal in signals.forever() {
                let again = signal == SIGHUP && signalled.is_requested();
                if !again && signalled.request() >= 2 {
                    break;
                }
            }
            // Nothing may be started any more.
            let _running = signalled.running();
            farewell();
            std::process::exit(EXIT_CODE);
        })?;
        Ok(interrupt)
    }

    /// No signals are caught here: Ctrl-C ends the program and what it runs.
    ///
    /// # Errors
    /// None here.
    #[cfg(not(unix))]
    pub fn by_signals(_: impl FnOnce() + Send + 'static) -> io::Result<Self> {
        Self::by_hand()
    }

    /// Asks to end, and answers how often that has been asked. The second time ends the running groups at once.
    pub fn request(&self) -> u32 {
        let requests = self.0.requests.fetch_add(1, Ordering::SeqCst) + 1;
        #[cfg(unix)]
        if requests == 1 {
            // Room for one byte is always there.
            let _ = io::Write::write(&mut &self.0.bell.writer, b"!");
        }
        if requests >= 2 {
            self.running().iter().for_each(|group| super::signals::kill_group(*group));
        }
        requests
    }

    /// Whether the user has asked to end.
    pub fn is_requested(&self) -> bool {
        self.0.requests.load(Ordering::SeqCst) > 0
    }

    /// The running groups, under their lock.
    pub(crate) fn running(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        // A number is never half written.
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Can be polled: readable once the user has asked to end, and for ever after.
    #[cfg(unix)]
    pub(crate) fn bell(&self) -> std::os::fd::BorrowedFd<'_> {
        std::os::fd::AsFd::as_fd(&self.0.bell.reader)
    }
}

/// Whether a signal is ignored, by the bits of `SigIgn` in `proc_pid_status(5)`. Where there is no such file, it is not.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let bits = bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or(0);
    bits & (1 << (signal - 1)) != 0
}
