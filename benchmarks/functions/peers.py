"""Who says what of a function in two builds? Each rival is asked in its own words, and its answer is reduced to one of three:
-1 the candidate is faster, +1 it is slower, 0 it says nothing.

The function of each rival answers (answer by rule, seconds that the tool took, extra). A build is a dictionary: the program of each harness."""

import json
import os
import re
import subprocess
import tempfile
import time

# A change of 0.5 % is to be found, so one that matters is smaller.
MARGIN = 0.25  # percent
# Rivals are told their time, and the margin, where they want to be told.
TANGO_SECONDS = 1
CRITERION = ["--warm-up-time", "0.5", "--measurement-time", "1", "--noplot"]


def build(*place):
    """The build in a folder, whose programs are called like their harnesses."""
    folder = os.path.join(*place)
    return {name: os.path.join(folder, name) for name in os.listdir(folder)}


def called(argv, fine=(0,), **more):
    began = time.monotonic()
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **more)
    if done.returncode not in fine:
        raise RuntimeError(f"{argv[0]} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return done.stdout.decode(), time.monotonic() - began


def evenhand(program, rule, more, old, new, name):
    """`evenhand compare`: its verdict."""
    out, seconds = called([program, "compare", "--json", "--no-save", "--margin", f"{MARGIN}%", *more, old["evenhand"], new["evenhand"],
                           "--exact", "of_evenhand::" + name])
    comparison = json.loads(out)["comparisons"][0]
    words = {"slower": 1, "slightly slower": 1, "faster": -1, "slightly faster": -1}
    extra = {key: comparison[key] for key in ("verdict", "rounds", "launches")}
    return {rule: words.get(comparison["verdict"], 0)}, seconds, {**extra, "found": comparison["effect"]}


def criterion(old, new, name):
    """criterion: measures one build, then the other against what it saved; its own words."""
    with tempfile.TemporaryDirectory() as folder:
        where = {**os.environ, "CRITERION_HOME": folder}
        choice = ["--exact", name]
        _, first = called([old["criterion"], "--bench", *CRITERION, "--save-baseline", "old", *choice], env=where)
        out, second = called([new["criterion"], "--bench", *CRITERION, "--baseline", "old", *choice], env=where)
    answer = 1 if "has regressed" in out else -1 if "has improved" in out else 0
    change = re.search(r"change: \[\S+ (\S+)% \S+\]", out).group(1).replace("−", "-")
    return {"criterion 0.8.2": answer}, first + second, {"found": {"estimate": float(change) / 100}}


def nanobench(program, old, new, name):
    """nanobench compares both in one process, at 95 %: its own words."""
    out, seconds = called([program, old["shared.so"], new["shared.so"], name])
    found = re.search(r"`new` ran (\S+)x (faster|slower) than `old`", out)
    if not found and "no difference resolved" not in out:
        raise RuntimeError(f"nanobench says something else than before: {out}")
    answer = 0 if not found else 1 if found.group(2) == "slower" else -1
    return {"nanobench compare": answer}, seconds, {}


def tango(version, old, new, name):
    """tango: a star behind the change says that it is significant. 0.9 ends with 1 if something is slower, and takes a margin."""
    program = "tango-" + version[:3]
    margin = ["--noise-threshold", str(MARGIN)] if version == "0.9.0" else []
    wanted = ["-t", str(TANGO_SECONDS), "-f", name, *margin]
    out, seconds = called([new[program], "compare", old[program], *wanted], fine=(0, 1))
    found = re.search(r"([+-][0-9.]+)\s*%(\*?)", out)
    if not found:
        raise RuntimeError(f"tango {version} said nothing of {name}: {out}")
    change, star = found.groups()
    sign = (float(change) > 0) - (float(change) < 0)
    return {f"tango {version}": sign if star else 0}, seconds, {"found": {"estimate": float(change) / 100}}
