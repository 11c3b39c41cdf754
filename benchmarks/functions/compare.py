"""What did a change do to a function? The same two builds are given to evenhand and to its rivals, again and again, one tool after
the other in a random order, and each answer is compared with the truth, which is known: the candidate does exactly so much
less of the work.

    compare.py EVENHAND BUILDS [--functions us150,ms5] [--less 0,0.5,1] [--loads quiet,hogs] [--tries 30] [--out results.json]

BUILDS is a folder with `1000`, `995` and `990`, one for each share of the work in permille, and in them the program of each
harness. What is in the file of --out already is not done again.
"""

import argparse
import collections
import json
import os
import random
import statistics
import subprocess
import sys

import peers

HOGS = 3
MAX_TIME = {"quiet": 5, "hogs": 15}  # seconds that evenhand may take for a verdict across launches
ONE_LAUNCH = 1  # and for one within a single launch
# 5 ns of work are three steps, which cannot be a percent less.
UNDIVIDED = ["ns5"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("builds")
    numbers = lambda text: [float(part) for part in text.split(",")]
    words = lambda text: text.split(",")
    parser.add_argument("--functions", type=words, default=["us150", "us1", "ms5", "ns5", "utf8_5000", "utf8_100000"])
    parser.add_argument("--less", type=numbers, default=[0, 0.5, 1])
    parser.add_argument("--loads", type=words, default=["quiet", "hogs"])
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--out", default=None)
    return parser.parse_args()


class Load:
    """Processes that take what they can get, while the block runs."""

    def __init__(self, kind):
        self.count = HOGS if kind == "hogs" else 0

    def __enter__(self):
        hog = [sys.executable, "-c", "while True: pass"]
        self.hogs = [subprocess.Popen(hog) for _ in range(self.count)]

    def __exit__(self, *_):
        for hog in self.hogs:
            hog.kill()
            hog.wait()


def build(folder, permille):
    place = os.path.join(folder, str(permille))
    return {name: os.path.join(place, name) for name in os.listdir(place)}


def tools(options, load):
    ours = lambda name: name.replace("utf8_", "utf8/").replace("100000", "100_000")
    known = {
        "evenhand": lambda old, new, name: peers.evenhand(options.evenhand, old, new, ours(name), MAX_TIME[load]),
        "one launch": lambda old, new, name: peers.evenhand(options.evenhand, old, new, ours(name), ONE_LAUNCH, 1),
        "criterion": peers.criterion,
        "tango 0.7.2": lambda old, new, name: peers.tango("0.7.2", old, new, name),
        "tango 0.9.0": lambda old, new, name: peers.tango("0.9.0", old, new, name),
    }
    return known


def tries(options, load, function, less):
    whole, part = build(options.builds, 1000), build(options.builds, round(1000 - 10 * less))
    for number in range(options.tries):
        order = list(tools(options, load).items())
        random.shuffle(order)
        for tool, ask in order:
            # Half of the time the other way round: a habit of favouring the second build shows then.
            swapped = number % 2 == 1
            answers, seconds, extra = ask(*((part, whole) if swapped else (whole, part)), function)
            for rule, answer in answers.items():
                yield {"load": load, "function": function, "less": less, "rule": rule, "tool": tool,
                       "answer": -answer if swapped else answer, "seconds": seconds, **extra}


def row(records):
    less = records[0]["less"]
    called = [record for record in records if record["answer"] != 0]
    right = [record for record in records if record["answer"] == -1]
    counted = called if less == 0 else right
    said = collections.Counter(record["verdict"] for record in records if "verdict" in record)
    return {
        "share": len(counted) / len(records),
        "wrong_way": 0 if less == 0 else len(called) - len(right),
        "seconds": statistics.median(record["seconds"] for record in records),
        "tries": len(records),
        "words": ", ".join(f"{word} {count}" for word, count in said.most_common()),
    }


def table(records):
    rows = collections.defaultdict(list)
    for record in records:
        rows[(record["load"] != "quiet", record["load"], record["function"], record["less"], record["rule"])].append(record)
    lines = ["| load | function | less work | rule | called a difference | wrong way | median seconds | tries | in words |",
             "|---|---|---|---|---|---|---|---|---|"]
    for (_, load, function, less, rule), chosen in sorted(rows.items()):
        found = row(chosen)
        false = " (false)" if less == 0 else ""
        lines.append(f"| {load} | {function} | {less:g} % | {rule} | {found['share']:.0%}{false} | {found['wrong_way']} | "
                     f"{found['seconds']:.1f} | {found['tries']} | {found['words']} |")
    return "\n".join(lines)


def main():
    options = arguments()
    records = []
    if options.out and os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            records = json.load(file)
    done = {(record["load"], record["function"], record["less"]) for record in records}
    for load in options.loads:
        with Load(load):
            for function in options.functions:
                for less in [0.0] if function in UNDIVIDED else options.less:
                    if (load, function, less) in done:
                        continue
                    records += tries(options, load, function, less)
                    print(f"{load}, {function}, {less:g} % less done", file=sys.stderr, flush=True)
                    if options.out:
                        with open(options.out + ".part", "w", encoding="utf-8") as file:
                            json.dump(records, file)
                        os.replace(options.out + ".part", options.out)
    print(table(records))


if __name__ == "__main__":
    main()
