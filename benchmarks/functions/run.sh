#!/bin/sh
# `evenhand compare` beside its rivals, all in one run. Options go to compare.py: `benchmarks/functions/run.sh --tries 5`.
# The whole takes many hours on two cores; leave the machine alone for the rows called "quiet". Every try is kept in
# records.jsonl; CONTINUE=1 goes on with those that are missing. NANOBENCH=FOLDER asks nanobench, too, whose nanobench.h (4.6.0 or later) lies there.
set -eu
cd "$(dirname "$0")/../.."
place=$PWD/target/peers/functions
evenhand=$PWD/${CARGO_TARGET_DIR:-target}/release/evenhand
mkdir -p "$place"
cargo build --quiet --release --locked -p evenhand-cli

# build NAME PERMILLE UNRELATED FLAGS: the programs of all harnesses, in a folder of this name.
build() {
    builds=$place/builds/$1
    mkdir -p "$builds"
    (cd benchmarks/functions && WORK_PERMILLE=$2 UNRELATED=$3 RUSTFLAGS=$4 CARGO_TARGET_DIR=$place/target \
        cargo bench --quiet --locked --workspace --no-run --message-format=json) > "$place/messages.json"
    python3 -c '
import json, shutil, sys
for line in open(sys.argv[2]):
    message = json.loads(line)
    target = message.get("target", {})
    if message.get("executable") and "bench" in target.get("kind", []):
        name = target["name"].removeprefix("of_").replace("tango_0_", "tango-0.")
        shutil.copy(message["executable"], f"{sys.argv[1]}/{name}")
' "$builds" "$place/messages.json"
}

# shared PERMILLE: the functions as a library, for nanobench.
shared() {
    (cd benchmarks/functions && WORK_PERMILLE=$1 RUSTFLAGS=$aligned CARGO_TARGET_DIR=$place/target \
        cargo build --quiet --release --locked -p shared)
    cp "$place/target/release/libshared.so" "$place/builds/$1/shared.so"
}

# Every harness gets aligned functions on both sides, as evenhand's own builds do: so the comparison is about the method.
aligned=-Cllvm-args=-align-all-functions=6
for permille in 1000 995 990; do
    build $permille $permille 0 $aligned
    [ -z "${NANOBENCH-}" ] || shared $permille
done
rm -f "$place/nanobench"
[ -z "${NANOBENCH-}" ] || c++ -O2 -std=c++17 -I "$NANOBENCH" -o "$place/nanobench" benchmarks/functions/nanobench.cpp -ldl
for added in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    build aligned-$added 1000 $added $aligned
    build plain-$added 1000 $added ""
done
[ "${CONTINUE-}" ] || rm -f benchmarks/functions/records.jsonl

cat <<END
# \`evenhand compare\` beside its rivals

Made by \`make bench-functions\`; [compare.py](compare.py) says what is asked, [peers.py](peers.py) how each rival is asked and when it is
taken to call a difference. All tools get the same two builds of the same function, one tool after the other in a random order. The
truth is known: the candidate does so much less. Where it is 0 %, every call is a false alarm. \`hogs\`: three processes that
compute without end run beside it. nanobench's \`compare\` is asked only where \`NANOBENCH=FOLDER make bench-functions\` says where its header lies.

$(date -u +%F), $(uname -m), $(getconf _NPROCESSORS_ONLN) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1);
$($evenhand --version), criterion 0.8.2, divan 0.1.21, tango-bench 0.7.2 and 0.9.0

## What a harness itself costs

END
python3 benchmarks/functions/cost.py "$evenhand" "$place/builds/1000"
cat <<END

evenhand's samples cost more than divan's, because after each the other program has its turn.

## The same function, and unrelated ones added

Both builds have the same \`one_by_one\`. They differ in small functions in front of it that nobody calls. By default a compiler puts a
function at any multiple of 16 bytes, and a short loop that lies across a line of 64 bytes can be much slower: here it begins 16
bytes behind one in the second build. That is a fact, but not one about the change. \`evenhand compare --git\` builds both sides
with functions at multiples of 64 bytes.

END
python3 benchmarks/functions/layout.py "$evenhand" "$place/builds"
cat <<END

## Who is right, and how soon?

\`evenhand --launches 1\` answers about a single start of both programs, with \`--max-time 0.1\` after a tenth of a second of measuring. Two starts of the same
5 ns function differ by more than the margin of 0.25 % now and then, and it says so; across launches they do not. 5 ms run eight times each in a tenth of a second, which is
too few for any verdict. Under load, evenhand's time leaves out what a function waited for the processor, where the kernel says it.

END
python3 benchmarks/functions/compare.py "$evenhand" "$place/builds" --out benchmarks/functions/records.jsonl "$@"
