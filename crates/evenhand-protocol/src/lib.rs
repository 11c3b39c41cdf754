//! How do a host, which decides, and a worker, which runs functions, talk to each other? In frames over two pipes, and,
//! where memory can be shared, over a page on which turns are handed on.
//!
//! | file | question |
//! |---|---|
//! | [`wire`] | how do numbers and texts become bytes? |
//! | [`frame`] | where does a message begin and end? |
//! | [`message`] | what can be said? |
//! | [`turns`] | whose turn is it? |
//! | [`page`] | how do processes share that? Linux |
//!
//! `docs/protocol.md` is the contract, for workers in any language. No dependency but the system's own calls, because
//! every benchmark of every user is built with this crate.
#![warn(missing_docs)]

/// The numbers that processes share. The test with loom compiles [`turns`] with loom's in their place.
mod atomic {
    pub(crate) use std::sync::atomic::{AtomicU32, Ordering};
}
pub mod frame;
pub mod message;
#[cfg(target_os = "linux")]
pub mod page;
pub mod turns;
pub mod wire;

/// The newest version of the protocol that this crate speaks, which is also the oldest.
pub const VERSION: u16 = 1;

/// How a hello begins.
pub const MAGIC: [u8; 8] = *b"evenhand";

/// Where the host tells the worker the numbers of its descriptors: `READ,WRITE`, or `READ,WRITE,PAGE`.
pub const VARIABLE: &str = "EVENHAND_WORKER";
