"""Do two comparisons of the same builds agree, hours or minutes apart? The interval speaks of the launches of one session; what differs
between sessions (other load, other frequency, other memory) is in none of them.

    sessions.py EVENHAND BUILDS [--sessions 10] [--out sessions.jsonl]

BUILDS is the folder of run.sh; in `native` lies a build of the same work with -Ctarget-cpu=native -Copt-level=2. Each session compares
every pair once; each answer is appended to the file of --out, and what is in it already is not done again. The table says how far
the estimates of a pair lie apart, beside the half width that was printed, and how many intervals miss the median of the other sessions.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tries

BASELINE = "1000"
CANDIDATES = ["990", "995", "native"]
FUNCTIONS = ["us1", "us150", "utf8/5000", "utf8/100_000"]


def compared(evenhand, builds, candidate):
    old, new = (os.path.join(builds, build, "evenhand") for build in (BASELINE, candidate))
    command = [evenhand, "compare", old, new, "--exact", *FUNCTIONS, "--metric", "wall", "--no-save", "--json"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for comparison in json.loads(output)["comparisons"]:
        yield comparison["group"].rsplit("::", 1)[1], comparison["effect"], comparison["launches"]


def measured(options):
    records = tries.recorded(options.out)
    done = {(record["session"], record["candidate"]) for record in records}
    for session in range(options.sessions):
        for candidate in CANDIDATES:
            if (session, candidate) in done:
                continue
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            new = [{"session": session, "candidate": candidate, "function": function, "at": at, "launches": launches, **effect}
                   for function, effect, launches in compared(options.evenhand, options.builds, candidate)]
            with open(options.out, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in new)
            records += new
    return records


def row(pair, records):
    estimates = [record["estimate"] for record in records]
    halves = [(record["high"] - record["low"]) / 2 for record in records if record["low"] is not None and record["high"] is not None]
    others = [statistics.median(estimates[:i] + estimates[i + 1:]) for i in range(len(estimates))]
    missed = sum(not (record["low"] or -1) <= other <= (record["high"] or 1e9) for record, other in zip(records, others))
    spread = statistics.stdev(estimates)
    figures = [100 * statistics.median(estimates), 100 * spread, 100 * statistics.median(halves)]
    return "| " + " | ".join([*pair, *(f"{figure:.3f} %" for figure in figures), f"{missed} of {len(records)}"]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("builds")
    parser.add_argument("--sessions", type=int, default=10)
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "sessions.jsonl"))
    records = measured(parser.parse_args())
    print("| candidate | function | median estimate | standard deviation between sessions | median half width, 99 % | intervals that miss |")
    print("|---|---|---:|---:|---:|---:|")
    for pair in sorted({(record["candidate"], record["function"]) for record in records}):
        print(row(pair, [record for record in records if (record["candidate"], record["function"]) == pair]))


if __name__ == "__main__":
    main()
