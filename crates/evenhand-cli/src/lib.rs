//! The `evenhand` program as a function, so that whole-program tests run it in their own process.
//!
//! Each verb is a file in [`verbs`]. What they share: how a trial is named ([`trials`]), what a file or
//! folder gives ([`sources`]), how percent are written ([`percent`]), and how a failure is told and which exit code it has ([`failure`]).
//!
//! Tests: `tests/program/`.

mod failure;
mod percent;
mod sources;
mod trials;
mod verbs;

pub use failure::Failure;

use clap::{Parser, Subcommand};
use evenhand_report::Layout;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

/// What the program sees of the world around it.
#[derive(Debug, Clone)]
pub struct World {
    /// Columns of the terminal; `None` when standard output is none.
    pub width: Option<usize>,
    /// Whether what reads the output knows characters beyond ASCII.
    pub unicode: bool,
    /// Whether colours may be used.
    pub colour: bool,
}

impl World {
    /// The world as it is.
    pub fn here() -> Self {
        let columns = || {
            terminal_size::terminal_size().map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
        };
        let terminal = io::stdout().is_terminal();
        Self::of(terminal.then(|| columns().unwrap_or(DEFAULT_WIDTH)), &|name| std::env::var_os(name))
    }

    /// The world of an output this wide and of these variables. Characters follow POSIX: the first of `LC_ALL`, `LC_CTYPE`
    /// and `LANG` that says anything. Colours go to a terminal only, unless `NO_COLOR` (<https://no-color.org>) says
    /// anything or the terminal is a dumb one.
    pub fn of(width: Option<usize>, variable: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let said = |name: &str| variable(name).filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(said);
        let utf_8 = |locale: OsString| {
            let locale = locale.to_string_lossy().to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        };
        let dumb = said("TERM").is_none_or(|terminal| terminal == "dumb");
        Self {
            width,
            unicode: cfg!(windows) || locale.is_some_and(utf_8),
            colour: width.is_some() && said("NO_COLOR").is_none() && (cfg!(windows) || !dumb),
        }
    }

    fn layout(&self) -> Layout {
        Layout { width: self.width, unicode: self.unicode, colour: self.colour }
    }
}

const DEFAULT_WIDTH: usize = 100;

const FIRST_STEPS: &str = "\
First steps:
  evenhand import results/               take in what other tools measured
  evenhand list                          what is there now
  evenhand analyze @last                 what the newest shows
  evenhand analyze old.json new.json     two files against each other

Exit status: 0 done; 2 something is not as it has to be, and was said on standard error.";

/// Is B faster than A, by how much, and can I trust it?
#[derive(Debug, Parser)]
#[command(name = "evenhand", bin_name = "evenhand", version, max_term_width = 100, after_help = FIRST_STEPS)]
struct CommandLine {
    /// Keep trials in this folder, instead of `.evenhand` here or above, or the user's own
    #[arg(long, global = true, value_name = "DIRECTORY", display_order = 900)]
    archive: Option<PathBuf>,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Say what trials or files of results show: verdicts, levels, warnings
    #[command(visible_alias = "analyse")]
    Analyze(verbs::analyze::Arguments),
    /// Look what on this machine disturbs, and how small a difference it can see
    Doctor(verbs::doctor::Arguments),
    /// Compute for a while and say nothing: what the doctor measures
    #[command(hide = true)]
    BusyWork(verbs::doctor::BusyWork),
    /// List the trials of the archive, newest first
    List(verbs::list::Arguments),
    /// Show what is recorded in a trial
    Show(verbs::show::Arguments),
    /// Write trials for other programs: JSON, CSV, OpenMetrics, hyperfine's JSON
    Export(verbs::export::Arguments),
    /// Take results of other tools into the archive
    Import(verbs::import::Arguments),
    /// Give a trial a name
    Label(verbs::label::Arguments),
    /// Remove trials from the archive
    Rm(verbs::rm::Arguments),
    /// Check, compact or rescue the archive
    Archive(verbs::archive::Arguments),
}

/// What every verb works with.
struct Stage<'a> {
    world: &'a World,
    archive: Option<PathBuf>,
    out: &'a mut dyn Write,
    err: &'a mut dyn Write,
}

/// Runs the program and answers its exit code.
pub fn tool(
    arguments: impl IntoIterator<Item = OsString>,
    world: &World,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> u8 {
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(told) => return tell_usage(&told, out, err),
    };
    let mut stage = Stage { world, archive: command_line.archive, out, err };
    let done = match command_line.verb {
        Verb::Analyze(arguments) => verbs::analyze::run(&arguments, &mut stage),
        Verb::Doctor(arguments) => verbs::doctor::run(&arguments, &mut stage),
        Verb::BusyWork(arguments) => verbs::doctor::busy_work(&arguments),
        Verb::List(arguments) => verbs::list::run(&arguments, &mut stage),
        Verb::Show(arguments) => verbs::show::run(&arguments, &mut stage),
        Verb::Export(arguments) => verbs::export::run(&arguments, &mut stage),
        Verb::Import(arguments) => verbs::import::run(&arguments, &mut stage),
        Verb::Label(arguments) => verbs::label::run(&arguments, &mut stage),
        Verb::Rm(arguments) => verbs::rm::run(&arguments, &mut stage),
        Verb::Archive(arguments) => verbs::archive::run(&arguments, &mut stage),
    };
    match done {
        Ok(()) => failure::DONE,
        Err(failure) => failure.tell(err),
    }
}

/// Help and version go to standard output and are no failure; anything else is a wrong command line.
fn tell_usage(told: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let (stream, code): (&mut dyn Write, u8) =
        if told.use_stderr() { (err, failure::WRONG) } else { (out, failure::DONE) };
    // Nobody is left to tell when even this cannot be written.
    let _ = write!(stream, "{}", told.render());
    code
}
