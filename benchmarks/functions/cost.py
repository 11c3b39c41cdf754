"""What does a harness itself cost? What it says of a function that does nothing, and the time that a sample takes beyond what
was measured.

    cost.py EVENHAND BUILD [--tries 15]
"""

import argparse
import json
import re
import statistics

import peers

FEW, MANY = 1000, 50_000
UNITS = {"ps": 1e-3, "ns": 1, "µs": 1e3, "us": 1e3, "ms": 1e6, "s": 1e9}


def nanoseconds(number, unit):
    return float(number) * UNITS[unit]


def found(pattern, out):
    match = re.search(pattern, out)
    if not match:
        raise RuntimeError(f"nothing like {pattern} in: {out}")
    return match.groups()


def ours(program, build, name, *more):
    """What evenhand says of both arms, which are the same program."""
    out, seconds = peers.called([program, "compare", "--json", "--no-save", *more, build["evenhand"], build["evenhand"],
                                 "of_evenhand::" + name])
    return json.loads(out)["levels"], seconds


def empty_evenhand(program, build):
    return ours(program, build, "nothing")[0][0]["median"]


def empty_divan(build):
    out, _ = peers.called([build["divan"], "--bench", "nothing"])
    # The columns are fastest, slowest, median, mean.
    figures = re.findall(r"([0-9.]+) (ps|ns|µs|ms)", next(line for line in out.splitlines() if "nothing" in line))
    return nanoseconds(*figures[2])


def empty_criterion(build):
    out, _ = peers.called([build["criterion"], "--bench", *peers.CRITERION, "--exact", "nothing"])
    return nanoseconds(*found(r"time: +\[\S+ \S+ (\S+) (\S+)", out))


def empty_tango(version, build):
    program = build["tango-" + version[:3]]
    out, _ = peers.called([program, "compare", program, "-t", str(peers.TANGO_SECONDS), "-f", "nothing"], fine=(0, 1))
    return nanoseconds(*found(r"\[ *(\S+) (\S+) \.\.\.", out))


def sample_of_evenhand(program, build):
    """From what more rounds take longer: two samples each."""
    def beyond(rounds):
        levels, seconds = ours(program, build, "ns5", "--launches", "1", "--rounds-per-launch", str(rounds))
        return seconds - sum(level["samples"] * level["iterations"] * level["mean"] for level in levels) / 1e9
    return (beyond(MANY) - beyond(FEW)) / (2 * (MANY - FEW)) * 1e9


def sample_of_divan(build):
    """divan's samples have one iteration here, so their 5 ns count as nothing beside the rest."""
    def seconds(samples):
        options = ["--sample-count", str(samples), "--sample-size", "1"]
        return peers.called([build["divan"], "--bench", "ns5", *options])[1]
    return (seconds(MANY * 20) - seconds(FEW)) / (MANY * 20 - FEW) * 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("build")
    parser.add_argument("--tries", type=int, default=15)
    options = parser.parse_args()
    build = peers.build(options.build)
    asked = {
        "evenhand": (lambda: empty_evenhand(options.evenhand, build), lambda: sample_of_evenhand(options.evenhand, build)),
        "divan 0.1.21": (lambda: empty_divan(build), lambda: sample_of_divan(build)),
        "criterion 0.8.2": (lambda: empty_criterion(build), None),
        "tango 0.7.2": (lambda: empty_tango("0.7.2", build), None),
        "tango 0.9.0": (lambda: empty_tango("0.9.0", build), None),
    }
    empty = {tool: [] for tool in asked}
    sample = {tool: [] for tool in asked}
    for _ in range(options.tries):
        for tool, (of_nothing, of_a_sample) in asked.items():
            empty[tool].append(of_nothing())
            if of_a_sample:
                sample[tool].append(of_a_sample())

    def cells(by_tool):
        medians = [f"{statistics.median(values):.3g} ns" if values else "–" for values in by_tool.values()]
        return " | ".join(medians) + " |"

    print(f"| median of {options.tries} | " + " | ".join(asked) + " |")
    print("|---" * (len(asked) + 1) + "|")
    print("| what a function measures that does nothing | " + cells(empty))
    print("| what a sample takes beyond what is measured | " + cells(sample))


if __name__ == "__main__":
    main()
