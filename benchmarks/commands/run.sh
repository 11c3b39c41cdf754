#!/bin/sh
# `evenhand run` beside its rivals, all in one run. Options go to compare.py: `benchmarks/commands/run.sh --tries 5`.
# The whole takes about three hours on two cores; leave the machine alone for the rows called "quiet".
set -eu
cd "$(dirname "$0")/../.."
peers=$PWD/target/peers
mkdir -p "$peers"

[ -x "$peers/python/bin/python" ] || python3 -m venv "$peers/python"
"$peers/python/bin/python" -m pip install --quiet -r benchmarks/commands/requirements.txt
[ -x "$peers/bin/hyperfine" ] || cargo install --quiet --locked --root "$peers" --version 1.20.0 hyperfine
rustc -O -o "$peers/victim" benchmarks/commands/victim.rs
cargo build --quiet --release --locked -p evenhand-cli
evenhand=$PWD/${CARGO_TARGET_DIR:-target}/release/evenhand

echo "$(date -u +%F) $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, load $(cut -d' ' -f1-3 /proc/loadavg) before"
echo "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1); $($evenhand --version); $("$peers/bin/hyperfine" --version); $("$peers/python/bin/hyperfine" --version)"
echo
cd benchmarks/commands
"$peers/python/bin/python" cost.py "$evenhand" "$peers/bin/hyperfine" "$peers/python/bin/hyperfine" --victim "$peers/victim"
echo
"$peers/python/bin/python" compare.py "$evenhand" "$peers/bin/hyperfine" "$peers/python/bin/hyperfine" \
    --victim "$peers/victim" --out "$peers/compare.json" "$@"
echo
echo "load $(cut -d' ' -f1-3 /proc/loadavg) after"
