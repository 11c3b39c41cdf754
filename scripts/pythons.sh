#!/bin/sh
# The Pythons from 3.9 on that are here, each by its own path: those in PATH and those of pyenv.
for name in python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
    "$name" -c 'import os, sys; sys.version_info >= (3, 9) and print(os.path.realpath(sys.executable))' 2>/dev/null || true
done | sort -u
