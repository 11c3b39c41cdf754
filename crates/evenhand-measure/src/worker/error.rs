//! What can be wrong with a worker, in words: which one, what was expected of it, what came instead, and what it said last.

use super::plausible::Implausible;
use evenhand_protocol::wire::WireError;
use evenhand_trial::Reason;
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a worker cannot be used any more.
#[derive(Debug)]
pub struct WorkerError {
    pub worker: String,
    /// What was wanted from it: `the list of its benchmarks`.
    pub wanted: &'static str,
    pub what: WorkerErrorKind,
    /// The last lines that it wrote to its standard error.
    pub last_words: Option<String>,
}

/// What came instead of what was wanted.
#[derive(Debug)]
pub enum WorkerErrorKind {
    /// It could not be started.
    NotStarted(io::Error),
    /// It ended.
    Ended(ExitStatus),
    /// Nothing came in this time.
    Silent(Duration),
    /// Bytes that are no message.
    Garbled(WireError),
    /// A number that cannot be true.
    Implausible(Implausible),
    /// A message that answers something else.
    OutOfTurn,
    /// It said that it could not be done.
    Refused(String),
    /// It speaks only versions that are newer, or older, than ours.
    Version {
        /// Its newest.
        its: u16,
        /// Ours.
        ours: u16,
    },
    /// The user has had enough.
    Interrupted,
    /// The system did not let us talk to it.
    System(io::Error),
}

impl WorkerError {
    /// As it is kept with the trial.
    pub fn reason(&self) -> Reason {
        match &self.what {
            WorkerErrorKind::Ended(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Reason::Exit { code: code.into() },
                (None, Some(number)) => Reason::Signal { number },
                (None, None) => Reason::Other { message: status.to_string() },
            },
            WorkerErrorKind::Silent(allowed) => Reason::Timeout { allowed: allowed.as_secs_f64() },
            WorkerErrorKind::NotStarted(error) => Reason::NotStarted { message: error.to_string() },
            WorkerErrorKind::Refused(why) => Reason::Other { message: why.clone() },
            _ => Reason::Other { message: self.to_string().lines().next().unwrap_or_default().to_owned() },
        }
    }
}

impl std::error::Error for WorkerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.what {
            WorkerErrorKind::NotStarted(error) | WorkerErrorKind::System(error) => Some(error),
            WorkerErrorKind::Garbled(error) => Some(error),
            _ => None,
        }
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { worker, wanted, what, .. } = self;
        match what {
            WorkerErrorKind::NotStarted(error) => write!(f, "{worker} could not be started: {error}"),
            WorkerErrorKind::Ended(status) => {
                write!(f, "{worker} ended ({status}) instead of giving {wanted}")
            }
            WorkerErrorKind::Silent(time) => {
                write!(f, "{worker} gave no {wanted} in {} s", time.as_secs_f64())?;
                f.write_str(" and was killed")
            }
            WorkerErrorKind::Garbled(malformed) => {
                write!(f, "{worker} gave no {wanted} but {malformed}: is it a worker for evenhand?")
            }
            WorkerErrorKind::Implausible(number) => {
                write!(
                    f,
                    "{worker} gave {wanted} with the number {number}: see docs/protocol.md for its meaning"
                )
            }
            WorkerErrorKind::OutOfTurn => write!(f, "{worker} gave no {wanted} but another answer"),
            WorkerErrorKind::Refused(why) => write!(f, "{worker}: {why}"),
            WorkerErrorKind::Version { its, ours } if its > ours => write!(
                f,
                "{worker} speaks version {its} of the protocol, this evenhand only {ours}: install a newer evenhand"
            ),
            WorkerErrorKind::Version { its, ours } => write!(
                f,
                "{worker} speaks version {its} of the protocol, this evenhand {ours}: build it with a newer library"
            ),
            WorkerErrorKind::Interrupted => f.write_str("interrupted"),
            WorkerErrorKind::System(error) => write!(f, "no connection to {worker}: {error}"),
        }?;
        for line in self.last_words.iter().flat_map(|words| words.lines()) {
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}
