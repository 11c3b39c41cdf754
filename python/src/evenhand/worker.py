"""How is the host served? See `docs/protocol.md`. The host asks, and each request has one answer.

Tests: `tests/test_worker.py`, with a host that is made of two pipes.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from itertools import repeat

from . import messages
from .benchmarks import duplicate, source_line
from .loop import clock, empty_iteration, reading, timed
from .messages import Malformed, Stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Optional

    from .benchmarks import Benchmark

VARIABLE = "EVENHAND_WORKER"

#: When its turns have taken this long together, the pilot of a benchmark is over, in nanoseconds.
PILOT = 200_000
#: It has at most this many turns,
MOST_PILOTS = 5
#: each about this long, in nanoseconds,
SHORT_PILOT = 20_000
#: with this many iterations at most.
MOST_ITERATIONS = 10_000

#: All inputs of a turn are made in this time, in nanoseconds: the host knows how long the calls take, and waits a second longer.
LONGEST_MAKING = 500_000_000

#: When other threads of the program ran longer than this during some turns, in nanoseconds, the turns may have waited for them.
OWN_WORK = 20_000

NOT_KNOWN = float("nan")


class Refused(Exception):
    """What was asked cannot be done, in words for the user."""


class Ready:
    """A benchmark that is ready."""

    def __init__(self, benchmark: Benchmark, cost: float) -> None:
        self._benchmark = benchmark
        self._cost = cost
        #: How long it took to make the first input.
        self._making = 0
        self._timed: Callable[[Iterable[Any]], Any] = timed(benchmark)
        self._rng: Any = None
        self._events: Any = None
        if benchmark.options.setup is not None:
            import random

            self._rng = random.Random()
        if benchmark.is_async:
            import asyncio

            # Kept open: to make a loop takes a thousand times as long as to wait for a coroutine that does nothing.
            self._events = asyncio.new_event_loop()

    def turn(self, payload: int, iterations: int) -> tuple[int, int, Any]:
        """When the turn began and ended, and what its last call returned."""
        inputs = self._inputs(payload, iterations)
        if self._events is None:
            begun, ended, last = self._timed(inputs)
        else:
            begun, ended, last = self._events.run_until_complete(self._timed(inputs))
        return begun, ended, last

    def _inputs(self, payload: int, iterations: int) -> Iterable[Any]:
        if self._rng is None:
            return repeat(None, iterations)
        self._rng.seed(payload)
        make, rng, began = self._benchmark.make_input, self._rng, clock()
        inputs = [make(rng) for _ in range(iterations)]
        self._making = self._making or clock() - began
        return inputs

    def wall(self, begun: int, ended: int) -> float:
        """How long a turn took, without what reading the clock takes."""
        return max(ended - begun - self._cost, 0.0)

    def pilot(self) -> float:
        """About how long one iteration takes, in nanoseconds: the least of a few turns, or of the first alone, if it was long."""
        least, spent = float("inf"), 0.0
        for turn in range(MOST_PILOTS):
            # Many at once, where one is no more than reading the clock.
            iterations = 1 if turn == 0 else int(min(max(SHORT_PILOT / max(least, 1.0), 1), MOST_ITERATIONS))
            took = self.wall(*self.turn(0, iterations)[:2])
            least, spent = min(least, took / iterations), spent + took
            if spent > PILOT:
                break
        self._refuse_slow_inputs(self._benchmark.iterations_of(least))
        return least

    def _refuse_slow_inputs(self, iterations: int) -> None:
        if iterations > 1 and self._making * iterations > LONGEST_MAKING:
            fewer = max(1, LONGEST_MAKING // self._making)
            raise Refused(
                f"its setup takes {self._making / 1e6:.0f} ms for an input, and a sample of {iterations} calls needs as many: "
                f"make it faster, or give iterations={fewer}"
            )

    def verification(self, last: Any) -> int:
        """A number for what was returned last, which the host compares with that of the other side. 0: nothing is compared."""
        check = self._benchmark.options.check
        if not check:
            return 0
        from .results import NotComparable, verification

        try:
            return verification(check(last) if callable(check) else last)
        except NotComparable as why:
            raise Refused(str(why)) from None

    def close(self) -> None:
        if self._events is not None:
            self._events.run_until_complete(self._events.shutdown_asyncgens())
            self._events.close()
            self._events = None


class Worker:
    """Serves one host."""

    def __init__(self, stream: Stream, benchmarks: Sequence[Benchmark]) -> None:
        self._stream = stream
        self._benchmarks = benchmarks
        self._ready: Optional[Ready] = None
        self._resolution, self._cost = reading()
        self._greeted = clock()
        self._schedule: Optional[int] = None

    def serve(self) -> None:
        """Until the host says bye or goes away."""
        try:
            while self._answer_next():
                pass
        except Malformed as why:
            print(f"error: the host sent {why}", file=sys.stderr)
        except BrokenPipeError:
            # The host is gone, and nobody is left to tell.
            pass
        finally:
            self._put_away()

    def _answer_next(self) -> bool:
        request = self._stream.next()
        if request is None or request[0] == messages.BYE:
            return False
        kind, body = request
        answer = _ANSWERS.get(kind)
        if answer is None:
            raise Malformed(f"a request of the unknown kind {kind}")
        try:
            self._stream.send(answer(self, body))
        except Refused as why:
            self._stream.send(messages.failed(str(why)))
        return True

    def _hello(self, body: bytes) -> bytes:
        messages.version_of(body)
        iteration = empty_iteration(self._cost)
        self._greeted = clock()
        return messages.hello(_language(), "perf_counter_ns", self._resolution, self._cost, iteration)

    def _list(self, body: bytes) -> bytes:
        _refuse_body(body)
        two_alike = duplicate()
        if two_alike:
            raise Refused(two_alike)
        return messages.benchmarks(
            [
                messages.benchmark(one.name, one.options.group, one.options.baseline, one.parameters())
                for one in self._benchmarks
            ]
        )

    def _prepare(self, body: bytes) -> bytes:
        place = messages.place_of(body)
        if place >= len(self._benchmarks):
            raise Refused(f"no benchmark {place} here")
        self._put_away()
        try:
            return self._prepared(self._benchmarks[place])
        except Refused:
            self._put_away()
            raise

    def _prepared(self, benchmark: Benchmark) -> bytes:
        return self._made_ready(Ready(benchmark, self._cost), benchmark)

    def _made_ready(self, ready: Ready, benchmark: Benchmark) -> bytes:
        self._ready = ready
        with Telling():
            once = ready.pilot()
            amounts = benchmark.amounts()
        _refuse_code_of_checkout()
        # What the imports and the pilot left behind is not collected in somebody's turn.
        gc.collect()
        return messages.prepared(once, benchmark.options.threads, amounts)

    def _run(self, body: bytes) -> bytes:
        iterations, waits, payloads, on_page = messages.run_of(body)
        ready = self._ready
        if ready is None:
            raise Refused("no benchmark is ready: prepare one first")
        if on_page:
            raise Refused("this worker takes no turns on a page")
        our_threads = _our_threads() if waits else 0
        samples, verification = [], 0
        with Telling():
            for payload in payloads:
                sample, last = self._sample(ready, payload, iterations, waits)
                samples.append(sample)
                verification = _rotated(verification) ^ ready.verification(last)
                del last
        if waits and _our_threads() - our_threads > OWN_WORK:
            samples = [(started, wall, NOT_KNOWN) for started, wall, _ in samples]
        return messages.results(verification, samples)

    def _sample(
        self, ready: Ready, payload: int, iterations: int, waits: bool
    ) -> tuple[tuple[int, float, float], Any]:
        if not waits:
            begun, ended, last = ready.turn(payload, iterations)
            return (begun - self._greeted, ready.wall(begun, ended), NOT_KNOWN), last
        asked, before = clock(), self._waited()
        begun, ended, last = ready.turn(payload, iterations)
        waited = self._waited() - before
        outside = begun - asked + clock() - ended
        wall = ready.wall(begun, ended)
        return (begun - self._greeted, wall, _inside(waited, outside, wall)), last

    def _waited(self) -> float:
        """Nanoseconds in which this thread was ready to run, but others had the processor."""
        try:
            if self._schedule is None:
                self._schedule = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
            return float(os.pread(self._schedule, 100, 0).split()[1])
        except (OSError, IndexError, ValueError):
            return NOT_KNOWN

    def _finish(self, body: bytes) -> bytes:
        _refuse_body(body)
        if self._ready is None:
            raise Refused("no benchmark is ready: prepare one first")
        self._put_away()
        return messages.done()

    def _put_away(self) -> None:
        ready, self._ready = self._ready, None
        if ready is not None:
            ready.close()


_ANSWERS: dict[int, Callable[[Worker, bytes], bytes]] = {
    messages.HELLO: Worker._hello,
    messages.LIST: Worker._list,
    messages.PREPARE: Worker._prepare,
    messages.RUN: Worker._run,
    messages.FINISH: Worker._finish,
}


class Telling:
    """What the user's code raises becomes a sentence for the host, and the worker goes on."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, raised: Any, traceback: Any) -> None:
        if kind is None or kind in (KeyboardInterrupt, Refused):
            return
        where = source_line(traceback)
        place = f" at {where}" if where else ""
        if kind is SystemExit:
            raise Refused(f"called sys.exit({raised.code!r}){place}: return from the function instead") from None
        told = f"{kind.__name__}: {raised}" if str(raised) else kind.__name__
        raise Refused(f"raised {told}{place}") from raised


def _refuse_body(body: bytes) -> None:
    if body:
        raise Malformed(f"a message of {len(body)} bytes instead of 0")


def _refuse_code_of_checkout() -> None:
    """Where two revisions are compared, each has a folder of its own. A module from the user's checkout would be the same on both sides."""
    checkout, tree = os.environ.get("EVENHAND_CHECKOUT"), os.environ.get("EVENHAND_TREE")
    if not checkout or not tree:
        return
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) or ""
        inside = file.startswith(checkout + os.sep) and not file.startswith(tree + os.sep)
        if inside and "site-packages" not in file.split(os.sep):
            raise Refused(
                f"imports {name} from {file}, not from the revision: remove that folder from sys.path, or compare two "
                "interpreters, each with its revision installed"
            )


def _inside(waited: float, outside: int, wall: float) -> float:
    """Nanoseconds that surely lie inside the turn. A claim of more than the whole turn is not believed."""
    inside = waited - outside
    if inside != inside:
        return NOT_KNOWN
    return inside if 0.0 <= inside < wall else 0.0


def _our_threads() -> int:
    """How long all other threads of this process have run, in nanoseconds."""
    return time.process_time_ns() - time.thread_time_ns()


def _rotated(number: int) -> int:
    return (number << 1 | number >> 63) & 0xFFFF_FFFF_FFFF_FFFF


def _language() -> str:
    from . import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    name = {"cpython": "CPython", "pypy": "PyPy"}.get(sys.implementation.name, sys.implementation.name)
    return f"{name} {version}, evenhand {__version__}"


def descriptors() -> Optional[tuple[int, int]]:
    """Where the host that started this program listens and speaks. `None`: a person started it."""
    said = os.environ.pop(VARIABLE, None)
    if said is None:
        return None
    numbers = said.split(",")
    if len(numbers) not in (2, 3) or not all(number.isdecimal() and int(number) >= 3 for number in numbers):
        raise Refused(f"{VARIABLE} is {said!r}, which does not name two file descriptors")
    for number in numbers:
        # Programs that a benchmark starts have no business with the host.
        os.set_inheritable(int(number), False)
    return int(numbers[0]), int(numbers[1])


#: What is allocated from now on lies somewhere else in each launch, as the stack does: the host gives each a variable of random length.
_padding = b""


def serve(requests: int, answers: int, benchmarks: Sequence[Benchmark]) -> None:
    """Serves the host at these descriptors."""
    global _padding
    _padding = bytes(len(os.environ.get("EVENHAND_PADDING", "")))
    Worker(Stream(requests, answers), benchmarks).serve()
