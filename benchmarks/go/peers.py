"""Who says what of a function on two sides? `evenhand compare --git`, and `go test` with benchstat: each answer is reduced to -1, the
candidate is faster, +1, it is slower, or 0, it says nothing. Each asks on its own and answers (answer by rule, seconds, more to keep)."""

import csv
import json
import os
import subprocess
import tempfile
import time

# A change of 0.5 % is to be found, so one that matters is smaller.
MARGIN = 0.25  # percent


def called(argv, fine=(0,), **more):
    began = time.monotonic()
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode not in fine:
        raise RuntimeError(f"{argv} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return done.stdout.decode(), time.monotonic() - began


def load():
    return {"load_average": os.getloadavg()[0]}


def evenhand(program, work, max_time, old, new, name):
    """The verdict, by the command that a user types; both sides were built before."""
    words = [program, "compare", "--git", f"{old}..{new}", "--exact", name, "--json", "--no-save"]
    out, seconds = called([*words, "--margin", f"{MARGIN}%", "--max-time", str(max_time)], cwd=work)
    comparison = json.loads(out)["comparisons"][0]
    meant = {"slower": 1, "slightly slower": 1, "faster": -1, "slightly faster": -1}
    extra = {key: comparison[key] for key in ("verdict", "rounds", "launches")}
    return {"evenhand": meant.get(comparison["verdict"], 0)}, seconds, {**extra, "found": comparison["effect"], **load()}


def benchstat(program, builds, benchtime, count, interleaved, old, new, name):
    """benchstat's word on `count` results of each side: all of one side and then all of the other, or one by one by hand."""
    pattern = "/".join(f"^{part}$" for part in f"Benchmark{name}".split("/"))
    words = ["-test.run", "^$", "-test.bench", pattern, "-test.benchtime", benchtime, "-test.count"]
    sides, seconds = {old: "", new: ""}, 0.0
    for side in [old, new] * count if interleaved else [old, new]:
        out, took = called([os.path.join(builds, side), *words, "1" if interleaved else str(count)])
        sides[side] += out
        seconds += took
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("old", "new")]
        for file, out in zip(files, sides.values()):
            with open(file, "w", encoding="utf-8") as handle:
                handle.write(out)
        order = "interleaved" if interleaved else "blocks"
        answers = {f"-count {count}, {order}, benchstat{alpha}": word(program, alpha.split(), files) for alpha in ("", " -alpha 0.01")}
    return answers, seconds, load()


def word(program, alpha, files):
    out, _ = called([program, "-format", "csv", *alpha, *files])
    rows = list(csv.reader(out.splitlines()))
    units = next(row for row in rows if "vs base" in row)
    found = rows[rows.index(units) + 1][units.index("vs base")]
    return 0 if found in ("~", "") else 1 if found.startswith("+") else -1
