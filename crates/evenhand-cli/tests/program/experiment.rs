//! `evenhand experiment`: does each run, here and now, and tell what its article says?

use crate::desk::Desk;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn each_runs_and_judges_its_claims() {
    let desk = Desk::new();
    for (name, author) in [
        ("log-normal", "D. Lemire"),
        ("percentiles", "BenchmarkDotNet"),
        ("uncertainty", "P. Kołaczkowski"),
        ("sampling", "P. Vaskovic"),
        ("paired", "D. Bazhenov"),
    ] {
        let done = desk.run(&[
            "experiment",
            name,
            "--tiny",
            "--export-json",
            "trial.json",
            "--export-html",
            "page.html",
        ]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        assert!(done.out.contains(author) && done.out.contains("Published"), "{}", done.out);
        let judged = done.out.matches(" here: ").count();
        assert!(judged >= 2, "{name} judges {judged} claims: {}", done.out);
        assert!(done.err.starts_with("evenhand: "), "what it does meanwhile: {}", done.err);
        let shown = desk.run(&["plot", "trial.json", "--kind", "run"]);
        assert_eq!(shown.code, 0, "{name}: {}", shown.err);
        assert!(std::fs::read_to_string(desk.path("page.html")).unwrap().contains("id=\"columns\">"));
    }
}

#[test]
fn an_experiment_that_is_killed_leaves_no_database_behind() {
    let temporary = tempfile::tempdir_in("/tmp").unwrap();
    // Root runs PostgreSQL as another user, who has to get there.
    fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_evenhand"));
    program.args(["experiment", "uncertainty"]).env("TMPDIR", temporary.path());
    // The small server is not what this is about, so its part is as short as can be.
    program.arg("--tiny").stdout(Stdio::null()).stderr(Stdio::piped());
    let mut running = program.spawn().unwrap();
    let mut told = BufReader::new(running.stderr.take().unwrap()).lines();
    let asked = told.any(|line| line.unwrap() == "evenhand: PostgreSQL: run 1 of 6");
    let left =
        || -> Vec<_> { fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect() };
    if asked {
        running.kill().unwrap();
        let killed = Instant::now();
        while !left().is_empty() {
            assert!(killed.elapsed() < Duration::from_secs(30), "left behind: {:?}", left());
            thread::sleep(Duration::from_millis(20));
        }
    } else {
        println!("not run: there is no PostgreSQL on this machine");
    }
    running.wait().unwrap();
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let done = Desk::new().run(&["experiment", "cold-fusion"]);
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("[possible values: log-normal, percentiles, uncertainty, sampling, paired]"),
        "{}",
        done.err
    );
}
