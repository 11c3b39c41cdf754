//! The measuring itself: rounds in coin order, each recorded before the next begins, until the stop rule or the time
//! ends them.
//!
//! It knows no process, no file and no terminal: those are the [`Executor`], the [`Recorder`] and the [`Watcher`]. One
//! [`Round`] is filled and read again and again: a turn adds its sample to it, and what is recorded and decided is read there.
//!
//! Tests: `tests/rounds.rs`, with made-up time, executor and recorder.

use crate::book::{Book, Listeners, Until};
use crate::budget::{Budget, Needed, Reason as For};
use crate::executor::{DueTurn, Executor};
use crate::finish::{Finish, MeasureError, NoSample};
use crate::observers::{Notice, Recorder, Watcher};
use crate::plan::{Group, MeasurePlan, StopRule};
use crate::stop::Pieces;
use evenhand_trial::{ArmId, Failure, LaunchId, Round, RoundId};
use std::collections::BTreeMap;
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

/// Measures all groups of a plan. `now` is the time since any fixed moment.
///
/// # Errors
/// [`MeasureError`]; every round before is recorded.
pub fn measure(
    plan: &MeasurePlan,
    executor: &mut dyn Executor,
    recorder: &mut dyn Recorder,
    watcher: &mut dyn Watcher,
    now: &dyn Fn() -> Duration,
) -> Result<Finish, MeasureError> {
    for (place, group) in plan.groups.iter().enumerate() {
        let listeners = Listeners { recorder: &mut *recorder, watcher: &mut *watcher, now };
        let mut book = Book::open(plan, place, Pieces::Rounds, listeners);
        match measure_group(plan, group, executor, &mut book)? {
            Finish::Complete => {}
            early => return Ok(early),
        }
    }
    Ok(Finish::Complete)
}

fn measure_group(
    plan: &MeasurePlan,
    group: &Group,
    executor: &mut dyn Executor,
    book: &mut Book<'_>,
) -> Result<Finish, MeasureError> {
    let begun = executor.begin(&group.arms, &mut Until { book, end: None }).map_err(MeasureError::from);
    let ended = begun.and_then(|()| Measuring::new(plan, group, executor, book).run());
    let put_away = executor.end(&group.arms, &mut Until { book, end: None });
    match ended? {
        Finish::Complete => Ok(put_away.map(|()| Finish::Complete)?),
        early => Ok(early),
    }
}

struct Measuring<'a, 'b> {
    plan: &'a MeasurePlan,
    group: &'a Group,
    book: &'a mut Book<'b>,
    budget: Budget,
    /// The baseline, unless that is hopeless, and the candidates whose verdicts do not stand yet.
    wanted: Vec<ArmId>,
    /// How often each arm failed that has not succeeded yet.
    failed: BTreeMap<ArmId, u32>,
    /// How long a round takes, once there is one.
    typical: Option<Duration>,
    /// The round that is measured.
    round: Round,
    executor: &'a mut dyn Executor,
}

impl<'a, 'b> Measuring<'a, 'b> {
    fn new(
        plan: &'a MeasurePlan,
        group: &'a Group,
        executor: &'a mut dyn Executor,
        book: &'a mut Book<'b>,
    ) -> Self {
        book.begin();
        Self {
            plan,
            group,
            book,
            budget: Budget::of(&plan.stop),
            wanted: group.arms.clone(),
            failed: group.arms.iter().map(|arm| (*arm, 0)).collect(),
            typical: None,
            round: Round::default(),
            executor,
        }
    }

    fn run(mut self) -> Result<Finish, MeasureError> {
        self.recall();
        self.book.show();
        if self.is_enough(0, self.book.now()) {
            if self.book.decisions.rounds() > 0 {
                self.book.say(&Notice::Settled);
            }
            return Ok(Finish::Complete);
        }
        if let Some(early) = self.warm_up()? {
            return Ok(early);
        }
        let measured_from = self.book.now();
        let first = self.plan.past.next(&self.group.arms);
        for rounds in 0.. {
            if self.is_enough(rounds, measured_from) {
                break;
            }
            if let Some(early) = self.one_round(RoundId(first + rounds))? {
                return Ok(early);
            }
            self.look();
            let took = self.book.now() - measured_from;
            if rounds == 0 {
                self.forecast(took);
            }
            self.typical = Some(took.div_f64((rounds + 1) as f64));
        }
        Ok(Finish::Complete)
    }

    /// Runs the rounds that do not count. How the group ends, if it ends in one of them.
    fn warm_up(&mut self) -> Result<Option<Finish>, MeasureError> {
        for warmup in 0..self.plan.warmup {
            let cut_off = self.take(RoundId(u64::MAX - u64::from(warmup)))?;
            if let Some(early) = cut_off.or_else(|| self.ended_by_failure()) {
                return Ok(Some(early));
            }
            self.book.show();
            self.typical = Some(self.book.elapsed() / (warmup + 1));
        }
        Ok(None)
    }

    /// Measures a round and records it; one that was cut off is dropped. How the group ends, if it ends here.
    fn one_round(&mut self, number: RoundId) -> Result<Option<Finish>, MeasureError> {
        if let Some(early) = self.take(number)? {
            return Ok(Some(early));
        }
        self.give_up_on_hopeless();
        self.book.record(&self.round)?;
        Ok(self.ended_by_failure())
    }

    /// Takes in the rounds of earlier sessions, as if they had just been measured. What they settled stays settled.
    fn recall(&mut self) {
        for round in self.plan.past.rounds(&self.group.arms) {
            self.book.decisions.fold(round);
            self.failed.retain(|arm, _| round.values(*arm).is_none());
        }
        if self.book.decisions.rounds() > 0 {
            self.book.decisions.look(self.book.now());
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
        let StopRule { rounds, fewest, most, .. } = self.plan.stop;
        let within = |wanted: u64| wanted.max(fewest).saturating_sub(past).clamp(1, most.unwrap_or(u64::MAX));
        match rounds {
            Some(rounds) => Needed { rounds, reason: For::Asked },
            None if self.group.arms.len() < 2 => Needed { rounds: within(FEWEST_ALONE), reason: For::Alone },
            None => Needed { rounds: within(self.book.decisions.fewest_rounds()), reason: For::Verdict },
        }
    }

    fn is_settled(&self) -> bool {
        self.book.decisions.all_settled() || self.is_hopeless()
    }

    /// Whether there is nobody left to be compared.
    fn is_hopeless(&self) -> bool {
        let (arms, unawaited) = (&self.group.arms, self.group.unawaited());
        let has_rival = self.wanted.iter().skip(1).any(|arm| Some(*arm) != unawaited);
        self.wanted.first() != arms.first() || (arms.len() > 1 && !has_rival)
    }

    /// Whether the group needs no further round.
    fn is_enough(&self, rounds: u64, measured_from: Duration) -> bool {
        let stop = &self.plan.stop;
        if rounds == 0 {
            return stop.rounds == Some(0) || self.book.decisions.all_settled();
        }
        if stop.rounds.or(stop.most).is_some_and(|most| rounds >= most) || self.is_hopeless() {
            return true;
        }
        let (now, elapsed) = (self.book.now(), self.book.elapsed());
        if self.book.looked && self.book.decisions.all_settled() && self.is_measured_long_enough(elapsed) {
            return true;
        }
        let alone = self.group.arms.len() < 2 && stop.rounds.is_none();
        if alone && rounds >= stop.fewest.max(FEWEST_ALONE) && now - measured_from >= ALONE.min(stop.max_time)
        {
            return true;
        }
        let typical = (now - measured_from).div_f64(rounds as f64);
        self.budget.is_over(elapsed, typical, rounds)
    }

    /// A verdict that can never be given needs no longer.
    fn is_measured_long_enough(&self, elapsed: Duration) -> bool {
        elapsed >= LEAST.min(self.plan.stop.max_time) || self.book.decisions.is_hopeless()
    }

    /// Runs the arms that are still wanted, once each, in the order of the coin. How the group ends, if the round was cut off.
    fn take(&mut self, number: RoundId) -> Result<Option<Finish>, MeasureError> {
        let MeasurePlan { schedule, .. } = self.plan;
        let order = schedule.round(self.group.number, &self.wanted, LAUNCH, number);
        let payload = schedule.payload(self.group.number, LAUNCH, number);
        self.round.begin(LAUNCH, number);
        for (position, arm) in (0..).zip(order) {
            match self.turn(&DueTurn { arm, launch: LAUNCH, round: number, position, payload }) {
                Ok(()) => {}
                Err(NoSample::Failed { arm, reason, seconds }) => {
                    self.round.failures.push(Failure { arm, launch: LAUNCH, round: number, reason, seconds });
                }
                Err(NoSample::Interrupted) => return Ok(Some(Finish::Interrupted)),
                Err(NoSample::OutOfTime { what, ran }) => {
                    let rounds = self.book.decisions.rounds();
                    self.book.say(&Notice::CutOff { what, ran, rounds });
                    return Ok(Some(Finish::Complete));
                }
                Err(NoSample::Error(error)) => return Err(error),
            }
            if self.ended_by_failure().is_some() {
                break;
            }
        }
        Ok(None)
    }

    fn turn(&mut self, turn: &DueTurn) -> Result<(), NoSample> {
        let end = Some(self.budget.end_of_run(self.book.elapsed(), self.typical));
        self.executor.turn(turn, &mut self.round, &mut Until { book: self.book, end })
    }

    /// How the group ends, if something failed that was not to.
    fn ended_by_failure(&self) -> Option<Finish> {
        let failed = self.round.failures.first().filter(|_| !self.plan.ignore_failures)?;
        Some(Finish::Failed(failed.clone()))
    }

    /// What has failed so often from the start will not succeed.
    fn give_up_on_hopeless(&mut self) {
        self.failed.retain(|arm, _| self.round.values(*arm).is_none());
        for Failure { arm, .. } in &self.round.failures {
            let Some(times) = self.failed.get_mut(arm) else { continue };
            *times += 1;
            if *times >= HOPELESS {
                self.wanted.retain(|wanted| wanted != arm);
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
        let baseline = self.group.arms.first();
        self.wanted.retain(|arm| Some(arm) == baseline || !self.book.decisions.is_settled(*arm));
    }
}

/// Every run of a command is a new process, so all rounds together are one launch of the trial.
const LAUNCH: LaunchId = LaunchId(0);
