"""The services of the benchmark, as `evenhand load` starts them: words for one arm, and what is asked of it."""

from __future__ import annotations

from pathlib import Path

HERE = Path(__file__).resolve().parent


def nginx(access_log: str = "off") -> list[str]:
    """nginx with one worker, which answers from memory."""
    fill = f"s#PORT#{{port}}#; s#ACCESS_LOG#{access_log}#; s#DIR#{{dir}}#"
    start = f"sed '{fill}' {HERE}/nginx.conf > {{dir}}/nginx.conf && exec nginx -p {{dir}} -c {{dir}}/nginx.conf"
    return ["--start", f'sh -c "{start}"']


def redis(*more: str) -> list[str]:
    """Redis without snapshots."""
    return ["--start", " ".join(["redis-server --port {port} --dir {dir} --save ''", *more])]


ASKED = {
    "nginx": ["--rate", "1000", "http://127.0.0.1:{port}/"],
    "redis": ["--rate", "1000", "--command", "SET key value", "redis://127.0.0.1:{port}"],
}

# Two arms that are the same, and pairs whose sign is known: the second does more.
PAIRS = {
    "nginx, the same": ("nginx", nginx(), nginx()),
    "redis, the same": ("redis", redis(), redis()),
    "nginx, access_log": ("nginx", nginx(), nginx("{dir}/access.log")),
    "redis, appendfsync always": ("redis", redis(), redis("--appendonly yes --appendfsync always")),
}
