//! How much memory does a function ask for? Counted for the thread that runs it, if the program uses the allocator
//! [`Allocations`].
//!
//! Tests: `tests/worker.rs`.

#![expect(unsafe_code, reason = "an allocator hands out memory; all of it comes from the system's")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which also counts. In the program of the benchmarks:
///
/// ```
/// #[global_allocator]
/// static ALLOCATIONS: evenhand::Allocations = evenhand::Allocations;
/// # fn main() { drop(vec![1]); }
/// ```
///
/// Each benchmark then has the metrics `allocations` and `allocated`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allocations;

/// What a thread has asked for so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) times: u64,
    pub(crate) bytes: u64,
}

impl Count {
    pub(crate) fn since(self, before: Self) -> Self {
        Self { times: self.times - before.times, bytes: self.bytes - before.bytes }
    }
}

thread_local! {
    // Without a destructor and made at compile time, so that an allocator may use it at any moment.
    static SO_FAR: Cell<Count> = const { Cell::new(Count { times: 0, bytes: 0 }) };
}

fn count(bytes: usize) {
    SO_FAR.with(|so_far| {
        let Count { times, bytes: before } = so_far.get();
        so_far.set(Count { times: times + 1, bytes: before + bytes as u64 });
    });
}

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Allocations {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// What this thread has asked for so far.
#[inline]
pub(crate) fn so_far() -> Count {
    SO_FAR.with(Cell::get)
}

/// Whether this program counts: whether asking for memory is seen.
pub(crate) fn are_counted() -> bool {
    let before = so_far();
    drop(std::hint::black_box(Box::new(std::hint::black_box(1_u8))));
    so_far() != before
}
