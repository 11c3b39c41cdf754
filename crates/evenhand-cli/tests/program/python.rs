//! Benchmarks in Python with the real program: one file, two files, two revisions, and what goes wrong with them. Without python3 each test
//! says that it is skipped.

use crate::desk::{Desk, Done};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

const OLD: &str = "\
import evenhand, sys

@evenhand.bench
def grows():
    return sum(range(2000))

@evenhand.bench(args=[10, 20], setup=lambda rng, size: [rng.random() for _ in range(size)], items=lambda size: size, check=True)
def sorts(numbers, size):
    return sorted(numbers)

@evenhand.bench
async def prints():
    print('to nobody')
";

pub(crate) const NO_PYTHON: &str = "python3 was not found";

/// What cannot be measured, beside what can.
const FAILS: &str = "
@evenhand.bench
def raises():
    raise ValueError('bad size')

@evenhand.bench
def leaves():
    sys.exit(2)
";

/// A desk with a Python that finds our package.
struct Snakes {
    desk: Desk,
    python: PathBuf,
}

/// The path of the interpreter itself: `python3` may be a script that needs the home of its user.
pub(crate) fn python() -> Option<PathBuf> {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
    asked.status.success().then(|| String::from_utf8(asked.stdout).unwrap().trim_end().into())
}

/// Written past the capture of the tests, so that it is seen.
pub(crate) fn say_skipped(test: &str, why: &str) {
    std::io::stderr().write_all(format!("skipped: {test}: {why}\n").as_bytes()).unwrap();
}

/// A command finds the interpreter, our package and our program.
pub(crate) fn found_by(command: &mut Command) {
    let python = python().unwrap();
    let ours = [python.parent().unwrap(), Path::new(env!("CARGO_BIN_EXE_evenhand")).parent().unwrap()];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = ours.into_iter().map(Path::to_owned).chain(std::env::split_paths(&path));
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../python/src").canonicalize().unwrap();
    command.env("PATH", std::env::join_paths(path).unwrap()).env("PYTHONPATH", package);
}

impl Snakes {
    fn new(test: &str) -> Option<Self> {
        let Some(python) = python() else {
            say_skipped(test, NO_PYTHON);
            return None;
        };
        let desk = Desk::new();
        desk.write("old.py", OLD);
        Some(Self { desk, python })
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.desk.command(words);
        found_by(&mut command);
        command
    }

    fn run(&self, words: &[&str]) -> Done {
        Done::of(self.command(words).output().unwrap())
    }

    /// Few launches, where only what is said counts.
    fn quickly(&self, words: &[&str]) -> Done {
        let [verb, words @ ..] = words else { panic!("no verb") };
        self.run(&[&[*verb, "--launches", "2", "--rounds-per-launch", "8"][..], words].concat())
    }

    fn git(&self, words: &[&str]) -> String {
        let done = Command::new("git").args(words).current_dir(self.desk.path("")).output().unwrap();
        assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    /// A package below `src` in a repository, and a benchmark that says which revision it runs.
    fn with_repository(self) -> Self {
        self.desk.write("src/pkg/__init__.py", "REVISION = 'old'\n");
        self.desk.write("benches/bench.py", TELLS);
        self.git(&["init", "--quiet", "--initial-branch=main"]);
        self.git(&["add", "."]);
        self.git(&["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "old"]);
        self.desk.write("src/pkg/__init__.py", "REVISION = 'new'\n");
        self
    }
}

const TELLS: &str = "\
import evenhand, pkg

@evenhand.bench(check=True)
def tells():
    return pkg.REVISION

if __name__ == '__main__':
    evenhand.main()
";

fn last_trial(snakes: &Snakes) -> Value {
    serde_json::from_str(&snakes.run(&["export", "@last"]).out).unwrap()
}

fn comparison(done: &Done) -> Value {
    let found: Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}{}", done.out, done.err));
    found["comparisons"][0].clone()
}

#[test]
fn one_file_is_measured_with_its_arguments_and_amounts() {
    let Some(snakes) = Snakes::new("python::one_file_is_measured_with_its_arguments_and_amounts") else {
        return;
    };
    let done = snakes.quickly(&["bench", "old.py", "--verbose"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    for told in ["grows", "sorts/10", "sorts/20", "prints"] {
        assert!(done.out.contains(told), "{told}: {}", done.out);
    }
    let kept = last_trial(&snakes);
    let metrics: Vec<&str> =
        kept["metrics"].as_array().unwrap().iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(metrics.iter().any(|name| name.starts_with("items")), "{metrics:?}");
    let filtered = snakes.quickly(&["bench", "old.py", "sorts/2"]);
    assert!(filtered.out.contains("sorts/20") && !filtered.out.contains("grows"), "{}", filtered.out);
    let again = snakes.quickly(&["bench", "old.py", "sorts/2"]);
    assert!(again.out.contains("since trial "), "{}", again.out);
    assert_eq!(last_trial(&snakes)["plan"]["program"], "old");
}

#[test]
fn a_command_is_measured_with_filters_before_it() {
    let Some(snakes) = Snakes::new("python::a_command_is_measured_with_filters_before_it") else { return };
    let done = snakes.quickly(&["bench", "gro", "--", "python3", "-m", "evenhand", "old.py"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""), "{}", done.out);
    assert!(done.out.contains("grows") && !done.out.contains("sorts"), "{}", done.out);
    let nothing = snakes.run(&["bench"]);
    assert!(nothing.code == 2 && nothing.err.contains("PROGRAM"), "{}", nothing.err);
}

#[test]
fn a_script_that_is_started_by_hand_comes_to_the_program() {
    let Some(snakes) = Snakes::new("python::a_script_that_is_started_by_hand_comes_to_the_program") else {
        return;
    };
    snakes.desk.write("main.py", format!("{OLD}\nevenhand.main()\n"));
    for start in [&["main.py"][..], &["-m", "evenhand", "old.py"]] {
        let program = snakes.command(&[]);
        let mut python = Command::new(&snakes.python);
        python.current_dir(snakes.desk.path("")).args(start);
        python.args(["--launches", "1", "--rounds-per-launch", "8", "grows"]);
        python.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let done = Done::of(python.output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{start:?}");
        assert!(done.out.contains("grows") && !done.out.contains("sorts"), "{}", done.out);
    }
}

#[test]
fn two_files_are_compared_and_the_slower_one_is_found() {
    let Some(snakes) = Snakes::new("python::two_files_are_compared_and_the_slower_one_is_found") else {
        return;
    };
    snakes.desk.write("new.py", OLD.replace("range(2000)", "range(8000)"));
    let done = snakes.run(&["compare", "old.py", "new.py", "grows", "--json", "--max-time", "10"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    let found = comparison(&done);
    assert_eq!(
        (&found["baseline"], &found["candidate"]),
        (&"grows (old.py)".into(), &"grows (new.py)".into())
    );
    assert_eq!(found["verdict"], "slower", "{found}");
}

#[test]
fn other_results_end_the_comparison() {
    let Some(snakes) = Snakes::new("python::other_results_end_the_comparison") else { return };
    let same = snakes.quickly(&["compare", "old.py", "old.py", "sorts/10"]);
    assert_eq!((same.code, same.err.as_str()), (0, ""), "the same input gives the same result");
    snakes.desk.write("new.py", OLD.replace("sorted(numbers)", "sorted(numbers, reverse=True)"));
    let other = snakes.quickly(&["compare", "old.py", "new.py", "sorts/10"]);
    assert_eq!(other.code, 3, "{}", other.err);
    assert!(other.err.contains("gave another result than the baseline"), "{}", other.err);
}

#[test]
fn what_fails_is_named_and_the_rest_is_measured() {
    let Some(snakes) = Snakes::new("python::what_fails_is_named_and_the_rest_is_measured") else { return };
    snakes.desk.write("fails.py", format!("{OLD}{FAILS}"));
    let done = snakes.quickly(&["bench", "fails.py"]);
    assert_eq!(done.code, 3, "{}", done.err);
    assert!(done.out.contains("grows"), "{}", done.out);
    assert!(done.err.contains("raises: raised ValueError: bad size at fails.py:17"), "{}", done.err);
    assert!(done.err.contains("leaves: called sys.exit(2) at fails.py:21: return from"), "{}", done.err);
}

#[test]
fn a_file_that_cannot_be_measured_is_said_with_the_next_step() {
    let Some(snakes) = Snakes::new("python::a_file_that_cannot_be_measured_is_said_with_the_next_step")
    else {
        return;
    };
    let said = |text: &str, words: &[&str]| {
        snakes.desk.write("x.py", text);
        let done = snakes.run(words);
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        done.err
    };
    let of_file = |text: &str| said(text, &["bench", "x.py"]);
    assert!(of_file("import nonesuch\n").contains("x.py:1 needs the module nonesuch, which "));
    assert!(of_file("1 // 0\n").contains("\n  | ZeroDivisionError"), "its last words have a line each");
    assert!(of_file("import evenhand\n").contains("x has no benchmark"));
    let twice = "import evenhand\n@evenhand.bench\ndef a(): pass\n@evenhand.bench\ndef a(): pass\n";
    assert!(of_file(twice).contains("two benchmarks are named a, at x.py:2 and x.py:4: rename one"));
    let silent = said(OLD, &["bench", "--", "python3", "x.py"]);
    assert!(silent.contains("end x.py with evenhand.main()"), "{silent}");
    assert!(said(OLD, &["bench", "nowhere.py"]).contains("nowhere.py: no such file"));

    let mut bare = snakes.command(&["bench", "x.py"]);
    let without = Done::of(bare.env_remove("PYTHONPATH").output().unwrap());
    assert!(without.err.contains("does not have the package evenhand"), "{}", without.err);
    assert!(without.err.contains("-m pip install ./python"), "{}", without.err);
    let mut bare = snakes.command(&["bench", "x.py"]);
    let without = Done::of(bare.env("PATH", "/nowhere").output().unwrap());
    assert!(
        without.err.contains("python3, which ") && without.err.contains("could not be started"),
        "{}",
        without.err
    );
}

#[test]
fn each_revision_runs_its_own_code_and_the_checkout_is_not_touched() {
    let Some(snakes) = Snakes::new("python::each_revision_runs_its_own_code_and_the_checkout_is_not_touched")
    else {
        return;
    };
    let snakes = snakes.with_repository();
    let before = (snakes.git(&["status", "--porcelain=v2"]), snakes.git(&["count-objects", "-v"]));
    for command in [&["benches/bench.py"][..], &["--", "python3", "benches/bench.py"]] {
        let done = snakes.quickly(&[&["compare", "--git", "main"][..], command].concat());
        assert_eq!(done.code, 3, "{}{}", done.out, done.err);
        assert!(
            done.err.contains("tells (work tree) gave another result than the baseline"),
            "each side says which revision it runs: {}",
            done.err
        );
    }
    let named =
        snakes.quickly(&["compare", "--git", "main", "--allow-other-results", "benches/bench.py", "tel"]);
    assert_eq!(named.code, 0, "{}", named.err);
    assert!(named.out.contains("tells (work tree)") && named.out.contains("tells (main)"), "{}", named.out);
    assert_eq!((snakes.git(&["status", "--porcelain=v2"]), snakes.git(&["count-objects", "-v"])), before);
}

#[test]
fn a_revision_that_cannot_be_run_is_said_with_the_next_step() {
    let Some(snakes) = Snakes::new("python::a_revision_that_cannot_be_run_is_said_with_the_next_step") else {
        return;
    };
    let snakes = snakes.with_repository();
    let said = |words: &[&str]| {
        let done = snakes.quickly(&[&["compare", "--git", "main"][..], words].concat());
        assert_eq!(done.code, 2, "{}{}", done.out, done.err);
        done.err
    };
    snakes.desk.write("fresh.py", TELLS);
    let missing = said(&["fresh.py"]);
    assert!(
        missing.contains("main has no fresh.py") && missing.contains("name the copy: /tmp/fresh.py"),
        "{missing}"
    );
    assert!(said(&["--layouts", "2", "old.py"]).contains("old.py is run as it is, so it takes no --layouts"));
    assert!(said(&["old.py", "--", "--features", "x"]).contains("takes no options of cargo after --"));
    assert!(said(&["--", "python3", "a.py", "--", "python3", "b.py"]).contains("but two are given"));
}

#[test]
fn code_of_the_checkout_is_not_taken_for_that_of_a_revision() {
    let Some(snakes) = Snakes::new("python::code_of_the_checkout_is_not_taken_for_that_of_a_revision") else {
        return;
    };
    let snakes = snakes.with_repository();
    let checkout = snakes.desk.path("src").canonicalize().unwrap();
    let strays = format!("import sys\nsys.path.insert(0, {:?})\n{TELLS}", checkout.to_str().unwrap());
    snakes.desk.write("../strays.py", strays);
    let done = snakes.quickly(&["compare", "--git", "main", "../strays.py"]);
    assert_eq!(done.code, 3, "{}{}", done.out, done.err);
    assert!(
        done.err.contains("imports pkg from ") && done.err.contains("not from the revision"),
        "{}",
        done.err
    );
}

#[test]
fn a_benchmark_outside_of_the_repository_runs_with_the_code_of_both_revisions() {
    let Some(snakes) =
        Snakes::new("python::a_benchmark_outside_of_the_repository_runs_with_the_code_of_both_revisions")
    else {
        return;
    };
    let snakes = snakes.with_repository();
    snakes.desk.write("../fresh.py", TELLS);
    let fresh = snakes.desk.path("../fresh.py").canonicalize().unwrap();
    let done = snakes.quickly(&["compare", "--git", "main", fresh.to_str().unwrap()]);
    assert!(done.err.contains("tells (work tree) gave another result than the baseline"), "{}", done.err);
}

#[test]
fn what_a_benchmark_leaves_behind_is_gone_in_the_next_comparison() {
    let Some(snakes) = Snakes::new("python::what_a_benchmark_leaves_behind_is_gone_in_the_next_comparison")
    else {
        return;
    };
    let leaves = "\
import evenhand, os, sys

@evenhand.bench
def leaves():
    pass

if os.path.exists('left') and open('left').read() != os.environ['TIME']:
    sys.exit('left behind')
open('left', 'w').write(os.environ['TIME'])
";
    let snakes = snakes.with_repository();
    snakes.desk.write("../leaves.py", leaves);
    for time in ["first", "second"] {
        let words =
            ["compare", "--git", "HEAD", "--launches", "2", "--rounds-per-launch", "8", "../leaves.py"];
        let done = Done::of(snakes.command(&words).env("TIME", time).output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{time}: {}", done.out);
    }
}

#[test]
fn tests_of_pytest_are_measured_and_compared_with_a_revision() {
    let name = "python::tests_of_pytest_are_measured_and_compared_with_a_revision";
    let Some(snakes) = Snakes::new(name) else { return };
    let pytest = Command::new(&snakes.python).args(["-m", "pytest", "--version"]).output().unwrap();
    if !pytest.status.success() {
        return say_skipped(name, "pytest was not found");
    }
    let snakes = snakes.with_repository();
    let test = "import pkg\n\ndef test_tells(benchmark):\n    assert benchmark(str.upper, pkg.REVISION)\n";
    snakes.desk.write("test_it.py", test);
    snakes.desk.write("conftest.py", "import sys\nsys.path.insert(0, 'src')\n");
    snakes.git(&["add", "."]);
    snakes.git(&["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "-m", "test"]);
    snakes.desk.write("src/pkg/__init__.py", "REVISION = 'newer'\n");
    for (wish, told) in [("--evenhand", "test_tells"), ("--evenhand-git=main", "test_tells (work tree)")] {
        let program = snakes.command(&[]);
        let mut python = Command::new(&snakes.python);
        let options = "--evenhand-options=--launches 2 --rounds-per-launch 8";
        python.current_dir(snakes.desk.path("")).args(["-m", "pytest", wish, options, "test_it.py"]);
        python.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        python.env("PYTEST_ADDOPTS", "-p evenhand.pytest_plugin");
        let done = Done::of(python.output().unwrap());
        assert_eq!((done.code, done.err.as_str()), (0, ""), "{wish}: {}", done.out);
        assert!(done.out.contains(told), "{wish}: {}", done.out);
    }
}

/// Writes a wheel of a package that counts to a number.
const MAKE_WHEEL: &str = "\
import sys, zipfile
version, number = sys.argv[1:]
name = f'counter-{version}'
with zipfile.ZipFile(f'{name}-py3-none-any.whl', 'w') as wheel:
    wheel.writestr('counter.py', f'def count():\\n    return sum(range({number}))\\n')
    wheel.writestr(f'{name}.dist-info/METADATA', f'Metadata-Version: 2.1\\nName: counter\\nVersion: {version}\\n')
    wheel.writestr(f'{name}.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: a\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{name}.dist-info/RECORD', '')
";

#[test]
fn two_versions_of_a_package_are_compared() {
    let Some(snakes) = Snakes::new("two_versions_of_a_package_are_compared") else { return };
    if !Command::new(&snakes.python).args(["-m", "pip", "--version"]).output().unwrap().status.success() {
        return say_skipped("two_versions_of_a_package_are_compared", "python3 has no pip");
    }
    for (version, number) in [("1.0", "1000"), ("2.0", "4000")] {
        let mut make = Command::new(&snakes.python);
        make.args(["-c", MAKE_WHEEL, version, number]).current_dir(snakes.desk.path(""));
        assert!(make.status().unwrap().success());
    }
    snakes.desk.write(
        "bench.py",
        "import evenhand, counter\n\n@evenhand.bench\ndef counts():\n    counter.count()\n",
    );
    let wheels = ["--with", "./counter-1.0-py3-none-any.whl", "--with", "./counter-2.0-py3-none-any.whl"];
    let done = snakes.quickly(&[&["compare", "--json"], &wheels[..], &["bench.py"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let found = comparison(&done);
    assert_eq!(found["candidate"], "counts (./counter-2.0-py3-none-any.whl)");
    assert!(found["effect"]["estimate"].as_f64().unwrap() > 1.0, "{found}");
    let refused = |words: &[&str]| {
        let done = snakes.quickly(words);
        assert_eq!(done.code, 2, "{}", done.out);
        done.err
    };
    let once = refused(&["compare", "--with", "counter==1.0", "bench.py"]);
    assert!(
        once.starts_with("error: --with is given 1 time, and two versions are compared\nhint: "),
        "{once}"
    );
    let no_file = refused(&[&["compare"], &wheels[..]].concat());
    assert!(no_file.starts_with("error: --with needs a file of benchmarks in Python\n"), "{no_file}");
    let missing = refused(&["compare", "--with", "./no.whl", "--with", "./no.whl", "bench.py"]);
    assert!(missing.contains("-m pip could not install ./no.whl\n  | "), "{missing}");
}
