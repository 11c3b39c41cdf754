use std::hint::black_box;
use tango_bench::{benchmark_fn, tango_benchmarks, tango_main, IntoBenchmarks};

#[path = "../../unrelated.rs"]
mod unrelated;

fn functions() -> impl IntoBenchmarks {
    [
        benchmark_fn("nothing", |bencher| bencher.iter(work::nothing)),
        benchmark_fn("ns5", |bencher| bencher.iter(work::ns5)),
        benchmark_fn("us1", |bencher| bencher.iter(work::us1)),
        benchmark_fn("us150", |bencher| bencher.iter(work::us150)),
        benchmark_fn("ms5", |bencher| bencher.iter(work::ms5)),
        benchmark_fn("utf8_5000", |bencher| {
            let text = work::text(5000);
            bencher.iter(move || work::characters(black_box(&text)))
        }),
        benchmark_fn("utf8_100000", |bencher| {
            let text = work::text(100_000);
            bencher.iter(move || work::characters(black_box(&text)))
        }),
        benchmark_fn("one_by_one", |bencher| {
            let text = work::text(5000);
            bencher.iter(move || work::one_by_one(black_box(&text)))
        }),
    ]
}

tango_benchmarks!(functions());
tango_main!();
