"""The services of the benchmark, as `evenhand load` starts them: words for one arm, and what is asked of it."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent
PLANTED = HERE.parent.parent / "target" / "planted"
# Steps of work for a request: about half a millisecond.
WORK = 400_000


def nginx(access_log: str = "off", gzip: str = "off") -> list[str]:
    """nginx with one worker, which answers from memory."""
    fill = f"s#PORT#{{port}}#; s#ACCESS_LOG#{access_log}#; s#GZIP#{gzip}#; s#DIR#{{dir}}#"
    files = f"sed '{fill}' {HERE}/nginx.conf > {{dir}}/nginx.conf && seq 20000 > {{dir}}/page.html"
    start = f"{files} && exec nginx -p {{dir}} -c {{dir}}/nginx.conf"
    return ["--start", f'sh -c "{start}"']


def redis(*more: str) -> list[str]:
    """Redis without snapshots."""
    return ["--start", " ".join(["redis-server --port {port} --dir {dir} --save ''", *more])]


def planted(steps: int, slow: int = 0, wrong: int = 0) -> list[str]:
    """A server of this folder, whose changes have a known size; run.sh builds it."""
    return ["--start", f"{PLANTED} {{port}} {steps} {slow} {wrong}"]


ASKED = {
    "planted": ["--rate", "500", "--slice", "2s", "http://127.0.0.1:{port}/"],
    "nginx": ["--rate", "1000", "http://127.0.0.1:{port}/"],
    "page": ["--rate", "200", "--header", "Accept-Encoding: gzip", "http://127.0.0.1:{port}/page.html"],
    "redis": ["--rate", "1000", "--command", "SET key value", "redis://127.0.0.1:{port}"],
}

# Two arms that are the same, and pairs whose sign is known: the second does more.
PAIRS = {
    "nginx, the same": ("nginx", nginx(), nginx()),
    "redis, the same": ("redis", redis(), redis()),
    "nginx, access_log": ("nginx", nginx(), nginx("{dir}/access.log")),
    "nginx, gzip": ("page", nginx(), nginx(gzip="on")),
    "planted, 1 % more work": ("planted", planted(WORK), planted(WORK * 101 // 100)),
    "planted, 5 % more work": ("planted", planted(WORK), planted(WORK * 105 // 100)),
    "planted, 1 % of requests 50 ms later": ("planted", planted(WORK), planted(WORK, slow=10)),
    "planted, 0.1 % of requests fail": ("planted", planted(WORK), planted(WORK, wrong=1)),
    "redis, appendfsync always": ("redis", redis(), redis("--appendonly yes --appendfsync always")),
}
