"""Does pyarrow read our Parquet export, and does it hold what our CSV export of the same trial holds?

    pip install pyarrow pandas
    python3 scripts/check_parquet.py trial.parquet trial.csv
"""

import sys

import pandas
import pyarrow.parquet

KNOWN = {"group": "string", "arm": "string", "launch": "uint64", "round": "uint64", "position": "uint64",
         "started_ns": "uint64", "iterations": "uint64"}

table = pyarrow.parquet.read_table(sys.argv[1])
for field in table.schema:
    expected = KNOWN.get(field.name, "double")
    if str(field.type) != expected:
        sys.exit(f"column {field.name!r} is {field.type}, not {expected}")
texts = pandas.read_csv(sys.argv[2], dtype=str, keep_default_na=False)
if list(texts.columns) != table.column_names or len(texts) != table.num_rows:
    sys.exit("the CSV has other columns or rows")
for name in table.column_names:
    read = {"string": str, "uint64": int}.get(KNOWN.get(name), float)
    empty = "" if read is str else None
    wanted = [read(text) if text else empty for text in texts[name]]
    if table[name].to_pylist() != wanted:
        sys.exit(f"column {name!r} differs")
print(f"{table.num_rows} rows of {table.num_columns} columns are those of the CSV")
