//! Is one processor slower than another? The same busy work, pinned to each of a few in turns; the least time counts,
//! because disturbances only add.
//!
//! The work is a chain of multiplications: it needs no memory, and no instruction can begin before the one before it
//! ended, so that it takes the same number of cycles everywhere and its time is the inverse of the frequency.
//!
//! Tests: `tests/doctor.rs`.

use crate::platform::pinned;
use serde::Serialize;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// So many processors are compared.
const MOST_COMPARED: usize = 4;
/// How often each has its turn.
const TURNS: u32 = 5;
/// How long one turn takes.
const TURN: Duration = Duration::from_millis(2);
/// Work for the first guess, about 0.1 ms.
const FIRST_STEPS: u64 = 100_000;

/// The same work on one processor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Work {
    pub processor: u32,
    /// The least of a few times.
    pub seconds: f64,
}

/// So many multiplications, one after the other. The answer is of no use, but makes them necessary.
pub fn busy(steps: u64) -> u64 {
    // Knuth's multiplier for 64 bits (The Art of Computer Programming, 2, section 3.3.4).
    (0..black_box(steps))
        .fold(1_u64, |chain, step| chain.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step))
}

/// How many steps take about this long here and now.
pub fn steps_for(time: Duration) -> u64 {
    let fastest = (0..TURNS * 4).map(|_| seconds(FIRST_STEPS)).fold(f64::INFINITY, f64::min);
    let steps = FIRST_STEPS as f64 * time.as_secs_f64() / fastest.max(1e-9);
    (steps as u64).max(1)
}

/// The least time that the same work took on some of the processors.
pub fn on_each(processors: &[u32]) -> Vec<Work> {
    let compared = spread(processors, MOST_COMPARED);
    let steps = steps_for(TURN);
    let mut least: Vec<Work> =
        compared.iter().map(|&processor| Work { processor, seconds: f64::INFINITY }).collect();
    for _ in 0..TURNS {
        for work in &mut least {
            let Some(_pinned) = pinned::pin(&[work.processor]) else { continue };
            work.seconds = work.seconds.min(seconds(steps));
        }
    }
    least.retain(|work| work.seconds.is_finite());
    least
}

/// At most so many of them, from the first to the last: kinds of cores usually follow each other.
fn spread(processors: &[u32], most: usize) -> Vec<u32> {
    if processors.len() <= most {
        return processors.to_vec();
    }
    (0..most).map(|place| processors[place * (processors.len() - 1) / (most - 1)]).collect()
}

fn seconds(steps: u64) -> f64 {
    let began = Instant::now();
    black_box(busy(steps));
    began.elapsed().as_secs_f64()
}
