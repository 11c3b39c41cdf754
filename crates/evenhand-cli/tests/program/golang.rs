//! `evenhand compare` in a module of Go: benchmarks as they are, built with a worker in the package `testing`. Without Go these tests
//! say so and do nothing.

use crate::desk::{Desk, Done};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::Command;

const MODULE: &str = "module example.com/sums\n\ngo 1.24\n";

const SUM: &str = "package sums\n\nfunc Sum(n int) (sum uint64) {\n\tfor i := range n {\n\t\tsum = sum*6364136223846793005 + uint64(i)\n\t}\n\treturn\n}\n";

const TESTS: &str = r#"package sums

import (
	"os"
	"testing"
)

var sink uint64

func TestNothing(t *testing.T) { t.Fatal("tests are not run") }

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func BenchmarkCounts(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += Sum(WORK)
	}
}

func BenchmarkLoops(b *testing.B) {
	made := 0
	made++
	for b.Loop() {
		Sum(WORK)
	}
	if made != 1 {
		b.Fatal("set up twice")
	}
}

func BenchmarkInside(b *testing.B) {
	for _, name := range []string{"short", "long way"} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(1000)
			for i := 0; i < b.N; i++ {
				sink += Sum(1000)
			}
			b.ReportMetric(-1.5, "widgets/op")
		})
	}
}

func BenchmarkPauses(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer()
		sink += Sum(50_000)
		b.StartTimer()
		sink += Sum(1000)
	}
}

func BenchmarkFails(b *testing.B) { b.Fatal("not today") }

func BenchmarkSkips(b *testing.B) { b.Skip("no network") }

func BenchmarkReadsItsFile(b *testing.B) {
	for b.Loop() {
		if _, err := os.ReadFile("testdata/words"); err != nil {
			b.Fatal(err)
		}
	}
}
"#;

fn has_go() -> bool {
    let there = Command::new("go").arg("version").output().is_ok_and(|output| output.status.success());
    if !there {
        // Beside what the test harness keeps for itself.
        std::io::stderr().write_all(b"skipped: there is no go here\n").unwrap();
    }
    there
}

/// A repository with a module in it: `work` iterations at first, then `more`.
fn module(desk: &Desk, work: u32, more: u32) {
    let at = |path: &str| desk.path(path);
    fs::create_dir_all(at("testdata")).unwrap();
    fs::write(at("testdata/words"), "some words\n").unwrap();
    fs::write(at("go.mod"), MODULE).unwrap();
    fs::write(at("sum.go"), SUM).unwrap();
    fs::write(at("sum_test.go"), TESTS.replace("WORK", &work.to_string())).unwrap();
    git(desk, &["init", "--quiet"]);
    commit(desk);
    fs::write(at("sum_test.go"), TESTS.replace("WORK", &more.to_string())).unwrap();
}

fn commit(desk: &Desk) {
    git(desk, &["add", "."]);
    git(desk, &["-c", "user.name=x", "-c", "user.email=x@localhost", "commit", "--quiet", "-m", "one"]);
}

fn git(desk: &Desk, words: &[&str]) {
    let done = Command::new("git").args(words).current_dir(desk.path("")).status().unwrap();
    assert!(done.success(), "{words:?}");
}

/// The verdict and the effect in percent of each benchmark.
fn verdicts(done: &Done) -> BTreeMap<String, (String, f64)> {
    let found: Value =
        serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", done.out, done.err));
    let comparisons = found["comparisons"].as_array().unwrap();
    let one = |comparison: &Value| {
        let text = |field: &str| comparison[field].as_str().unwrap().to_owned();
        let name = text("candidate").replace(" (work tree)", "");
        (name, (text("verdict"), comparison["effect"]["percent"].as_f64().unwrap_or(f64::NAN)))
    };
    comparisons.iter().map(one).collect()
}

#[test]
fn unchanged_benchmarks_of_go_are_compared_between_revisions() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module(&desk, 1000, 1300);
    let done = desk.run(&["compare", "--git", "HEAD", "--json", "--max-time", "12"]);
    assert_eq!(done.code, 3, "one of them fails: {}", done.err);
    assert!(done.err.contains("Fails (work tree): it failed: sum_test.go:"), "{}", done.err);
    assert!(done.err.contains("not today"), "{}", done.err);
    let found = verdicts(&done);
    let names: Vec<&str> = found.keys().map(String::as_str).collect();
    assert_eq!(names, ["Counts", "Inside/long_way", "Inside/short", "Loops", "Pauses", "ReadsItsFile"]);
    assert_eq!((found["Counts"].0.as_str(), found["Loops"].0.as_str()), ("slower", "slower"), "{found:?}");
    assert!(found["Inside/short"].0 != "slower" && found["Inside/short"].0 != "faster", "{found:?}");
}

#[test]
fn a_module_of_several_packages_is_compared_whole_or_by_folder() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module(&desk, 1000, 1000);
    fs::create_dir_all(desk.path("sub/deep")).unwrap();
    fs::write(desk.path("sub/deep/twice.go"), "package deep\n").unwrap();
    let doubles = |factor: u32| {
        let sum = format!("for i := 0; i < b.N; i++ {{\n\t\tsink += {factor} * i\n\t}}");
        format!(
            "package deep\n\nimport \"testing\"\n\nvar sink int\n\nfunc BenchmarkDoubles(b *testing.B) {{\n\t{sum}\n}}\n"
        )
    };
    fs::write(desk.path("sub/deep/twice_test.go"), doubles(2)).unwrap();
    commit(&desk);
    fs::write(desk.path("sub/deep/twice_test.go"), doubles(3)).unwrap();
    fs::write(desk.path("sum_test.go"), TESTS.replace("WORK", "1300")).unwrap();
    let names = |more: &[&str]| {
        let words = ["compare", "--git", "HEAD", "--json", "--no-save", "--max-time", "2"];
        let done = desk.run(&[&words[..], more].concat());
        let names: Vec<String> = verdicts(&done).into_keys().collect();
        (done.code, names)
    };
    assert_eq!(names(&["--", "./sub/..."]), (0, vec!["Doubles".to_owned()]));
    assert_eq!(
        names(&["Doubles", "Counts"]),
        (0, vec!["sub.deep.Doubles".to_owned(), "sums.Counts".to_owned()])
    );
}

#[test]
fn what_stops_go_is_said_in_its_own_words() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module(&desk, 1000, 1000);
    fs::write(desk.path("sum.go"), SUM.replace("range n", "range m")).unwrap();
    let done = desk.run(&["compare", "--git", "HEAD"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(
        done.err.contains("undefined: m") && done.err.contains("work tree cannot be compared"),
        "{}",
        done.err
    );
    let done = desk.run(&["compare", "--git", "HEAD", "--layouts", "4"]);
    assert!(done.err.contains("--layouts is for Rust, and this is a module of Go"), "{}", done.err);
}
