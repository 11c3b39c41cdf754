"""What does `evenhand compare --go` say of the standard library's own benchmarks? Against themselves, where every call is a false alarm;
and built for GOAMD64=v1 and v3 on two occasions, whose intervals are to overlap.

    library.py EVENHAND LOAD [--packages strings,sort] [--filters Fields,Sort] [--max-time 5] [--out library.jsonl]

Each occasion is one command for a package. Its comparisons are appended to the file of --out; what is in it already is not done again.
"""

import argparse
import collections
import json
import os
import sys

import peers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tries

LEVELS = ["--old-env", "GOAMD64=v1", "--new-env", "GOAMD64=v3"]
OCCASIONS = {"itself": [], "v1 and v3, first": LEVELS, "v1 and v3, second": LEVELS}
# A benchmark that fails or is skipped is named, and the others are measured.
FINE = (0, 3)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("load")
    parser.add_argument("--packages", type=tries.words, default=["strings", "sort", "regexp", "encoding/json"])
    parser.add_argument("--filters", type=tries.words, default=[])
    parser.add_argument("--max-time", default="5", help="seconds for each benchmark")
    parser.add_argument("--out", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "library.jsonl"))
    return parser.parse_args()


def compared(options, package, more):
    words = [options.evenhand, "compare", "--go", package, *options.filters, *more, "--json", "--no-save", "--max-time", options.max_time]
    out, _ = peers.called(words, fine=FINE)
    for comparison in json.loads(out)["comparisons"]:
        yield {"benchmark": comparison["group"], "verdict": comparison["verdict"], **comparison["effect"]}


def measured(options):
    records = tries.recorded(options.out)
    done = {(record["load"], record["occasion"], record["package"]) for record in records}
    for occasion, more in OCCASIONS.items():
        for package in options.packages:
            key = {"load": options.load, "occasion": occasion, "package": package}
            if tuple(key.values()) in done:
                continue
            new = [{**key, **found, **peers.load()} for found in compared(options, package, more)]
            with open(options.out, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in new)
            records += new
            print(f"{package}, {occasion}: {len(new)} benchmarks", file=sys.stderr, flush=True)
    return records


def is_bounded(record):
    return record is not None and record["low"] is not None and record["high"] is not None


def row(records):
    """How many of a package were called different from themselves, and between the levels; and how many intervals overlap."""
    by = collections.defaultdict(dict)
    for record in records:
        by[record["occasion"]][record["benchmark"]] = record

    def called(occasion):
        found = by[occasion].values()
        return f"{sum(record['verdict'].endswith('er') for record in found)} of {len(found)}"

    first, second = by["v1 and v3, first"], by["v1 and v3, second"]
    pairs = [(first[name], second.get(name)) for name in first if is_bounded(first[name]) and is_bounded(second.get(name))]
    overlap = sum(one["low"] <= other["high"] and other["low"] <= one["high"] for one, other in pairs)
    return [called("itself"), called("v1 and v3, first"), called("v1 and v3, second"), f"{overlap} of {len(pairs)}"]


def main():
    grouped = collections.defaultdict(list)
    for record in measured(arguments()):
        grouped[record["load"], record["package"]].append(record)
    print("| load | package | called different from itself | v1 from v3 | again | intervals that overlap |\n|---|---|---:|---:|---:|---:|")
    for place, records in grouped.items():
        print("| " + " | ".join([*place, *row(records)]) + " |")


if __name__ == "__main__":
    main()
