//! The measuring of what lives in workers: launches in coin order, and in each of them rounds in coin order.
//!
//! A launch draws the luck of its memory layout once, for all its rounds, and that luck is worth more than most effects. So
//! launches are many and short. How many rounds each has is decided from the launches before it only: as many as use the time
//! best, given what starting costs and how rounds and launches scatter (Method, "Launches"). With one launch alone the rounds
//! decide, and the answer is about that launch.
//!
//! Like [`rounds`](crate::rounds) it knows no process, no file and no terminal, and one [`Round`] is filled and read again and
//! again.
//!
//! Tests: `tests/launches.rs`, with a made-up launcher.

use crate::book::{Book, Listeners};
use crate::finish::{ExecutorError, Finish, MeasureError, NoSample};
use crate::observers::{Recorder, Watcher};
use crate::plan::{Group, MeasurePlan};
use crate::stop::Pieces;
use evenhand_stats::randomised::launches::FEWEST_ROUNDS;
use evenhand_trial::{ArmId, Failure, LaunchFacts, LaunchId, Round, RoundId, Seed};
use std::time::Duration;

/// Rounds are asked for in portions of about this length, so that there is something to see and Ctrl-C is heard.
const PORTION: Duration = Duration::from_millis(50);
/// A first launch has so many rounds, from which it is seen how they scatter.
const FIRST_ROUNDS: u64 = 16;
/// So many launches have to fit into the time: with fewer there can be no verdict.
const FEWEST_LAUNCHES: f64 = 20.0;
/// From one launch to the next there are at most so many times more rounds: a few launches may look alike by chance.
const GROWTH: f64 = 2.0;
/// Rounds asked for at once are not more than these.
const MOST_AT_ONCE: f64 = 2000.0;
/// A comparison is measured at least so long: nobody misses the time, and the size of the effect is known better.
const LEAST: Duration = Duration::from_millis(200);
/// The luck of a launch is not that of any of its rounds.
const NO_ROUND: RoundId = RoundId(u64::MAX);
/// What has no rival is measured so long, unless told otherwise.
const ALONE: Duration = Duration::from_secs(1);

/// How many launches, and how many rounds in each, if the user has said so.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Launching {
    /// Exactly so many launches, unless the time ends before.
    pub launches: Option<u32>,
    /// Exactly so many rounds in each.
    pub rounds: Option<u64>,
}

/// One round that is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueRound {
    pub launch: LaunchId,
    /// Its number in the launch.
    pub number: RoundId,
    /// The arms in the order of the coin.
    pub order: Vec<ArmId>,
    /// The seed of its luck, the same for all its arms.
    pub payload: Seed,
}

/// What a launch drew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Launched {
    /// About how long a round will take.
    pub round: Duration,
    /// Which of its layouts each program has.
    pub layout: u32,
    /// The processor, if there is one for all arms.
    pub cpu: Option<u32>,
}

/// Starts arms afresh and runs rounds of them.
pub trait Launcher {
    /// Gets ready for a group.
    ///
    /// # Errors
    /// What went wrong, in words; the group is not measured.
    fn begin(&mut self, arms: &[ArmId]) -> Result<(), ExecutorError>;

    /// Starts the arms, in this order and with this luck.
    ///
    /// # Errors
    /// Why the group cannot go on.
    fn launch(&mut self, order: &[ArmId], launch: LaunchId, draw: Seed) -> Result<Launched, NoSample>;

    /// Runs rounds of the arms that were started. Each is then filled into `round`, the samples in the order in which they ran,
    /// and handed to `done`.
    ///
    /// # Errors
    /// Why the group cannot go on, which may be the error of `done`.
    fn rounds(&mut self, due: &[DueRound], round: &mut Round, done: &mut Done<'_>) -> Result<(), NoSample>;

    /// Ends what was started.
    fn land(&mut self);

    /// Puts away what [`Launcher::begin`] made.
    fn end(&mut self);
}

/// Who takes a round that was measured.
pub type Done<'a> = dyn FnMut(&Round) -> Result<(), MeasureError> + 'a;

/// Measures all groups of a plan. An arm that fails ends its group, and the others are measured. `now` is the time since any
/// fixed moment.
///
/// # Errors
/// [`MeasureError`]; every round before is recorded.
pub fn measure(
    plan: &MeasurePlan,
    launching: Launching,
    launcher: &mut dyn Launcher,
    recorder: &mut dyn Recorder,
    watcher: &mut dyn Watcher,
    now: &dyn Fn() -> Duration,
) -> Result<Finish, MeasureError> {
    for (place, group) in plan.groups.iter().enumerate() {
        let level = if launching.launches == Some(1) { Pieces::Rounds } else { Pieces::Launches };
        let listeners = Listeners { recorder: &mut *recorder, watcher: &mut *watcher, now };
        let measuring = Measuring {
            plan,
            launching,
            level,
            group,
            book: Book::open(plan, place, level, listeners),
            launches: 0,
            last_rounds: FIRST_ROUNDS,
            last: RoundId(0),
            cost: Cost::default(),
            measured: Round::default(),
            launcher: &mut *launcher,
        };
        if measuring.run()? == Finish::Interrupted {
            return Ok(Finish::Interrupted);
        }
    }
    Ok(Finish::Complete)
}

/// What things cost so far, in seconds.
#[derive(Debug, Default)]
struct Cost {
    launching: f64,
    rounds: f64,
    count: u64,
}

struct Measuring<'a> {
    plan: &'a MeasurePlan,
    launching: Launching,
    level: Pieces,
    group: &'a Group,
    book: Book<'a>,
    launches: u32,
    /// How many rounds the last launch had.
    last_rounds: u64,
    /// The round that is due.
    last: RoundId,
    cost: Cost,
    /// The round that is read.
    measured: Round,
    launcher: &'a mut dyn Launcher,
}

impl Measuring<'_> {
    fn run(mut self) -> Result<Finish, MeasureError> {
        self.launcher.begin(&self.group.arms)?;
        self.book.show();
        let ending = self.launch_after_launch();
        self.launcher.end();
        ending
    }

    fn launch_after_launch(&mut self) -> Result<Finish, MeasureError> {
        while !self.is_enough() {
            let launch = LaunchId(self.launches);
            let launched = self.one_launch(launch);
            self.launcher.land();
            match launched {
                Ok(()) => {}
                Err(NoSample::Failed { arm, reason, seconds }) => {
                    return self.fail(Failure { arm, launch, round: self.last, reason, seconds });
                }
                Err(NoSample::Interrupted) => return Ok(Finish::Interrupted),
                Err(NoSample::OutOfTime { .. }) => return Ok(Finish::Complete),
                Err(NoSample::Error(error)) => return Err(error),
            }
        }
        Ok(Finish::Complete)
    }

    /// Records a failure, which belongs to no whole round.
    fn fail(&mut self, failure: Failure) -> Result<Finish, MeasureError> {
        self.measured.begin(failure.launch, failure.round);
        self.measured.failures.push(failure.clone());
        self.book.record_only(&self.measured)?;
        Ok(Finish::Failed(failure))
    }

    fn one_launch(&mut self, launch: LaunchId) -> Result<(), NoSample> {
        let Group { number, arms, .. } = self.group;
        let order = self.plan.schedule.launch(*number, arms, launch);
        let draw = self.plan.schedule.payload(*number, launch, NO_ROUND);
        let began = self.book.now();
        let Launched { round: estimate, layout, cpu } = self.launcher.launch(&order, launch, draw)?;
        let facts = LaunchFacts { group: *number, id: launch, layout, cpu, began: began.as_nanos() as u64 };
        self.book.record_launch(&facts)?;
        let warmup = self.due(launch, (0..self.plan.warmup).map(|round| u64::MAX - 1 - u64::from(round)));
        if !warmup.is_empty() {
            self.launcher.rounds(&warmup, &mut self.measured, &mut |_| Ok(()))?;
        }
        let started = self.book.now();
        let wanted = self.rounds_wanted();
        let mut done = 0;
        while done < wanted && !(self.level == Pieces::Rounds && done > 0 && self.is_enough()) {
            let portion = self.portion(estimate).min(wanted - done);
            let due = self.due(launch, done..done + portion);
            self.last = RoundId(done);
            self.launcher.rounds(&due, &mut self.measured, &mut |round| self.book.record(round))?;
            done += portion;
            if self.is_cut_short(done) {
                break;
            }
            if self.level == Pieces::Rounds {
                self.look();
            }
        }
        self.book.decisions.end_launch();
        self.launches += 1;
        self.last_rounds = done;
        let ended = self.book.now();
        self.cost.launching += (started - began).as_secs_f64();
        self.cost.rounds += (ended - started).as_secs_f64();
        self.cost.count += done;
        self.look();
        Ok(())
    }

    fn due(&self, launch: LaunchId, rounds: impl Iterator<Item = u64>) -> Vec<DueRound> {
        let (schedule, Group { number: group, arms, .. }) = (self.plan.schedule, self.group);
        let due = |number| {
            let order = schedule.round(*group, arms, launch, number);
            DueRound { launch, number, order, payload: schedule.payload(*group, launch, number) }
        };
        rounds.map(RoundId).map(due).collect()
    }

    /// How many rounds this launch has: decided before it begins.
    fn rounds_wanted(&self) -> u64 {
        if let Some(rounds) = self.launching.rounds {
            return rounds;
        }
        if self.level == Pieces::Rounds {
            return u64::MAX;
        }
        let launch = self.cost.launching / f64::from(self.launches.max(1));
        let round = self.cost.rounds / self.cost.count.max(1) as f64;
        let Some(rounds) = self.book.decisions.rounds_per_launch(launch / round) else { return FIRST_ROUNDS };
        let fits = (self.plan.stop.max_time.as_secs_f64() / FEWEST_LAUNCHES - launch) / round;
        rounds.min(fits).min(GROWTH * self.last_rounds as f64).max(FEWEST_ROUNDS as f64).ceil() as u64
    }

    /// How many rounds are asked for at once.
    fn portion(&self, estimate: Duration) -> u64 {
        let round = match self.cost.count {
            0 => estimate.as_secs_f64(),
            count => self.cost.rounds / count as f64,
        };
        (PORTION.as_secs_f64() / round.max(1e-6)).clamp(1.0, MOST_AT_ONCE) as u64
    }

    /// Whether the group needs no further launch, or in a single launch no further round.
    fn is_enough(&self) -> bool {
        let stop = &self.plan.stop;
        if let Some(wanted) = self.launching.launches
            && self.launches >= wanted
        {
            return true;
        }
        if self.is_late() {
            return true;
        }
        let (elapsed, begun) = (self.book.elapsed(), self.book.decisions.rounds() > 0);
        if self.group.arms.len() < 2 {
            return begun && elapsed >= ALONE.min(stop.max_time) && self.is_free();
        }
        let long_enough = elapsed >= LEAST.min(stop.max_time) || self.book.decisions.is_hopeless();
        begun && self.is_free() && self.book.looked && self.book.decisions.all_settled() && long_enough
    }

    /// Whether it is ours to choose how much is measured.
    fn is_free(&self) -> bool {
        match self.launching.launches {
            None => true,
            Some(1) => self.launching.rounds.is_none(),
            Some(_) => false,
        }
    }

    /// Whether another launch like the others would end late by more than half of itself.
    fn is_late(&self) -> bool {
        let elapsed = (self.book.elapsed()).as_secs_f64();
        let typical = match (self.level, self.launches) {
            (Pieces::Launches, 1..) => elapsed / f64::from(self.launches),
            _ => 0.0,
        };
        elapsed + typical / 2.0 > self.plan.stop.max_time.as_secs_f64()
    }

    /// A launch is not cut short by what its rounds say, but by the end of the time; and it is given the rounds that make it
    /// count, if they do not take as long again.
    fn is_cut_short(&self, rounds: u64) -> bool {
        let enough = self.level == Pieces::Rounds || rounds >= FEWEST_ROUNDS as u64;
        self.is_late() && (enough || self.book.elapsed() > 2 * self.plan.stop.max_time)
    }

    /// Looks when it is due, and lets the watcher see.
    fn look(&mut self) {
        self.book.look();
        self.book.show();
    }
}
