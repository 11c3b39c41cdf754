#!/usr/bin/env python3
"""Counts wrong words on recorded rounds of two arms that are the same: their coins are tossed again, many times.

    retoss.py PROGRAM [DRAWS]

For each draw a fair coin says in each round which of its two slices is called old. Everything else stays as it was recorded. The
program then says what it would have said after 12, 25, 50 and all rounds: a draw is wrong if it ever calls the arms different.
In brackets stands the usual way on the same slices: so many of one arm, then as many of the other, and the Mann-Whitney test at 1 %.
Every 20 slices in a row that were recorded are such a run, 10 of each. Writes a table to standard output.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from statistics import NormalDist

from record import ROUNDS

LOOKS = [12, 25, 50, None]
DECIDED = ["response_p50", "response_p99", "throughput", "cpu_per_request"]
DIFFERENT = {"slower", "faster"}


def trial(metrics: list[str], rounds: list[list[dict]], swapped: list[bool], number: int, decided: list[str] = DECIDED) -> dict:
    series: list[dict] = [{"arm": arm, "launch": 0, "rounds": {"from": 0}, "positions": [], "iterations": {"same": 1}} for arm in (0, 1)]
    columns: list[list[list[float]]] = [[[] for _ in metrics] for _ in (0, 1)]
    for samples, swap in zip(rounds, swapped):
        for sample in samples:
            arm = sample["arm"] ^ swap
            series[arm]["positions"].append(sample["place"])
            for column, value in zip(columns[arm], sample["values"]):
                column.append(value)
    for arm in (0, 1):
        series[arm]["values"] = columns[arm]
    return {
        "schema_version": 2,
        "id": f"{number:016x}",
        "state": "complete",
        "origin": {"kind": "measured", "version": "0.1.0"},
        "plan": {"margin": 3.0, "confidence": 99.0, "metric": decided},
        "schedule": {"seed": f"{number:016x}"},
        "environment": {},
        "metrics": [definition(name) for name in metrics],
        "arms": [{"name": "old"}, {"name": "new"}],
        "series": series,
    }


def definition(name: str) -> dict:
    better = "higher" if name == "throughput" else "lower"
    return {"name": name, "unit": "1" if name in ("errors", "throughput", "memory") else "ns", "per": "sample", "better": better}


def comparisons(program: str, trial: dict, folder: str) -> list[dict]:
    """What the program says of a trial, in its JSON."""
    file = Path(folder) / "trial.json"
    file.write_text(json.dumps(trial))
    done = subprocess.run([program, "analyze", str(file), "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["comparisons"]


def usual(values: list[float]) -> float:
    """How often the first ten of twenty slices in a row are called different from the last ten."""
    runs = [values[at : at + 20] for at in range(0, len(values) - 19)]
    return sum(mann_whitney(run[:10], run[10:]) < 0.01 for run in runs) / len(runs)


def mann_whitney(one: list[float], other: list[float]) -> float:
    """The p value, by the normal approximation with ties counted half."""
    u = sum((a < b) + (a == b) / 2 for a in one for b in other)
    n, m = len(one), len(other)
    z = (abs(u - n * m / 2) - 0.5) / (n * m * (n + m + 1) / 12) ** 0.5
    return 2 * (1 - NormalDist().cdf(max(z, 0.0)))


def main() -> None:
    program, draws = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    kept: dict[tuple[str, str], list[dict]] = {}
    for line in map(json.loads, ROUNDS.read_text().splitlines()):
        if line["pair"].endswith("the same"):
            kept.setdefault((line["pair"], line["machine"]), []).append(line)
    print(f"| recorded | rounds | draws | {' | '.join(DECIDED)} |\n|---|---:|---:|{'---:|' * len(DECIDED)}")
    for (pair, machine), lines in kept.items():
        wrong: Counter[str] = Counter()
        rounds = [line["samples"] for line in lines]
        coin = random.Random(f"{pair} {machine}")
        with tempfile.TemporaryDirectory() as folder:
            for draw in range(draws):
                swapped = [coin.random() < 0.5 for _ in rounds]
                different = set()
                for look in LOOKS:
                    drawn = trial(lines[0]["metrics"], rounds[:look], swapped[:look], draw)
                    found = comparisons(program, drawn, folder)
                    different |= {both["metric"] for both in found if both["verdict"] in DIFFERENT}
                wrong.update(different)
        metrics = lines[0]["metrics"]
        column = {metric: [sample["values"][metrics.index(metric)] for samples in rounds for sample in samples] for metric in DECIDED}
        cells = " | ".join(f"{100 * wrong[metric] / draws:.2f} % ({100 * usual(column[metric]):.0f} %)" for metric in DECIDED)
        print(f"| {pair}, {machine} | {len(rounds)} | {draws} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
