#!/bin/sh
# Tests the Python package: its unit tests with every Python from 3.9 on that is found, then the built program with benchmarks in Python.
set -eu
cd "$(dirname "$0")/.."

# The interpreters in PATH and those of pyenv, each by its own path.
pythons() {
    for name in python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
        "$name" -c 'import os, sys; sys.version_info >= (3, 9) and print(os.path.realpath(sys.executable))' 2>/dev/null || true
    done | sort -u
}

found=$(pythons)
if [ -z "$found" ]; then
    echo "test-python: skipped: the package, because no Python from 3.9 on was found" >&2
    exit 0
fi
for python in $found; do
    echo "$python: $("$python" --version)"
    "$python" -c 'import pytest' 2>/dev/null || echo "test-python: skipped: test_pytest_plugin.py, because this one has no pytest" >&2
    PYTHONPATH=python/src "$python" -m unittest discover --start-directory python/tests --top-level-directory python
done
${CARGO:-cargo} test --locked -p evenhand-cli --test program -- python::
