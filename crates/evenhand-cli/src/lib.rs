//! The `evenhand` program as a function, so that whole-program tests run it in their own process.
//!
//! Each verb is a file in [`verbs`]. What they share: what can be typed ([`command_line`]) and what is advised when something else was
//! ([`advice`]), how a trial is named ([`trials`]), what is asked of it ([`selection`]), what a file or folder gives ([`sources`]), how
//! percent and times are written ([`percent`], [`seconds`]), how a word is typed ([`typed`]), and how an error is told and which exit
//! code it has ([`error`]).
//!
//! Tests: `tests/program/`.

mod advice;
mod chance;
mod command_line;
mod error;
mod percent;
mod seconds;
mod selection;
mod sources;
mod trials;
mod typed;
mod verbs;

pub use error::CliError;

use clap::error::ErrorKind;
use command_line::{CommandLine, Verb, command};
use evenhand_measure::platform::counters::{Event, HARDWARE};
use evenhand_report::Layout;
use evenhand_report::message::Voice;
use evenhand_report::terminal::{Terminal, When};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

/// What the program sees of the world around it.
#[derive(Debug, Clone, Copy)]
pub struct World {
    /// Where it prints.
    pub terminal: Terminal,
    /// What is counted of commands, where the machine can.
    pub events: &'static [Event],
}

impl World {
    /// The world as it is.
    pub fn here() -> Self {
        Self { terminal: Terminal::here(), events: &HARDWARE }
    }

    fn layout(&self) -> Layout {
        self.terminal.out
    }

    fn coloured(self, when: When) -> Self {
        Self { terminal: self.terminal.coloured(when), ..self }
    }
}

/// What every verb works with.
struct Stage<'a> {
    world: World,
    archive: Option<PathBuf>,
    out: &'a mut dyn Write,
    err: Voice<'a>,
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
    let world = world.coloured(When::among(&arguments));
    let mut err = Voice::new(err, world.terminal.err.colour);
    let CommandLine { everywhere, verb } = match CommandLine::of(&arguments) {
        Ok(command_line) => command_line,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => return not_utf_8(&arguments).tell(&mut err),
        Err(error) => return tell_usage(&error, &arguments, out, &mut err),
    };
    let mut stage = Stage { world, archive: everywhere.archive, out, err };
    do_it(verb, &mut stage).unwrap_or_else(|failure| failure.tell(&mut stage.err))
}

fn do_it(verb: Verb, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    match verb {
        Verb::Run(arguments) => return verbs::run::run(&arguments.in_our_words(), stage),
        #[cfg(target_os = "linux")]
        Verb::Compare(arguments) => return verbs::compare::run(&arguments, stage),
        #[cfg(target_os = "linux")]
        Verb::Bench(arguments) => return verbs::bench::run(&arguments, stage),
        Verb::Load(arguments) => return verbs::load::run(&arguments, stage),
        Verb::Experiment(arguments) => return verbs::experiment::run(&arguments, stage),
        Verb::Init(arguments) => verbs::init::run(&arguments, stage),
        Verb::Doctor(arguments) => verbs::doctor::run(&arguments, stage),
        Verb::Analyze(arguments) => verbs::analyze::run(&arguments, stage),
        Verb::Report(arguments) => verbs::report::run(&arguments, stage),
        Verb::Plot(arguments) => verbs::plot::run(&arguments, stage),
        Verb::List(arguments) => verbs::list::run(&arguments, stage),
        Verb::Show(arguments) => verbs::show::run(&arguments, stage),
        Verb::Export(arguments) => verbs::export::run(&arguments, stage),
        Verb::Import(arguments) => verbs::import::run(&arguments, stage),
        Verb::Label(arguments) => verbs::label::run(&arguments, stage),
        Verb::Rm(arguments) => verbs::rm::run(&arguments, stage),
        Verb::Archive(arguments) => verbs::archive::run(&arguments, stage),
        Verb::Worker(arguments) => verbs::worker::run(&arguments, stage),
        Verb::BusyWork(arguments) => verbs::doctor::busy_work(&arguments),
        Verb::Completions(arguments) => verbs::manual::completions(&arguments, command(), stage),
        Verb::Man(arguments) => verbs::manual::man(&arguments, command()),
    }
    .map(|()| error::DONE)
}

/// What a recorded command line asked of `evenhand run`, if that is what it is.
fn recorded_run(words: &[String]) -> Option<verbs::run::Arguments> {
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    match CommandLine::of(&words).ok()?.verb {
        Verb::Run(arguments) => Some(arguments.in_our_words()),
        _ => None,
    }
}

/// clap does not say which argument it is. Paths and commands need not be UTF-8, so there may be several to choose from.
fn not_utf_8(arguments: &[OsString]) -> CliError {
    let not_utf_8 = arguments.iter().filter(|argument| argument.to_str().is_none());
    let named: Vec<String> = not_utf_8.map(|argument| format!("{argument:?}")).collect();
    CliError::new(format_args!("this argument is not valid UTF-8: {}", named.join(" or ")))
}

/// Help and version go to standard output and are no failure; anything else is a wrong command line.
fn tell_usage(error: &clap::Error, words: &[OsString], out: &mut dyn Write, err: &mut Voice<'_>) -> u8 {
    // Nobody is left to tell when even this cannot be written.
    if !error.use_stderr() {
        let _ = write!(out, "{}", error.render());
        return error::DONE;
    }
    let _ = match advice::instead(error, words) {
        Some(advice) => err.say(&advice),
        None => err.pass_on(&error.render().to_string()),
    };
    error::WRONG
}
