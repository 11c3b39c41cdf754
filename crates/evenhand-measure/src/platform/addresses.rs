//! How do several programs get the same addresses? Without the kernel's random ones (`personality(2)`, `ADDR_NO_RANDOMIZE`), and with the same
//! limit on the stack, because memory is mapped below the largest stack there may be (`mmap_base` in arch/x86/mm/mmap.c of Linux). Another
//! limit gives other addresses.
//!
//! Tests: `tests/worker/turns.rs`.

use std::process::Command;

/// A smaller limit is taken for this one by the kernel.
#[cfg(target_os = "linux")]
const LEAST: u64 = 256 << 20;
/// Limits that are closer to each other change little: 4 KiB more moved nothing in trials, 2 MiB did.
#[cfg(target_os = "linux")]
const STEP: u64 = 2 << 20;
/// Limits up to 2.25 GiB: threads get stacks of this size, too, which are only addresses.
#[cfg(target_os = "linux")]
const STEPS: u64 = 1024;

/// The limit that goes with this luck.
#[cfg(target_os = "linux")]
pub(crate) fn stack(draw: u64) -> u64 {
    LEAST + crate::command::environment::mixed(draw) % STEPS * STEP
}

/// The limit that goes with this luck: there is none here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stack(_: u64) -> u64 {
    0
}

/// Whether a program can be started at addresses that we choose.
///
/// # Errors
/// Why not, in words.
#[cfg(target_os = "linux")]
pub fn can_be_chosen() -> Result<(), &'static str> {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Stack).maximum;
    if most.is_some_and(|most| most < LEAST + STEPS * STEP) {
        return Err("the hard limit on the stack (ulimit -Hs) is too low");
    }
    // What a thread is allowed, its program is, and the thread ends with what it was given.
    let allowed = std::thread::spawn(super::calls::refuse_random_addresses).join();
    match allowed {
        Ok(Ok(())) => Ok(()),
        _ => Err("the system does not let programs start without random addresses"),
    }
}

/// Whether a program can be started at addresses that we choose.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn can_be_chosen() -> Result<(), &'static str> {
    Err("only Linux has a way to do that")
}

/// Starts the program at the addresses that go with this limit on its stack.
#[cfg(target_os = "linux")]
pub(crate) fn choose(command: &mut Command, stack: u64) {
    super::calls::start_at(command, stack);
}

/// Does nothing: see [`can_be_chosen`].
#[cfg(not(target_os = "linux"))]
pub(crate) fn choose(_: &mut Command, _: u64) {}
