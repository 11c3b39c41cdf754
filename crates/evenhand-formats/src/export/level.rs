//! What did one iteration of an arm cost, in the base unit? The samples of each arm as the forms with figures need
//! them: all launches together, in the order of the trial.
//!
//! Base units are seconds and bytes, as OpenMetrics and hyperfine ask for. Nanoseconds are divided by 1e9, not
//! multiplied by 1e-9: 1e-9 is no exact double, 1e9 is, so that 8123456 ns is 0.008123456 s and not a digit more.
//!
//! Tests: `tests/formats/export/hyperfine.rs`, `tests/formats/export/openmetrics.rs`.

use evenhand_trial::{ArmId, MetricId, Series, Trial, Unit};

/// How a number becomes one of the base unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    Times(f64),
    Over(f64),
}

impl Scale {
    pub(super) const SAME: Self = Self::Times(1.0);

    pub(super) fn of(self, number: f64) -> f64 {
        match self {
            Self::Times(factor) => number * factor,
            Self::Over(divisor) => number / divisor,
        }
    }
}

/// From a unit of time to seconds; `None` for what is no time.
pub(super) fn to_seconds(unit: &Unit) -> Option<Scale> {
    let seconds = unit.in_seconds()?;
    Some(if seconds < 1.0 { Scale::Over((1.0 / seconds).round()) } else { Scale::Times(seconds) })
}

/// From a unit of memory to bytes; `None` for what is none.
pub(super) fn to_bytes(unit: &Unit) -> Option<Scale> {
    Some(Scale::Times(match unit.symbol() {
        "B" => 1.0,
        "kB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "KiB" => 1024.0,
        "MiB" => 1024.0 * 1024.0,
        "GiB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    }))
}

/// The series of every arm, found once.
pub(super) struct Arms<'a> {
    trial: &'a Trial,
    series: Vec<Vec<&'a Series>>,
}

impl<'a> Arms<'a> {
    pub(super) fn of(trial: &'a Trial) -> Self {
        let mut series: Vec<Vec<&Series>> = vec![Vec::new(); trial.arms.len()];
        for one in &trial.series {
            series[one.arm.index()].push(one);
        }
        Self { trial, series }
    }

    /// The cost of one iteration, sample after sample, as it was recorded; NaN where it is missing.
    pub(super) fn costs(&self, arm: ArmId, metric: MetricId) -> impl Iterator<Item = f64> + '_ {
        let about = &self.trial.metrics[metric.index()];
        self.series[arm.index()].iter().flat_map(move |series| {
            let column = series.column(metric);
            (0..series.len()).map(move |index| {
                let value = column.get(index).copied().unwrap_or(f64::NAN);
                about.per_iteration(value, series.iterations.get(index).unwrap_or(1))
            })
        })
    }

    /// As [`Arms::costs`], in another unit and without the missing ones.
    pub(super) fn known_costs(&self, arm: ArmId, metric: MetricId, scale: Scale) -> Vec<f64> {
        self.costs(arm, metric).filter(|cost| !cost.is_nan()).map(|cost| scale.of(cost)).collect()
    }
}
