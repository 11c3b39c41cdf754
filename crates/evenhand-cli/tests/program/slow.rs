//! `evenhand run` and commands that are slow, hang, or never succeed.

use crate::desk::Desk;
use crate::run::{desk, running};

fn run(desk: &Desk, words: &[&str]) -> crate::desk::Done {
    desk.run(&[&["run", "--no-save"], words].concat())
}

#[test]
fn a_run_that_outlasts_max_time_is_ended_with_all_that_it_started() {
    let desk = desk();
    let done = run(&desk, &["-t", "300ms", "./victim ignore-term 600"]);
    assert_eq!((done.code, done.out.as_str()), (3, ""));
    assert!(done.err.starts_with("error: `./victim ignore-term 600` was killed after "), "{}", done.err);
    let told = "at --max-time: nothing was measured\nhint: allow more time, such as --max-time 1m\n";
    assert!(done.err.ends_with(told), "{}", done.err);
    assert_eq!(running(&desk), Vec::<String>::new());
}

#[test]
fn the_rounds_before_a_run_that_hangs_count() {
    let desk = desk();
    let hangs_the_second_time = "if [ -e ran ]; then ./victim sleep 600000; fi; touch ran";
    let done = run(&desk, &["-t", "500ms", "--shell", hangs_the_second_time]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.err.contains("at --max-time; the round before counts\n"), "{}", done.err);
    assert!(done.out.contains("samples") && !done.out.contains("failed"), "{}", done.out);
    assert_eq!(running(&desk), Vec::<String>::new());
}

#[test]
fn a_step_that_hangs_is_ended_too() {
    let desk = desk();
    let done = run(&desk, &["-t", "300ms", "--prepare", "./victim ignore-term 600", "./victim exit"]);
    assert_eq!(done.code, 3);
    assert!(done.err.starts_with("error: `--prepare of ./victim exit` was killed after "), "{}", done.err);
    assert_eq!(running(&desk), Vec::<String>::new());
}

#[test]
fn a_timeout_of_the_user_is_a_failure_although_there_is_more_time() {
    let desk = desk();
    let done = run(&desk, &["-t", "60s", "--timeout", "100ms", "./victim sleep 600000"]);
    assert_eq!(done.code, 3);
    assert!(done.err.contains("ran longer than the 0.1 s allowed"), "{}", done.err);
}

#[test]
fn a_time_that_is_too_short_is_said_after_the_first_round() {
    let desk = desk();
    let commands = ["./victim sleep 300", "./victim sleep 310"];
    let done = run(&desk, &[&["-t", "1s"], &commands[..]].concat());
    assert_eq!(done.code, 0);
    let told =
        ["warning: a verdict needs at least 10 rounds of ", "; 1 s is too short\nhint: try --max-time "];
    assert!(told.iter().all(|part| done.err.contains(part)), "{}", done.err);
    let quiet = run(&desk, &[&["-t", "1s", "--quiet"], &commands[..]].concat());
    assert_eq!(quiet.err, "");
}

#[test]
fn what_never_succeeds_is_given_up_after_ten_runs() {
    let desk = desk();
    let done = run(&desk, &["-i", "./victim exit", "./victim exit 1"]);
    assert_eq!(done.code, 3);
    assert_eq!(done.err, "error: `./victim exit 1` never succeeded in 10 runs: it ended with code 1\n");
}
