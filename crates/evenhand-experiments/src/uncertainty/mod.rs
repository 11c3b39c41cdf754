//! How uncertain is a mean? P. Kołaczkowski, "Estimating benchmark results uncertainty" (2020): latencies that follow each other resemble each
//! other, so s/√n promises far more than it holds.
//!
//! | file | question |
//! |---|---|
//! | `service.rs` | how are the latencies of a service measured, run by run? |
//! | `server.rs` | what is asked? A small real server |
//! | `postgres/` | and what else, where it is installed? A PostgreSQL server that lives as long as the experiment |
//! | `report.rs` | what came of it, beside what was published? |
//! | `schemes.rs` | which autocovariances shall count, and how much? |
//! | `thermometer.rs` | the article's thought experiment, as a simulation |
//! | here | what is done, and what is kept of it? |
//!
//! Tests: `tests/uncertainty.rs`.

#[cfg(unix)]
mod postgres;
mod report;
pub mod schemes;
mod server;
mod service;
pub mod thermometer;

use crate::Size;
use crate::trial::{add, blank};
use evenhand_trial::{Trial, Unit};
use server::Server;
use std::fmt;
use std::io;
use std::time::Duration;

/// What is done with each service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub runs: usize,
    /// Requests in each.
    pub requests: usize,
    /// About so long may all runs of one service take. Where this is too short, each run has fewer requests: a commit that has to
    /// wait for the disk takes a hundred times as long on one machine as on another.
    pub longest: Duration,
}

impl Extent {
    /// The article's runs had a million requests each; so many are not needed to see it.
    pub fn of(size: Size) -> Self {
        let (runs, requests, seconds) = match size {
            Size::Tiny => (6, 300, 6),
            Size::Usual => (40, 10_000, 40),
            // Enough for a million requests with a fast disk; with a slow one they would take days.
            Size::Whole => (40, 1_000_000, 4 * 3600),
        };
        Self { runs, requests, longest: Duration::from_secs(seconds) }
    }
}

/// What a service was asked, and how long its answers took.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceRuns {
    pub plan: Extent,
    /// Latencies in nanoseconds, run by run.
    pub runs: Vec<Vec<f64>>,
}

/// What PostgreSQL was asked, and what it did besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Postgres {
    /// As it calls itself.
    pub version: String,
    /// Checkpoints that ended meanwhile.
    pub checkpoints: usize,
    /// How often the table was vacuumed meanwhile.
    pub vacuums: usize,
    pub service: ServiceRuns,
}

/// Why PostgreSQL was not asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoPostgres {
    /// Its server is not on this machine.
    Missing,
    /// It is there, but something went wrong: what, in words.
    Failed(String),
}

impl fmt::Display for NoPostgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str(
                "Not measured, as PostgreSQL is not installed: install it (on Debian: `apt install postgresql`) and run this \
                 experiment again.",
            ),
            Self::Failed(why) => {
                write!(f, "PostgreSQL is installed, but could not be measured: {why}")
            }
        }
    }
}

/// All latencies.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// Those of the small server.
    pub server: ServiceRuns,
    pub postgres: Result<Postgres, NoPostgres>,
}

/// Asks for all of it. `tell` hears how far it is.
///
/// # Errors
/// No socket on the loopback interface. What is wrong with PostgreSQL is no error: it is told.
pub fn measure(plan: Extent, tell: &mut dyn FnMut(&str)) -> io::Result<Measurements> {
    Ok(Measurements { server: ask_server(plan, tell)?, postgres: ask_postgres(plan, tell) })
}

fn ask_server(plan: Extent, tell: &mut dyn FnMut(&str)) -> io::Result<ServiceRuns> {
    let server = Server::start(3)?;
    let mut client = server.connect()?;
    let plan = service::paced(plan, || client.ask())?;
    service::ask(plan, "a small server", tell, || {
        (0..plan.requests).map(|_| service::latency(|| client.ask())).collect()
    })
}

#[cfg(unix)]
fn ask_postgres(plan: Extent, tell: &mut dyn FnMut(&str)) -> Result<Postgres, NoPostgres> {
    postgres::ask(plan, tell)
}

/// Elsewhere it has no sockets that only its own folder leads to.
#[cfg(not(unix))]
fn ask_postgres(_: Extent, _: &mut dyn FnMut(&str)) -> Result<Postgres, NoPostgres> {
    Err(NoPostgres::Failed("this experiment can start it on Unix-like systems only".to_owned()))
}

impl Measurements {
    /// All latencies as a trial: an arm for each service, a launch for each run. The two are not compared.
    pub fn trial(&self) -> Trial {
        let mut trial = blank(Unit::nanoseconds(), false);
        let postgres = self.postgres.as_ref().ok().map(|postgres| ("PostgreSQL", &postgres.service));
        for (name, service) in [("small server", &self.server)].into_iter().chain(postgres) {
            let runs: Vec<&[f64]> = service.runs.iter().map(Vec::as_slice).collect();
            add(&mut trial, name.to_owned(), name, &runs);
        }
        trial
    }
}
