"""What does each tool say of the same function, after unrelated ones were added in front of it? They move it by 16, 32 and 48
bytes, and the processor cares where a short loop lies.

    layout.py EVENHAND BUILDS [--tries 5]

BUILDS is a folder with `plain-0` to `plain-3`, as a compiler does it by default, with so many functions added, and `aligned-0` to
`aligned-3`, built as `evenhand compare --git` builds both sides.
"""

import argparse
import os
import statistics

import peers

FUNCTION = "one_by_one"
SECONDS = 5


def build(options, name):
    place = os.path.join(options.builds, name)
    return {program: os.path.join(place, program) for program in os.listdir(place)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("evenhand")
    parser.add_argument("builds")
    parser.add_argument("--tries", type=int, default=5)
    options = parser.parse_args()

    def evenhand(old, new):
        return peers.evenhand(options.evenhand, old, new, FUNCTION, SECONDS)

    rows = {
        "criterion 0.8.2": ("plain", lambda old, new: peers.criterion(old, new, FUNCTION)),
        "tango 0.7.2": ("plain", lambda old, new: peers.tango("0.7.2", old, new, FUNCTION)),
        "tango 0.9.0": ("plain", lambda old, new: peers.tango("0.9.0", old, new, FUNCTION)),
        "evenhand, `--no-align`": ("plain", evenhand),
        "evenhand": ("aligned", evenhand),
    }
    print("| median change, calls of a change | 16 bytes | 32 bytes | 48 bytes |\n|---|---|---|---|")
    for name, (kind, ask) in rows.items():
        cells = []
        for added in (1, 2, 3):
            asked = [ask(build(options, f"{kind}-0"), build(options, f"{kind}-{added}")) for _ in range(options.tries)]
            change = statistics.median(100 * extra["found"]["estimate"] for _, _, extra in asked)
            calls = sum(any(answers.values()) for answers, _, _ in asked)
            cells.append(f"{change:+.1f} %, {calls} of {options.tries}")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
