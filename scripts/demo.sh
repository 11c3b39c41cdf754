#!/bin/sh
# Two commands compared, here and now; then results of other tools in, an answer out: scripts/demo.sh PATH_OF_EVENHAND
set -eu
evenhand=$(realpath "$1")
results=$(realpath "$(dirname "$0")/../crates/evenhand-formats/tests/fixtures")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
mkdir .evenhand
head -c 300000 /dev/urandom | od -A n -t x1 > bytes.txt
cp "$results/hyperfine/v1_params.json" commands.json
cp "$results/go/launches.txt" go-bench.txt
cp -r "$results/criterion/tree" criterion
shown() {
    printf '\n$ evenhand'
    for word in "$@"; do
        case $word in *' '*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$evenhand" "$@"
}
shown run --max-time 10 'gzip -4 -c bytes.txt' 'gzip -6 -c bytes.txt'
shown run --max-time 15 'gzip -4 -c bytes.txt' 'gzip -4 -c bytes.txt'
shown doctor
shown import commands.json go-bench.txt criterion
shown list
shown analyze criterion
shown export commands.json -o commands.csv
head -3 commands.csv
