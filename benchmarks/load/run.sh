#!/bin/sh
# `evenhand load` on real services: what it costs beside wrk, and whether two that are the same are ever called different.
# Needs nginx, redis-server and wrk. MACHINE says how it is: quiet (the usual; leave it alone), loaded. Rounds are kept in
# rounds.jsonl, and those that are there are not measured again. ROUNDS, DRAWS: how many.
set -eu
cd "$(dirname "$0")/../.."
machine=${MACHINE-quiet} rounds=${ROUNDS-300} draws=${DRAWS-2000}
for program in nginx redis-server wrk; do
    command -v "$program" > /dev/null || { echo "no $program here: apt-get install nginx-light redis-server wrk" >&2; exit 1; }
done
cargo build --quiet --release --locked -p evenhand-cli
cargo build --quiet --release --locked -p evenhand-load --example cost --example truth
target=$PWD/${CARGO_TARGET_DIR:-target}/release
cd benchmarks/load
for pair in "nginx, the same" "redis, the same"; do
    python3 record.py "$target/evenhand" "$machine" "$pair" "$rounds" >&2
done
for pair in "nginx, access_log" "nginx, gzip" "redis, appendfsync always"; do
    python3 record.py "$target/evenhand" "$machine" "$pair" 20 >&2
done
rustc --edition 2024 -O -o ../../target/planted planted.rs
for change in "1 % more work" "5 % more work" "1 % of requests 50 ms later" "0.1 % of requests fail"; do
    python3 record.py "$target/evenhand" "$machine" "planted, $change" 40 >&2
done

cat <<END
# \`evenhand load\` on real services

Made by \`make bench-load\`. $(date -u +%F), $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1);
$("$target/evenhand" --version), $(nginx -v 2>&1 | sed 's/.*: //'), $(redis-server --version | cut -d' ' -f1-3).

## Two that are the same

[record.py](record.py) measured rounds of two equal services at 1,000 requests per second, each started anew for each slice of a
second, and [retoss.py](retoss.py) tossed their coins again: the part of the draws in which the arms are called slower or faster after
12, 25, 50 or all rounds. 1 % is allowed. In brackets the usual way: ten slices of one arm, then ten of the other, Mann-Whitney at 1 %.

END
python3 retoss.py "$target/evenhand" "$draws"
printf '\n## Two that differ\n\n'
python3 known.py "$target/evenhand"
cat <<END

## Does it tell the truth?

A server works on one request after the other, half a millisecond each, and logs how long each took. What Lindley's recursion makes of the
plan and the log is the truth; beside each measured percentile stands how far off it is (\`truth.rs\` of the crate).

END
"$target/examples/truth"
printf '\nThe service stands still for a second ([stall.py](stall.py)):\n\n'
mkdir -p ../../target/peers/go
PATH=$PATH:$PWD/../../target/peers/go
command -v vegeta > /dev/null || GOBIN=$PWD/../../target/peers/go go install github.com/tsenart/vegeta/v12@latest || true
PATH=$PATH python3 stall.py "$target/evenhand"
printf '\n## What the client costs\n\n'
python3 cost.py "$target/examples/cost"
