//! What can be drawn on a page that shows every sample? All numbers of its charts, computed here, so that the page computes no
//! statistic; `web/src/data.ts` has the same names.
//!
//! | file | question |
//! |---|---|
//! | `arm.rs` | what does one arm look like? |
//! | `comparison.rs` | what do two look like beside each other? |
//! | `columns.rs` | where are the long lists of numbers? |
//!
//! Tests: `tests/analysis/charts.rs`.

mod arm;
mod columns;
mod comparison;

pub use arm::{ArmChart, Bins, Fences, FiveNumbers, Normal, Quantiles, RunningMean};
pub use columns::{Column, Columns};
pub use comparison::{ComparisonChart, Orders, Rounds, Shift};

use super::gather::Index;
use super::pictures::questions;
use super::{Analysis, Level};
use crate::{ArmId, MetricId, Trial};
use serde::Serialize;
use std::collections::BTreeMap;

/// All that can be drawn of a trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Charts {
    /// The arms that are compared, by the metrics they are compared by; those that are not, by their first metric.
    pub arms: Vec<ArmChart>,
    /// Each comparison of the analysis, in its order.
    pub comparisons: Vec<ComparisonChart>,
    /// The long lists of numbers.
    #[serde(skip)]
    pub columns: Columns,
}

/// An arm by a metric.
type Shown = (ArmId, MetricId);

/// What can be drawn of a trial, with this analysis of it.
pub fn charts(trial: &Trial, analysis: &Analysis) -> Charts {
    let index = Index::of(trial);
    let mut columns = Columns::default();
    let shown = shown(&index, analysis);
    let places: BTreeMap<Shown, usize> = shown.iter().copied().zip(0..).collect();
    let arms = arm::charts(&index, &shown, analysis, &mut columns);
    let comparisons = questions(&index, analysis)
        .map(|(question, comparison)| {
            let at = |arm| places.get(&(arm, question.metric)).copied().unwrap_or_default();
            let arms = [at(question.baseline), at(question.candidate)];
            comparison::chart(&question, comparison, arms, &mut columns)
        })
        .collect();
    Charts { arms, comparisons, columns }
}

/// In the order of comparisons, then of arms; each once.
fn shown(index: &Index<'_>, analysis: &Analysis) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    for (question, _) in questions(index, analysis) {
        for arm in [question.baseline, question.candidate] {
            if !shown.contains(&(arm, question.metric)) {
                shown.push((arm, question.metric));
            }
        }
    }
    let named = |level: &Level| {
        let arm = index.trial.arms.iter().position(|arm| arm.name == level.arm)?;
        Some((ArmId(arm as u32), index.trial.metric(&level.metric)?.0))
    };
    for (arm, metric) in analysis.levels.iter().filter_map(named) {
        if shown.iter().all(|(known, _)| *known != arm) {
            shown.push((arm, metric));
        }
    }
    shown
}
