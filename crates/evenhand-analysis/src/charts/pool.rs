//! What do the series of one thing say together, and how much of a sample is set-up? After P. Vaskovic, "Towards Robust Performance
//! Measurement" (2018).
//!
//! - *Which belong together*: arms of one group by one metric. An arm whose parameter `iterations` is what its samples have is a series
//!   of some thing, such as `sorts i4` of `sorts`: it belongs to those whose names and parameters are the same but for the iterations.
//! - *Clean*: the union of series that were cleaned each by itself, not the union cleaned.
//! - *Set-up*: from the smallest costs of one iteration with the fewest iterations and with the next
//!   (`evenhand_stats::level::set_up`). A cost is work + set-up/iterations, and the set-up is shown where it is more than `LEAST_SHARE` of the
//!   smallest sample with the fewest iterations, or more than `SCATTER` clean interquartile ranges of those. Without it, each cost is less by set-up/iterations.
//!
//! Tests: `tests/analysis/charts.rs`.

use super::Shown;
use super::arm::{ArmChart, iterations};
use super::numbers::{Boxes, FiveNumbers, inside};
use crate::set_up::{ITERATIONS, LEAST_SHARE, SCATTER, without_iterations};
use crate::study::Costs;
use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::set_up::{self, Smallest};
use evenhand_trial::{MetricId, Trial};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The series of one thing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pool {
    /// Their places among the arms that are drawn.
    pub arms: Vec<usize>,
    /// What they have in common: their group, or the parameters of the thing.
    pub name: String,
    #[serde(flatten)]
    pub boxes: Boxes,
    pub set_up: Option<SetUpChart>,
    /// The same figures without the set-up, where there is one.
    pub without_set_up: Option<Boxes>,
}

/// What a sample spends before its iterations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SetUpChart {
    pub cost: f64,
    /// Of the smallest cost with the fewest iterations.
    pub share: f64,
    /// The fewest, and the next.
    pub iterations: [u64; 2],
}

/// What arms of one pool agree in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Common<'a> {
    Group(MetricId, &'a str),
    /// Series of a thing: its name, and the parameters beside the iterations.
    Thing(MetricId, String, Vec<(&'a str, &'a str)>),
}

impl<'a> Common<'a> {
    pub(super) fn group(trial: &'a Trial, (arm, metric): Shown) -> Self {
        Self::Group(metric, trial.arm(arm).map_or("", |arm| arm.group.as_str()))
    }

    pub(super) fn of(trial: &'a Trial, shown: Shown, costs: &Costs) -> Self {
        let series = trial.arm(shown.0).zip(iterations(trial, shown, costs));
        let Some((arm, iterations)) = series else { return Self::group(trial, shown) };
        let name = without_iterations(&arm.name, &iterations.to_string());
        let others = arm.parameters.iter().filter(|(name, _)| *name != ITERATIONS);
        let parameters = others.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        Self::Thing(shown.1, name, parameters)
    }
}

impl fmt::Display for Common<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Group(_, name) => out.write_str(name),
            Self::Thing(_, name, parameters) => {
                out.write_str(name)?;
                parameters.iter().try_for_each(|(name, value)| write!(out, ", {name} {value}"))
            }
        }
    }
}

/// The pools of two series or more, and in their arms what the set-up is.
pub(super) fn pools(commons: &[Common<'_>], sorted: &[Option<&Sorted>], arms: &mut [ArmChart]) -> Vec<Pool> {
    let mut together: BTreeMap<&Common<'_>, Vec<usize>> = BTreeMap::new();
    for (place, common) in commons.iter().enumerate().filter(|(place, _)| sorted[*place].is_some()) {
        together.entry(common).or_default().push(place);
    }
    let several = together.into_iter().filter(|(_, places)| places.len() > 1);
    let mut pools: Vec<Pool> =
        several.map(|(common, places)| pool(common.to_string(), places, sorted, arms)).collect();
    pools.sort_by_key(|pool| pool.arms[0]);
    pools
}

fn pool(name: String, arms: Vec<usize>, sorted: &[Option<&Sorted>], charts: &mut [ArmChart]) -> Pool {
    let set_up = set_up(&arms, charts);
    for &place in &arms {
        let chart = &mut charts[place];
        let cost = set_up.zip(chart.iterations).map(|(of, iterations)| of.cost / iterations as f64);
        chart.set_up = cost;
        chart.without_set_up = cost.map(|cost| boxes(&[place], sorted, &|_| cost));
    }
    let less = |place: usize| charts[place].set_up.unwrap_or(0.0);
    Pool {
        boxes: boxes(&arms, sorted, &|_| 0.0),
        without_set_up: set_up.map(|_| boxes(&arms, sorted, &less)),
        name,
        arms,
        set_up,
    }
}

/// The figures of all these series, each with `less` taken from its costs.
fn boxes(arms: &[usize], sorted: &[Option<&Sorted>], less: &dyn Fn(usize) -> f64) -> Boxes {
    let (mut raw, mut clean) = (Vec::new(), Vec::new());
    for (&place, sorted) in arms.iter().filter_map(|place| Some((place, sorted[*place]?))) {
        let fences = sorted.fences(OutlierRule::Tukey, Estimator::Type7);
        let less = less(place);
        raw.extend(sorted.as_slice().iter().map(|cost| cost - less));
        clean.extend(inside(sorted, fences).map(|cost| cost - less));
    }
    Boxes { raw: FiveNumbers::of_some(&raw), clean: FiveNumbers::of_some(&clean) }
}

/// From the smallest costs with the fewest iterations and with the next.
fn set_up(arms: &[usize], charts: &[ArmChart]) -> Option<SetUpChart> {
    let mut least: BTreeMap<u64, f64> = BTreeMap::new();
    for chart in arms.iter().map(|place| &charts[*place]) {
        let (iterations, min) = (chart.iterations?, chart.boxes.raw?.min);
        least.entry(iterations).and_modify(|least| *least = least.min(min)).or_insert(min);
    }
    let mut fewest = least.into_iter();
    let ((i, few), (j, many)) = (fewest.next()?, fewest.next()?);
    let smallest = |iterations: u64, each| Smallest { iterations: iterations as f64, each };
    let cost = set_up::set_up(smallest(i, few), smallest(j, many))?.set_up;
    let share = cost / i as f64 / few;
    let of_fewest = arms.iter().map(|place| &charts[*place]).filter(|chart| chart.iterations == Some(i));
    let iqr = of_fewest.filter_map(|chart| Some(chart.boxes.clean?.iqr)).fold(0.0, f64::max);
    let shown = cost > 0.0 && few > 0.0 && (share > LEAST_SHARE || cost / i as f64 > SCATTER * iqr);
    shown.then_some(SetUpChart { cost, share, iterations: [i, j] })
}
