#!/bin/sh
# Results of other tools in, an answer out: scripts/demo.sh PATH_OF_EVENHAND
set -eu
evenhand=$(realpath "$1")
results=$(realpath "$(dirname "$0")/../crates/evenhand-formats/tests/fixtures")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
mkdir .evenhand
cp "$results/hyperfine/v1_params.json" commands.json
cp "$results/go/launches.txt" go-bench.txt
cp -r "$results/criterion/tree" criterion
shown() {
    printf '\n$ evenhand %s\n' "$*"
    "$evenhand" "$@"
}
shown import commands.json go-bench.txt criterion
shown list
shown analyze criterion
shown export commands.json -o commands.csv
head -3 commands.csv
