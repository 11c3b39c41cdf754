#!/usr/bin/env python3
"""The wheel: the Python package with the static program in it, so that `pip install` is all it takes. `make wheel`, after `make dist`.

The package alone is made by its own build system; the program is added as a script, and the name then says for which machines it is:
static, it runs with any C library.
"""

import argparse
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from dist import ROOT, host, metadata, sums

# A static program needs a kernel and nothing else.
PLATFORMS = {"x86_64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
             "aarch64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"}
MOST_BYTES = 15_000_000


def run(*words):
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def tools(folder):
    """An environment with pip and wheel, as this system's Python may have neither."""
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/pip", "install", "--quiet", "wheel", "setuptools>=64")
    return folder / "bin/python"


def program(archive, folder):
    """The program of the archive."""
    with tarfile.open(archive) as tar:
        entry = next(entry for entry in tar if entry.name.endswith("/evenhand"))
        folder.mkdir(parents=True)
        (folder / "evenhand").write_bytes(tar.extractfile(entry).read())
    (folder / "evenhand").chmod(0o755)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default=host())
    parser.add_argument("--out", type=Path, default=ROOT / "target/packages")
    arguments = parser.parse_args()
    number, out = metadata()["version"], arguments.out.resolve()
    archive = out / f"evenhand-{number}-{arguments.target}.tar.gz"
    if not archive.exists():
        raise SystemExit(f"there is no {archive}: run make dist first")
    with tempfile.TemporaryDirectory() as room:
        room = Path(room)
        python = tools(room / "tools")
        # Whoever builds in the checkout leaves folders there.
        package = Path(shutil.copytree(ROOT / "python", room / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__")))
        for licence in ("LICENSE-APACHE", "LICENSE-MIT"):
            shutil.copy(ROOT / licence, package)
        run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", room, package)
        pure = room / f"evenhand-{number}-py3-none-any.whl"
        if not pure.exists():
            raise SystemExit(f"the package's version is not that of the program, {number}: see python/pyproject.toml")
        run(python, "-m", "wheel", "unpack", "--dest", room / "open", pure)
        unpacked = room / f"open/evenhand-{number}"
        program(archive, unpacked / f"evenhand-{number}.data/scripts")
        run(python, "-m", "wheel", "pack", "--dest-dir", room, unpacked)
        platforms = PLATFORMS[arguments.target.split("-")[0]]
        run(python, "-m", "wheel", "tags", "--remove", "--platform-tag", platforms, pure)
        [wheel] = room.glob("*.whl")
        for older in out.glob("evenhand-*.whl"):
            older.unlink()
        made = Path(shutil.copy(wheel, out))
    sums(out, sorted(file for file in out.iterdir() if file.is_file() and file.name != "SHA256SUMS"))
    size = made.stat().st_size
    print(f"{made}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        raise SystemExit(f"{made} has {size} bytes, and may have {MOST_BYTES}")


if __name__ == "__main__":
    main()
