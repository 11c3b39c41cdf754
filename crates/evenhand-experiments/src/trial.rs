//! How does an experiment become a trial, so that every picture of evenhand can be drawn of it?
//!
//! Tests: `tests/trials.rs`.

use evenhand_trial::{
    Arm, ArmId, LaunchId, Metric, Origin, RoundId, Sample, Schedule, Seed, Series, Trial, TrialId, Unit,
};

/// A trial by time, with no arm yet. `tossed`: a coin decided the order in each round.
pub(crate) fn blank(unit: Unit, tossed: bool) -> Trial {
    let origin = Origin::Measured { version: env!("CARGO_PKG_VERSION").to_owned() };
    let mut trial = Trial::new(TrialId::from_number(1), origin);
    trial.schedule = tossed.then(|| Schedule::new(Seed(7)));
    trial.metrics = vec![Metric::time("time", unit)];
    trial
}

/// Adds an arm with the samples of its launches, each for one iteration.
pub(crate) fn add(trial: &mut Trial, name: String, group: &str, launches: &[&[f64]]) {
    let arm = ArmId(trial.arms.len() as u32);
    trial.arms.push(Arm { name, group: group.to_owned(), ..Arm::default() });
    for (launch, samples) in (0..).map(LaunchId).zip(launches) {
        let mut series = Series::new(arm, launch, 1);
        for (round, value) in (0..).map(RoundId).zip(*samples) {
            series.push(Sample { round, position: None, started: None, iterations: 1, values: &[*value] });
        }
        trial.series.push(series);
    }
}
