//! The tests of the experiments, one file for each, in one program.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod log_normal;
mod paired;
mod percentiles;
mod program;
mod sampling;
mod trials;
mod uncertainty;
