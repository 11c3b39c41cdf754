"""`python -m evenhand bench.py`: loads the benchmarks of a file and serves the host, or starts `evenhand bench` on them.

Tests: `tests/test_script.py`.
"""

import sys

from .script import load_and_serve

if __name__ == "__main__":
    sys.exit(load_and_serve(sys.argv[1:]))
