//! How is everything said to people? The only room that makes sentences of an analysis, out of parts, so that a view can
//! colour the verdict or set names apart without reading a sentence.
//!
//! | file | question |
//! |---|---|
//! | `numbers.rs` | how are quantities, changes and counts written? |
//! | `phrase.rs` | what is a sentence made of? |
//! | `statement.rs` | what is the verdict, and what does it rest on? |
//! | `limits.rs` | what does a verdict assume, and why is there no more? |
//! | `means.rs` | what do the means say, for who reports means, and over what is their error? |
//! | `metrics.rs` | what is a metric called in a verdict? |
//! | `suite.rs` | what do all comparisons say together, and why trust them? |
//! | `set_up.rs` | how much of a sample is set-up? |
//! | `warnings.rs` | what should a reader know first, and what can be done? |
//! | `service.rs` | what should be known of a load on a single service? |
//! | `next.rs` | which command comes next? |
//! | `distribution.rs` | are the times normally distributed? |
//!
//! `catalogue.rs`, which is a test, writes every sentence that they can make to `tests/fixtures/catalogue.txt`.
//!
//! Tests: `tests/words.rs`, `tests/analysis.rs`; `tests/rooms.rs` holds that nobody else makes them.

#[cfg(test)]
mod catalogue;
mod distribution;
mod limits;
mod means;
mod metrics;
mod next;
mod numbers;
mod phrase;
pub mod service;
mod set_up;
mod statement;
mod suite;
mod warnings;

pub use distribution::distribution;
pub use evenhand_trial::words::counted;
pub use limits::{assumptions, chief_remarks, limits, remarks};
pub use means::{mean_heading, means};
pub use next::next_step;
pub use numbers::{
    TimeUnit, change, duration, effect, ends, quantity, quantity_in, rounded, short_effect, size, symbol,
    with_error_in,
};
pub use phrase::{Part, Phrase};
pub use set_up::set_ups;
pub use statement::{Statement, change_of, directions, statement, tail};
pub use suite::{assumption, common_directions, counts, interval, reason, starred, suite, verdict, word};
pub use warnings::{Warned, more, warning};
