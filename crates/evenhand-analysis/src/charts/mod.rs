//! What can be drawn, on a page that shows every sample and in a terminal? All numbers are computed here, so that no view computes a
//! statistic; `web/src/data.ts` has the same names.
//!
//! | file | question |
//! |---|---|
//! | `arm.rs`, `arms.rs` | what does one arm look like, and all of them beside each other? |
//! | `numbers.rs` | which figures stand in the table of series? |
//! | `pool.rs` | what do the series of one thing say together, and how much of a sample is set-up? |
//! | `comparison.rs` | what do two look like beside each other? |
//! | `columns.rs` | where are the long lists of numbers? |
//! | `pictures.rs` | what can be drawn of a comparison in a terminal? |
//! | `bins.rs`, `axis.rs` | how many samples are where, and from where to where does an axis go? |
//! | `moments.rs` | how did the interval narrow? |
//! | `order.rs` | what is the effect by who ran first? |
//! | `slices.rs` | what did slices of load say of a service, one after the other? |
//!
//! Tests: `tests/analysis/charts.rs`, `tests/analysis/pictures.rs`, `tests/analysis/slices.rs`.

mod arm;
mod arms;
mod axis;
mod bins;
mod columns;
mod comparison;
mod moments;
mod numbers;
mod order;
mod pictures;
mod pool;
mod slices;

pub use arm::{ArmChart, Fences, Normal, Quantiles, RunningMean};
pub use bins::Bins;
pub use columns::{Column, Columns};
pub use comparison::{ComparisonChart, RoundsChart, Shift};
pub use moments::Moment;
pub use numbers::{Boxes, FiveNumbers};
pub use order::{OneOrder, Order};
pub use pictures::{Course, Distribution, Distributions, Picture, pictures};
pub use pool::{Pool, SetUpChart};
pub use slices::{ResponseChart, SlicesChart};

use crate::question::Question;
use crate::study::Study;
use crate::{Analysis, Comparison, Pair};
use evenhand_trial::{ArmId, MetricId};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// All that can be drawn of a trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Charts {
    /// The arms that are compared, by the metrics they are compared by; those that are not, by their first metric.
    pub arms: Vec<ArmChart>,
    /// Arms that are series of one thing, together.
    pub pools: Vec<Pool>,
    /// Each comparison of the analysis, in its order.
    pub comparisons: Vec<ComparisonChart>,
    /// Services that were loaded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub services: Vec<SlicesChart>,
    /// The long lists of numbers.
    #[serde(skip)]
    pub columns: Columns,
}

/// An arm by a metric.
type Shown = (ArmId, MetricId);

/// What can be drawn of a trial, with this analysis of it.
pub fn charts(study: &Study<'_>, analysis: &Analysis) -> Charts {
    let mut columns = Columns::default();
    let shown = shown(analysis);
    let places: BTreeMap<Shown, usize> = shown.iter().copied().zip(0..).collect();
    let (arms, pools) = arms::charts(study, &shown, analysis, &mut columns);
    let comparisons = questions(study, analysis)
        .map(|(question, comparison)| {
            let Pair { baseline, candidate, metric } = question.pair;
            let arms =
                [baseline, candidate].map(|arm| places.get(&(arm, metric)).copied().unwrap_or_default());
            comparison::chart(&question, comparison, arms, &mut columns)
        })
        .collect();
    let services = slices::charts(study, analysis.settings.confidence, &mut columns);
    Charts { arms, pools, comparisons, services, columns }
}

/// In the order of comparisons, then of arms; each once.
fn shown(analysis: &Analysis) -> Vec<Shown> {
    let compared = analysis
        .comparisons
        .iter()
        .flat_map(|Comparison { pair, .. }| [pair.baseline, pair.candidate].map(|arm| (arm, pair.metric)));
    let mut known = BTreeSet::new();
    let mut shown: Vec<Shown> = compared.filter(|one| known.insert(*one)).collect();
    let mut arms: BTreeSet<ArmId> = shown.iter().map(|(arm, _)| *arm).collect();
    let of_arms = analysis.levels.iter().map(|level| (level.arm, level.metric));
    shown.extend(of_arms.filter(|(arm, _)| arms.insert(*arm)));
    shown
}

/// Each comparison with what it was about.
fn questions<'a>(
    study: &'a Study<'a>,
    analysis: &'a Analysis,
) -> impl Iterator<Item = (Question<'a>, &'a Comparison)> {
    analysis.comparisons.iter().filter_map(|comparison| {
        let definition = study.trial.metrics.get(comparison.pair.metric.index())?;
        let question = Question::new(study, comparison.pair, definition, &analysis.settings);
        Some((question, comparison))
    })
}
