"""How do messages become bytes, and bytes messages? Version 1 of `docs/protocol.md`.

Tests: `tests/test_messages.py`, with the bytes of that page.
"""

from __future__ import annotations

import os
from struct import Struct, error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, Optional

MAGIC = b"evenhand"
VERSION = 1
#: No frame is longer.
LONGEST = 1 << 24

HELLO, LIST, PREPARE, RUN, FINISH, BYE = range(1, 7)
ANSWER = 0x80
FAILED = 0xFF

_HEAD = Struct("<IB")
_LENGTH = Struct("<I")
_HELLO = Struct("<8sH")
_PLACE = Struct("<I")
_RUN = Struct("<QB?I")
_TURN = Struct("<Q?")
_HANDED = Struct("<IB")
_FIGURES = Struct("<ddd?")
_RESULTS = Struct("<QI")
_SAMPLE = Struct("<QddI")
_DOUBLE = Struct("<d")


class Malformed(Exception):
    """What came is no message; nothing after it can be trusted."""


class Stream:
    """Frames over two descriptors."""

    def __init__(self, requests: int, answers: int) -> None:
        self._requests = requests
        self._answers = answers
        self._bytes = b""

    def next(self) -> Optional[tuple[int, bytes]]:
        """Waits for a frame, and returns its kind and body. `None` if the stream ends before one begins."""
        while True:
            if len(self._bytes) >= 4:
                (length,) = _LENGTH.unpack_from(self._bytes)
                if not 1 <= length <= LONGEST:
                    raise Malformed(f"a frame of {length} bytes")
                end = 4 + length
                if len(self._bytes) >= end:
                    frame, self._bytes = self._bytes[4:end], self._bytes[end:]
                    return frame[0], frame[1:]
            more = os.read(self._requests, 1 << 16)
            if not more:
                if self._bytes:
                    raise Malformed("an end within a frame")
                return None
            self._bytes += more

    def send(self, frame: bytes) -> None:
        while frame:
            frame = frame[os.write(self._answers, frame) :]


def frame(kind: int, body: bytes = b"") -> bytes:
    return _HEAD.pack(1 + len(body), kind) + body


def text(words: str) -> bytes:
    encoded = words.encode("utf-8", "backslashreplace")
    return _LENGTH.pack(len(encoded)) + encoded


def listed(parts: Sequence[bytes]) -> bytes:
    return _LENGTH.pack(len(parts)) + b"".join(parts)


def version_of(body: bytes) -> int:
    """The newest version of the host that says hello."""
    magic, version = _whole(_HELLO, body)
    if magic != MAGIC:
        raise Malformed("no hello of evenhand")
    return int(version)


def place_of(body: bytes) -> int:
    """The place of the benchmark to prepare."""
    return int(_whole(_PLACE, body)[0])


def run_of(body: bytes) -> tuple[int, bool, list[int], bool]:
    """What to run: iterations, whether to ask for waits, a payload for each turn, and whether any turn is on the page."""
    try:
        iterations, _slot, waits, count = _RUN.unpack_from(body)
        at, payloads, on_page = _RUN.size, [], False
        for _ in range(count):
            payload, handed = _TURN.unpack_from(body, at)
            at += _TURN.size + (_HANDED.size if handed else 0)
            payloads.append(payload)
            on_page = on_page or handed
    except error as wrong:
        raise Malformed("turns that are cut off") from wrong
    if at != len(body):
        raise Malformed(f"turns of {len(body)} bytes instead of {at}")
    return iterations, waits, payloads, on_page


def _whole(shape: Struct, body: bytes) -> tuple[Any, ...]:
    if len(body) != shape.size:
        raise Malformed(f"a message of {len(body)} bytes instead of {shape.size}")
    return shape.unpack(body)


def hello(language: str, clock: str, resolution: float, cost: float, iteration: float) -> bytes:
    """Who we are. Turns on the page are not taken: a pipe is faster than a futex from Python."""
    start = _HELLO.pack(MAGIC, VERSION) + text(language) + text(clock)
    return frame(ANSWER | HELLO, start + _FIGURES.pack(resolution, cost, iteration, False))


def benchmark(name: str, group: str, baseline: bool, parameters: Iterable[tuple[str, str]]) -> bytes:
    """One benchmark of the list."""
    pairs = [text(name) + text(value) for name, value in parameters]
    return text(name) + text(group) + (b"\1" if baseline else b"\0") + listed(pairs)


def benchmarks(described: Sequence[bytes]) -> bytes:
    return frame(ANSWER | LIST, listed(described))


def prepared(once: float, threads: int, amounts: Iterable[tuple[str, float]]) -> bytes:
    done = [text(what) + _DOUBLE.pack(amount) for what, amount in amounts]
    no_metrics = _LENGTH.pack(0)
    return frame(ANSWER | PREPARE, _DOUBLE.pack(once) + _LENGTH.pack(threads) + listed(done) + no_metrics)


def results(verification: int, samples: Sequence[tuple[int, float, float]]) -> bytes:
    """Samples: when each turn started, how long it took, how long it waited for others."""
    parts = [_SAMPLE.pack(started, wall, waited, 0) for started, wall, waited in samples]
    return frame(ANSWER | RUN, _RESULTS.pack(verification, len(parts)) + b"".join(parts))


def failed(why: str) -> bytes:
    return frame(FAILED, text(why))


def done() -> bytes:
    return frame(ANSWER | FINISH)
