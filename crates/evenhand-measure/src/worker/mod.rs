//! How are functions measured? They live in workers, programs of their own that speak the protocol of
//! [`evenhand_protocol`], `docs/protocol.md`.
//!
//! | file | question |
//! |---|---|
//! | [`peer`] | how is one worker started, asked and put away? |
//! | [`error`] | what can be wrong with it? |
//! | [`plausible`] | can its numbers be true? |
//! | [`survey`](mod@survey) | what can it run? |
//! | [`crew`] | how do several take turns? |
//! | [`running`] | whose turn comes when? |
//! | [`iterations`] | how often does a function run in one turn? |
//! | [`metrics`] | what is measured of a turn? |
//!
//! Tests: `tests/worker/`, with workers that misbehave.

pub mod crew;
pub mod error;
pub mod iterations;
pub mod metrics;
pub mod peer;
pub mod plausible;
mod running;
pub mod survey;

pub use crew::{Crew, Manner, Member};
pub use error::WorkerError;
pub use evenhand_protocol::VARIABLE;
pub use evenhand_protocol::message::{Benchmark, Hello, Prepared};
pub use iterations::Iterations;
pub use peer::{Peer, WorkerCommand};
pub use survey::{Survey, Surveyed, survey};

use std::time::Duration;

/// A worker may take so long to start.
const GREETING: Duration = Duration::from_secs(10);
/// And so long to list its benchmarks, each of which it may have to run once, or to get one ready, which may have much to set up.
const READY: Duration = Duration::from_secs(60);
