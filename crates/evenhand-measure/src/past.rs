//! What was measured of this trial before? The rounds of earlier sessions, so that a trial goes on where it ended: its
//! rounds are numbered on, and its verdict is over all of them.
//!
//! Tests: `tests/rounds.rs`.

use evenhand_trial::{ArmId, Round, RoundId, Trial};
use std::collections::BTreeMap;

/// Rounds of earlier sessions, whatever the group; none of a trial that begins.
#[derive(Debug, Clone, Default)]
pub struct Past(BTreeMap<RoundId, Round>);

impl Past {
    /// Those of a stored trial of commands, which has one launch.
    pub fn of(trial: &Trial) -> Self {
        let mut rounds: BTreeMap<RoundId, Round> = BTreeMap::new();
        for series in &trial.series {
            for (place, number) in series.rounds.iter(series.len()).map(RoundId).enumerate() {
                let value = |column: &Vec<f64>| column.get(place).copied().unwrap_or(f64::NAN);
                let values = series.values.iter().map(value);
                rounds.entry(number).or_default().push(series.arm, None, None, 1, values);
            }
        }
        for failure in &trial.failures {
            rounds.entry(failure.round).or_default().failures.push(failure.clone());
        }
        Self(rounds)
    }

    /// The rounds in which one of these arms was measured, in their order.
    pub(crate) fn rounds<'a>(&'a self, arms: &'a [ArmId]) -> impl Iterator<Item = &'a Round> {
        self.0.values().filter(|round| was_measured(round, arms))
    }

    /// The number of the next round of these arms: above the last one, also if they failed in that.
    pub(crate) fn next(&self, arms: &[ArmId]) -> u64 {
        let failed = |round: &Round| round.failures.iter().any(|failure| arms.contains(&failure.arm));
        let mut latest_first = self.0.iter().rev();
        let last = latest_first.find(|(_, round)| was_measured(round, arms) || failed(round));
        last.map_or(0, |(number, _)| number.0 + 1)
    }
}

fn was_measured(round: &Round, arms: &[ArmId]) -> bool {
    arms.iter().any(|arm| round.values(*arm).is_some())
}
