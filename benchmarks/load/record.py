#!/usr/bin/env python3
"""Records rounds of slices of real services, one line a round, in rounds.jsonl; goes on where it was stopped.

    record.py PROGRAM MACHINE PAIR ROUNDS      MACHINE says how it is: quiet, loaded

A line has the pair, how the machine was, the metrics' names and, for each place in the round, which arm ran there and its values.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from services import ASKED, HERE, PAIRS

ROUNDS = HERE / "rounds.jsonl"
# So many are lost at most if this is stopped.
PORTION = 20


def trial(program: str, pair: str, rounds: int) -> dict:
    service, old, new = PAIRS[pair]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "trial.json"
        words = [program, "load", *old, *new, *ASKED[service], "--rounds", str(rounds), "--max-time", "1h", "--no-save"]
        # The process groups that it starts end with it.
        subprocess.run([*words, "-n", "old", "-n", "new", "--export-json", str(out), "-q"], check=False)
        return json.loads(out.read_text())


def rounds_of(trial: dict) -> list[list[dict]]:
    """For each round its samples, in the order of their places."""
    table: dict[int, list[dict]] = {}
    for series in trial["series"]:
        first = series["rounds"]["from"]
        columns = series["values"]
        for at, position in enumerate(series["positions"]):
            values = [column[at] for column in columns]
            table.setdefault(first + at, []).append({"arm": series["arm"], "place": position, "values": values})
    return [sorted(samples, key=lambda sample: sample["place"]) for _, samples in sorted(table.items())]


def main() -> None:
    program, machine, pair, wanted = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    lines = ROUNDS.read_text().splitlines() if ROUNDS.exists() else []
    done = sum(1 for line in map(json.loads, lines) if (line["pair"], line["machine"]) == (pair, machine))
    while done < wanted:
        recorded = trial(program, pair, min(PORTION, wanted - done))
        metrics = [metric["name"] for metric in recorded["metrics"]]
        with ROUNDS.open("a") as file:
            for samples in rounds_of(recorded):
                line = {"pair": pair, "machine": machine, "metrics": metrics, "samples": samples}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
                done += 1
        print(f"{pair}, {machine}: {done} of {wanted}", flush=True)


if __name__ == "__main__":
    main()
