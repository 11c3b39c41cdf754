//! How is the record said to people? Its notes in sentences, and the counts in them.
//!
//! Tests: `tests/notes.rs`; what is claimed of a trial is said by `evenhand-analysis`.

mod counts;
mod notes;

pub use counts::{counted, plural};
pub use notes::processors;
