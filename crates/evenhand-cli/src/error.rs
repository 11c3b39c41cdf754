//! What went wrong, and with which exit code does the program end?
//!
//! | code | meaning |
//! |---|---|
//! | 0 | done |
//! | 1 | a change that `--fail-if` asked for |
//! | 2 | the command line, a file or the archive is not as it has to be |
//! | 3 | a measured command failed |
//! | 4 | no verdict, although `--require-verdict` asked for one |
//! | 130 | interrupted |

use evenhand_archive::ArchiveError;
use evenhand_report::message::{Message, Voice};
use std::fmt::{self, Display};
use std::io;

/// Done.
pub(crate) const DONE: u8 = 0;
/// A change that was asked for.
pub(crate) const REGRESSION: u8 = 1;
/// The command line, a file or the archive is not as it has to be.
pub(crate) const WRONG: u8 = 2;
/// A measured command failed.
pub(crate) const COMMAND_FAILED: u8 = 3;
/// No verdict, although one was required.
pub(crate) const NO_VERDICT: u8 = 4;
/// The user ended it: 128 and the number of SIGINT, as shells have it.
pub(crate) const INTERRUPTED: u8 = 130;

/// Why a verb did not do what it was asked to.
#[derive(Debug)]
pub enum CliError {
    /// What is wrong, with its name, and what to do next.
    Message(Message),
    /// What is wrong, and then what a program said last, line by line.
    Quoted(Message, String),
    /// The archive could not do what was asked.
    Archive(Box<ArchiveError>),
    /// It was reported already, line by line; only the exit code is left.
    AlreadyReported,
    /// The user ended it before there was anything to show.
    Interrupted(String),
    /// Output could not be written.
    Output(io::Error),
}

impl CliError {
    /// A failure in words.
    pub fn new(words: impl Display) -> Self {
        Self::Message(Message::error(words))
    }

    /// A failure in words, and what to do next.
    pub(crate) fn with_hint(words: impl Display, hint: impl Display) -> Self {
        Self::Message(Message::error(words).hint(hint))
    }

    pub(crate) fn tell(self, err: &mut Voice<'_>) -> u8 {
        let written = match self {
            Self::AlreadyReported => Ok(()),
            // The reader of our output had enough: `evenhand list | head`.
            Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return DONE,
            Self::Output(_) | Self::Archive(_) => err.say(&Message::error(&self)),
            Self::Interrupted(what) => {
                let _ = err.say(&Message::error(what));
                return INTERRUPTED;
            }
            Self::Message(message) => err.say(&message),
            Self::Quoted(message, words) => err.say(&message).and_then(|()| err.quote(words.lines())),
        };
        // There is nowhere else to write that this could not be written.
        let _ = written;
        WRONG
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Message(message) | Self::Quoted(message, _) => message.fmt(f),
            Self::Archive(error) => error.fmt(f),
            Self::Interrupted(what) => f.write_str(what),
            Self::AlreadyReported => f.write_str("already reported"),
            Self::Output(error) => write!(f, "cannot write the output: {error}"),
        }
    }
}

impl std::error::Error for CliError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Archive(error) => Some(error),
            Self::Output(error) => Some(error),
            Self::Message(_) | Self::Quoted(..) | Self::Interrupted(_) | Self::AlreadyReported => None,
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<ArchiveError> for CliError {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(Box::new(error))
    }
}
