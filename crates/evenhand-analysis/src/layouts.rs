//! How much is the order of the functions in the program worth? Where a launch ran with one of several layouts, the effects of
//! launches with the same layout resemble each other by as much as the layout matters.
//!
//! One-way analysis of variance with random layouts (Searle, Casella and McCulloch 1992, *Variance Components*, section 3.6): the variance
//! between layouts is what the means of layouts scatter beyond what launches of one layout scatter.
//!
//! Tests: `tests/analysis.rs`.

use evenhand_trial::{LaunchId, Trial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What layouts are worth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LayoutEffect {
    /// How many there were.
    pub layouts: usize,
    /// The standard deviation of the effect between them, relative: 0.01 = 1 %.
    pub sd: f64,
}

impl LayoutEffect {
    /// From the effect of each launch of a group. `None` unless some layout had two launches.
    pub(super) fn of(trial: &Trial, group: u32, launches: &[(LaunchId, f64)]) -> Option<Self> {
        let layout = trial.layouts(group);
        let mut groups: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (launch, effect) in launches {
            groups.entry(layout(*launch)?).or_default().push(*effect);
        }
        let groups: Vec<Vec<f64>> = groups.into_values().collect();
        let (all, used) = (launches.len() as f64, groups.len() as f64);
        if groups.len() < 2 || launches.len() <= groups.len() {
            return None;
        }
        let mean_of = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let total = launches.iter().map(|(_, effect)| effect).sum::<f64>() / all;
        let between: f64 =
            groups.iter().map(|group| group.len() as f64 * (mean_of(group) - total).powi(2)).sum();
        let within: f64 = groups
            .iter()
            .map(|group| group.iter().map(|effect| (effect - mean_of(group)).powi(2)).sum::<f64>())
            .sum();
        let squares: f64 = groups.iter().map(|group| (group.len() as f64).powi(2)).sum();
        let each = (all - squares / all) / (used - 1.0);
        let variance = (between / (used - 1.0) - within / (all - used)) / each;
        Some(Self { layouts: groups.len(), sd: variance.max(0.0).sqrt() })
    }
}
