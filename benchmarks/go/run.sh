#!/bin/sh
# `evenhand compare` in Go beside `go test` and benchstat: `benchmarks/go/run.sh loaded --tries 10`. The first word says how the machine
# is: quiet (leave it alone; the usual) or loaded. Other options go to compare.py. Each try is kept in records.jsonl with the load average,
# and what is there is not measured again. EVENHAND names a program that is built already.
set -eu
cd "$(dirname "$0")/../.."
machine=${1-quiet}
[ $# -eq 0 ] || shift
place=$PWD/target/peers/go
evenhand=${EVENHAND-$PWD/${CARGO_TARGET_DIR:-target}/release/evenhand}
[ "${EVENHAND-}" ] || cargo build --quiet --release --locked -p evenhand-cli
mkdir -p "$place/builds"
GOBIN=$place go install golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da
export XDG_CACHE_HOME="$place/cache" XDG_DATA_HOME="$place/data"

# side NAME PERMILLE: a revision with this tag, and its test binary as `go test` builds it.
side() {
    sed "s/permille = 1000/permille = $2/; s/^package.*/& \/\/ $1/" benchmarks/go/work/permille.go > "$work/permille.go"
    git -C "$work" add .
    git -C "$work" -c user.name=x -c user.email=x@localhost commit --quiet --message "$1"
    git -C "$work" tag "$1"
    (cd "$work" && go test -c -trimpath -o "$place/builds/$1" .)
}
work=$place/work
if [ ! -d "$work" ]; then
    git init --quiet "$work"
    cp benchmarks/go/work/* "$work"
    side whole 1000
    side same 1000
    side less5 995
    side less10 990
fi
# The builds are no part of what is timed.
for name in same less5 less10; do
    (cd "$work" && "$evenhand" compare --git "whole..$name" --exact Nothing --no-save --quiet > /dev/null)
done

cat <<END
# \`evenhand compare\` in Go, beside benchstat

Made by \`make bench-go\`; [compare.py](compare.py) says what is asked, [peers.py](peers.py) how each tool is asked and when it is taken to
call a difference. The truth is known: the candidate does so much less. Where it is 0 %, every call is a false alarm. \`go test\` gets
\`-benchtime 100ms\`, so that \`-count 10\` takes a second for each side. *Blocks*: all results of one side, then all of the other.
*Interleaved*: one of each in turns, by hand. Loaded: other people's compilers run beside it.

$(date -u +%F), $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1);
$("$evenhand" --version), $(go version | cut -d' ' -f3)

## What the harness costs ($machine)

END
python3 benchmarks/go/cost.py "$evenhand" "$work"
cat <<TABLE

## The standard library

Its own benchmarks against themselves, where 1 % may be called different, and built for \`GOAMD64=v1\` and \`v3\` on two occasions
([library.py](library.py)):

    evenhand compare --go strings --old-env GOAMD64=v1 --new-env GOAMD64=v3

TABLE
python3 benchmarks/go/library.py "$evenhand" "$machine" --out benchmarks/go/library.jsonl
printf '\n## Who is right, and how soon?\n\n'
python3 benchmarks/go/compare.py "$evenhand" "$place/benchstat" "$place" "$machine" --out benchmarks/go/records.jsonl "$@"
