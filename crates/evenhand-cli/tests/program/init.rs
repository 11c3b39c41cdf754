//! `evenhand init`: what it says of a project, and what it writes when it may. What it writes for Go is built and measured.

use crate::desk::{Desk, Done};
use std::fs;
use std::process::Command;

#[test]
fn a_module_with_benchmarks_needs_nothing() {
    let desk = Desk::new();
    desk.write("go.mod", "module example.com/sums\n\ngo 1.24\n");
    desk.write(
        "deep/sum_test.go",
        "package deep\n\nfunc BenchmarkOne(b *testing.B) {}\nfunc BenchmarkTwo(b *testing.B) {}\n",
    );
    desk.write("vendor/other/other_test.go", "package other\n\nfunc BenchmarkTheirs(b *testing.B) {}\n");
    let done = desk.run(&["init"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert!(done.out.starts_with("go.mod: a module of Go with 2 benchmark functions\n"), "{}", done.out);
    assert!(done.out.contains("evenhand compare --go ./...\n"), "{}", done.out);
    assert!(
        done.out.ends_with("commit, change the code, then compare: evenhand compare --git HEAD\n"),
        "{}",
        done.out
    );
}

#[test]
fn nothing_is_written_unless_the_user_says_so() {
    let desk = Desk::new();
    desk.write("go.mod", "module example.com/two-sums\n");
    desk.write("pyproject.toml", "[project]\n");
    desk.write("Cargo.toml", "[package]\nname = \"sums\"\n");
    let done = desk.run(&["init"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out.matches("nothing is written; to write it, run: evenhand init --yes").count(), 3);
    let names = ["evenhand_test.go", "bench.py", "benches"];
    assert!(names.iter().all(|name| !desk.path(name).exists()), "{}", done.out);
    assert_eq!(fs::read_to_string(desk.path("Cargo.toml")).unwrap(), "[package]\nname = \"sums\"\n");

    let done = desk.run(&["init", "--yes"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let read = |name| fs::read_to_string(desk.path(name)).unwrap();
    assert!(read("evenhand_test.go").starts_with("package twosums\n"));
    assert!(read("bench.py").starts_with("import evenhand\n"));
    assert!(read("benches/evenhand.rs").ends_with("evenhand::main!();\n"));
    assert!(read("Cargo.toml").ends_with("\n[[bench]]\nname = \"evenhand\"\nharness = false\n"));
    assert!(done.out.contains("first: cargo add --dev evenhand"), "{}", done.out);

    let again = desk.run(&["init", "--yes"]);
    assert!(!again.out.contains("create") && !again.out.contains("append"), "{}", again.out);
}

#[test]
fn what_is_written_for_go_can_be_measured_at_once() {
    if Command::new("go").arg("version").output().is_err() {
        return;
    }
    let desk = Desk::new();
    desk.write("go.mod", "module example.com/sums\n\ngo 1.24\n");
    desk.write("sum.go", "package adds\n");
    assert_eq!(desk.run(&["init", "--yes"]).code, 0);
    let mut program = desk.command(&["compare", "--go", "./...", "--max-time", "1", "--no-save"]);
    let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/go");
    let done = Done::of(program.env("GOCACHE", cache).output().unwrap());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("Example"), "{}", done.out);
}

#[test]
fn a_folder_without_a_project_is_told_what_to_do() {
    let desk = Desk::new();
    let done = desk.run(&["init"]);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("no Cargo.toml, go.mod or pyproject.toml in this folder"), "{}", done.err);
    desk.write("Cargo.toml", "[workspace]\nmembers = []\n");
    assert_eq!(desk.run(&["init"]).code, 2, "a workspace alone has nothing to measure");
}
