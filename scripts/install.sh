#!/bin/sh
# Installs evenhand from a folder or a URL that holds what `make dist` makes: its archive is compared with its checksum.
#
#   sh install.sh FROM          to ~/.local: bin, share/man and completions
#   PREFIX=/opt sh install.sh FROM
set -eu

fail() {
    echo "error: $1" >&2
    [ -z "${2-}" ] || echo "hint: $2" >&2
    exit 1
}

fetch() { # NAME FILE
    case $from in
    *://*)
        if command -v curl >/dev/null; then
            curl --fail --silent --show-error --location --output "$2" "$from/$1"
        else
            command -v wget >/dev/null || fail "neither curl nor wget is here" "fetch the files, and name their folder"
            wget --quiet --output-document="$2" "$from/$1"
        fi
        ;;
    *) cp "$from/$1" "$2" ;;
    esac || fail "there is no $1 in $from"
}

sum() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

[ $# = 1 ] || fail "from where? a folder or a URL" "sh install.sh FROM"
from=${1%/}
prefix=${PREFIX:-$HOME/.local}
[ "$(uname -s)" = Linux ] || fail "evenhand is built for Linux only, and this is $(uname -s)"
machine=$(uname -m)

room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
fetch SHA256SUMS "$room/SHA256SUMS"
line=$(grep -m 1 "  evenhand-.*-$machine-.*\.tar\.gz\$" "$room/SHA256SUMS") ||
    fail "there is no archive for $machine in $from" "build it: cargo install --locked evenhand-cli"
archive=${line##* }
fetch "$archive" "$room/archive.tar.gz"
[ "$(sum "$room/archive.tar.gz")" = "${line%% *}" ] || fail "$archive is damaged: its checksum is another" "fetch it again"

tar -xzf "$room/archive.tar.gz" -C "$room"
files=$room/${archive%.tar.gz}
share=$prefix/share
mkdir -p "$prefix/bin" "$share/man/man1" "$share/bash-completion/completions" "$share/zsh/site-functions" \
    "$share/fish/vendor_completions.d"
for program in evenhand evenhand-experiment; do
    # A program that runs is replaced, not written over.
    cp "$files/$program" "$prefix/bin/$program.new"
    mv "$prefix/bin/$program.new" "$prefix/bin/$program"
done
cp "$files"/man/man1/*.1 "$share/man/man1/"
cp "$files/completions/evenhand.bash" "$share/bash-completion/completions/evenhand"
cp "$files/completions/_evenhand" "$share/zsh/site-functions/_evenhand"
cp "$files/completions/evenhand.fish" "$share/fish/vendor_completions.d/evenhand.fish"
echo "installed: $("$prefix/bin/evenhand" --version) in $prefix/bin"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "hint: $prefix/bin is not in PATH yet" ;;
esac
