//! Numbers in, claims out: the statistics of evenhand.
//!
//! Functions here take plain numbers (times in any one unit, or log ratios) and answer with estimates, intervals and
//! verdicts. They know no clock, no file and no environment, are deterministic, never panic on bad input and never
//! answer NaN: input that breaks a rule is refused with an [`InputError`] that names the rule and the argument.
//!
//! | question | module |
//! |---|---|
//! | is B faster than A, by how much, and can I trust it? | [`randomised`] |
//! | what does one arm cost, and how well is that known? | [`level`] |
//! | is the tail another story than the middle? | [`percentile`] |
//! | what do mean and minimum say, and who made the outliers? | [`paired`] |
//! | and if no coin decided the order? | [`unpaired`] |
//! | what of it may a coarse clock have made? | [`clock_step`] |
//!
//! `docs/statistics.md` lists every statistic with its formula, its source, its file and its test.
#![warn(missing_docs)]

pub mod clock_step;
mod error;
pub mod level;
mod order;
pub mod paired;
pub mod percentile;
pub mod randomised;
mod student;
pub mod unpaired;

pub use error::{InputError, Rule};
