//! What can be wrong with a worker, in words: which one, what was expected of it, what came instead, and what it said last.

use super::plausible::Implausible;
use evenhand_protocol::wire::Malformed;
use evenhand_trial::Reason;
use std::fmt;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a worker cannot be used any more.
#[derive(Debug)]
pub struct Fault {
    pub worker: String,
    /// What was wanted from it: `the list of its benchmarks`.
    pub wanted: &'static str,
    pub what: What,
    /// The last lines that it wrote to its standard error.
    pub last_words: Option<String>,
}

/// What came instead of what was wanted.
#[derive(Debug)]
pub enum What {
    /// It could not be started.
    NotStarted(io::Error),
    /// It ended.
    Ended(ExitStatus),
    /// Nothing came in this time.
    Silent(Duration),
    /// Bytes that are no message.
    Garbled(Malformed),
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

impl Fault {
    /// As it is kept with the trial.
    pub fn reason(&self) -> Reason {
        match &self.what {
            What::Ended(status) => match (status.code(), status.signal()) {
                (Some(code), _) => Reason::Exit { code: code.into() },
                (None, Some(number)) => Reason::Signal { number },
                (None, None) => Reason::Other { message: status.to_string() },
            },
            What::Silent(allowed) => Reason::Timeout { allowed: allowed.as_secs_f64() },
            What::NotStarted(error) => Reason::NotStarted { message: error.to_string() },
            What::Refused(why) => Reason::Other { message: why.clone() },
            _ => Reason::Other { message: self.to_string().lines().next().unwrap_or_default().to_owned() },
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { worker, wanted, what, .. } = self;
        match what {
            What::NotStarted(error) => write!(f, "{worker} could not be started: {error}"),
            What::Ended(status) => write!(f, "{worker} ended ({status}) instead of giving {wanted}"),
            What::Silent(time) => {
                write!(f, "{worker} gave no {wanted} in {} s", time.as_secs_f64())?;
                f.write_str(" and was killed")
            }
            What::Garbled(malformed) => {
                write!(f, "{worker} gave no {wanted} but {malformed}: is it a worker for evenhand?")
            }
            What::Implausible(number) => {
                write!(
                    f,
                    "{worker} gave {wanted} with the number {number}: see docs/protocol.md for its meaning"
                )
            }
            What::OutOfTurn => write!(f, "{worker} gave no {wanted} but another answer"),
            What::Refused(why) => write!(f, "{worker}: {why}"),
            What::Version { its, ours } if its > ours => write!(
                f,
                "{worker} speaks version {its} of the protocol, this evenhand only {ours}: install a newer evenhand"
            ),
            What::Version { its, ours } => write!(
                f,
                "{worker} speaks version {its} of the protocol, this evenhand {ours}: build it with a newer library"
            ),
            What::Interrupted => f.write_str("interrupted"),
            What::System(error) => write!(f, "no connection to {worker}: {error}"),
        }?;
        for line in self.last_words.iter().flat_map(|words| words.lines()) {
            write!(f, "\n{line}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
