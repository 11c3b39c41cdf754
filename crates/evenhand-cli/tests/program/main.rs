//! The whole program, run as its users run it: in a folder of its own, with a home of its own.
//!
//! What it prints is kept in `expected/`, one transcript a test; `EVENHAND_EXPECTED=write cargo test -p evenhand-cli`
//! writes them anew, and the difference is read before it is committed.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod book;
mod compare;
mod desk;
mod doctor;
mod experiment;
mod faults;
mod gallery;
#[cfg(target_os = "linux")]
mod golang;
mod hostile;
mod init;
mod json;
mod load;
#[cfg(target_os = "linux")]
mod machines;
mod manual;
mod messages;
#[cfg(target_os = "linux")]
mod next;
mod plot;
mod python;
mod report;
mod resume;
#[cfg(target_os = "linux")]
mod run;
mod secure;
mod session;
mod slow;
mod widths;
mod workload;
