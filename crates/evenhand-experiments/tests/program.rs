//! `evenhand-experiment`: does each run, here and now, tell what its article says, and write what `evenhand` reads?

use evenhand_formats::import::import_path;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_evenhand-experiment"))
}

fn run(words: &[&str], folder: &Path) -> Output {
    let mut program = program();
    program.args(words).current_dir(folder).env("XDG_DATA_HOME", folder.join("data"));
    program.output().unwrap()
}

#[test]
fn each_runs_and_judges_its_claims() {
    let folder = tempfile::tempdir().unwrap();
    for (name, author) in [
        ("log-normal", "D. Lemire"),
        ("percentiles", "BenchmarkDotNet"),
        ("uncertainty", "P. Kołaczkowski"),
        ("sampling", "P. Vaskovic"),
        ("paired", "D. Bazhenov"),
    ] {
        let files = ["--export-json", "trial.json", "--export-html", "page.html"];
        let done = run(&[&[name, "--tiny"], &files[..]].concat(), folder.path());
        let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
        assert_eq!(done.status.code(), Some(0), "{name}: {err}");
        assert!(out.contains(author) && out.contains("Published"), "{out}");
        let judged = out.matches(" here: ").count();
        assert!(judged >= 2, "{name} judges {judged} claims: {out}");
        assert!(err.lines().all(|line| line.starts_with("note: ")), "what it does meanwhile: {err}");
        let trials = import_path(&folder.path().join("trial.json"), None).unwrap();
        assert!(trials.len() == 1 && trials[0].sample_count() > 0, "{name}");
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        let title = format!("<title>experiment {name}");
        assert!(page.contains("id=\"columns\">") && page.contains(&title), "{name}");
    }
}

#[test]
fn the_second_session_is_compared_with_the_first_one_in_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let told = |words: &[&str]| {
        let done = run(&[&["log-normal", "--tiny"], words].concat(), folder.path());
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let alone = told(&["--no-save"]);
    assert!(!alone.contains("And on another day?"), "{alone}");
    assert!(told(&[]).contains("The archive had no earlier session of this size."));
    let second = told(&[]);
    assert!(second.contains("The earlier session in the archive, "), "{second}");
    assert!(second.contains(" of 3 minima stayed within 1 %; the largest change was "), "{second}");
    let elsewhere = told(&["--archive", "elsewhere"]);
    assert!(elsewhere.contains("no earlier session"), "{elsewhere}");
    let unwritable = run(&["log-normal", "--tiny", "--archive", "/proc/evenhand"], folder.path());
    let err = String::from_utf8(unwritable.stderr).unwrap();
    assert!(err.contains("warning: this session is not kept: "), "{err}");
    assert_eq!(unwritable.status.code(), Some(0), "what was measured is told all the same");
}

#[test]
fn an_experiment_that_is_killed_leaves_no_database_behind() {
    let temporary = tempfile::tempdir_in("/tmp").unwrap();
    // Root runs PostgreSQL as another user, who has to get there.
    fs::set_permissions(temporary.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let mut program = program();
    // The small server is not what this is about, so its part is as short as can be.
    program.args(["uncertainty", "--tiny"]).env("TMPDIR", temporary.path());
    let mut running = program.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(running.stderr.take().unwrap()).lines();
    let asked = told.any(|line| line.unwrap() == "note: PostgreSQL: run 1 of 6");
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
fn what_cannot_be_done_is_said_before_anything_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    for (words, told) in [
        (&["cold-fusion"][..], "[possible values: log-normal, percentiles, uncertainty, sampling, paired]"),
        (&["paired", "--export-json", "nowhere/trial.json"], "no folder nowhere"),
        (&["paired", "--tiny", "--whole"], "cannot be used with"),
    ] {
        let done = run(words, folder.path());
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), done.stdout.len()), (Some(2), 0), "{words:?}");
        assert!(err.starts_with("error: ") && err.contains(told), "{words:?}: {err}");
    }
    let coloured = run(&["cold-fusion", "--color=always"], folder.path());
    assert!(coloured.stderr.starts_with(b"\x1b["), "{:?}", String::from_utf8(coloured.stderr));
}
