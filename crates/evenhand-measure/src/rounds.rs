//! The measuring itself: rounds in coin order, each recorded before the next begins, until the stop rule or the time
//! ends them.
//!
//! It knows no process, no file and no terminal: those are the [`Executor`], the [`Recorder`] and the [`Watcher`].
//!
//! Tests: `tests/rounds.rs`, with made-up time, executor and recorder.

use crate::book::{Book, Told};
use crate::executor::{Executor, Outcome, Reading, Trouble, Turn};
use crate::plan::{Group, Plan};
use crate::stop::{Comparison, Level};
use evenhand_trial::{ArmId, Failure, LaunchId, Reason, RoundId, Sample};
use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

/// A comparison is measured at least so long: nobody misses the time, and after ten rounds of two milliseconds it is sure
/// which one is slower, but not by how much.
const LEAST: Duration = Duration::from_secs(1);
/// A single arm has no rival: it is measured this long, unless told otherwise,
const ALONE: Duration = Duration::from_secs(3);
/// and at least so often.
const FEWEST_ALONE: u64 = 10;

/// Where rounds go. When it answers, the round is safe.
pub trait Recorder {
    /// Takes a round: a sample of each arm, and what failed.
    ///
    /// # Errors
    /// Why the round could not be kept; everything before it is.
    fn round(
        &mut self,
        samples: &[(ArmId, LaunchId, Sample<'_>)],
        failures: &[Failure],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
}

/// Who looks on.
pub trait Watcher {
    /// Called at the beginning and after every round, those of the warm-up included; it should be quick.
    fn look_on(&mut self, progress: &Progress<'_>);
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
    pub comparisons: &'a [Comparison],
}

/// How the measuring ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// As planned.
    Complete,
    /// The user ended it.
    Interrupted,
    /// An arm failed, and failures were not to be ignored. The failure is recorded.
    Failed(Failure),
}

/// Why the measuring ended badly. Every round before is recorded.
#[derive(Debug)]
pub enum Ended {
    /// The executor could not go on.
    Trouble(Trouble),
    /// A round could not be recorded.
    NotRecorded(Box<dyn std::error::Error + Send + Sync>),
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trouble(trouble) => trouble.fmt(f),
            Self::NotRecorded(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Ended {}

/// Measures all groups of a plan. `now` is the time since any fixed moment.
///
/// # Errors
/// [`Ended`]; every round before is recorded.
pub fn measure(
    plan: &Plan,
    executor: &mut dyn Executor,
    recorder: &mut dyn Recorder,
    watcher: &mut dyn Watcher,
    now: &dyn Fn() -> Duration,
) -> Result<Ending, Ended> {
    for (place, group) in plan.groups.iter().enumerate() {
        let ended = executor.begin(&group.arms).map_err(Ended::Trouble).and_then(|()| {
            Measuring {
                plan,
                group,
                book: Book::open(
                    plan,
                    place,
                    Level::Rounds,
                    Told { recorder: &mut *recorder, watcher: &mut *watcher, now },
                ),
                done: BTreeSet::new(),
                executor: &mut *executor,
            }
            .run()
        });
        let put_away = executor.end(&group.arms).map_err(Ended::Trouble);
        match ended? {
            Ending::Complete => put_away?,
            early => return Ok(early),
        }
    }
    Ok(Ending::Complete)
}

struct Measuring<'a> {
    plan: &'a Plan,
    group: &'a Group,
    book: Book<'a>,
    /// The candidates that run no more.
    done: BTreeSet<ArmId>,
    executor: &'a mut dyn Executor,
}

impl Measuring<'_> {
    fn run(mut self) -> Result<Ending, Ended> {
        self.book.show();
        for warmup in 0..self.plan.warmup {
            let round = RoundId(u64::MAX - u64::from(warmup));
            let taken = self.take(round)?;
            if let Some(early) = self.early_end(&taken) {
                return Ok(early);
            }
            self.book.show();
        }
        let measured_from = self.book.now();
        for round in (0..).map(RoundId) {
            if self.is_enough(round.0, measured_from) {
                break;
            }
            let taken = self.take(round)?;
            if taken.interrupted {
                return Ok(Ending::Interrupted);
            }
            self.record(round, &taken)?;
            if let Some(early) = self.early_end(&taken) {
                return Ok(early);
            }
            self.look();
        }
        Ok(Ending::Complete)
    }

    /// Whether the group needs no further round.
    fn is_enough(&self, rounds: u64, measured_from: Duration) -> bool {
        let stop = &self.plan.stop;
        if rounds == 0 {
            return stop.rounds == Some(0);
        }
        if stop.rounds.is_some_and(|wanted| rounds >= wanted) {
            return true;
        }
        let (now, elapsed) = (self.book.now(), self.book.elapsed());
        if self.book.looked && self.book.decisions.all_settled() && self.is_measured_long_enough(elapsed) {
            return true;
        }
        let alone = self.group.arms.len() < 2 && stop.rounds.is_none();
        if alone && rounds >= FEWEST_ALONE && now - measured_from >= ALONE.min(stop.max_time) {
            return true;
        }
        // A round that would end late by more than half of itself is not begun.
        let typical = (now - measured_from).div_f64(rounds as f64);
        elapsed + typical / 2 > stop.max_time
    }

    /// A verdict that can never be given needs no longer.
    fn is_measured_long_enough(&self, elapsed: Duration) -> bool {
        elapsed >= LEAST.min(self.plan.stop.max_time) || self.book.decisions.is_hopeless()
    }

    /// Runs the arms that are still wanted, once each, in the order of the coin.
    fn take(&mut self, round: RoundId) -> Result<Taken, Ended> {
        let Plan { schedule, .. } = self.plan;
        let order = schedule.round(self.group.number, &self.wanted(), LAUNCH, round);
        let payload = schedule.payload(self.group.number, LAUNCH, round);
        let mut taken = Taken::default();
        for (position, arm) in (0..).zip(order) {
            match self.executor.turn(&Turn { arm, launch: LAUNCH, round, position, payload }) {
                Outcome::Sample(reading) => taken.readings.push((arm, position, reading)),
                Outcome::Failed { reason, seconds } => {
                    taken.failures.push(failure(arm, round, reason, seconds));
                }
                Outcome::Interrupted => taken.interrupted = true,
                Outcome::Broken(trouble) => return Err(Ended::Trouble(trouble)),
            }
            if self.early_end(&taken).is_some() {
                break;
            }
        }
        Ok(taken)
    }

    /// The baseline, and the candidates whose verdicts do not stand yet.
    fn wanted(&self) -> Vec<ArmId> {
        self.group.arms.iter().copied().filter(|arm| !self.done.contains(arm)).collect()
    }

    fn early_end(&self, taken: &Taken) -> Option<Ending> {
        if taken.interrupted {
            return Some(Ending::Interrupted);
        }
        let failed = taken.failures.first().filter(|_| !self.plan.ignore_failures)?;
        Some(Ending::Failed(failed.clone()))
    }

    fn record(&mut self, round: RoundId, taken: &Taken) -> Result<(), Ended> {
        let entries: Vec<_> =
            taken.readings.iter().map(|(arm, position, reading)| (*arm, *position, reading)).collect();
        self.book.record(LAUNCH, round, &entries, &taken.failures)
    }

    /// Looks when it is due, and lets the watcher see.
    fn look(&mut self) {
        if let Some(elapsed) = self.book.look() {
            self.let_go(elapsed);
        }
        self.book.show();
    }

    /// Candidates whose verdicts stand give their time to the others.
    fn let_go(&mut self, elapsed: Duration) {
        if self.is_measured_long_enough(elapsed) {
            let candidates = self.group.arms.iter().skip(1).copied();
            self.done.extend(candidates.filter(|arm| self.book.decisions.is_settled(*arm)));
        }
    }
}

/// Every run of a command is a new process, so all rounds together are one launch of the trial.
const LAUNCH: LaunchId = LaunchId(0);

/// What came of a round.
#[derive(Debug, Default)]
struct Taken {
    readings: Vec<(ArmId, u32, Reading)>,
    failures: Vec<Failure>,
    interrupted: bool,
}

fn failure(arm: ArmId, round: RoundId, reason: Reason, seconds: Option<f64>) -> Failure {
    Failure { arm, launch: LAUNCH, round, reason, seconds }
}
