//! How is a server made that nobody else sees? Its data lie in a temporary folder, and so does the socket, the only way to it.
//!
//! Tests: below, with a real server where there is one.

use super::error::PostgresError;
use super::guard::Guard;
use super::place::{User, short_folder, user_for};
use super::programs::Programs;
use std::env;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// An ordinary server in small. Ordinary ones make a checkpoint every few minutes and run for weeks; a run here takes a second, and several
/// checkpoints shall fit into it. What a commit has to wait for (`fsync`,
/// `synchronous_commit`, `full_page_writes`) is as PostgreSQL has it by default.
const SETTINGS: [&str; 13] = [
    "listen_addresses=",
    "port=5432",
    "max_connections=20",
    "logging_collector=off",
    "log_destination=stderr",
    "lc_messages=C",
    // Five times the table, so that what it reads is in memory.
    "shared_buffers=32MB",
    // A checkpoint begins when about half of this has been written, which some 1,200 changed rows do. After it, the first change of
    // each page writes the whole page, so requests are slow at first and become faster until the next one.
    "max_wal_size=10MB",
    "min_wal_size=2MB",
    // Every minute by default, once a fifth of the rows is dead. That never happens here: the next change in a page clears its dead
    // rows away, so that one or two in each page, a fortieth of all, is what there is.
    "autovacuum_naptime=1s",
    "autovacuum_vacuum_scale_factor=0.01",
    // So that the log says how often.
    "log_autovacuum_min_duration=0",
    "log_checkpoints=on",
];
/// The smallest, in MiB: a segment of 16 MiB, the default, would not let checkpoints be this frequent.
const WAL_SEGMENT: &str = "--wal-segsize=1";

const USER: &str = "evenhand";
/// How long a server may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A server that runs until this is dropped.
pub(super) struct Cluster {
    // Dropped in this order: the guard ends the server, which then has to be reaped.
    guard: Guard,
    server: Server,
    programs: Programs,
    user: Option<User>,
}

/// What the server does besides answering, as its log tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Housekeeping {
    pub(super) checkpoints: usize,
    pub(super) vacuums: usize,
}

impl Cluster {
    /// Makes it and waits until it answers.
    pub(super) fn start(programs: Programs) -> Result<Self, PostgresError> {
        let folder = short_folder().map_err(PostgresError::NoFolder)?;
        let user = user_for(folder.path())?;
        let shell = |error| PostgresError::NotStarted { program: "/bin/sh".into(), error };
        let guard = Guard::over(folder).map_err(shell)?;
        make(&programs, guard.folder(), user)?;
        let server = run(&programs, guard.folder(), user)?;
        let mut cluster = Self { guard, server, programs, user };
        cluster.wait_until_ready()?;
        Ok(cluster)
    }

    /// As `pg_ctl` waits: the server says in a line of this file that it is ready.
    fn wait_until_ready(&mut self) -> Result<(), PostgresError> {
        let began = Instant::now();
        let file = self.folder().join("data/postmaster.pid");
        let is_ready =
            || fs::read_to_string(&file).is_ok_and(|text| text.lines().any(|line| line.trim() == "ready"));
        while !is_ready() {
            if let Ok(Some(status)) = self.server.0.try_wait() {
                return Err(PostgresError::Ended {
                    program: "postgres",
                    status,
                    last_words: self.last_words(),
                });
            }
            if began.elapsed() > PATIENCE {
                return Err(PostgresError::NotReady { last_words: self.last_words() });
            }
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    /// Where all of it lies, and where its programs are at work.
    pub(super) fn folder(&self) -> &Path {
        self.guard.folder()
    }

    /// Runs pgbench with these arguments; its number is in the names of its files.
    pub(super) fn bench(&self, arguments: &[&str]) -> Result<u32, PostgresError> {
        let mut command = command(&self.programs, "pgbench", self.folder(), self.user);
        command.args(arguments).arg("--host").arg(self.folder()).args(["--port=5432", "--username", USER]);
        let running = command.arg("postgres").stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let running = running.map_err(not_started(&command))?;
        let number = running.id();
        succeeded("pgbench", running.wait_with_output().map_err(not_started(&command))?)?;
        Ok(number)
    }

    fn log(&self) -> String {
        let log = fs::read(log_in(self.folder())).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }

    fn last_words(&self) -> String {
        last_words(&self.log())
    }

    pub(super) fn housekeeping(&self) -> Housekeeping {
        housekeeping_in(&self.log())
    }
}

/// A process that is no more once this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // The guard has ended it already, unless something is wrong with the guard.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program in the folder, as the user, in English, without what was set for other clusters.
fn command(programs: &Programs, name: &str, folder: &Path, user: Option<User>) -> Command {
    let mut command = Command::new(programs.folder.join(name));
    command.current_dir(folder).stdin(Stdio::null());
    let of_postgres =
        env::vars_os().map(|(name, _)| name).filter(|name| name.as_encoded_bytes().starts_with(b"PG"));
    of_postgres.for_each(|name| _ = command.env_remove(name));
    command.env("LC_ALL", "C");
    if let Some(User { id, group }) = user {
        command.uid(id).gid(group);
    }
    command
}

fn not_started(command: &Command) -> impl Fn(io::Error) -> PostgresError + use<> {
    let program = PathBuf::from(command.get_program());
    move |error| PostgresError::NotStarted { program: program.clone(), error }
}

fn succeeded(program: &'static str, done: Output) -> Result<(), PostgresError> {
    match done.status.success() {
        true => Ok(()),
        false => {
            let last_words = last_words(&String::from_utf8_lossy(&done.stderr));
            Err(PostgresError::Ended { program, status: done.status, last_words })
        }
    }
}

fn make(programs: &Programs, folder: &Path, user: Option<User>) -> Result<(), PostgresError> {
    let mut command = command(programs, "initdb", folder, user);
    // Nobody else gets into the folder of the socket, so whoever comes is trusted. What is thrown away need not be on the disk.
    command.args([
        "--pgdata=data",
        "--auth=trust",
        "--username",
        USER,
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
        WAL_SEGMENT,
    ]);
    succeeded("initdb", command.output().map_err(not_started(&command))?)
}

fn run(programs: &Programs, folder: &Path, user: Option<User>) -> Result<Server, PostgresError> {
    let mut command = command(programs, "postgres", folder, user);
    command.args(["-D", "data"]);
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    // A list of folders, so a name with a comma needs its quotes.
    command.arg("-c").arg(format!("unix_socket_directories=\"{}\"", folder.display()));
    // Signals of a terminal reach this program alone, see the guard.
    command.process_group(0).stdout(Stdio::null());
    let log = File::create(log_in(folder)).map_err(PostgresError::NoFolder)?;
    let server = command.stderr(log).spawn().map_err(not_started(&command))?;
    Ok(Server(server))
}

fn log_in(folder: &Path) -> PathBuf {
    folder.join("log")
}

/// The last lines that name an error, or else the last lines, as one: after an error come the steps of giving up.
fn last_words(log: &str) -> String {
    const LINES: usize = 3;
    const CHARACTERS: usize = 500;
    const ERRORS: [&str; 4] = ["PANIC:", "FATAL:", "ERROR:", "error:"];
    let lines: Vec<&str> = log.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let names_error = |line: &&str| ERRORS.iter().any(|error| line.contains(error));
    let errors: Vec<&str> = lines.iter().copied().filter(names_error).collect();
    let telling = if errors.is_empty() { lines } else { errors };
    let last = telling[telling.len().saturating_sub(LINES)..].join(" / ");
    match last.is_empty() {
        true => "none".to_owned(),
        // What could move the cursor of a terminal becomes a space.
        false => last.chars().map(|c| if c.is_control() { ' ' } else { c }).take(CHARACTERS).collect(),
    }
}

fn housekeeping_in(log: &str) -> Housekeeping {
    let lines = |what: &str| log.lines().filter(|line| line.contains(what)).count();
    Housekeeping {
        checkpoints: lines("LOG:  checkpoint complete"),
        vacuums: lines("LOG:  automatic vacuum of table \"postgres.public.accounts\""),
    }
}

#[cfg(test)]
mod tests {
    use super::super::programs;
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_real_server_starts_answers_and_leaves_nothing_behind() {
        let Some(programs) = programs::newest() else {
            println!("not run: there is no PostgreSQL on this machine");
            return;
        };
        let cluster = Cluster::start(programs).unwrap_or_else(|trouble| panic!("{trouble}"));
        let (folder, server) = (cluster.folder().to_owned(), cluster.server.0.id());
        fs::write(folder.join("script"), "CHECKPOINT;\n").unwrap();
        cluster.bench(&["--no-vacuum", "--transactions=1", "--file=script"]).unwrap();
        assert!(cluster.housekeeping().checkpoints >= 1, "{}", cluster.log());
        assert!(folder.join("data/postmaster.pid").exists());
        drop(cluster);
        assert!(!folder.exists());
        assert!(!Path::new(&format!("/proc/{server}")).exists());
    }

    #[test]
    fn a_server_that_does_not_start_says_why() {
        let Some(programs) = programs::newest() else {
            println!("not run: there is no PostgreSQL on this machine");
            return;
        };
        let guard = Guard::over(short_folder().unwrap()).unwrap();
        let user = user_for(guard.folder()).unwrap();
        // Nobody made its data.
        let server = run(&programs, guard.folder(), user).unwrap();
        let mut cluster = Cluster { guard, server, programs, user };
        let trouble = cluster.wait_until_ready().unwrap_err().to_string();
        assert!(trouble.starts_with("postgres ended (exit status: "), "{trouble}");
        assert!(trouble.contains("Its last words: ") && trouble.contains("/data\""), "{trouble}");
    }

    #[test]
    fn programs_that_fail_are_named() {
        let programs = tempfile::tempdir_in("/tmp").unwrap();
        // Whoever runs them for root has to get there.
        fs::set_permissions(programs.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let here = Programs { folder: programs.path().to_owned(), version: Vec::new() };
        let text = || Cluster::start(here.clone()).err().unwrap().to_string();
        let name = programs.path().join("initdb");
        assert!(text().starts_with(&format!("{} cannot be started: ", name.display())), "{}", text());
        std::os::unix::fs::symlink("/bin/sh", name).unwrap();
        // A shell does not know the arguments.
        let message = text();
        assert!(
            message.starts_with("initdb ended (exit status: ") && message.contains("Its last words: "),
            "{message}"
        );
        assert!(message.len() > "initdb ended (exit status: 2). Its last words: none".len(), "{message}");
    }

    #[test]
    fn last_words_are_few_and_harmless() {
        assert_eq!(last_words("one\n\ntwo \n three\nfour\n"), "two / three / four");
        let gives_up = "running bootstrap ... \nPANIC:  No space left on device\nAborted\nchild exited\ninitdb: removing data directory\n";
        assert_eq!(last_words(gives_up), "PANIC:  No space left on device");
        assert_eq!(last_words("red \u{1b}[31m\n"), "red  [31m");
        assert_eq!(last_words("\n \n"), "none");
        assert_eq!(last_words(&"x".repeat(10_000)).len(), 500);
    }

    #[test]
    fn what_a_log_says_of_housekeeping() {
        let log = "2026-11-21 23:44:38.357 UTC [24730] LOG:  checkpoint starting: wal\n\
            2026-11-21 23:44:38.357 UTC [24730] LOG:  checkpoint complete: wrote 380 buffers (9.3%); 0 WAL file(s) added\n\
            2026-11-21 23:44:38.400 UTC [24731] LOG:  automatic vacuum of table \"postgres.public.accounts\": index scans: 0\n\
            \tpages: 0 removed, 863 remain\n\
            2026-11-21 23:44:38.410 UTC [24731] LOG:  automatic analyze of table \"postgres.public.accounts\"\n\
            2026-11-21 23:44:38.420 UTC [24731] LOG:  automatic vacuum of table \"postgres.pg_catalog.pg_class\": index scans: 0\n\
            2026-11-21 23:44:38.569 UTC [24730] LOG:  checkpoint complete: wrote 435 buffers (10.6%)\n";
        assert_eq!(housekeeping_in(log), Housekeeping { checkpoints: 2, vacuums: 1 });
        assert_eq!(housekeeping_in(""), Housekeeping::default());
    }
}
