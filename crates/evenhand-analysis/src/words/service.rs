//! What should a reader know of a load on a single service? Sentences under its table, from figures: shares from 0 to 1, times in
//! nanoseconds.
//!
//! Tests: the catalogue, and `tests/program/load.rs` of the program.

use super::{counted, quantity, size};
use evenhand_trial::Unit;

/// The generator had no time to spare.
pub fn generator_busy(share: f64) -> String {
    format!(
        "evenhand itself was busy for {} of the time, so it may be the limit: use a lower rate or fewer clients",
        size(share)
    )
}

/// The generator was late, at P99.
pub fn generator_late(late: u64, response: u64) -> String {
    let time = |nanoseconds: u64| quantity(nanoseconds as f64, &Unit::nanoseconds());
    format!(
        "evenhand itself was late by {} at P99, over 10 % of the response there, {}: use a lower rate or a quieter machine",
        time(late),
        time(response)
    )
}

/// The generator had no ports or files left.
pub fn generator_without_sockets(requests: u64) -> String {
    format!(
        "{} could not be sent, because no port or file was free here: use a lower rate or raise the limit (ulimit -n)",
        counted(requests as usize, "request")
    )
}

/// The service could not keep up.
pub fn fell_behind(waiting: u64, planned: u64) -> String {
    format!(
        "the service could not keep up: {waiting} of {} were still waiting when the load ended: use a lower rate",
        counted(planned as usize, "request")
    )
}

/// Why no percentile is told.
pub fn no_percentiles() -> &'static str {
    "no response times are given, as they would not be those of the service at this load"
}

/// Rates that the service could not keep up with.
pub fn fell_behind_at(rates: &str) -> String {
    format!("the service could not keep up at {rates}, so no response times are given there")
}

/// Rates at which evenhand was the limit.
pub fn generator_at(rates: &str) -> String {
    format!("evenhand itself was the limit at {rates}, so no response times are given there")
}

/// Rates at which evenhand was late.
pub fn late_at(rates: &str) -> String {
    format!("the response times at {rates} have over 10 % of evenhand's own lateness in them")
}
