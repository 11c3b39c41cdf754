//! What is left when things go wrong? Never half a trial, never a success that was none.

use crate::desk::{Desk, Done};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io::Read;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[test]
fn a_full_device_is_no_success() {
    let desk = Desk::with_archive();
    for words in [
        &["list"][..],
        &["analyze", "@last"],
        &["analyze", "@last", "--json"],
        &["show", "@last"],
        &["export", "@last"],
        &["export", "@last", "--to", "csv"],
        &["import", "new.json"],
        &["import", "--formats"],
        &["archive", "check"],
        &["--help"],
        &["--version"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let done = desk.command(words).stdout(full).output().unwrap();
        let said = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{words:?}");
        assert!(said.contains("No space left on device"), "{words:?}: {said}");
    }
    // What was asked for is done all the same.
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 3);
}

/// Many small files, so that more is said than a pipe holds.
fn many_files(desk: &Desk, count: usize) {
    for number in 0..count {
        let samples: String = (0..8).map(|place| format!("{}.5\n", 1_000 + number + place * 7 % 5)).collect();
        desk.write(
            format!("many/a long name so that the line is long too, number {number:04}.csv"),
            format!("wall_ms\n{samples}"),
        );
    }
}

#[test]
fn a_reader_who_goes_away_loses_nothing() {
    let desk = Desk::new();
    many_files(&desk, 200);
    let mut child = desk.command(&["import", "many"]).stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 200);
    for words in [&["list"][..], &["export", "@last"], &["analyze", "@last"], &["--help"]] {
        let mut child = desk.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn standard_error_may_be_closed() {
    let desk = Desk::with_results();
    desk.write("results/cut.json", "{\"results\": [{\"command\"");
    let full = File::options().write(true).open("/dev/full").unwrap();
    let done = desk.command(&["import", "results", "nosuch.json"]).stderr(full).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 2);
}

#[test]
fn killed_during_an_import_it_leaves_a_whole_archive() {
    for (name, delay) in [("SIGINT", 15), ("SIGKILL", 60), ("SIGINT", 150)] {
        let desk = Desk::with_archive();
        many_files(&desk, 400);
        let mut child = desk.command(&["import", "many"]).stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(delay));
        signal(&mut child, name);
        child.wait().unwrap();
        let check = desk.run(&["archive", "check"]);
        assert_eq!(check.code, 0, "{name} after {delay} ms: {}{}", check.out, check.err);
        let kept = desk.run(&["list", "--json"]).out;
        assert!(kept.lines().count() >= 2 && !kept.contains("\"samples\":0"), "{name} after {delay} ms");
        assert_eq!(desk.run(&["import", "many"]).code, 0);
        assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 402, "{name} after {delay} ms");
    }
}

fn signal(child: &mut Child, name: &str) {
    let done =
        std::process::Command::new("kill").arg("-s").arg(&name[3..]).arg(child.id().to_string()).output();
    // It may have come to its end by itself.
    assert!(done.is_ok());
}

#[test]
fn killed_while_it_stores_one_large_trial() {
    let desk = Desk::with_archive();
    let numbers: String = (0..400_000_u32)
        .map(|number| format!("{}\n", 1_000 + number.wrapping_mul(2_654_435_761) % 977))
        .collect();
    desk.write("large.csv", format!("wall_ns\n{numbers}"));
    for delay in [5, 30, 60, 100] {
        let mut child = desk.command(&["import", "large.csv"]).stdout(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(delay));
        signal(&mut child, "SIGKILL");
        child.wait().unwrap();
        assert_eq!(desk.run(&["archive", "check"]).code, 0, "after {delay} ms");
        let kept = desk.run(&["list", "--json"]).out;
        assert!(kept.lines().count() == 2 || kept.contains("\"samples\":400000"), "after {delay} ms: {kept}");
    }
}

#[test]
fn two_imports_at_once() {
    let desk = Desk::new();
    many_files(&desk, 60);
    let start = || desk.command(&["import", "many"]).stdout(Stdio::null()).spawn().unwrap();
    let began = Instant::now();
    for mut child in [start(), start(), start()] {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    assert_eq!(desk.run(&["list", "--json"]).out.lines().count(), 60);
    assert_eq!(desk.run(&["archive", "check"]).code, 0);
}

/// One byte of the newest trial's samples is another.
fn damaged() -> Desk {
    let desk = Desk::with_archive();
    let connection = Connection::open(desk.database()).unwrap();
    let changed = connection
        .execute(
            "UPDATE chunk SET bytes = CAST(substr(bytes, 1, 40) || x'5a' || substr(bytes, 42) AS BLOB)
             WHERE trial = (SELECT max(seq) FROM trial)",
            [],
        )
        .unwrap();
    assert_eq!(changed, 1);
    desk
}

#[test]
fn a_damaged_trial_is_named_and_the_rest_is_saved() {
    let mut desk = damaged();
    let newest =
        desk.run(&["list", "--json", "-n", "1"]).out.split("\"id\":\"").nth(1).unwrap()[..8].to_owned();
    let check = desk.type_in("evenhand archive check");
    assert_eq!(check.code, 2);
    assert!(check.out.contains(&newest), "{}", check.out);
    assert_eq!(desk.type_in("evenhand analyze @last").code, 2);
    assert_eq!(desk.type_in("evenhand analyze @last~1").code, 0);
    assert_eq!(desk.type_in("evenhand archive salvage rescued").code, 2);
    assert_eq!(desk.type_in("evenhand archive check --archive rescued").code, 0);
    assert_eq!(desk.type_in("evenhand archive salvage rescued").code, 2);
    desk.expect("damaged");
    let whole = |done: Done| done.out;
    let before = whole(desk.run(&["export", "@last~1"]));
    let rescued = desk.run(&["list", "--json", "--archive", "rescued"]).out;
    let id = rescued.lines().find(|line| line.contains("sleep")).unwrap().split("\"id\":\"").nth(1).unwrap()
        [..16]
        .to_owned();
    assert_eq!(whole(desk.run(&["export", &id, "--archive", "rescued"])), before);
}

#[test]
fn a_file_that_is_no_archive_is_left_as_it_is() {
    let desk = Desk::with_archive();
    let database = desk.database();
    fs::write(&database, "a letter, and no archive".repeat(100)).unwrap();
    for words in [&["list"][..], &["import", "new.json"], &["archive", "check"], &["rm", "@last"]] {
        assert_eq!(desk.run(words).code, 2, "{words:?}");
    }
    assert_eq!(fs::read_to_string(database).unwrap(), "a letter, and no archive".repeat(100));
}

#[test]
fn an_archive_of_a_newer_version_is_left_as_it_is() {
    let mut desk = Desk::with_archive();
    Connection::open(desk.database()).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(desk.database()).unwrap();
    for line in ["list", "import new.json", "analyze @last", "archive check", "rm @last"] {
        assert_eq!(desk.type_in(&format!("evenhand {line}")).code, 2, "{line}");
    }
    assert_eq!(fs::read(desk.database()).unwrap(), before);
    desk.expect("newer");
}

#[test]
fn an_archive_that_cannot_be_written() {
    let desk = Desk::new();
    desk.fixture("hyperfine/v1_two.json", "old.json");
    // A file stands where the folder would have to be made: true for every user, also the one who may do all.
    let done = desk.run(&["import", "old.json", "--archive", "old.json/below"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("old.json"), "{}", done.err);
    let done = desk.run(&["export", "old.json", "-o", "/proc/none.csv"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("/proc/none.csv"), "{}", done.err);
}

#[test]
fn an_empty_archive() {
    let mut desk = Desk::with_archive();
    desk.type_in("evenhand rm @last @last~1");
    for line in ["list", "list --json", "archive check", "archive compact"] {
        assert_eq!(desk.run(&crate::desk::words(line)).code, 0, "{line}");
    }
    for line in ["list", "analyze @last", "show @last", "rm @last", "export @last", "archive check"] {
        desk.type_in(&format!("evenhand {line}"));
    }
    desk.expect("empty_archive");
}
