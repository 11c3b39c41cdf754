#!/bin/sh
# Writes pages of real trials for the tests of the page: reports.sh EVENHAND FOLDER
set -eu
evenhand=$(realpath "$1")
folder=$2
fixtures=$(realpath crates/evenhand-formats/tests/fixtures)
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"

"$evenhand" run --no-save --quiet --rounds 40 --export-html "measured, with spaces.html" 'sleep 0.001' 'sleep 0.002'
"$evenhand" run --no-save --quiet --rounds 12 --export-html hostile.html --name '<img src=x onerror=alert(1)>' true --name '</script><script>alert(2)</script>' 'true --'
"$evenhand" run --no-save --quiet --rounds 12 --metric blocks_out --export-html signs.html -n reads -n writes true 'sh -c "echo x > written"'
"$evenhand" report "$fixtures/hyperfine/v1_two.json" "$fixtures/hyperfine/v2_two.json" -o unpaired.html
"$evenhand" report "$fixtures/benchmarkdotnet/Demo.Words-report-full.json" -o several.html
"$evenhand" report "$fixtures/latte/report.json" -o figures-only.html

# A million samples in rounds that no coin decided, some of them far out.
python3 - <<END > million.csv
import random
random.seed(1)
print("old,new")
for round in range(500_000):
    mood = random.lognormvariate(0, 0.02) * (5 if random.random() < 1e-4 else 1)
    print(f"{1e6 * mood * random.lognormvariate(0, 0.005):.0f},{1.01e6 * mood * random.lognormvariate(0, 0.005):.0f}")
END
"$evenhand" report million.csv -o million.html
