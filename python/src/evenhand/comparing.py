"""Is one function faster than another? Both are measured in fresh processes by the program `evenhand`, and its answer is a `Result`.

A function is sent to these processes by its name, if they can import it; by cloudpickle, if it was defined in a notebook or a session.

Tests: `tests/test_comparing.py`.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from html import escape

from .program import path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Optional

_SCRIPT = """\
import sys
sys.path[:] = {path!r}
import pickle
with open({file!r}, "rb") as file:
    functions, options = pickle.load(file)
import evenhand
for place, (name, function) in enumerate(functions):
    evenhand.bench(name=name, group="compare", baseline=place == 0, **options)(function)
evenhand.main()
"""


class NotMeasured(Exception):
    """There is no answer. The message says why."""


class Result:
    """What a comparison has found. Of effects, +0.05 is 5 % slower."""

    def __init__(self, comparison: dict[str, Any], margin_percent: float) -> None:
        #: All that the program says of it, as `evenhand analyze --json` has it.
        self.json = comparison
        self.margin_percent = margin_percent
        #: `slower`, `faster`, `same`, `slightly slower`, `slightly faster` or `unclear`.
        self.verdict: str = comparison["verdict"]
        self.sentence: str = comparison["sentence"]
        self.baseline: str = comparison["baseline"]
        self.candidate: str = comparison["candidate"]

    @property
    def is_slower(self) -> bool:
        """The second function is slower, by more than the margin."""
        return self.verdict == "slower"

    @property
    def is_faster(self) -> bool:
        """The second function is faster, by more than the margin."""
        return self.verdict == "faster"

    @property
    def is_same(self) -> bool:
        """Both are the same within the margin."""
        return self.verdict == "same"

    @property
    def effect(self) -> Optional[float]:
        """How much slower the second function is, as far as is known."""
        return self.json["effect"]["estimate"]

    @property
    def interval(self) -> tuple[Optional[float], Optional[float]]:
        """Where the effect is, with the confidence that was asked for; `None` where it has no end."""
        return self.json["effect"]["low"], self.json["effect"]["high"]

    def __bool__(self) -> bool:
        raise TypeError("a Result is neither true nor false: use .is_slower, .is_faster or .is_same")

    def __repr__(self) -> str:
        return self.sentence

    def _repr_markdown_(self) -> str:
        return self.sentence.replace("_", r"\_")

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.sentence)}</p>{self._picture()}"

    def _picture(self) -> str:
        """The interval beside the margin, as a line of SVG; nothing where the interval has no ends."""
        low, high = (None if end is None else 100 * end for end in self.interval)
        if low is None or high is None:
            return ""
        margin = self.margin_percent
        left, right = min(low, -margin), max(high, margin)
        # Room for a number beside each end.
        width, room = 560, 80

        def at(percent: float) -> float:
            return room + (percent - left) / (right - left) * (width - 2 * room)

        estimate = 100 * (self.effect or 0.0)
        text = 'y="21" font-size="11" font-family="sans-serif" fill="currentColor"'
        ends = (
            f'<text x="{at(low) - 8:.1f}" {text} text-anchor="end">{low:+.2f} %</text>'
            f'<text x="{at(high) + 8:.1f}" {text}>{high:+.2f} %</text>'
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="36" role="img" aria-label="{escape(self.sentence)}">'
            f'<rect x="{at(-margin):.1f}" y="4" width="{at(margin) - at(-margin):.1f}" height="26" fill="currentColor" opacity="0.12"/>'
            f'<line x1="{at(0):.1f}" x2="{at(0):.1f}" y1="2" y2="32" stroke="currentColor" opacity="0.5"/>'
            f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="17" y2="17" stroke="#2a6fbb" stroke-width="3"/>'
            f'<circle cx="{at(estimate):.1f}" cy="17" r="4.5" fill="#2a6fbb"/>{ends}</svg>'
        )


def compare(
    baseline: Callable[..., Any],
    candidate: Callable[..., Any],
    *,
    args: Optional[tuple[Any, ...]] = None,
    setup: Optional[Callable[..., Any]] = None,
    check: bool = False,
    seconds: float = 15.0,
    margin: float = 1.0,
    options: Sequence[str] = (),
) -> Result:
    """Measures two functions until the verdict stands, for `seconds` at most.

    >>> def loop():
    ...     total = 0
    ...     for number in range(1000):
    ...         total += number
    ...     return total
    >>> def built_in():
    ...     return sum(range(1000))
    >>> evenhand.compare(loop, built_in)                        # doctest: +SKIP
    built_in is 61.3 % faster than loop [60.8 %, 61.7 %], 99 % sure, ...

    `args` are the arguments of each call; `setup(rng)` makes a new first argument for each, outside the measured time. `check=True` requires
    equal results. `margin` is the change in percent that matters. `options` are further ones of `evenhand bench`.
    """
    given: dict[str, Any] = {"check": check, "setup": setup, "args": None if args is None else [args]}
    functions = list(zip(_names(baseline, candidate), (baseline, candidate)))
    with tempfile.TemporaryDirectory(prefix="evenhand-") as folder:
        file = os.path.join(folder, "functions.pickle")
        with open(file, "wb") as opened:
            opened.write(_pickled((functions, {name: value for name, value in given.items() if value})))
        script = os.path.join(folder, "compare.py")
        with open(script, "w", encoding="utf-8") as opened:
            opened.write(_SCRIPT.format(path=_search_path(), file=file))
        return measured(script, seconds, margin, options)


def measured(script: str, seconds: float, margin: float, options: Sequence[str] = ()) -> Result:
    """What the program finds of a script with a group of two benchmarks."""
    words = [path(), "bench", "--json", "--no-save", "--max-time", f"{seconds}s", "--margin", str(margin), *options]
    try:
        done = subprocess.run([*words, "--", sys.executable, script], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except OSError as why:
        raise NotMeasured(
            f"the program {words[0]}, which does the measuring, was not started: {why.strerror}. Install it, or set EVENHAND_BINARY"
        ) from None
    try:
        analysis = json.loads(done.stdout)
    except ValueError:
        raise NotMeasured(done.stderr.strip() or f"evenhand ended with status {done.returncode}") from None
    if not analysis["comparisons"]:
        raise NotMeasured(done.stderr.strip() or "nothing was compared")
    return Result(analysis["comparisons"][0], margin)


def _names(baseline: Callable[..., Any], candidate: Callable[..., Any]) -> tuple[str, str]:
    """The names that people know. Two functions of one name get their modules, or else old and new."""
    names = [getattr(function, "__name__", type(function).__name__) for function in (baseline, candidate)]
    if names[0] == names[1]:
        names = [f"{function.__module__}.{name}" for function, name in zip((baseline, candidate), names)]
    if names[0] == names[1]:
        names = [f"{names[0]} (old)", f"{names[1]} (new)"]
    return names[0], names[1]


def _search_path() -> list[str]:
    """What this process imports from; the empty entry is the folder in which it runs."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return [os.path.abspath(entry) if entry == "" else entry for entry in sys.path] + [package]


def _pickled(held: Any) -> bytes:
    """With cloudpickle, if it is there: it sends what was defined in a notebook, too."""
    try:
        from cloudpickle import dumps
    except ImportError:
        dumps = pickle.dumps
    functions = [function for _, function in held[0]]
    try:
        sent = dumps(held)
    except Exception as why:
        raise NotMeasured(f"a fresh process cannot be given {_list(functions)}: {why}. Define them in a module") from None
    here = [function for function in functions if getattr(function, "__module__", None) == "__main__"]
    if dumps is pickle.dumps and here:
        raise NotMeasured(f"{_list(here)}: defined in this session, so a fresh process does not have it. Install cloudpickle, or define it in a module")
    return sent


def _list(functions: list[Any]) -> str:
    return ", ".join(getattr(function, "__name__", repr(function)) for function in functions)
