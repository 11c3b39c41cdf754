//! Who takes part in a measurement without measuring? A [`Recorder`] keeps each round, a [`Watcher`] sees how far it is.
//!
//! Tests: `tests/rounds.rs`, `tests/launches.rs`.

use crate::budget::Forecast;
use crate::executor::Waiting;
use crate::stop::PairSoFar;
use evenhand_trial::{LaunchFacts, Round};
use std::time::Duration;

/// Where rounds go. When it answers, the round is safe.
pub trait Recorder {
    /// Takes what a launch drew.
    ///
    /// # Errors
    /// As for a round.
    fn launch(&mut self, _: &LaunchFacts) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        Ok(())
    }

    /// Takes a round: a sample of each arm, and what failed.
    ///
    /// # Errors
    /// Why the round could not be kept; everything before it is.
    fn round(&mut self, round: &Round) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// Who looks on.
pub trait Watcher {
    /// Called at the beginning, after every round, those of the warm-up included, and about once a second while something
    /// takes long; it should be quick.
    fn look_on(&mut self, progress: &Progress<'_>);

    /// Called when there is something to say.
    fn notice(&mut self, _: &Notice) {}
}

/// How far a group is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Which group, by its place in the plan.
    pub group: usize,
    /// How many groups there are.
    pub groups: usize,
    /// Rounds so far.
    pub rounds: u64,
    /// Time since the group began.
    pub elapsed: Duration,
    /// The time it may take.
    pub budget: Duration,
    /// What the last look found.
    pub comparisons: &'a [PairSoFar],
    /// What takes long just now.
    pub waiting: Option<Waiting<'a>>,
}

/// What a watcher should know while it is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// The rounds that are needed take longer than the usual time, or than the user's.
    Forecast(Forecast),
    /// The rounds of earlier sessions were enough: nothing is measured.
    Settled,
    /// A run was ended, because there was no time left for it. Its round is dropped.
    CutOff {
        /// What was ended, in words.
        what: String,
        /// How long it had run.
        ran: Duration,
        /// How many whole rounds there are.
        rounds: u64,
    },
}
