"""Is B faster than A? The same two commands are given to evenhand and to its rivals, again and again, one tool after the
other in a random order, and each answer is compared with the truth, which is known: the candidate does exactly so much
more work.

    compare.py EVENHAND HYPERFINE_1 HYPERFINE_2 [--milliseconds 1,8,80] [--effects 0,0.5,1,5] [--loads quiet,hogs]
               [--tries 30] [--out results.json]

What is in the file of --out already is not done again, so the whole can be done in parts.

For identical commands every difference that is called is a false alarm. Otherwise the share of tries is counted in which
the difference is called with its right direction, and the time that took. `hogs`: three processes that compute without
end run beside it.
"""

import argparse
import collections
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import peers

HOGS = 3
MAX_TIME = {"quiet": 10, "hogs": 15}  # seconds that evenhand may take for a verdict
# The rivals want to be told how many runs: 60 of each command, or fewer if those take more than a second.
RUNS_TAKE, FEWEST_RUNS, MOST_RUNS = 1.0, 12, 60


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("hyperfine_1")
    parser.add_argument("hyperfine_2")
    parser.add_argument("--victim", required=True, help="the compiled victim.rs")
    numbers = lambda text: [float(part) for part in text.split(",")]
    parser.add_argument("--milliseconds", type=numbers, default=[1, 8, 80])
    parser.add_argument("--effects", type=numbers, default=[0, 0.5, 1, 5])
    parser.add_argument("--loads", type=lambda text: text.split(","), default=["quiet", "hogs"])
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


def tools(options, load, milliseconds):
    runs = round(max(FEWEST_RUNS, min(MOST_RUNS, RUNS_TAKE / (milliseconds / 1000))))
    known = {
        "evenhand": lambda *both: peers.evenhand(options.evenhand, *both, MAX_TIME[load]),
        "hyperfine 1.20": lambda *both: peers.hyperfine("hyperfine 1.20", options.hyperfine_1, *both, runs),
        "hyperfine 2.0": lambda *both: peers.hyperfine("hyperfine 2.0", options.hyperfine_2, *both, runs),
    }
    perf = shutil.which("perf")
    if perf:
        known["perf stat"] = lambda *both: peers.perf_stat(perf, *both, runs)
    return known


def tries(options, work, load, milliseconds, effect):
    old, new = work.command(milliseconds), work.command(milliseconds * (1 + effect / 100))
    for number in range(options.tries):
        order = list(tools(options, load, milliseconds).items())
        random.shuffle(order)
        for tool, ask in order:
            # Half of the time the other way round: a habit of favouring the second command shows then.
            swapped = number % 2 == 1
            answers, seconds, extra = ask(*((new, old) if swapped else (old, new)))
            for rule, answer in answers.items():
                yield {"load": load, "milliseconds": milliseconds, "effect": effect, "rule": rule, "tool": tool,
                       "answer": -answer if swapped else answer, "seconds": seconds, **extra}


def row(records):
    effect = records[0]["effect"]
    alarms = [record for record in records if record["answer"] != 0]
    right = [record for record in records if record["answer"] == 1]
    called = alarms if effect == 0 else right
    wrong_way = 0 if effect == 0 else len(alarms) - len(right)
    return {
        "share": len(called) / len(records),
        "wrong_way": wrong_way,
        "seconds": statistics.median(record["seconds"] for record in records),
        "tries": len(records),
        "words": words(records),
    }


def words(records):
    """What evenhand said, which knows more words than two. Half of the tries are the other way round."""
    said = collections.Counter(record["verdict"].replace("faster", "slower") if record["answer"] == 1
                               else record["verdict"] for record in records if "verdict" in record)
    return ", ".join(f"{word} {count}" for word, count in said.most_common())


def table(records):
    keys = sorted({(r["load"] != "quiet", r["load"], r["milliseconds"], r["effect"]) for r in records})
    rules = list(dict.fromkeys(r["rule"] for r in sorted(records, key=lambda r: (r["tool"], r["rule"]))))
    lines = ["| load | command | true effect | rule | called a difference | wrong way | median seconds | tries | in words |",
             "|---|---|---|---|---|---|---|---|---|"]
    for _, load, milliseconds, effect in keys:
        for rule in rules:
            chosen = [r for r in records
                      if (r["load"], r["milliseconds"], r["effect"], r["rule"]) == (load, milliseconds, effect, rule)]
            if not chosen:
                continue
            found = row(chosen)
            false = " (false)" if effect == 0 else ""
            lines.append(f"| {load} | {milliseconds:g} ms | {effect:g} % | {rule} | {found['share']:.0%}{false} | "
                         f"{found['wrong_way']} | {found['seconds']:.1f} | {found['tries']} | "
                         f"{found['words']} |")
    return "\n".join(lines)


def main():
    options = arguments()
    records = []
    if options.out and os.path.exists(options.out):
        with open(options.out, encoding="utf-8") as file:
            records = json.load(file)
    work = Work(options.victim)
    done = {(record["load"], record["milliseconds"], record["effect"]) for record in records}
    for load in options.loads:
        with Load(load):
            for milliseconds in options.milliseconds:
                for effect in options.effects:
                    if (load, milliseconds, effect) in done:
                        continue
                    records += tries(options, work, load, milliseconds, effect)
                    print(f"{load}, {milliseconds:g} ms, {effect:g} % done", file=sys.stderr, flush=True)
                    if options.out:
                        with open(options.out + ".part", "w", encoding="utf-8") as file:
                            json.dump(records, file)
                        os.replace(options.out + ".part", options.out)
    print(table(records))


if __name__ == "__main__":
    main()
