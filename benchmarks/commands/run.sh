#!/bin/sh
# `evenhand run` beside its rivals, all in one run. Options go to compare.py: `benchmarks/commands/run.sh --tries 5`.
# The whole takes many hours on two cores; leave the machine alone for the rows called "quiet". Every try is kept in
# records.jsonl; CONTINUE=1 goes on with those that are missing.
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
[ "${CONTINUE-}" ] || rm -f benchmarks/commands/records.jsonl

cat <<END
# \`evenhand run\` beside its rivals

Made by \`make bench-commands\`; [compare.py](compare.py) says what is asked, [peers.py](peers.py) how each rival is asked and
when it is taken to call a difference. All tools get the same two commands, one tool after the other in a random order. The truth is
known: the candidate computes so much longer. Where it is 0 %, every call is a false alarm. \`hogs\`: three processes that compute
without end run beside it.

$(date -u +%F), $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1);
$($evenhand --version), $("$peers/bin/hyperfine" --version), $("$peers/python/bin/hyperfine" --version)

## What a tool itself costs

END
cd benchmarks/commands
"$peers/python/bin/python" cost.py "$evenhand" "$peers/bin/hyperfine" "$peers/python/bin/hyperfine" --victim "$peers/victim"
printf '\n## Who is right, and how soon?\n\n'
"$peers/python/bin/python" compare.py "$evenhand" "$peers/bin/hyperfine" "$peers/python/bin/hyperfine" \
    --victim "$peers/victim" --out records.jsonl "$@"
