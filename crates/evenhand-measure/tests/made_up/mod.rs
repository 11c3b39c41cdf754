//! Arms, a plan and a recorder for the loops of rounds and of launches.

use evenhand_measure::observers::Recorder;
use evenhand_measure::past::Past;
use evenhand_measure::plan::{Group, Judged, MeasurePlan, Precision, StopRule};
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_trial::{ArmId, Better, Failure, LaunchFacts, MetricId, Round, Schedule, Seed};
use std::error::Error;
use std::time::Duration;

pub(crate) const A: ArmId = ArmId(0);
pub(crate) const B: ArmId = ArmId(1);
pub(crate) const C: ArmId = ArmId(2);

/// Groups of arms, with the usual margin and error rate.
pub(crate) fn plan(groups: &[&[ArmId]], max_time: Duration) -> MeasurePlan {
    let group = |(number, arms): (u32, &&[ArmId])| Group { number, arms: arms.to_vec(), control: None };
    MeasurePlan {
        schedule: Schedule::new(Seed(7)),
        groups: (0..).zip(groups).map(group).collect(),
        warmup: 0,
        stop: StopRule {
            max_time,
            longest: max_time,
            rounds: None,
            fewest: 0,
            most: None,
            margin: Margin::default(),
            alpha: 0.01,
            metrics: vec![Judged { metric: MetricId(0), instead: None, better: Better::Lower, timed: true }],
            tell_from: None,
            precision: Precision::ANY,
            at: At::Typical,
        },
        ignore_failures: false,
        past: Past::default(),
    }
}

/// Keeps every round, until it is full.
#[derive(Default)]
pub(crate) struct Notebook {
    pub(crate) drawn: Vec<LaunchFacts>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) full_after: Option<usize>,
}

impl Recorder for Notebook {
    fn launch(&mut self, launch: &LaunchFacts) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.drawn.push(*launch);
        Ok(())
    }

    fn round(&mut self, round: &Round) -> Result<(), Box<dyn Error + Send + Sync>> {
        if self.full_after == Some(self.rounds.len()) {
            return Err("the disk is full".into());
        }
        self.rounds.push(round.clone());
        Ok(())
    }
}

impl Notebook {
    pub(crate) fn failures(&self) -> Vec<Failure> {
        self.rounds.iter().flat_map(|round| round.failures.clone()).collect()
    }
}

/// Who was measured, in the order of the turns.
pub(crate) fn arms(round: &Round) -> Vec<ArmId> {
    round.samples().map(|(arm, _)| arm).collect()
}
