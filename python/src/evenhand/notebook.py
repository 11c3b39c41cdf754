"""How is a cell of a notebook compared? `%load_ext evenhand` adds the magic `%%evenhand`: parts of a cell are alternatives.

    %%evenhand --seconds 5
    # --- setup
    words = ["to", "be", "or", "not"] * 100
    # --- sorted
    sorted(words)
    # --- in place
    words.copy().sort()

A part begins with a line `# --- NAME`. `setup` is run once in each process; the first other part is the baseline.

Tests: `tests/test_notebook.py`.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import textwrap

from .comparing import NotMeasured, Result, measured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

_PART = re.compile(r"^# --- *(?P<name>\S.*?) *$", re.MULTILINE)
_SETUP = "setup"


def evenhand(line: str, cell: str) -> Result:
    """The magic `%%evenhand`."""
    arguments = _arguments(line)
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        script = os.path.join(folder, "cell.py")
        with open(script, "w", encoding="utf-8") as opened:
            opened.write(script_of(cell))
        return measured(script, arguments.seconds, arguments.margin)


def script_of(cell: str) -> str:
    """A benchmark script with a function for each part of a cell."""
    pieces = _PART.split(cell)
    if pieces[0].strip():
        raise NotMeasured("the cell begins with code that belongs to no part: write '# --- setup' above it")
    parts = dict(zip(pieces[1::2], pieces[2::2]))
    setup = parts.pop(_SETUP, "")
    if len(parts) != 2 or len(pieces[1::2]) != len(parts) + (_SETUP in pieces[1::2]):
        raise NotMeasured("a cell compares two parts: begin each with a line '# --- NAME'; '# --- setup' may stand above them")
    functions = [_function(place, name, code) for place, (name, code) in enumerate(parts.items())]
    return "\n".join(["import evenhand", setup, *functions, "evenhand.main()", ""])


def _function(place: int, name: str, code: str) -> str:
    body = textwrap.indent(code.strip("\n") or "pass", "    ")
    if not code.strip():
        raise NotMeasured(f"the part {name} is empty")
    head = f"@evenhand.bench(name={name!r}, group='cell', baseline={place == 0})"
    return f"{head}\ndef part_{place}():\n{body}\n"


class _Options(argparse.ArgumentParser):
    """In a notebook nobody reads what is written to standard error."""

    def error(self, message: str) -> NoReturn:
        raise NotMeasured(f"usage: %%evenhand [--seconds N] [--margin PERCENT]: {message}")


def _arguments(line: str) -> argparse.Namespace:
    parser = _Options(add_help=False)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--margin", type=float, default=1.0)
    return parser.parse_args(line.split())
