#!/bin/sh
# Measures the full analysis of a trial against NumPy and SciPy, one core, and prints one table.
# FOLDER (first argument, default target/bench-analysis) keeps the series and the answers of both programs.
set -eu
cd "$(dirname "$0")/.."
folder=${1:-target/bench-analysis}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -f "$folder"/evenhand-*.json "$folder"/scipy-*.json

wanted=$(cat scripts/requirements-bench.txt)
[ -x .venv/bin/python ] || python3 -m venv .venv
if [ "$(.venv/bin/python -m pip freeze | grep -E '^(numpy|scipy)==')" != "$wanted" ]; then
    .venv/bin/python -m pip install --quiet -r scripts/requirements-bench.txt
fi
cargo bench --quiet -p evenhand-stats --bench full_analysis --no-run

# The last core permitted to this process; the first ones get most interrupts.
one_core=
if command -v taskset >/dev/null; then
    core=$(taskset -cp $$ | sed 's/.*[:, -]//')
    one_core="taskset -c $core"
fi
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1

echo "$(date -u +%F) $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, load $(cut -d' ' -f1-3 /proc/loadavg) before"
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); $(rustc --version); $(.venv/bin/python --version), $(echo $wanted)"
$one_core cargo bench --quiet -p evenhand-stats --bench full_analysis -- --folder "$folder"
$one_core .venv/bin/python crates/evenhand-stats/benches/scipy_peer.py "$folder"
echo
echo "load $(cut -d' ' -f1-3 /proc/loadavg) after"
