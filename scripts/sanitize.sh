#!/bin/sh
# The address and the thread sanitizer over what is unsafe: the turn page, the frames, the worker of the library. Needs a nightly toolchain. The standard library is not built anew, so the thread sanitizer sees only what goes through atomics and threads: that is the page.
set -eu
cd "$(dirname "$0")/.."
triple=$(rustc -vV | sed -n 's/^host: //p')

with() {
    sanitizer=$1
    shift
    RUSTFLAGS="-Zsanitizer=$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer" \
        CARGO_TARGET_DIR="$PWD/target/sanitize-$sanitizer" \
        cargo +nightly "$@" --locked --target "$triple"
}

with address build --example victims -p evenhand
with address test -p evenhand-protocol -p evenhand --tests
TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp" with thread test -p evenhand-protocol --test races
