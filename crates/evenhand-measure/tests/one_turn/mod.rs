//! One turn of a command, in a round of its own.

use evenhand_measure::command::Commands;
use evenhand_measure::executor::{DueTurn, Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_trial::{ArmId, LaunchId, Round, RoundId, Seed};

pub(crate) fn turn(arm: u32, round: u64) -> DueTurn {
    DueTurn {
        arm: ArmId(arm),
        launch: LaunchId(0),
        round: RoundId(round),
        position: arm,
        payload: Seed(round),
    }
}

/// What was measured, nothing else.
pub(crate) fn one_turn(commands: &mut Commands, turn: &DueTurn) -> Result<Round, NoSample> {
    let mut round = Round::default();
    round.begin(turn.launch, turn.round);
    let done = commands.turn(turn, &mut round, &mut Endless);
    assert_eq!(round.len(), usize::from(done.is_ok()), "a sample, or none");
    done.map(|()| round)
}
