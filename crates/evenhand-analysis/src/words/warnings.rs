//! What should a reader know before believing the numbers, and what can be done about it?
//!
//! Tests: `tests/analysis/warned.rs`, `tests/analysis/pairing.rs`, `tests/analysis/control.rs`.

use super::phrase::{Part, Phrase, text};
use super::statement::in_metric;
use super::{change, counted, quantity, size};
use crate::{Analysis, Apart, Comparison, Concern, From, Mode, Movement, SlowStart, Warning};
use evenhand_stats::level::stationarity::MovementKind;
use evenhand_trial::{ArmId, MetricId, Unit};
use serde::Serialize;

/// A warning in words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Warned<'a> {
    /// The name of the arm it is about; none: the whole trial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<&'a str>,
    pub message: Phrase<'a>,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Phrase<'a>>,
}

fn plainly<'a>(message: impl Into<Phrase<'a>>) -> Warned<'a> {
    Warned { message: message.into(), ..Warned::default() }
}

impl<'a> Warned<'a> {
    fn advised(self, advice: impl Into<Phrase<'a>>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }
}

/// What a warning says, and what can be done.
pub fn warning<'a>(analysis: &'a Analysis, warning: &'a Warning) -> Warned<'a> {
    let about = warning.about.map(|arm| analysis.names.arm(arm));
    let of = Of { analysis, about: Part::Name(about.unwrap_or_default()) };
    Warned { about, ..of.warned(&warning.what) }
}

/// "3 more remarks, on absolute times and on how it was measured: --verbose".
pub fn more(remarks: usize) -> String {
    format!("{} on absolute times and the measurement: --verbose", counted(remarks, "more remark"))
}

/// Modes and movements are not listed beyond this.
const MOST_LISTED: usize = 4;

/// An analysis, and the arm that a warning is about.
struct Of<'a> {
    analysis: &'a Analysis,
    about: Part<'a>,
}

impl<'a> Of<'a> {
    fn warned(self, what: &'a Concern) -> Warned<'a> {
        match what {
            Concern::Interrupted => plainly("the run was interrupted; all complete rounds count"),
            Concern::Stolen(share) => self.stolen(*share),
            Concern::Busy { load, processors } => self.busy(*load, *processors),
            Concern::Governor(governor) => plainly(format!("the frequency governor is \"{governor}\""))
                .advised("sudo cpupower frequency-set -g performance"),
            Concern::OtherInput(apart) => self.other_input(apart),
            Concern::SlowStart(slow) => plainly(self.slow_start(slow)).advised(warmed_up(slow)),
            Concern::Failed { failed, runs } => {
                plainly(format!("{failed} of {} failed", counted(*runs, "run")))
                    .advised("failed runs are kept with their reason but count in no figure")
            }
            Concern::NoSamples(from) => no_samples(*from),
            Concern::OrderLost => {
                plainly("the tool sorted the samples: no error of the mean and no drift can be computed")
            }
            Concern::RepeatedRounds(count) => repeated_rounds(*count),
            Concern::NoWork => plainly("its runs take no time: was the work optimised away?").advised(
                "return the result from the function, and pass its input through black_box or with_input",
            ),
            Concern::NearClock { sample_ns, step_ns } => near_clock(*sample_ns, *step_ns),
            Concern::Batched(iterations) => plainly(format!(
                "each sample averages up to {iterations} iterations, so its percentiles hide the tail"
            )),
            Concern::TooShort(seconds) => too_short(*seconds),
            Concern::Modes { modes, metric } => {
                several_modes(modes, &self.analysis.names.metric(*metric).unit)
            }
            Concern::Moved(movements) => plainly(moved(movements)),
            Concern::Autocorrelated { samples, worth } => autocorrelated(*samples, *worth),
            Concern::NotCompared(baseline) => self.not_compared(*baseline),
            Concern::MeanDisagrees { metric, difference } => self.mean_disagrees(*metric, *difference),
            Concern::ControlDiffers { baseline, metric, by } => self.control_differs(*baseline, *metric, *by),
        }
    }

    fn stolen(&self, share: f64) -> Warned<'a> {
        let share = size(share);
        plainly(format!("the hypervisor gave {share} of CPU time to others")).advised(self.borne())
    }

    fn busy(&self, load: f64, processors: u32) -> Warned<'a> {
        plainly(format!("the machine was busy: load {load:.1} on {processors} CPUs")).advised(self.borne())
    }

    /// What a busy machine means for what is claimed here.
    fn borne(&self) -> &'static str {
        if self.analysis.comparisons.iter().any(|comparison| comparison.coin().is_some()) {
            "the comparison is still valid; do not quote the absolute times"
        } else {
            "these are the times of a busy machine"
        }
    }

    fn other_input(&self, apart: &Apart) -> Warned<'a> {
        let [first, second, ..] = apart.arms.as_slice() else { return Warned::default() };
        let (first, differ_in) = (self.name(*first), text(apart.differ_in.join(" and ")));
        let quote = text(if first.as_str().contains('\'') { "\"" } else { "'" });
        let all = [quote.clone(), first.clone(), quote];
        let message = if apart.some_compared {
            Phrase::of(
                "{} and others are compared only where they have the same {}: different inputs do not compete",
                [first, differ_in],
            )
        } else {
            let others = match apart.arms.len() {
                2 => self.name(*second),
                many => text(format!("{} more like it", many - 1)),
            };
            Phrase::of(
                "{} and {} are not compared: they differ in {}, so they may be different inputs",
                [first, others, differ_in],
            )
        };
        plainly(message).advised(Phrase::of("--baseline {}{}{} compares all of them with it", all))
    }

    fn slow_start(&self, slow: &[SlowStart]) -> Phrase<'a> {
        let time = |seconds| quantity(seconds, &Unit::seconds());
        let against = |slow: &SlowStart| text(format!("{} (median {})", time(slow.first), time(slow.median)));
        if let [only] = slow {
            return Phrase::of("the first run was slow: {}", [against(only)]);
        }
        let listed = &slow[..slow.len().min(MOST_LISTED)];
        let mut names: Vec<Part<'a>> = listed.iter().map(|slow| self.name(slow.arm)).collect();
        let mut times: Vec<Part<'a>> = listed.iter().map(against).collect();
        if slow.len() > listed.len() {
            names.push(text(format!("{} more", slow.len() - listed.len())));
            times.push(text("so on"));
        }
        let [names, times] = [names, times].map(listed_with_and);
        Phrase::joined(["the first runs of".into(), names, "were slow:".into(), times], " ")
    }

    fn not_compared(self, baseline: ArmId) -> Warned<'a> {
        let baseline = self.name(baseline);
        let template = "{} and {} are not compared: they share no metric";
        plainly(Phrase::of(template, [self.about, baseline]))
    }

    fn mean_disagrees(self, metric: MetricId, difference: f64) -> Warned<'a> {
        let metric = text(&self.analysis.names.metric(metric).name);
        plainly(Phrase::of(
            "the mean of {} changed the other way ({}), because of outlying rounds of {}",
            [metric, text(change(difference)), self.about],
        ))
        .advised("the mean is what many runs cost together; the verdict is about a typical run")
    }

    /// Whether a control was judged by signs.
    fn is_by_signs(&self, baseline: ArmId, metric: MetricId) -> bool {
        let is_it = |other: &&Comparison| {
            other.control && (other.pair.baseline, other.pair.metric) == (baseline, metric)
        };
        self.analysis.comparisons.iter().find(is_it).is_some_and(|control| control.signs().is_some())
    }

    fn control_differs(self, baseline: ArmId, metric: MetricId, by: Option<f64>) -> Warned<'a> {
        let (name, in_metric) = (self.name(baseline), in_metric(self.analysis.names.metric(metric)));
        let message = match by {
            Some(by) => Phrase::of(
                "{}, measured twice, differs from itself by {}: do not trust differences up to this size in this group",
                [name, text(size(by) + &in_metric)],
            ),
            None if self.is_by_signs(baseline, metric) => Phrase::of(
                "{}, measured twice, differs from itself{}: do not trust such differences in this group",
                [name, text(in_metric)],
            ),
            None => Phrase::of(
                "{}, measured twice, differs from itself in its mean or a tail{}: do not trust such differences in this group",
                [name, text(in_metric)],
            ),
        };
        plainly(message).advised(
            "measure again, functions with more launches; if it still differs, look for an effect of memory layout or of an \
             earlier run, such as a file or a cache",
        )
    }

    fn name(&self, arm: ArmId) -> Part<'a> {
        Part::Name(self.analysis.names.arm(arm))
    }
}

fn listed_with_and(mut parts: Vec<Part<'_>>) -> Phrase<'_> {
    let last = parts.pop().into_iter().map(Phrase::from);
    let others = parts.into_iter().map(Phrase::from).reduce(|all, next| Phrase::joined([all, next], ", "));
    Phrase::joined(others.into_iter().chain(last), " and ")
}

/// Functions are warmed up in each launch already.
fn warmed_up(slow: &[SlowStart]) -> &'static str {
    if slow.iter().any(|slow| slow.is_command) {
        "--warmup 1 adds a warm-up run"
    } else {
        "do one-time work, such as filling a cache, before the measured code"
    }
}

fn no_samples(from: From) -> Warned<'static> {
    match from {
        From::Histogram => plainly("only a histogram is known: no error of the mean, no drift, no pairing"),
        From::Samples | From::Reported => plainly("only the tool's own figures are known, not its samples")
            .advised("let the tool write its raw samples, if it can"),
    }
}

fn repeated_rounds(count: usize) -> Warned<'static> {
    let samples = counted(count, "sample");
    plainly(format!(
        "{samples} of a round that was already measured: a comparison uses the first of each round, absolute times use all"
    ))
    .advised("a round is each command once: if two recordings were merged, analyse them separately")
}

fn near_clock(sample_ns: f64, step_ns: f64) -> Warned<'static> {
    let sample = quantity(sample_ns, &Unit::nanoseconds());
    plainly(format!("a sample of {sample} is close to the clock's step of {step_ns} ns"))
        .advised("measure several iterations per sample")
}

fn too_short(seconds: f64) -> Warned<'static> {
    let time = quantity(seconds, &Unit::seconds());
    plainly(format!("a run takes {time}, most of it process start"))
        .advised("benchmark a function inside the program, or let the command repeat its work")
}

fn several_modes(modes: &[Mode], unit: &Unit) -> Warned<'static> {
    let mode = |mode: &Mode| format!("{} ({:.0} %)", quantity(mode.place, unit), 100.0 * mode.share);
    let places: Vec<String> = modes.iter().take(MOST_LISTED).map(mode).collect();
    plainly(format!("{} clusters of times: {}", modes.len(), places.join(", ")))
        .advised("the mean describes none of them; see the distribution")
}

fn moved(movements: &[Movement]) -> String {
    let place = |movement: &Movement| {
        let by = change((movement.after - movement.before) / movement.before.abs());
        match movement.kind {
            MovementKind::Drift => format!("{by} from start to end"),
            MovementKind::Step => format!("{by} from sample {}", movement.sample + 1),
        }
    };
    let mut places: Vec<String> = movements.iter().take(MOST_LISTED).map(place).collect();
    if movements.len() > MOST_LISTED {
        places.push(format!("and {} more", movements.len() - MOST_LISTED));
    }
    let drifted = movements.first().is_some_and(|first| first.kind == MovementKind::Drift);
    let what = if drifted { "the time drifted" } else { "the time shifted" };
    format!("{what}: {}", places.join(", "))
}

fn autocorrelated(samples: u64, worth: usize) -> Warned<'static> {
    let worth = counted(worth, "independent one");
    plainly(format!("autocorrelated: {samples} samples carry the information of about {worth}"))
}
