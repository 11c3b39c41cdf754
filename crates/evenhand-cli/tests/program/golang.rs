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

/// Runs the program. What go compiles is kept for all tests: at a new home it would compile its library again.
fn run(desk: &Desk, words: &[&str]) -> Done {
    Done::of(with_cache(&mut desk.command(words)).output().unwrap())
}

fn with_cache(program: &mut Command) -> &mut Command {
    program.env("GOCACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/go"))
}

/// The verdict and the effect in percent of each benchmark.
fn verdicts(done: &Done) -> BTreeMap<String, (String, f64)> {
    let found: Value =
        serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", done.out, done.err));
    let comparisons = found["comparisons"].as_array().unwrap();
    let one = |comparison: &Value| {
        let text = |field: &str| comparison[field].as_str().unwrap().to_owned();
        let candidate = text("candidate");
        let name = candidate.split_once(" (").map_or(candidate.as_str(), |(name, _)| name).to_owned();
        (name, (text("verdict"), 100.0 * comparison["effect"]["estimate"].as_f64().unwrap_or(f64::NAN)))
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
    let done = run(&desk, &["compare", "--git", "HEAD", "--json", "--max-time", "12"]);
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
        let done = run(&desk, &[&words[..], more].concat());
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
    let done = run(&desk, &["compare", "--git", "HEAD"]);
    assert_eq!(done.code, 2, "{}", done.err);
    assert!(
        done.err.contains("undefined: m") && done.err.contains("work tree cannot be compared"),
        "{}",
        done.err
    );
    let done = run(&desk, &["compare", "--git", "HEAD", "--layouts", "4"]);
    assert!(done.err.contains("--layouts is for Rust, and this is a module of Go"), "{}", done.err);
}

/// The benchmarks of another test file, each after its name.
fn tests_with(benchmarks: &str) -> String {
    format!("package sums\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Args\n\n{benchmarks}\n")
}

const STEADY: &str = "func BenchmarkSteady(b *testing.B) {\n\tfor b.Loop() {\n\t\tSum(1000)\n\t}\n}\n";

/// A module without a repository, in which `Sum` works so much longer with the tag `slow`.
fn module_with_a_tag(desk: &Desk) {
    desk.write("go.mod", MODULE);
    desk.write("sum.go", SUM.replace("range n", "range n*factor/100"));
    desk.write("fast.go", "//go:build !slow\n\npackage sums\n\nconst factor = 100\n");
    desk.write("slow.go", "//go:build slow\n\npackage sums\n\nconst factor = 130\n");
    desk.write("sum_test.go", tests_with(STEADY));
}

#[test]
fn the_same_code_is_compared_under_other_variables_and_without_a_repository() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let compared = |more: &[&str]| {
        let words = ["compare", "--go", "./...", "--json", "--no-save", "--max-time", "8"];
        run(&desk, &[&words[..], more].concat())
    };
    let done = compared(&["--new-env", "GOFLAGS=-tags=slow"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("Steady (GOFLAGS=-tags=slow)"), "{}", done.out);
    assert_eq!(verdicts(&done)["Steady"].0, "slower");
    let done = compared(&["--old-env", "GOFLAGS=-tags=slow", "--new-env", "GOFLAGS=-tags=slow"]);
    assert_eq!((done.code, verdicts(&done)["Steady"].0.as_str()), (0, "same"), "{}", done.err);
    let done = compared(&["--new-env", "slow"]);
    assert!(done.err.contains("--new-env must be NAME=VALUE, not \"slow\""), "{}", done.err);
}

#[test]
fn a_revision_is_compared_with_itself_only_if_variables_differ() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    git(&desk, &["init", "--quiet"]);
    commit(&desk);
    let words = ["compare", "--git", "HEAD", "--json", "--no-save", "--max-time", "8"];
    let done = run(&desk, &words);
    assert!(done.err.contains("HEAD and work tree are identical"), "{}", done.err);
    let done = run(&desk, &[&words[..], &["--new-env", "GOFLAGS=-tags=slow"]].concat());
    assert_eq!((done.code, verdicts(&done)["Steady"].0.as_str()), (0, "slower"), "{}", done.err);
    assert!(done.out.contains("Steady (work tree, GOFLAGS=-tags=slow)"), "{}", done.out);
}

#[test]
fn a_benchmark_that_panics_or_exits_is_named_and_the_others_are_measured() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let bad = "func BenchmarkPanics(b *testing.B) {\n\tvar none []int\n\tnone[b.N]++\n}\n\n\
        func BenchmarkExits(b *testing.B) { os.Exit(0) }\n\n\
        func BenchmarkLater(b *testing.B) {\n\tif b.N > 1 {\n\t\tpanic(\"later\")\n\t}\n}\n\n\
        func BenchmarkLeaves(b *testing.B) {\n\tgo func() { select {} }()\n\tfor b.Loop() {\n\t\tSum(500)\n\t}\n}\n\n";
    desk.write("sum_test.go", tests_with(&format!("{bad}{STEADY}")));
    let done = run(&desk, &["compare", "--go", ".", "--json", "--no-save", "--max-time", "6"]);
    assert_eq!(done.code, 3, "{}", done.err);
    let said = |words: &str| assert!(done.err.contains(words), "{words}: {}", done.err);
    said(
        "Panics (old): it failed: panic: runtime error: index out of range [1] with length 0 (sum_test.go:12)",
    );
    said("Exits (old): it failed: panic: unexpected call to os.Exit(0)");
    said("Later (old): it failed: panic: later (sum_test.go:19)");
    assert_eq!(verdicts(&done).into_keys().collect::<Vec<_>>(), ["Leaves", "Steady"]);
}

#[test]
fn a_package_that_cannot_start_does_not_stop_the_others() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let main = "func TestMain(m *testing.M) {\n\tprintln(\"set DATABASE first\")\n\tos.Exit(4)\n}\n\n";
    desk.write("needs/needs_test.go", tests_with(&format!("{main}func BenchmarkNever(b *testing.B) {{}}\n")));
    let init = "func init() { time.Sleep(time.Second / 4) }\n\nfunc BenchmarkSoon(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n";
    desk.write("sleeps/sleeps_test.go", tests_with(init).replace("\"os\"\n", "\"os\"\n\t\"time\"\n"));
    let words = ["compare", "--go", "./...", "--json", "--no-save", "--max-time", "6"];
    let done = run(&desk, &words);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.err.contains("needs (old)") && done.err.contains("set DATABASE first"), "{}", done.err);
    assert_eq!(verdicts(&done).into_keys().collect::<Vec<_>>(), ["sleeps.Soon", "sums.Steady"]);
    let alone = run(&desk, &["compare", "--go", "./needs"]);
    assert_eq!(alone.code, 2, "{}", alone.err);
    assert!(alone.err.contains("set DATABASE first"), "{}", alone.err);
}

#[test]
fn words_behind_args_are_for_the_benchmarks() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let needs = "var size = flag.Int(\"size\", 0, \"how much\")\n\n\
        func BenchmarkSized(b *testing.B) {\n\tif *size != 3 {\n\t\tb.Fatal(\"which -size?\")\n\t}\n\tfor b.Loop() {\n\t}\n}\n";
    desk.write("sum_test.go", tests_with(needs).replace("\"os\"\n", "\"flag\"\n\t\"os\"\n"));
    let words = ["compare", "--go", ".", "--json", "--no-save", "--max-time", "3"];
    let without = run(&desk, &words);
    assert!(without.code == 3 && without.err.contains("which -size?"), "{}", without.err);
    let done = run(&desk, &[&words[..], &["--", "-race=false", "-args", "-size=3"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(verdicts(&done).into_keys().collect::<Vec<_>>(), ["Sized"]);
}

#[test]
fn a_module_in_a_folder_of_a_repository_is_built_with_what_it_vendors() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    let module = format!("{MODULE}\nrequire example.com/other v1.0.0\n");
    desk.write("tools/go.mod", &module);
    desk.write("tools/vendor/modules.txt", "# example.com/other v1.0.0\n## explicit\nexample.com/other\n");
    desk.write("tools/vendor/example.com/other/other.go", "package other\n\nconst Work = 1000\n");
    desk.write("tools/sum.go", SUM);
    let tests = |more: &str| {
        let text = tests_with(&format!("{}{more}", STEADY.replace("1000", "other.Work")));
        text.replace("\"testing\"\n", "\"testing\"\n\n\t\"example.com/other\"\n")
    };
    desk.write("tools/sum_test.go", tests("\nfunc BenchmarkElder(b *testing.B) {}\n"));
    git(&desk, &["init", "--quiet"]);
    commit(&desk);
    desk.write("tools/sum_test.go", tests("\nfunc BenchmarkNewcomer(b *testing.B) {}\n"));
    let mut program = desk.command(&["compare", "--git", "HEAD", "--json", "--no-save", "--max-time", "3"]);
    let done = Done::of(with_cache(&mut program).current_dir(desk.path("tools")).output().unwrap());
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(verdicts(&done).into_keys().collect::<Vec<_>>(), ["Steady"]);
    for name in ["Elder", "Newcomer"] {
        assert!(done.out.contains(name), "what one side lacks is named: {name}: {}", done.out);
    }
}

#[test]
fn without_go_it_is_said_what_to_install() {
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let done = Done::of(desk.command(&["compare", "--go", "."]).env("PATH", desk.path("")).output().unwrap());
    assert_eq!(done.code, 2);
    assert!(
        done.err.contains("go, which builds the benchmarks of this module, could not be started")
            && done.err.contains("install Go, or put its folder into PATH"),
        "{}",
        done.err
    );
}

/// A `go` that calls itself another release, whose package testing looks otherwise, and does all else as the real one.
fn unknown_release(desk: &Desk) -> std::ffi::OsString {
    for file in ["testing.go", "benchmark.go"] {
        desk.write(format!("root/src/testing/{file}"), "package testing\n");
    }
    let real = Command::new("go").args(["env", "GOROOT"]).output().unwrap();
    let real = String::from_utf8(real.stdout).unwrap();
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = env ]; then echo go9.9; echo {}; else exec {}/bin/go \"$@\"; fi\n",
        desk.path("root").display(),
        real.trim()
    );
    desk.write("bin/go", script);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(desk.path("bin/go"), executable).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([desk.path("bin")].into_iter().chain(std::env::split_paths(&path))).unwrap()
}

#[test]
fn an_unknown_release_of_go_is_measured_by_whole_launches() {
    if !has_go() {
        return;
    }
    let desk = Desk::new();
    module_with_a_tag(&desk);
    let inside = "func BenchmarkInside(b *testing.B) {\n\tb.Run(\"size=1.5 (k)\", func(b *testing.B) {\n\t\tb.ReportAllocs()\n\t\tfor b.Loop() {\n\t\t\tSum(1500)\n\t\t}\n\t})\n}\n\n\
        func BenchmarkFails(b *testing.B) { b.Fatal(\"not today\") }\n\n";
    desk.write("sum_test.go", tests_with(&format!("{inside}{STEADY}")));
    let words = [
        "compare",
        "--go",
        ".",
        "--json",
        "--no-save",
        "--launches",
        "12",
        "--rounds-per-launch",
        "2",
        "--new-env",
        "GOFLAGS=-tags=slow",
    ];
    let path = unknown_release(&desk);
    let done = Done::of(with_cache(&mut desk.command(&words)).env("PATH", path).output().unwrap());
    assert!(done.err.contains("the package testing of go9.9 is not known here"), "{}", done.err);
    assert!(done.code == 3 && done.err.contains("not today"), "{}", done.err);
    let found = verdicts(&done);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["Inside/size=1.5_(k)", "Steady"]);
    assert!(found["Steady"].1 > 10.0, "it does 30 % more: {found:?}");
}
