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
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    let compared = questions(index, analysis)
        .flat_map(|(question, _)| [question.baseline, question.candidate].map(|arm| (arm, question.metric)));
    let mut seen = BTreeSet::new();
    let mut shown: Vec<Shown> = compared.filter(|one| seen.insert(*one)).collect();
    let mut arms: BTreeSet<ArmId> = shown.iter().map(|(arm, _)| *arm).collect();
    let places: HashMap<&str, u32> = index.trial.arms.iter().map(|arm| arm.name.as_str()).zip(0..).collect();
    let named = |level: &Level| {
        let arm = ArmId(*places.get(level.arm.as_str())?);
        Some((arm, index.trial.metric(&level.metric)?.0))
    };
    shown.extend(analysis.levels.iter().filter_map(named).filter(|(arm, _)| arms.insert(*arm)));
    shown
}
