//! And a real database? Where PostgreSQL's server is installed, one is started for this experiment alone, asked, and removed.
//!
//! | file | question |
//! |---|---|
//! | `programs.rs` | where is its server? |
//! | `cluster.rs` | how is a server made that nobody else sees, with which settings? |
//! | `place.rs` | where does it live, and as whom does it run? |
//! | `guard.rs` | how is it ended, whatever becomes of the experiment? |
//! | `client.rs` | how does one talk to it? |
//! | here | what is it asked? |
//!
//! A request is the first statement of pgbench's script "TPC-B (sort of)": it changes the balance of one account, drawn at random. The
//! rest of that script contends for a few rows and appends to a history that grows; neither is needed here.
//!
//! Tests: `tests/uncertainty.rs`.

mod client;
mod cluster;
mod guard;
mod place;
mod programs;

use super::service::{self, Service};
use super::{NoPostgres, Plan, Postgres};
use client::{Client, Fault};
use cluster::{Cluster, Trouble};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Write;
use std::os::unix::net::UnixStream;

/// Half of pgbench's smallest table: about 6 MiB.
const ACCOUNTS: u64 = 50_000;

/// All runs. Only what PostgreSQL answers is measured, not its start.
pub(super) fn ask(plan: Plan, tell: &mut dyn FnMut(&str)) -> Result<Postgres, NoPostgres> {
    let programs = programs::newest().ok_or(NoPostgres::Missing)?;
    tell("PostgreSQL: a server for this experiment starts");
    asked(&programs, plan, tell).map_err(|trouble| NoPostgres::Failed(trouble.to_string()))
}

fn asked(programs: &programs::Programs, plan: Plan, tell: &mut dyn FnMut(&str)) -> Result<Postgres, Trouble> {
    let (cluster, client) = Cluster::start(programs)?;
    let version = client.version().to_owned();
    let broken = |fault: Fault| Trouble::Broken { fault, last_words: cluster.last_words() };
    let mut accounts = Accounts::open(client).map_err(broken)?;
    let plan = service::paced(&mut accounts, plan).map_err(broken)?;
    let before = cluster.housekeeping();
    let asked = service::ask(&mut accounts, plan, "PostgreSQL", tell).map_err(broken)?;
    let after = cluster.housekeeping();
    Ok(Postgres {
        version,
        checkpoints: after.checkpoints - before.checkpoints,
        vacuums: after.vacuums - before.vacuums,
        asked,
    })
}

/// The table, and who changes it.
struct Accounts {
    client: Client<UnixStream>,
    draws: Xoshiro256PlusPlus,
    /// The statement, kept for its memory.
    statement: String,
}

impl Accounts {
    /// A table as pgbench makes it.
    fn open(mut client: Client<UnixStream>) -> Result<Self, Fault> {
        client.query("CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL, filler char(84))")?;
        client.query(&format!(
            "INSERT INTO accounts SELECT id, 0, '' FROM generate_series(1, {ACCOUNTS}) id"
        ))?;
        client.query("VACUUM ANALYZE accounts")?;
        client.query("CHECKPOINT")?;
        Ok(Self { client, draws: Xoshiro256PlusPlus::seed_from_u64(5), statement: String::new() })
    }
}

impl Service for Accounts {
    type Fault = Fault;

    fn ask(&mut self) -> Result<(), Fault> {
        let (account, change) = (1 + self.draws.next_u64() % ACCOUNTS, self.draws.next_u64() % 100);
        self.statement.clear();
        // Writing to a string does not fail.
        let _ =
            write!(self.statement, "UPDATE accounts SET balance = balance + {change} WHERE id = {account}");
        self.client.query(&self.statement)
    }
}
