//! Six shapes of benchmarks: values, an input of one's own, one that changes, types, constants, threads. The same six stand in
//! `benchmarks/functions/divan/benches/shapes.rs` for divan. `cargo run --release --example shapes` measures them.

use evenhand::Bench;
use std::collections::{LinkedList, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

const SIZES: [usize; 2] = [100, 1000];

/// Values: anything that can be iterated.
#[evenhand::bench(args = 10..=12)]
fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

/// An input of its own, made anew for each call, outside the measured time.
#[evenhand::bench(args = SIZES)]
fn sorts(bench: Bench<'_>, size: usize) {
    bench
        .items(size as u64)
        .with_input(|rng| (0..size).map(|_| rng.next_u64()).collect::<Vec<_>>())
        .run_owned(|mut numbers| {
            numbers.sort_unstable();
            numbers
        });
}

/// An input that is changed where it is.
#[evenhand::bench]
fn reverses(bench: Bench<'_>) {
    bench.with_input(|rng| [rng.next_u64(); 64]).run(|numbers| numbers.reverse());
}

/// Types.
#[evenhand::bench(types = [Vec<u8>, VecDeque<u8>, LinkedList<u8>])]
fn collects<T: FromIterator<u8>>() -> T {
    (0..100).collect()
}

/// Constants.
#[evenhand::bench(consts = [16, 256, 4096])]
fn fills<const N: usize>(bench: Bench<'_>) {
    bench.bytes(N as u64).run(|| [1_u8; N]);
}

/// Threads that run it at once.
#[evenhand::bench(threads = [1, 2])]
fn counts() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}

evenhand::main!();
