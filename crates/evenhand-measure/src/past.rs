//! What was measured of this trial before? The rounds of earlier sessions, so that a trial goes on where it ended: its
//! rounds are numbered on, and its verdict is over all of them.
//!
//! Tests: `tests/rounds.rs`.

use evenhand_trial::{ArmId, Round, RoundId, Trial};
use std::collections::BTreeMap;

/// Rounds of earlier sessions; none of a trial that begins.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// What was measured in each round, whatever the group.
    rounds: BTreeMap<RoundId, Round>,
    /// The last round of each arm, also if it failed then.
    last: BTreeMap<ArmId, RoundId>,
}

impl Past {
    /// Those of a stored trial of commands, which has one launch.
    pub fn of(trial: &Trial) -> Self {
        let mut past = Self::default();
        for series in &trial.series {
            for (place, round) in series.rounds.iter(series.len()).map(RoundId).enumerate() {
                let value = |column: &Vec<f64>| column.get(place).copied().unwrap_or(f64::NAN);
                let values = series.values.iter().map(value);
                past.rounds.entry(round).or_default().push(series.arm, None, None, 1, values);
                past.saw(series.arm, round);
            }
        }
        trial.failures.iter().for_each(|failure| past.saw(failure.arm, failure.round));
        past
    }

    fn saw(&mut self, arm: ArmId, round: RoundId) {
        let last = self.last.entry(arm).or_insert(round);
        *last = round.max(*last);
    }

    /// The rounds in which one of these arms was measured, in their order.
    pub(crate) fn rounds<'a>(&'a self, arms: &'a [ArmId]) -> impl Iterator<Item = &'a Round> {
        let is_theirs = |round: &Round| arms.iter().any(|arm| round.values(*arm).is_some());
        self.rounds.values().filter(move |round| is_theirs(round))
    }

    /// The number of the next round of these arms.
    pub(crate) fn next(&self, arms: &[ArmId]) -> u64 {
        let last = arms.iter().filter_map(|arm| self.last.get(arm)).max();
        last.map_or(0, |round| round.0 + 1)
    }
}
