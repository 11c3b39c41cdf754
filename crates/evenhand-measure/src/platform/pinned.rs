//! Keeps this thread, and what it starts, on chosen processors for a while.
//!
//! Tests: `tests/noise.rs`.

use super::affinity;
use std::marker::PhantomData;

/// This thread runs on chosen processors until this is dropped; then it runs where it might before.
#[derive(Debug)]
#[must_use = "dropped, the thread is free again"]
pub struct Pinned {
    before: Vec<u32>,
    /// Another thread could not let this one go.
    _here: PhantomData<*const ()>,
}

/// Keeps this thread on these processors. `None` if the system does not allow it, or there are none.
pub fn pin(processors: &[u32]) -> Option<Pinned> {
    let before = affinity::allowed()?;
    affinity::restrict(processors).ok()?;
    Some(Pinned { before, _here: PhantomData })
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // A processor may have gone away meanwhile; the thread then stays where it is.
        let _ = affinity::restrict(&self.before);
    }
}
