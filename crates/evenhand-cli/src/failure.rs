//! What went wrong, and with which exit code does the program end?
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 2 | the command line, a file or the archive is not as it has to be |
//!
//! Codes 1, 3 and 4 belong to verdicts and failed commands.

use std::fmt;
use std::io::{self, Write};

/// Done.
pub(crate) const DONE: u8 = 0;
/// The command line, a file or the archive is not as it has to be.
pub(crate) const WRONG: u8 = 2;

/// Why a verb did not do what it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// In words: what is wrong, with its name, and what to do next.
    Told(String),
    /// It was told already, line by line; only the exit code is left.
    AlreadyTold,
    /// Output could not be written.
    Output(io::Error),
}

impl Failure {
    /// A failure in words.
    pub fn new(words: impl fmt::Display) -> Self {
        Self::Told(words.to_string())
    }

    pub(crate) fn tell(self, err: &mut dyn Write) -> u8 {
        let told = match self {
            Self::AlreadyTold => Ok(()),
            // The reader of our output had enough: `evenhand list | head`.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return DONE,
            Self::Output(error) => writeln!(err, "evenhand: cannot write the output: {error}"),
            Self::Told(words) => writeln!(err, "evenhand: {}", evenhand_report::plain::plain(&words)),
        };
        // Nobody is left to tell when even this cannot be written.
        let _ = told;
        WRONG
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<evenhand_archive::ArchiveError> for Failure {
    fn from(error: evenhand_archive::ArchiveError) -> Self {
        Self::new(error)
    }
}
