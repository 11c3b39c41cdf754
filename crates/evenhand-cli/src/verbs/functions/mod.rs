//! What do `compare` and `bench` have in common? Benchmarks live in workers; they are looked at, measured in launches, and what went
//! wrong with them is said.
//!
//! | file | question |
//! |---|---|
//! | `choice.rs` | which benchmarks of a program are wanted? |
//! | `python.rs` | how are benchmarks in Python started? |
//! | `lineup.rs` | which benchmarks are measured, and what can each worker run? |
//! | `sampling.rs` | what shall a sample be, and how many? |
//! | `measuring.rs` | how are they measured and told? |

mod choice;
pub(crate) mod lineup;
pub(crate) mod measuring;
pub(crate) mod python;
mod sampling;

pub(crate) use choice::{Choice, filter};
pub(crate) use lineup::{Found, Lineup, look, useless, without_crate};
pub(crate) use measuring::{FunctionsTask, measured};
pub(crate) use sampling::Sampling;
