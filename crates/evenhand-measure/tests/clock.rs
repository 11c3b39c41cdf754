//! The cost and the step of clocks that are made up: no test depends on how long anything really takes.

use evenhand_measure::clock::measured;
use evenhand_trial::environment::Clock;

fn clock(now: impl FnMut() -> u64) -> Option<Clock> {
    measured("made up".to_owned(), now)
}

#[test]
fn a_steady_clock_costs_its_step() {
    let mut time = 0;
    let found = clock(|| {
        time += 25;
        time
    })
    .unwrap();
    assert_eq!(found, Clock { source: "made up".into(), cost_ns: 25.0, resolution_ns: 25.0 });
}

#[test]
fn interruptions_do_not_count() {
    let (mut time, mut readings) = (0, 0_u64);
    let found = clock(|| {
        readings += 1;
        time += if readings % 500 == 0 { 1_000_000 } else { 30 };
        time
    });
    let found = found.unwrap();
    assert_eq!((found.cost_ns, found.resolution_ns), (30.0, 30.0));
}

#[test]
fn a_clock_with_ticks_shows_the_tick_and_the_cost() {
    // 20 ns a reading, shown in steps of 100.
    let mut time = 0_u64;
    let found = clock(|| {
        time += 20;
        time / 100 * 100
    })
    .unwrap();
    assert_eq!(found.resolution_ns, 100.0);
    assert!((found.cost_ns - 20.0).abs() < 2.0, "{}", found.cost_ns);
}

#[test]
fn a_clock_coarser_than_a_batch_is_measured_over_all_batches() {
    // 1 ms ticks: most batches of 64 readings of 1 us end where they began.
    let mut time = 0_u64;
    let found = clock(|| {
        time += 1_000;
        time / 1_000_000 * 1_000_000
    })
    .unwrap();
    assert_eq!(found.resolution_ns, 1e6);
    assert!((500.0..2000.0).contains(&found.cost_ns), "{}", found.cost_ns);
}

#[test]
fn a_slow_clock_is_not_read_for_long() {
    let (mut time, mut readings) = (0, 0_u64);
    clock(|| {
        readings += 1;
        time += 1_000_000;
        time
    })
    .unwrap();
    assert!(readings < 101 * 65 + 100, "{readings}");
}

#[test]
fn a_clock_that_stands_still_is_none() {
    assert_eq!(clock(|| 7), None);
}

#[test]
fn a_clock_that_goes_back_does_not_count_backwards() {
    let (mut time, mut readings) = (1_000_000_u64, 0_u64);
    let found = clock(|| {
        readings += 1;
        time = if readings % 2 == 0 { time - 10 } else { time + 30 };
        time
    });
    assert_eq!(found.unwrap().resolution_ns, 30.0);
}
