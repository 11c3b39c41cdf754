//! The tests of the crate, one file for each question, in one program. On its own stays `futures.rs`: it needs the feature `tokio`, and
//! is the benchmark program that it tests.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod clock;
mod program;
mod random;
#[cfg(target_os = "linux")]
mod worker;
