#!/usr/bin/env python3
"""What the program says of the recorded pairs whose sign is known.

    known.py PROGRAM
"""

from __future__ import annotations

import json
import sys
import tempfile

from record import ROUNDS
from retoss import DECIDED, comparisons, trial


def main() -> None:
    kept: dict[tuple[str, str], list[dict]] = {}
    for line in map(json.loads, ROUNDS.read_text().splitlines()):
        if not line["pair"].endswith("the same"):
            kept.setdefault((line["pair"], line["machine"]), []).append(line)
    print("| recorded | rounds | verdicts |\n|---|---:|---|")
    for (pair, machine), lines in kept.items():
        rounds = [line["samples"] for line in lines]
        decided = [*DECIDED, "errors"]
        recorded = trial(lines[0]["metrics"], rounds, [False] * len(rounds), 1, decided)
        with tempfile.TemporaryDirectory() as folder:
            found = [verdict(both) for both in comparisons(sys.argv[1], recorded, folder)]
        print(f"| {pair}, {machine} | {len(rounds)} | {'; '.join(found)} |")


def verdict(comparison: dict) -> str:
    effect = comparison["effect"]
    ends = [effect["low"], effect["high"]]
    size = "" if None in ends else f" [{', '.join(f'{100 * end:+.1f} %' for end in ends)}]"
    return f"`{comparison['metric']}` {comparison['verdict']}{size}"


if __name__ == "__main__":
    main()
