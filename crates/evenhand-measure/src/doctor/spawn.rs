//! Runs the doctor's command by the standard library alone: wall time from before the start to after the end.
//!
//! Tests: `tests/doctor.rs`.

use crate::executor::{Executor, Outcome, Reading, Trouble, Turn};
use evenhand_trial::{ArmId, Reason};
use std::ffi::OsString;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

/// The same command, whichever arm is due.
#[derive(Debug)]
pub(super) struct Spawn {
    command: Option<Command>,
    began: Instant,
}

impl Spawn {
    /// A program and its arguments.
    pub(super) fn of(words: &[OsString]) -> Self {
        let command = words.split_first().map(|(program, arguments)| {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        });
        Self { command, began: Instant::now() }
    }
}

impl Executor for Spawn {
    fn begin(&mut self, _: &[ArmId]) -> Result<(), Trouble> {
        match self.command {
            Some(_) => Ok(()),
            None => Err(Trouble("no command was given".to_owned())),
        }
    }

    fn turn(&mut self, _: &Turn) -> Outcome {
        let Some(command) = &mut self.command else {
            return Outcome::Broken(Trouble("no command was given".to_owned()));
        };
        let start = Instant::now();
        let ended = command.spawn().and_then(|mut child| child.wait());
        let seconds = start.elapsed().as_secs_f64();
        match ended {
            Ok(status) if status.success() => Outcome::Sample(Reading {
                started: u64::try_from((start - self.began).as_nanos()).ok(),
                iterations: 1,
                values: vec![seconds],
            }),
            Ok(status) => Outcome::Failed { reason: reason(status), seconds: Some(seconds) },
            Err(error) => {
                let message = format!("{}: {error}", command.get_program().to_string_lossy());
                Outcome::Failed { reason: Reason::NotStarted { message }, seconds: None }
            }
        }
    }

    fn end(&mut self, _: &[ArmId]) -> Result<(), Trouble> {
        Ok(())
    }
}

fn reason(status: ExitStatus) -> Reason {
    #[cfg(unix)]
    if let Some(number) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Reason::Signal { number };
    }
    match status.code() {
        Some(code) => Reason::Exit { code: code.into() },
        None => Reason::Other { message: status.to_string() },
    }
}
