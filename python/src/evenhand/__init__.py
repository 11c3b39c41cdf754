"""Benchmarks of Python functions, which the program `evenhand` measures.

    import evenhand

    @evenhand.bench
    def sums():
        return sum(range(1000))

    if __name__ == "__main__":
        evenhand.main()

Then `evenhand bench bench.py`, or `evenhand compare old.py new.py`, or `evenhand compare --git main bench.py`.

| file | question |
|---|---|
| `benchmarks.py` | what does a benchmark say? |
| `loop.py` | what is timed? |
| `results.py` | do two functions return the same? |
| `messages.py` | how do messages become bytes, and bytes messages? |
| `worker.py` | how is the host served? |
| `script.py` | what does a benchmark script do when it is started? |
| `pytest_plugin.py` | how does pytest measure? |
| `comparing.py` | is one function faster than another? |
| `notebook.py` | how is a cell of a notebook compared? |

Only what every start needs is imported at the top of a file: a benchmark is started some hundred times.

Tests: `python/tests`.
"""

from __future__ import annotations

from .benchmarks import bench
from .script import main

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .comparing import NotMeasured, Result, compare

__all__ = ["NotMeasured", "Result", "bench", "compare", "main"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("NotMeasured", "Result", "compare"):
        from . import comparing

        return getattr(comparing, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext evenhand` in a notebook."""
    from .notebook import evenhand

    shell.register_magic_function(evenhand, "cell")
