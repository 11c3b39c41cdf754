use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

#[path = "../../unrelated.rs"]
mod unrelated;

fn functions(criterion: &mut Criterion) {
    criterion.bench_function("nothing", |bencher| bencher.iter(work::nothing));
    criterion.bench_function("ns5", |bencher| bencher.iter(work::ns5));
    criterion.bench_function("us1", |bencher| bencher.iter(work::us1));
    criterion.bench_function("us150", |bencher| bencher.iter(work::us150));
    criterion.bench_function("ms5", |bencher| bencher.iter(work::ms5));
    for length in [5000, 100_000] {
        let text = work::text(length);
        criterion.bench_function(&format!("utf8_{length}"), |bencher| bencher.iter(|| work::characters(black_box(&text))));
    }
    let text = work::text(5000);
    criterion.bench_function("one_by_one", |bencher| bencher.iter(|| work::one_by_one(black_box(&text))));
}

criterion_group!(benches, functions);
criterion_main!(benches);
