//! What is known of the group that is measured, and who is told: each round is recorded, folded into the decisions, and seen by
//! the watcher. Rounds and launches keep the same book.
//!
//! Looking costs time on the machine that is measured, the more the more rounds there are. So a look is due when at least
//! [`REST`] times the cost of the last one has passed: looking takes a few percent, and the verdict comes at most
//! that much late.
//!
//! Tests: `tests/rounds.rs`, `tests/launches.rs`.

use crate::executor::{Patience, Waiting};
use crate::finish::MeasureError;
use crate::observers::{Notice, Progress, Recorder, Watcher};
use crate::plan::{Group, MeasurePlan};
use crate::stop::{Decisions, Pieces};
use evenhand_trial::{LaunchFacts, Round};
use std::time::Duration;

/// How many times longer than a look the machine measures before the next.
const REST: u32 = 25;

/// Who is told.
pub(crate) struct Listeners<'a> {
    pub(crate) recorder: &'a mut dyn Recorder,
    pub(crate) watcher: &'a mut dyn Watcher,
    /// The time since any fixed moment.
    pub(crate) now: &'a dyn Fn() -> Duration,
}

pub(crate) struct Book<'a> {
    plan: &'a MeasurePlan,
    place: usize,
    pub(crate) decisions: Decisions,
    began: Duration,
    /// The time that the group may take.
    pub(crate) budget: Duration,
    look_due: Duration,
    /// Whether the last look saw all that was measured. Only then does what it found hold for all rounds, which is what will be said.
    pub(crate) looked: bool,
    listeners: Listeners<'a>,
}

impl<'a> Book<'a> {
    /// For the group at this place in the plan.
    pub(crate) fn open(plan: &'a MeasurePlan, place: usize, level: Pieces, listeners: Listeners<'a>) -> Self {
        let group = plan.groups.get(place);
        let arms = group.map_or(&[][..], |group| &group.arms);
        let unawaited = group.and_then(Group::unawaited);
        let decisions = Decisions::new(&plan.stop, arms, level).without_waiting_for(unawaited);
        let (began, budget) = ((listeners.now)(), plan.stop.max_time);
        Self { plan, place, decisions, began, budget, look_due: Duration::ZERO, looked: false, listeners }
    }

    /// What was before, made the group ready: its time begins now.
    pub(crate) fn begin(&mut self) {
        self.began = self.now();
    }

    pub(crate) fn now(&self) -> Duration {
        (self.listeners.now)()
    }

    /// Since the group began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.now() - self.began
    }

    /// Records what a launch drew.
    pub(crate) fn record_launch(&mut self, launch: &LaunchFacts) -> Result<(), MeasureError> {
        self.listeners.recorder.launch(launch).map_err(MeasureError::NotRecorded)
    }

    /// Records a round and takes it into the decisions.
    pub(crate) fn record(&mut self, round: &Round) -> Result<(), MeasureError> {
        self.record_only(round)?;
        self.decisions.fold(round);
        Ok(())
    }

    /// Records what belongs to no whole round.
    pub(crate) fn record_only(&mut self, round: &Round) -> Result<(), MeasureError> {
        self.listeners.recorder.round(round).map_err(MeasureError::NotRecorded)
    }

    /// Looks when it is due, and says how long after the beginning that was.
    pub(crate) fn look(&mut self) -> Option<Duration> {
        let before = self.now();
        self.looked = before >= self.look_due;
        if !self.looked {
            return None;
        }
        self.decisions.look(before);
        let after = self.now();
        self.look_due = after + REST * (after - before);
        Some(after - self.began)
    }

    /// Lets the watcher see.
    pub(crate) fn show(&mut self) {
        self.show_waiting(None);
    }

    /// Tells the watcher.
    pub(crate) fn say(&mut self, notice: &Notice) {
        self.listeners.watcher.notice(notice);
    }

    fn show_waiting(&mut self, waiting: Option<Waiting<'_>>) {
        let elapsed = self.elapsed();
        self.listeners.watcher.look_on(&Progress {
            group: self.place,
            groups: self.plan.groups.len(),
            rounds: self.decisions.rounds(),
            elapsed,
            budget: self.budget,
            comparisons: self.decisions.comparisons(),
            waiting,
        });
    }
}

/// Waits for an executor until some time after the group began, or as long as it takes, and lets the watcher see that.
pub(crate) struct Until<'a, 'b> {
    pub(crate) book: &'a mut Book<'b>,
    pub(crate) end: Option<Duration>,
}

impl Patience for Until<'_, '_> {
    fn left(&self) -> Option<Duration> {
        self.end.map(|end| end.saturating_sub(self.book.elapsed()))
    }

    fn still_waiting(&mut self, waiting: &Waiting<'_>) {
        self.book.show_waiting(Some(*waiting));
    }
}
