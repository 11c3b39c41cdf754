//! The noise floor of machines that are made up: each run takes as long as the executor says, and so much time passes.

use evenhand_measure::command::Interrupt;
use evenhand_measure::doctor::floor::{FloorError, TOSSES, false_alarms, measure, of_command};
use evenhand_measure::executor::{DueTurn, Executor, Patience};
use evenhand_measure::finish::{ExecutorError, NoSample};
use evenhand_trial::{ArmId, Reason, Round, Seed};
use std::cell::Cell;
use std::ffi::OsString;
use std::time::Duration;

const SEED: Seed = Seed(7);

/// Runs that take a time, made longer by luck, and time that passes with them.
struct MadeUp<'a> {
    time: &'a Cell<Duration>,
    seconds: f64,
    luck: f64,
    fails_in: Option<u64>,
}

impl Executor for MadeUp<'_> {
    fn begin(&mut self, _: &[ArmId], _: &mut dyn Patience) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn turn(&mut self, turn: &DueTurn, round: &mut Round, _: &mut dyn Patience) -> Result<(), NoSample> {
        if self.fails_in == Some(turn.round.0) {
            let reason = Reason::Exit { code: 3 };
            return Err(NoSample::Failed { arm: turn.arm, reason, seconds: None });
        }
        // Luck that depends on the turn alone: two halves of the round's random number, a share from 0 to 1.
        let half = turn.payload.0 >> (32 * turn.position) & 0xffff_ffff;
        let seconds = self.seconds * (1.0 + self.luck * half as f64 / 4_294_967_296.0);
        self.time.set(self.time.get() + Duration::from_secs_f64(seconds));
        round.push(turn.arm, Some(turn.position), None, 1, [1e9 * seconds]);
        Ok(())
    }

    fn end(&mut self, _: &[ArmId], _: &mut dyn Patience) -> Result<(), ExecutorError> {
        Ok(())
    }
}

fn floor(
    luck: f64,
    seconds: f64,
    fails_in: Option<u64>,
) -> Result<evenhand_measure::doctor::NoiseFloor, FloorError> {
    let time = Cell::new(Duration::ZERO);
    let mut executor = MadeUp { time: &time, seconds: 0.008, luck, fails_in };
    measure(&mut executor, Duration::from_secs_f64(seconds), SEED, &|| time.get())
}

#[test]
fn a_quieter_machine_sees_less_and_a_longer_look_too() {
    let (quiet, loud, longer) =
        (floor(0.01, 2.0, None).unwrap(), floor(0.1, 2.0, None).unwrap(), floor(0.1, 8.0, None).unwrap());
    let visible = |floor: &evenhand_measure::doctor::NoiseFloor| floor.visible.unwrap();
    assert!(visible(&quiet) < 0.2 * visible(&loud), "{quiet:?} {loud:?}");
    assert!(visible(&longer) < 0.7 * visible(&loud), "{longer:?} {loud:?}");
    assert!((100..130).contains(&quiet.rounds), "{quiet:?}");
    assert!((1.9..2.1).contains(&quiet.seconds) && (0.008..0.0081).contains(&quiet.run_seconds), "{quiet:?}");
    let seconds = loud.seconds_to_see(visible(&loud) / 2.0).unwrap();
    assert!((seconds - 4.0 * loud.seconds).abs() < 1e-9);
}

#[test]
fn the_whole_time_is_used_although_the_verdict_stands_soon() {
    let floor = floor(0.0001, 2.0, None).unwrap();
    assert!(floor.rounds > 120 && floor.visible.unwrap() < 0.001, "{floor:?}");
    assert!(floor.low.unwrap() < 0.0 && floor.high.unwrap() > 0.0 && !floor.false_alarm, "{floor:?}");
}

#[test]
fn too_few_rounds_are_no_floor() {
    let floor = floor(0.1, 0.1, None).unwrap();
    assert!((1..6).contains(&floor.rounds), "{floor:?}");
    assert_eq!((floor.visible, floor.seconds_to_see(0.01), floor.false_alarms), (None, None, 0));
}

#[test]
fn a_failing_command_is_named() {
    let Err(FloorError::Failed(failure)) = floor(0.1, 2.0, Some(5)) else { unreachable!("round 5 fails") };
    assert_eq!((failure.round.0, &failure.reason), (5, &Reason::Exit { code: 3 }));
    let said = FloorError::Failed(failure).to_string();
    assert!(said.contains("ended with code 3") && said.contains("succeeds"), "{said}");
}

#[test]
fn coins_tossed_anew_rarely_find_a_difference() {
    // Sizes of every kind: even, wild, two-mode, growing.
    let sizes: [fn(usize) -> f64; 4] = [
        |round| 0.01 + 1e-5 * round as f64,
        |round| 0.01 / (1.0 + (round * 7919 % 1000) as f64),
        |round| if round % 3 == 0 { 0.2 } else { 0.001 },
        |round| 1e-4 * (1.0 + round as f64).powi(2),
    ];
    let mut alarms = 0;
    for size in sizes {
        let differences: Vec<f64> = (0..500).map(size).collect();
        let found = false_alarms(&differences, SEED);
        // The sizes alone decide: not the signs that were measured.
        let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
        assert!(found <= 8 && false_alarms(&turned, SEED) <= 8, "{found} of {TOSSES}");
        assert_eq!(found, false_alarms(&differences, SEED));
        alarms += found;
    }
    assert!(alarms <= 16, "{alarms} of {}, 8 are to be expected at most", 4 * TOSSES);
    assert_eq!(false_alarms(&[], SEED), 0);
    assert_eq!(false_alarms(&[0.0; 50], SEED), 0);
}

#[cfg(unix)]
#[test]
fn real_commands() {
    let command = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
    let of = |words: &[&str]| {
        let interrupt = Interrupt::by_hand().unwrap();
        // Other tests run beside this one: in a tenth of a second there may be no round.
        of_command(&command(words), None, Duration::from_secs(2), SEED, interrupt)
    };
    let floor = of(&["true"]).unwrap();
    assert!(floor.rounds > 0 && floor.run_seconds > 0.0 && floor.processor.is_none(), "{floor:?}");
    for (words, told) in [
        (&["sh", "-c", "exit 7"][..], "ended with code 7"),
        (&["sh", "-c", "kill -9 $$"], "ended by signal 9"),
        (&["no-such-program-anywhere"], "no program `no-such-program-anywhere`"),
        (&[], "empty command: name a program"),
    ] {
        let said = of(words).unwrap_err().to_string();
        assert!(said.contains(told), "{words:?}: {said}");
    }
}
