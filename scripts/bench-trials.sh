#!/bin/sh
# Measures import, export and analysis of large trials, and lets other programs read the same files in the same run.
# FOLDER (first argument, default target/bench-trials) takes the files, about 3 GB in all, and loses them at the end.
# MEGABYTES (second argument, default 100) is the size of each file.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-target/bench-trials}
megabytes=${2:-100}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

wanted=$(cat scripts/requirements-bench-trials.txt)
[ -x .venv/bin/python ] || python3 -m venv .venv
if [ "$(.venv/bin/python -m pip freeze | grep -E '^(numpy|pandas|pyperf)==')" != "$wanted" ]; then
    .venv/bin/python -m pip install --quiet -r scripts/requirements-bench-trials.txt
fi
cargo build --quiet --release --locked -p evenhand-cli
cargo bench --quiet --locked -p evenhand-formats --bench import --no-run

echo "$(date -u +%F) $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, load $(cut -d' ' -f1-3 /proc/loadavg) before"
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); $(rustc --version); $(.venv/bin/python --version), $(echo $wanted)"
echo
cargo bench --quiet --locked -p evenhand-formats --bench import -- --folder "$folder" --megabytes "$megabytes"
echo
cargo bench --quiet --locked -p evenhand-formats --bench import -- --write "$folder/files" --megabytes "$megabytes"
cargo bench --quiet --locked -p evenhand-formats --bench import -- \
    --write "$folder/ten-million" --megabytes 270 --only evenhand
.venv/bin/python scripts/bench_trials.py "${CARGO_TARGET_DIR:-target}/release/evenhand" "$folder"
rm -r "$folder/files" "$folder/ten-million" "$folder/scratch"
echo
echo "load $(cut -d' ' -f1-3 /proc/loadavg) after"
