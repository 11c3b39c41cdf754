//! What if another tool kept no samples? Then we keep what it reported, and never call it more than that.
//!
//! No interval, no verdict and no percentile is made up from these: a mean with a standard deviation does not say
//! how the samples hang together. A histogram is nearer to the samples: it has the levels, but not their order.
//!
//! Tests: `tests/trial.rs`.

use crate::rule::is_finite;
use crate::{ArmId, LaunchId, MetricId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Figures of one arm and metric as another tool printed them, in the metric's unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    pub arm: ArmId,
    pub metric: MetricId,
    /// Of one launch only, or of all (`None`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub launch: Option<LaunchId>,
    /// How many samples the figures are from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<u64>,
    /// Smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
    /// Median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Standard deviation of the samples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sd: Option<f64>,
    /// The tool's own error of the mean, whatever it means by it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_error: Option<f64>,
    /// Percent and value, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percentiles: Vec<(f64, f64)>,
    /// Value and how often it occurred, ascending.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<(f64, u64)>,
    /// Further figures under the tool's own names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub more: BTreeMap<String, f64>,
}

impl Reported {
    /// Nothing known yet of this arm and metric.
    pub fn new(arm: ArmId, metric: MetricId) -> Self {
        Self {
            arm,
            metric,
            launch: None,
            samples: None,
            min: None,
            mean: None,
            median: None,
            max: None,
            sd: None,
            mean_error: None,
            percentiles: Vec::new(),
            histogram: Vec::new(),
            more: BTreeMap::new(),
        }
    }

    /// Converts all figures to another unit; the tool's further figures keep theirs.
    pub fn scale(&mut self, factor: f64) {
        let figures = [
            &mut self.min,
            &mut self.mean,
            &mut self.median,
            &mut self.max,
            &mut self.sd,
            &mut self.mean_error,
        ];
        figures.into_iter().flatten().for_each(|figure| *figure *= factor);
        self.percentiles.iter_mut().for_each(|(_, value)| *value *= factor);
        self.histogram.iter_mut().for_each(|(value, _)| *value *= factor);
    }

    /// Whether every figure is a finite number.
    pub(crate) fn is_finite(&self) -> bool {
        let single = [self.min, self.mean, self.median, self.max, self.sd, self.mean_error];
        is_finite(single)
            && self.percentiles.iter().all(|(percent, value)| percent.is_finite() && value.is_finite())
            && self.histogram.iter().all(|(value, _)| value.is_finite())
            && self.more.values().all(|value| value.is_finite())
    }
}
