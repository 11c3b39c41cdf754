//! What on this machine disturbs, and how small a difference can it see? The doctor looks and measures; it changes
//! nothing.
//!
//! | question | module |
//! |---|---|
//! | what do the machine's files say that a measurement should know? | [`facts`] |
//! | what does that mean, and what can be done? | [`findings`](mod@findings) |
//! | how small a difference shows in a few seconds? | [`floor`] |
//! | how much of a response under load is the generator's own? | [`load_floor`] |
//! | is one processor slower than another? | [`work`] |
//!
//! Tests: `tests/doctor.rs`.

pub mod facts;
pub mod findings;
pub mod floor;
pub mod load_floor;
pub mod work;

pub use facts::Facts;
pub use findings::{Finding, Severity, findings};
pub use floor::NoiseFloor;
pub use load_floor::LoadFloor;
