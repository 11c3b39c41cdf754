//! What was measured of this trial before? The rounds of earlier sessions, so that a trial goes on where it ended: its
//! rounds are numbered on, and its verdict is over all of them.
//!
//! Tests: `tests/rounds.rs`.

use evenhand_trial::{ArmId, RoundId, Trial};
use std::collections::BTreeMap;

/// Rounds of earlier sessions; none of a trial that begins.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// What was measured in each round, whatever the group.
    rounds: BTreeMap<RoundId, Vec<(ArmId, Vec<f64>)>>,
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
                let values = series.values.iter().map(value).collect();
                past.rounds.entry(round).or_default().push((series.arm, values));
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

    /// The rounds of these arms, in their order.
    pub(crate) fn rounds<'a>(&'a self, arms: &'a [ArmId]) -> impl Iterator<Item = Vec<(ArmId, &'a [f64])>> {
        let of_arms = move |round: &'a Vec<(ArmId, Vec<f64>)>| -> Vec<(ArmId, &'a [f64])> {
            let theirs = round.iter().filter(|(arm, _)| arms.contains(arm));
            theirs.map(|(arm, values)| (*arm, values.as_slice())).collect()
        };
        self.rounds.values().map(of_arms).filter(|round| !round.is_empty())
    }

    /// The number of the next round of these arms.
    pub(crate) fn next(&self, arms: &[ArmId]) -> u64 {
        let last = arms.iter().filter_map(|arm| self.last.get(arm)).max();
        last.map_or(0, |round| round.0 + 1)
    }
}
