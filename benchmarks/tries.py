"""What do the comparisons with rivals have in common? Load beside them, records that are kept after each try, so that the
whole can be done in parts, and the share of tries in which a difference was called."""

import collections
import json
import os
import random
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


def measured(out, loads, rows, asked, wanted):
    """All records: those of the file `out`, one a line, and `wanted` tries of each row and tool that are not in it yet, which are
    appended one by one. `rows` are dictionaries; `asked(load, **row)` answers by tool a function that asks it once:
    whether the two sides are swapped in, (answer by rule, seconds, more to keep) out."""
    records = recorded(out)
    done = {(*place(record), record["try"], record["tool"]) for record in records}
    for load in loads:
        with Load(load):
            for row in rows:
                key = {"load": load, **row}
                for number in range(wanted):
                    tools = [(tool, ask) for tool, ask in asked(load, **row).items()
                             if (*place(key), number, tool) not in done]
                    random.shuffle(tools)
                    for tool, ask in tools:
                        records += kept(out, {**key, "try": number, "tool": tool}, ask)
                print(", ".join(str(part) for part in key.values()) + " done", file=sys.stderr, flush=True)
    return records


def both_ways(ask, old, new, *more):
    """Asks about two sides, or about them swapped."""
    return lambda swapped: ask(*((new, old) if swapped else (old, new)), *more)


def place(record):
    """Which row a record is of."""
    return tuple(record.get(key) for key in ("load", "milliseconds", "function", "effect", "less"))


def recorded(out):
    if not (out and os.path.exists(out)):
        return []
    with open(out, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def kept(out, key, ask):
    """Asks once, the other way round in every second try: a habit of favouring the second side shows then."""
    swapped = key["try"] % 2 == 1
    answers, seconds, extra = ask(swapped)
    records = [{**key, "rule": rule, "answer": -answer if swapped else answer, "seconds": seconds, **extra}
               for rule, answer in answers.items()]
    if out:
        with open(out, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return records


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
