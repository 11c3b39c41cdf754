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

Only what every start needs is imported at the top of a file: a benchmark is started some hundred times.

Tests: `python/tests`.
"""

from .benchmarks import bench
from .script import main

__all__ = ["bench", "main"]
__version__ = "0.1.0"
