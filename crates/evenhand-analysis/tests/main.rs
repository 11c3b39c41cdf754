//! The tests of analyses, charts and words, one file for each question, in one program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod joined;
mod rooms;
mod settings;
mod version_1;
mod words;
