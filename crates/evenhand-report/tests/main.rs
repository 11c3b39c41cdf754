//! The tests of what a terminal, a page and paper show, one file for each, in one program.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
mod doctor;
mod figures;
mod live;
mod markdown;
mod page;
mod plots;
mod services;
mod suite;
mod terminal;
mod text;
