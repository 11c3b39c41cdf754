"""How does pytest measure?"""

import importlib.util
import os
import struct
import subprocess
import sys
import unittest

from .host import Failed, Host
from .test_script import Scripts

TESTS = """
import pytest

@pytest.fixture
def numbers():
    yield [3, 1, 2]
    with open("torn down", "a") as file:
        file.write("x")

@pytest.mark.benchmark(group="sort")
@pytest.mark.parametrize("reverse", [False, True])
def test_sorts(benchmark, numbers, reverse):
    assert benchmark(sorted, numbers, reverse=reverse) == ([3, 2, 1] if reverse else [1, 2, 3])

def test_plain():
    raise AssertionError("is no benchmark")

def test_raises(benchmark):
    benchmark(lambda: 1 // 0)

def test_forgets(benchmark):
    pass

@pytest.mark.skip(reason="not today")
def test_skipped(benchmark):
    pass

def test_pedantic(benchmark):
    held, seen = [], []
    def setup():
        assert not held
        held.append(1)
        return (held,), {"add": 1}
    def clear(held, add):
        held.clear()
    def target(held, add):
        seen.append(len(held) + add)
        return len(held) + add
    benchmark.extra_info["what"] = "a list"
    benchmark.group = "lists"
    assert benchmark.pedantic(target, setup=setup, teardown=clear, rounds=5, iterations=1) == 2
    assert set(seen) == {2}

def test_twice(benchmark):
    benchmark(lambda: 1)
    benchmark(lambda: 2)
"""


class OverPipes(Host):
    """A host whose worker is a process."""

    def __init__(self, words, folder, environment):
        self.words, self.folder, self.environment = words, folder, environment

    def __enter__(self):
        from evenhand.messages import Stream

        requests, self.to_worker = os.pipe()
        self.from_worker, answers = os.pipe()
        self.ends = []
        variables = {**self.environment, "EVENHAND_WORKER": f"{requests},{answers}"}
        self.process = subprocess.Popen(
            [sys.executable, *self.words], cwd=self.folder, env=variables, pass_fds=(requests, answers),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        os.close(requests)
        os.close(answers)
        self.heard = Stream(self.from_worker, -1)
        return self

    def __exit__(self, *_):
        try:
            os.write(self.to_worker, struct.pack("<IB", 1, 6))
        except BrokenPipeError:
            pass
        os.close(self.to_worker)
        os.close(self.from_worker)
        self.said = self.process.communicate(timeout=20)[1]


@unittest.skipUnless(importlib.util.find_spec("pytest"), "pytest is not installed")
class Tests(Scripts):
    def setUp(self):
        super().setUp()
        self.write("test_it.py", TESTS)
        # Without a distribution there is no entry point.
        self.environment["PYTEST_ADDOPTS"] = "-p evenhand.pytest_plugin -p no:cacheprovider"
        self.environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"

    def worker(self, *words):
        return OverPipes(["-m", "pytest", *words], self.folder, self.environment)

    def refused(self, words, name):
        with self.worker("test_it.py") as host:
            with self.assertRaisesRegex(Failed, words):
                host.prepare(f"test_it.py::{name}")
            host.prepare("test_it.py::test_sorts[True]")
            self.assertEqual(len(host.run([1])[1]), 1)
            host.finish()


class TestsThatTakeTheFixtureAreBenchmarks(Tests):
    def test_they_are_listed_with_their_parameters_and_groups(self):
        with self.worker("test_it.py", "-k", "sorts or plain") as host:
            found = [(name, group, parameters[:-1]) for name, group, _, parameters in host.list()]
        names = [(f"test_it.py::test_sorts[{reverse}]", "sort", [("reverse", reverse)]) for reverse in ["False", "True"]]
        self.assertEqual(found, names)

    def test_each_is_run_with_its_own_fixtures(self):
        with self.worker("test_it.py") as host:
            host.hello()
            once, threads, amounts = host.prepare("test_it.py::test_sorts[True]")
            self.assertFalse(os.path.exists(self.path("torn down")), "the fixture is there while it is measured")
            self.assertEqual((len(host.run([1, 2, 3], iterations=4)[1]), threads, amounts), (3, 1, []))
            host.finish()
            self.assertTrue(0 < once < 1e9)
        self.assertTrue(os.path.exists(self.path("torn down")))

    def test_a_set_up_runs_before_each_call_and_is_not_timed(self):
        with self.worker("test_it.py") as host:
            host.prepare("test_it.py::test_pedantic")
            _, samples = host.run([1, 2], iterations=10)
            host.finish()
            self.assertEqual(len(samples), 2)
            self.assertTrue(all(wall < 1e8 for _, wall, _ in samples))

    def test_a_host_may_leave_in_the_middle_of_a_test(self):
        with self.worker("test_it.py") as host:
            host.prepare("test_it.py::test_sorts[True]")
        self.assertEqual((host.process.returncode, host.said), (0, ""))


class WhatCannotBeMeasuredIsSaidAndTheOthersGoOn(Tests):
    def test_a_function_that_raises(self):
        self.refused("^raised ZeroDivisionError: .* at test_it.py:19$", "test_raises")

    def test_a_test_that_does_not_call_the_fixture(self):
        self.refused(r"^did not call benchmark\(function\)$", "test_forgets")

    def test_a_test_that_is_skipped(self):
        self.refused("was skipped: .*not today", "test_skipped")

    def test_a_test_that_measures_two_functions(self):
        with self.worker("test_it.py") as host:
            host.prepare("test_it.py::test_twice")
            host.finish()
            host.prepare("test_it.py::test_sorts[True]")
            self.assertEqual(len(host.run([1])[1]), 1, "the second function is no answer to anything")

    def test_a_file_that_cannot_be_collected(self):
        self.write("test_broken.py", "import nonesuch\n")
        with self.worker("test_broken.py", "test_it.py") as host:
            with self.assertRaisesRegex(Failed, "^was not collected: ModuleNotFoundError: No module named 'nonesuch'$"):
                host.prepare("test_broken.py")
            host.prepare("test_it.py::test_sorts[True]")
            host.finish()


@unittest.skipUnless(importlib.util.find_spec("pytest_benchmark"), "pytest-benchmark is not installed")
class BesidePytestBenchmark(Tests):
    def setUp(self):
        super().setUp()
        del self.environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]

    def test_a_host_gets_our_fixture(self):
        with self.worker("test_it.py", "--benchmark-min-rounds=2") as host:
            host.prepare("test_it.py::test_sorts[True]")
            self.assertEqual(len(host.run([1, 2])[1]), 2)
            host.finish()

    def test_a_person_gets_its_fixture(self):
        done = self.python("-m", "pytest", "-q", "test_it.py", "-k", "sorts", "--benchmark-min-rounds=2", "--benchmark-max-time=0.01")
        self.assertIn("Legend:", done.stdout, done.stdout)


class APersonGetsTestsOrTheProgram(Tests):
    def test_without_a_wish_they_are_tests(self):
        done = self.python("-m", "pytest", "-q", "test_it.py")
        self.assertIn("2 failed, 5 passed, 1 skipped", done.stdout.splitlines()[-1], done.stdout)

    def test_the_program_is_started_with_what_was_typed(self):
        done = self.python("-m", "pytest", "--evenhand", "--evenhand-options", "--max-time 2s", "test_it.py", "-k", "sort")
        pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "test_it.py", "-k", "sort"]
        self.assertEqual(done.stdout.splitlines(), ["bench", "--max-time", "2s", "--", *pytest], done.stderr)
        done = self.python("-m", "pytest", "--evenhand-git=main", "test_it.py", "-k", "sort")
        self.assertEqual(done.stdout.splitlines(), ["compare", "--git", "main", "--", *pytest], done.stderr)

    def test_a_program_that_is_not_there_is_named(self):
        self.environment["EVENHAND_BINARY"] = "/no/evenhand"
        done = self.python("-m", "pytest", "--evenhand", "test_it.py")
        self.assertEqual(done.returncode, 4)
        self.assertIn("the program /no/evenhand, which does the measuring, was not started", done.stderr)
