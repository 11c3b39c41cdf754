//! What if the system refuses a call? Filters of the kernel stand in for old kernels, containers and full tables.

use crate::one_turn::{one_turn, turn};

use evenhand_measure::command::{Commands, Pin, Program, Setting};
use evenhand_measure::executor::{Endless, Executor};
use evenhand_measure::finish::NoSample;
use evenhand_measure::noise;
use evenhand_measure::platform::counters::{Counters, Event, SOFTWARE};
use evenhand_measure::platform::interrupt::Interrupt;
use evenhand_measure::tools;
use evenhand_trial::{ArmId, Reason};
use evenhand_victims::confined::{Refusal, confined, refuse, unprivileged};
use evenhand_victims::victim;
use std::fs;
use std::time::Duration;

const A: ArmId = ArmId(0);
/// The place of a metric.
const WALL: usize = 1;

fn commands(words: &[&str], setting: Setting) -> Commands {
    let words = std::iter::once(victim().into()).chain(words.iter().map(Into::into)).collect();
    let program = Program { name: "victim".to_owned(), words, ..Program::default() };
    Commands::new(vec![program], setting, Interrupt::by_hand().unwrap()).unwrap()
}

fn values(commands: &mut Commands) -> Vec<f64> {
    one_turn(commands, &turn(0, 0)).unwrap().values(A).unwrap().to_vec()
}

fn reason(commands: &mut Commands) -> Reason {
    match one_turn(commands, &turn(0, 0)) {
        Err(NoSample::Failed { reason, .. }) => reason,
        other => panic!("no failure: {other:?}"),
    }
}

#[test]
fn the_end_of_a_command_is_seen_without_a_pidfd() {
    for refusal in ["pidfd_open=ENOSYS", "pidfd_open=EPERM", "pidfd_open=EACCES"] {
        confined(&[refusal], || {
            let setting = || Setting { pin: Pin::None, ..Setting::default() };
            let mut quick = commands(&["exit"], setting());
            for _ in 0..20 {
                assert!(values(&mut quick)[WALL] > 0.0, "{refusal}");
            }
            assert_eq!(reason(&mut commands(&["exit", "9"], setting())), Reason::Exit { code: 9 });
            let timeout = Some(Duration::from_millis(20));
            let mut slow = commands(&["sleep", "60000"], Setting { timeout, ..setting() });
            assert_eq!(reason(&mut slow), Reason::Timeout { allowed: 0.02 });
            let mut complains = commands(&["complain", "3"], setting());
            assert_eq!(reason(&mut complains), Reason::Exit { code: 4 });
            assert!(complains.last_words(A).unwrap().contains("complaint 3"));
        });
    }
}

#[test]
fn refused_counters_are_missing_and_the_reason_is_said() {
    for (refusal, told) in [
        ("perf_event_open=EACCES", "the system forbids them"),
        ("perf_event_open=EPERM", "the system forbids them"),
        ("perf_event_open=ENOSYS", "the kernel was built without them"),
        ("perf_event_open=EAGAIN", "opening one failed"),
    ] {
        confined(&[refusal], || {
            let counters = Counters::open(&SOFTWARE, None);
            assert!(counters.is_open().all(|is_open| !is_open));
            let note = counters.note.unwrap();
            assert!(note.starts_with("no hardware counters here: ") && note.contains(told), "{note}");
        });
    }
}

#[test]
fn counters_that_are_lost_in_the_middle_leave_gaps_and_no_other_number_moves() {
    if Counters::open(&SOFTWARE, None).is_open().any(|is_open| !is_open) {
        return eprintln!("skipped: this machine does not count the kernel's events");
    }
    confined(&[], || {
        let setting = Setting { pin: Pin::None, events: &SOFTWARE, ..Setting::default() };
        let mut commands = commands(&["exit"], setting);
        let names: Vec<String> = commands.metrics().into_iter().map(|metric| metric.name).collect();
        let faults = names.iter().position(|name| name == "page_faults").unwrap();
        assert!(values(&mut commands)[faults] > 10.0);
        refuse(Refusal::named("perf_event_open=ENOSYS").unwrap()).unwrap();
        let after = values(&mut commands);
        assert_eq!(after.len(), names.len());
        let counted = |name: &String| SOFTWARE.iter().any(|event| event.name == name);
        for (name, value) in names.iter().zip(&after) {
            assert!(!counted(name) || value.is_nan(), "{name} is {value}");
        }
        assert!(after[WALL] > 0.0, "the time does not depend on counters");
    });
}

#[test]
fn without_privileges_the_kernels_part_is_left_out_and_that_is_said() {
    let paranoid = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid").unwrap_or_default();
    if paranoid.trim() != "2" {
        return eprintln!("skipped: perf_event_paranoid is {:?} here, not 2", paranoid.trim());
    }
    const FAULTS: [Event; 1] = [SOFTWARE[1]];
    unprivileged(|| {
        let setting = Setting { pin: Pin::None, events: &FAULTS, ..Setting::default() };
        let mut commands = commands(&["exit"], setting);
        let note = commands.uncounted().unwrap();
        assert!(note.contains("exclude the kernel here"), "{note}");
        let faults = *values(&mut commands).last().unwrap();
        assert!(faults > 10.0, "the program's own are counted: {faults}");
        assert!(
            commands.notes(false).iter().any(|note| note.to_string().contains("exclude the kernel here"))
        );
    });
}

#[test]
fn commands_run_free_where_affinity_is_refused_and_that_is_said() {
    for (refusal, why) in [
        ("sched_setaffinity=EPERM", "not pinned to one CPU: the system refused it"),
        ("sched_getaffinity=EPERM", "not pinned to one CPU: the allowed CPUs are unknown"),
    ] {
        confined(&[refusal], || {
            let mut commands = commands(&["exit"], Setting::default());
            commands.begin(&[A], &mut Endless).unwrap();
            for _ in 0..5 {
                assert!(values(&mut commands)[WALL] > 0.0);
            }
            commands.end(&[A], &mut Endless).unwrap();
            let notes = commands.notes(false);
            assert!(notes.iter().any(|note| note.to_string() == why), "{refusal}: {notes:?}");
        });
    }
}

#[test]
fn where_no_thread_can_be_made_no_processor_is_visited_and_no_tool_is_asked() {
    confined(&["clone=EAGAIN", "clone3=EAGAIN"], || {
        assert_eq!(noise::visits(&[0, 1]), []);
        assert!(tools::versions(&["rustc", "cc"], Duration::from_secs(1)).is_empty());
        let Reason::NotStarted { message } = reason(&mut commands(&["exit"], Setting::default())) else {
            panic!("no process can be made")
        };
        assert!(message.contains("see `ulimit -u`"), "{message}");
        let error = Interrupt::by_signals(|| {}).unwrap_err().to_string();
        assert!(error.starts_with("cannot listen for Ctrl-C: ") && error.contains("ulimit -u"), "{error}");
    });
}
