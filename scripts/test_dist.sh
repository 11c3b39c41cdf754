#!/bin/sh
# Does what `make dist` made work where nothing else is? Its archive is unpacked into an empty root, where the program comes to a first
# verdict; `install.sh` installs it, and refuses what is damaged.
#
#   scripts/test_dist.sh [FOLDER]
set -eu

made=$(cd "${1:-target/packages}" && pwd)
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
archive=$(basename "$(ls "$made"/evenhand-*.tar.gz)")
name=${archive%.tar.gz}

expect() { # WHAT PATTERN FILE
    grep -q "$2" "$3" || { echo "error: $1: no \"$2\" in:" >&2; cat "$3" >&2; exit 1; }
}

echo "checksums"
(cd "$made" && sha256sum --check --quiet SHA256SUMS)

echo "a first verdict in an empty root"
mkdir "$room/root"
tar -xzf "$made/$archive" -C "$room/root"
ran=$room/verdict
chroot=$(PATH=$PATH:/usr/sbin:/sbin command -v chroot || true)
if [ "$(id -u)" = 0 ] && "$chroot" / true 2>/dev/null; then
    in_root="$chroot $room/root" root=
elif unshare=$(command -v unshare) && unshare --user --map-root-user "$chroot" / true 2>/dev/null; then
    in_root="$unshare --user --map-root-user $chroot $room/root" root=
else
    echo "not in a root of its own: this user may not have one" >&2
    in_root= root=$room/root
fi
# All that is there beside the archive: where commands print to.
mkdir "$room/root/dev"
: > "$room/root/dev/null"
evenhand=$root/$name/evenhand
# The words of $in_root are meant to be split.
env -i $in_root "$evenhand" run --no-save --json --rounds 12 "$evenhand --version" "$evenhand --help" > "$ran" 2>&1 ||
    { cat "$ran" >&2; exit 1; }
expect "a verdict" '"verdict":"[a-z ]*"' "$ran"
expect "all rounds" '"rounds":12[,}]' "$ran"

echo "manual and completions"
for file in man/man1/evenhand.1 man/man1/evenhand-run.1 completions/evenhand.bash completions/_evenhand completions/evenhand.fish LICENSE-MIT; do
    [ -s "$room/root/$name/$file" ] || { echo "error: the archive has no $file" >&2; exit 1; }
done

echo "install.sh"
PREFIX=$room/prefix sh "$made/install.sh" "$made" > "$room/installed"
expect "an installation" "^installed: evenhand " "$room/installed"
[ -x "$room/prefix/bin/evenhand-experiment" ] && [ -s "$room/prefix/share/man/man1/evenhand.1" ]
mkdir "$room/damaged"
cp "$made/SHA256SUMS" "$room/damaged"
(cat "$made/$archive"; echo) > "$room/damaged/$archive"
if PREFIX=$room/other sh "$made/install.sh" "$room/damaged" > "$room/refused" 2>&1; then
    echo "error: a damaged archive was installed" >&2
    exit 1
fi
expect "a refusal" "is damaged" "$room/refused"
[ ! -e "$room/other/bin/evenhand" ]

if package=$(ls "$made"/*.deb 2>/dev/null) && command -v dpkg-deb >/dev/null; then
    echo "the package for Debian"
    dpkg-deb --extract "$package" "$room/debian"
    "$room/debian/usr/bin/evenhand" --version
    dpkg-deb --info "$package" > "$room/info"
    expect "its name" "Package: evenhand" "$room/info"
fi
echo "all is well"
