//! What does a file of /proc or /sys say? Pure functions of its text, which may be that of any machine, cut off or
//! strange: then the answer is `None`.
//!
//! Tests: `tests/files.rs`.

pub mod cpu;
pub mod system;
pub mod ticks;
pub mod virtualisation;
