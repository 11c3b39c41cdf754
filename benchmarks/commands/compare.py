"""Is B faster than A? The same two commands are given to evenhand and to its rivals, again and again, one tool after the
other in a random order, and each answer is compared with the truth, which is known: the candidate does exactly so much
more work.

    compare.py EVENHAND HYPERFINE_1 HYPERFINE_2 [--milliseconds 1,8,80] [--effects 0,0.5,1,5] [--loads quiet,hogs]
               [--tools "evenhand,evenhand wall"] [--tries 30] [--out records.jsonl]

Each try is appended to the file of --out, and what is in it already is not done again, so the whole can be done in parts.

For identical commands every difference that is called is a false alarm. Otherwise the share of tries is counted in which
the difference is called with its right direction, and the time that took. `hogs`: three processes that compute without
end run beside it.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time

import peers

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tries

MAX_TIME = {"quiet": 10, "hogs": 15}  # seconds that evenhand may take for a verdict
# The rivals want to be told how many runs: 60 of each command, or fewer if those take more than a second.
RUNS_TAKE, FEWEST_RUNS, MOST_RUNS = 1.0, 12, 60


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("hyperfine_1")
    parser.add_argument("hyperfine_2")
    parser.add_argument("--victim", required=True, help="the compiled victim.rs")
    parser.add_argument("--milliseconds", type=tries.numbers, default=[1.0, 8.0, 80.0])
    parser.add_argument("--effects", type=tries.numbers, default=[0.0, 0.5, 1.0, 5.0])
    parser.add_argument("--loads", type=tries.words, default=["quiet", "hogs"])
    parser.add_argument("--tools", type=tries.words, default=[], help="only these")
    parser.add_argument("--tries", type=int, default=30)
    parser.add_argument("--out", default=None)
    return parser.parse_args()


class Work:
    """How many steps of the victim take so long? Found before there is any load, from the median of many runs; starting
    the process is a part of the time."""

    def __init__(self, victim):
        def median(steps):
            def once():
                began = time.perf_counter()
                subprocess.run([victim, str(steps)], check=True)
                return time.perf_counter() - began

            return statistics.median(once() for _ in range(100))

        many = 5_000_000
        self.victim = victim
        self.empty = median(0)
        self.per_step = (median(many) - self.empty) / many

    def command(self, milliseconds):
        return f"{self.victim} {max(0, round((milliseconds / 1000 - self.empty) / self.per_step))}"


def tools(options, load, old, new, milliseconds):
    runs = round(max(FEWEST_RUNS, min(MOST_RUNS, RUNS_TAKE / (milliseconds / 1000))))
    ours = lambda rule, *more: lambda *both: peers.evenhand(options.evenhand, rule, *both, MAX_TIME[load], *more)
    known = {
        "evenhand": ours("evenhand"),
        "evenhand wall": ours("evenhand --metric wall", "--metric", "wall"),
        "hyperfine 1.20": lambda *both: peers.hyperfine("hyperfine 1.20", options.hyperfine_1, *both, runs),
        "hyperfine 2.0": lambda *both: peers.hyperfine("hyperfine 2.0", options.hyperfine_2, *both, runs),
    }
    perf = shutil.which("perf")
    if perf:
        known["perf stat"] = lambda *both: peers.perf_stat(perf, *both, runs)
    return {tool: tries.both_ways(ask, old, new) for tool, ask in known.items()
            if not options.tools or tool in options.tools}


def main():
    options = arguments()
    work = Work(options.victim)
    rows = [{"milliseconds": length, "effect": effect} for length in options.milliseconds for effect in options.effects]

    def asked(load, milliseconds, effect):
        old, new = work.command(milliseconds), work.command(milliseconds * (1 + effect / 100))
        return tools(options, load, old, new, milliseconds)

    records = tries.measured(options.out, options.loads, rows, asked, options.tries)
    columns = {"milliseconds": "command, ms", "effect": "true effect, %"}
    print(tries.table(records, columns, lambda record: 1 if record["effect"] else 0))


if __name__ == "__main__":
    main()
