#!/bin/sh
# Does the wheel work in an empty environment of every Python from 3.9 on that is found? Its program comes to a verdict on two functions.
#
#   scripts/test_wheel.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."

wheel=$(ls "${1:-target/packages}"/evenhand-*.whl)
wheel=$(cd "$(dirname "$wheel")" && pwd)/$(basename "$wheel")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cat > "$room/sums.py" <<'PYTHON'
import evenhand


@evenhand.bench(group="sums", baseline=True)
def short():
    return sum(range(1000))


@evenhand.bench(group="sums")
def long():
    return sum(range(2000))
PYTHON

tried=0
for python in $(scripts/pythons.sh); do
    version=$("$python" --version)
    if ! "$python" -m venv "$room/venv" > /dev/null 2>&1; then
        echo "test-wheel: skipped: $python, because it makes no environments" >&2
        continue
    fi
    "$room/venv/bin/pip" install --quiet --no-index --no-deps "$wheel"
    "$room/venv/bin/evenhand" --version > /dev/null
    # The program is that of the wheel, though this environment is not in PATH.
    (cd "$room" && PATH=/usr/bin:/bin EVENHAND_ARCHIVE="$room/archive" venv/bin/python -m evenhand sums.py --max-time 2s --json --no-save > said)
    grep -q '"verdict":"slower"' "$room/said" || { echo "error: $version: no verdict in:" >&2; cat "$room/said" >&2; exit 1; }
    echo "$version: a verdict"
    tried=$((tried + 1))
    rm -rf "$room/venv"
done
[ "$tried" -gt 0 ] || { echo "error: no Python from 3.9 on was found" >&2; exit 1; }
