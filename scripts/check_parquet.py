#!/usr/bin/env python3
"""Does pyarrow read our Parquet export, and does it hold what our CSV export of the same trial holds?

    python3 scripts/check_parquet.py TRIAL.parquet TRIAL.csv    # exit status 1, with the column, if it does not

`make check-exports` makes both files and calls this. Needs the package pyarrow.
"""
import csv
import sys

import pyarrow.parquet

KNOWN = {"group": "string", "arm": "string", "launch": "uint64", "round": "uint64", "position": "uint64",
         "started_ns": "uint64", "iterations": "uint64"}


def wanted(text, kind):
    """What a cell of the CSV says, as a column of that kind holds it; an empty cell of a number is not known."""
    if kind == "string":
        return text
    return (int if kind == "uint64" else float)(text) if text else None


def check(parquet, text):
    table = pyarrow.parquet.read_table(parquet)
    with open(text, encoding="utf-8", newline="") as file:
        names, *rows = csv.reader(file)
    if names != table.column_names:
        raise ValueError(f"its columns are {table.column_names}, those of the CSV {names}")
    if len(rows) != table.num_rows:
        raise ValueError(f"it has {table.num_rows} rows, the CSV {len(rows)}")
    for place, (name, field) in enumerate(zip(names, table.schema)):
        kind = KNOWN.get(name, "double")
        if str(field.type) != kind:
            raise ValueError(f"column {name!r} is {field.type}, not {kind}")
        for row, (cell, value) in enumerate(zip((row[place] for row in rows), table[name].to_pylist())):
            if value != wanted(cell, kind):
                raise ValueError(f"column {name!r}, row {row}: {value!r}, and the CSV has {cell!r}")
    print(f"{parquet}: {table.num_rows} rows of {table.num_columns} columns, those of the CSV")


def main():
    try:
        check(*sys.argv[1:3])
    except (ValueError, OSError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")


if __name__ == "__main__":
    main()
