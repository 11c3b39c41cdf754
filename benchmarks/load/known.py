#!/usr/bin/env python3
"""What the program says of the recorded pairs whose sign is known.

    known.py PROGRAM
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from record import ROUNDS
from retoss import trial


def main() -> None:
    kept: dict[tuple[str, str], list[dict]] = {}
    for line in map(json.loads, ROUNDS.read_text().splitlines()):
        if not line["pair"].endswith("the same"):
            kept.setdefault((line["pair"], line["machine"]), []).append(line)
    print("| recorded | rounds | verdicts |\n|---|---:|---|")
    for (pair, machine), lines in kept.items():
        rounds = [line["samples"] for line in lines]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trial.json"
            file.write_text(json.dumps(trial(lines[0]["metrics"], rounds, [False] * len(rounds), 1)))
            done = subprocess.run([sys.argv[1], "analyze", str(file), "--json"], capture_output=True, text=True, check=True)
        said = [verdict(comparison) for comparison in json.loads(done.stdout)["comparisons"]]
        print(f"| {pair}, {machine} | {len(rounds)} | {'; '.join(said)} |")


def verdict(comparison: dict) -> str:
    percent = comparison["effect"].get("percent")
    size = "" if percent is None else f" ({percent:+.1f} %)"
    return f"`{comparison['metric']}` {comparison['verdict']}{size}"


if __name__ == "__main__":
    main()
