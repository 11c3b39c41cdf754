//! What can be drawn of a comparison in a terminal? How the interval narrowed, the samples of both arms counted in few bins, how their levels
//! went, the effect by who ran first.
//!
//! - *bins*: `axis.rs` says from where to where, with the far fences of either arm.
//! - *course*: the medians of up to 36 stretches of each arm's samples, in the order taken.
//!
//! Tests: `tests/analysis/pictures.rs`.

use super::axis::{axis_around, common_range};
use super::bins::Bins;
use super::moments::{Moment, moments};
use super::order::{Order, order};
use super::questions;
use crate::comparison::{Comparison, Effect};
use crate::question::Question;
use crate::study::Study;
use crate::{Analysis, Names};
use evenhand_stats::level::quantile::Sorted;
use evenhand_trial::Unit;

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

/// The samples of both arms in the same bins of one width.
#[derive(Debug, Clone, PartialEq)]
pub struct Distributions {
    pub unit: Unit,
    pub baseline: Distribution,
    pub candidate: Distribution,
}

/// The samples of one arm.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    pub median: f64,
    pub bins: Bins,
}

/// The medians of each arm's stretches, in the order taken; every stretch has about as many samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    pub unit: Unit,
    pub baseline: Vec<f64>,
    pub candidate: Vec<f64>,
}

/// Of fewer samples than this each is a stretch of its own.
const FEW: usize = 12;
/// So many bins: one column each in a narrow terminal.
const BINS: usize = 36;

/// What can be drawn of each comparison of an analysis of this trial.
pub fn pictures(study: &Study<'_>, analysis: &Analysis) -> Vec<Picture> {
    questions(study, analysis)
        .map(|(question, comparison)| picture(&question, comparison, &analysis.names))
        .collect()
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

/// The moments of the last seven eighths: before, the interval was so wide that on its axis the last would be a dot.
fn late(moments: &[Moment]) -> impl Iterator<Item = &Moment> {
    let last = moments.last().map_or(0, |moment| moment.after);
    moments.iter().filter(move |moment| moment.after > last / 8)
}

fn distributions(question: &Question<'_>) -> Option<Distributions> {
    let sorted = |arm| question.study.costs(arm, question.pair.metric).sorted().ok();
    let (baseline, candidate) = (sorted(question.pair.baseline)?, sorted(question.pair.candidate)?);
    let range = common_range([baseline, candidate].into_iter())?;
    let of =
        |sorted: &Sorted| Distribution { median: sorted.median(), bins: Bins::even(sorted, range, BINS) };
    Some(Distributions {
        unit: question.definition.unit.clone(),
        baseline: of(baseline),
        candidate: of(candidate),
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
