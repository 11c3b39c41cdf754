"""What does the tool itself cost? An empty program as each tool measures it; the processor time of tool and commands, and
how much of it comes from waiting; the time from its start to the first command; its largest memory.

    cost.py EVENHAND HYPERFINE_1 HYPERFINE_2 --victim VICTIM [--tries 15]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import peers


def asked(argv):
    """Runs a tool; answers what it wrote and the processor seconds of it and all that it started."""
    process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise RuntimeError(f"{argv[0]} ended with {status}")
    return out, usage.ru_utime + usage.ru_stime


def peak_memory(argv):
    """The tool's own peak in MB, without what it started. The kernel says it while the tool runs; what `wait4` says would
    be the memory of this program, which the tool was started from."""
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
            peak = max([peak] + [int(line.split()[1]) for line in file if line.startswith("VmHWM")])
        time.sleep(0.001)
    return peak * 1024 / 1e6


def empty_evenhand(program, victim):
    out, _ = asked([program, "run", "--json", "--no-save", "--rounds", "200", victim])
    level = next(level for level in json.loads(out)["levels"] if level["metric"] == "wall")
    return level["median"] / 1e9


def empty_hyperfine(program, victim):
    with tempfile.TemporaryDirectory() as folder:
        exported = os.path.join(folder, "times.json")
        asked([program, "-N", "--style", "none", "--runs", "200", "--export-json", exported, victim])
        with open(exported, encoding="utf-8") as file:
            return statistics.median(peers.times_of(json.load(file)["results"][0]))


def first_exec(argv, marker):
    """Seconds from the tool's start to that of the first command, which writes down when it began."""
    if os.path.exists(marker):
        os.remove(marker)
    began = time.time()
    asked(argv)
    with open(marker, encoding="utf-8") as file:
        return float(file.readline()) - began


def medians(name, unit, by_tool, factor=1.0):
    figures = {tool: statistics.median(values) * factor for tool, values in by_tool.items()}
    print(f"| {name} | " + " | ".join(f"{figure:.3g} {unit}" for figure in figures.values()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("hyperfine_1")
    parser.add_argument("hyperfine_2")
    parser.add_argument("--victim", required=True)
    parser.add_argument("--tries", type=int, default=15)
    options = parser.parse_args()
    rivals = {"hyperfine 1.20": options.hyperfine_1, "hyperfine 2.0": options.hyperfine_2}
    names = ["evenhand", *rivals]
    found = {what: {name: [] for name in names} for what in ("empty", "cpu", "waiting", "start", "memory")}
    with tempfile.TemporaryDirectory() as folder:
        marker = os.path.join(folder, "began")
        stamp = os.path.join(folder, "stamp")
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\n[ -e "{marker}" ] || date +%s.%N > "{marker}"\n')
        os.chmod(stamp, 0o755)
        for _ in range(options.tries):
            for name in names:
                program = options.evenhand if name == "evenhand" else rivals[name]
                ours = name == "evenhand"
                empty = empty_evenhand if ours else empty_hyperfine
                found["empty"][name].append(empty(program, options.victim))
                few = ["run", "--json", "--no-save", "--rounds", "3"] if ours else ["-N", "--style", "none", "--runs", "3"]
                short = asked([program, *few, "sleep 0.1"])[1]
                found["cpu"][name].append(short)
                found["waiting"][name].append(asked([program, *few, "sleep 1.1"])[1] - short)
                found["memory"][name].append(peak_memory([program, *few, "sleep 0.1"]))
                found["start"][name].append(first_exec([program, *few, stamp], marker))
    print("| median of {} | ".format(options.tries) + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    medians("an empty program, 200 runs, median", "ms", found["empty"], 1e3)
    medians("processor time for three runs of `sleep 0.1`, those included", "ms", found["cpu"], 1e3)
    medians("more of it when they sleep 3 s longer in all", "ms", found["waiting"], 1e3)
    medians("from its start to the first command's own clock", "ms", found["start"], 1e3)
    medians("peak memory", "MB", found["memory"])
    print("\nevenhand looks for the quietest core once before it pins, which takes 8 ms on each of at most eight cores.")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
