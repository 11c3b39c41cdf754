//! What does a benchmark program do? A host that has started it is served. A person, `cargo bench`, `cargo test` or an IDE is
//! answered as they are used to from libtest.
//!
//! Tests: `tests/program.rs`.

use crate::registry::{Entry, entries};
use crate::session::Session;
use crate::worker;
use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

/// Serves the host, or does what the command line says.
pub fn main() -> ExitCode {
    let entries = entries();
    match Session::of_environment() {
        Ok(Some(mut session)) => {
            worker::serve(&mut session, &entries);
            ExitCode::SUCCESS
        }
        Ok(None) => by_hand(&entries),
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::from(2)
        }
    }
}

/// What libtest's command line says of this run.
#[derive(Debug, Default)]
struct Wishes {
    filters: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    list: bool,
    bench: bool,
    /// Options that libtest does not have.
    unknown: Vec<String>,
}

/// Options of libtest that mean nothing here, without a value and with one.
const FLAGS: [&str; 9] = [
    "--nocapture",
    "--no-capture",
    "--show-output",
    "--quiet",
    "-q",
    "--test",
    "--ignored",
    "--include-ignored",
    "--force-run-in-process",
];
const WITH_VALUE: [&str; 6] = ["--format", "--color", "--test-threads", "--logfile", "-Z", "--shuffle-seed"];

fn by_hand(entries: &[Entry]) -> ExitCode {
    let wishes = match wishes(env::args_os().skip(1)) {
        Ok(wishes) => wishes,
        Err(NoText(argument)) => {
            eprintln!("error: the argument {argument:?} is not valid UTF-8");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<&Entry> = entries.iter().filter(|entry| wishes.wants(&entry.name)).collect();
    if wishes.list {
        wanted.iter().for_each(|entry| println!("{}: benchmark", entry.name));
        return ExitCode::SUCCESS;
    }
    if !wishes.bench {
        return test_once(&wanted);
    }
    measure(&wishes)
}

/// An argument that is not UTF-8.
struct NoText(OsString);

fn wishes(mut arguments: impl Iterator<Item = OsString>) -> Result<Wishes, NoText> {
    let text = |argument: OsString| argument.into_string().map_err(NoText);
    let mut wishes = Wishes::default();
    while let Some(argument) = arguments.next() {
        let argument = text(argument)?;
        match argument.as_str() {
            "--list" => wishes.list = true,
            "--exact" => wishes.exact = true,
            "--bench" => wishes.bench = true,
            "--skip" => wishes.skipped.extend(arguments.next().map(text).transpose()?),
            option if WITH_VALUE.contains(&option) => drop(arguments.next()),
            option if FLAGS.contains(&option) || is_assigned(option) => {}
            option if option.starts_with('-') => wishes.unknown.push(argument),
            _ => wishes.filters.push(argument),
        }
    }
    Ok(wishes)
}

impl Wishes {
    fn wants(&self, name: &str) -> bool {
        let fits = |filter: &String| if self.exact { name == filter } else { name.contains(filter.as_str()) };
        (self.filters.is_empty() || self.filters.iter().any(fits)) && !self.skipped.iter().any(fits)
    }
}

/// `--format=terse`.
fn is_assigned(option: &str) -> bool {
    option.split_once('=').is_some_and(|(name, _)| WITH_VALUE.contains(&name))
}

/// `cargo test --benches`: each runs once, so that it is seen to work.
fn test_once(wanted: &[&Entry]) -> ExitCode {
    println!("\nrunning {} benchmarks once each", wanted.len());
    let mut failed = 0;
    for entry in wanted {
        match worker::once(entry) {
            Ok(()) => println!("test {} ... ok", entry.name),
            Err(why) => {
                println!("test {} ... FAILED: {why}", entry.name);
                failed += 1;
            }
        }
    }
    println!(
        "\ntest result: {}. {} passed; {failed} failed\n",
        if failed == 0 { "ok" } else { "FAILED" },
        wanted.len() - failed
    );
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// `cargo bench`: the program `evenhand` measures, because it keeps what was measured before.
fn measure(wishes: &Wishes) -> ExitCode {
    let myself = match env::current_exe() {
        Ok(myself) => myself,
        Err(error) => {
            eprintln!("error: cannot find this program's own file: {error}");
            return ExitCode::from(2);
        }
    };
    if let Some(option) = wishes.unknown.first() {
        eprintln!(
            "error: {option} cannot be given here: call `evenhand bench {}` with its own options",
            myself.display()
        );
        return ExitCode::from(2);
    }
    let mut host = Command::new("evenhand");
    host.arg("bench").arg(myself).args(wishes.exact.then_some("--exact"));
    host.args(wishes.skipped.iter().flat_map(|skipped| ["--skip", skipped]));
    host.args(&wishes.filters);
    match host.status() {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(2)).unwrap_or(2)),
        Err(error) => {
            eprintln!("error: the program `evenhand`, which does the measuring, was not found ({error})");
            eprintln!("hint: install it: cargo install evenhand-cli");
            ExitCode::from(2)
        }
    }
}
