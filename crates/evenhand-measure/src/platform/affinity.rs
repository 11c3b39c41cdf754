//! On which processors may this thread run, and the processes that it starts?
//!
//! `sched_setaffinity(2)`; processes inherit it. On other systems than Linux nobody is asked.
//!
//! Tests: `tests/command.rs`.

use std::io;

/// The processors that this thread may use, in order. `None` if the system does not say.
#[cfg(target_os = "linux")]
pub fn allowed() -> Option<Vec<u32>> {
    use rustix::thread::CpuSet;
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    let numbers = (0..CpuSet::MAX_CPU).filter(|number| set.is_set(*number));
    Some(numbers.filter_map(|number| u32::try_from(number).ok()).collect())
}

/// Restricts this thread, and what it starts from now on, to some processors.
///
/// # Errors
/// What the system says, for example if none of them exists.
#[cfg(target_os = "linux")]
pub fn restrict(cpus: &[u32]) -> io::Result<()> {
    use rustix::thread::CpuSet;
    let mut set = CpuSet::new();
    // A number beyond the kernel's largest set would panic there.
    let numbers = cpus.iter().filter_map(|cpu| usize::try_from(*cpu).ok());
    numbers.filter(|number| *number < CpuSet::MAX_CPU).for_each(|number| set.set(number));
    Ok(rustix::thread::sched_setaffinity(None, &set)?)
}

/// Nobody is asked here.
#[cfg(not(target_os = "linux"))]
pub fn allowed() -> Option<Vec<u32>> {
    None
}

/// Nothing can be restricted here.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn restrict(_: &[u32]) -> io::Result<()> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}
