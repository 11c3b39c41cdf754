//! The tests of the protocol, one file for each question, in one program. On their own stay `races.rs`, which needs a program without
//! a harness, and `loom.rs`, which is built with loom's numbers.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod frames;
mod messages;
#[cfg(target_os = "linux")]
mod turns;
