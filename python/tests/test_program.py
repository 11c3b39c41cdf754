"""Which program measures: the one that is asked for, else that of this environment, else any in PATH."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from evenhand import program


class TheProgram(unittest.TestCase):
    def path(self, folder, **environment):
        with mock.patch.dict(os.environ, environment, clear=True):
            with mock.patch("sysconfig.get_path", return_value=str(folder)):
                return program.path()

    def test_is_that_of_the_environment_if_it_can_be_run(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.path(folder), "evenhand")
            own = Path(folder) / "evenhand"
            own.touch()
            self.assertEqual(self.path(folder), "evenhand")
            own.chmod(0o755)
            self.assertEqual(self.path(folder), str(own))

    def test_is_the_one_that_is_asked_for_whatever_there_is(self):
        self.assertEqual(self.path("/", EVENHAND_BINARY="/opt/evenhand"), "/opt/evenhand")
