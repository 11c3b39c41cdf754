//! What can be drawn on a page that shows every sample? All numbers of its charts, computed here, so that the page computes no
//! statistic; `web/src/data.ts` has the same names.
//!
//! | file | question |
//! |---|---|
//! | `arm.rs` | what does one arm look like? |
//! | `numbers.rs` | which figures stand in the table of series? |
//! | `pool.rs` | what do the series of one thing say together, and how much of a sample is set-up? |
//! | `comparison.rs` | what do two look like beside each other? |
//! | `columns.rs` | where are the long lists of numbers? |
//!
//! Tests: `tests/analysis/charts.rs`.

mod arm;
mod columns;
mod comparison;
mod numbers;
mod pool;

pub use arm::{ArmChart, Bins, Fences, Normal, Quantiles, RunningMean};
pub use columns::{Column, Columns};
pub use comparison::{ComparisonChart, Rounds, Shift};
pub use numbers::{Boxes, FiveNumbers};
pub use pool::{Pool, SetUp};

use super::pictures::questions;
use super::study::Study;
use super::{Analysis, Comparison, Pair};
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
    let (arms, pools) = arm::charts(study, &shown, analysis, &mut columns);
    let comparisons = questions(study, analysis)
        .map(|(question, comparison)| {
            let Pair { baseline, candidate, metric } = question.pair;
            let arms =
                [baseline, candidate].map(|arm| places.get(&(arm, metric)).copied().unwrap_or_default());
            comparison::chart(&question, comparison, arms, &mut columns)
        })
        .collect();
    Charts { arms, pools, comparisons, columns }
}

/// In the order of comparisons, then of arms; each once.
fn shown(analysis: &Analysis) -> Vec<Shown> {
    let compared = analysis
        .comparisons
        .iter()
        .flat_map(|Comparison { pair, .. }| [pair.baseline, pair.candidate].map(|arm| (arm, pair.metric)));
    let mut seen = BTreeSet::new();
    let mut shown: Vec<Shown> = compared.filter(|one| seen.insert(*one)).collect();
    let mut arms: BTreeSet<ArmId> = shown.iter().map(|(arm, _)| *arm).collect();
    let of_arms = analysis.levels.iter().map(|level| (level.arm, level.metric));
    shown.extend(of_arms.filter(|(arm, _)| arms.insert(*arm)));
    shown
}
