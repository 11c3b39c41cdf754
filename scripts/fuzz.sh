#!/bin/sh
# Fuzzes every parser of foreign bytes, two at a time: scripts/fuzz.sh [SECONDS] [TARGET…]
# Needs a nightly toolchain and cargo-fuzz (installed when missing). Seeds are the tests' fixtures and fuzz/seeds.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
[ $# -gt 0 ] && shift
command -v cargo-fuzz >/dev/null || cargo install --locked cargo-fuzz
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/target/fuzz}"
cargo +nightly fuzz build --fuzz-dir fuzz --release --features parquet
triple=$(rustc -vV | sed -n 's/^host: //p')
targets=${*:-$(sed -n 's/^name = "\(.*\)"$/\1/p' fuzz/Cargo.toml | grep -v evenhand-fuzz)}
mkdir -p target/fuzz-logs

one() {
    target=$1 seconds=$2 program=$3
    found=fuzz/corpus/$target artifacts=fuzz/artifacts/$target/
    mkdir -p "$found" "$artifacts"
    seeds=""
    case $target in
        benchmark_dot_net) fixtures=benchmarkdotnet ;;
        go_bench) fixtures=go ;;
        pytest_benchmark) fixtures=pytest-benchmark ;;
        github_action_benchmark) fixtures=github-action-benchmark ;;
        recognised) fixtures=. ;;
        *) fixtures=$target ;;
    esac
    for folder in "fuzz/seeds/$target" "crates/evenhand-formats/tests/fixtures/$fixtures"; do
        [ -d "$folder" ] && seeds="$seeds $folder"
    done
    # shellcheck disable=SC2086
    if "$program" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -max_len=65536 -artifact_prefix="$artifacts" \
        "$found" $seeds >"target/fuzz-logs/$target.log" 2>&1; then
        echo "$target: clean, $(sed -n 's/^Done \([0-9]*\) runs.*/\1/p' "target/fuzz-logs/$target.log") runs in $seconds s"
    else
        echo "$target: FAILED, see target/fuzz-logs/$target.log and $artifacts"
        return 1
    fi
}

failed=0
set -- $targets
while [ $# -gt 0 ]; do
    first=$1 second=${2:-}
    one "$first" "$seconds" "$CARGO_TARGET_DIR/$triple/release/$first" &
    waited=$!
    if [ -n "$second" ]; then
        one "$second" "$seconds" "$CARGO_TARGET_DIR/$triple/release/$second" || failed=1
        shift
    fi
    wait "$waited" || failed=1
    shift
done
exit $failed
