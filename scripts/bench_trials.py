"""How fast do others read the files that evenhand reads, and how long do its commands take from the disk to the answer?

    bench_trials.py EVENHAND FOLDER

`FOLDER/files` holds a file of each format, `FOLDER/ten-million` a trial of ten million samples in evenhand's JSON, as
`cargo bench -p evenhand-formats --bench import -- --write` makes them. `scripts/bench-trials.sh` calls this.

A peer is timed inside Python, around its loader alone: the start of Python and its imports do not count. evenhand is
timed as a whole command, with the archive that it writes and waits for. Every reader runs in a process of its own,
three times, the best counts; its memory is the peak of the process, which for pandas begins at 75 MB. `cpu` is the time
that it had a core, which depends little on who else wanted one. The files are in the page cache, except where a table says "from the disk".
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

TIMES = 3

# What each peer does with the file. json.load is what hyperfine's own scripts do with its export.
LOADERS = {
    "json.load": "import json; load = lambda path: json.load(open(path))",
    "pandas.read_json": "import pandas; load = lambda path: pandas.read_json(path, typ='series', convert_dates=False)",
    "pandas.read_csv": "import pandas; load = lambda path: pandas.read_csv(path)",
    "pandas.read_csv, exact": "import pandas; load = lambda path: pandas.read_csv(path, float_precision='round_trip')",
    "pandas.read_csv, no header": "import pandas; load = lambda path: pandas.read_csv(path, header=None)",
    "pyperf.BenchmarkSuite.load": "import pyperf; load = lambda path: pyperf.BenchmarkSuite.load(path)",
}
PEERS = {
    "hyperfine": ["json.load", "pandas.read_json"],
    "hyperfine-2": ["json.load"],
    "criterion": ["json.load", "pandas.read_json"],
    "google-benchmark": ["json.load", "pandas.read_json"],
    "pyperf": ["json.load", "pyperf.BenchmarkSuite.load"],
    "pytest-benchmark": ["json.load", "pandas.read_json"],
    "jmh": ["json.load", "pandas.read_json"],
    "benchmark-dotnet": ["json.load", "pandas.read_json"],
    "evenhand": ["json.load", "pandas.read_json"],
    "columns": ["pandas.read_csv", "pandas.read_csv, exact"],
    "numbers": ["pandas.read_csv, no header"],
}
TIMED = """
import sys, time
{loader}
wall, cpu = time.perf_counter(), time.process_time()
kept = load(sys.argv[1])
print(time.perf_counter() - wall, time.process_time() - cpu)
"""

SAME_TIMES = """
import json, sys
times = [[result["times"] for result in json.load(open(path))["results"]] for path in sys.argv[1:]]
print(times[0] == times[1], "of", sum(map(len, times[0])))
"""


def main(evenhand, folder):
    folder = pathlib.Path(folder)
    scratch = folder / "scratch"
    print(f"load average {load()}\n")
    readers(evenhand, folder / "files", scratch)
    exports(evenhand, folder / "files" / "hyperfine", scratch)
    from_the_disk(evenhand, folder / "ten-million" / "evenhand", scratch)
    print(f"\nload average {load()}")


def readers(evenhand, files, scratch):
    print("reading the same files; the ratio is the peer's seconds over those of `evenhand import` as a whole command")
    print("| file | MB | reader | seconds | MB/s | cpu seconds | peak MB | × evenhand | × its cpu |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, peers in PEERS.items():
        path = files / name
        size = path.stat().st_size / 1e6
        ours = best(lambda: imported(evenhand, path, scratch))
        rows = [("evenhand import", ours)] + [(peer, best(lambda: loaded(peer, path))) for peer in peers]
        for reader, (wall, cpu, peak) in rows:
            print(
                f"| {name} | {size:.0f} | {reader} | {wall:.2f} | {size / wall:.0f} | {cpu:.2f} | {peak:.0f} "
                f"| {wall / ours[0]:.1f} | {cpu / ours[1]:.1f} |",
                flush=True,
            )


def exports(evenhand, path, scratch):
    """Our export in hyperfine's form against the file in hyperfine's own layout that it came from."""
    clear(scratch)
    run([evenhand, "--archive", scratch / "archive", "import", path])
    ours = scratch / "ours.json"
    exported = [evenhand, "--archive", scratch / "archive", "export", "@last", "--to", "hyperfine", "-o", ours]
    wall, cpu, _ = run(exported)
    print("\nthe same runs in hyperfine's form")
    print("| written by | bytes | json.load seconds | cpu seconds |")
    print("|---|---|---|---|")
    for name, file in [("hyperfine's layout", path), ("evenhand export", ours)]:
        seconds, busy, _ = best(lambda: loaded("json.load", file))
        print(f"| {name} | {file.stat().st_size} | {seconds:.2f} | {busy:.2f} |")
    # In a process of its own: a child's peak is at least that of the process that started it.
    same = subprocess.run([sys.executable, "-c", SAME_TIMES, path, ours], stdout=subprocess.PIPE, check=True)
    print(f"\nall times are the same doubles: {same.stdout.decode().strip()}")
    print(f"`evenhand export --to hyperfine` took {wall:.2f} s ({cpu:.2f} s of a core)")


def from_the_disk(evenhand, path, scratch):
    clear(scratch)
    archive = scratch / "archive"
    size = path.stat().st_size
    print(f"\nfrom the disk: a trial of ten million samples as JSON ({size / 1e6:.0f} MB) and in the archive")
    if not drop_caches():
        print("the page cache cannot be dropped here: everything below is read from memory")
    print("| what | seconds | cpu seconds | peak MB |")
    print("|---|---|---|---|")
    row("cat JSON > /dev/null", run(["cat", path], cold=True))
    row("evenhand import JSON", run([evenhand, "--archive", archive, "import", path], cold=True))
    stored = archive / "archive.sqlite"
    row(f"cat archive > /dev/null ({stored.stat().st_size / 1e6:.0f} MB)", run(["cat", stored], cold=True))
    row("evenhand analyze @last", run([evenhand, "--archive", archive, "analyze", "@last"], cold=True))
    row("evenhand analyze JSON", run([evenhand, "--archive", archive, "analyze", path], cold=True))


def row(what, figures):
    wall, cpu, peak = figures
    print(f"| {what} | {wall:.2f} | {cpu:.2f} | {peak:.0f} |", flush=True)


def imported(evenhand, path, scratch):
    clear(scratch)
    return run([evenhand, "--archive", scratch / "archive", "import", path])


def loaded(peer, path):
    """The loader's own time, and the peak of its process."""
    program = TIMED.format(loader=LOADERS[peer])
    process = subprocess.Popen([sys.executable, "-c", program, path], stdout=subprocess.PIPE)
    answer = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        raise SystemExit(f"{peer} failed on {path}")
    wall, cpu = (float(word) for word in answer.split())
    return wall, cpu, usage.ru_maxrss * 1024 / 1e6


def run(command, cold=False):
    """Seconds, seconds of a core and peak MB of a command."""
    if cold:
        drop_caches()
    start = time.perf_counter()
    process = subprocess.Popen([os.fspath(word) for word in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        raise SystemExit(f"{command} failed")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def best(measure):
    figures = [measure() for _ in range(TIMES)]
    return tuple(min(column) for column in zip(*figures))


def drop_caches():
    """Whether the kernel let go of what it holds of files."""
    os.sync()
    try:
        pathlib.Path("/proc/sys/vm/drop_caches").write_text("1\n")
    except OSError:
        return False
    return True


def clear(scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)


def load():
    return " ".join(pathlib.Path("/proc/loadavg").read_text().split()[:3])


if __name__ == "__main__":
    main(*sys.argv[1:])
