//! How are the commands around the measured ones run? By `sh -c`, in the same directory with the same variables, without
//! input, never timed. What they write to their standard output is forgotten. If one fails, the machine is not in the
//! state that the user wants to measure in, so nothing is.
//!
//! Tests: `tests/command.rs`.

use super::commands::NOTHING;
use super::heard::{Deaf, Tail};
use super::{Interrupt, Setting, environment, words};
use crate::executor::Trouble;
use crate::platform::Monotonic;
use crate::platform::process::{self, End, Limits, Prepared, Start, Stream, Streams};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::PathBuf;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It is done.
    Done,
    /// The user ended it.
    Interrupted,
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
    pub fn run(&self, text: &OsStr, option: &str, name: &str) -> Result<Step, Trouble> {
        let mut tail = Tail::default();
        let failed = |how: String| Trouble(format!("{option} `{}` of `{name}` {how}", text.display()));
        let ended =
            self.end(text, &mut tail).map_err(|error| failed(format!("could not be started: {error}")))?;
        let how = match ended {
            End::Exit(0) => return Ok(Step::Done),
            End::Interrupted => return Ok(Step::Interrupted),
            End::Exit(code) => format!("failed with exit code {code}"),
            End::Signal(number) => format!("was ended by signal {number}"),
            End::TimedOut => "took too long".to_owned(),
        };
        Err(failed(match tail.lines() {
            None => format!("{how}, and wrote nothing to its standard error: try it by itself"),
            Some(lines) => format!("{how}:\n{lines}"),
        }))
    }

    fn end(&self, text: &OsStr, tail: &mut Tail) -> io::Result<End> {
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
        let limits = Limits { timeout: None, interrupt: &self.interrupt, patient: self.patient };
        let run = process::run(&prepared, None, &streams, &limits, &self.clock, [&mut Deaf, tail])?;
        Ok(run.end)
    }
}
