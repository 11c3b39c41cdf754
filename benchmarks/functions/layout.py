"""What does each tool say of the same function, after unrelated ones were added in front of it? They move it, and the processor
cares where a short loop lies.

    layout.py EVENHAND BUILDS [--tries 5]

BUILDS is a folder with `plain-0` to `plain-15`, as a compiler does it by default, with so many functions added, and `aligned-0` to
`aligned-15`, built as `evenhand compare --git` builds both sides. Of each harness two builds are taken in which the function came to
lie at the beginning of a line of 64 bytes, and 16 bytes behind it.
"""

import argparse
import statistics
import subprocess

import peers

FUNCTION = "one_by_one"
SECONDS = 5
LINE = 64
GOOD, BAD = 0, 16
BUILDS = 16


def place_in_line(program):
    """How many bytes behind the beginning of a line the function lies."""
    symbols = subprocess.run(["nm", "--demangle", program], stdout=subprocess.PIPE, check=True, text=True).stdout
    address = next(line.split()[0] for line in symbols.splitlines() if line.endswith("work::" + FUNCTION))
    return int(address, 16) % LINE


def pair(options, kind, harness):
    """Two builds of a harness that differ in where the function lies; aligned ones never do."""
    builds = {added: peers.build(options.builds, f"{kind}-{added}") for added in range(BUILDS)}
    places = {added: place_in_line(of[harness]) for added, of in builds.items()}
    if kind == "aligned":
        return builds[0], builds[3]
    good, bad = ([added for added, place in places.items() if place == wanted] for wanted in (GOOD, BAD))
    if not good or not bad:
        raise RuntimeError(f"{harness}: in no two builds does {FUNCTION} lie so, but at {places}: add other functions")
    return builds[good[0]], builds[bad[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("builds")
    parser.add_argument("--tries", type=int, default=5)
    options = parser.parse_args()

    def evenhand(old, new):
        return peers.evenhand(options.evenhand, "evenhand", ["--max-time", str(SECONDS)], old, new, FUNCTION)

    rows = {
        "criterion 0.8.2": ("plain", "criterion", lambda old, new: peers.criterion(old, new, FUNCTION)),
        "tango 0.7.2": ("plain", "tango-0.7", lambda old, new: peers.tango("0.7.2", old, new, FUNCTION)),
        "tango 0.9.0": ("plain", "tango-0.9", lambda old, new: peers.tango("0.9.0", old, new, FUNCTION)),
        "evenhand, `--no-align`": ("plain", "evenhand", evenhand),
        "evenhand": ("aligned", "evenhand", evenhand),
    }
    print("| | median change | called a change |\n|---|---|---|")
    for name, (kind, harness, ask) in rows.items():
        old, new = pair(options, kind, harness)
        asked = [ask(old, new) for _ in range(options.tries)]
        change = statistics.median(100 * extra["found"]["estimate"] for _, _, extra in asked)
        calls = sum(any(answers.values()) for answers, _, _ in asked)
        print(f"| {name} | {change:+.1f} % | {calls} of {options.tries} |", flush=True)


if __name__ == "__main__":
    main()
