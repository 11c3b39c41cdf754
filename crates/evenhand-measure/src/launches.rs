//! The measuring of what lives in workers: launches in coin order, and in each of them rounds in coin order.
//!
//! A launch draws the luck of its memory layout once, for all its rounds, and that luck is worth more than most effects. So
//! launches are many and short. How many rounds each has is decided from the launches before it only: as many as use the time
//! best, given what starting costs and how rounds and launches scatter (Method, "Launches"). With one launch alone the rounds
//! decide, and the answer is about that launch.
//!
//! Like [`rounds`](crate::rounds) it knows no process, no file and no terminal.
//!
//! Tests: `tests/launches.rs`, with a made-up launcher.

use crate::book::{Book, Told};
use crate::executor::{Reading, Trouble};
use crate::plan::{Group, Plan};
use crate::rounds::{Ended, Recorder, Watcher};
use crate::stop::Level;
use evenhand_stats::randomised::launches::FEWEST_ROUNDS;
use evenhand_trial::{ArmId, Failure, LaunchFacts, LaunchId, Reason, RoundId, Seed};
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
pub struct Round {
    /// Its number in the launch.
    pub round: RoundId,
    /// The arms in the order of the coin.
    pub order: Vec<ArmId>,
    /// The seed of its luck, the same for all its arms.
    pub payload: Seed,
}

/// What a round gave: a reading of each arm, in the order in which they ran.
pub type Readings = Vec<(ArmId, Reading)>;

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
    fn begin(&mut self, arms: &[ArmId]) -> Result<(), Trouble>;

    /// Starts the arms, in this order and with this luck.
    ///
    /// # Errors
    /// Why the group cannot go on.
    fn launch(&mut self, order: &[ArmId], launch: LaunchId, luck: Seed) -> Result<Launched, Stopped>;

    /// Runs rounds of the arms that were started.
    ///
    /// # Errors
    /// Why the group cannot go on.
    fn rounds(&mut self, rounds: &[Round]) -> Result<Vec<Readings>, Stopped>;

    /// Ends what was started.
    fn land(&mut self);

    /// Puts away what [`Launcher::begin`] made.
    fn end(&mut self);
}

/// Why a group cannot go on.
#[derive(Debug, Clone, PartialEq)]
pub enum Stopped {
    /// The user wants to end.
    ByUser,
    /// An arm failed.
    Failed(ArmId, Reason),
    /// The launcher cannot go on.
    Broken(Trouble),
}

/// How the measuring ended.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Landed {
    /// The user ended it.
    pub interrupted: bool,
    /// What failed; each has ended its group, and the others were measured. They are recorded.
    pub failures: Vec<Failure>,
}

/// Measures all groups of a plan. `now` is the time since any fixed moment.
///
/// # Errors
/// [`Ended`]; every round before is recorded.
pub fn measure(
    plan: &Plan,
    launching: Launching,
    launcher: &mut dyn Launcher,
    recorder: &mut dyn Recorder,
    watcher: &mut dyn Watcher,
    now: &dyn Fn() -> Duration,
) -> Result<Landed, Ended> {
    let mut landed = Landed::default();
    for (place, group) in plan.groups.iter().enumerate() {
        let level = if launching.launches == Some(1) { Level::Rounds } else { Level::Launches };
        let told = Told { recorder: &mut *recorder, watcher: &mut *watcher, now };
        let stopped = Measuring {
            plan,
            launching,
            level,
            group,
            book: Book::open(plan, place, level, told),
            launches: 0,
            last_rounds: FIRST_ROUNDS,
            last: RoundId(0),
            cost: Cost::default(),
            launcher: &mut *launcher,
        }
        .run()?;
        match stopped {
            None => {}
            Some(Halt::ByUser) => {
                landed.interrupted = true;
                return Ok(landed);
            }
            Some(Halt::Failed(failure)) => landed.failures.push(failure),
        }
    }
    Ok(landed)
}

/// Why a group was left.
enum Halt {
    ByUser,
    Failed(Failure),
}

/// What things cost so far, in seconds.
#[derive(Debug, Default)]
struct Cost {
    launching: f64,
    rounds: f64,
    count: u64,
}

struct Measuring<'a> {
    plan: &'a Plan,
    launching: Launching,
    level: Level,
    group: &'a Group,
    book: Book<'a>,
    launches: u32,
    /// How many rounds the last launch had.
    last_rounds: u64,
    /// The round that is due.
    last: RoundId,
    cost: Cost,
    launcher: &'a mut dyn Launcher,
}

impl Measuring<'_> {
    fn run(mut self) -> Result<Option<Halt>, Ended> {
        self.launcher.begin(&self.group.arms).map_err(Ended::Trouble)?;
        self.book.show();
        let stopped = self.launch_after_launch();
        self.launcher.end();
        stopped
    }

    fn launch_after_launch(&mut self) -> Result<Option<Halt>, Ended> {
        while !self.is_enough() {
            let launch = LaunchId(self.launches);
            let ended = self.one_launch(launch);
            self.launcher.land();
            if let Some(halt) = self.halt(launch, ended)? {
                return Ok(Some(halt));
            }
        }
        Ok(None)
    }

    /// What a launch that was stopped means; a failure is recorded.
    fn halt(&mut self, launch: LaunchId, ended: Result<(), Early>) -> Result<Option<Halt>, Ended> {
        match ended {
            Ok(()) => Ok(None),
            Err(Early::Ended(ended)) => Err(ended),
            Err(Early::Stopped(Stopped::ByUser)) => Ok(Some(Halt::ByUser)),
            Err(Early::Stopped(Stopped::Broken(trouble))) => Err(Ended::Trouble(trouble)),
            Err(Early::Stopped(Stopped::Failed(arm, reason))) => {
                let failure = Failure { arm, launch, round: self.last, reason, seconds: None };
                self.book.record_failure(&failure)?;
                Ok(Some(Halt::Failed(failure)))
            }
        }
    }

    fn one_launch(&mut self, launch: LaunchId) -> Result<(), Early> {
        let Group { number, arms } = self.group;
        let order = self.plan.schedule.launch(*number, arms, launch);
        let luck = self.plan.schedule.payload(*number, launch, NO_ROUND);
        let began = self.book.now();
        let Launched { round: estimate, layout, cpu } = self.launcher.launch(&order, launch, luck)?;
        let facts = LaunchFacts { group: *number, id: launch, layout, cpu, began: began.as_nanos() as u64 };
        self.book.record_launch(&facts).map_err(Early::Ended)?;
        let warmup: Vec<Round> = (0..self.plan.warmup)
            .map(|round| self.round(launch, RoundId(u64::MAX - 1 - u64::from(round))))
            .collect();
        if !warmup.is_empty() {
            self.launcher.rounds(&warmup)?;
        }
        let started = self.book.now();
        let wanted = self.rounds_wanted();
        let mut done = 0;
        while done < wanted && !(self.level == Level::Rounds && done > 0 && self.is_enough()) {
            let portion = self.portion(estimate).min(wanted - done);
            let rounds: Vec<Round> =
                (done..done + portion).map(|round| self.round(launch, RoundId(round))).collect();
            self.last = RoundId(done);
            for (round, readings) in rounds.iter().zip(self.launcher.rounds(&rounds)?) {
                self.record(launch, round, &readings)?;
            }
            done += portion;
            if self.is_cut_short(done) {
                break;
            }
            if self.level == Level::Rounds {
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

    fn round(&self, launch: LaunchId, round: RoundId) -> Round {
        let (schedule, Group { number, arms }) = (self.plan.schedule, self.group);
        let order = schedule.round(*number, arms, launch, round);
        Round { round, order, payload: schedule.payload(*number, launch, round) }
    }

    /// How many rounds this launch has: decided before it begins.
    fn rounds_wanted(&self) -> u64 {
        if let Some(rounds) = self.launching.rounds {
            return rounds;
        }
        if self.level == Level::Rounds {
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

    fn record(&mut self, launch: LaunchId, round: &Round, readings: &Readings) -> Result<(), Early> {
        let places = (0..).zip(readings);
        let entries: Vec<_> = places.map(|(position, (arm, reading))| (*arm, position, reading)).collect();
        self.book.record(launch, round.round, &entries, &[]).map_err(Early::Ended)
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
            (Level::Launches, 1..) => elapsed / f64::from(self.launches),
            _ => 0.0,
        };
        elapsed + typical / 2.0 > self.plan.stop.max_time.as_secs_f64()
    }

    /// A launch is not cut short by what its rounds say, but by the end of the time; and it is given the rounds that make it
    /// count, if they do not take as long again.
    fn is_cut_short(&self, rounds: u64) -> bool {
        let enough = self.level == Level::Rounds || rounds >= FEWEST_ROUNDS as u64;
        self.is_late() && (enough || self.book.elapsed() > 2 * self.plan.stop.max_time)
    }

    /// Looks when it is due, and lets the watcher see.
    fn look(&mut self) {
        self.book.look();
        self.book.show();
    }
}

/// Why a launch did not come to its end.
enum Early {
    Stopped(Stopped),
    Ended(Ended),
}

impl From<Stopped> for Early {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}
