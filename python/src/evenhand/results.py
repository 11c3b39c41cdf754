"""Do two functions return the same? A number is made of what a function returned, the same in every process.

Python's own `hash` differs from start to start for text, so the value is written out as bytes: a letter for its type, then what it holds.
The order of sets and dicts does not count.

Tests: `tests/test_results.py`.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class NotComparable(Exception):
    """A value of a type that is not compared."""


def verification(value: Any) -> int:
    """Never 0, which means that there is none."""
    digest = blake2b(_bytes_of(value), digest_size=8).digest()
    return int.from_bytes(digest, "little") | 1


def _bytes_of(value: Any) -> bytes:
    if value is None:
        return b"n"
    kind = type(value)
    if kind is bool:
        return b"t" if value else b"f"
    if kind is int:
        return _with_length(b"i", str(value).encode() if abs(value) < 1 << 64 else hex(value).encode())
    if kind is float:
        return b"d" + pack("<d", value)
    if kind is complex:
        return b"c" + pack("<dd", value.real, value.imag)
    if kind is str:
        return _with_length(b"s", value.encode("utf-8", "surrogatepass"))
    if kind in (bytes, bytearray, memoryview):
        return _with_length(b"b", bytes(value))
    return _bytes_of_several(value)


def _bytes_of_several(value: Any) -> bytes:
    """Lists and tuples, also named ones; sets and dicts; and what can tell its elements as a list, such as an array."""
    if isinstance(value, (list, tuple)):
        return _with_length(b"l", b"".join(map(_bytes_of, value)))
    if isinstance(value, (set, frozenset)):
        return _with_length(b"e", b"".join(sorted(map(_bytes_of, value))))
    if isinstance(value, dict):
        pairs = sorted(_bytes_of(key) + _bytes_of(held) for key, held in value.items())
        return _with_length(b"m", b"".join(pairs))
    if hasattr(value, "tolist"):
        return _with_length(b"a", _bytes_of(value.tolist()))
    raise NotComparable(
        f"check=True cannot compare a {type(value).__qualname__}: give check= a function that makes numbers, text, bytes, "
        "or lists, tuples, dicts and sets of them"
    )


def _with_length(kind: bytes, held: bytes) -> bytes:
    return kind + pack("<Q", len(held)) + held
