"""What do the comparisons with rivals have in common? Load beside them, records that are kept after each row, so that the
whole can be done in parts, and the share of tries in which a difference was called."""

import collections
import json
import os
import statistics
import subprocess
import sys

HOGS = 3


class Load:
    """Processes that take what they can get, while the block runs."""

    def __init__(self, kind):
        self.count = HOGS if kind == "hogs" else 0

    def __enter__(self):
        hog = [sys.executable, "-c", "while True: pass"]
        self.hogs = [subprocess.Popen(hog) for _ in range(self.count)]

    def __exit__(self, *_):
        for hog in self.hogs:
            hog.kill()
            hog.wait()


def numbers(text):
    return [float(part) for part in text.split(",")]


def words(text):
    return text.split(",")


def measured(out, loads, rows, tries):
    """All records: those of the file `out`, and those of the rows that are not in it. `rows` are dictionaries;
    `tries(load, **row)` answers the records of one."""
    records = []
    if out and os.path.exists(out):
        with open(out, encoding="utf-8") as file:
            records = json.load(file)
    for load in loads:
        with Load(load):
            for row in rows:
                key = {"load": load, **row}
                if any(key.items() <= record.items() for record in records):
                    continue
                records += [{**key, **record} for record in tries(load, **row)]
                print(", ".join(str(part) for part in key.values()) + " done", file=sys.stderr, flush=True)
                keep(out, records)
    return records


def keep(out, records):
    if out:
        with open(out + ".part", "w", encoding="utf-8") as file:
            json.dump(records, file)
        os.replace(out + ".part", out)


def summary(records, truth):
    """The share of tries in which what is true was called; where nothing is true, in which anything was. `truth`: -1, 0, 1."""
    called = [record for record in records if record["answer"] != 0]
    right = [record for record in called if record["answer"] == truth]
    counted = right if truth else called
    said = collections.Counter(in_the_way_of(record, truth) for record in records if "verdict" in record)
    return {
        "share": f"{len(counted) / len(records):.0%}" + ("" if truth else " (false)"),
        "wrong_way": len(called) - len(right) if truth else 0,
        "seconds": f"{statistics.median(record['seconds'] for record in records):.1f}",
        "tries": len(records),
        "words": ", ".join(f"{word} {count}" for word, count in said.most_common()),
    }


def in_the_way_of(record, truth):
    """What evenhand said, as if it had always been asked the same way round."""
    word, turned = record["verdict"], {"slower": "faster", "faster": "slower"}
    if truth and record["answer"] == truth:
        right = "slower" if truth > 0 else "faster"
        return word.replace(turned[right], right)
    return word


def table(records, columns, truth):
    """Markdown: a row for each load, key and rule. `columns`: heading by key."""
    grouped = collections.defaultdict(list)
    for record in records:
        place = (record["load"] != "quiet", *[record[key] for key in columns], record["rule"])
        grouped[place].append(record)
    headings = ["load", *columns.values(), "rule", "called a difference", "wrong way", "median seconds", "tries", "in words"]
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    for (_, *keys, rule), chosen in sorted(grouped.items()):
        cells = [chosen[0]["load"], *[f"{key:g}" if isinstance(key, float) else key for key in keys], rule]
        lines.append("| " + " | ".join(str(cell) for cell in [*cells, *summary(chosen, truth(chosen[0])).values()]) + " |")
    return "\n".join(lines)
