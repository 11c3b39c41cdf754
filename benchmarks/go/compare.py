"""What did a change do to a function in Go? The same two sides are given to evenhand and to benchstat, again and again, one tool after
the other in a random order, and each answer is compared with the truth, which is known: the candidate does exactly so much less of the work.

    compare.py EVENHAND BENCHSTAT PLACE LOAD [--functions Us1,Ms5] [--less 0,0.5,1] [--tools evenhand] [--tries 30] [--benchtime 100ms]
               [--out records.jsonl]

PLACE has the repository `work` with a tag for each side and the folder `builds` with a test binary of each. LOAD says how the machine is:
quiet or loaded. Each try is appended to the file of --out; what is in it already is not done again.
"""

import argparse
import os
import sys

import peers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tries

MAX_TIME = {"quiet": 5, "loaded": 15}  # seconds that evenhand may take for a verdict
# Five nanoseconds are some steps, which cannot be a percent less.
UNDIVIDED = ["Ns5"]
SIDES = {0.0: "same", 0.5: "less5", 1.0: "less10"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("benchstat")
    parser.add_argument("place")
    parser.add_argument("load", choices=list(MAX_TIME))
    parser.add_argument("--functions", type=tries.words,
                        default=["Us1", "Us150", "Utf8/5000", "Utf8/100000", "Ns5", "Ms5"])
    parser.add_argument("--less", type=tries.numbers, default=list(SIDES))
    parser.add_argument("--tools", type=tries.words, default=[], help="only these")
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--benchtime", default="100ms", help="of go test, whose default is 1s")
    parser.add_argument("--out", default=None)
    return parser.parse_args()


def tools(options):
    work, builds = (os.path.join(options.place, name) for name in ("work", "builds"))

    def benchstat(count, interleaved):
        return lambda old, new, name: peers.benchstat(options.benchstat, builds, options.benchtime, count, interleaved, old, new, name)

    asked = {
        "evenhand": lambda old, new, name: peers.evenhand(options.evenhand, work, MAX_TIME[options.load], old, new, name),
        **{f"{order} {count}": benchstat(count, order == "interleaved") for count in (10, 20) for order in ("blocks", "interleaved")},
    }
    return {name: ask for name, ask in asked.items() if not options.tools or name in options.tools}


def main():
    options = arguments()
    rows = [{"function": function, "less": less} for function in options.functions
            for less in ([0.0] if function in UNDIVIDED else options.less)]

    def asked(_, function, less):
        return {tool: tries.both_ways(ask, "whole", SIDES[less], function) for tool, ask in tools(options).items()}

    tries.measured(options.out, [options.load], rows, asked, options.tries)
    # Also what was recorded when the machine was otherwise.
    records = tries.recorded(options.out)
    print(tries.table(records, {"function": "function", "less": "less work, %"}, lambda record: -1 if record["less"] else 0))


if __name__ == "__main__":
    main()
