//! The tests of the generator, one file for each question, in one program.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod answers;
mod http2;
mod plan;
#[cfg(target_os = "linux")]
mod truth;
