#!/bin/sh
# Installs what the tests of the report page need: Node.js with npm, and a browser.
set -eu

missing=""
command -v node >/dev/null || missing="$missing nodejs"
command -v npm >/dev/null || missing="$missing npm"
command -v chromium >/dev/null || missing="$missing chromium"
if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null; then
        echo "install-page-tools: please install:$missing (no apt-get on this machine)" >&2
        exit 1
    fi
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    $as_root apt-get update -qq
    # shellcheck disable=SC2086  # a list of package names
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing
fi
