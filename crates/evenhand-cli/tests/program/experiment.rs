//! `evenhand experiment`: is the program of the experiments found, handed what was typed, and missed clearly?

use crate::desk::Desk;
use std::path::Path;
use std::process::Command;

/// `evenhand` alone in a folder, away from what else cargo has built.
fn alone(desk: &Desk, words: &[&str]) -> Command {
    let copy = desk.path("evenhand");
    install(Path::new(env!("CARGO_BIN_EXE_evenhand")), &copy);
    let mut command = Command::new(copy);
    command.args(words).env("PATH", desk.path("bin"));
    command
}

/// A program of that name which prints what it was handed, and ends with a status of its own.
fn stand_in(desk: &Desk, path: &str) {
    desk.write("script", format!("#!/bin/sh\nprintf '{path}: %s\\n' \"$*\"\nexit 7\n"));
    install(&desk.path("script"), &desk.path(path));
}

/// Another process writes the program: while we did, a test beside us could start with our file open, which is busy then.
fn install(from: &Path, to: &Path) {
    let done = Command::new("install").args(["-D", "-m", "755"]).args([from, to]).status();
    assert!(done.unwrap().success());
}

#[test]
fn the_program_beside_ours_comes_before_the_one_in_path() {
    let desk = Desk::new();
    let words = ["experiment", "paired", "--tiny", "--help"];
    stand_in(&desk, "bin/evenhand-experiment");
    let done = alone(&desk, &words).output().unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "bin/evenhand-experiment: paired --tiny --help\n");
    assert_eq!(done.status.code(), Some(7), "its status is ours");
    stand_in(&desk, "evenhand-experiment");
    let done = alone(&desk, &words).output().unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), "evenhand-experiment: paired --tiny --help\n");
}

#[test]
fn a_missing_program_is_named_with_the_way_to_it() {
    let done = alone(&Desk::new(), &["experiment", "paired"]).output().unwrap();
    let told = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{told}");
    assert!(told.starts_with("error: no program `evenhand-experiment`"), "{told}");
    assert!(told.contains("\nhint: ") && told.contains("cargo install"), "{told}");
}
