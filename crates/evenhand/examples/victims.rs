//! Benchmarks for the tests of the library and of its hosts: good ones, and ones that misbehave. They are all safe code, and what
//! the attribute adds to them passes as such.

#![forbid(unsafe_code)]
#![expect(clippy::panic, reason = "one of them misbehaves like this")]

use evenhand::{Bench, black_box};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

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

/// Values that are known when the program runs.
const SIZES: [usize; 2] = [3, 5];

#[evenhand::bench(args = SIZES.map(|size| 2 * size))]
fn sums_to(end: usize) -> usize {
    (0..end).sum()
}

#[evenhand::bench(consts = [2, 4 * 4], types = [u8, u16], args = 1..3)]
fn repeats<'a, T: From<u8> + Copy, const N: usize>(bench: Bench<'a>, value: u8) {
    bench.bytes(N as u64).run(|| [T::from(value); N]);
}

#[evenhand::bench(threads = [2, 1, 2], args = ["a", "b"].map(str::to_owned))]
fn shares(text: String) -> usize {
    text.len()
}

mod elsewhere {
    pub(super) use evenhand as library;
}

#[evenhand::bench(crate = crate::elsewhere::library)]
fn found_elsewhere() {}

#[evenhand::bench]
fn takes_its_input(bench: Bench<'_>) {
    bench.with_input(|rng| vec![rng.below(10); 3]).run_owned(|numbers| numbers.into_iter().max());
}

/// Inputs that were made and not dropped yet.
static ALIVE: AtomicUsize = AtomicUsize::new(0);

struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        assert!(ALIVE.fetch_sub(1, Ordering::Relaxed) > 0, "dropped twice");
    }
}

#[evenhand::bench]
fn drops_its_input(bench: Bench<'_>) {
    let turn_is_over = AtomicBool::new(true);
    let make = |_: &mut evenhand::Rng| {
        let before = ALIVE.fetch_add(1, Ordering::Relaxed);
        assert!(!turn_is_over.swap(false, Ordering::Relaxed) || before == 0, "never dropped");
        Counted
    };
    bench.with_input(make).run_owned(|counted| {
        turn_is_over.store(true, Ordering::Relaxed);
        drop(counted);
    });
}

#[evenhand::bench]
fn looks_at_its_input(bench: Bench<'_>) {
    bench.with_input(|rng| rng.below(10)).run_ref(|number| number.count_ones());
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
