//! The tests of measuring, one file for each question, in one program. On their own stay `signals.rs`, which is sent real signals, and
//! `worker/`, which is started as a worker by its own tests.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test fails by panicking")]

mod clock;
#[cfg(target_os = "linux")]
mod command;
#[cfg(target_os = "linux")]
mod counters;
mod doctor;
mod files;
mod grid;
mod groups;
#[cfg(target_os = "linux")]
mod interrupt;
mod launches;
mod machines;
mod made_up;
mod noise;
#[cfg(target_os = "linux")]
mod one_turn;
#[cfg(target_os = "linux")]
mod pinning;
mod probe;
#[cfg(unix)]
mod programs;
#[cfg(target_os = "linux")]
mod refusals;
mod rounds;
mod secrets;
#[cfg(target_os = "linux")]
mod service;
#[cfg(target_os = "linux")]
mod starter;
#[cfg(target_os = "linux")]
mod starting;
mod stop;
#[cfg(unix)]
mod words;
