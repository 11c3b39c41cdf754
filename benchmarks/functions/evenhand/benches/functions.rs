use evenhand::{Bench, Rng};

#[path = "../../unrelated.rs"]
mod unrelated;

#[evenhand::bench]
fn nothing() {
    work::nothing();
}

#[evenhand::bench]
fn ns5() -> u64 {
    work::ns5()
}

#[evenhand::bench]
fn us1() -> u64 {
    work::us1()
}

#[evenhand::bench]
fn us150() -> u64 {
    work::us150()
}

#[evenhand::bench]
fn ms5() -> u64 {
    work::ms5()
}

/// Another part of the text each time, which both sides get alike.
#[evenhand::bench(args = [5000, 100_000])]
fn utf8(bench: Bench, length: usize) {
    let text = work::text(4 * length);
    let anywhere = |rng: &mut Rng| {
        let start = rng.in_range(0..3 * length);
        text[start..start + length].to_vec()
    };
    bench.with_input(anywhere).run(|bytes| work::characters(bytes));
}

#[evenhand::bench]
fn one_by_one(bench: Bench) {
    let text = work::text(5000);
    bench.run(|| work::one_by_one(&text));
}

evenhand::main!();
