//! What does a reading of the clock cost, and how fine is it?
//!
//! A sample that is not much longer than one reading measures the clock. The cost is the median over 101 batches of
//! 64 readings, so that an interruption does not count. The resolution is the smallest step above 0 that was seen
//! between two readings in a row: for a fine clock that is about its cost, for a coarse one its tick.
//!
//! Tests: `tests/clock.rs`, with clocks that are made up.

use crate::platform;
use evenhand_trial::environment::Clock;
use std::hint::black_box;

const BATCHES: usize = 101;
const READINGS: u32 = 64;
/// A resolution is believed after so many steps, or when the time or the readings are used up.
const STEPS: u32 = 1000;
const LONGEST_NS: u64 = 50_000_000;
const MOST_READINGS: u32 = 2_000_000;

/// The clock of this machine. `None` if it stands still.
pub fn of_this_machine() -> Option<Clock> {
    let monotonic = platform::Monotonic::start();
    measured(platform::clock_source(), || monotonic.nanoseconds())
}

/// Measures a clock that answers in nanoseconds and never goes back. `None` if it stands still.
pub fn measured(source: String, mut now: impl FnMut() -> u64) -> Option<Clock> {
    let resolution_ns = smallest_step(&mut now)? as f64;
    Some(Clock { source, cost_ns: cost(&mut now), resolution_ns })
}

fn smallest_step(now: &mut impl FnMut() -> u64) -> Option<u64> {
    let first = now();
    let (mut last, mut steps, mut smallest) = (first, 0, None);
    for _ in 0..MOST_READINGS {
        let next = now();
        let step = next.saturating_sub(last);
        if step > 0 {
            smallest = Some(smallest.map_or(step, |known: u64| known.min(step)));
            steps += 1;
        }
        if steps >= STEPS || next.saturating_sub(first) > LONGEST_NS {
            break;
        }
        last = next;
    }
    smallest
}

fn cost(now: &mut impl FnMut() -> u64) -> f64 {
    let mut batches: Vec<u64> = (0..BATCHES).map(|_| batch(now)).collect();
    batches.sort_unstable();
    let median = batches[BATCHES / 2];
    let per_reading = |total: u64, batches: usize| total as f64 / (batches as f64 * f64::from(READINGS));
    if median > 0 {
        return per_reading(median, 1);
    }
    // A coarse clock stands still through most batches; over all of them it moves, or a reading costs next to nothing.
    per_reading(batches.iter().sum(), BATCHES)
}

/// The time from one reading to the 64th after it.
fn batch(now: &mut impl FnMut() -> u64) -> u64 {
    let start = now();
    for _ in 1..READINGS {
        black_box(now());
    }
    now().saturating_sub(start)
}
