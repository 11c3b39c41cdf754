//! What should a reader know before believing the numbers? Facts with their figures; `words/warnings.rs` says them, and what can
//! be done about each.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::Comparison;
use super::level::{From, Level, Mode, Movement};
use super::pairing::Apart;
use super::study::{Pair, Study};
use evenhand_stats::randomised::Word;
use evenhand_stats::randomised::mean_and_tails::Moved;
use evenhand_trial::{ArmId, Better, MetricId, Origin, State, Trial};
use std::collections::HashSet;

/// Something to know before believing a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The arm it is about; none: the whole trial.
    pub about: Option<ArmId>,
    pub(crate) what: Concern,
}

impl Warning {
    /// A short fixed name, for programs.
    pub fn code(&self) -> &'static str {
        self.what.code()
    }
}

/// What is to be known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Concern {
    Interrupted,
    /// The share of the processor time that others got.
    Stolen(f64),
    Busy {
        load: f64,
        processors: u32,
    },
    Governor(String),
    OtherInput(Apart),
    SlowStart(Vec<SlowStart>),
    Failed {
        failed: u64,
        runs: usize,
    },
    NoSamples(From),
    OrderLost,
    RepeatedRounds(usize),
    NoWork,
    NearClock {
        sample_ns: f64,
        step_ns: f64,
    },
    /// Samples over several iterations are averages, and averages have short tails: with one call in a hundred slow, a batch of
    /// a thousand calls always holds about ten slow ones, so its P99 says nothing of the slow calls.
    Batched(u64),
    /// A command of so few seconds.
    TooShort(f64),
    Modes {
        modes: Vec<Mode>,
        metric: MetricId,
    },
    Moved(Vec<Movement>),
    Autocorrelated {
        samples: u64,
        worth: usize,
    },
    NotCompared(ArmId),
    MeanDisagrees {
        metric: MetricId,
        difference: f64,
    },
    /// The baseline, measured once more, differs from itself.
    ControlDiffers {
        baseline: ArmId,
        metric: MetricId,
        /// By this part; `None` where only the mean or a tail does.
        by: Option<f64>,
    },
}

impl Warning {
    /// Whether it may change what is believed of a verdict; the others are about the absolute times. Without a coin, what happens to one
    /// arm alone looks like a difference.
    pub(super) fn bears_on_verdict(&self, randomised: bool) -> bool {
        match self.what {
            Concern::Interrupted
            | Concern::OtherInput(_)
            | Concern::Failed { .. }
            | Concern::NoSamples(_)
            | Concern::RepeatedRounds(_)
            | Concern::NoWork
            | Concern::NotCompared(_)
            | Concern::MeanDisagrees { .. }
            | Concern::ControlDiffers { .. } => true,
            Concern::Stolen(_)
            | Concern::Busy { .. }
            | Concern::Governor(_)
            | Concern::OrderLost
            | Concern::Moved(_)
            | Concern::Modes { .. } => !randomised,
            Concern::SlowStart(_)
            | Concern::NearClock { .. }
            | Concern::Batched(_)
            | Concern::TooShort(_)
            | Concern::Autocorrelated { .. } => false,
        }
    }
}

impl Concern {
    fn code(&self) -> &'static str {
        match self {
            Self::Interrupted => "interrupted",
            Self::Stolen(_) => "steal",
            Self::Busy { .. } => "busy",
            Self::Governor(_) => "governor",
            Self::OtherInput(_) => "other-input",
            Self::SlowStart(_) => "slow-start",
            Self::Failed { .. } => "failed",
            Self::NoSamples(_) => "no-samples",
            Self::OrderLost => "order-lost",
            Self::RepeatedRounds(_) => "repeated-rounds",
            Self::NoWork => "no-work",
            Self::NearClock { .. } => "clock",
            Self::Batched(_) => "batched",
            Self::TooShort(_) => "too-short",
            Self::Modes { .. } => "modes",
            Self::Moved(_) => "moved",
            Self::Autocorrelated { .. } => "autocorrelated",
            Self::NotCompared(_) => "not-compared",
            Self::MeanDisagrees { .. } => "mean-disagrees",
            Self::ControlDiffers { .. } => "control-differs",
        }
    }
}

/// An arm whose first run was slow, with its times in seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlowStart {
    pub arm: ArmId,
    /// Whether it is a command, which can be warmed up, and not a function.
    pub is_command: bool,
    pub first: f64,
    pub median: f64,
}

/// Where the first sample of a launch is called slow: this many times the median.
const SLOW_START: f64 = 1.5;
/// With fewer samples the first is half of the median itself.
const FEWEST_FOR_START: u64 = 3;
/// An error of the mean this many times the naive one is worth saying.
const REMEMBERS: f64 = 1.5;
/// A sample shorter than this many steps of the clock is mostly clock.
const CLOCK_STEPS: f64 = 100.0;
/// Below this, starting the process is most of what a command takes, in seconds.
const SHORT_COMMAND: f64 = 1e-3;
/// Share of processor time taken by the hypervisor that is worth saying.
const STOLEN: f64 = 0.01;
/// A run below this many nanoseconds does nothing.
const LEAST_WORK: f64 = 0.15;
/// What was not compared, and why.
#[derive(Debug)]
pub(super) struct Uncompared {
    /// Baseline and candidate without a metric that both have.
    pub nothing_shared: Vec<[ArmId; 2]>,
    /// Groups whose arms got different inputs.
    pub kept_apart: Vec<Apart>,
}

/// All warnings of a trial: first what concerns the whole, then arm by arm.
pub(super) fn warnings(
    study: &Study<'_>,
    levels: &[Level],
    comparisons: &[Comparison],
    uncompared: Uncompared,
) -> Vec<Warning> {
    let trial = study.trial;
    let of_trial = [interrupted(trial), stolen(trial), busy(trial), governor(trial)].into_iter().flatten();
    let of_trial = of_trial.chain(uncompared.kept_apart.into_iter().map(Concern::OtherInput));
    let mut warnings: Vec<Warning> = of_trial.map(|what| Warning { about: None, what }).collect();
    let levels = primary(levels);
    warnings.extend(slow_starts(levels.iter().filter_map(|level| slow_start(study, level)).collect()));
    for level in levels {
        let found = [
            failed(level),
            no_samples(level),
            level.order_lost.then_some(Concern::OrderLost),
            repeated(study, level),
            no_work(trial, level).or_else(|| near_clock(trial, level)),
            (level.iterations > 1).then_some(Concern::Batched(level.iterations)),
            too_short(trial, level),
            several_modes(level),
            (!level.movements.is_empty()).then(|| Concern::Moved(level.movements.clone())),
            remembers(level),
        ];
        warnings.extend(found.into_iter().flatten().map(|what| Warning { about: Some(level.arm), what }));
    }
    let unlike = uncompared.nothing_shared.into_iter().map(|[baseline, candidate]| Warning {
        about: Some(candidate),
        what: Concern::NotCompared(baseline),
    });
    warnings.extend(unlike);
    warnings.extend(comparisons.iter().filter_map(mean_disagrees));
    warnings.extend(comparisons.iter().filter_map(control_differs));
    warnings
}

/// The level of each arm by the first metric that it has.
fn primary(levels: &[Level]) -> Vec<&Level> {
    let mut known = HashSet::new();
    levels.iter().filter(|level| known.insert(level.arm)).collect()
}

fn interrupted(trial: &Trial) -> Option<Concern> {
    (trial.state == State::Interrupted).then_some(Concern::Interrupted)
}

fn stolen(trial: &Trial) -> Option<Concern> {
    trial.environment.steal_share.filter(|share| *share > STOLEN).map(Concern::Stolen)
}

fn busy(trial: &Trial) -> Option<Concern> {
    let (load, processors) = (trial.environment.load_average?[0], trial.environment.cpu.logical?);
    (load > f64::from(processors)).then_some(Concern::Busy { load, processors })
}

fn governor(trial: &Trial) -> Option<Concern> {
    let governor = trial.environment.cpu.governor.as_ref().filter(|name| *name != "performance")?;
    Some(Concern::Governor(governor.clone()))
}

fn failed(level: &Level) -> Option<Concern> {
    let runs = (level.failed + level.samples) as usize;
    (level.failed > 0).then_some(Concern::Failed { failed: level.failed, runs })
}

fn no_samples(level: &Level) -> Option<Concern> {
    (level.from != From::Samples).then_some(Concern::NoSamples(level.from))
}

fn repeated(study: &Study<'_>, level: &Level) -> Option<Concern> {
    Some(study.repeated(level.arm)).filter(|repeated| *repeated > 0).map(Concern::RepeatedRounds)
}

fn was_measured(trial: &Trial) -> bool {
    matches!(trial.origin, Origin::Measured { .. })
}

/// The typical time of one iteration, in seconds.
fn median_time(trial: &Trial, level: &Level) -> Option<f64> {
    Some(level.figures.median? * trial.metrics.get(level.metric.index())?.unit.in_seconds()?)
}

/// Many iterations that take nothing all together are no work: a processor takes a third of a nanosecond for the least.
fn no_work(trial: &Trial, level: &Level) -> Option<Concern> {
    let nanoseconds = median_time(trial, level)? * 1e9;
    (was_measured(trial) && level.iterations > 1 && nanoseconds < LEAST_WORK).then_some(Concern::NoWork)
}

fn near_clock(trial: &Trial, level: &Level) -> Option<Concern> {
    let step_ns = trial.environment.clock.as_ref()?.resolution_ns;
    let sample_ns = median_time(trial, level)? * 1e9 * level.iterations.max(1) as f64;
    (level.from == From::Samples && sample_ns < CLOCK_STEPS * step_ns)
        .then_some(Concern::NearClock { sample_ns, step_ns })
}

fn too_short(trial: &Trial, level: &Level) -> Option<Concern> {
    let command = trial.arm(level.arm).is_some_and(|arm| !arm.command.is_empty());
    let timed = ["time", "wall"].contains(&trial.metrics.get(level.metric.index())?.name.as_str());
    let short = median_time(trial, level).filter(|seconds| *seconds < SHORT_COMMAND)?;
    (was_measured(trial) && command && timed).then_some(Concern::TooShort(short))
}

/// Whether the first run of an arm was slow.
fn slow_start(study: &Study<'_>, level: &Level) -> Option<SlowStart> {
    // A tool that measured it knows its own warm-up; for imports the first sample may be any.
    let measured = was_measured(study.trial);
    let definition = study.trial.metrics.get(level.metric.index())?;
    let time = definition.better == Better::Lower;
    let seconds = definition.unit.in_seconds()?;
    // How many times slower is not defined for readings that reach 0.
    level.figures.min.filter(|least| *least > 0.0)?;
    let median = level.figures.median?;
    let first = study.first_cost(level.arm, level.metric).filter(|first| *first > SLOW_START * median)?;
    (measured && time && level.iterations == 1 && level.samples >= FEWEST_FOR_START).then_some(SlowStart {
        arm: level.arm,
        is_command: study.trial.arm(level.arm).is_some_and(|arm| !arm.command.is_empty()),
        first: first * seconds,
        median: median * seconds,
    })
}

/// One warning for all of them: they have one cause and one cure.
fn slow_starts(slow: Vec<SlowStart>) -> Option<Warning> {
    let about = match slow.as_slice() {
        [] => return None,
        [only] => Some(only.arm),
        _ => None,
    };
    Some(Warning { about, what: Concern::SlowStart(slow) })
}

fn several_modes(level: &Level) -> Option<Concern> {
    let modes = || Concern::Modes { modes: level.modes.clone(), metric: level.metric };
    (level.modes.len() > 1).then(modes)
}

fn remembers(level: &Level) -> Option<Concern> {
    let error = level.mean_error.filter(|error| error.inflation > REMEMBERS && !error.over_launches)?;
    // Whatever was measured is worth one: less than that is said of no sample.
    let worth = error.effective_samples.round().max(1.0) as usize;
    Some(Concern::Autocorrelated { samples: level.samples, worth })
}

fn mean_disagrees(comparison: &Comparison) -> Option<Warning> {
    let mean = comparison.coin()?.mean.as_ref()?;
    let (metric, difference) = (comparison.pair.metric, mean.difference_percent / 100.0);
    Some(Warning { about: Some(mean.pulled_by?), what: Concern::MeanDisagrees { metric, difference } })
}

fn control_differs(comparison: &Comparison) -> Option<Warning> {
    let Pair { baseline, candidate, metric } = comparison.pair;
    let is_another = !matches!(comparison.verdict, Word::Same | Word::Unclear);
    let has_moved = comparison.coin().is_some_and(|coin| coin.moved != Moved::default());
    let by = comparison.effect.estimate.filter(|_| is_another);
    let differs = comparison.control && (is_another || has_moved);
    let what = Concern::ControlDiffers { baseline, metric, by };
    differs.then_some(Warning { about: Some(candidate), what })
}
