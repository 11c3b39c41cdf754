//! And a real database? Where PostgreSQL's server is installed, one is started for this experiment alone, asked, and removed.
//!
//! | file | question |
//! |---|---|
//! | `programs.rs` | where are its programs? |
//! | `cluster.rs` | how is a server made that nobody else sees, with which settings? |
//! | `place.rs` | where does it live, and as whom does it run? |
//! | `guard.rs` | how is it ended, whatever becomes of the experiment? |
//! | `error.rs` | why is there none? |
//! | here | what is it asked? |
//!
//! PostgreSQL's own `pgbench` asks, one request after the other on one connection, and its log has the latency of each, in whole microseconds.
//!
//! A request is the first statement of pgbench's script "TPC-B (sort of)": it changes the balance of one account, drawn at random. The
//! rest of that script contends for a few rows and appends to a history that grows; neither is needed here.
//!
//! Tests: below; `tests/uncertainty.rs`.

mod cluster;
mod error;
mod guard;
mod place;
mod programs;

use super::service;
use super::{Extent, NoPostgres, Postgres};
use cluster::Cluster;
use error::PostgresError;
use programs::Programs;
use std::fs;

/// A table as pgbench makes it, of half the size of its smallest one: about 6 MiB.
const PREPARE: &str = "CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL, filler char(84));
INSERT INTO accounts SELECT id, 0, '' FROM generate_series(1, 50000) id;
VACUUM ANALYZE accounts;
CHECKPOINT;
";
const REQUEST: &str = r"\set account random(1, 50000)
\set change random(0, 99)
UPDATE accounts SET balance = balance + :change WHERE id = :account;
";
/// What pgbench calls its log, before its number.
const LOG: &str = "latencies";

/// All runs. Only what PostgreSQL answers is measured, not its start.
pub(super) fn ask(plan: Extent, tell: &mut dyn FnMut(&str)) -> Result<Postgres, NoPostgres> {
    let programs = programs::newest().ok_or(NoPostgres::Missing)?;
    tell("PostgreSQL: starting a server for this experiment");
    measured(programs, plan, tell).map_err(|trouble| NoPostgres::Failed(trouble.to_string()))
}

fn measured(programs: Programs, plan: Extent, tell: &mut dyn FnMut(&str)) -> Result<Postgres, PostgresError> {
    let version = programs.version();
    let cluster = Cluster::start(programs)?;
    latencies(&cluster, PREPARE, "--transactions=1")?;
    let in_a_second = latencies(&cluster, REQUEST, "--time=1")?.len();
    let plan = service::fitting(plan, 1.0 / in_a_second.max(1) as f64);
    let before = cluster.housekeeping();
    let service = service::ask(plan, "PostgreSQL", tell, || one_run(&cluster, plan.requests))?;
    let after = cluster.housekeeping();
    Ok(Postgres {
        version,
        checkpoints: after.checkpoints - before.checkpoints,
        vacuums: after.vacuums - before.vacuums,
        service,
    })
}

/// The first request on a connection fills the caches of its server process: it is not kept.
fn one_run(cluster: &Cluster, requests: usize) -> Result<Vec<f64>, PostgresError> {
    let mut latencies = latencies(cluster, REQUEST, &format!("--transactions={}", requests + 1))?;
    latencies.remove(0);
    Ok(latencies)
}

/// Of each time that the script was run, in nanoseconds.
fn latencies(cluster: &Cluster, script: &str, how_often: &str) -> Result<Vec<f64>, PostgresError> {
    let folder = cluster.folder();
    fs::write(folder.join("script"), script).map_err(PostgresError::NoFolder)?;
    let number = cluster.bench(&["--no-vacuum", "--file=script", "--log", "--log-prefix", LOG, how_often])?;
    let log = folder.join(format!("{LOG}.{number}"));
    let written = fs::read_to_string(&log).map_err(PostgresError::NoFolder)?;
    // A run of a million requests leaves 40 MB behind.
    fs::remove_file(log).map_err(PostgresError::NoFolder)?;
    Ok(written.lines().filter_map(latency_in).collect())
}

/// A line of the log is: client, number of the transaction, microseconds, and what is of no interest here.
fn latency_in(line: &str) -> Option<f64> {
    let microseconds: f64 = line.split(' ').nth(2)?.parse().ok()?;
    Some(microseconds * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_line_of_the_log_says() {
        assert_eq!(latency_in("0 7 327 0 1795360000 123456"), Some(327_000.0));
        assert_eq!(latency_in("0 7 skipped 0 1795360000 123456"), None);
        assert_eq!(latency_in(""), None);
    }

    #[test]
    fn a_run_has_as_many_latencies_as_requests_and_an_error_is_no_answer() {
        let Some(programs) = programs::newest() else {
            println!("not run: there is no PostgreSQL on this machine");
            return;
        };
        let cluster = Cluster::start(programs).unwrap_or_else(|trouble| panic!("{trouble}"));
        let refused = latencies(&cluster, REQUEST, "--transactions=1").unwrap_err().to_string();
        assert!(refused.starts_with("pgbench ended (exit status: 2)"), "{refused}");
        assert!(refused.contains("relation \"accounts\" does not exist"), "{refused}");
        assert_eq!(latencies(&cluster, PREPARE, "--transactions=1").unwrap().len(), 1);
        let run = one_run(&cluster, 20).unwrap();
        assert!(run.len() == 20 && run.iter().all(|latency| *latency >= 1000.0), "{run:?}");
    }
}
