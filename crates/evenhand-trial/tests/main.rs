//! The tests of trials, one file for each question, in one program.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod circles;
mod columnar;
mod join;
mod json;
mod notes;
mod plan;
mod rooms;
mod round;
mod sample_trial;
mod schedule;
mod series;
mod trial;
mod version_1;
mod vocabulary;
