#!/bin/sh
# Tests the Python package with every Python from 3.9 on that is found.
set -eu
cd "$(dirname "$0")/.."

found=$(scripts/pythons.sh)
if [ -z "$found" ]; then
    echo "test-python: skipped: the package, because no Python from 3.9 on was found" >&2
    exit 0
fi
for python in $found; do
    echo "$python: $("$python" --version)"
    "$python" -c 'import pytest' 2>/dev/null || echo "test-python: skipped: test_pytest_plugin.py, because this one has no pytest" >&2
    PYTHONPATH=python/src "$python" -m unittest discover --start-directory python/tests --top-level-directory python
done
