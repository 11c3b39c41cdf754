//! Does a benchmark program answer people, cargo and IDEs as they are used to?

use std::ffi::OsStr;
#[cfg(unix)]
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Cargo builds examples before it runs tests, beside them.
fn program(example: &str) -> PathBuf {
    let here = std::env::current_exe().unwrap();
    here.parent().unwrap().parent().unwrap().join("examples").join(example)
}

fn victims(arguments: &[impl AsRef<OsStr>]) -> Output {
    // The program that measures is not found.
    Command::new(program("victims")).args(arguments).env("PATH", "/nonexistent").output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn a_list_as_libtest_writes_it() {
    let output = victims(&["--list", "--format", "terse", "--bench"]);
    assert!(output.status.success());
    assert!(said(&output).lines().any(|line| line == "victims::sum_of_100: benchmark"), "{}", said(&output));
    assert_eq!(
        said(&victims(&["--list", "sum_of"])),
        "victims::sum_of_100: benchmark\nvictims::sum_of_200: benchmark\n"
    );
    assert_eq!(said(&victims(&["--list", "--exact", "victims::nothing"])), "victims::nothing: benchmark\n");
    assert_eq!(said(&victims(&["--list", "--exact", "nothing"])), "");
}

#[test]
fn options_are_heeded_or_refused_and_never_taken_for_names() {
    let skipping = victims(&["--list", "sum_of", "--skip", "sum_of_1", "--format=terse", "-q"]);
    assert_eq!(said(&skipping), "victims::sum_of_200: benchmark\n");
    let output = victims(&["--bench", "--max-time", "5"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("--max-time cannot be given here: call `evenhand bench "), "{told}");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_is_named() {
    let refused = |arguments: &[&OsStr]| {
        let output = victims(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(said(&output), "");
        String::from_utf8(output.stderr).unwrap()
    };
    let bad = OsStr::from_bytes(b"sum\xff");
    let told = "error: the argument \"sum\\xFF\" is not valid UTF-8\n";
    assert_eq!(refused(&[bad]), told);
    assert_eq!(refused(&["--list".as_ref(), "--skip".as_ref(), bad]), told);
    let elsewhere = victims(&["--list".as_ref(), "--logfile".as_ref(), bad, "sum_of_1".as_ref()]);
    assert_eq!(said(&elsewhere), "victims::sum_of_100: benchmark\n", "its value is of no interest");
}

#[cfg(unix)]
#[test]
fn descriptors_that_are_not_utf_8_are_no_descriptors() {
    let mut worker = Command::new(program("victims"));
    let output = worker.env("EVENHAND_WORKER", OsStr::from_bytes(b"3,4\xff")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.contains("EVENHAND_WORKER is \"3,4\\xFF\", which does not name two file descriptors"),
        "{told}"
    );
}

#[test]
fn as_a_test_each_runs_once() {
    let good = victims(&["sum_of"]);
    assert!(good.status.success());
    assert!(said(&good).contains("test victims::sum_of_100 ... ok\n"), "{}", said(&good));
    let bad = victims(&["panics"]);
    assert_eq!(bad.status.code(), Some(101));
    assert!(said(&bad).contains("test victims::panics ... FAILED: panicked: not today\n"), "{}", said(&bad));
    assert!(said(&bad).contains("test result: FAILED. 0 passed; 1 failed"), "{}", said(&bad));
}

#[test]
fn measuring_needs_the_program_that_measures() {
    let output = victims(&["--bench"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("cargo install evenhand-cli"), "{told}");
}

/// The stack of each thread is half of the room that there is.
#[cfg(target_os = "linux")]
#[test]
fn threads_that_the_system_does_not_give_are_told() {
    let line =
        "ulimit -v 1600000; RUST_MIN_STACK=1073741824 exec timeout 10 \"$0\" --exact victims::on_threads";
    let output = Command::new("sh").arg("-c").arg(line).arg(program("victims")).output().unwrap();
    let told = "test victims::on_threads ... FAILED: panicked: the system started 1 of 2 threads\n";
    assert!(said(&output).contains(told), "{output:?}");
    assert_eq!(output.status.code(), Some(101));
}
