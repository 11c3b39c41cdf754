//! Is a command proven to be a single task before it is pinned, and is a parallel one never pinned?
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use evenhand_measure::command::pinning::{Decision, Pinning};
use evenhand_measure::command::proof::{Answer, Evidence, PATIENCE, Proof};
use evenhand_measure::command::{Commands, Interrupt, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor, Outcome, Turn};
use evenhand_measure::platform::process::{End, Run, Usage};
use evenhand_measure::platform::{affinity, tasks};
use evenhand_trial::{ArmId, LaunchId, RoundId, Seed};
use evenhand_victims::victim;

const OLD: ArmId = ArmId(0);
const NEW: ArmId = ArmId(1);

/// A run that used so much of its time, and during which so many tasks were made.
fn run(share: f64, tasks: Option<u64>) -> Evidence {
    Evidence { cpu: share * 1e7, wall: 1e7, tasks }
}

#[test]
fn one_run_of_each_without_another_task_proves_it() {
    let mut proof = Proof::of(&[OLD, NEW]);
    assert_eq!(proof.take(OLD, run(0.9, Some(1))), None);
    assert_eq!(proof.take(OLD, run(0.9, Some(7))), None, "what is proven stays proven");
    assert_eq!(proof.take(NEW, run(0.9, Some(3))), None);
    assert_eq!(proof.take(NEW, run(0.9, Some(1))), Some(Answer::Single));
}

#[test]
fn more_processor_time_than_time_ends_it_at_once() {
    let mut proof = Proof::of(&[OLD, NEW]);
    assert_eq!(proof.take(OLD, run(1.04, Some(1))), None);
    assert_eq!(proof.take(NEW, run(1.06, Some(1))), Some(Answer::Several(NEW)));
}

#[test]
fn a_parallel_command_that_looks_single_stays_unproven() {
    let mut proof = Proof::of(&[OLD, NEW]);
    for _ in 1..PATIENCE {
        assert_eq!(proof.take(OLD, run(0.9, Some(1))), None);
        assert_eq!(proof.take(NEW, run(0.9, Some(2))), None);
    }
    assert_eq!(proof.take(OLD, run(0.9, Some(1))), None);
    assert_eq!(proof.take(NEW, run(0.9, Some(2))), Some(Answer::Unproven(vec![NEW])));
}

#[test]
fn a_system_that_does_not_count_proves_nothing() {
    let mut proof = Proof::of(&[OLD]);
    for _ in 1..PATIENCE {
        assert_eq!(proof.take(OLD, run(0.1, None)), None);
    }
    assert_eq!(proof.take(OLD, run(0.1, None)), Some(Answer::Unproven(vec![OLD])));
}

#[test]
fn tasks_are_counted_between_two_readings() {
    assert_eq!(tasks::last_in("0.02 0.21 0.30 1/78 16039\n"), Some(16039));
    assert_eq!(tasks::last_in("0.02 0.21 0.30 1/78"), None);
    assert_eq!(tasks::last_in("0.02 0.21 0.30 1/78 many"), None);
    assert_eq!(tasks::made(Some(10), Some(12)), Some(2));
    assert_eq!(tasks::made(Some(32_767), Some(301)), None, "the numbers began again");
    assert_eq!(tasks::made(None, Some(1)), None);
    assert_eq!(tasks::made(Some(1), None), None);
}

#[test]
fn a_decision_comes_once() {
    if affinity::allowed().unwrap().len() < 2 {
        return;
    }
    let used = |user: i64| Run {
        end: End::Exit(0),
        started: 0,
        wall: 10_000_000,
        usage: Some(Usage { user, ..Usage::default() }),
        waited: None,
        left_behind: 0,
    };
    let mut pinning = Pinning::default();
    pinning.begin(&Pin::Auto, &[OLD, NEW]).unwrap();
    assert_eq!(pinning.learn(NEW, &used(10_600), Some(1)), Some(Decision::Several(NEW)));
    assert_eq!(pinning.learn(OLD, &used(1), Some(1)), None);
    assert!(!pinning.is_open());
    pinning.begin(&Pin::Auto, &[OLD]).unwrap();
    assert!(pinning.is_open());
    assert!(matches!(pinning.learn(OLD, &used(10_400), Some(1)), Some(Decision::Pinned(_))));
    pinning.begin(&Pin::Auto, &[OLD, NEW]).unwrap();
    assert_eq!(pinning.learn(OLD, &used(1), Some(2)), None);
    assert_eq!(pinning.give_up(), Some(Decision::Unproven(vec![OLD])), "of the other nothing is known");
    assert_eq!(pinning.give_up(), None);
}

/// Runs a group for some rounds. Where it could run at the end, what is said of it, and time, wall and waited of the last run.
fn measured(behaviour: &[&str]) -> (Vec<u32>, Vec<String>, [f64; 3]) {
    let words = std::iter::once(victim().into()).chain(behaviour.iter().map(Into::into)).collect();
    let arm =
        |name: &str| Program { name: name.to_owned(), words: Clone::clone(&words), ..Program::default() };
    let setting = Setting { pin: Pin::Auto, ..Setting::default() };
    let arms = vec![arm("old"), arm("new")];
    let mut commands = Commands::new(arms, setting, Interrupt::by_hand().unwrap()).unwrap();
    commands.begin(&[OLD, NEW], &mut Endless).unwrap();
    let metrics = commands.metrics();
    let place = |name: &str| metrics.iter().position(|metric| metric.name == name).unwrap();
    let mut last = [f64::NAN; 3];
    for round in 0..=u64::from(PATIENCE) {
        for arm in [OLD, NEW] {
            let (launch, round, payload) = (LaunchId(0), RoundId(round), Seed(round));
            match commands.turn(&Turn { arm, launch, round, position: arm.0, payload }, &mut Endless) {
                Outcome::Sample(reading) => {
                    last = ["time", "wall", "waited"].map(|name| reading.values[place(name)]);
                }
                other => panic!("{other:?}"),
            }
        }
    }
    let then = affinity::allowed().unwrap();
    commands.end(&[OLD, NEW], &mut Endless).unwrap();
    (then, commands.notes(true), last)
}

#[test]
fn a_single_task_is_pinned_and_threads_never_are() {
    let allowed = affinity::allowed().unwrap();
    if allowed.len() < 2 {
        return;
    }
    let (then, notes, [time, wall, _]) = measured(&["threads", "2000"]);
    assert_eq!((then, time), (allowed.clone(), wall), "what it waits for may be its own doing");
    assert!(notes.iter().any(|note| note.starts_with("not pinned to one CPU")), "{notes:?}");
    // Other programs make tasks, too, and then it proves nothing: so some more attempts.
    let pinned = (0..50).map(|_| measured(&["sleep", "1"])).find(|(then, ..)| then.len() == 1);
    let (then, notes, [time, wall, waited]) = pinned.unwrap();
    // Kernels without the account say NaN.
    assert_eq!(time, if waited.is_nan() { wall } else { wall - waited });
    assert_eq!(notes[0], format!("pinned to CPU {}", then[0]));
    assert_eq!(affinity::allowed().unwrap(), allowed, "as before");
}
