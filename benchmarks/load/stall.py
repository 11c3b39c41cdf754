#!/usr/bin/env python3
"""A service stands still for a second of ten: which response times are reported, and which are true?

    stall.py PROGRAM [TIMES]

nginx is stopped for a second while it gets 1,000 requests a second (of wrk and its like: as many as 16 clients send). Who comes in that second waits
for what is left of it, so of S seconds in D the percentile q is S − (1 − q)·D. Prints the median of TIMES (3) runs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

from services import HERE

LONG, STOPPED, PORT = 10.0, 1.0, 18088
URL = f"http://127.0.0.1:{PORT}/"
PARTS = {"P50": 0.5, "P99": 0.99, "max": 1.0}


def main() -> None:
    program, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    truth = {name: max(STOPPED - (1 - part) * LONG, 0) for name, part in PARTS.items()}
    print(f"| 1 s of 10 s stopped | {' | '.join(PARTS)} |\n|---|{'---:|' * len(PARTS)}")
    print(f"| by arithmetic | {' | '.join('below 1 ms' if not value else f'{1000 * value:.0f} ms' for value in truth.values())} |")
    for name, measure in {"evenhand": evenhand, "wrk": wrk, "vegeta": vegeta}.items():
        if shutil.which(name) is None and name != "evenhand":
            continue
        runs = [stopped(measure, program) for _ in range(times)]
        cells = [f"{1000 * median(run[part] for run in runs):.1f} ms" for part in PARTS]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def stopped(measure, program: str) -> dict[str, float]:
    """A run of a tool, in whose middle the service stands still."""
    with tempfile.TemporaryDirectory() as folder:
        text = (HERE / "nginx.conf").read_text()
        for name, value in {"PORT": str(PORT), "ACCESS_LOG": "off", "DIR": folder}.items():
            text = text.replace(name, value)
        (Path(folder) / "nginx.conf").write_text(text)
        nginx = subprocess.Popen(["nginx", "-p", folder, "-c", f"{folder}/nginx.conf"], start_new_session=True)
        try:
            time.sleep(1)
            stop = threading.Timer(LONG / 2, lambda: stand_still(nginx.pid))
            stop.start()
            found = measure(program)
            stop.join()
        finally:
            os.killpg(nginx.pid, signal.SIGKILL)
            nginx.wait()
    return found


def stand_still(group: int) -> None:
    os.killpg(group, signal.SIGSTOP)
    time.sleep(STOPPED)
    os.killpg(group, signal.SIGCONT)


def evenhand(program: str) -> dict[str, float]:
    words = [program, "load", "--rate", "1000", "--time", f"{LONG}s", "--json", URL]
    found = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    response = found["response_ns"]
    if response is None:
        sys.exit(f"evenhand gives no response times: {found['warnings']}")
    return {name: response[name.lower()] / 1e9 for name in PARTS}


def wrk(_: str) -> dict[str, float]:
    done = subprocess.run(["wrk", "-t1", "-c16", f"-d{LONG:.0f}s", "--latency", URL], capture_output=True, text=True, check=True)
    seconds = {"us": 1e-6, "ms": 1e-3, "s": 1.0}

    def time_after(label: str) -> float:
        number, unit = re.search(label + r"\s+([\d.]+)(us|ms|s)", done.stdout).groups()
        return float(number) * seconds[unit]

    # The columns of the line are mean, deviation and maximum.
    largest = re.search(r"Latency\s+\S+\s+\S+\s+([\d.]+)(us|ms|s)", done.stdout).groups()
    return {"P50": time_after("50%"), "P99": time_after("99%"), "max": float(largest[0]) * seconds[largest[1]]}


def vegeta(_: str) -> dict[str, float]:
    attack = ["vegeta", "attack", "-rate", "1000", "-duration", f"{LONG:.0f}s"]
    results = subprocess.run(attack, input=f"GET {URL}\n".encode(), capture_output=True, check=True).stdout
    report = subprocess.run(["vegeta", "report", "-type", "json"], input=results, capture_output=True, check=True).stdout
    latencies = json.loads(report)["latencies"]
    return {"P50": latencies["50th"] / 1e9, "P99": latencies["99th"] / 1e9, "max": latencies["max"] / 1e9}


if __name__ == "__main__":
    main()
