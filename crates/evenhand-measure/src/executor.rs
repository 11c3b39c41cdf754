//! What can be measured? Whatever can be run once more on demand: a command, a function in a worker, later a service or
//! a kernel on another device. Each is an [`Executor`].
//!
//! Tests: `tests/rounds.rs` with an executor that is made up, `tests/command.rs` with real processes.

use crate::finish::{ExecutorError, NoSample};
use evenhand_trial::{ArmId, LaunchId, Round, RoundId, Seed};
use std::time::Duration;

/// Runs arms, one turn at a time.
pub trait Executor {
    /// Gets ready for a group of arms.
    ///
    /// # Errors
    /// What went wrong, in words; the group is not measured.
    fn begin(&mut self, arms: &[ArmId], patience: &mut dyn Patience) -> Result<(), ExecutorError>;

    /// Runs one arm once, and adds its sample to the round. Nothing else is running meanwhile.
    ///
    /// # Errors
    /// Why there is no sample. Nothing was added.
    fn turn(
        &mut self,
        turn: &DueTurn,
        round: &mut Round,
        patience: &mut dyn Patience,
    ) -> Result<(), NoSample>;

    /// Puts away what [`Executor::begin`] made. Called once for each begun group, however it ended.
    ///
    /// # Errors
    /// What went wrong, in words; what was measured is kept.
    fn end(&mut self, arms: &[ArmId], patience: &mut dyn Patience) -> Result<(), ExecutorError>;
}

/// Who waits for an executor: how long they still would, and what they hear meanwhile.
pub trait Patience {
    /// The time that is left; `None`: as long as it takes. Asked before each step of a turn.
    fn left(&self) -> Option<Duration>;

    /// Called about once a second while something runs on, and never in its first second.
    fn still_waiting(&mut self, waiting: &Waiting<'_>);
}

/// Waits for ever, and does not listen.
#[derive(Debug, Clone, Copy)]
pub struct Endless;

impl Patience for Endless {
    fn left(&self) -> Option<Duration> {
        None
    }

    fn still_waiting(&mut self, _: &Waiting<'_>) {}
}

/// Something that takes long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting<'a> {
    /// What runs, in words: `vim`, `--prepare of vim`.
    pub what: &'a str,
    /// How long it has run.
    pub time: Duration,
    /// Whether the user's first request to end does not end it.
    pub stays: bool,
}

/// One execution that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueTurn {
    pub arm: ArmId,
    pub launch: LaunchId,
    /// In which round. The rounds of the warm-up count down from the largest number.
    pub round: RoundId,
    /// The place within the round, from 0.
    pub position: u32,
    /// The seed of the round's luck, the same for all its arms.
    pub payload: Seed,
}
