//! How are the commands around the measured ones run? By `sh -c`, in the same directory with the same variables, without
//! input, never timed. What they write to their standard output is forgotten. If one fails, the machine is not in the
//! state that the user wants to measure in, so nothing is.
//!
//! Tests: `tests/command.rs`.

use super::listeners::{Deaf, Tail};
use super::{Interrupt, Program, Setting, environment, words};
use crate::executor::{Patience, Waiting};
use crate::finish::{ExecutorError, NoSample};
use crate::platform::Monotonic;
use crate::platform::process::{self, Limits, ProcessEnd, ProcessRun, Spawnable, Start, Stream, Streams};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// The system's file that is empty and forgets.
pub(super) const NOTHING: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

const SHELL: &str = if cfg!(windows) { "sh" } else { "/bin/sh" };

/// Runs the commands around the measured ones.
#[derive(Debug)]
pub struct Steps {
    environment: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    interrupt: Interrupt,
    clock: Monotonic,
}

/// A command around the measured ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Once, before the first run.
    Setup,
    /// Before each run.
    Prepare,
    /// After each run.
    Conclude,
    /// Once, after the last run.
    Cleanup,
}

impl Step {
    /// What the user calls it, and its text.
    fn of(self, program: &Program) -> (&'static str, Option<&OsString>) {
        let (option, text) = match self {
            Self::Setup => ("--setup", &program.setup),
            Self::Prepare => ("--prepare", &program.prepare),
            Self::Conclude => ("--conclude", &program.conclude),
            Self::Cleanup => ("--cleanup", &program.cleanup),
        };
        (option, text.as_ref())
    }

    /// Whether it puts away what was made before: the user's first request to end is not meant for it, nor is it cut off by the
    /// end of the time, as the next measurement would find what it left.
    fn puts_away(self) -> bool {
        matches!(self, Self::Conclude | Self::Cleanup)
    }
}

impl Steps {
    /// Steps in the setting of the commands.
    pub fn new(setting: &Setting, interrupt: Interrupt, clock: Monotonic) -> Self {
        Self {
            environment: environment::variables(&setting.environment),
            directory: setting.directory.clone(),
            interrupt,
            clock,
        }
    }

    /// Runs a step of a program, if it has one.
    ///
    /// # Errors
    /// It was cut off, or it fails: with its text, how it ended, and its last words.
    pub fn run(&self, step: Step, program: &Program, patience: &mut dyn Patience) -> Result<(), NoSample> {
        let (option, Some(text)) = step.of(program) else { return Ok(()) };
        let (name, mut tail) = (&program.name, Tail::default());
        let what = format!("{option} of {name}");
        let failed = |how: String| ExecutorError(format!("{option} `{}` of `{name}` {how}", text.display()));
        let run = self
            .process(text, &what, step.puts_away(), &mut tail, patience)
            .map_err(|error| failed(format!("could not be started: {error}")))?;
        let how = match run.end {
            ProcessEnd::Exit(0) => return Ok(()),
            ProcessEnd::Interrupted => return Err(NoSample::Interrupted),
            ProcessEnd::Exit(code) => format!("failed with exit code {code}"),
            ProcessEnd::Signal(number) => format!("was killed by signal {number}"),
            ProcessEnd::TimedOut => {
                return Err(NoSample::OutOfTime { what, ran: Duration::from_nanos(run.wall) });
            }
        };
        let trouble = match tail.lines() {
            None => failed(format!("{how} without a message on standard error: try it by itself")),
            Some(lines) => failed(format!("{how}:\n{lines}")),
        };
        Err(trouble.into())
    }

    fn process(
        &self,
        text: &OsStr,
        what: &str,
        stays: bool,
        tail: &mut Tail,
        patience: &mut dyn Patience,
    ) -> io::Result<ProcessRun> {
        let prepared = Spawnable::new(Start {
            program: SHELL.into(),
            words: words::in_shell(text, OsStr::new("sh")),
            environment: self.environment.clone(),
            directory: self.directory.clone(),
        })?;
        let streams = Streams {
            input: File::open(NOTHING)?,
            output: Stream::File(File::options().write(true).open(NOTHING)?),
            error: Stream::Heard,
        };
        let timeout = if stays { None } else { patience.left() };
        let limits = Limits { timeout, interrupt: &self.interrupt, patient: stays };
        let mut still_runs = |time| patience.still_waiting(&Waiting { what, time, stays });
        process::run(&prepared, None, &streams, &limits, &self.clock, [&mut Deaf, tail], &mut still_runs)
    }
}
