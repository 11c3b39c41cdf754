"""How much room do the recorded traces take as Parquet? Bytes a sample, to set beside the archive's table.

The columns are those of the archive's benchmark: arm, launch, round, position, started, iterations, wall; a coin decides
the positions, and each sample starts 60 ns after the one before ended. Written by Apache Arrow's own writer, once
with its usual settings (dictionaries, Snappy) and once as small as it goes (deltas for whole numbers, Zstandard).

    make parquet-bytes
"""

import gzip
import io
import pathlib
import random

import pyarrow
import pyarrow.parquet

TRACES = pathlib.Path(__file__).resolve().parent.parent / "calibration" / "traces"
GAP_NS = 60


def trial(path):
    """The columns of a trace as a trial, series by series."""
    coin = random.Random(1)
    clock = 0
    arms = ([], [])
    with gzip.open(path, "rt") as lines:
        pairs = [tuple(int(number) for number in line.split()) for line in lines if line.strip()]
    for index, pair in enumerate(pairs):
        first = coin.randrange(2)
        for position, (arm, wall) in enumerate(zip((first, 1 - first), pair)):
            arms[arm].append((("old", "new")[arm], 0, index, position, clock, 1, wall))
            clock += wall + GAP_NS
    names = ["arm", "launch", "round", "position", "started", "iterations", "wall"]
    return pyarrow.table(dict(zip(names, (list(column) for column in zip(*arms[0], *arms[1])))))


def size(table, **settings):
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out, **settings)
    return len(out.getvalue())


def smallest(table):
    wholes = [name for name in table.column_names if name != "arm"]
    deltas = {name: "DELTA_BINARY_PACKED" for name in wholes}
    return size(table, compression="zstd", use_dictionary=["arm"], column_encoding=deltas)


def main():
    print("| trace | samples | usual | smallest | usual, times only | smallest, times only |")
    print("|---|---|---|---|---|---|")
    for path in sorted(TRACES.glob("*.txt.gz")):
        table = trial(path)
        times = table.drop_columns(["position", "started"])
        sizes = [write(part) / len(table) for part in (table, times) for write in (size, smallest)]
        print(f"| {path.name.removesuffix('.txt.gz')} | {len(table)} |", " | ".join(f"{s:.2f}" for s in sizes), "|")


if __name__ == "__main__":
    main()
