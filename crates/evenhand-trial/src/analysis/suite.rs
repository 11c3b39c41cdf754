//! What do all benchmarks of a suite say together? The geometric mean of their ratios: the only mean for which it does not matter
//! which side is the baseline (Fleming and Wallace 1986, *How not to lie with statistics*).
//!
//! *Its interval.* Benchmarks are measured one after the other with coins of their own, so their errors are independent, and
//! the error of the mean of their logarithms is the root of the sum of squares over their number. Each end of an interval counts as the
//! size of an error. The intervals of the parts hold at every look and are wider than those at a fixed time, so this one errs on
//! the wide side, too.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Effect};
use super::{Names, Settings};
use crate::MetricId;
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

/// `None` unless there are several groups with one comparison each, and each with an interval.
pub(super) fn suite(comparisons: &[Comparison], names: &Names, settings: &Settings) -> Option<Suite> {
    let counted = || comparisons.iter().filter(|comparison| !comparison.control);
    let first = counted().next()?.pair.metric;
    let belongs = |comparison: &&Comparison| settings.metrics.is_empty() || comparison.pair.metric == first;
    let of_metric: Vec<&Comparison> = counted().filter(belongs).collect();
    let group = |comparison: &&Comparison| names.group(comparison.pair.candidate);
    let groups: BTreeSet<&str> = of_metric.iter().map(group).collect();
    if of_metric.len() < 2 || groups.len() < of_metric.len() {
        return None;
    }
    let ends: Vec<[f64; 3]> = of_metric.iter().map(|comparison| ends(comparison)).collect::<Option<_>>()?;
    let count = ends.len() as f64;
    let mean = ends.iter().map(|[_, middle, _]| middle).sum::<f64>() / count;
    let error = |far: usize| ends.iter().map(|end| (end[far] - end[1]).powi(2)).sum::<f64>().sqrt() / count;
    let relative = |log: f64| Some(log.exp_m1());
    let effect =
        Effect { low: relative(mean - error(0)), estimate: relative(mean), high: relative(mean + error(2)) };
    let metrics = of_metric.iter().map(|comparison| comparison.pair.metric).collect();
    Some(Suite { metrics, comparisons: of_metric.len(), effect })
}

/// Low, estimate and high as logarithms of ratios.
fn ends(comparison: &Comparison) -> Option<[f64; 3]> {
    let Effect { low, estimate, high } = comparison.effect;
    let known = comparison.coin().is_some();
    Some([low?, estimate?, high?].map(f64::ln_1p))
        .filter(|ends| known && ends.iter().all(|end| end.is_finite()))
}
