//! What shall be measured, in which order, and until when? Pure data: `evenhand run --dry-run` prints it.
//!
//! Tests: `tests/rounds.rs`, `tests/stop.rs`.

use crate::past::Past;
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_trial::{ArmId, Better, MetricId, Schedule};
use std::time::Duration;

/// What shall be measured.
#[derive(Debug, Clone)]
pub struct MeasurePlan {
    /// The coin.
    pub schedule: Schedule,
    /// What is compared with each other; measured one after the other.
    pub groups: Vec<Group>,
    /// Rounds at the beginning of each group that are not recorded.
    pub warmup: u32,
    /// When a group has been measured enough.
    pub stop: StopRule,
    /// Whether a failed run is only recorded. Otherwise it ends the measurement.
    pub ignore_failures: bool,
    /// What was measured in earlier sessions of the trial.
    pub past: Past,
}

/// Arms that are alternatives to each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its number in the coin's contract: the place of the group in the trial.
    pub number: u32,
    /// The baseline, then its candidates.
    pub arms: Vec<ArmId>,
    /// The candidate that is the baseline once more. It runs as long as the others do, and nothing waits for it.
    pub control: Option<ArmId>,
}

impl Group {
    /// The control, if there is somebody else to wait for.
    pub fn unawaited(&self) -> Option<ArmId> {
        self.control.filter(|_| self.arms.len() > 2)
    }
}

/// When a group has been measured enough.
#[derive(Debug, Clone)]
pub struct StopRule {
    /// The time for a group, warm-up included.
    pub max_time: Duration,
    /// What it may be extended to for slow commands, see [`budget`](crate::budget); no more than `max_time` if the user
    /// chose that.
    pub longest: Duration,
    /// Exactly so many rounds in this session, whatever they say. The time still ends them.
    pub rounds: Option<u64>,
    /// No verdict ends it before so many rounds of the trial.
    pub fewest: u64,
    /// No more rounds than this in this session.
    pub most: Option<u64>,
    /// The smallest effect worth acting on.
    pub margin: Margin,
    /// The error rate: 0.01 for 99 % confidence.
    pub alpha: f64,
    /// What of their cost decides.
    pub at: At,
    /// The metrics that a verdict is wanted on, at least one.
    pub metrics: Vec<Judged>,
    /// A further effect that must be told from the true one before stopping: the size in `--fail-if 'slower > 2%'`.
    pub tell_from: Option<LogRatio>,
    /// How well a change shall be known once it is proven.
    pub precision: Precision,
}

/// How well a change shall be known once it is proven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    /// The widest interval, as a part of the effect.
    pub part: f64,
    /// How long to go on for that.
    pub time: Duration,
}

impl Precision {
    /// It is enough that there is a change.
    pub const ANY: Self = Self { part: f64::INFINITY, time: Duration::ZERO };
}

impl StopRule {
    /// Whether the user chose the time.
    pub fn is_chosen(&self) -> bool {
        self.longest <= self.max_time
    }
}

/// A metric that a verdict is wanted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    pub metric: MetricId,
    /// What is judged in comparisons for which that is not known. It has the same direction.
    pub instead: Option<MetricId>,
    pub better: Better,
    /// Whether it is read off a clock, which may be coarse.
    pub timed: bool,
}
