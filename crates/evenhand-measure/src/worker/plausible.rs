//! Can the numbers of a worker be true? A worker may be written in any language and be wrong, and what it says decides how long is
//! waited for it, how often its function runs, and what is kept in a trial. `docs/protocol.md` has the limits.
//!
//! Tests: `tests/worker/faults.rs`.

use evenhand_protocol::message::{Hello, Metric, Prepared, Results, Sample};
use std::fmt;

/// A tenth of a second in nanoseconds: a turn is a hundred steps of the clock, and nobody waits longer for one.
const LONGEST_STEP: f64 = 1e8;
/// An hour: an iteration must have been tried before it is told how long one takes.
const LONGEST_ITERATION: f64 = 3.6e12;
/// Thirty years, of all that is measured in nanoseconds.
const LONGEST: f64 = 1e18;
/// As much as a whole number of 64 bits can count.
const LARGEST_AMOUNT: f64 = u64::MAX as f64;
/// Rates and ratios of such values are numbers.
const LARGEST_VALUE: f64 = 1e100;

/// A number that cannot be true.
#[derive(Debug, Clone, PartialEq)]
pub struct Implausible {
    /// What it should say, as `docs/protocol.md` calls it: `resolution`.
    pub field: String,
    /// What it says.
    pub number: f64,
    /// The least that it may be,
    pub least: f64,
    /// and the most.
    pub most: f64,
}

impl fmt::Display for Implausible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, number, least, most } = self;
        write!(f, "{field} = {number:?}, where a number from {least:?} to {most:?} is allowed")
    }
}

pub(super) fn hello(hello: &Hello) -> Result<(), Implausible> {
    let Hello { resolution, cost, iteration, .. } = hello;
    up_to(LONGEST_STEP, "resolution", *resolution)?;
    up_to(LONGEST_STEP, "cost", *cost)?;
    up_to(LONGEST_STEP, "iteration", *iteration)
}

pub(super) fn prepared(prepared: &Prepared) -> Result<(), Implausible> {
    up_to(LONGEST_ITERATION, "once", prepared.once)?;
    prepared
        .amounts
        .iter()
        .try_for_each(|(what, amount)| up_to(LARGEST_AMOUNT, &format!("amount \"{what}\""), *amount))
}

/// `metrics`: those of the benchmark, for their names.
pub(super) fn results(results: &Results, metrics: &[Metric]) -> Result<(), Implausible> {
    results.samples.iter().try_for_each(|of_turn| sample(of_turn, metrics))
}

/// What is not known is NaN: how long it waited, and the value of a metric.
fn sample(sample: &Sample, metrics: &[Metric]) -> Result<(), Implausible> {
    let Sample { started, wall, waited, values } = sample;
    up_to(LONGEST, "started", *started as f64)?;
    up_to(LONGEST, "wall", *wall)?;
    if !waited.is_nan() {
        up_to(LONGEST, "waited", *waited)?;
    }
    for (place, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        let name = metrics.get(place).map_or("", |metric| metric.name.as_str());
        within(-LARGEST_VALUE, LARGEST_VALUE, &format!("value \"{name}\""), *value)?;
    }
    Ok(())
}

fn up_to(most: f64, field: &str, number: f64) -> Result<(), Implausible> {
    within(0.0, most, field, number)
}

/// NaN is within nothing.
pub(super) fn within(least: f64, most: f64, field: &str, number: f64) -> Result<(), Implausible> {
    if (least..=most).contains(&number) {
        return Ok(());
    }
    Err(Implausible { field: field.to_owned(), number, least, most })
}
