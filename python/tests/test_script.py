"""What does a benchmark script do when it is started?"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest

SOURCES = os.path.join(os.path.dirname(__file__), "..", "src")
BENCH = """
import evenhand

@evenhand.bench
def sums():
    return sum(range(10))
"""
WITH_MAIN = BENCH + """
if __name__ == "__main__":
    evenhand.main()
"""
HELLO = struct.pack("<IB8sH", 11, 1, b"evenhand", 1)
LIST = struct.pack("<IB", 1, 2)
BYE = struct.pack("<IB", 1, 6)


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.realpath(folder.name)
        # Stands where the program is, and says how it was called.
        self.write("evenhand", '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n')
        os.chmod(self.path("evenhand"), 0o755)
        variables = {"PYTHONPATH": SOURCES, "EVENHAND_BINARY": self.path("evenhand"), "PATH": os.environ["PATH"]}
        self.environment = variables

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def python(self, *words, **options):
        environment = {**self.environment, **options.pop("variables", {})}
        return subprocess.run(
            [sys.executable, *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60, **options
        )

    def served(self, *words):
        """What a script answers to hello, list and bye, by the kinds of the answers; and what it wrote elsewhere."""
        requests, to_worker = os.pipe()
        from_worker, answers = os.pipe()
        os.write(to_worker, HELLO + LIST + BYE)
        os.close(to_worker)
        variables = {"EVENHAND_WORKER": f"{requests},{answers}"}
        done = self.python(*words, variables=variables, pass_fds=(requests, answers))
        for end in (requests, answers):
            os.close(end)
        with os.fdopen(from_worker, "rb") as pipe:
            answered, kinds = pipe.read(), []
        while answered:
            (length,) = struct.unpack_from("<I", answered)
            kinds.append(answered[4])
            answered = answered[4 + length :]
        return kinds, done


class AHostIsServed(Scripts):
    def test_by_a_script_that_ends_with_main_and_by_any_that_we_load(self):
        self.write("main.py", WITH_MAIN)
        self.write("bare.py", BENCH)
        for words in [["main.py"], ["-m", "evenhand", "main.py"], ["-m", "evenhand", "bare.py"]]:
            kinds, done = self.served(*words)
            self.assertEqual((kinds, done.returncode, done.stderr), ([129, 130], 0, ""), words)

    def test_what_it_prints_does_not_come_between(self):
        self.write("prints.py", "print('loud')\n" + WITH_MAIN)
        kinds, done = self.served("prints.py")
        self.assertEqual((kinds, done.stdout), ([129, 130], "loud\n"))

    def test_a_script_has_its_own_folder_and_arguments_and_is_the_main_module(self):
        os.mkdir(self.path("sub"))
        self.write("sub/beside.py", "")
        self.write("sub/own.py", "import sys, pickle, beside\nclass C: pass\npickle.dumps(C())\nprint(sys.argv, __name__)\n" + BENCH)
        kinds, done = self.served("-m", "evenhand", "sub/own.py", "x")
        self.assertEqual((kinds, done.stdout), ([129, 130], "['sub/own.py', 'x'] __main__\n"), done.stderr)

    def test_variables_that_name_no_pipes_are_refused(self):
        self.write("main.py", WITH_MAIN)
        done = self.python("main.py", variables={"EVENHAND_WORKER": "3"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: EVENHAND_WORKER is '3', which does not name two file descriptors", done.stderr)


class APersonGetsTheProgram(Scripts):
    def test_it_is_told_how_the_script_was_started_and_with_which_options(self):
        self.write("main.py", WITH_MAIN)
        done = self.python("main.py", "--max-time", "1s", "sum")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout.split("\n"), ["bench", "--max-time", "1s", "sum", "--", sys.executable, "main.py", ""])
        done = self.python("-m", "evenhand", "main.py", "sum")
        self.assertEqual(done.stdout.split("\n"), ["bench", "sum", "--", sys.executable, "-m", "evenhand", "main.py", ""])

    @unittest.skipIf(sys.version_info < (3, 10), "Python 3.9 does not know what was typed")
    def test_options_of_the_interpreter_are_kept(self):
        self.write("main.py", WITH_MAIN)
        done = self.python("-O", "-X", "utf8", "main.py")
        self.assertEqual(done.stdout.split("\n"), ["bench", "--", sys.executable, "-O", "-X", "utf8", "main.py", ""])

    def test_a_program_that_is_not_there_is_named_with_the_next_step(self):
        self.write("main.py", WITH_MAIN)
        done = self.python("main.py", variables={"EVENHAND_BINARY": "/no/evenhand"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: the program /no/evenhand, which does the measuring, was not started", done.stderr)
        self.assertIn("set EVENHAND_BINARY", done.stderr)

    def test_help_is_given(self):
        asked, wrong = self.python("-m", "evenhand", "--help"), self.python("-m", "evenhand")
        self.assertEqual((asked.returncode, wrong.returncode), (0, 2))
        self.assertIn("evenhand compare --git main bench.py", asked.stdout)
        self.assertEqual(asked.stdout, wrong.stderr)


class AScriptThatCannotBeLoadedIsNamed(Scripts):
    def said(self, text):
        self.write("bench.py", text)
        done = self.python("-m", "evenhand", "bench.py")
        return done.returncode, done.stderr

    def test_a_missing_module_is_named_with_the_interpreter_and_the_place(self):
        status, said = self.said("import evenhand\nimport nonesuch\n")
        self.assertEqual(status, 2)
        self.assertIn(f"error: bench.py:2 needs the module nonesuch, which {sys.executable} does not have: install it", said)

    def test_a_missing_file_is_named(self):
        done = self.python("-m", "evenhand", "nowhere.py")
        self.assertEqual((done.returncode, done.stderr), (2, "error: nowhere.py: no such file\n"))

    def test_a_script_that_ends_itself_is_named_with_the_place(self):
        self.assertEqual(self.said("import sys\nsys.exit(4)\n"), (4, "error: bench.py called sys.exit(4) at bench.py:2\n"))
        self.assertEqual(self.said("import sys\nsys.exit('no data')\n"), (2, "error: no data\n"))

    def test_anything_else_has_its_traceback(self):
        status, said = self.said("import evenhand\n1 // 0\n")
        self.assertEqual(status, 1)
        self.assertRegex(said, r'bench.py", line 2(?s:.*)ZeroDivisionError')
