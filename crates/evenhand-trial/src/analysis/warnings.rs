//! What should a reader know before believing the numbers, and what can be done about it?
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Kind};
use super::gather::Index;
use super::level::{From, Level};
use super::pairing::Apart;
use crate::words::{change, counted, quantity, size};
use crate::{ArmId, Better, Origin, State, Trial};
use evenhand_stats::percentile::batched_samples;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};

/// Something to know before believing a number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// A short fixed name, for programs.
    pub code: String,
    /// The arm it is about; none: the whole trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arm: Option<String>,
    /// What was seen.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
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
/// Modes and movements are not listed beyond this.
const MOST_LISTED: usize = 4;

/// What was not compared, and why.
#[derive(Debug)]
pub(super) struct Uncompared<'a> {
    /// Two arms without a metric that both have.
    pub nothing_shared: Vec<(ArmId, ArmId)>,
    /// Groups whose arms got different inputs.
    pub kept_apart: Vec<Apart<'a>>,
}

/// All warnings of a trial: first what concerns the whole, then arm by arm.
pub(super) fn warnings(
    index: &Index<'_>,
    levels: &[Level],
    comparisons: &[Comparison],
    uncompared: &Uncompared<'_>,
) -> Vec<Warning> {
    let trial = index.trial;
    let mut warnings: Vec<Warning> =
        [interrupted(trial), stolen(trial, comparisons), busy(trial, comparisons), governor(trial)]
            .into_iter()
            .flatten()
            .collect();
    warnings.extend(uncompared.kept_apart.iter().filter_map(other_inputs));
    let arms: HashMap<&str, u32> = trial.arms.iter().map(|arm| arm.name.as_str()).zip(0..).collect();
    let arm_of = |level: &Level| arms.get(level.arm.as_str()).copied().map(ArmId);
    let levels = primary(levels);
    let slow: Vec<SlowStart<'_>> =
        levels.iter().filter_map(|level| slow_start(index, arm_of(level)?, level)).collect();
    warnings.extend(slow_starts(&slow));
    for level in levels {
        let arm = arm_of(level);
        let found = [
            failed(level),
            figures_only(level),
            order_lost(level),
            arm.and_then(|arm| repeated(index, arm, level)),
            no_work(trial, level).or_else(|| near_clock(trial, level)),
            batched(level),
            arm.and_then(|arm| too_short(trial, arm, level)),
            several_modes(level),
            moved(level),
            remembers(level),
        ];
        warnings.extend(found.into_iter().flatten());
    }
    warnings.extend(uncompared.nothing_shared.iter().filter_map(|pair| nothing_shared(trial, *pair)));
    warnings.extend(comparisons.iter().filter_map(mean_disagrees));
    warnings
}

/// The level of each arm by the first metric that it has.
fn primary(levels: &[Level]) -> Vec<&Level> {
    let mut seen = HashSet::new();
    levels.iter().filter(|level| seen.insert(level.arm.as_str())).collect()
}

fn of_trial(code: &str, message: String, advice: Option<&str>) -> Warning {
    Warning { code: code.to_owned(), arm: None, message, advice: advice.map(str::to_owned) }
}

fn of_arm(level: &Level, code: &str, message: String, advice: Option<&str>) -> Warning {
    Warning { arm: Some(level.arm.clone()), ..of_trial(code, message, advice) }
}

fn interrupted(trial: &Trial) -> Option<Warning> {
    (trial.state == State::Interrupted).then(|| {
        let message = "the trial was cut off; all rounds up to then are whole and count".to_owned();
        of_trial("interrupted", message, None)
    })
}

/// What a busy machine means for what is claimed here.
fn borne(comparisons: &[Comparison]) -> &'static str {
    if comparisons.iter().any(|comparison| comparison.kind == Kind::Paired) {
        "comparisons bear it, because it falls on both alike; the times of a single command do not"
    } else {
        "the times are those of a busy machine"
    }
}

fn stolen(trial: &Trial, comparisons: &[Comparison]) -> Option<Warning> {
    let share = trial.environment.steal_share.filter(|share| *share > STOLEN)?;
    let message = format!("the hypervisor gave {} of the processor time to others", size(share));
    Some(of_trial("steal", message, Some(borne(comparisons))))
}

fn busy(trial: &Trial, comparisons: &[Comparison]) -> Option<Warning> {
    let (load, processors) = (trial.environment.load_average?[0], trial.environment.cpu.logical?);
    (load > f64::from(processors)).then(|| {
        let message = format!("the machine was busy: {load:.1} processes wanted {processors} processors");
        of_trial("busy", message, Some(borne(comparisons)))
    })
}

fn governor(trial: &Trial) -> Option<Warning> {
    let governor = trial.environment.cpu.governor.as_deref().filter(|name| *name != "performance")?;
    let message = format!("the frequency governor is \"{governor}\"");
    Some(of_trial("governor", message, Some("sudo cpupower frequency-set -g performance")))
}

fn failed(level: &Level) -> Option<Warning> {
    (level.failed > 0).then(|| {
        let message =
            format!("{} of {} failed", level.failed, counted((level.failed + level.samples) as usize, "run"));
        of_arm(
            level,
            "failed",
            message,
            Some("failed runs are kept with their reason and are not in any figure"),
        )
    })
}

fn figures_only(level: &Level) -> Option<Warning> {
    let (message, advice) = match level.from {
        From::Samples => return None,
        From::Histogram => ("only a histogram is known: no error of the mean, no drift, no pairing", None),
        From::Reported => (
            "only the tool's own figures are known, not its samples",
            Some("let the tool write its raw samples, if it can"),
        ),
    };
    Some(of_arm(level, "no-samples", message.to_owned(), advice))
}

fn order_lost(level: &Level) -> Option<Warning> {
    level.order_lost.then(|| {
        let message =
            "the tool sorted the samples: no error of the mean and no drift can be known".to_owned();
        of_arm(level, "order-lost", message, None)
    })
}

fn repeated(index: &Index<'_>, arm: ArmId, level: &Level) -> Option<Warning> {
    let repeated = index.repeated(arm);
    (repeated > 0).then(|| {
        let message = format!(
            "{} of a round that was measured before: a comparison takes the first of each round, a level takes all",
            counted(repeated, "sample")
        );
        of_arm(
            level,
            "repeated-rounds",
            message,
            Some("a round is each arm once: if two trials were put into one, analyse them as two"),
        )
    })
}

fn batched(level: &Level) -> Option<Warning> {
    let batched = batched_samples([level.iterations])?;
    Some(of_arm(level, "batched", batched.to_string(), None))
}

/// Many iterations that take nothing all together are no work: a processor takes a third of a nanosecond for the least.
fn no_work(trial: &Trial, level: &Level) -> Option<Warning> {
    let measured = matches!(trial.origin, Origin::Measured { .. });
    let nanoseconds = level.figures.median? * level.unit.in_seconds()? * 1e9;
    (measured && level.iterations > 1 && nanoseconds < LEAST_WORK).then(|| {
        let message = "its runs take no time: was the work optimised away?".to_owned();
        let advice = "let the function return its result, and get its input through black_box or with_input";
        of_arm(level, "no-work", message, Some(advice))
    })
}

fn near_clock(trial: &Trial, level: &Level) -> Option<Warning> {
    let clock = trial.environment.clock.as_ref()?;
    if level.from != From::Samples {
        return None;
    }
    let nanoseconds = level.figures.median? * level.unit.in_seconds()? * 1e9 * level.iterations.max(1) as f64;
    (nanoseconds < CLOCK_STEPS * clock.resolution_ns).then(|| {
        let message = format!(
            "a sample of {} is near the clock's step of {} ns",
            quantity(nanoseconds, &crate::Unit::nanoseconds()),
            clock.resolution_ns
        );
        of_arm(level, "clock", message, Some("measure several iterations in one sample"))
    })
}

fn too_short(trial: &Trial, arm: ArmId, level: &Level) -> Option<Warning> {
    let measured = matches!(trial.origin, Origin::Measured { .. });
    let command = trial.arm(arm).is_some_and(|arm| !arm.command.is_empty());
    let seconds = level.figures.median? * level.unit.in_seconds()?;
    (measured && command && ["time", "wall"].contains(&level.metric.as_str()) && seconds < SHORT_COMMAND)
        .then(|| {
            let message = format!(
                "a run takes {}, and starting a process is most of this time",
                quantity(level.figures.median.unwrap_or_default(), &level.unit)
            );
            let advice = "measure a function inside the program, or let the command do the work many times";
            of_arm(level, "too-short", message, Some(advice))
        })
}

/// An arm whose first run was slow.
struct SlowStart<'a> {
    level: &'a Level,
    first: f64,
    median: f64,
}

fn slow_start<'a>(index: &Index<'_>, arm: ArmId, level: &'a Level) -> Option<SlowStart<'a>> {
    // A tool that measured it knows its own warm-up; for imports the first sample may be any.
    let measured = matches!(index.trial.origin, Origin::Measured { .. });
    let (metric, definition) = index.trial.metric(&level.metric)?;
    let time = definition.unit.in_seconds().is_some() && definition.better == Better::Lower;
    let median = level.figures.median?;
    let first = index.first_cost(arm, metric).filter(|first| *first > SLOW_START * median)?;
    (measured && time && level.iterations == 1 && level.samples >= FEWEST_FOR_START).then_some(SlowStart {
        level,
        first,
        median,
    })
}

/// One warning for all of them: they have one cause and one cure.
fn slow_starts(slow: &[SlowStart<'_>]) -> Option<Warning> {
    let against = |slow: &SlowStart<'_>| {
        let said = |value| quantity(value, &slow.level.unit);
        format!("{} against a median of {}", said(slow.first), said(slow.median))
    };
    let advice = Some("--warmup 1 runs each once before the first round");
    let first = slow.first()?;
    if slow.len() == 1 {
        let message = format!("the first run was slow: {}", against(first));
        return Some(of_arm(first.level, "slow-start", message, advice));
    }
    let listed = &slow[..slow.len().min(MOST_LISTED)];
    let mut names: Vec<String> = listed.iter().map(|slow| slow.level.arm.clone()).collect();
    let mut times: Vec<String> = listed.iter().map(against).collect();
    if slow.len() > listed.len() {
        names.push(format!("{} more", slow.len() - listed.len()));
        times.push("so on".to_owned());
    }
    let message =
        format!("the first runs of {} were slow: {}", listed_with_and(&names), listed_with_and(&times));
    Some(of_trial("slow-start", message, advice))
}

fn listed_with_and(words: &[String]) -> String {
    match words {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        words => words.concat(),
    }
}

fn several_modes(level: &Level) -> Option<Warning> {
    (level.modes.len() > 1).then(|| {
        let mode = |mode: &super::level::Mode| {
            format!("{} ({:.0} %)", quantity(mode.place, &level.unit), 100.0 * mode.share)
        };
        let places: Vec<String> = level.modes.iter().take(MOST_LISTED).map(mode).collect();
        let message = format!("{} kinds of behaviour: {}", level.modes.len(), places.join(", "));
        of_arm(
            level,
            "modes",
            message,
            Some("a mean of several modes describes none of them; look at the run chart"),
        )
    })
}

fn moved(level: &Level) -> Option<Warning> {
    let first = level.movements.first()?;
    let place = |movement: &super::level::Movement| match movement.kind.as_str() {
        "drift" => format!(
            "{} from beginning to end",
            change((movement.after - movement.before) / movement.before.abs())
        ),
        _ => format!(
            "{} from sample {}",
            change((movement.after - movement.before) / movement.before.abs()),
            movement.sample + 1
        ),
    };
    let places: Vec<String> = level.movements.iter().take(MOST_LISTED).map(place).collect();
    let what = if first.kind == "drift" { "the level drifted" } else { "the level moved" };
    Some(of_arm(level, "moved", format!("{what}: {}", places.join(", ")), None))
}

fn remembers(level: &Level) -> Option<Warning> {
    let error = level.mean_error.filter(|error| error.inflation > REMEMBERS)?;
    // Whatever was measured is worth one: less than that is said of no sample.
    let worth = error.effective_samples.round().max(1.0) as usize;
    let message = format!(
        "samples resemble the ones before them: {} that follow one another are worth about {} for the mean",
        level.samples,
        counted(worth, "independent one")
    );
    Some(of_arm(level, "autocorrelated", message, None))
}

fn other_inputs(apart: &Apart<'_>) -> Option<Warning> {
    let (first, second) = (apart.arms.first()?, apart.arms.get(1)?);
    let differ_in = apart.differ_in.join(" and ");
    let message = if apart.some_compared {
        format!(
            "{} and its like are compared where they have the same {differ_in}: two inputs are no rivals",
            first.name
        )
    } else {
        let others = match apart.arms.len() {
            2 => second.name.clone(),
            many => format!("{} more like it", many - 1),
        };
        format!(
            "{} and {others} are not compared: they differ in {differ_in}, so they may be two inputs and no rivals",
            first.name
        )
    };
    let quote = if first.name.contains('\'') { '"' } else { '\'' };
    let advice = format!("--baseline {quote}{}{quote} compares all of them with it", first.name);
    Some(of_trial("other-input", message, Some(&advice)))
}

fn nothing_shared(trial: &Trial, (baseline, candidate): (ArmId, ArmId)) -> Option<Warning> {
    let (baseline, candidate) = (trial.arm(baseline)?, trial.arm(candidate)?);
    let message = format!(
        "{} and {} are not compared: they have no samples of the same metric",
        candidate.name, baseline.name
    );
    Some(Warning { arm: Some(candidate.name.clone()), ..of_trial("not-compared", message, None) })
}

fn mean_disagrees(comparison: &Comparison) -> Option<Warning> {
    let pulled_by = comparison.mean.as_ref()?.pulled_by.as_ref()?;
    Some(Warning {
        code: "mean-disagrees".to_owned(),
        arm: Some(pulled_by.clone()),
        message: format!(
            "the mean difference of {} ({}) points the other way than the typical round: outlying rounds of {pulled_by} \
             pull it",
            comparison.metric,
            change(comparison.mean.as_ref()?.difference_percent / 100.0)
        ),
        advice: Some(
            "the mean tells what many runs cost together, the verdict what a typical run costs".to_owned(),
        ),
    })
}
