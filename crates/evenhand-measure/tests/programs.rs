//! Other programs: asked politely, ended in time, believed only if they answer well.

use evenhand_measure::program::{ProgramOutput, answer};
use evenhand_measure::source::{git, state};
use evenhand_measure::tools::{version, versions};
use evenhand_trial::environment::Git;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);

fn sh(script: &str, patience: Duration) -> Option<ProgramOutput> {
    answer(Command::new("sh").args(["-c", script]), patience)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn an_answer_is_what_was_said() {
    let said = sh("echo one; echo two >&2; printf '\\377'; exit 3", PATIENCE).unwrap();
    assert_eq!(said, ProgramOutput { output: "one\n\u{fffd}".into(), error: "two\n".into(), success: false });
    assert_eq!(sh("cat; echo $LC_ALL", PATIENCE).unwrap().output, "C\n", "no input, no translation");
    assert_eq!(answer(&mut Command::new("/no/such/program"), PATIENCE), None);
}

#[test]
fn a_long_answer_is_cut_and_its_program_comes_to_its_end() {
    let said = sh("head -c 1000000 /dev/zero | tr '\\0' x; echo end >&2", PATIENCE).unwrap();
    assert_eq!((said.output.len(), said.error.as_str(), said.success), (65536, "end\n", true));
}

#[test]
fn a_program_without_end_is_ended_with_all_that_it_started() {
    let mark = folder("endless").join("late");
    let script = format!("(sleep 1; echo x > '{}') & sleep 60", mark.display());
    let start = Instant::now();
    assert_eq!(sh(&script, Duration::from_millis(100)), None);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(sh("yes", Duration::from_millis(50)), None);
    // One that only its child keeps from being done.
    assert_eq!(sh("sleep 60 &", Duration::from_millis(100)), None);
    std::thread::sleep(Duration::from_millis(1300));
    assert!(!mark.exists(), "the child went on");
}

fn tool(folder: &Path, name: &str, script: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn tools_are_asked_each_in_its_own_way() {
    let at = folder("tools");
    let echo = |name: &str| tool(&at, name, "echo \"$1 1.0\"");
    assert_eq!(version(&echo("gcc"), PATIENCE).as_deref(), Some("--version 1.0"));
    assert_eq!(version(&echo("go"), PATIENCE).as_deref(), Some("version 1.0"));
    assert_eq!(
        version(&tool(&at, "java", "echo; echo \"$1 21\" >&2"), PATIENCE).as_deref(),
        Some("-version 21")
    );
    assert_eq!(version(&tool(&at, "angry", "echo 1.0; exit 1"), PATIENCE), None);
    assert_eq!(version(&tool(&at, "silent", "exit 0"), PATIENCE), None);
    let loud = version(&tool(&at, "loud", "printf '\\033[31m%0500d' 1"), PATIENCE).unwrap();
    assert!(loud.len() == 200 && loud.starts_with("[31m0"), "{loud}");
    let slow = tool(&at, "slow", "sleep 60");
    let cargo = env!("CARGO");
    let start = Instant::now();
    let found = versions(&[&slow, cargo, "/no/such/tool"], Duration::from_secs(3));
    assert!(start.elapsed() < Duration::from_secs(15));
    assert_eq!(found.len(), 1);
    assert!(found[cargo].starts_with("cargo 1."), "{found:?}");
}

fn run_git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=x", "-c", "user.email=x@example.org"])
        .args(arguments);
    let output = command.env("GIT_CONFIG_GLOBAL", "/dev/null").env_remove("GIT_DIR").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_state_of_a_repository() {
    let at = folder("repository");
    let asked = || git(&at, PATIENCE);
    run_git(&at, &["init", "-q", "-b", "trunk/x"]);
    assert_eq!(asked(), None, "no commit yet");
    fs::create_dir(at.join("inside")).unwrap();
    fs::write(at.join("inside/file"), "1").unwrap();
    run_git(&at, &["add", "."]);
    run_git(&at, &["commit", "-q", "-m", "one"]);
    let commit = run_git(&at, &["rev-parse", "HEAD"]);
    let clean = Git { commit: commit.clone(), dirty: false, branch: Some("trunk/x".into()) };
    assert_eq!(asked(), Some(clean.clone()));
    assert_eq!(git(&at.join("inside"), PATIENCE), Some(clean.clone()));
    fs::write(at.join("results.json"), "{}").unwrap();
    assert_eq!(asked(), Some(clean.clone()), "a file that git does not know changes nothing");
    fs::write(at.join("inside/file"), "2").unwrap();
    assert_eq!(asked(), Some(Git { dirty: true, ..clean.clone() }));
    run_git(&at, &["checkout", "-q", "--", "."]);
    run_git(&at, &["checkout", "-q", "--detach"]);
    assert_eq!(asked(), Some(Git { branch: None, ..clean }));
}

#[test]
fn a_repository_cannot_make_the_probe_run_its_programs() {
    let at = folder("hostile");
    run_git(&at, &["init", "-q"]);
    fs::write(at.join("file"), "1").unwrap();
    run_git(&at, &["add", "."]);
    run_git(&at, &["commit", "-q", "-m", "one"]);
    let mark = at.join("it-ran");
    let monitor = tool(&at, "monitor", &format!("echo x > '{}'", mark.display()));
    run_git(&at, &["config", "core.fsmonitor", &monitor]);
    assert!(!git(&at, PATIENCE).unwrap().dirty);
    assert!(!mark.exists());
}

#[test]
fn what_is_no_repository_has_no_state() {
    assert_eq!(git(Path::new("/"), PATIENCE), None);
    assert_eq!(git(Path::new("/no/such/folder"), PATIENCE), None);
    for text in ["", "# branch.oid (initial)\n# branch.head main\n", "# branch.head main\n", "fatal: x"] {
        assert_eq!(state(text), None, "{text}");
    }
}
