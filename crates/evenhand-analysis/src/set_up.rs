//! How much of a sample is set-up? Where something was measured with several numbers of iterations, the two smallest of them show it.
//!
//! The parameter `iterations` of an arm is the number of iterations in each sample. For a function it is the number of calls. For a command
//! it is an argument, and a sample is a whole run.
//!
//! Both limits are from P. Vaskovic, "Towards Robust Performance Measurement" (2018). The sentences (`words/set_up.rs`) claim a set-up
//! only beyond [`SCATTER`], and advise to remove it beyond [`LEAST_SHARE`]; the page (`charts/pool.rs`) lets a reader look beyond either.
//!
//! Tests: `tests/analysis/set_up.rs`.

use super::Level;
use evenhand_stats::level::set_up::{Smallest, set_up};
use evenhand_trial::{ArmId, MetricId, Trial};
use std::collections::BTreeMap;

/// The parameter that says how many iterations a sample has.
pub const ITERATIONS: &str = "iterations";

/// What a sample of something consists of.
#[derive(Debug, Clone, PartialEq)]
pub struct SetUp {
    /// What was measured, without its iterations.
    pub what: String,
    pub metric: MetricId,
    /// The two numbers of iterations that tell it.
    pub iterations: [u64; 2],
    /// What is in each sample once, in the metric's unit.
    pub set_up: f64,
    /// What each iteration takes without it.
    pub work: f64,
    /// The part of a sample with the fewest iterations that is set-up.
    pub share: f64,
    /// Whether it stands out of what those samples scatter.
    pub evident: bool,
}

/// The part of a sample from which set-up matters.
pub(crate) const LEAST_SHARE: f64 = 0.05;
/// The number of interquartile ranges from which set-up stands out of the scatter.
pub(super) const SCATTER: f64 = 1.2;

/// Arms that differ in their iterations only, with their smallest samples, by what they measure.
type Families = BTreeMap<(String, Vec<(String, String)>), BTreeMap<u64, ArmId>>;

/// For each thing that was measured with several numbers of iterations.
pub(super) fn set_ups(trial: &Trial, levels: &[Level]) -> Vec<SetUp> {
    let one = |((what, _), arms): ((String, _), BTreeMap<u64, ArmId>)| {
        let mut fewest = arms.into_iter();
        of_two(trial, levels, what, [fewest.next()?, fewest.next()?])
    };
    families(trial).into_iter().filter_map(one).collect()
}

fn families(trial: &Trial) -> Families {
    let mut families = Families::new();
    for (arm, number) in trial.arms.iter().zip(0..) {
        let mut others = arm.parameters.clone();
        let Some(parameter) = others.remove(ITERATIONS).filter(|_| !arm.control) else { continue };
        let Some(iterations) = parameter.parse().ok().filter(|iterations| *iterations > 0) else { continue };
        let family = (without_iterations(&arm.name, &parameter), others.into_iter().collect());
        families.entry(family).or_default().insert(iterations, ArmId(number));
    }
    families
}

/// `sorts` of `sorts i4`; `./sort -n {iterations}` of `./sort -n 4`.
pub(super) fn without_iterations(name: &str, iterations: &str) -> String {
    if let Some(name) = name.strip_suffix(&format!(" i{iterations}")) {
        return name.to_owned();
    }
    let pieces = name.split_inclusive(|character: char| !character.is_alphanumeric());
    let named = |piece: &str| match piece.strip_prefix(iterations) {
        Some(rest) if !rest.starts_with(char::is_alphanumeric) => format!("{{{ITERATIONS}}}{rest}"),
        _ => piece.to_owned(),
    };
    pieces.map(named).collect()
}

fn of_two(trial: &Trial, levels: &[Level], what: String, arms: [(u64, ArmId); 2]) -> Option<SetUp> {
    let is_time = |metric: &MetricId| trial.metrics[metric.index()].unit.in_seconds().is_some();
    let metrics = (0..trial.metrics.len() as u32).map(MetricId).filter(is_time);
    let both =
        |metric| Some((metric, [smallest(levels, arms[0], metric)?, smallest(levels, arms[1], metric)?]));
    let (metric, [few, many]) = metrics.filter_map(both).next()?;
    let found = set_up(few, many)?;
    Some(SetUp {
        what,
        metric,
        iterations: arms.map(|(iterations, _)| iterations),
        set_up: found.set_up,
        work: found.work,
        share: found.set_up / (few.each * few.iterations),
        evident: found.set_up > SCATTER * scatter(levels, arms[0], metric),
    })
}

/// The smallest sample of an arm, for one of its iterations.
fn smallest(levels: &[Level], (iterations, arm): (u64, ArmId), metric: MetricId) -> Option<Smallest> {
    let level = find(levels, arm, metric)?;
    let least = level.figures.min.filter(|least| *least > 0.0)?;
    let each = if are_counted(level, iterations) { least } else { least / iterations as f64 };
    Some(Smallest { iterations: iterations as f64, each })
}

/// The interquartile range of whole samples.
fn scatter(levels: &[Level], (iterations, arm): (u64, ArmId), metric: MetricId) -> f64 {
    let whole = |level: &Level| {
        let range = level.figures.iqr?;
        Some(if are_counted(level, iterations) { range * iterations as f64 } else { range })
    };
    find(levels, arm, metric).and_then(whole).unwrap_or(f64::INFINITY)
}

/// Whether the figures are already those of one iteration. They are not of a command, or of a function that is told what to do: each of
/// their runs does all iterations.
fn are_counted(level: &Level, iterations: u64) -> bool {
    level.iterations == iterations
}

fn find(levels: &[Level], arm: ArmId, metric: MetricId) -> Option<&Level> {
    levels.iter().find(|level| (level.arm, level.metric) == (arm, metric))
}
