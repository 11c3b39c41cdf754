//! Does a round that is filled again show what it was given, and nothing of the round before?

use evenhand_trial::{ArmId, Failure, LaunchId, Reason, Round, RoundId, Sample};

const A: ArmId = ArmId(0);
const B: ArmId = ArmId(1);

fn failure(arm: ArmId) -> Failure {
    Failure { arm, launch: LaunchId(0), round: RoundId(0), reason: Reason::Exit { code: 1 }, seconds: None }
}

#[test]
fn samples_come_back_as_they_were_added() {
    let mut round = Round::default();
    round.begin(LaunchId(3), RoundId(7));
    round.push(B, Some(0), Some(500), 1, [8.0, 9.0]);
    round.push(A, None, None, 40, [1.0, 2.0]);
    round.failures.push(failure(ArmId(2)));
    let number = RoundId(7);
    let first =
        Sample { round: number, position: Some(0), started: Some(500), iterations: 1, values: &[8.0, 9.0] };
    let second = Sample { round: number, position: None, started: None, iterations: 40, values: &[1.0, 2.0] };
    assert_eq!(round.samples().collect::<Vec<_>>(), [(B, first), (A, second)]);
    assert_eq!((round.launch(), round.number(), round.len()), (LaunchId(3), number, 2));
    assert_eq!(round.values(A), Some(&[1.0, 2.0][..]));
    assert_eq!(round.values(ArmId(2)), None, "it failed");
}

#[test]
fn nothing_of_an_earlier_round_shows_in_a_later_one() {
    let mut round = Round::default();
    round.begin(LaunchId(0), RoundId(0));
    round.push(A, Some(0), Some(5), 2, [1.0, 2.0, 3.0]);
    round.push(B, Some(1), Some(6), 2, [4.0, 5.0, 6.0]);
    round.failures.push(failure(ArmId(2)));
    round.begin(LaunchId(0), RoundId(1));
    assert!(round.is_empty() && round.failures.is_empty());
    // B fails this time, and A has a number less.
    round.push(A, Some(1), None, 1, [7.0, f64::NAN]);
    assert_eq!((round.len(), round.values(B)), (1, None));
    let [(A, sample)] = round.samples().collect::<Vec<_>>()[..] else { unreachable!("only A was measured") };
    assert_eq!((sample.started, sample.iterations, sample.values.len()), (None, 1, 2));
    assert!(sample.values[0] == 7.0 && sample.values[1].is_nan(), "{:?}", sample.values);
}
