//! What are the arms and metrics of an analysis called? Everything else in it has their ids.
//!
//! Tests: `tests/analysis.rs`.

use super::Pair;
use evenhand_trial::{ArmId, Metric, MetricId, Trial};

/// Names of arms and of their groups, and the metrics, by the ids of the trial that was analysed.
#[derive(Debug, Clone, PartialEq)]
pub struct Names {
    arms: Vec<[String; 2]>,
    metrics: Vec<Metric>,
}

impl Names {
    pub(super) fn of(trial: &Trial) -> Self {
        let arms = trial.arms.iter().map(|arm| [arm.name.clone(), arm.group.clone()]).collect();
        Self { arms, metrics: trial.metrics.clone() }
    }

    pub fn arm(&self, arm: ArmId) -> &str {
        &self.arms[arm.index()][0]
    }

    /// The name of an arm's group.
    pub fn group(&self, arm: ArmId) -> &str {
        &self.arms[arm.index()][1]
    }

    /// `new against old`.
    pub fn both(&self, pair: Pair) -> String {
        format!("{} against {}", self.arm(pair.candidate), self.arm(pair.baseline))
    }

    /// Whether all arms are of one group.
    pub fn one_group(&self) -> bool {
        self.arms.windows(2).all(|pair| pair[0][1] == pair[1][1])
    }

    /// A metric: its name, its unit, and which direction is good.
    pub fn metric(&self, metric: MetricId) -> &Metric {
        &self.metrics[metric.index()]
    }

    /// Whether its samples are slices of load on services.
    pub(crate) fn has_slices(&self) -> bool {
        self.metrics.iter().any(|metric| metric.name.starts_with("late_p"))
    }

    /// Whether there is a metric of this name.
    pub fn has_metric(&self, name: &str) -> bool {
        self.metrics.iter().any(|metric| metric.name == name)
    }
}
