//! How long was this thread ready to run while other programs had the processor? Linux counts how long others had it: the second
//! number of `/proc/thread-self/schedstat` (Linux, *Scheduler Statistics*). These may be other threads of this program, such as
//! a pool or a collector, which are the benchmark's own doing; so how long they ran is asked, too (`clock_getcpuclockid(3)`).
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

    /// Nanoseconds that the other threads of this program have run so far.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_our_threads() -> f64 {
        cpu_time(libc::CLOCK_PROCESS_CPUTIME_ID) - cpu_time(libc::CLOCK_THREAD_CPUTIME_ID)
    }

    /// Nobody counts here.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn of_our_threads() -> f64 {
        f64::NAN
    }

    /// Nobody counts here.
    #[cfg(not(unix))]
    pub(crate) fn so_far(&self) -> f64 {
        f64::NAN
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the standard library has no such clock")]
fn cpu_time(clock: libc::clockid_t) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is ours to write, and every Linux has these clocks; else it stays 0.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}
