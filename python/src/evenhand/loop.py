"""What is timed? A bare loop around the function, with one reading of the clock before it and one after it.

The loop is written out for each benchmark: the function is called as a person would write the call, without `*args`, and the
interpreter specialises the call to this one function.

Tests: `tests/test_loop.py`.
"""

from __future__ import annotations

from itertools import repeat
from math import gcd
from time import perf_counter_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from .benchmarks import Benchmark

    Timed = Callable[[Iterable[Any]], tuple[int, int, Any]]

_LOOP = """
{define} timed(inputs):
    last = None
    start = clock()
    for x in inputs:
        {keep}{wait}function({arguments})
    stop = clock()
    return start, stop, last
"""

clock = perf_counter_ns


def source(benchmark: Benchmark) -> str:
    """The loop around this benchmark, as Python."""
    arguments = [f"{name}=of_{name}" if name in benchmark.by_name else f"of_{name}" for name in benchmark.case]
    if benchmark.options.setup is not None:
        arguments.insert(0, "x")
    return _LOOP.format(
        define="async def" if benchmark.is_async else "def",
        keep="last = " if benchmark.options.check else "",
        wait="await " if benchmark.is_async else "",
        arguments=", ".join(arguments),
    )


def timed(benchmark: Benchmark) -> Timed:
    """Calls the benchmark once for each input, and answers when that began, when it ended, and what the last call returned."""
    known: dict[str, Any] = {f"of_{name}": value for name, value in benchmark.case.items()}
    known.update(clock=clock, function=benchmark.function)
    exec(compile(_bound(source(benchmark), known), "<evenhand loop>", "exec"), known)
    loop: Timed = known["timed"]
    return loop


def _bound(text: str, known: dict[str, Any]) -> str:
    """Names that the loop uses become local ones: a global is looked up again in each iteration."""
    names = ", ".join(f"{name}={name}" for name in known)
    return text.replace("timed(inputs):", f"timed(inputs, {names}):")


def reading() -> tuple[float, float]:
    """The step of the clock, and what a reading of it costs, in nanoseconds: all readings are whole steps apart."""
    pairs = [(clock(), clock()) for _ in range(200)]
    apart = [after - before for before, after in pairs]
    return float(max(gcd(*apart), 1)), float(min(apart))


def empty_iteration(cost: float) -> float:
    """How long an iteration takes in which nothing is done, in nanoseconds: the least of a few turns, because whatever disturbs adds to it."""
    count = 1000
    least = float("inf")
    for _ in range(10):
        start = clock()
        for _ in repeat(None, count):
            pass
        stop = clock()
        least = min(least, (stop - start - cost) / count)
    return max(least, 0.0)
