//! Visits the processors a few times and says what was lost where, in microseconds, and which one is chosen.
//!
//! `cargo run --release -p evenhand-measure --example quietest [TIMES]`

use evenhand_measure::noise::{best, visits};
use evenhand_measure::platform::affinity;
use std::time::{Duration, Instant};

fn main() {
    let times = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let allowed = affinity::allowed().unwrap_or_default();
    for _ in 0..times {
        let began = Instant::now();
        let seen = visits(&allowed);
        let took = began.elapsed();
        let lost: Vec<String> =
            seen.iter().map(|visit| format!("{}: {} µs", visit.processor, visit.lost_ns / 1000)).collect();
        let best = best(&seen, &[]).map_or_else(|| "none".to_owned(), |number| number.to_string());
        println!("{best}  [{}]  in {} µs", lost.join(", "), took.as_micros());
        std::thread::sleep(Duration::from_millis(50));
    }
}
