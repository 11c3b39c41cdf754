//! `evenhand run --continue`: more rounds of a stored trial.

use crate::desk::{Desk, Done};
use crate::run::desk;
use serde_json::Value;
use std::fs;

/// A trial of three rounds.
fn begun(desk: &Desk) {
    let done = desk.run(&["run", "--rounds", "3", "--seed", "abc", "./victim exit", "./victim sleep 1"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.ends_with(" 6 samples kept; continue with evenhand run --continue @last\n"),
        "{}",
        done.out
    );
}

fn exported(desk: &Desk) -> Value {
    let done = desk.run(&["export", "@last"]);
    assert_eq!(done.code, 0, "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

fn rows(desk: &Desk, words: &[&str]) -> Vec<(u64, u64, String)> {
    let done = desk.run(&[words, &["--export-csv", "rows.csv"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let text = fs::read_to_string(desk.path("rows.csv")).unwrap();
    let mut rows: Vec<_> = text.lines().skip(1).map(crate::run::order_of).collect();
    rows.sort();
    rows
}

#[test]
fn rounds_are_numbered_on_with_the_same_coins_in_the_same_trial() {
    let desk = desk();
    begun(&desk);
    let before = exported(&desk);
    let continued = rows(&desk, &["run", "--continue", "@last", "--rounds", "4"]);
    let at_once = ["run", "--no-save", "--rounds", "7", "--seed", "abc", "./victim exit", "./victim sleep 1"];
    assert_eq!(continued, rows(&desk, &at_once));
    let after = exported(&desk);
    for same in ["id", "started", "plan", "schedule", "arms", "environment"] {
        assert_eq!(after[same], before[same], "{same}");
    }
    assert!(after["seconds"].as_f64() > before["seconds"].as_f64());
    assert_eq!(desk.run(&["list"]).out.matches("./victim exit").count(), 1, "it is the same trial");
}

#[test]
fn a_control_goes_on_with_the_others() {
    let desk = desk();
    let words = ["run", "--control", "--rounds", "3", "./victim exit", "./victim sleep 1"];
    assert_eq!(desk.run(&words).code, 0);
    let done = desk.run(&["run", "--continue", "@last", "--rounds", "4", "--json"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let analysis: Value = serde_json::from_str(&done.out).unwrap();
    let control = &analysis["comparisons"][1];
    assert_eq!((&control["control"], &control["rounds"]), (&true.into(), &7.into()), "{control}");
}

#[test]
fn samples_start_as_late_as_they_did_since_the_trial_began() {
    let desk = desk();
    begun(&desk);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert_eq!(desk.run(&["run", "--continue", "@last", "--rounds", "2"]).code, 0);
    let trial = exported(&desk);
    for arm in [0, 1] {
        let series = trial["series"].as_array().unwrap().iter().filter(|series| series["arm"] == arm);
        let started: Vec<u64> = series
            .flat_map(|series| series["started"].as_array().unwrap().clone())
            .map(|started| started.as_u64().unwrap())
            .collect();
        assert!(started.len() == 5 && started.is_sorted(), "{started:?}");
        assert!(started[3] - started[2] >= 300_000_000, "{started:?}");
    }
}

#[test]
fn the_verdict_is_over_all_rounds_and_what_is_decided_is_not_measured_again() {
    let desk = desk();
    let commands = ["./victim exit", "./victim sleep 20"];
    assert_eq!(desk.run(&[&["run", "--rounds", "6"], &commands[..]].concat()).code, 0);
    let done = desk.run(&["run", "--continue", "@last", "--json"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let analysis: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(analysis["comparisons"][0]["verdict"], "slower");
    assert!(analysis["comparisons"][0]["rounds"].as_u64().unwrap() > 10);
    let analysed = desk.run(&["analyze", "@last"]).out;
    let again = desk.run(&["run", "--continue", "@last"]);
    assert_eq!(again.code, 0);
    assert!(again.err.contains("all verdicts are decided, so nothing is measured"), "{}", again.err);
    assert_eq!(desk.run(&["analyze", "@last"]).out, analysed);
}

#[test]
fn the_command_line_is_repeated_where_it_cannot_be_read_from_the_record() {
    let desk = desk();
    let secret = "./victim say --password=hunter2";
    assert_eq!(desk.run(&["run", "--rounds", "2", secret, "./victim exit"]).code, 0);
    let refused = desk.run(&["run", "--continue", "@last"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("an apparent secret in its command line was not stored"), "{}", refused.err);
    let repeated = ["run", "--continue", "@last", "--rounds", "2", secret, "./victim exit"];
    let done = desk.run(&repeated);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains(", 8 samples kept"), "{}", done.out);
}

#[test]
fn in_another_directory_the_commands_are_others() {
    let desk = desk();
    begun(&desk);
    fs::create_dir(desk.path("elsewhere")).unwrap();
    let mut there = desk.command(&["run", "--continue", "@last"]);
    let done = Done::of(there.current_dir(desk.path("elsewhere")).output().unwrap());
    assert_eq!(done.code, 2);
    assert!(done.err.contains("cannot be repeated from its record: it was measured in "), "{}", done.err);
}

/// What is refused, word by word.
#[test]
fn what_does_not_go_on_is_refused_by_name() {
    let mut desk = desk();
    begun(&desk);
    for line in [
        "evenhand run --continue nightly",
        "evenhand run --continue @last --no-save",
        "evenhand run --continue @last --warmup 3",
        "evenhand run --continue @last --margin 5%",
        "evenhand run --continue @last --seed 1",
        "evenhand run --continue @last --label nightly",
        "evenhand run --continue @last --control",
        "evenhand run --continue @last './victim exit'",
        "evenhand run --continue @last './victim sleep 1' './victim exit'",
        "evenhand run --continue @last --pin none './victim exit' './victim sleep 1'",
        "evenhand run --continue @last --margin 2% './victim exit' './victim sleep 1'",
        "evenhand run --continue @last --seed 1 './victim exit' './victim sleep 1'",
        "evenhand run --continue @last --label nightly './victim exit' './victim sleep 1'",
    ] {
        assert_eq!(desk.type_in(line).code, 2, "{line}");
    }
    desk.fixture("hyperfine/v1_two.json", "old.json");
    desk.type_in("evenhand import old.json");
    desk.type_in("evenhand run --continue @last");
    desk.expect("run_resume");
}
