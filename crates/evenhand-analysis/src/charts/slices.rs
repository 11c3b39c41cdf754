//! What did slices of load say of a service, one after the other? Its response times from slice to slice, its percentiles in a typical
//! slice, its errors and stalls.
//!
//! A slice is kept by a few percentiles of its response (`response_p50`, `response_p99`). The typical one is the median over slices, with
//! the exact interval of a median from independent slices (`evenhand_stats::level::quantile`); it is not the percentile of all requests.
//!
//! Tests: `tests/analysis/slices.rs`.

use super::{Column, Columns};
use crate::comparison::Effect;
use crate::study::Study;
use evenhand_stats::level::quantile::Sorted;
use evenhand_trial::{ArmId, MetricId, Trial};
use serde::Serialize;

/// A service, slice by slice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SlicesChart {
    pub arm: String,
    pub group: String,
    /// When each slice began, in seconds from the first one of the trial.
    pub started: Column,
    /// In nanoseconds, by percentile, the lowest first.
    pub responses: Vec<ResponseChart>,
    /// The share of requests without a right answer.
    pub errors: Column,
    /// Nanoseconds without any answer.
    pub stalls: Column,
}

/// One percentile of the response.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ResponseChart {
    /// 99 is P99.
    pub percent: f64,
    /// In each slice.
    pub slices: Column,
    /// In a typical slice, with its interval.
    pub typical: Effect,
}

/// Each service of a trial; none where nothing was loaded, or it is not known when.
pub(super) fn charts(study: &Study<'_>, confidence: f64, columns: &mut Columns) -> Vec<SlicesChart> {
    let percentiles = percentiles(study.trial);
    let begin = started(study.trial).min();
    let (Some(begin), false) = (begin, percentiles.is_empty()) else { return Vec::new() };
    let arms = (0..study.trial.arms.len()).map(|place| ArmId(place as u32));
    arms.filter_map(|arm| chart(study, arm, begin, &percentiles, confidence, columns)).collect()
}

fn started(trial: &Trial) -> impl Iterator<Item = u64> + '_ {
    trial.series.iter().filter_map(|series| series.started.as_ref()?.get(0))
}

/// Those of all requests, the lowest first: `response_p99`, and not `response_p99_order` of one operation.
fn percentiles(trial: &Trial) -> Vec<(f64, MetricId)> {
    let percent = |name: &str| name.strip_prefix("response_p")?.parse::<f64>().ok();
    let named = trial.metrics.iter().zip(0..);
    let mut found: Vec<(f64, MetricId)> =
        named.filter_map(|(metric, place)| Some((percent(&metric.name)?, MetricId(place)))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

fn chart(
    study: &Study<'_>,
    id: ArmId,
    begin: u64,
    percentiles: &[(f64, MetricId)],
    confidence: f64,
    columns: &mut Columns,
) -> Option<SlicesChart> {
    let arm = study.trial.arm(id)?;
    let started = starts(study, id, begin)?;
    let mut by = |metric: MetricId| {
        let values = values(study, id, metric, started.len());
        let typical = typical(&values, confidence);
        (columns.singles(&values), typical)
    };
    let responses = percentiles.iter().map(|(percent, metric)| {
        let (slices, typical) = by(*metric);
        ResponseChart { percent: *percent, slices, typical }
    });
    let responses = responses.collect();
    let named = |name: &str| {
        let place = study.trial.metrics.iter().position(|metric| metric.name == name);
        MetricId(place.unwrap_or(study.trial.metrics.len()) as u32)
    };
    let (errors, stalls) = (by(named("errors")).0, by(named("stall")).0);
    let (arm, group) = (arm.name.clone(), arm.group.clone());
    Some(SlicesChart { arm, group, started: columns.singles(&started), responses, errors, stalls })
}

/// When the slices of an arm began; `None` if it has none, or that is not known of one.
fn starts(study: &Study<'_>, arm: ArmId, begin: u64) -> Option<Vec<f64>> {
    let of_series = study.series(arm).iter().flat_map(|series| {
        (0..series.len()).map(|place| {
            let started = series.started.as_ref()?.get(place)?;
            Some(started.saturating_sub(begin) as f64 / 1e9)
        })
    });
    let starts = of_series.collect::<Option<Vec<_>>>()?;
    (!starts.is_empty()).then_some(starts)
}

/// A number for each slice, NaN where missing.
fn values(study: &Study<'_>, arm: ArmId, metric: MetricId, slices: usize) -> Vec<f64> {
    let of_series = study.series(arm).iter().flat_map(|series| {
        let column = series.column(metric);
        (0..series.len()).map(|place| column.get(place).copied().unwrap_or(f64::NAN))
    });
    of_series.take(slices).collect()
}

fn typical(slices: &[f64], confidence: f64) -> Effect {
    let known: Vec<f64> = slices.iter().copied().filter(|value| !value.is_nan()).collect();
    let none = Effect { estimate: None, low: None, high: None };
    let Ok(sorted) = Sorted::new(&known) else { return none };
    let interval = sorted.quantile_interval(0.5, confidence).ok();
    Effect {
        estimate: Some(sorted.median()),
        low: interval.and_then(|interval| interval.low),
        high: interval.and_then(|interval| interval.high),
    }
}
