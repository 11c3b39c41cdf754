#!/usr/bin/env python3
"""Processor time of the client for each request, beside wrk in the same run: nginx on all processors but the first, the client on that.

    cost.py EXAMPLE      the example `cost` of the crate evenhand-load
"""

from __future__ import annotations

import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
TURNS = 5


def nginx(folder: str) -> tuple[subprocess.Popen, int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    text = (HERE / "nginx.conf").read_text().replace("PORT", str(port)).replace("ACCESS_LOG", "off").replace("DIR", folder)
    conf = Path(folder) / "nginx.conf"
    conf.write_text(text)
    others = ",".join(map(str, sorted(os.sched_getaffinity(0))[1:]))
    server = subprocess.Popen(["taskset", "-c", others, "nginx", "-p", folder, "-c", str(conf)], stderr=subprocess.DEVNULL)
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return server, port
        except OSError:
            time.sleep(0.05)


def on_first(words: list[str]) -> tuple[str, float]:
    """What it wrote, and the processor time that it took, in seconds."""
    first = str(min(os.sched_getaffinity(0)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = subprocess.run(["taskset", "-c", first, *words], capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        server, port = nginx(folder)
        try:
            for _ in range(TURNS):
                text, seconds = on_first(["wrk", "-t1", "-c16", "-d5s", f"http://127.0.0.1:{port}/"])
                theirs.append(1e6 * seconds / int(re.search(r"(\d+) requests in", text).group(1)))
                text, _ = on_first([sys.argv[1], f"127.0.0.1:{port}"])
                closed = text[text.index("16 clients") :]
                ours.append(float(re.search(r"processor: ([\d.]+) µs", closed).group(1)))
        finally:
            server.terminate()
            server.wait()
    ratios = median(one / other for one, other in zip(ours, theirs))
    print("| 16 connections as fast as they can, CPU a request | median of 5 |\n|---|---:|")
    print(f"| evenhand | {median(ours):.2f} µs |\n| wrk | {median(theirs):.2f} µs |\n| ratio of each turn | {ratios:.2f} |")


if __name__ == "__main__":
    main()
