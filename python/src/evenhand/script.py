"""What does a benchmark script do when it is started? A host that has started it is served; for a person it starts `evenhand bench`.

Tests: `tests/test_script.py`.
"""

from __future__ import annotations

import os
import sys

from .benchmarks import registered, source_line
from .program import path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import NoReturn, Optional

USAGE = """\
usage: python -m evenhand FILE [OPTION OF evenhand bench]... [FILTER]...

Measures the functions of FILE that are decorated with @evenhand.bench.

  python -m evenhand bench.py                  all of them
  python -m evenhand bench.py sort             only those with `sort` in their name
  evenhand compare old.py new.py               two files
  evenhand compare --git main bench.py         two revisions
"""

_has_served = False
#: `python -m evenhand` has loaded the script.
_is_loaded = False


def main() -> None:
    """Serves the host that has started this script, or starts `evenhand bench` on it with the options that it was given.

    Write it at the end of the script, after all benchmarks.
    """
    status = _main()
    if status:
        sys.exit(status)


def _main() -> int:
    from .worker import Refused, descriptors, serve

    global _has_served
    if _has_served:
        return 0
    try:
        pipes = descriptors()
    except Refused as why:
        return _wrong(str(why))
    if pipes is None:
        return _start_host()
    _has_served = True
    serve(*pipes, registered)
    return 0


def load_and_serve(arguments: list[str]) -> int:
    """`python -m evenhand FILE …`. The file may end with `evenhand.main()`, but need not."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    file = arguments[0]
    if not os.path.isfile(file):
        return _wrong(f"{file}: no such file")
    global _is_loaded
    _is_loaded = True
    sys.argv = arguments
    if not getattr(sys.flags, "safe_path", False):
        sys.path[0] = os.path.dirname(os.path.abspath(file))
    try:
        _load(file)
    except ModuleNotFoundError as missing:
        return _wrong(
            f"{source_line(missing.__traceback__)} needs the module {missing.name}, which {sys.executable} does not have: "
            f"install it there, or start another interpreter: evenhand bench -- path/to/python -m evenhand {file}"
        )
    except SystemExit as left:
        return _left(file, left)
    return _main()


def _load(file: str) -> ModuleType:
    """As `python FILE` does: the file is `__main__`, so that its classes can be pickled and its own `evenhand.main()` is called."""
    with open(file, "rb") as opened:
        code = compile(opened.read(), os.path.abspath(file), "exec")
    module = type(sys)("__main__")
    module.__file__ = os.path.abspath(file)
    module.__dict__["__builtins__"] = __builtins__
    sys.modules["__main__"] = module
    exec(code, module.__dict__)
    return module


def _left(file: str, left: SystemExit) -> int:
    """A file that ends itself after it has served is done; one that does so before can never be measured."""
    if _has_served or left.code in (None, 0):
        return 0
    if isinstance(left.code, int):
        where = source_line(left.__traceback__)
        print(f"error: {file} called sys.exit({left.code}){' at ' + where if where else ''}", file=sys.stderr)
        return left.code
    return _wrong(str(left.code))


def _start_host() -> int:
    """The program `evenhand` measures, because it keeps what was measured before."""
    program = path()
    words = [program, "bench", *sys.argv[1:], "--", *_command()]
    sys.stdout.flush()
    try:
        os.execvp(program, words)
    except OSError as why:
        _wrong(f"the program {program}, which does the measuring, was not started: {why.strerror}")
        print("hint: install it (docs/install.md), or set EVENHAND_BINARY to its path", file=sys.stderr)
        return 2


def _command() -> list[str]:
    """How this script was started, without the options that were given to it."""
    typed: list[str] = getattr(sys, "orig_argv", [])
    if typed:
        return [sys.executable, *typed[1 : len(typed) - len(sys.argv[1:])]]
    # Python 3.9 does not know what was typed.
    return [sys.executable, *(["-m", "evenhand"] if _is_loaded else []), sys.argv[0]]


def _wrong(what: str) -> int:
    print(f"error: {what}", file=sys.stderr)
    return 2
