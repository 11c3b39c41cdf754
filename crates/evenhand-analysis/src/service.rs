//! Is a difference between two services the load generator's own? It is late by a little with each request, and a response has that in
//! it. The same lateness in both arms makes an effect look smaller; a different one makes an effect where there is none. So where the
//! typical lateness of the arms differs by more than half of the margin, and of the change that was found, there is no verdict.
//!
//! Tests: `tests/analysis/service.rs`.

use super::comparison::{Comparison, Limit};
use super::question::Question;
use evenhand_stats::randomised::Word;
use evenhand_trial::{ArmId, MetricId};

/// The part of the margin, or of the change if that is larger, that a difference in lateness may have.
const OURS: f64 = 0.5;

/// Takes the verdict back where the lateness may have made it.
pub(super) fn without_own_lateness(question: &Question<'_>, comparison: Comparison) -> Comparison {
    match own_lateness(question, comparison.effect.estimate.unwrap_or(0.0)) {
        Some(limit) if comparison.verdict != Word::Unclear => {
            let limits = [limit].into_iter().chain(comparison.limits).collect();
            Comparison { verdict: Word::Unclear, limits, ..comparison }
        }
        _ => comparison,
    }
}

fn own_lateness(question: &Question<'_>, change: f64) -> Option<Limit> {
    let late = late_at(question)?;
    let of = |arm: ArmId, metric: MetricId| typical(question, arm, metric);
    let pair = question.pair;
    let difference = (of(pair.candidate, late)? - of(pair.baseline, late)?).abs();
    let response = of(pair.baseline, pair.metric)?;
    let allowed = OURS * question.margin().max(change.abs()) * response;
    (difference > allowed).then_some(Limit::OwnLateness { difference, response })
}

/// The metric that says how late the generator was at the percentile that is compared.
fn late_at(question: &Question<'_>) -> Option<MetricId> {
    let percentile = question.definition.name.strip_prefix("response_")?;
    let metrics = &question.study.trial.metrics;
    let is_late = |name: &str| name.strip_prefix("late_") == Some(percentile);
    metrics.iter().position(|metric| is_late(&metric.name)).map(|place| MetricId(place as u32))
}

fn typical(question: &Question<'_>, arm: ArmId, metric: MetricId) -> Option<f64> {
    Some(question.study.costs(arm, metric).sorted().ok()?.median())
}
