"""What did a change do to a function? The same two builds are given to evenhand and to its rivals, again and again, one tool after
the other in a random order, and each answer is compared with the truth, which is known: the candidate does exactly so much
less of the work.

    compare.py EVENHAND BUILDS [--functions us150,ms5] [--less 0,0.5,1] [--loads quiet,hogs] [--tools evenhand,criterion] [--tries 30]
               [--out records.jsonl]

BUILDS is a folder with `1000`, `995` and `990`, one for each share of the work in permille, and in them the program of each
harness. Each try is appended to the file of --out; what is in it already is not done again.
"""

import argparse
import os
import sys

import peers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tries

MAX_TIME = {"quiet": 5, "hogs": 15}  # seconds that evenhand may take for a verdict across launches
ONE_LAUNCH = 1  # and for one within a single launch,
AT_ONCE = 0.1  # or as little as one would care to wait
# 5 ns of work are some steps, which cannot be a percent less.
UNDIVIDED = ["ns5"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("builds")
    parser.add_argument("--functions", type=tries.words,
                        default=["us150", "us1", "ms5", "ns5", "utf8_5000", "utf8_100000"])
    parser.add_argument("--less", type=tries.numbers, default=[0.0, 0.5, 1.0])
    parser.add_argument("--loads", type=tries.words, default=["quiet", "hogs"])
    parser.add_argument("--tools", type=tries.words, default=[], help="only these, for a table of their own")
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--out", default=None)
    return parser.parse_args()


def tools(options, load):
    def ours(name):
        return name.replace("utf8_", "utf8/").replace("100000", "100_000")

    def evenhand(rule, max_time, *more):
        more = ["--max-time", str(max_time), *more]
        return lambda old, new, name: peers.evenhand(options.evenhand, rule, more, old, new, ours(name))

    once = ["--launches", "1"]
    asked = {
        "evenhand": evenhand("evenhand", MAX_TIME[load]),
        "wall": evenhand("evenhand --metric wall", MAX_TIME[load], "--metric", "wall"),
        "one launch": evenhand("evenhand --launches 1", ONE_LAUNCH, *once),
        "at once": evenhand(f"evenhand --launches 1 --max-time {AT_ONCE}", AT_ONCE, *once),
        "criterion": peers.criterion,
        "tango 0.7.2": lambda old, new, name: peers.tango("0.7.2", old, new, name),
        "tango 0.9.0": lambda old, new, name: peers.tango("0.9.0", old, new, name),
    }
    nanobench = os.path.join(options.builds, os.pardir, "nanobench")
    if os.path.exists(nanobench):
        asked["nanobench"] = lambda old, new, name: peers.nanobench(nanobench, old, new, name)
    return {name: ask for name, ask in asked.items() if not options.tools or name in options.tools}


def main():
    options = arguments()
    rows = [{"function": function, "less": less} for function in options.functions
            for less in ([0.0] if function in UNDIVIDED else options.less)]

    def asked(load, function, less):
        whole, part = (peers.build(options.builds, str(permille)) for permille in (1000, round(1000 - 10 * less)))
        return {tool: tries.both_ways(ask, whole, part, function) for tool, ask in tools(options, load).items()}

    records = tries.measured(options.out, options.loads, rows, asked, options.tries)
    columns = {"function": "function", "less": "less work, %"}
    print(tries.table(records, columns, lambda record: -1 if record["less"] else 0))


if __name__ == "__main__":
    main()
