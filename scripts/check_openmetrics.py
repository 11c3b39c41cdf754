#!/usr/bin/env python3
"""Does another program read our OpenMetrics text? Parses files with the strict parser of Prometheus' own Python client.

    python3 scripts/check_openmetrics.py FILE…    # exit status 1, with the parser's words, if it refuses one

Without files: the snapshot that crates/evenhand-formats/tests/formats/export/openmetrics.rs compares with byte for byte.
Needs the package prometheus_client (0.26.0 when the snapshot was made).
"""
import pathlib
import sys

from prometheus_client.openmetrics.parser import text_fd_to_metric_families

SNAPSHOT = pathlib.Path(__file__).resolve().parent.parent / "crates/evenhand-formats/tests/fixtures/export/full.om"


def check(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        families = list(text_fd_to_metric_families(file))
    samples = sum(len(family.samples) for family in families)
    if not samples:
        raise ValueError("no sample in it")
    print(f"{path}: {len(families)} families, {samples} samples")


def main():
    failed = False
    for path in sys.argv[1:] or [SNAPSHOT]:
        try:
            check(path)
        except (ValueError, OSError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
