#!/bin/sh
# Draws the picture of the README from a real run: scripts/picture.sh PATH_OF_EVENHAND
set -eu
scripts=$(realpath "$(dirname "$0")")
evenhand=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin" "$place/.evenhand"
ln -s "$evenhand" "$place/bin/evenhand"
cd "$place"
seq 100000 > numbers.txt
PATH=$place/bin:$PATH "$scripts/terminal_svg.py" --columns 120 -o "$scripts/../docs/media/run.svg" \
    "evenhand run 'gzip -4 -c numbers.txt' 'gzip -6 -c numbers.txt'"
