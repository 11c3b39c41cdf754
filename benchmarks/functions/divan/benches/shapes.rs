//! The six shapes of `crates/evenhand/examples/shapes.rs`, as divan has them.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use std::collections::{LinkedList, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

const SIZES: [usize; 2] = [100, 1000];

fn main() {
    divan::main();
}

#[divan::bench(args = 10..=12)]
fn fib(n: u64) -> u64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}

#[divan::bench(args = SIZES)]
fn sorts(bencher: Bencher, size: usize) {
    // divan has no random numbers.
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state
    };
    bencher
        .counter(ItemsCount::new(size))
        .with_inputs(move || (0..size).map(|_| next()).collect::<Vec<_>>())
        .bench_local_values(|mut numbers| {
            numbers.sort_unstable();
            numbers
        });
}

#[divan::bench]
fn reverses(bencher: Bencher) {
    bencher.with_inputs(|| [7_u64; 64]).bench_refs(|numbers| numbers.reverse());
}

#[divan::bench(types = [Vec<u8>, VecDeque<u8>, LinkedList<u8>])]
fn collects<T: FromIterator<u8>>() -> T {
    (0..100).collect()
}

#[divan::bench(consts = [16, 256, 4096])]
fn fills<const N: usize>(bencher: Bencher) {
    bencher.counter(BytesCount::new(N)).bench(|| [1_u8; N]);
}

#[divan::bench(threads = [1, 2])]
fn counts() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed)
}
