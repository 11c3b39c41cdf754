//! Which benchmarks are in this program? Each `#[evenhand::bench]` adds itself to a list before `main` begins, as the
//! platforms' loaders call the functions of a certain section then. The list is linked through the entries themselves, so
//! nothing is allocated at that time.
//!
//! Tests: `tests/worker.rs`.

use crate::bench::Bench;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::{iter, ptr};

/// A benchmark as the attribute describes it.
#[derive(Debug)]
pub struct Entry {
    /// Module and function, `sort::by_key`.
    pub name: &'static str,
    /// What it is an alternative in; empty for none.
    pub group: &'static str,
    /// Whether the others of the group are compared with it.
    pub baseline: bool,
    /// Parameters by name.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Runs it.
    pub run: fn(Bench<'_>),
}

/// An entry in the list.
#[derive(Debug)]
pub struct Node {
    entries: &'static [Entry],
    next: AtomicPtr<Node>,
}

static FIRST: AtomicPtr<Node> = AtomicPtr::new(ptr::null_mut());

impl Node {
    /// A node that is in no list yet.
    pub const fn new(entries: &'static [Entry]) -> Self {
        Self { entries, next: AtomicPtr::new(ptr::null_mut()) }
    }

    /// Puts it into the list. Once for each node.
    pub fn add(&'static self) {
        let me = ptr::from_ref(self).cast_mut();
        let mut first = FIRST.load(Ordering::Acquire);
        loop {
            self.next.store(first, Ordering::Release);
            match FIRST.compare_exchange_weak(first, me, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return,
                Err(other) => first = other,
            }
        }
    }
}

/// All benchmarks of this program, by name.
pub fn entries() -> Vec<&'static Entry> {
    let nodes = iter::successors(node(&FIRST), |last| node(&last.next));
    let mut entries: Vec<&Entry> = nodes.flat_map(|node| node.entries).collect();
    entries.sort_by_key(|entry| entry.name);
    entries
}

#[expect(unsafe_code, reason = "the list is linked by pointers, so that it can be made before main")]
fn node(link: &AtomicPtr<Node>) -> Option<&'static Node> {
    // SAFETY: only `add` writes to links, and only pointers to nodes that live for ever.
    unsafe { link.load(Ordering::Acquire).as_ref() }
}
