#!/usr/bin/env python3
"""What is handed out: builds the static programs and packs them. `make dist`, or `scripts/dist.py [--target TARGET] [--out FOLDER]`.

evenhand-VERSION-TARGET.tar.gz  programs, manual, completions, licences, as cargo-binstall wants it
evenhand_VERSION_ARCH.deb       the same for Debian
install.sh                      takes the archive to ~/.local
SHA256SUMS                      of the three

The same commit gives the same archive: its files have the time of the commit and no owner.
"""

import argparse
import gzip
import hashlib
import json
import os
import shutil
import struct
import subprocess
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# By their packages.
PROGRAMS = {"evenhand-cli": "evenhand", "evenhand-experiments": "evenhand-experiment"}
# What they have beyond a plain build.
FEATURES = {"evenhand-cli": ["--features", "tls"]}
SHELLS = {"bash": "evenhand.bash", "zsh": "_evenhand", "fish": "evenhand.fish"}
TEXTS = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"]
# Debian's names of processors.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# No program is larger than this.
MOST_BYTES = 15_000_000


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def metadata():
    """Version, authors and repository, as Cargo knows them."""
    packages = json.loads(output("cargo", "metadata", "--no-deps", "--format-version", "1"))["packages"]
    return next(one for one in packages if one["name"] == "evenhand-cli")


def host():
    return next(line.split()[1] for line in output("rustc", "-vV").splitlines() if line.startswith("host:"))


def build(target):
    """The static programs of a target. Only the last step, which links, has to know that they are static: the standard library has both."""
    for package, program in PROGRAMS.items():
        words = ["cargo", "rustc", "--profile", "dist", "--locked", "--target", target, "-p", package, "--bin", program]
        words += FEATURES.get(package, [])
        subprocess.run([*words, "--", "-C", "target-feature=+crt-static"], check=True, cwd=ROOT)
    folder = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / target / "dist"
    return [folder / program for program in PROGRAMS.values()]


def is_static(program):
    """An ELF program without an interpreter needs no C library to start."""
    bytes_ = program.read_bytes()
    (start,), (size, count) = struct.unpack_from("<Q", bytes_, 32), struct.unpack_from("<HH", bytes_, 54)
    kinds = [struct.unpack_from("<I", bytes_, start + place * size)[0] for place in range(count)]
    interpreter = 3
    return bytes_[:5] == b"\x7fELF\x02" and interpreter not in kinds


def check(program):
    size = program.stat().st_size
    print(f"{program.name}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        raise SystemExit(f"{program} has {size} bytes, and may have {MOST_BYTES}")
    if not is_static(program):
        raise SystemExit(f"{program} is not static")


def put(text, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def forget_older(out):
    """What an earlier version left there would be handed out, too."""
    for pattern in ("evenhand-*.tar.gz", "evenhand_*.deb"):
        for file in out.glob(pattern):
            file.unlink()


def stage(programs, folder):
    """The files of the archive, in its own layout."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for program in programs:
        check(program)
        shutil.copy2(program, folder / program.name)
    for text in TEXTS:
        shutil.copy(ROOT / text, folder)
    evenhand = folder / "evenhand"
    (folder / "man").mkdir()
    subprocess.run([evenhand, "man", folder / "man" / "man1"], check=True)
    for shell, name in SHELLS.items():
        put(output(evenhand, "completions", shell), folder / "completions" / name)


def stage_for_debian(files, root, of, architecture):
    """The same files where Debian wants them."""
    shutil.rmtree(root, ignore_errors=True)
    share, doc = root / "usr/share", root / "usr/share/doc/evenhand"
    places = {"completions/evenhand.bash": share / "bash-completion/completions/evenhand",
              "completions/_evenhand": share / "zsh/vendor-completions/_evenhand",
              "completions/evenhand.fish": share / "fish/vendor_completions.d/evenhand.fish"}
    places |= {name: root / "usr/bin" / name for name in PROGRAMS.values()}
    places |= {name: doc / name for name in TEXTS}
    for name, place in places.items():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(files / name, place)
    (share / "man/man1").mkdir(parents=True)
    for page in sorted((files / "man/man1").iterdir()):
        packed = gzip.compress(page.read_bytes(), mtime=0)
        (share / "man/man1" / f"{page.name}.gz").write_bytes(packed)
    kibibytes = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
    put(f"""Package: evenhand
Version: {of["version"]}
Architecture: {architecture}
Section: devel
Priority: optional
Installed-Size: {kibibytes}
Maintainer: {of["authors"][0]}
Homepage: {of["repository"]}
Description: is B faster than A, by how much, and can I trust it?
 evenhand compares commands and functions: it runs them in random order,
 stops when the verdict stands, and says how sure it is.
""", root / "DEBIAN/control")


def same_modes(folder, time):
    """Programs may be run, all may be read, and all is as old as the commit."""
    for path in [folder, *sorted(folder.rglob("*"))]:
        path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        os.utime(path, (time, time))


def pack(folder, archive, time):
    def plain(entry):
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = "root"
        entry.mtime = time
        return entry

    with open(archive, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in [folder, *sorted(folder.rglob("*"))]:
                tar.add(path, path.relative_to(folder.parent).as_posix(), recursive=False, filter=plain)


def pack_for_debian(root, package, time):
    environment = dict(os.environ, SOURCE_DATE_EPOCH=str(time))
    words = ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", root, package]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment)


def sums(out, files):
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (out / "SHA256SUMS").write_text("".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", default=host())
    parser.add_argument("--out", type=Path, default=ROOT / "target/packages")
    arguments = parser.parse_args()
    target, out = arguments.target, arguments.out.resolve()
    of, time = metadata(), int(output("git", "log", "-1", "--format=%ct"))
    number = of["version"]
    name, architecture = f"evenhand-{number}-{target}", ARCHITECTURES[target.split("-")[0]]
    files, root = out / name, out / "debian"
    programs = build(target)
    forget_older(out)
    stage(programs, files)
    stage_for_debian(files, root, of, architecture)
    for folder in (files, root):
        same_modes(folder, time)
    archive, package = out / f"{name}.tar.gz", out / f"evenhand_{number}_{architecture}.deb"
    installer = Path(shutil.copy(ROOT / "scripts/install.sh", out))
    pack(files, archive, time)
    made = [archive, installer]
    if shutil.which("dpkg-deb"):
        pack_for_debian(root, package, time)
        made.append(package)
    else:
        print("no package for Debian is made: there is no dpkg-deb here")
    sums(out, made)
    for folder in (files, root):
        shutil.rmtree(folder)
    for file in [*made, out / "SHA256SUMS"]:
        print(file)


if __name__ == "__main__":
    main()
