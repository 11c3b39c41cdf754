//! What do all benchmarks of a suite say together? The geometric mean of their ratios: the only mean for which it does not matter
//! which side is the baseline (Fleming and Wallace 1986, *How not to lie with statistics*).
//!
//! *Its interval* holds for any effects, and although each benchmark ends on its own evidence:
//! [`evenhand_stats::randomised::suite_mean`]. It needs coins of their own, which benchmarks have that are measured one after the other.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Effect};
use super::{Names, Settings};
use evenhand_stats::randomised::launches::fewest_to_decide;
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::suite_mean::{Benchmark, mean_effect};
use evenhand_trial::{MetricId, Plan};
use std::collections::BTreeSet;

/// All comparisons of one metric together. Where none was asked for, each is by the first metric that is known of it: benchmarks
/// by `time` and by `wall` are one suite.
#[derive(Debug, Clone, PartialEq)]
pub struct Suite {
    /// The metric, or those that some are by.
    pub metrics: BTreeSet<MetricId>,
    pub comparisons: usize,
    /// The geometric mean as a relative change, 0.01 = 1 % slower (worse).
    pub effect: Effect,
}

/// `None` unless there are several groups with one comparison each, and each with an estimate by a coin.
pub(super) fn suite(
    comparisons: &[Comparison],
    names: &Names,
    plan: &Plan,
    settings: &Settings,
) -> Option<Suite> {
    let counted = || comparisons.iter().filter(|comparison| !comparison.control);
    let first = counted().next()?.pair.metric;
    let belongs = |comparison: &&Comparison| settings.metrics.is_empty() || comparison.pair.metric == first;
    let of_metric: Vec<&Comparison> = counted().filter(belongs).collect();
    let group = |comparison: &&Comparison| names.group(comparison.pair.candidate);
    let groups: BTreeSet<&str> = of_metric.iter().map(group).collect();
    if of_metric.len() < 2 || groups.len() < of_metric.len() {
        return None;
    }
    let estimates: Vec<f64> =
        of_metric.iter().map(|comparison| estimate(comparison)).collect::<Option<_>>()?;
    let mean = estimates.iter().sum::<f64>() / estimates.len() as f64;
    let benchmarks: Vec<Benchmark<'_>> =
        of_metric.iter().map(|comparison| benchmark(comparison, plan, settings)).collect::<Option<_>>()?;
    let known = mean_effect(&benchmarks, settings.alpha()).ok()?;
    // Each estimate leans to the side that ended its benchmark, so their mean may lie just outside.
    let effect = Effect {
        low: known.low.map(|low| low.min(mean).exp_m1()),
        estimate: Some(mean.exp_m1()),
        high: known.high.map(|high| high.max(mean).exp_m1()),
    };
    let metrics = of_metric.iter().map(|comparison| comparison.pair.metric).collect();
    Some(Suite { metrics, comparisons: of_metric.len(), effect })
}

/// The logarithm of the ratio.
fn estimate(comparison: &Comparison) -> Option<f64> {
    let known = comparison.effect.low.and(comparison.effect.high).and(comparison.effect.estimate);
    known.map(f64::ln_1p).filter(|estimate| estimate.is_finite())
}

fn benchmark<'a>(comparison: &'a Comparison, plan: &Plan, settings: &Settings) -> Option<Benchmark<'a>> {
    let coin = comparison.coin()?;
    let effects = &coin.effects[..];
    let opening = |chosen: bool, mixture: &Mixture| {
        if chosen { effects.len() } else { fewest_to_end(plan, settings, mixture) }
    };
    Some(if coin.within_launches.is_some() {
        Benchmark::of_launches(effects, opening(plan.launches.is_some(), &Mixture::launches()))
    } else {
        Benchmark::of_rounds(effects, opening(plan.rounds.is_some(), &Mixture::rounds()))
    })
}

/// The fewest rounds, or launches, after which the measurement could end because of what it found.
fn fewest_to_end(plan: &Plan, settings: &Settings, mixture: &Mixture) -> usize {
    let while_measured =
        1.0 - plan.confidence_percent.map_or(Settings::default().confidence, |it| it / 100.0);
    fewest_to_decide(while_measured.max(settings.alpha()), mixture)
}
