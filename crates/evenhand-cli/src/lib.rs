//! The `evenhand` program as a function, so that whole-program tests run it in their own process.
//!
//! Each verb is a file in [`verbs`]. What they share: how a trial is named ([`trials`]), what is asked of it ([`asked`]), what a file or
//! folder gives ([`sources`]), how percent are written ([`percent`]), and how a failure is told and which exit code it has ([`failure`]).
//!
//! Tests: `tests/program/`.

mod asked;
mod chance;
mod failure;
mod percent;
mod sources;
mod trials;
mod verbs;

pub use failure::Failure;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use evenhand_measure::platform::counters::{Event, HARDWARE};
use evenhand_report::Layout;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use terminal_size::{Height, Width, terminal_size_of};

/// What the program sees of the world around it.
#[derive(Debug, Clone)]
pub struct World {
    /// Columns of the terminal; `None` when standard output is none.
    pub width: Option<usize>,
    /// Whether what reads the output knows characters beyond ASCII.
    pub unicode: bool,
    /// Whether colours may be used.
    pub colour: bool,
    /// The terminal that standard error goes to, if it does: what is drawn over while a measurement runs.
    pub screen: Option<Screen>,
    /// What is counted of commands, where the machine can.
    pub events: &'static [Event],
}

/// A terminal that can be drawn on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// How to draw.
    pub layout: Layout,
    /// Lines of the terminal.
    pub rows: usize,
}

impl World {
    /// The world as it is.
    pub fn here() -> Self {
        let variable = |name: &str| std::env::var_os(name);
        let size = |is_terminal: bool, size: Option<(Width, Height)>| {
            let known = size.map(|(width, height)| (usize::from(width.0), usize::from(height.0)));
            is_terminal.then(|| known.filter(|(width, rows)| *width > 0 && *rows > 0).unwrap_or(USUAL_SIZE))
        };
        let (out, err) = (io::stdout(), io::stderr());
        let width = size(out.is_terminal(), terminal_size_of(&out)).map(|(width, _)| width);
        let world = Self::of(width, &variable);
        let screen = size(err.is_terminal(), terminal_size_of(&err)).map(|(width, rows)| {
            let layout = Self::of(Some(width), &variable).layout();
            Screen { layout, rows }
        });
        Self { screen, ..world }
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
            screen: None,
            events: &HARDWARE,
        }
    }

    fn layout(&self) -> Layout {
        Layout { width: self.width, unicode: self.unicode, colour: self.colour }
    }
}

/// Columns and rows of a terminal that does not say.
const USUAL_SIZE: (usize, usize) = (100, 24);

const FIRST_STEPS: &str = "\
First steps:
  evenhand run './old x' './new x'       is the second command faster than the first?
  evenhand import results/               take in what other tools measured
  evenhand list                          what is there now
  evenhand analyze @last                 what the newest shows
  evenhand report @last --open           the same as a page to look at
  evenhand analyze old.json new.json     two files against each other

Exit status: 0 done; 2 something is not as it has to be, and was said on standard error;
`evenhand run --help` has the others.";

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
    /// Say which of two commands is faster, by how much, and how sure that is
    Run(Box<verbs::run::Arguments>),
    /// Say what a change did to benchmarks: two programs, or two revisions
    #[cfg(target_os = "linux")]
    Compare(Box<verbs::compare::Arguments>),
    /// Measure the benchmarks of one program: what `cargo bench` comes to
    #[cfg(target_os = "linux")]
    Bench(Box<verbs::bench::Arguments>),
    /// Say what trials or files of results show: verdicts, levels, warnings
    #[command(visible_alias = "analyse")]
    Analyze(verbs::analyze::Arguments),
    /// Write a page that shows everything, or a table for a pull request
    Report(verbs::report::Arguments),
    /// Draw one picture of a trial, as SVG or PNG
    Plot(verbs::plot::Arguments),
    /// Talk to a worker by hand, to find out what is wrong with it
    Worker(verbs::worker::Arguments),
    /// Look what on this machine disturbs, and how small a difference it can see
    Doctor(verbs::doctor::Arguments),
    /// Compute for a while and say nothing: what the doctor measures
    #[command(hide = true)]
    BusyWork(verbs::doctor::BusyWork),
    /// Repeat an article's experiment: does what it says hold on this machine?
    Experiment(verbs::experiment::Arguments),
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
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    #[cfg(target_os = "linux")]
    if let Some(code) = verbs::compare::rustc::stand_in(&arguments) {
        return code;
    }
    let command_line = match CommandLine::try_parse_from(&arguments) {
        Ok(command_line) => command_line,
        Err(told) if told.kind() == ErrorKind::InvalidUtf8 => return not_utf_8(&arguments).tell(err),
        Err(told) => return tell_usage(&told, out, err),
    };
    let mut stage = Stage { world, archive: command_line.archive, out, err };
    let done = match command_line.verb {
        Verb::Run(arguments) => return ended(verbs::run::run(&arguments, &mut stage), stage.err),
        #[cfg(target_os = "linux")]
        Verb::Compare(arguments) => return ended(verbs::compare::run(&arguments, &mut stage), stage.err),
        #[cfg(target_os = "linux")]
        Verb::Bench(arguments) => return ended(verbs::bench::run(&arguments, &mut stage), stage.err),
        Verb::Analyze(arguments) => verbs::analyze::run(&arguments, &mut stage),
        Verb::Report(arguments) => verbs::report::run(&arguments, &mut stage),
        Verb::Plot(arguments) => verbs::plot::run(&arguments, &mut stage),
        Verb::Worker(arguments) => verbs::worker::run(&arguments, &mut stage),
        Verb::Doctor(arguments) => verbs::doctor::run(&arguments, &mut stage),
        Verb::BusyWork(arguments) => verbs::doctor::busy_work(&arguments),
        Verb::Experiment(arguments) => verbs::experiment::run(&arguments, &mut stage),
        Verb::List(arguments) => verbs::list::run(&arguments, &mut stage),
        Verb::Show(arguments) => verbs::show::run(&arguments, &mut stage),
        Verb::Export(arguments) => verbs::export::run(&arguments, &mut stage),
        Verb::Import(arguments) => verbs::import::run(&arguments, &mut stage),
        Verb::Label(arguments) => verbs::label::run(&arguments, &mut stage),
        Verb::Rm(arguments) => verbs::rm::run(&arguments, &mut stage),
        Verb::Archive(arguments) => verbs::archive::run(&arguments, &mut stage),
    };
    ended(done.map(|()| failure::DONE), err)
}

/// What a recorded command line asked of `evenhand run`, if that is what it is.
fn recorded_run(words: &[String]) -> Option<verbs::run::Arguments> {
    match CommandLine::try_parse_from(words).ok()?.verb {
        Verb::Run(arguments) => Some(*arguments),
        _ => None,
    }
}

fn ended(done: Result<u8, Failure>, err: &mut dyn Write) -> u8 {
    done.unwrap_or_else(|failure| failure.tell(err))
}

/// clap does not say which argument it is. Paths and commands need not be UTF-8, so there may be several to choose from.
fn not_utf_8(arguments: &[OsString]) -> Failure {
    let not_utf_8 = arguments.iter().filter(|argument| argument.to_str().is_none());
    let named: Vec<String> = not_utf_8.map(|argument| format!("{argument:?}")).collect();
    Failure::new(format_args!("an argument that has to be UTF-8 is not: {}", named.join(" or ")))
}

/// Help and version go to standard output and are no failure; anything else is a wrong command line.
fn tell_usage(told: &clap::Error, out: &mut dyn Write, err: &mut dyn Write) -> u8 {
    let (stream, code): (&mut dyn Write, u8) =
        if told.use_stderr() { (err, failure::WRONG) } else { (out, failure::DONE) };
    // Nobody is left to tell when even this cannot be written.
    let _ = write!(stream, "{}", told.render());
    code
}
