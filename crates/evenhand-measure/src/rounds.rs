//! The measuring itself: rounds in coin order, each recorded before the next begins, until the stop rule or the time
//! ends them.
//!
//! It knows no process, no file and no terminal: those are the [`Executor`], the [`Recorder`] and the [`Watcher`].
//!
//! Tests: `tests/rounds.rs`, with made-up time, executor and recorder.

use crate::book::{Book, Told, Until};
use crate::budget::{Budget, Forecast, Needed, Reason as For};
use crate::executor::{Executor, Outcome, Reading, Trouble, Turn, Waiting};
use crate::plan::{Group, Plan};
use crate::stop::{Comparison, Level};
use evenhand_trial::{ArmId, Failure, LaunchFacts, LaunchId, Reason, RoundId, Sample};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

/// A comparison is measured at least so long: nobody misses the time, and after ten rounds of two milliseconds it is sure
/// which one is slower, but not by how much.
const LEAST: Duration = Duration::from_secs(1);
/// A single arm has no rival: it is measured this long, unless told otherwise,
const ALONE: Duration = Duration::from_secs(3);
/// and at least so often.
const FEWEST_ALONE: u64 = 10;
/// An arm that failed so often from the start, and never succeeded, runs no more.
const HOPELESS: u32 = 10;

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
    fn round(
        &mut self,
        samples: &[(ArmId, LaunchId, Sample<'_>)],
        failures: &[Failure],
    ) -> Result<(), Box<dyn std::error::Error + Send + Sync>>;
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
    pub comparisons: &'a [Comparison],
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
        let told = Told { recorder: &mut *recorder, watcher: &mut *watcher, now };
        let mut book = Book::open(plan, place, Level::Rounds, told);
        match measure_group(plan, group, executor, &mut book)? {
            Ending::Complete => {}
            early => return Ok(early),
        }
    }
    Ok(Ending::Complete)
}

fn measure_group(
    plan: &Plan,
    group: &Group,
    executor: &mut dyn Executor,
    book: &mut Book<'_>,
) -> Result<Ending, Ended> {
    let begun = executor.begin(&group.arms, &mut Until { book, end: None }).map_err(Ended::Trouble);
    let ended = begun.and_then(|()| Measuring::new(plan, group, executor, book).run());
    let put_away = executor.end(&group.arms, &mut Until { book, end: None }).map_err(Ended::Trouble);
    match ended? {
        Ending::Complete => put_away.map(|()| Ending::Complete),
        early => Ok(early),
    }
}

struct Measuring<'a, 'b> {
    plan: &'a Plan,
    group: &'a Group,
    book: &'a mut Book<'b>,
    budget: Budget,
    /// The candidates that run no more, and the baseline, if that is hopeless.
    done: BTreeSet<ArmId>,
    /// How often each arm failed that has not succeeded yet.
    failed: BTreeMap<ArmId, u32>,
    /// How long a round takes, once there is one.
    typical: Option<Duration>,
    executor: &'a mut dyn Executor,
}

impl<'a, 'b> Measuring<'a, 'b> {
    fn new(plan: &'a Plan, group: &'a Group, executor: &'a mut dyn Executor, book: &'a mut Book<'b>) -> Self {
        book.begin();
        Self {
            plan,
            group,
            book,
            budget: Budget::of(&plan.stop),
            done: BTreeSet::new(),
            failed: group.arms.iter().map(|arm| (*arm, 0)).collect(),
            typical: None,
            executor,
        }
    }

    fn run(mut self) -> Result<Ending, Ended> {
        self.recall();
        self.book.show();
        if self.is_enough(0, self.book.now()) {
            if self.book.decisions.rounds() > 0 {
                self.book.say(&Notice::Settled);
            }
            return Ok(Ending::Complete);
        }
        for warmup in 0..self.plan.warmup {
            let round = RoundId(u64::MAX - u64::from(warmup));
            let taken = self.take(round)?;
            if let Some(early) = self.early_end(&taken) {
                return Ok(early);
            }
            self.book.show();
            self.typical = Some(self.book.elapsed() / (warmup + 1));
        }
        let measured_from = self.book.now();
        let first = self.plan.past.next(&self.group.arms);
        for rounds in 0.. {
            if self.is_enough(rounds, measured_from) {
                break;
            }
            let round = RoundId(first + rounds);
            let taken = self.take(round)?;
            if let Some(early) = taken.cut_off {
                return Ok(early);
            }
            self.record(round, &taken)?;
            if let Some(early) = self.early_end(&taken) {
                return Ok(early);
            }
            self.look();
            let took = self.book.now() - measured_from;
            if rounds == 0 {
                self.forecast(took);
            }
            self.typical = Some(took.div_f64((rounds + 1) as f64));
        }
        Ok(Ending::Complete)
    }

    /// Takes in the rounds of earlier sessions, as if they had just been measured. What they settled stays settled.
    fn recall(&mut self) {
        for round in self.plan.past.rounds(&self.group.arms) {
            self.book.decisions.fold(&round);
            self.failed.retain(|failed, _| !round.iter().any(|(arm, _)| arm == failed));
        }
        if self.book.decisions.rounds() > 0 {
            self.book.decisions.look();
            self.let_go_of_settled();
        }
    }

    /// Says what the rounds that are needed will take, if that is longer than usual, after the first one took so long.
    fn forecast(&mut self, took: Duration) {
        let needed = self.needed();
        if self.is_settled() || (needed.reason == For::Alone && self.plan.stop.is_chosen()) {
            return;
        }
        if let Some(forecast) = self.budget.learn(self.book.elapsed(), took, needed) {
            self.book.budget = self.budget.time();
            self.book.say(&Notice::Forecast(forecast));
            self.book.show();
        }
    }

    /// How many rounds this session needs.
    fn needed(&self) -> Needed {
        let past = self.book.decisions.rounds().saturating_sub(1);
        match self.plan.stop.rounds {
            Some(rounds) => Needed { rounds, reason: For::Asked },
            None if self.group.arms.len() < 2 => Needed { rounds: FEWEST_ALONE, reason: For::Alone },
            None => {
                let rounds = self.book.decisions.fewest_rounds().saturating_sub(past).max(1);
                Needed { rounds, reason: For::Verdict }
            }
        }
    }

    fn is_settled(&self) -> bool {
        self.book.decisions.all_settled() || self.is_hopeless()
    }

    /// Whether there is nobody left to be compared.
    fn is_hopeless(&self) -> bool {
        let baseline = self.group.arms.first();
        baseline.is_some_and(|baseline| self.done.contains(baseline))
            || (self.group.arms.len() > 1 && self.wanted().len() < 2)
    }

    /// Whether the group needs no further round.
    fn is_enough(&self, rounds: u64, measured_from: Duration) -> bool {
        let stop = &self.plan.stop;
        if rounds == 0 {
            return stop.rounds == Some(0) || self.book.decisions.all_settled();
        }
        if stop.rounds.is_some_and(|wanted| rounds >= wanted) || self.is_hopeless() {
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
        let typical = (now - measured_from).div_f64(rounds as f64);
        self.budget.is_over(elapsed, typical, rounds)
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
            match self.turn(&Turn { arm, launch: LAUNCH, round, position, payload }) {
                Outcome::Sample(reading) => taken.readings.push((arm, position, reading)),
                Outcome::Failed { reason, seconds } => {
                    taken.failures.push(failure(arm, round, reason, seconds));
                }
                Outcome::Interrupted => taken.cut_off = Some(Ending::Interrupted),
                Outcome::OutOfTime { what, ran } => {
                    let rounds = self.book.decisions.rounds();
                    self.book.say(&Notice::CutOff { what, ran, rounds });
                    taken.cut_off = Some(Ending::Complete);
                }
                Outcome::Broken(trouble) => return Err(Ended::Trouble(trouble)),
            }
            if self.early_end(&taken).is_some() {
                break;
            }
        }
        Ok(taken)
    }

    fn turn(&mut self, turn: &Turn) -> Outcome {
        let end = Some(self.budget.end_of_run(self.book.elapsed(), self.typical));
        self.executor.turn(turn, &mut Until { book: self.book, end })
    }

    /// The baseline, and the candidates whose verdicts do not stand yet.
    fn wanted(&self) -> Vec<ArmId> {
        self.group.arms.iter().copied().filter(|arm| !self.done.contains(arm)).collect()
    }

    fn early_end(&self, taken: &Taken) -> Option<Ending> {
        if taken.cut_off.is_some() {
            return taken.cut_off.clone();
        }
        let failed = taken.failures.first().filter(|_| !self.plan.ignore_failures)?;
        Some(Ending::Failed(failed.clone()))
    }

    fn record(&mut self, round: RoundId, taken: &Taken) -> Result<(), Ended> {
        self.give_up_on_hopeless(taken);
        let entries: Vec<_> =
            taken.readings.iter().map(|(arm, position, reading)| (*arm, *position, reading)).collect();
        self.book.record(LAUNCH, round, &entries, &taken.failures)
    }

    /// What has failed so often from the start will not succeed.
    fn give_up_on_hopeless(&mut self, taken: &Taken) {
        self.failed.retain(|failed, _| !taken.readings.iter().any(|(arm, ..)| arm == failed));
        for failure in &taken.failures {
            let Some(times) = self.failed.get_mut(&failure.arm) else { continue };
            *times += 1;
            if *times >= HOPELESS {
                self.done.insert(failure.arm);
            }
        }
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
            self.let_go_of_settled();
        }
    }

    fn let_go_of_settled(&mut self) {
        let candidates = self.group.arms.iter().skip(1).copied();
        self.done.extend(candidates.filter(|arm| self.book.decisions.is_settled(*arm)));
    }
}

/// Every run of a command is a new process, so all rounds together are one launch of the trial.
const LAUNCH: LaunchId = LaunchId(0);

/// What came of a round.
#[derive(Debug, Default)]
struct Taken {
    readings: Vec<(ArmId, u32, Reading)>,
    failures: Vec<Failure>,
    /// How the group ends, if the round was cut off. It is dropped then.
    cut_off: Option<Ending>,
}

fn failure(arm: ArmId, round: RoundId, reason: Reason, seconds: Option<f64>) -> Failure {
    Failure { arm, launch: LAUNCH, round, reason, seconds }
}
