//! Do real processes that are killed, or that write at the same time, lose anything?
//!
//! The children are this test program again, told by environment variables what to do.

use crate::common;
use crate::common::{Scratch, append, assert_rounds, head, imported};
use evenhand_archive::Archive;
use evenhand_trial::{State, TrialId};
use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const ROLE: &str = "EVENHAND_TEST_ROLE";
const DIR: &str = "EVENHAND_TEST_DIR";
const NUMBER: &str = "EVENHAND_TEST_NUMBER";

fn start(role: &str, dir: &Path, number: u64) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--ignored", "--nocapture"])
        .env(ROLE, role)
        .env(DIR, dir)
        .env(NUMBER, number.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// What the children do; not a test by itself.
#[test]
#[ignore = "run by the other tests as a process of its own"]
fn child() {
    let role = env::var(ROLE).unwrap();
    let dir = PathBuf::from(env::var_os(DIR).unwrap());
    let number: u64 = env::var(NUMBER).unwrap().parse().unwrap();
    match role.as_str() {
        "append for ever" => {
            let mut journal = Archive::open(&dir).unwrap().begin(&head(number)).unwrap();
            println!("begun");
            for round in 0.. {
                append(&mut journal, 0, round).unwrap();
                println!("{}", round + 1);
            }
        }
        "resume for ever" => {
            let mut journal = Archive::open(&dir).unwrap().resume(&TrialId::from_number(number)).unwrap();
            println!("begun");
            for round in 0.. {
                append(&mut journal, 1, round).unwrap();
                println!("{}", round + 1);
            }
        }
        "store for ever" => {
            println!("begun");
            for number in 0.. {
                let archive = Archive::open(&dir).unwrap();
                let mut journal = archive.begin(&head(number)).unwrap();
                (0..20).for_each(|round| append(&mut journal, 0, round).unwrap());
                journal.finish(State::Complete).unwrap();
                println!("{}", number + 1);
            }
        }
        "write much" => {
            for each in 0..8 {
                let mut archive = Archive::open(&dir).unwrap();
                archive.add(&imported(number * 1_000 + each, 300)).unwrap();
                let mut journal = archive.begin(&head(number * 1_000 + 500 + each)).unwrap();
                (0..40).for_each(|round| append(&mut journal, 0, round).unwrap());
                assert!(archive.entries().unwrap().len() > 1);
                journal.finish(State::Complete).unwrap();
            }
        }
        other => panic!("no role {other}"),
    }
}

fn begun(child: &mut Child) -> BufReader<ChildStdout> {
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.trim().ends_with("begun") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the child ended before it began");
    }
    output
}

/// Kills with SIGKILL and gives the last number that the child had said before.
fn kill(mut child: Child, mut output: BufReader<ChildStdout>) -> u64 {
    child.kill().unwrap();
    child.wait().unwrap();
    let mut said = String::new();
    output.read_to_string(&mut said).unwrap();
    let whole_lines = said.rsplit_once('\n').map_or("", |(lines, _)| lines);
    whole_lines.lines().last().map_or(0, |line| line.parse().unwrap())
}

#[test]
fn kill_9_loses_at_most_the_round_in_progress() {
    let scratch = Scratch::new("kill");
    for number in 1..=20_u64 {
        let mut writer = start("append for ever", &scratch.archive(), number);
        let output = begun(&mut writer);
        std::thread::sleep(Duration::from_micros(number * 1_237 % 9_000));
        let said = kill(writer, output);
        let archive = Archive::open(&scratch.archive()).unwrap();
        assert_eq!(archive.absorbed().len(), 1);
        let kept = archive.absorbed()[0].rounds.unwrap();
        assert!((said..=said + 1).contains(&kept), "said {said} rounds, kept {kept}");
        if kept == 0 {
            // On a busy machine it is killed before its first round, and such a trial is not kept.
            continue;
        }
        let trial = archive.trial(&TrialId::from_number(number)).unwrap();
        assert_eq!(trial.state, State::Interrupted);
        assert_rounds(&trial, kept);
    }
    assert!(Archive::open(&scratch.archive()).unwrap().check().unwrap().is_whole());
}

#[test]
fn kill_9_while_resumed_keeps_both_sessions() {
    let scratch = Scratch::new("kill");
    let mut journal = Archive::open(&scratch.archive()).unwrap().begin(&head(1)).unwrap();
    (0..30).for_each(|round| append(&mut journal, 0, round).unwrap());
    journal.finish(State::Interrupted).unwrap();
    let mut samples = common::samples_of(30);
    for _ in 0..5 {
        let mut writer = start("resume for ever", &scratch.archive(), 1);
        let output = begun(&mut writer);
        std::thread::sleep(Duration::from_millis(2));
        kill(writer, output);
        let archive = Archive::open(&scratch.archive()).unwrap();
        samples += common::samples_of(archive.absorbed()[0].rounds.unwrap());
        let trial = archive.trial(&TrialId::from_number(1)).unwrap();
        assert_eq!((trial.sample_count() as u64, trial.state), (samples, State::Interrupted));
    }
}

#[test]
fn kill_9_while_storing_loses_no_trial() {
    let scratch = Scratch::new("kill");
    for pause in 0..12_u64 {
        let dir = scratch.path.join(format!("archive {pause}/.evenhand"));
        let mut writer = start("store for ever", &dir, 0);
        let output = begun(&mut writer);
        std::thread::sleep(Duration::from_micros(8_000 + pause * 1_931));
        let said = kill(writer, output);
        let archive = Archive::open(&dir).unwrap();
        for number in 0..said {
            let trial = archive.trial(&TrialId::from_number(number)).unwrap();
            assert_rounds(&trial, 20);
            assert_eq!(trial.state, State::Complete);
        }
        let entries = archive.entries().unwrap();
        assert!(entries.len() as u64 <= said + 1, "{} trials, {said} said", entries.len());
        let report = archive.check().unwrap();
        assert!(report.is_whole(), "{report:?}");
    }
}

#[test]
fn several_processes_write_at_once() {
    let scratch = Scratch::new("many");
    // None of them finds an archive: they make it at the same time, too.
    let writers: Vec<Child> = (1..=5).map(|number| start("write much", &scratch.archive(), number)).collect();
    for writer in writers {
        let done = writer.wait_with_output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    }
    let archive = Archive::open_read_only(&scratch.archive()).unwrap();
    let entries = archive.entries().unwrap();
    assert_eq!(entries.len(), 5 * 16);
    for number in 1..=5 {
        for each in 0..8 {
            let measured = archive.trial(&TrialId::from_number(number * 1_000 + 500 + each)).unwrap();
            assert_rounds(&measured, 40);
            assert_eq!(measured.state, State::Complete);
            let added = archive.trial(&TrialId::from_number(number * 1_000 + each)).unwrap();
            assert_eq!(added, imported(number * 1_000 + each, 300));
        }
    }
    assert!(archive.check().unwrap().is_whole());
}

#[test]
fn a_living_owner_is_left_alone() {
    let scratch = Scratch::new("alive");
    let mut writer = start("append for ever", &scratch.archive(), 7);
    let output = begun(&mut writer);
    let mut archive = Archive::open(&scratch.archive()).unwrap();
    assert!(archive.absorbed().is_empty());
    let entries = archive.entries().unwrap();
    assert_eq!((entries.len(), entries[0].state), (1, State::Running));
    let id = TrialId::from_number(7);
    let first = archive.trial(&id).unwrap().sample_count();
    assert!(archive.remove(&id).is_err());
    while archive.trial(&id).unwrap().sample_count() == first {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(archive.check().unwrap().is_whole());
    kill(writer, output);
    assert_eq!(archive.entries().unwrap()[0].state, State::Interrupted);
    assert_eq!(
        Archive::open_read_only(&scratch.archive()).unwrap().head(&id).unwrap().state,
        State::Interrupted
    );
}
