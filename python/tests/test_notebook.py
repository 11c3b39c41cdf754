"""How is a cell of a notebook compared?"""

import os
import unittest
from unittest import mock

import evenhand
from evenhand import NotMeasured
from evenhand.notebook import evenhand as magic
from evenhand.notebook import script_of

from .test_comparing import NEEDS_PROGRAM, PROGRAM

CELL = """\
# --- setup
numbers = list(range(1000))
# --- one
sum(numbers)
# --- three times
for _ in range(3):
    sum(numbers)
"""

try:
    from IPython.core.interactiveshell import InteractiveShell
except ImportError:
    InteractiveShell = None


class Cells(unittest.TestCase):
    def test_a_cell_becomes_a_script(self):
        script = script_of(CELL)
        compile(script, "cell.py", "exec")
        self.assertIn("name='three times', group='cell', baseline=False", script)
        self.assertLess(script.index("numbers = "), script.index("@evenhand.bench(name='one', group='cell', baseline=True)"))

    def test_what_is_no_comparison_is_refused(self):
        for cell in ("sum([])", "# --- one\nsum([])\n", CELL + "# --- four\npass\n", "# --- one\n1\n# --- one\n2\n", "# --- a\n# --- b\n1\n"):
            with self.assertRaises(NotMeasured, msg=cell):
                script_of(cell)
        with self.assertRaisesRegex(NotMeasured, "usage: %%evenhand"):
            magic("--fast", CELL)

    @NEEDS_PROGRAM
    def test_the_parts_of_a_cell_are_compared(self):
        with mock.patch.dict(os.environ, {"EVENHAND_BINARY": PROGRAM}):
            result = magic("--seconds 8 --margin 5", CELL)
        self.assertEqual((result.baseline, result.candidate), ("one", "three times"))
        self.assertGreater(result.effect, 0.5)
        self.assertEqual(result.margin_percent, 5.0)

    @unittest.skipUnless(InteractiveShell, "this Python has no IPython")
    def test_the_magic_is_registered(self):
        shell = InteractiveShell()
        evenhand.load_ipython_extension(shell)
        with self.assertRaisesRegex(NotMeasured, "compares two parts"):
            shell.run_cell_magic("evenhand", "", "# --- one\n1\n")
