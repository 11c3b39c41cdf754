#!/bin/sh
# Writes the reference vectors again with the pinned versions of NumPy, SciPy and statsmodels.
set -eu
cd "$(dirname "$0")/.."
python3 -m venv .venv
.venv/bin/pip install --quiet -r scripts/requirements-vectors.txt
.venv/bin/python scripts/scipy_vectors.py > crates/evenhand-stats/tests/fixtures/scipy/vectors.json
python3 scripts/e_process_vectors.py
git diff --stat -- crates/evenhand-stats/tests/fixtures
