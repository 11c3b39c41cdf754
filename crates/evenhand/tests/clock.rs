//! Does the clock of the worker tell the time?

use evenhand::__private::Clock;
use std::hint::black_box;
use std::time::{Duration, Instant};

#[test]
fn it_agrees_with_the_clock_of_the_system() {
    let clock = Clock::start();
    let (began, before) = (Instant::now(), clock.before());
    while began.elapsed() < Duration::from_millis(20) {}
    let (after, took) = (clock.after(), began.elapsed());
    let measured = Clock::nanoseconds(before, after, clock.scale()) as f64;
    let ratio = measured / took.as_nanos() as f64;
    assert!((0.99..1.01).contains(&ratio), "{measured} ns by {}, {took:?} by the system", clock.name());
}

#[test]
fn its_cost_and_step_are_small_and_what_it_says_of_itself_holds() {
    let clock = Clock::start();
    std::thread::sleep(Duration::from_millis(2));
    let nanoseconds = |ticks: u64| ticks as f64 * clock.scale();
    let (cost, step) = (nanoseconds(clock.cost()), nanoseconds(clock.step()));
    assert!(cost < 10_000.0 && step > 0.0 && step < 100_000.0, "cost {cost} ns, step {step} ns");
    if clock.name() == "tsc" {
        let spans = (0..100).map(|_| {
            let before = clock.before();
            black_box((0..50_u64).map(black_box).sum::<u64>());
            clock.after() - before
        });
        let step = clock.step();
        assert!(spans.into_iter().all(|span| span % step == 0), "all spans are whole steps of {step} ticks");
    }
}

#[test]
fn it_never_goes_back() {
    let clock = Clock::start();
    let readings: Vec<u64> = (0..10_000).map(|_| clock.before()).collect();
    assert!(readings.is_sorted());
}
