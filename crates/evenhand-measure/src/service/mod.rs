//! How is a service under load measured? A turn is a slice: the same load on one service for a second or so, whose percentiles are
//! the numbers of the round.
//!
//! Both slices of a round get the same arrivals and the same requests, made from the seed of the round, so that a difference is the
//! services' own. Only one service is loaded at a time: where two share the requests of one load, what a queue makes of a slower
//! service is hidden.
//!
//! | question | file |
//! |---|---|
//! | how long is a slice, and by which percentile is it judged? | [`shape`] |
//! | how is a service started, when is it ready, and how is it ended? | [`starting`] |
//! | how is a slice run, and when is it of no use? | [`slices`] |
//! | which numbers does it give? | [`columns`] |
//! | for how long was nothing answered? | [`stall`] |
//! | up to which rate does a service keep a promise? | [`climb`] |
//!
//! Tests: `tests/service.rs`.

pub mod climb;
pub mod columns;
pub mod shape;
pub mod slices;
pub mod stall;
pub mod starting;

pub use climb::{Promise, Rise};
pub use columns::Columns;
pub use shape::{Shape, TooFew, Traffic};
pub use slices::{Slices, Target};
pub use starting::{Recipe, ServiceError, Started, Starts};
