//! How small a difference shows in a few seconds? The same command in both arms, measured by the real loop
//! ([`rounds::measure`]): nothing can differ but luck, so the interval's half-width is what this machine can see.
//!
//! And does the coin keep its promise? The recorded differences keep their sizes, the coins of 200 trials that never were
//! decide their signs anew ([`Schedule`]: groups 1 to 200 of the same seed), and each is looked at after every round.
//! Of identical arms the coin alone decided the signs, so these trials are as likely as the one measured. At an error rate
//! of 1 % at most 2 of 200 are to be expected; mostly fewer, as the guarantee holds for rounds without end.
//!
//! Tests: `tests/doctor.rs`, with an executor and a time that are made up.

use crate::command::{Commands, Interrupt, Pin, Program, Setting};
use crate::executor::Executor;
use crate::finish::{ExecutorError, Finish, MeasureError};
use crate::observers::{Progress, Recorder, Watcher};
use crate::past::Past;
use crate::plan::{Group, Judged, MeasurePlan, Precision, StopRule};
use crate::rounds;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, EProcess, LogRatio, differences};
use evenhand_trial::{ArmId, Better, Failure, LaunchId, MetricId, Round, RoundId, Schedule, Seed};
use serde::Serialize;
use std::ffi::OsString;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The error rate: 99 % confidence.
const ALPHA: f64 = 0.01;
/// How often the coins are tossed anew.
pub const TOSSES: u32 = 200;
/// Rounds that are not recorded: the first runs bring the program from the disk.
const WARMUP: u32 = 2;
const ARMS: [ArmId; 2] = [ArmId(0), ArmId(1)];

/// How small a difference shows. Differences are shares: 0.004 is 0.4 %.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoiseFloor {
    /// How long it was measured.
    pub seconds: f64,
    /// How many rounds of two runs.
    pub rounds: usize,
    /// The median of all runs, in seconds.
    pub run_seconds: f64,
    /// The processor that the runs were kept on.
    pub processor: Option<u32>,
    /// 0.99 for 99 %.
    pub confidence: f64,
    /// The smallest difference that shows: half the interval. `None`: too few rounds for an interval.
    pub visible: Option<f64>,
    /// The interval for the difference of the two, which is nought.
    pub low: Option<f64>,
    /// Its upper end.
    pub high: Option<f64>,
    /// Whether this very measurement called the identical arms different.
    pub false_alarm: bool,
    /// How many of [`TOSSES`] did.
    pub false_alarms: u32,
    /// How often the coins were tossed anew.
    pub tosses: u32,
    /// What all coins were made from.
    pub seed: Seed,
}

/// Why there is no noise floor.
#[derive(Debug, Error)]
pub enum FloorError {
    #[error("the command {}; the doctor needs one that succeeds every time", .0.reason)]
    Failed(Failure),
    /// The user ended it.
    #[error("interrupted")]
    Interrupted,
    /// It cannot be started.
    #[error(transparent)]
    NotThere(ExecutorError),
    /// It could not go on.
    #[error(transparent)]
    Error(MeasureError),
}

/// Measures a command against itself, on one processor if one is named.
///
/// # Errors
/// The command fails or cannot be started.
pub fn of_command(
    command: &[OsString],
    processor: Option<u32>,
    time: Duration,
    seed: Seed,
    interrupt: Interrupt,
) -> Result<NoiseFloor, FloorError> {
    let name = command.first().map(|program| program.to_string_lossy().into_owned());
    let program = Program { name: name.unwrap_or_default(), words: command.to_vec(), ..Program::default() };
    let pin = processor.map_or(Pin::None, |processor| Pin::Cpus(vec![processor]));
    let setting = Setting { pin, ..Setting::default() };
    let mut both =
        Commands::new(vec![program.clone(), program], setting, interrupt).map_err(FloorError::NotThere)?;
    let began = Instant::now();
    let floor = measure(&mut both, time, seed, &|| began.elapsed())?;
    Ok(NoiseFloor { processor, ..floor })
}

/// Measures whatever the executor runs against itself; the first of its metrics that is known is a time in nanoseconds. `now`
/// is the time since any fixed moment.
///
/// # Errors
/// An arm fails, or the executor cannot go on.
pub fn measure(
    executor: &mut dyn Executor,
    time: Duration,
    seed: Seed,
    now: &dyn Fn() -> Duration,
) -> Result<NoiseFloor, FloorError> {
    let mut pairs = Pairs::default();
    let began = now();
    match rounds::measure(&plan(time, seed), executor, &mut pairs, &mut NoWatcher, now) {
        Ok(Finish::Complete) => Ok(of_pairs(&pairs, now() - began, seed)),
        Ok(Finish::Failed(failure)) => Err(FloorError::Failed(failure)),
        Ok(Finish::Interrupted) => Err(FloorError::Interrupted),
        Err(error) => Err(FloorError::Error(error)),
    }
}

impl NoiseFloor {
    /// How long it would take to see a difference of this size: the interval narrows with the root of the rounds.
    pub fn seconds_to_see(&self, difference: f64) -> Option<f64> {
        Some(self.seconds * (self.visible? / difference).powi(2))
    }
}

fn plan(time: Duration, seed: Seed) -> MeasurePlan {
    MeasurePlan {
        schedule: Schedule::new(seed),
        groups: vec![Group { number: 0, arms: ARMS.to_vec(), control: None }],
        warmup: WARMUP,
        stop: StopRule {
            max_time: time,
            longest: time,
            // The whole time, however soon it is clear that they are the same.
            rounds: Some(u64::MAX),
            fewest: 0,
            most: None,
            margin: Margin::default(),
            alpha: ALPHA,
            metrics: vec![Judged { metric: MetricId(0), instead: None, better: Better::Lower, timed: true }],
            tell_from: None,
            precision: Precision::ANY,
            at: At::Typical,
        },
        ignore_failures: false,
        past: Past::default(),
    }
}

/// Keeps the first metric of both arms that is known, round by round.
#[derive(Debug, Default)]
struct Pairs {
    baseline: Vec<f64>,
    candidate: Vec<f64>,
}

impl Recorder for Pairs {
    fn round(&mut self, round: &Round) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        let of = |arm: ArmId| round.values(arm)?.iter().find(|value| !value.is_nan());
        // A time of nought has no ratio.
        if let (Some(&baseline), Some(&candidate)) = (of(ARMS[0]), of(ARMS[1]))
            && baseline > 0.0
            && candidate > 0.0
        {
            self.baseline.push(baseline);
            self.candidate.push(candidate);
        }
        Ok(())
    }
}

struct NoWatcher;

impl Watcher for NoWatcher {
    fn look_on(&mut self, _: &Progress<'_>) {}
}

fn of_pairs(pairs: &Pairs, time: Duration, seed: Seed) -> NoiseFloor {
    let differences = differences(&pairs.baseline, &pairs.candidate).unwrap_or_default();
    let (low, high) = interval(&differences);
    NoiseFloor {
        seconds: time.as_secs_f64(),
        rounds: differences.len(),
        run_seconds: median(pairs.baseline.iter().chain(&pairs.candidate)) / 1e9,
        processor: None,
        confidence: 1.0 - ALPHA,
        visible: low.zip(high).map(|(low, high)| (0.5 * (high.0 - low.0)).exp_m1()),
        low: low.map(share),
        high: high.map(share),
        false_alarm: refuted(differences.iter().copied()),
        false_alarms: false_alarms(&differences, seed),
        tosses: TOSSES,
        seed,
    }
}

fn share(effect: LogRatio) -> f64 {
    effect.0.exp_m1()
}

fn interval(differences: &[f64]) -> (Option<LogRatio>, Option<LogRatio>) {
    let sequence = ConfidenceSequence::of(differences, ALPHA, Mixture::rounds());
    match sequence.map(|sequence| sequence.interval()) {
        Ok(Look::Interval(interval)) => (interval.low, interval.high),
        _ => (None, None),
    }
}

/// In how many trials that never were a look after some round would have called identical arms different.
pub fn false_alarms(differences: &[f64], seed: Seed) -> u32 {
    let coins = Schedule::new(seed);
    let tossed = |toss: u32| {
        (0..).map(RoundId).zip(differences).map(move |(round, difference)| {
            let heads = coins.round(toss, &ARMS, LaunchId(0), round).first() == ARMS.first();
            if heads { *difference } else { -difference }
        })
    };
    let alarms = (1..=TOSSES).filter(|toss| refuted(tossed(*toss))).count();
    u32::try_from(alarms).unwrap_or(TOSSES)
}

/// Whether a look after some round refutes "no difference".
fn refuted(differences: impl Iterator<Item = f64>) -> bool {
    let mut evidence = EProcess::of_no_difference();
    for difference in differences {
        // What is no effect of two times says nothing.
        let _ = evidence.push(LogRatio(difference));
        if evidence.refutes(ALPHA) {
            return true;
        }
    }
    false
}

fn median<'a>(values: impl Iterator<Item = &'a f64>) -> f64 {
    let mut sorted: Vec<f64> = values.copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
