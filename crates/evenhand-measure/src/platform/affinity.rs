//! On which processors may this thread run? What it starts inherits the answer.
//!
//! `sched_setaffinity(2)` on Linux; elsewhere a thread cannot be kept on a processor, and nothing is pinned.
//!
//! Tests: `tests/noise.rs`.

/// This thread runs on chosen processors until this is dropped; then it runs where it might before.
#[derive(Debug)]
#[must_use = "dropped, the thread is free again"]
pub struct Pinned {
    #[cfg(target_os = "linux")]
    before: rustix::thread::CpuSet,
    /// The thread must be the one that was pinned.
    _here: std::marker::PhantomData<*const ()>,
}

/// Keeps this thread on these processors. `None` if the system does not allow it, or there are none.
#[cfg(target_os = "linux")]
pub fn pin(processors: &[u32]) -> Option<Pinned> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let mut wanted = CpuSet::new();
    for &number in processors {
        wanted.set(usize::try_from(number).ok().filter(|number| *number < CpuSet::MAX_CPU)?);
    }
    let before = sched_getaffinity(None).ok()?;
    sched_setaffinity(None, &wanted).ok()?;
    Some(Pinned { before, _here: std::marker::PhantomData })
}

/// Keeps this thread on these processors: not on this system.
#[cfg(not(target_os = "linux"))]
pub fn pin(_: &[u32]) -> Option<Pinned> {
    None
}

/// The processors that this thread may run on; none if the system does not say.
#[cfg(target_os = "linux")]
pub fn allowed() -> Vec<u32> {
    use rustix::thread::{CpuSet, sched_getaffinity};
    let Ok(set) = sched_getaffinity(None) else { return Vec::new() };
    (0..CpuSet::MAX_CPU as u32).filter(|number| set.is_set(*number as usize)).collect()
}

/// The processors that this thread may run on: not known on this system.
#[cfg(not(target_os = "linux"))]
pub fn allowed() -> Vec<u32> {
    Vec::new()
}

#[cfg(target_os = "linux")]
impl Drop for Pinned {
    fn drop(&mut self) {
        // A processor may have gone away meanwhile; the thread then stays where it is.
        let _ = rustix::thread::sched_setaffinity(None, &self.before);
    }
}
