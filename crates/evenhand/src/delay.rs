//! How long was this thread ready to run while others had the processor? Linux counts that for each thread: the second number
//! of `/proc/thread-self/schedstat` (Linux, *Scheduler Statistics*).
//!
//! Tests: `tests/worker.rs`.

use std::fs::File;

/// The counter of the thread that has opened it.
#[derive(Debug)]
pub(crate) struct Delay(File);

impl Delay {
    /// `None` where the system does not count.
    pub(crate) fn open() -> Option<Self> {
        let delay = Self(File::open("/proc/thread-self/schedstat").ok()?);
        (!delay.so_far().is_nan()).then_some(delay)
    }

    /// Nanoseconds so far, NaN if they cannot be read.
    #[cfg(unix)]
    pub(crate) fn so_far(&self) -> f64 {
        use std::os::unix::fs::FileExt;
        let mut text = [0; 64];
        let length = self.0.read_at(&mut text, 0).unwrap_or(0);
        let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
        text.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(f64::NAN)
    }

    /// Nobody counts here.
    #[cfg(not(unix))]
    pub(crate) fn so_far(&self) -> f64 {
        f64::NAN
    }
}
