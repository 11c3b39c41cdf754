//! `evenhand compare` with real workers: this program is its own benchmark program, in an old and a new form; and with a crate in
//! a git repository that it builds.

use crate::desk::{Desk, Done};
use evenhand::__private::{self, Case, Function, Node};
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::hint::black_box;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

/// Steps that wait for each other, so that nothing but their number decides how long it takes.
fn work(steps: u64) -> u64 {
    (0..black_box(steps))
        .fold(black_box(1), |state, _| u64::wrapping_mul(state, 6_364_136_223_846_793_005) ^ 1)
}

/// Adds a function to this program's list of benchmarks.
macro_rules! add {
    ($name:literal, $run:expr) => {
        let cases = || vec![Case::new(&[], $run)];
        let function = Function { name: $name, group: "", baseline: false, wishes: &[], cases };
        let node: &'static Node = Box::leak(Box::new(Node::new(function)));
        node.add();
    };
}

/// No test: what the workers run.
#[test]
#[ignore = "started by other tests"]
fn old_worker() {
    add!("grows", |bench| bench.run(|| work(20_000)));
    add!("stays", |bench| bench.run(|| work(20_000)));
    add!("differs", |bench| bench.with_input(|rng| rng.next_u64()).run_checked(|luck| *luck));
    add!("panics", |_| panic!("not in the old form"));
    add!("goes", |bench| bench.run(|| work(10)));
    __private::main();
}

/// No test: what the workers run.
#[test]
#[ignore = "started by other tests"]
fn new_worker() {
    add!("grows", |bench| bench.run(|| work(24_000)));
    add!("stays", |bench| bench.run(|| work(20_000)));
    add!("differs", |bench| bench.with_input(|rng| rng.next_u64()).run_checked(|luck| *luck ^ 1));
    add!("panics", |bench| bench.run(|| work(10)));
    add!("comes", |bench| bench.run(|| work(10)));
    __private::main();
}

/// The command of a worker.
pub(crate) fn worker(form: &str) -> String {
    let me = std::env::current_exe().unwrap();
    format!("{} compare::{form}_worker --exact --ignored --nocapture", me.display())
}

fn compare(desk: &Desk, words: &[&str]) -> Done {
    let (old, new) = (worker("old"), worker("new"));
    let both = ["compare", "--max-time", "8", &old, &new];
    desk.run(&[&both[..], words].concat())
}

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", done.out, done.err))
}

#[test]
fn a_slower_benchmark_is_found_across_launches_and_kept() {
    let desk = Desk::new();
    let done = compare(&desk, &["--json", "grows"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let found = json(&done);
    let comparison = &found["comparisons"][0];
    assert_eq!(comparison["verdict"], "slower", "{comparison}");
    assert!(comparison["candidate"].as_str().unwrap().starts_with("grows ("));
    assert!(comparison["launches"].as_u64().unwrap() > 5, "{comparison}");
    assert!(comparison["within_launches"]["estimate"].as_f64().unwrap() > 0.05, "{comparison}");
    let kept = desk.run(&["analyze", "@last"]);
    assert!(!kept.out.contains("started once"), "{}", kept.out);
    assert!(kept.out.contains("slower than grows ("), "{}", kept.out);
    assert!(kept.out.contains("launches"), "{}", kept.out);
}

#[test]
fn a_condition_ends_with_its_status_and_one_launch_is_enough_for_it() {
    let desk = Desk::new();
    let done = compare(&desk, &["--launches", "1", "--fail-if", "slower > 5%", "--quiet", "grows"]);
    assert_eq!(done.code, 1, "{}{}", done.out, done.err);
    let kept = desk.run(&["analyze", "@last"]);
    assert!(kept.out.contains("each side was started once"), "{}", kept.out);
    let done = compare(
        &desk,
        &["--launches", "3", "--rounds-per-launch", "9", "--export-csv", "rounds.csv", "--exact", "stays"],
    );
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = fs::read_to_string(desk.path("rounds.csv")).unwrap();
    assert_eq!(rows.lines().count() - 1, 2 * 3 * 9, "a row for each sample of two arms");
    let kept: Value = serde_json::from_str(&desk.run(&["export", "@last"]).out).unwrap();
    assert_eq!((&kept["plan"]["launches"], &kept["plan"]["rounds-per-launch"]), (&3.into(), &9.into()));
    let began: Vec<u64> =
        kept["launches"].as_array().unwrap().iter().map(|launch| launch["began"].as_u64().unwrap()).collect();
    assert!(began.len() == 3 && began.is_sorted(), "{began:?}");
}

#[test]
fn the_old_side_runs_once_more_as_a_control() {
    let desk = Desk::new();
    let words = ["--control", "--launches", "2", "--rounds-per-launch", "8", "--json"];
    let done = compare(&desk, &[&words[..], &["--exact", "grows", "stays"]].concat());
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let found = json(&done);
    let comparisons = found["comparisons"].as_array().unwrap();
    let controls: Vec<bool> = comparisons.iter().map(|comparison| comparison["control"] == true).collect();
    assert_eq!(controls, [false, true, false, true]);
    let (of_new, control) = (&comparisons[0], &comparisons[1]);
    assert_eq!(
        control["candidate"].as_str().unwrap(),
        format!("{} (control)", of_new["baseline"].as_str().unwrap())
    );
    assert_eq!((&control["baseline"], &control["launches"]), (&of_new["baseline"], &2.into()));
    let both = compare(&desk, &["--control", "--lockstep"]);
    assert!(both.code == 2 && both.err.contains("--lockstep"), "{}", both.err);
}

#[test]
fn what_cannot_be_compared_is_said_and_the_rest_is_measured() {
    let desk = Desk::new();
    let done = compare(&desk, &["--verbose", "--launches", "2", "--rounds-per-launch", "8"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(done.err.contains("panicked: not in the old form"), "{}", done.err);
    assert!(done.err.contains("gave another result than the baseline: for the same input"), "{}", done.err);
    assert!(done.err.contains("--allow-other-results"), "{}", done.err);
    assert!(done.out.contains("grows (") && done.out.contains("stays ("), "{}", done.out);
    assert!(
        done.out.contains("so not compared: comes") && done.out.contains("so not compared: goes"),
        "{}",
        done.out
    );
    let lenient =
        compare(&desk, &["--launches", "2", "--rounds-per-launch", "8", "--allow-other-results", "differs"]);
    assert_eq!(lenient.code, 0, "{}", lenient.err);
}

#[test]
fn two_commands_after_dashes_are_two_workers() {
    let desk = Desk::new();
    let me = std::env::current_exe().unwrap();
    let side = |form: &str| {
        vec![
            me.to_str().unwrap().to_owned(),
            format!("compare::{form}_worker"),
            "--exact".to_owned(),
            "--ignored".to_owned(),
            "--nocapture".to_owned(),
        ]
    };
    let start = ["compare", "stays", "--launches", "2", "--rounds-per-launch", "8", "--"].map(str::to_owned);
    let words = [start.to_vec(), side("old"), vec!["--".to_owned()], side("new")].concat();
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("stays ("), "{}", done.out);
}

#[test]
fn what_is_wrong_is_said_with_the_next_step() {
    let desk = Desk::new();
    let said = |words: &[&str]| {
        let done = desk.run(&[&["compare"][..], words].concat());
        assert_eq!(done.code, 2, "{words:?}: {}", done.out);
        done.err
    };
    assert!(said(&[]).contains("--git main"));
    assert!(said(&["./old", "./new"]).contains("no program ./old: build it first"));
    assert!(said(&["--git", "main"]).contains("not a git repository"));
    assert!(said(&["true", "true"]).contains("ended (exit status: 0) instead of giving hello"));
    assert!(said(&["--", "a", "b"]).contains("with another -- between them"));
    let (old, new) = (worker("old"), worker("new"));
    assert!(
        said(&[&old, &new, "nothing like it"]).contains("no benchmark name contains \"nothing like it\"")
    );
    assert!(said(&[&old, &new, "--exact", "stay"]).contains("no benchmark is named \"stay\""));
    assert!(said(&[&old, &new, "--skip", ""]).contains("every benchmark is skipped"));
    let none_left = said(&[&old, &new, "stays", "--skip", "stay"]);
    assert!(none_left.contains("contains \"stays\" and is not skipped"), "{none_left}");
}

#[test]
fn an_argument_that_is_not_utf_8_is_named() {
    let desk = Desk::new();
    let bad = OsStr::from_bytes(b"so\xffrt");
    for before in [&["compare", "--skip"][..], &["compare", "a", "b", "--git"], &["bench", "program"]] {
        let words: Vec<&OsStr> = before.iter().map(OsStr::new).chain([bad]).collect();
        let done = desk.run(&words);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{words:?}");
        assert_eq!(done.err, "error: this argument is not valid UTF-8: \"so\\xFFrt\"\n");
    }
    let filter = desk.run(&[OsStr::new("compare"), "true".as_ref(), "true".as_ref(), bad]);
    assert!(filter.err.contains("\"so\u{fffd}rt\" is not part of a benchmark name"), "{}", filter.err);
}

/// A crate with a benchmark, in a repository.
struct Project {
    desk: Desk,
}

impl Project {
    fn new(steps: u64) -> Self {
        let project = Self { desk: Desk::new() };
        let library = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join("evenhand");
        let manifest = format!(
            "[package]\nname = \"stranger\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
             [dev-dependencies]\nevenhand = {{ path = {:?} }}\n\n\
             [[bench]]\nname = \"sums\"\nharness = false\n\n[workspace]\n",
            library.to_str().unwrap()
        );
        project.desk.write("Cargo.toml", manifest);
        project.desk.write(".gitignore", "/target\nCargo.lock\n");
        project.desk.write(
            "benches/sums.rs",
            "#![forbid(unsafe_code)]\n\n#[evenhand::bench]\nfn sums() -> u64 {\n    stranger::sum()\n}\nevenhand::main!();\n",
        );
        project.sum_of(steps);
        for words in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "."],
            &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "old"],
        ] {
            project.git(words);
        }
        project
    }

    fn sum_of(&self, steps: u64) {
        let text = format!(
            "pub fn sum() -> u64 {{\n    (0..std::hint::black_box({steps}_u64)).fold(1, |state, _| u64::wrapping_mul(std::hint::black_box(state), 3) ^ 1)\n}}\n"
        );
        self.desk.write("src/lib.rs", text);
    }

    fn git(&self, words: &[&str]) -> String {
        let mut git = Command::new("git");
        let done = git.args(words).current_dir(self.desk.path("")).output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn compare(&self, words: &[&str]) -> Done {
        let mut command = self.desk.command(&[&["compare"][..], words].concat());
        Done::of(self.desk.with_tools(&mut command).output().unwrap())
    }

    /// The programs of this name that were built of a tree.
    fn built(&self, name: &str, tree: &str) -> Vec<Vec<u8>> {
        let cache = fs::read_dir(self.desk.path("../home/.cache/evenhand")).unwrap();
        let builds = cache.flat_map(|place| fs::read_dir(place.unwrap().path().join("builds")).unwrap());
        let of_tree =
            builds.map(Result::unwrap).filter(|build| build.file_name().to_string_lossy().starts_with(tree));
        of_tree.map(|build| fs::read(build.path().join(name)).unwrap()).collect()
    }
}

#[test]
fn cargo_bench_comes_to_us() {
    let project = Project::new(20_000);
    let cargo = |words: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.args(words).current_dir(project.desk.path(""));
        let done = project.desk.with_tools(&mut cargo).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let measured = cargo(&["bench", "--bench", "sums", "--", "sums"]);
    assert!(measured.contains("\nsums ") && measured.contains("median"), "{measured}");
    let exactly = cargo(&["bench", "--bench", "sums", "--", "sums::sums", "--exact", "--skip", "sum"]);
    assert!(exactly.contains("\nsums "), "\"sum\" is skipped, and \"sums\" is called otherwise: {exactly}");
    let listed = cargo(&["bench", "--bench", "sums", "--", "--list"]);
    assert_eq!(listed, "sums::sums: benchmark\n");
    let tested = cargo(&["test", "--bench", "sums"]);
    assert!(tested.contains("test sums::sums ... ok"), "{tested}");
}

#[test]
fn a_revision_is_built_and_compared_and_the_checkout_is_not_touched() {
    let project = Project::new(20_000);
    project.sum_of(24_000);
    let before = (project.git(&["status", "--porcelain=v2"]), project.git(&["count-objects", "-v"]));
    let done = project.compare(&["--git", "main", "--json", "--max-time", "8"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let comparison = &json(&done)["comparisons"][0];
    assert_eq!(
        (&comparison["baseline"], &comparison["candidate"]),
        (&"sums (main)".into(), &"sums (work tree)".into())
    );
    assert_eq!(comparison["verdict"], "slower", "{comparison}");
    let again = project.compare(&["--git", "main", "--launches", "2", "--rounds-per-launch", "8"]);
    assert!(!again.err.contains("building"), "what was built is kept: {}", again.err);
    assert_eq!((project.git(&["status", "--porcelain=v2"]), project.git(&["count-objects", "-v"])), before);
    assert!(!project.desk.path("target").exists() && !project.desk.path("Cargo.lock").exists());

    let laid_out =
        project.compare(&["--git", "main", "--layouts", "3", "--launches", "9", "--rounds-per-launch", "8"]);
    assert!(laid_out.out.contains("layout effect: ±"), "{}\n{}", laid_out.out, laid_out.err);
    assert!(laid_out.out.contains("over 3 layouts"), "{}", laid_out.out);
    let kept: Value = serde_json::from_str(&project.desk.run(&["export", "@last"]).out).unwrap();
    let drawn = kept["launches"].as_array().unwrap();
    let layouts: Vec<u64> = drawn.iter().map(|launch| launch["layout"].as_u64().unwrap()).collect();
    assert_eq!(layouts, [0, 1, 2, 0, 1, 2, 0, 1, 2]);

    let as_is =
        project.compare(&["--git", "main", "--no-align", "--launches", "2", "--rounds-per-launch", "8"]);
    assert_eq!(as_is.code, 0, "{}", as_is.err);
    let main = project.git(&["rev-parse", "main^{tree}"]);
    let kinds: BTreeSet<Vec<u8>> = project.built("sums", main.trim()).into_iter().collect();
    assert_eq!(kinds.len(), 2, "with functions aligned, and as they are");
    let options = project.compare(&["--git", "main", "sums", "--", "--features", "nonesuch"]);
    assert!(options.code == 2 && options.err.contains("nonesuch"), "cargo refuses it: {}", options.err);

    project.sum_of(20_000);
    project.desk.write("src/unused.rs", "// Not a module.\n");
    let same = project.compare(&["--git", "HEAD", "--launches", "2", "--rounds-per-launch", "8"]);
    assert!(same.out.contains("are identical files"), "{}\n{}", same.out, same.err);
    fs::remove_file(project.desk.path("src/unused.rs")).unwrap();
    let nothing = project.compare(&["--git", "main"]);
    assert!(nothing.err.contains("identical, so there is nothing to compare"), "{}", nothing.err);
    let unknown = project.compare(&["--git", "no-such-branch"]);
    assert!(unknown.err.contains("git finds no revision \"no-such-branch\""), "{}", unknown.err);
    project.desk.write("src/lib.rs", "pub fn sum() -> u64 { nonsense }\n");
    let broken = project.compare(&["--git", "main"]);
    assert_eq!(broken.code, 2);
    assert!(
        broken.err.contains("building work tree\nerror: the build failed")
            && broken.err.contains("nonsense")
            && broken.err.ends_with("error: work tree cannot be compared\n"),
        "{}",
        broken.err
    );
}

/// A repository whose branches `main` and `topic` parted; its benchmark is a script.
fn parted() -> Project {
    let project = Project { desk: Desk::new() };
    let commit = |script: &str| {
        project.desk.write("bench", format!("#!/bin/sh\nexec {} # {script}\n", worker("new")));
        project.git(&["add", "."]);
        project.git(&["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", script]);
    };
    project.git(&["init", "--quiet", "--initial-branch=main"]);
    commit("base");
    project.git(&["checkout", "--quiet", "-b", "topic"]);
    commit("topic");
    project.git(&["checkout", "--quiet", "main"]);
    commit("main");
    project.git(&["checkout", "--quiet", "--orphan", "stranger"]);
    commit("stranger");
    project.git(&["checkout", "--quiet", "topic"]);
    project.desk.write("bench", "This is not to be built.\n");
    project
}

#[test]
fn dots_between_revisions_mean_what_they_mean_to_git() {
    let project = parted();
    let compare = |revisions: &str| {
        let quick = ["--launches", "2", "--rounds-per-launch", "8", "--exact", "stays", "--json"];
        let build = ["--git", revisions, "--build", "chmod +x bench", "--exe", "bench"];
        project.compare(&[&build[..], &quick].concat())
    };
    // Two dots and three, with a side left out, from the branch `topic`; and what was built then.
    for (revisions, [old, new], built) in [
        ("main..topic", ["main", "topic"], ["main", "topic"]),
        ("main...topic", ["merge base of main and topic", "topic"], ["base", "topic"]),
        ("main...", ["merge base of main and HEAD", "HEAD"], ["base", "topic"]),
        ("...main", ["merge base of HEAD and main", "main"], ["base", "main"]),
        ("main..", ["main", "HEAD"], ["main", "topic"]),
        ("..main", ["HEAD", "main"], ["topic", "main"]),
    ] {
        let _ = fs::remove_dir_all(project.desk.path("../home/.cache/evenhand"));
        let done = compare(revisions);
        assert_eq!(done.code, 0, "{revisions}: {}", done.err);
        let comparison = &json(&done)["comparisons"][0];
        assert_eq!(comparison["baseline"], format!("stays ({old})"), "{revisions}");
        assert_eq!(comparison["candidate"], format!("stays ({new})"), "{revisions}");
        for commit in ["base", "main", "topic"] {
            let id = project.git(&["log", "--all", "--format=%T", &format!("--grep=^{commit}$")]);
            let found = project.built("bench", id.trim());
            assert_eq!(found.len(), usize::from(built.contains(&commit)), "{revisions}: {commit}");
        }
    }
    let strangers = compare("stranger...topic");
    assert_eq!(strangers.code, 2);
    assert!(
        strangers.err.contains(
            "\"stranger\" and \"topic\" have no common ancestor: compare them with stranger..topic"
        ),
        "{}",
        strangers.err
    );
    assert!(compare("topic...nobody").err.contains("git finds no revision \"nobody\" in this repository"));
    assert!(compare("..").err.contains("HEAD and HEAD are identical, so there is nothing to compare"));
}

#[test]
fn a_worker_is_talked_to_by_hand() {
    let desk = Desk::new();
    let me = env!("CARGO_BIN_EXE_evenhand");
    let line = format!(
        "{me} worker dump-request --benchmark 4 --turns 2 | EVENHAND_WORKER=3,4 {} 3<&0 4>&1 >/dev/null | {me} worker show",
        worker("old")
    );
    let done = Command::new("sh").arg("-c").arg(&line).current_dir(desk.path("")).output().unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(
        said.starts_with("Hello(") && said.contains("name: \"stays\"") && said.ends_with("Done\n"),
        "{said}"
    );
    assert_eq!(said.matches("Sample {").count(), 2, "{said}");
    let garbage =
        Command::new("sh").arg("-c").arg(format!("echo nonsense | {me} worker show")).output().unwrap();
    assert_eq!(garbage.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&garbage.stderr).contains("at byte 0: a frame of"), "{garbage:?}");
}

/// `./sums-0123456789abcdef`, a program without arguments, as cargo makes them.
fn desk_with_a_program() -> Desk {
    let desk = Desk::new();
    let script = desk.path("sums-0123456789abcdef");
    fs::write(&script, format!("#!/bin/sh\nexec {}\n", worker("new"))).unwrap();
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    desk
}

/// The last trial, and how many iterations each of its samples has.
fn last_trial(desk: &Desk) -> (Value, BTreeSet<u64>) {
    let trial = serde_json::from_str(&desk.run(&["export", "@last"]).out).unwrap();
    let rows = desk.run(&["export", "@last", "--to", "csv"]).out;
    let mut rows = rows.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let column = rows.next().unwrap().iter().position(|name| *name == "iterations").unwrap();
    (trial, rows.map(|row| row[column].parse().unwrap()).collect())
}

#[test]
fn iterations_launches_and_rounds_are_as_asked_for_and_in_the_record() {
    let desk = desk_with_a_program();
    let start = [
        "bench",
        "./sums-0123456789abcdef",
        "--exact",
        "comes",
        "--launches",
        "3",
        "--rounds-per-launch",
        "5",
    ];
    let bench = |words: &[&str]| {
        let done = desk.run(&[&start[..], words].concat());
        assert_eq!(done.code, 0, "{}", done.err);
        last_trial(&desk)
    };
    let (single, iterations) = bench(&["--iterations", "1"]);
    assert_eq!(iterations, [1].into());
    let plan = &single["plan"];
    assert_eq!(
        (&plan["launches"], &plan["rounds-per-launch"], &plan["iterations"]),
        (&3.into(), &5.into(), &"1".into())
    );
    assert_eq!(single["launches"].as_array().unwrap().len(), 3);
    let (filled, iterations) = bench(&["--iteration-time", "1ms"]);
    // Ten steps take some nanoseconds: thousands of calls fill a millisecond.
    assert!(iterations.len() == 1 && iterations.first() > Some(&100), "{iterations:?}");
    assert_eq!(filled["plan"]["iteration-time"], "1ms");
    let compared = compare(
        &desk,
        &["--iterations", "7", "--exact", "stays", "--launches", "2", "--rounds-per-launch", "5"],
    );
    assert_eq!((compared.code, last_trial(&desk).1), (0, [7].into()), "{}", compared.err);
    for wrong in [&["--iterations", "0"][..], &["--iterations", "2", "--iteration-time", "1ms"]] {
        assert_eq!(desk.run(&[&start[..], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_function_is_measured_against_itself_if_that_is_wanted() {
    let desk = desk_with_a_program();
    let words = [
        "bench",
        "./sums-0123456789abcdef",
        "--control",
        "--launches",
        "2",
        "--rounds-per-launch",
        "5",
        "--json",
    ];
    let done = desk.run(&[&words[..], &["--exact", "stays", "grows"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let found = json(&done);
    let pairs: Vec<(&str, &str, bool)> = found["comparisons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            (one["baseline"].as_str().unwrap(), one["candidate"].as_str().unwrap(), one["control"] == true)
        })
        .collect();
    assert_eq!(pairs, [("grows", "grows (control)", true), ("stays", "stays (control)", true)]);
}

#[test]
fn several_numbers_of_iterations_are_measured_each_and_tell_the_set_up() {
    let desk = desk_with_a_program();
    let words = ["--iterations", "4,1,2", "--launches", "2", "--rounds-per-launch", "5"];
    let done = desk.run(&[&["bench", "./sums-0123456789abcdef", "--exact", "stays"], &words[..]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(
        done.out.contains("set-up of stays: ") && done.out.contains("with 1 and 2 iterations"),
        "{}",
        done.out
    );
    let (trial, iterations) = last_trial(&desk);
    assert_eq!(iterations, [1, 2, 4].into());
    let names: Vec<&str> =
        trial["arms"].as_array().unwrap().iter().map(|arm| arm["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["stays i1", "stays i2", "stays i4"]);
    let both = compare(&desk, &[&["--exact", "stays"], &words[..]].concat());
    assert!(both.code == 0 && both.out.contains("set-up of stays ("), "{}{}", both.out, both.err);
}

#[test]
fn one_program_is_measured_and_set_beside_the_last_time() {
    let desk = desk_with_a_program();
    let words = ["bench", "./sums-0123456789abcdef", "stays", "--max-time", "1"];
    let first = desk.run(&words);
    assert_eq!(first.code, 0, "{}", first.err);
    assert!(first.out.contains("stays") && !first.out.contains("since trial"), "{}", first.out);
    let again = desk.run(&words);
    assert!(
        again.out.contains("since trial ") && again.out.contains("not measured together"),
        "{}",
        again.out
    );
    assert!(again.out.contains("assuming that nothing else changed"), "{}", again.out);
    let nothing = desk.run(&["bench", "./sums-0123456789abcdef", "nothing like it"]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.err.contains("no benchmark name contains \"nothing like it\""), "{}", nothing.err);
}
