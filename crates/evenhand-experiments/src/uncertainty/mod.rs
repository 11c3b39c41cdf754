//! How uncertain is a mean? P. Kołaczkowski, "Estimating benchmark results uncertainty" (2020): latencies that follow each other resemble each
//! other, so s/√n promises far more than it holds.
//!
//! | file | question |
//! |---|---|
//! | `service.rs` | how are the latencies of a service measured, run by run? |
//! | `server.rs` | what is asked? A small real server |
//! | `told.rs` | what came of it, beside what was published? |
//! | `thermometer.rs` | the article's thought experiment, as a simulation |
//! | here | what is done, and what is kept of it? |
//!
//! Tests: `tests/uncertainty.rs`.

mod server;
mod service;
pub mod thermometer;
mod told;

use crate::Size;
use crate::trial::{add, blank};
use evenhand_trial::{Trial, Unit};
use server::Server;
use std::io;
use std::time::Duration;

/// What is done with each service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Runs.
    pub runs: usize,
    /// Requests in each.
    pub requests: usize,
    /// About so long may all runs of one service take. Where this is too short, each run has fewer requests.
    pub longest: Duration,
}

impl Plan {
    /// The article's runs had a million requests each; so many are not needed to see it.
    pub fn of(size: Size) -> Self {
        let (runs, requests, seconds) = match size {
            Size::Tiny => (6, 300, 6),
            Size::Usual => (40, 10_000, 40),
            Size::Whole => (40, 1_000_000, 4 * 3600),
        };
        Self { runs, requests, longest: Duration::from_secs(seconds) }
    }
}

/// What a service was asked, and how long its answers took.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// What was done.
    pub plan: Plan,
    /// Latencies in nanoseconds, run by run.
    pub runs: Vec<Vec<f64>>,
}

/// All latencies.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// Those of the small server.
    pub server: Asked,
}

/// Asks for all of it. `tell` hears how far it is.
///
/// # Errors
/// No socket on the loopback interface.
pub fn measure(plan: Plan, tell: &mut dyn FnMut(&str)) -> io::Result<Seen> {
    Ok(Seen { server: ask_server(plan, tell)? })
}

fn ask_server(plan: Plan, tell: &mut dyn FnMut(&str)) -> io::Result<Asked> {
    let server = Server::start(3)?;
    let mut client = server.connect()?;
    let plan = service::paced(&mut client, plan)?;
    service::ask(&mut client, plan, "a small server", tell)
}

impl Seen {
    /// All latencies as a trial: a launch for each run.
    pub fn trial(&self) -> Trial {
        let mut trial = blank(Unit::nanoseconds(), false);
        let runs: Vec<&[f64]> = self.server.runs.iter().map(Vec::as_slice).collect();
        add(&mut trial, "small server".to_owned(), "small server", &runs);
        trial
    }
}
