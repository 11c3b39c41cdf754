#!/bin/sh
# Installs what this machine lacks.
#
#     install-tools.sh         for a build: a C compiler, Python for the scripts, git, nginx and openssl for the tests, Rust's own tools
#     install-tools.sh page    and for the tests of the report page: Node.js with npm, and a browser
set -eu

missing=""

# needs COMMAND PACKAGES
needs() {
    command -v "$1" >/dev/null || missing="$missing $2"
}

# install_missing OPTIONS-OF-APT-GET
install_missing() {
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "install-tools: please install:$missing (no apt-get on this machine)" >&2
        exit 1
    fi
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086  # a list of package names
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq "$@" $missing
    missing=""
}

case "${1:-}" in
"" | page) ;;
*)
    echo "usage: install-tools.sh [page]" >&2
    exit 2
    ;;
esac

needs cc "gcc libc6-dev"
needs md5sum coreutils
needs python3 python3
# Counterparts of evenhand load in tests.
needs openssl openssl
[ -x /usr/sbin/nginx ] || needs nginx nginx-light
python3 -c 'import ensurepip' 2>/dev/null || missing="$missing python3-venv"
needs git git
install_missing

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

if [ "${1:-}" = page ]; then
    needs node nodejs
    needs npm npm
    needs chromium chromium
    # The tests need none of what a browser recommends.
    install_missing --no-install-recommends
fi
