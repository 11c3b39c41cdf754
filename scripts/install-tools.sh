#!/bin/sh
# Installs what a build needs and this machine lacks: a C compiler, Python for the scripts, git for the tests, Rust's own tools.
set -eu

missing=""
command -v cc >/dev/null || missing="$missing gcc libc6-dev"
command -v md5sum >/dev/null || missing="$missing coreutils"
command -v python3 >/dev/null || missing="$missing python3"
python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
command -v git >/dev/null || missing="$missing git"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null; then
        echo "install-tools: please install:$missing (no apt-get on this machine)" >&2
        exit 1
    fi
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086  # a list of package names
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $missing
fi

if ! command -v cargo >/dev/null; then
    echo "install-tools: no cargo found. Install Rust 1.89 or newer (https://rustup.rs), then try again." >&2
    exit 1
fi
for part in fmt clippy; do
    if ! cargo $part --version >/dev/null 2>&1; then
        component=$([ $part = fmt ] && echo rustfmt || echo clippy)
        rustup component add "$component" || {
            echo "install-tools: cargo $part is missing. Install the Rust component '$component', then try again." >&2
            exit 1
        }
    fi
done
