//! What would "the second one is faster" have done without a coin? The median of the rounds' effects where the candidate ran before the
//! baseline and where it ran after it, each with the exact interval of a median from independent rounds. The verdict needs none of
//! this: the coin gives both orders the same chance.
//!
//! Tests: `tests/analysis/pictures.rs`.

use super::axis::axis_around;
use crate::Settings;
use crate::comparison::{Comparison, Effect, relative};
use crate::question::Question;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::LogRatio;
use evenhand_trial::{ArmId, LaunchId, MetricId, RoundId, Trial};
use serde::Serialize;
use std::collections::HashMap;

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
