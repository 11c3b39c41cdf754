//! The tests of the archive and its journals, one file for each question, in one program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod archive;
mod common;
mod damage;
mod faults;
mod full_disk;
mod journal;
mod migration;
mod place;
mod processes;
mod version_1;
