//! What do all arms look like? Those that stand beside each other share their bins, and the series of one thing make a pool.
//!
//! Tests: `tests/analysis/charts.rs`.

use super::arm::{ArmChart, chart};
use super::axis::common_range;
use super::pool::{Common, Pool, pools};
use super::{Columns, Shown};
use crate::Analysis;
use crate::study::{Costs, Study};
use evenhand_stats::level::quantile::Sorted;
use std::collections::BTreeMap;

pub(super) fn charts(
    study: &Study<'_>,
    shown: &[Shown],
    analysis: &Analysis,
    columns: &mut Columns,
) -> (Vec<ArmChart>, Vec<Pool>) {
    let costs: Vec<&Costs> = shown.iter().map(|(arm, metric)| study.costs(*arm, *metric)).collect();
    let sorted: Vec<Option<&Sorted>> = costs.iter().map(|costs| costs.sorted().ok()).collect();
    let common = |(one, costs): (&Shown, &&Costs)| Common::of(study.trial, *one, costs);
    let commons: Vec<Common<'_>> = shown.iter().zip(&costs).map(common).collect();
    let ranges = ranges(study, shown, &commons, &sorted);
    let each = shown.iter().zip(ranges);
    let mut charts =
        each.filter_map(|(one, range)| chart(study, *one, range, analysis, columns)).collect::<Vec<_>>();
    let pools = pools(&commons, &sorted, &mut charts);
    (charts, pools)
}

/// Arms that stand beside each other share their bins: those of a group, and else the series of one thing.
fn ranges(
    study: &Study<'_>,
    shown: &[Shown],
    commons: &[Common<'_>],
    sorted: &[Option<&Sorted>],
) -> Vec<Option<[f64; 2]>> {
    let groups: Vec<Common<'_>> = shown.iter().map(|one| Common::group(study.trial, *one)).collect();
    let mut rivals: BTreeMap<&Common<'_>, usize> = BTreeMap::new();
    groups.iter().for_each(|group| *rivals.entry(group).or_default() += 1);
    let alone = |group| rivals.get(group) == Some(&1);
    let keys = groups.iter().zip(commons).map(|(group, common)| if alone(group) { common } else { group });
    let keys: Vec<&Common<'_>> = keys.collect();
    let mut beside: BTreeMap<&Common<'_>, Vec<&Sorted>> = BTreeMap::new();
    for (key, sorted) in keys.iter().zip(sorted) {
        beside.entry(key).or_default().extend(sorted);
    }
    keys.iter().map(|key| common_range(beside.get(key)?.iter().copied())).collect()
}
