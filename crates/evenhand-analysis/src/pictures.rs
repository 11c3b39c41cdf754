//! How did the verdict come about, in numbers that can be drawn? The interval after ever more rounds, the samples of both
//! arms counted in bins, the effect by who ran first.
//!
//! Views draw these and compute nothing. The last moment of [`Picture::moments`] is the effect of the comparison itself.
//!
//! - *moments*: the confidence sequence of the verdict, asked at about forty numbers of rounds that grow by a constant
//!   factor; over launches where the verdict is over launches.
//! - *bins*: equal bins between the outermost samples inside Tukey's far fences (three interquartile ranges from the
//!   quartiles: Tukey 1977, *Exploratory Data Analysis*) of either arm; what lies outside is counted. Where that is more than a
//!   hundredth of the samples at one side, it is a mode or a tail and no outlier, and the bins go on to hold it.
//! - *course*: the medians of up to 36 stretches of each arm's samples, in the order taken.
//! - *order*: the median of the rounds' effects where the candidate ran before the baseline and where it ran after it, each with the
//!   exact interval of a median from independent rounds. The verdict needs none of this: the coin gives both orders the same
//!   chance. It shows what "the second one is faster" would have done without a coin.
//!
//! Tests: `tests/analysis/pictures.rs`.

use super::comparison::{Comparison, Effect, Question, effect, relative};
use super::paired::launch_differences;
use super::study::Study;
use super::{Analysis, Names, Settings};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches};
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio};
use evenhand_trial::{ArmId, LaunchId, MetricId, RoundId, Trial, Unit};
use serde::Serialize;
use std::collections::HashMap;

/// What can be drawn of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub baseline: String,
    pub candidate: String,
    pub group: String,
    pub metric: String,
    pub effect: Effect,
    /// The smallest change worth acting on, 0.01 = 1 %.
    pub margin: f64,
    /// What the moments count: `round` or `launch`.
    pub unit_of_moments: String,
    /// The effect after ever more of them; the last is the comparison's own. Empty without a coin.
    pub moments: Vec<Moment>,
    /// From which effect to which the last moments can be seen.
    pub moments_axis: [f64; 2],
    /// Both arms' samples, where there are any.
    pub distributions: Option<Distributions>,
    /// How both arms' levels went, where their order is known.
    pub course: Option<Course>,
    /// The effect by who ran first, where that is recorded.
    pub order: Option<Order>,
}

/// What was known after some rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Moment {
    /// After how many rounds (or launches).
    pub after: usize,
    pub effect: Effect,
}

/// The samples of both arms in bins of one width.
#[derive(Debug, Clone, PartialEq)]
pub struct Distributions {
    pub unit: Unit,
    /// Where the first bin begins.
    pub from: f64,
    /// Where the last bin ends; it belongs to that bin.
    pub to: f64,
    pub baseline: Bins,
    pub candidate: Bins,
}

/// The medians of each arm's stretches, in the order taken; every stretch has about as many samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub unit: Unit,
    pub baseline: Vec<f64>,
    pub candidate: Vec<f64>,
}

/// The samples of one arm, counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Bins {
    /// All samples, those outside included.
    pub samples: u64,
    pub median: f64,
    pub counts: Vec<u64>,
    pub below: u64,
    pub above: u64,
}

/// The effect by who ran first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Order {
    /// Of the rounds in which the candidate ran before the baseline.
    pub candidate_first: OneOrder,
    /// Of those in which it ran after.
    pub candidate_second: OneOrder,
    /// From which effect to which both can be seen in a terminal.
    #[serde(skip)]
    pub axis: [f64; 2],
}

/// The effect of the rounds of one order.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct OneOrder {
    pub rounds: usize,
    /// Their median effect with its interval.
    pub effect: Effect,
}

/// Of fewer samples than this each is a stretch of its own.
const FEW: usize = 12;
/// About so many moments are shown.
const MOMENTS: usize = 40;
/// And so many bins: one column each in a narrow terminal.
const BINS: usize = 36;

/// What can be drawn of each comparison of an analysis of this trial.
pub fn pictures(study: &Study<'_>, analysis: &Analysis) -> Vec<Picture> {
    questions(study, analysis)
        .map(|(question, comparison)| picture(&question, comparison, &analysis.names))
        .collect()
}

/// Each comparison with what it was about.
pub(super) fn questions<'a>(
    study: &'a Study<'a>,
    analysis: &'a Analysis,
) -> impl Iterator<Item = (Question<'a>, &'a Comparison)> {
    analysis.comparisons.iter().filter_map(|comparison| {
        let definition = study.trial.metrics.get(comparison.pair.metric.index())?;
        let question = Question::new(study, comparison.pair, definition, &analysis.settings);
        Some((question, comparison))
    })
}

fn picture(question: &Question<'_>, comparison: &Comparison, names: &Names) -> Picture {
    let (unit_of_moments, moments) = moments(question, comparison);
    let margin = question.margin();
    Picture {
        baseline: names.arm(question.pair.baseline).to_owned(),
        candidate: names.arm(question.pair.candidate).to_owned(),
        group: names.group(question.pair.candidate).to_owned(),
        metric: question.definition.name.clone(),
        effect: comparison.effect,
        margin,
        unit_of_moments: unit_of_moments.to_owned(),
        moments_axis: axis_around(late(&moments).map(|moment| &moment.effect), margin),
        moments,
        distributions: distributions(question),
        course: course(question),
        order: order(question, comparison),
    }
}

/// What they count, `round` or `launch`, and the effect after ever more of them. None without a coin.
pub(super) fn moments(question: &Question<'_>, comparison: &Comparison) -> (&'static str, Vec<Moment>) {
    let Some(coin) = comparison.coin() else { return ("round", Vec::new()) };
    let rounds = question.study.rounds(question.pair);
    let launches = launch_differences(question, &rounds).unwrap_or_default();
    if coin.within_launches.is_some() && coin.launch_effects.len() > 1 {
        ("launch", moments_of_launches(&launches, question.settings))
    } else {
        ("round", moments_of_rounds(&launches, question.settings))
    }
}

/// The rounds that the verdict counts: all, or those of the only launch that has enough.
fn moments_of_rounds(launches: &[Vec<Placed>], settings: &Settings) -> Vec<Moment> {
    let own_luck = launches.len() == 1 || launches.iter().all(|rounds| rounds.len() == 1);
    let counted = launches.iter().filter(|rounds| own_luck || rounds.len() >= FEWEST_ROUNDS);
    let rounds: Vec<Placed> = counted.flatten().copied().collect();
    let mut position = Position::default();
    let Ok(mut sequence) = ConfidenceSequence::new(settings.alpha_of_typical(), Mixture::rounds()) else {
        return Vec::new();
    };
    let mut moments = Vec::new();
    let mut next = spaced(rounds.len()).into_iter().peekable();
    for (place, round) in rounds.iter().enumerate() {
        if sequence.push(LogRatio(position.round(*round))).is_err() {
            break;
        }
        if next.next_if_eq(&(place + 1)).is_some() {
            moments.push(Moment { after: place + 1, effect: effect(sequence.interval()) });
        }
    }
    moments
}

fn moments_of_launches(launches: &[Vec<Placed>], settings: &Settings) -> Vec<Moment> {
    let long: Vec<&[Placed]> =
        launches.iter().map(Vec::as_slice).filter(|rounds| rounds.len() >= FEWEST_ROUNDS).collect();
    let at = |after: usize| {
        let found = Launches::of(&long[..after], settings.alpha_of_typical()).ok()?;
        Some(Moment { after, effect: effect(found.across) })
    };
    spaced(long.len()).into_iter().filter_map(at).collect()
}

/// Whole numbers up to `last` that grow by a constant factor, each once, `last` included.
pub(super) fn spaced(last: usize) -> Vec<usize> {
    let factor = |step: usize| step as f64 / (MOMENTS - 1) as f64;
    let mut numbers: Vec<usize> =
        (0..MOMENTS).map(|step| (last as f64).powf(factor(step)).round() as usize).collect();
    numbers.push(last);
    numbers.retain(|number| (1..=last).contains(number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The moments of the last seven eighths: before, the interval was so wide that on its axis the last would be a dot.
fn late(moments: &[Moment]) -> impl Iterator<Item = &Moment> {
    let last = moments.last().map_or(0, |moment| moment.after);
    moments.iter().filter(move |moment| moment.after > last / 8)
}

/// An axis that shows these effects with a little room around them, "no difference" and the margins.
fn axis_around<'a>(effects: impl Iterator<Item = &'a Effect>, margin: f64) -> [f64; 2] {
    let mut axis = [-1.5 * margin, 1.5 * margin];
    for effect in effects {
        let known: Vec<f64> = [effect.low, effect.estimate, effect.high].into_iter().flatten().collect();
        let low = known.iter().copied().fold(f64::INFINITY, f64::min);
        let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low <= high {
            let around = 0.2 * (high - low);
            axis = [axis[0].min(low - around), axis[1].max(high + around)];
        }
    }
    // Nothing is faster by more than 100 %.
    [axis[0].max(-1.0), axis[1].min(f64::MAX)]
}

fn distributions(question: &Question<'_>) -> Option<Distributions> {
    let sorted = |arm| question.study.costs(arm, question.pair.metric).sorted().ok();
    let (baseline, candidate) = (sorted(question.pair.baseline)?, sorted(question.pair.candidate)?);
    let [from, to] = common_range([baseline, candidate].into_iter())?;
    Some(Distributions {
        unit: question.definition.unit.clone(),
        from,
        to,
        baseline: bins(baseline, from, to),
        candidate: bins(candidate, from, to),
    })
}

fn course(question: &Question<'_>) -> Option<Course> {
    let of = |arm| {
        let costs = &question.study.costs(arm, question.pair.metric).values;
        let known = costs.len() >= 2 && !question.study.order_lost(arm);
        known.then(|| medians_of_stretches(costs))?
    };
    Some(Course {
        unit: question.definition.unit.clone(),
        baseline: of(question.pair.baseline)?,
        candidate: of(question.pair.candidate)?,
    })
}

fn medians_of_stretches(costs: &[f64]) -> Option<Vec<f64>> {
    // Three samples in each, where there are enough, so that a single slow one is no level.
    let stretches = if costs.len() < FEW { costs.len() } else { BINS.min(costs.len() / 3) };
    let begin = |stretch: usize| stretch * costs.len() / stretches;
    let median =
        |stretch: usize| Some(Sorted::new(&costs[begin(stretch)..begin(stretch + 1)]).ok()?.median());
    (0..stretches).map(median).collect()
}

/// How many interquartile ranges a fence is away from its quartile, and how many a far fence.
pub(super) const NEAR: f64 = 1.5;
pub(super) const FAR: f64 = 3.0;

/// More than this share of the samples beyond a fence are a mode or a tail, which an axis has to hold.
const MOST_BEYOND: f64 = 0.01;
/// This many may be single outliers, however few samples there are.
const STRAYS: usize = 4;
/// The percentile may lie in the middle of a mode: the axis goes on by this part of the way from the quartile.
const FURTHER: f64 = 0.1;

/// From the smallest sample that an axis has to hold to the largest, with fences so many interquartile ranges away.
pub(super) fn axis_range(sorted: &Sorted, fence: f64) -> Option<[f64; 2]> {
    let samples = sorted.as_slice();
    let last = samples.len().checked_sub(1)?;
    let beyond = STRAYS.max((MOST_BEYOND * samples.len() as f64) as usize).min(last / 2);
    let (q1, q3) = (sorted.percentile(25.0).ok()?, sorted.percentile(75.0).ok()?);
    let aside = fence * (q3 - q1);
    let from = end(q1, q1 - aside, *samples.get(beyond)?);
    let to = end(q3, q3 + aside, *samples.get(last - beyond)?);
    let low = samples.iter().copied().find(|value| *value >= from)?;
    Some([low, samples.iter().copied().rfind(|value| *value <= to)?])
}

/// The fence, or past the outermost sample to be held, if that is further from the quartile.
fn end(quartile: f64, fence: f64, outermost: f64) -> f64 {
    if (outermost - quartile).abs() <= (fence - quartile).abs() {
        return fence;
    }
    outermost + FURTHER * (outermost - quartile)
}

/// From the smallest to the largest of these ranges, with far fences.
pub(super) fn common_range<'a>(arms: impl Iterator<Item = &'a Sorted>) -> Option<[f64; 2]> {
    let wider = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
    let [from, to] = arms.filter_map(|sorted| axis_range(sorted, FAR)).reduce(wider)?;
    // All samples alike: a hundredth to both sides makes room for a bin.
    let aside = if from < to { 0.0 } else { (0.01 * from.abs()).max(f64::MIN_POSITIVE) };
    (to - from).is_finite().then_some([from - aside, to + aside])
}

fn bins(sorted: &Sorted, from: f64, to: f64) -> Bins {
    let mut bins = Bins {
        samples: sorted.count() as u64,
        median: sorted.median(),
        counts: vec![0; BINS],
        below: 0,
        above: 0,
    };
    let width = (to - from) / BINS as f64;
    for &value in sorted.as_slice() {
        if value < from {
            bins.below += 1;
        } else if value > to {
            bins.above += 1;
        } else {
            bins.counts[(((value - from) / width) as usize).min(BINS - 1)] += 1;
        }
    }
    bins
}

/// Rounds and launches whose positions are known, with the sample's cost and place.
pub(super) type Places = HashMap<(LaunchId, RoundId), (f64, u64)>;

/// The effect by who ran first. None without a coin.
pub(super) fn order(question: &Question<'_>, comparison: &Comparison) -> Option<Order> {
    comparison.coin()?;
    let places = |arm| places(question.study.trial, arm, question.pair.metric);
    let (baseline, candidate) = (places(question.pair.baseline), places(question.pair.candidate));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (round, (old, place)) in &baseline {
        let Some((new, other)) = candidate.get(round) else { continue };
        let (better, worse) = question.worse_is_positive(*old, *new);
        if better > 0.0 && worse > 0.0 {
            let into = if other < place { &mut first } else { &mut second };
            into.push(worse.ln() - better.ln());
        }
    }
    let candidate_first = one_order(&first, question.settings)?;
    let candidate_second = one_order(&second, question.settings)?;
    let effects = [&candidate_first.effect, &candidate_second.effect];
    let axis = axis_around(effects.into_iter(), question.margin());
    Some(Order { candidate_first, candidate_second, axis })
}

fn one_order(differences: &[f64], settings: &Settings) -> Option<OneOrder> {
    let sorted = Sorted::new(differences).ok()?;
    let interval = sorted.quantile_interval(0.5, settings.confidence).ok()?;
    let change = |effect: f64| relative(LogRatio(effect));
    let effect = Effect {
        estimate: Some(change(sorted.median())),
        low: interval.low.map(change),
        high: interval.high.map(change),
    };
    Some(OneOrder { rounds: sorted.count(), effect })
}

pub(super) fn places(trial: &Trial, arm: ArmId, metric: MetricId) -> Places {
    let mut places = Places::new();
    let definition = trial.metrics.get(metric.index());
    for series in trial.series.iter().filter(|series| series.arm == arm) {
        let Some(positions) = &series.positions else { continue };
        for (place, value) in series.column(metric).iter().enumerate() {
            let whole = series.rounds.get(place).zip(positions.get(place));
            let (Some((round, position)), false) = (whole, value.is_nan()) else { continue };
            let iterations = series.iterations.get(place).unwrap_or(1);
            let cost = definition.map_or(*value, |metric| metric.per_iteration(*value, iterations));
            places.entry((series.launch, RoundId(round))).or_insert((cost, position));
        }
    }
    places
}
