#!/usr/bin/env python3
"""Does a shared layout change the answer, or only its width?

Three functions are compared with themselves and with 1 % more work, with a layout of its own for each side and with one for both sides of a launch
(`evenhand compare --layout`). Writes a table as Markdown:

    benchmarks/python/layout.py target/release/evenhand [LAUNCHES] > benchmarks/python/RESULTS.md

It takes some minutes. Leave the machine alone meanwhile: load makes both ways slower, and the table says how much there was.
"""
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

ROUNDS = 30
N = 2000
FUNCTIONS = {
    "loop": "for i in range(n): total += i * i % 7",
    "dicts and strings": "for i in range(n): words[str(i % 97)] = words.get(str(i % 89), 0) + 1",
    "method calls": "for i in range(n): total += thing.step(i)",
}
SCRIPT = """
import evenhand

class Thing:
    def step(self, i):
        return i & 3

@evenhand.bench
def work(n={n}, thing=Thing()):
    total, words = 0, {{}}
    {body}
"""


def main() -> None:
    program = os.path.abspath(sys.argv[1])
    launches = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    print("# Python: a layout for each side, and one for both\n")
    print(f"Written by `benchmarks/python/layout.py`: n = {launches} launches of {ROUNDS} rounds in each cell, Python {platform.python_version()},")
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f} at the beginning. The effect of the candidate with its 99 % interval.\n")
    print("| function | more work | layout | effect | interval | width | verdict | time |")
    print("|---|---|---|---:|---|---:|---|---:|")
    for name, body in FUNCTIONS.items():
        for more in (0, 1):
            for layout in ("own", "shared"):
                print(row(program, launches, name, body, more, layout), flush=True)
    print(f"\nLoad at the end: {os.getloadavg()[0]:.1f}.")


def row(program: str, launches: int, name: str, body: str, more: int, layout: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        for file, n in [("old.py", N), ("new.py", N * (100 + more) // 100)]:
            pathlib.Path(folder, file).write_text(SCRIPT.format(n=n, body=body))
        words = ["compare", "old.py", "new.py", "--layout", layout, "--json", "--no-save", "--max-time", "10m"]
        words += ["--launches", str(launches), "--rounds-per-launch", str(ROUNDS)]
        done = subprocess.run([program, *words], cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout)["comparisons"][0]
    effect, low, high = (100 * found["effect"][field] for field in ("estimate", "low", "high"))
    seconds = found["seconds"]
    cells = [name, f"{more} %", layout, f"{effect:+.2f} %", f"{low:+.2f} … {high:+.2f} %", f"{high - low:.2f} %", found["verdict"], f"{seconds:.1f} s"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
