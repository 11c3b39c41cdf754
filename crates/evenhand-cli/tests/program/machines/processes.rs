//! Machines on which processes are started and awaited in other ways, or which have no more room for them.

use super::{Machine, can_be_made, notes};
use crate::desk::Desk;
use evenhand_victims::victim;

#[test]
fn a_kernel_without_pidfds_and_a_container_that_refuses_them() {
    for refused in ["pidfd_open=ENOSYS", "pidfd_open=EPERM"] {
        Machine { refused: &[refused], ..Machine::default() }.works(&Desk::new());
    }
}

#[test]
fn a_system_that_gives_no_memory_to_share() {
    let machine = Machine { refused: &["memfd_create=ENOSYS"], ..Machine::default() };
    let trial = machine.compares_functions(&Desk::new());
    let told = "the system gives workers no memory to share, so each turn was requested";
    assert!(notes(&trial).iter().any(|note| note == told), "{:?}", notes(&trial));
}

#[test]
fn a_container_that_refuses_what_is_not_needed() {
    Machine { refused: &["setpriority=EPERM", "prctl=EPERM"], ..Machine::default() }.works(&Desk::new());
}

#[test]
fn whoever_started_the_program_ignores_the_end_of_children() {
    let starter = ["env", "--ignore-signal=CHLD"];
    if can_be_made(&starter) {
        Machine { starter: &starter, ..Machine::default() }.works(&Desk::new());
    }
}

#[test]
fn no_standard_input_and_no_standard_error() {
    let starter = ["sh", "-c", "exec \"$@\" <&- 2>&-", "sh"];
    Machine { starter: &starter, ..Machine::default() }.works(&Desk::new());
}

#[test]
fn no_standard_output() {
    let desk = Desk::new();
    let command = format!("{} exit", victim().display());
    let starter = ["sh", "-c", "exec \"$@\" >&-", "sh"];
    let machine = Machine { starter: &starter, ..Machine::default() };
    let done = machine.says(&desk, &["run", "--rounds", "5", &command, &command]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    let kept = desk.run(&["analyze", "@last"]);
    assert!(kept.out.contains("5 rounds"), "the verdict is kept: {}", kept.out);
}

#[test]
fn few_open_files_are_named_as_the_reason() {
    for (most, told) in [(4, "error: cannot listen for Ctrl-C: "), (10, "see `ulimit -n`")] {
        let desk = Desk::new();
        let limit = format!("--nofile={most}");
        let starter = ["prlimit", &limit];
        if !can_be_made(&["prlimit"]) {
            return;
        }
        let command = format!("{} exit", victim().display());
        let machine = Machine { starter: &starter, ..Machine::default() };
        let done = machine.says(&desk, &["run", "--no-save", "--rounds", "5", &command, &command]);
        assert!([2, 3].contains(&done.code), "{}{}", done.out, done.err);
        assert!(done.err.contains(told) && !done.err.contains("panicked"), "{most}: {}", done.err);
    }
}

#[test]
fn no_process_and_no_thread_left_is_named_as_the_reason() {
    // As nobody, because root has no such limit.
    let nobody = ["setpriv", "--reuid=65534", "--clear-groups", "--bounding-set=-all"];
    let may_start = ["sh", "-c", "test -x \"$0\"", env!("CARGO_BIN_EXE_evenhand")];
    if !can_be_made(&[&nobody[..], &may_start].concat()) {
        return;
    }
    let command = format!("{} exit", victim().display());
    for most in 1..=4 {
        let limit = format!("--nproc={most}");
        let starter = [&nobody[..], &["prlimit", &limit]].concat();
        let machine = Machine { starter: &starter, ..Machine::default() };
        let done = machine.says(&Desk::new(), &["run", "--no-save", "--rounds", "5", &command, &command]);
        assert!([0, 2, 3].contains(&done.code), "{most}: {}{}", done.out, done.err);
        assert!(done.code == 0 || done.err.contains("ulimit -u"), "{most}: {}", done.err);
    }
}
