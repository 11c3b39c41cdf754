"""What does the harness itself cost in Go? What it says of an empty b.Loop, and the time that a turn takes beyond what was measured.

    cost.py EVENHAND WORK [--tries 15]

WORK is the repository with the tags `whole` and `same`.
"""

import argparse
import json
import statistics

import peers

FEW, MANY = 1000, 20_000


def asked(options, name, *more):
    """What evenhand says of both sides, which are the same program."""
    words = [options.evenhand, "compare", "--git", "whole..same", "--exact", name, "--json", "--no-save", *more]
    out, seconds = peers.called(words, cwd=options.work)
    return json.loads(out)["levels"], seconds


def turn(options):
    """From what more rounds take longer: two turns each."""
    def beyond(rounds):
        levels, seconds = asked(options, "Us1", "--launches", "1", "--rounds-per-launch", str(rounds))
        return seconds - sum(level["samples"] * level["iterations"] * level["mean"] for level in levels) / 1e9
    return (beyond(MANY) - beyond(FEW)) / (2 * (MANY - FEW)) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("work")
    parser.add_argument("--tries", type=int, default=15)
    options = parser.parse_args()
    empty = [asked(options, "Nothing")[0][0]["median"] for _ in range(options.tries)]
    turns = [turn(options) for _ in range(options.tries)]
    print(f"| median of {options.tries} | |\n|---|---|")
    print(f"| an empty `b.Loop`, per iteration | {statistics.median(empty):.2g} ns |")
    print(f"| a turn, beyond what is measured in it | {statistics.median(turns):.2g} µs |")


if __name__ == "__main__":
    main()
