"""Who says what of two commands? Each rival is asked in its own words, and its answer is reduced to one of three:
-1 the candidate is faster, +1 it is slower, 0 it says nothing.

Each function answers (answer by rule, seconds that the tool took, extra)."""

import json
import os
import subprocess
import tempfile
import time

import numpy
from scipy import stats

P = 0.01  # the error rate that every rule is asked for


def called(argv):
    began = time.monotonic()
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done, time.monotonic() - began


def sign(number):
    return int(number > 0) - int(number < 0)


def evenhand(program, rule, baseline, candidate, max_time, *more):
    """`evenhand run`: its verdict."""
    done, seconds = called(
        [program, "run", "--json", "--no-save", "--max-time", str(max_time), *more, baseline, candidate]
    )
    if done.returncode != 0:
        raise RuntimeError(f"evenhand ended with {done.returncode}: {done.stderr.decode()}")
    comparison = json.loads(done.stdout)["comparisons"][0]
    words = {"slower": 1, "slightly slower": 1, "faster": -1, "slightly faster": -1}
    answer = words.get(comparison["verdict"], 0)
    return {rule: answer}, seconds, {"verdict": comparison["verdict"], "rounds": comparison["rounds"],
                                           "found": comparison["effect"]}


def hyperfine(name, program, baseline, candidate, runs):
    """hyperfine: its own line ("1.02 ± 0.01 times faster": a difference if the ratio is further from 1 than its ±),
    and two usual tests on its exported times."""
    with tempfile.TemporaryDirectory() as folder:
        exported = os.path.join(folder, "times.json")
        done, seconds = called(
            [program, "-N", "--style", "none", "--runs", str(runs), "--export-json", exported, baseline, candidate]
        )
        if done.returncode != 0:
            raise RuntimeError(f"{name} ended with {done.returncode}: {done.stderr.decode()}")
        with open(exported, encoding="utf-8") as file:
            results = json.load(file)["results"]
    (old, new) = [times_of(result) for result in results]
    mean_old, mean_new = old.mean(), new.mean()
    ratio = max(mean_old, mean_new) / min(mean_old, mean_new)
    spread = ratio * ((old.std(ddof=1) / mean_old) ** 2 + (new.std(ddof=1) / mean_new) ** 2) ** 0.5
    direction = sign(mean_new - mean_old)
    answers = {f"{name}, its own ±": direction if ratio - spread > 1 else 0}
    answers[f"{name}, Mann–Whitney"] = direction_of_ranks(old, new) if stats.mannwhitneyu(old, new).pvalue < P else 0
    answers[f"{name}, Welch"] = direction if stats.ttest_ind(old, new, equal_var=False).pvalue < P else 0
    return answers, seconds, {}


def direction_of_ranks(old, new):
    return sign(numpy.median(new) - numpy.median(old))


def times_of(result):
    if "times" in result:
        return numpy.array(result["times"])
    # The schema of 2.0.
    return numpy.array([run["time_wall_clock"]["value"] for run in result["measurements"]])


def perf_stat(program, baseline, candidate, runs):
    """`perf stat -r`: a difference if the means are further apart than 2.58 of their printed errors together (1 %)."""
    means, errors, total = [], [], 0.0
    for command in (baseline, candidate):
        done, seconds = called([program, "stat", "-r", str(runs), "-e", "task-clock", *command.split()])
        total += seconds
        line = next(line for line in done.stderr.decode().splitlines() if "elapsed" in line)
        words = line.split()  # 0.001433 +- 0.000421 seconds time elapsed  ( +- 29.36% )
        means.append(float(words[0].replace(",", "")))
        errors.append(float(words[2]) if words[1] == "+-" else 0.0)
    apart = means[1] - means[0]
    error = (errors[0] ** 2 + errors[1] ** 2) ** 0.5
    return {"perf stat -r, z": sign(apart) if abs(apart) > 2.576 * error else 0}, total, {}
