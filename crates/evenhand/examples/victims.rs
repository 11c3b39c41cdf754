//! Benchmarks for the tests of the library and of its hosts: good ones, and ones that misbehave. They are all safe code, and what
//! the attribute adds to them passes as such.

#![forbid(unsafe_code)]
#![expect(clippy::panic, reason = "one of them misbehaves like this")]

use evenhand::{Bench, black_box};
use std::sync::atomic::{AtomicBool, Ordering};

#[evenhand::bench]
fn nothing() {}

#[evenhand::bench(group = "sum", baseline)]
fn sum_of_100() -> u64 {
    (0..100_u64).map(black_box).sum()
}

#[evenhand::bench(group = "sum")]
fn sum_of_200() -> u64 {
    (0..200_u64).map(black_box).sum()
}

#[evenhand::bench]
fn sorts(bench: Bench<'_>) {
    bench
        .amount("items", 100)
        .with_input(|rng| (0..100).map(|_| rng.next_u64()).collect::<Vec<_>>())
        .run_checked(|numbers| {
            numbers.sort_unstable();
            numbers[50]
        });
}

#[evenhand::bench]
fn panics() {
    panic!("not today");
}

#[evenhand::bench]
fn runs_nothing(_: Bench<'_>) {}

#[evenhand::bench]
fn exits(bench: Bench<'_>) {
    let mut runs = 0;
    bench.run(|| {
        runs += 1;
        if runs > 20_000 {
            std::process::exit(9);
        }
    });
}

#[evenhand::bench]
fn prints() {
    println!("to standard output");
    eprintln!("to standard error");
}

#[global_allocator]
static ALLOCATIONS: evenhand::Allocations = evenhand::Allocations;

#[evenhand::bench(args = [16, 4096])]
fn fills(bench: Bench<'_>, size: usize) {
    bench.run(|| vec![1_u8; black_box(size)]);
}

#[evenhand::bench(args = ["a, b", "c"], group = "words")]
fn counts(text: &str) -> usize {
    text.chars().count()
}

#[evenhand::bench(types = [u8, Vec<(u8, u16)>])]
fn makes<T: Default>() -> T {
    black_box(T::default())
}

#[evenhand::bench(types = [u32, u64], args = [1, 2], iterations = 3)]
fn adds<T: From<u8> + std::ops::Add<Output = T>>(bench: Bench<'_>, _count: u8) {
    bench.run(|| T::from(black_box(1)) + T::from(_count));
}

#[evenhand::bench]
fn shrinks(bench: Bench<'_>) {
    bench
        .metric("kept", "B")
        .with_input(|rng| rng.below(100))
        .run_measured(|luck| vec![0_u8; *luck as usize], |kept| [kept.len() as f64]);
}

#[evenhand::bench]
fn on_threads(bench: Bench<'_>) {
    bench.run_on_threads(2, || (0..1000_u64).map(black_box).sum::<u64>());
}

#[evenhand::bench]
fn one_thread_fails(bench: Bench<'_>) {
    let is_first = AtomicBool::new(true);
    bench.run_on_threads(2, || assert!(!is_first.swap(false, Ordering::Relaxed), "not on this thread"));
}

evenhand::main!();
