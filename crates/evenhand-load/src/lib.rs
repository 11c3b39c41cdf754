//! Load on a service: requests are due as planned, whatever it answers, and each response counts from its planned moment.
//!
//! A generator that sends the next request when the last was answered lets a slow service off: while it stands still, nothing is asked,
//! and one bad time is counted where users would have had thousands. So the plan comes first ([`LoadPlan`]), a request that finds no free
//! connection waits and its waiting counts, and what the generator itself adds is measured apart ([`Request`]) and told ([`Fact`]).
//!
//! ```text
//! Rate ──▶ Plan ──▶ the loop ──▶ Request ──▶ Tally ──▶ Slice ──▶ Fact
//!                   ▲      ▼
//!                 connections ── codec
//! ```
//!
//! | question | module |
//! |---|---|
//! | how many requests a second, over time? | [`rate`] |
//! | when is each due, and which is it? | [`plan`] |
//! | what is sent? | [`operation`] |
//! | to whom, and how? | [`load`] |
//! | what is due now? | `source` |
//! | how is a slice run? | `run` |
//! | how are bytes sent and received? | `connection` |
//! | how is a connection kept secret? | [`tls`] |
//! | what is said on it? | `talk` |
//! | how are answers read? | [`codec`], [`http`], [`redis`] |
//! | how are many requests on their way on one connection? | [`http2`] |
//! | what became of a request? | [`request`] |
//! | how long did they take, together? | [`times`] |
//! | what did a slice give? | [`mod@slice`] |
//! | what should a reader know of it? | [`facts`] |
//! | why was nothing measured? | [`error`] |
//! | what does only the system know? | `platform` |
//!
//! ```no_run
//! use evenhand_load::{Load, Operation, LoadPlan, Protocol, Rate, Service, Spacing};
//! use std::time::Duration;
//!
//! let service = Service {
//!     operations: vec![Operation::http("GET", "localhost", "/")],
//!     ..Service::new(([127, 0, 0, 1], 8080).into(), Protocol::Http)
//! };
//! let rate = Rate::constant(1000.0, Duration::from_secs(10))?;
//! let plan = LoadPlan::new(rate, Spacing::Random, &service.operations, 1)?;
//! let slice = evenhand_load::run(&service, Load::Open(plan), &mut |_| {})?;
//! println!("{:?} {:?}", slice.all().response_at(0.99), slice.facts());
//! # Ok::<(), evenhand_load::LoadError>(())
//! ```

pub mod codec;
mod connection;
pub mod error;
pub mod facts;
pub mod http;
pub mod http2;
pub mod load;
pub mod operation;
pub mod plan;
mod platform;
pub mod rate;
pub mod redis;
pub mod request;
mod run;
pub mod slice;
mod source;
mod talk;
pub mod text;
pub mod times;
pub mod tls;

pub use error::LoadError;
pub use facts::Fact;
pub use load::{Load, Service};
pub use operation::{Http, Operation, Protocol};
pub use plan::{Arrival, LoadPlan, Spacing};
pub use rate::Rate;
pub use request::{Outcome, Request, RequestFailure};
pub use run::{run, run_until};
pub use slice::{Generator, Slice, Tally};
pub use text::Text;
pub use times::{Percentile, Times};
pub use tls::{Tls, TlsError, Trust};

/// The system's monotonic clock, in nanoseconds: the one that [`Slice::start`] is told by.
pub fn now() -> u64 {
    platform::now()
}
