//! Which numbers belong together? The samples of an arm over all its series, and the rounds that two arms share.
//!
//! Tests: `tests/analysis.rs`.

use crate::{ArmId, LaunchId, MetricId, RoundId, Series, Trial};
use std::collections::BTreeMap;

/// The measured samples of one arm and metric, each the cost of one iteration, by launch and in the order they were
/// taken.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// All of them.
    pub values: Vec<f64>,
    /// Where each launch begins in `values`.
    pub launches: BTreeMap<LaunchId, usize>,
    /// The most iterations in one sample.
    pub iterations: u64,
}

/// The series of an arm by launch, those of one launch in the order they are stored.
fn series_of(trial: &Trial, arm: ArmId) -> Vec<&Series> {
    let mut series: Vec<&Series> = trial.series.iter().filter(|series| series.arm == arm).collect();
    series.sort_by_key(|series| series.launch);
    series
}

/// The samples of an arm, without those where the metric is missing.
pub(super) fn costs(trial: &Trial, arm: ArmId, metric: MetricId) -> Costs {
    let mut costs = Costs::default();
    for series in series_of(trial, arm) {
        costs.launches.entry(series.launch).or_insert(costs.values.len());
        for (_, cost, iterations) in measured(trial, series, metric) {
            costs.iterations = costs.iterations.max(iterations);
            costs.values.push(cost);
        }
    }
    costs
}

/// Round, cost of one iteration and iterations of each sample that has the metric.
fn measured<'a>(
    trial: &'a Trial,
    series: &'a Series,
    metric: MetricId,
) -> impl Iterator<Item = (RoundId, f64, u64)> + 'a {
    let definition = trial.metrics.get(metric.index());
    let column = series.column(metric);
    let wholes = series.rounds.iter(column.len()).zip(series.iterations.iter(column.len()));
    column.iter().zip(wholes).filter(|(value, _)| !value.is_nan()).map(move |(value, (round, iterations))| {
        let cost = definition.map_or(*value, |metric| metric.per_iteration(*value, iterations));
        (RoundId(round), cost, iterations)
    })
}

/// The rounds of one launch in which both arms were measured.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    /// Cost of the baseline in each round.
    pub baseline: Vec<f64>,
    /// Cost of the candidate in the same rounds.
    pub candidate: Vec<f64>,
}

/// The shared rounds of two arms, launch by launch.
pub(super) fn rounds(trial: &Trial, baseline: ArmId, candidate: ArmId, metric: MetricId) -> Vec<Rounds> {
    let (old, new) = (by_round(trial, baseline, metric), by_round(trial, candidate, metric));
    let mut launches: BTreeMap<LaunchId, Rounds> = BTreeMap::new();
    let (mut old, mut new) = (old.into_iter().peekable(), new.into_iter().peekable());
    while let (Some((left, a)), Some((right, b))) = (old.peek(), new.peek()) {
        if left < right {
            old.next();
        } else if right < left {
            new.next();
        } else {
            let rounds = launches.entry(left.0).or_default();
            rounds.baseline.push(*a);
            rounds.candidate.push(*b);
            old.next();
            new.next();
        }
    }
    launches.into_values().collect()
}

/// All costs of an arm with their launch and round, in that order. A round that was measured twice counts the first
/// time.
fn by_round(trial: &Trial, arm: ArmId, metric: MetricId) -> Vec<((LaunchId, RoundId), f64)> {
    let mut all: Vec<_> = series_of(trial, arm)
        .into_iter()
        .flat_map(|series| {
            measured(trial, series, metric).map(|(round, cost, _)| ((series.launch, round), cost))
        })
        .collect();
    all.sort_by_key(|(place, _)| *place);
    all.dedup_by_key(|(place, _)| *place);
    all
}
