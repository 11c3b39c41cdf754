//! Is a command proven to be a single task before it is pinned, and is a parallel one never pinned?

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::pinning::{Decision, Pinning};
use evenhand_measure::command::proof::{Evidence, PATIENCE, Proof, Proven};
use evenhand_measure::command::{Commands, Interrupt, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor};
use evenhand_measure::platform::account::Account;
use evenhand_measure::platform::affinity;
use evenhand_measure::platform::process::{ProcessEnd, ProcessRun, Usage};
use evenhand_trial::{ArmId, Note};
use evenhand_victims::victim;
use std::path::Path;

const OLD: ArmId = ArmId(0);
const NEW: ArmId = ArmId(1);

/// A run that used so much of its time.
fn run(share: f64, is_single: bool) -> Evidence {
    Evidence { cpu: share * 1e7, wall: 1e7, is_single }
}

#[test]
fn one_run_of_each_that_was_a_single_task_proves_it() {
    let mut proof = Proof::of(&[OLD, NEW]);
    assert_eq!(proof.take(OLD, run(0.9, true)), None);
    assert_eq!(proof.take(NEW, run(0.9, false)), None);
    assert_eq!(proof.take(OLD, run(0.9, true)), None);
    assert_eq!(proof.take(NEW, run(0.9, true)), Some(Proven::Single));
}

#[test]
fn a_command_that_is_a_single_task_only_now_and_then_is_none() {
    let mut proof = Proof::of(&[OLD, NEW]);
    assert_eq!(proof.take(OLD, run(0.9, true)), None);
    assert_eq!(proof.take(OLD, run(0.9, false)), Some(Proven::Several(OLD)));
}

#[test]
fn more_processor_time_than_time_ends_it_at_once() {
    let mut proof = Proof::of(&[OLD, NEW]);
    assert_eq!(proof.take(OLD, run(1.04, true)), None);
    assert_eq!(proof.take(NEW, run(1.06, true)), Some(Proven::Several(NEW)));
}

#[test]
fn a_parallel_command_that_looks_single_stays_unproven() {
    let mut proof = Proof::of(&[OLD, NEW]);
    for _ in 1..PATIENCE {
        assert_eq!(proof.take(OLD, run(0.9, true)), None);
        assert_eq!(proof.take(NEW, run(0.9, false)), None);
    }
    assert_eq!(proof.take(OLD, run(0.9, true)), None);
    assert_eq!(proof.take(NEW, run(0.9, false)), Some(Proven::Unproven(vec![NEW])));
}

#[test]
fn a_system_that_does_not_count_proves_nothing() {
    let mut proof = Proof::of(&[OLD]);
    for _ in 1..PATIENCE {
        assert_eq!(proof.take(OLD, run(0.1, false)), None);
    }
    assert_eq!(proof.take(OLD, run(0.1, false)), Some(Proven::Unproven(vec![OLD])));
}

/// A run of 10 ms that used so many microseconds, and waited so long if it is known to be a single task.
fn ran(user: i64, waited: Option<u64>) -> ProcessRun {
    let usage = Some(Usage { user, ..Usage::default() });
    let (end, counts) = (ProcessEnd::Exit(0), Vec::new());
    ProcessRun { end, started: 0, wall: 10_000_000, usage, waited, left_behind: 0, floor: 0, counts }
}

#[test]
fn a_decision_comes_once() {
    if affinity::allowed().unwrap().len() < 2 {
        return;
    }
    let mut pinning = Pinning::default();
    pinning.begin(&Pin::Auto, &[OLD, NEW]).unwrap();
    assert_eq!(pinning.learn(NEW, &ran(10_600, Some(0))), Some(Decision::Several(NEW)));
    assert_eq!(pinning.learn(OLD, &ran(1, Some(0))), None);
    assert!(!pinning.may_be_single());
    pinning.begin(&Pin::Auto, &[OLD]).unwrap();
    assert!(matches!(pinning.learn(OLD, &ran(10_400, Some(0))), Some(Decision::Pinned(_))));
    assert!(pinning.may_be_single());
    pinning.begin(&Pin::Auto, &[OLD, NEW]).unwrap();
    assert_eq!(pinning.learn(OLD, &ran(1, None)), None);
    assert_eq!(pinning.give_up(), Some(Decision::Unproven(vec![OLD])), "of the other nothing is known");
    assert_eq!(pinning.give_up(), None);
}

#[test]
fn a_group_is_let_go_when_a_command_turns_out_to_be_several_tasks() {
    let allowed = affinity::allowed().unwrap();
    if allowed.len() < 2 {
        return;
    }
    let mut pinning = Pinning::default();
    pinning.begin(&Pin::Auto, &[OLD]).unwrap();
    assert!(matches!(pinning.learn(OLD, &ran(1, Some(0))), Some(Decision::Pinned(_))));
    assert_eq!(affinity::allowed().unwrap().len(), 1);
    assert_eq!(pinning.learn(OLD, &ran(1, None)), Some(Decision::Several(OLD)));
    assert_eq!((affinity::allowed().unwrap(), pinning.may_be_single()), (allowed, false));
}

/// Where the user has chosen the processors nothing is decided about them, but the time of single tasks is known.
#[test]
fn the_users_choice_stays_and_single_tasks_are_known_nevertheless() {
    let allowed = affinity::allowed().unwrap();
    for pin in [Pin::None, Pin::Cpus(vec![allowed[0]])] {
        let mut pinning = Pinning::default();
        pinning.begin(&pin, &[OLD]).unwrap();
        let then = affinity::allowed().unwrap();
        assert_eq!(pinning.learn(OLD, &ran(1, Some(0))), None);
        assert!(pinning.may_be_single());
        assert_eq!(pinning.learn(OLD, &ran(1, None)), None);
        assert_eq!((affinity::allowed().unwrap(), pinning.may_be_single()), (then, false), "{pin:?}");
    }
}

#[test]
fn an_account_is_whole_if_nothing_else_ran() {
    let status = |ignored: &str| format!("Name:\tx\nSigIgn:\t{ignored}\nSigCgt:\t0000000000000000\n");
    let account = Account::read("1500200 7000 12\n", &status("0000000000001000")).unwrap();
    assert_eq!(account.waited, 7000);
    let used = |user, system| Usage { user, system, ..Usage::default() };
    assert!(account.is_whole(&used(1000, 500)) && account.is_whole(&used(1500, 0)));
    assert!(!account.is_whole(&used(1000, 501)), "another task ran");
    let ignoring = Account::read("1500200 7000 12\n", &status("0000000000010000")).unwrap();
    assert!(!ignoring.is_whole(&used(1000, 500)), "children may have come and gone");
    for (schedstat, status) in [
        ("", status("0")),
        ("0 0 0\n", status("0")),
        ("12", status("0")),
        ("1 2 3", status("x")),
        ("1 2 3", String::new()),
    ] {
        assert_eq!(Account::read(schedstat, &status), None, "{schedstat}");
    }
}

/// Runs a group for some rounds. Where it could run at the end, what is said of it, and time, wall and waited of the last run.
fn measured(behaviour: &[&str]) -> (Vec<u32>, Vec<Note>, [f64; 3]) {
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
            let measured = one_turn(&mut commands, &turn(arm.0, round)).unwrap();
            last = ["time", "wall", "waited"].map(|name| measured.values(arm).unwrap()[place(name)]);
        }
    }
    let then = affinity::allowed().unwrap();
    commands.end(&[OLD, NEW], &mut Endless).unwrap();
    (then, commands.notes(true), last)
}

#[test]
fn a_single_task_is_pinned_and_threads_and_processes_never_are() {
    let allowed = affinity::allowed().unwrap();
    if allowed.len() < 2 || !Path::new("/proc/self/schedstat").exists() {
        return;
    }
    for several in [&["threads", "2000"][..], &["grandchild-touches", "1"]] {
        let (then, notes, [time, wall, waited]) = measured(several);
        assert_eq!(then, allowed);
        assert!(time.is_nan() && wall > 0.0 && waited.is_nan(), "what it waits for may be its own doing");
        assert!(notes.iter().any(|note| matches!(note, Note::NotPinned(_))), "{notes:?}");
    }
    let (then, notes, [time, wall, waited]) = measured(&["sleep", "1"]);
    assert_eq!((then.len(), time), (1, wall - waited));
    assert_eq!(notes[0], Note::PinnedTo { cpus: then });
    assert_eq!(affinity::allowed().unwrap(), allowed, "as before");
}

/// What else starts on the machine does not matter: it did, when the tasks of the whole machine were counted.
#[test]
fn a_busy_machine_hides_no_single_task() {
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    let forks = std::thread::spawn(move || {
        while is_done.try_recv() == Err(std::sync::mpsc::TryRecvError::Empty) {
            std::process::Command::new(victim()).arg("exit").status().unwrap();
        }
    });
    let (_, _, [time, wall, waited]) = measured(&["spin", "1000"]);
    done.send(()).unwrap();
    forks.join().unwrap();
    if Path::new("/proc/self/schedstat").exists() {
        assert_eq!(time, wall - waited);
    }
}
