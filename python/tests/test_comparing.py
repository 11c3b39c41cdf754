"""Is one function faster than another?

With the real program where it is found (EVENHAND_BINARY, PATH or a build of this copy), else these tests are skipped.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from evenhand import NotMeasured, Result, compare

ROOT = os.path.join(os.path.dirname(__file__), "..", "..")
FOLDER = os.path.join(os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target")), "debug", "evenhand")
PROGRAM = os.environ.get("EVENHAND_BINARY") or shutil.which("evenhand") or (FOLDER if os.path.exists(FOLDER) else None)
NEEDS_PROGRAM = unittest.skipUnless(PROGRAM, "the program evenhand was not built")


def short():
    return sum(range(2000))


def long():
    return sum(range(4000))


def fails():
    raise ValueError("bad size")


def with_ends(low, high):
    effect = {"estimate": 0.05, "low": low, "high": high}
    return Result({"verdict": "slower", "sentence": "<b> is 5 % slower than a_b", "baseline": "a_b", "candidate": "<b>", "effect": effect}, 1.0)


class Results(unittest.TestCase):
    def test_a_result_is_shown_with_its_interval(self):
        result = with_ends(0.04, 0.06)
        self.assertTrue(result.is_slower)
        self.assertFalse(result.is_faster or result.is_same)
        self.assertEqual((result.effect, result.interval), (0.05, (0.04, 0.06)))
        self.assertEqual(repr(result), "<b> is 5 % slower than a_b")
        self.assertEqual(result._repr_markdown_(), r"<b> is 5 % slower than a\_b")
        page = result._repr_html_()
        self.assertIn("&lt;b&gt; is 5 % slower", page)
        self.assertNotIn("<b>", page)
        self.assertIn("+4.00 %", page)
        self.assertIn("+6.00 %", page)

    def test_an_interval_without_an_end_has_no_picture(self):
        self.assertNotIn("<svg", with_ends(0.04, None)._repr_html_())

    def test_a_result_is_no_condition(self):
        with self.assertRaisesRegex(TypeError, "use .is_slower"):
            bool(with_ends(0.04, 0.06))


@NEEDS_PROGRAM
class Comparisons(unittest.TestCase):
    def setUp(self):
        patch = mock.patch.dict(os.environ, {"EVENHAND_BINARY": PROGRAM})
        patch.start()
        self.addCleanup(patch.stop)

    def test_functions_of_a_module_are_compared(self):
        result = compare(short, long, seconds=30, options=["--launches", "1", "--rounds-per-launch", "40"])
        self.assertEqual((result.baseline, result.candidate), ("short", "long"))
        self.assertTrue(result.is_slower, result)
        self.assertGreater(result.effect, 0.3)

    def test_arguments_are_handed_to_both(self):
        result = compare(sorted, list, args=([3, 1, 2],), seconds=30, options=["--launches", "1", "--rounds-per-launch", "5"])
        self.assertTrue(result.baseline.startswith("sorted"), result.baseline)

    def test_what_fails_is_said(self):
        with self.assertRaisesRegex(NotMeasured, "bad size"):
            compare(fails, fails, seconds=5)

    def test_a_function_of_a_session_needs_cloudpickle(self):
        session = (
            "import evenhand\n"
            "def one(): return 1\n"
            "def two(): return 2\n"
            "try:\n    print(evenhand.compare(one, two, seconds=20, options=['--launches', '1', '--rounds-per-launch', '5']).candidate)\n"
            "except evenhand.NotMeasured as why:\n    print(why)\n"
        )
        environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "python", "src")}
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-c", session]
            done = subprocess.run(run, cwd=folder, env=environment, capture_output=True, text=True, check=True)
        try:
            import cloudpickle  # noqa: F401
        except ImportError:
            self.assertIn("Install cloudpickle, or define it in a module", done.stdout)
        else:
            self.assertEqual(done.stdout, "two\n")

    def test_a_program_that_is_not_there_is_named(self):
        with mock.patch.dict(os.environ, {"EVENHAND_BINARY": "/no/such/evenhand"}):
            with self.assertRaisesRegex(NotMeasured, "/no/such/evenhand.*was not started"):
                compare(short, long)
