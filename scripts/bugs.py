#!/usr/bin/env python3
"""Do the tests notice bugs? Builds every deliberate bug of scripts/bugs.toml into a copy and runs the tests on it.

    python3 scripts/bugs.py                # all of them; exit status 1 if any survives
    python3 scripts/bugs.py --only NAME    # some of them: names, or a part of the file's path
    python3 scripts/bugs.py --quick        # no more than the test file named in `test`; one survives here that others
                                           # of the test files may notice
    python3 scripts/bugs.py --check        # only: does every `find` stand exactly once in its file?

The copy (tracked and untracked files, not what git ignores) lies in a temporary directory; the build is kept in
target/bugs between runs. A bug is killed when `cargo test` of its package fails or runs longer than --timeout.
To save time the test file named in `test` ("lib": the tests beside the code; "program::run": a part of one) runs first, all of them only when it finds nothing; the table says which
test noticed. A `find` that does not stand exactly once, or a bug that does not compile, is an error of the list:
nothing may rot silently. The unchanged copy must pass first.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
CARGO = ["cargo", "test", "--offline", "-q", "-p"]
COMPILE_ERROR = re.compile(r"^error(\[E\d+\])?: (?!test failed)|could not compile", re.MULTILINE)
FAILED_TEST = re.compile(r"^---- (\S+) stdout ----$|^thread '([^']+)' .*panicked", re.MULTILINE)


def load_bugs(path):
    bugs = tomllib.loads(path.read_text(encoding="utf-8"))["bug"]
    names = [bug["name"] for bug in bugs]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"names given twice: {sorted(twice)}")
    # One bug of each file first, then the second of each: an interrupted run has then seen all files.
    place = {id(bug): sum(other["file"] == bug["file"] for other in bugs[:i]) for i, bug in enumerate(bugs)}
    return sorted(bugs, key=lambda bug: place[id(bug)])


def with_bug(root, bug):
    text = (root / bug["file"]).read_text(encoding="utf-8")
    count = text.count(bug["find"])
    if count != 1:
        return None, f"`find` stands {count} times in {bug['file']}"
    if bug["find"] == bug["replace"]:
        return None, "`replace` changes nothing"
    return text.replace(bug["find"], bug["replace"]), None


def copy_workspace(to):
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        source = ROOT / name
        if source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            # With new times of change: cargo would take a build of the last run, bug and all, for a fresh one.
            shutil.copy(source, to / name)


def package_of(bug):
    """Whose tests notice it: of its own crate, unless it says `package`."""
    return bug.get("package", pathlib.PurePath(bug["file"]).parts[1])


def name_of_program(package):
    """What a package calls the program of tests/main.rs."""
    with (ROOT / "crates" / package / "Cargo.toml").open("rb") as file:
        programs = tomllib.load(file).get("test", [])
    return next(program["name"] for program in programs if program.get("path") == "tests/main.rs")


def program_and_filter(package, test):
    """The test program and the part of it that `test` names: a file of the program of tests/main.rs, a part of another, or all of one."""
    folder = ROOT / "crates" / package / "tests"
    if test == "lib":
        return "--lib", []
    if (folder / "main.rs").exists() and any((folder / file).exists() for file in (f"{test}.rs", f"{test}/mod.rs")):
        return f"--test={name_of_program(package)}", [f"{test}::"]
    program, _, part = test.partition("::")
    if not (folder / f"{program}.rs").exists() and not (folder / program / "main.rs").exists():
        return None, []
    return f"--test={program}", [f"{part}::"] if part else []


def run_tests(root, package, tests, timeout):
    """Runs some test files of a package, or all for [None]. Answers (passed, killed or broken; what noticed)."""
    parts = [program_and_filter(package, test) for test in tests if test]
    command = CARGO + [package] + sorted({program for program, _ in parts})
    if len(parts) == 1:
        command += ["--"] + parts[0][1]
    environment = dict(os.environ, CARGO_TARGET_DIR=str(ROOT / "target" / "bugs"), CARGO_TERM_COLOR="never",
                       PROPTEST_FAILURE_PERSISTENCE="off", RUST_BACKTRACE="0")
    if (root / "crates" / package / "examples").is_dir():
        # Programs that the tests run; cargo builds them only when it runs all tests.
        built = subprocess.run(["cargo", "build", "--offline", "-q", "--examples", "-p", package], cwd=root,
                               env=environment, capture_output=True, text=True, check=False)
        if built.returncode != 0:
            return "broken", built.stderr[:500]
    process = subprocess.Popen(command, cwd=root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "killed", f"no end within {timeout} s"
    if process.returncode == 0:
        return "passed", ""
    failed = FAILED_TEST.search(output)
    if failed:
        return "killed", (failed[1] or failed[2])
    if COMPILE_ERROR.search(output):
        return "broken", "\n".join(line for line in output.splitlines() if line.startswith("error"))[:500]
    return "killed", output.strip().splitlines()[-1][:80] if output.strip() else "test process died"


def try_bug(root, bug, timeout, quick):
    changed, problem = with_bug(root, bug)
    if problem:
        return "list error", problem
    path = root / bug["file"]
    original = path.read_text(encoding="utf-8")
    path.write_text(changed, encoding="utf-8")
    try:
        for test in [bug["test"]] if quick else [bug["test"], None]:
            outcome, by = run_tests(root, package_of(bug), [test], timeout)
            if outcome == "broken":
                # An interrupted build can leave half-written parts behind; they look like an error of the linker.
                shutil.rmtree(ROOT / "target" / "bugs" / "debug" / "incremental", ignore_errors=True)
                outcome, by = run_tests(root, package_of(bug), [test], timeout)
            if outcome == "broken":
                return "list error", f"does not compile: {by}"
            if outcome == "killed":
                return "killed", f"{test}: {by}" if test else by
        return "SURVIVED", bug["why"]
    finally:
        path.write_text(original, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", action="append", default=[], help="a name, or a part of a file's path")
    parser.add_argument("--check", action="store_true", help="check the list, build nothing")
    parser.add_argument("--quick", action="store_true", help="run only the test file named in the list")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for one build and test (default 600)")
    arguments = parser.parse_args()
    bugs = load_bugs(ROOT / "scripts" / "bugs.toml")
    if arguments.only:
        wanted = arguments.only
        bugs = [bug for bug in bugs if any(word == bug["name"] or word in bug["file"] for word in wanted)]
    problems = [f"{bug['name']}: {problem}" for bug in bugs if (problem := with_bug(ROOT, bug)[1])]
    problems += [f"{bug['name']}: there is no test file {bug['test']}" for bug in bugs
                 if program_and_filter(package_of(bug), bug["test"])[0] is None]
    if problems or not bugs:
        sys.exit("\n".join(problems) or "no such bug")
    if arguments.check:
        print(f"{len(bugs)} bugs, every one still fits its file")
        return
    with tempfile.TemporaryDirectory(prefix="evenhand-bugs-") as directory:
        root = pathlib.Path(directory)
        copy_workspace(root)
        for package in sorted({package_of(bug) for bug in bugs}):
            named = sorted({bug["test"] for bug in bugs if package_of(bug) == package})
            for test in named if arguments.quick else [None]:
                outcome, by = run_tests(root, package, [test], 4 * arguments.timeout)
                if outcome != "passed":
                    sys.exit(f"the tests of {package} fail without any bug: {by}")
        results = []
        for bug in bugs:
            start = time.monotonic()
            outcome, by = try_bug(root, bug, arguments.timeout, arguments.quick)
            results.append(outcome)
            print(f"{outcome:<10} {bug['name']:<44} {time.monotonic() - start:4.0f} s  {by}", flush=True)
    killed, survived = results.count("killed"), results.count("SURVIVED")
    print(f"\n{killed} of {len(bugs)} killed, {survived} survived, {results.count('list error')} errors of the list")
    sys.exit(killed != len(bugs))


if __name__ == "__main__":
    main()
