//! How are the commands around the measured ones run? By `sh -c`, in the same directory with the same variables, without
//! input, never timed. What they write to their standard output is forgotten. If one fails, the machine is not in the
//! state that the user wants to measure in, so nothing is.
//!
//! Tests: `tests/command.rs`.

use super::commands::NOTHING;
use super::heard::{Deaf, Tail};
use super::{Interrupt, Setting, environment, words};
use crate::executor::{Patience, Trouble, Waiting};
use crate::platform::Monotonic;
use crate::platform::process::{self, End, Limits, Prepared, Run, Start, Stream, Streams};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

const SHELL: &str = if cfg!(windows) { "sh" } else { "/bin/sh" };

/// Runs the commands around the measured ones.
#[derive(Debug)]
pub struct Steps {
    environment: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    interrupt: Interrupt,
    clock: Monotonic,
    /// Whether the user's first request is not meant for the step: it puts away what was made before.
    patient: bool,
}

/// What came of a step that did not fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// It is done.
    Done,
    /// The user ended it.
    Interrupted,
    /// There was no time left for it.
    OutOfTime {
        /// Which step, in words.
        what: String,
        /// How long it had run.
        ran: Duration,
    },
}

impl Steps {
    /// Steps in the setting of the commands.
    pub fn new(setting: &Setting, interrupt: Interrupt, clock: Monotonic) -> Self {
        Self {
            environment: environment::variables(&setting.environment),
            directory: setting.directory.clone(),
            interrupt,
            clock,
            patient: false,
        }
    }

    /// Runs steps that the user's first request to end does not stop.
    pub fn patiently<T>(&mut self, steps: impl FnOnce(&Self) -> T) -> T {
        self.patient = true;
        let answer = steps(self);
        self.patient = false;
        answer
    }

    /// Runs the text of an option of the arm called `name`.
    ///
    /// # Errors
    /// If it fails: with its text, how it ended, and its last words.
    pub fn run(
        &self,
        text: &OsStr,
        option: &str,
        name: &str,
        patience: &mut dyn Patience,
    ) -> Result<Step, Trouble> {
        let mut tail = Tail::default();
        let what = format!("{option} of {name}");
        let failed = |how: String| Trouble(format!("{option} `{}` of `{name}` {how}", text.display()));
        let run = self
            .process(text, &what, &mut tail, patience)
            .map_err(|error| failed(format!("could not be started: {error}")))?;
        let how = match run.end {
            End::Exit(0) => return Ok(Step::Done),
            End::Interrupted => return Ok(Step::Interrupted),
            End::Exit(code) => format!("failed with exit code {code}"),
            End::Signal(number) => format!("was ended by signal {number}"),
            End::TimedOut => return Ok(Step::OutOfTime { what, ran: Duration::from_nanos(run.wall) }),
        };
        Err(failed(match tail.lines() {
            None => format!("{how}, and wrote nothing to its standard error: try it by itself"),
            Some(lines) => format!("{how}:\n{lines}"),
        }))
    }

    fn process(
        &self,
        text: &OsStr,
        what: &str,
        tail: &mut Tail,
        patience: &mut dyn Patience,
    ) -> io::Result<Run> {
        let prepared = Prepared::new(Start {
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
        let stays = self.patient;
        // What puts away is not cut off by the end of the time: the next measurement would find what it left.
        let timeout = if stays { None } else { patience.left() };
        let limits = Limits { timeout, interrupt: &self.interrupt, patient: stays };
        let mut still_runs = |time| patience.still_waiting(&Waiting { what, time, stays });
        process::run(&prepared, None, &streams, &limits, &self.clock, [&mut Deaf, tail], &mut still_runs)
    }
}
