"""How does pytest measure? Tests that take the fixture `benchmark` are benchmarks: `pytest --evenhand` starts the program on them, which
starts pytest again and again as a worker. A worker runs each test with its own fixtures, and the call `benchmark(function)` inside it
serves the turns.

Without `--evenhand` the fixture calls the function once, so that the tests stay tests.

Tests: `tests/test_pytest_plugin.py`.
"""

from __future__ import annotations

import os
import shlex
import sys

import pytest

from .benchmarks import Benchmark, Options
from .program import path
from .worker import Ready, Refused, Worker, descriptors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Optional, Union


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("evenhand")
    group.addoption("--evenhand", action="store_true", help="measure the tests that take `benchmark`, with the program evenhand")
    group.addoption("--evenhand-git", metavar="REV", help="compare them with those of a revision, as evenhand compare --git REV")
    group.addoption("--evenhand-options", metavar="WORDS", default="", help='options for evenhand, such as "--max-time 2s"')


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: Any) -> Optional[int]:
    """Leaves everything to the program, if a person asks for it."""
    revision = config.getoption("evenhand_git")
    if os.environ.get("EVENHAND_WORKER") or not (revision or config.getoption("evenhand")):
        return None
    verb = ["compare", "--git", revision] if revision else ["bench"]
    words = [*verb, *shlex.split(config.getoption("evenhand_options")), "--", *_command(config)]
    program = path()
    sys.stdout.flush()
    try:
        os.execvp(program, [program, *words])
    except OSError as why:
        raise pytest.UsageError(
            f"the program {program}, which does the measuring, was not started: {why.strerror}; install it, or set "
            "EVENHAND_BINARY to its path"
        ) from None


def _command(config: Any) -> list[str]:
    """As it was typed, without our own options."""
    typed, words = iter(config.invocation_params.args), []
    for word in typed:
        word = str(word)
        if word in ("--evenhand-git", "--evenhand-options"):
            next(typed, None)
        elif word != "--evenhand" and not word.startswith("--evenhand-"):
            words.append(word)
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]


def pytest_configure(config: Any) -> None:
    config.addinivalue_line("markers", "benchmark(group): tests of one group are alternatives for evenhand")
    try:
        pipes = descriptors()
    except Refused as why:
        raise pytest.UsageError(str(why)) from None
    served = None if pipes is None else _Served(*pipes)
    if served is not None:
        config.pluginmanager.register(served, "evenhand-served")
        # It refuses fixtures of this name that are not its own. Its options and markers stay known.
        config.pluginmanager.unregister(name="benchmark")
    # Beside pytest-benchmark ours is only there for a host.
    if served is not None or not config.pluginmanager.hasplugin("benchmark"):
        config.pluginmanager.register(_WithFixture(served), "evenhand-fixture")


class _Served:
    """What pytest does where a host has started it."""

    def __init__(self, requests: int, answers: int) -> None:
        self._pipes = (requests, answers)
        self._broken: list[Broken] = []
        self.worker: Optional[TestWorker] = None

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._broken.append(Broken(report.nodeid, f"was not collected: {_last_line(report.longreprtext)}"))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        """Serves the host instead of running the tests."""
        from .messages import Stream

        tests = [Test(item) for item in session.items if "benchmark" in getattr(item, "fixturenames", ())]
        self.worker = TestWorker(Stream(*self._pipes), [*tests, *self._broken])
        self.worker.serve()
        return True


class _WithFixture:
    def __init__(self, served: Optional[_Served]) -> None:
        self._served = served

    @pytest.fixture
    def benchmark(self) -> Fixture:
        """Measures a function: `benchmark(function, *args, **kwargs)` returns what the function returns."""
        return Fixture(self._served.worker if self._served else None)


class Test:
    """A test as a benchmark in the list."""

    __test__ = False

    def __init__(self, item: Any) -> None:
        marker = item.get_closest_marker("benchmark")
        self.item = item
        self.name = item.nodeid
        self.options = _options(item.nodeid, group=marker.kwargs.get("group") or "" if marker else "")

    def parameters(self) -> list[tuple[str, str]]:
        labels = getattr(self.item, "callspec", None)
        params = labels.params.items() if labels else ()
        shown = [(name, str(value)) for name, value in params if isinstance(value, (bool, int, float, str))]
        return [*shown, *Benchmark(None, self.options, {}).parameters()]  # type: ignore[arg-type]


class Broken:
    """A file that could not be collected stands in the list, so that it is not missed."""

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self.why = why
        self.options = _options(name)

    def parameters(self) -> list[tuple[str, str]]:
        return []


def _options(name: str, group: str = "") -> Options:
    return Options(name, group, False, None, None, None, False, None, None, 1)


class Call(Benchmark):
    """A function with the arguments of one call."""

    def __init__(self, function: Callable[..., Any], args: Iterable[Any], kwargs: dict[str, Any]) -> None:
        case = {**{str(place): value for place, value in enumerate(args)}, **kwargs}
        super().__init__(function, _options(getattr(function, "__name__", "function")), case)
        self.by_name = set(kwargs)


class Fixture:
    """The fixture `benchmark`, which is called as that of pytest-benchmark."""

    def __init__(self, worker: Optional[TestWorker]) -> None:
        self._worker = worker
        self.group: Optional[str] = None
        self.name: Optional[str] = None
        self.extra_info: dict[str, Any] = {}

    def __call__(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return self.pedantic(function, args, kwargs)

    def pedantic(
        self,
        target: Callable[..., Any],
        args: Iterable[Any] = (),
        kwargs: Optional[dict[str, Any]] = None,
        setup: Optional[Callable[[], Any]] = None,
        teardown: Optional[Callable[..., Any]] = None,
        rounds: int = 1,
        warmup_rounds: int = 0,
        iterations: int = 1,
    ) -> Any:
        """`setup` runs before each call, and may return its `(args, kwargs)`; `teardown` gets the same after it. How many rounds
        and iterations there are is the host's business.
        """
        del rounds, warmup_rounds, iterations
        call = Call(target, args, kwargs or {})
        around = Around(target, tuple(args), kwargs or {}, setup, teardown)
        if self._worker is not None:
            self._worker.measure(call, around if setup or teardown else None)
        result = around()[2]
        if not call.is_async:
            return result
        import asyncio

        return asyncio.run(result)


class Around:
    """One call with what runs before and after it, none of which is timed."""

    def __init__(
        self,
        target: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        setup: Optional[Callable[[], Any]],
        teardown: Optional[Callable[..., Any]],
    ) -> None:
        self._target, self._args, self._kwargs = target, args, kwargs
        self._setup, self._teardown = setup, teardown

    def __call__(self) -> tuple[int, int, Any]:
        """When the call began and ended, and what it returned."""
        from .loop import clock

        made = self._setup() if self._setup else None
        args, kwargs = made if made is not None else (self._args, self._kwargs)
        start = clock()
        result = self._target(*args, **kwargs)
        stop = clock()
        if self._teardown:
            self._teardown(*args, **kwargs)
        return start, stop, result


class ReadyAround(Ready):
    """A call that has something before or after it is timed by itself, and the times are added."""

    def __init__(self, benchmark: Benchmark, cost: float, around: Around) -> None:
        super().__init__(benchmark, cost)
        self._around = around

    def turn(self, payload: int, iterations: int) -> tuple[int, int, Any]:
        first, spent = 0, 0.0
        for number in range(iterations):
            start, stop, _ = self._around()
            first = first if number else start
            spent += self.wall(start, stop)
        return first, first + round(spent + self._cost), None


class TestWorker(Worker):
    """Serves a host with tests: a test runs while its function is ready."""

    __test__ = False

    def __init__(self, stream: Any, tests: list[Union[Test, Broken]]) -> None:
        super().__init__(stream, tests)  # type: ignore[arg-type]
        self._was_measured = False
        self._refused: Optional[Refused] = None
        self._is_over = False

    def _prepared(self, test: Any) -> bytes:
        """Runs the test, whose call of the fixture has answered the host when it comes back."""
        from _pytest.runner import runtestprotocol

        if isinstance(test, Broken):
            raise Refused(test.why)
        self._was_measured, self._refused = False, None
        reports = runtestprotocol(test.item, log=False, nextitem=None)
        if self._was_measured:
            return b""
        raise self._refused or Refused(_why_not_measured(reports))

    def measure(self, call: Call, around: Optional[Around]) -> None:
        """Serves the host's turns until it has finished with this function."""
        if self._was_measured:
            raise Refused("called benchmark twice: measure one function in each test")
        try:
            ready = Ready(call, self._cost) if around is None else ReadyAround(call, self._cost, around)
            answer = self._made_ready(ready, call)
        except Refused as why:
            self._refused = why
            raise
        self._was_measured = True
        self._stream.send(answer)
        while self._ready is not None and not self._is_over:
            self._is_over = not super()._answer_next()

    def _answer_next(self) -> bool:
        return not self._is_over and super()._answer_next() and not self._is_over


def _why_not_measured(reports: Iterable[Any]) -> str:
    for report in reports:
        if report.failed:
            return f"failed in its {report.when}: {_last_line(report.longreprtext)}"
        if report.skipped:
            return f"was skipped: {_last_line(report.longreprtext)}"
    return "did not call benchmark(function)"


def _last_line(text: str) -> str:
    """What pytest says of a failure ends with its place; the lines marked E say what it was."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    marked = [line[1:].strip() for line in lines if line.startswith("E ")]
    told = [*marked[:1], *(line for line in lines[-1:] if not line.startswith("E "))]
    return " at ".join(told) or "without a word"
