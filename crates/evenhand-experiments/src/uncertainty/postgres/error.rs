//! Why is there no server, or no answer from it?
//!
//! Tests: beside what goes wrong.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;
use thiserror::Error;

/// Why there is no server, or no answer from it.
#[derive(Debug, Error)]
pub(super) enum PostgresError {
    /// No folder fits.
    #[error("there is no folder for its data: {0}; set TMPDIR to another one")]
    NoFolder(#[source] io::Error),
    /// Root cannot run it, and there is nobody to run it as.
    #[error(
        "it refuses to run as root, and there is neither a user \"postgres\" nor \"nobody\" here: run this as an ordinary user"
    )]
    NoUser,
    /// This could not be started.
    #[error("{program} cannot be started: {error}")]
    NotStarted {
        program: PathBuf,
        #[source]
        error: io::Error,
    },
    /// This ended when it should not.
    #[error("{program} ended ({status}). Its last words: {last_words}")]
    Ended { program: &'static str, status: ExitStatus, last_words: String },
    /// It runs, but does not let anybody in.
    #[error("it did not answer in time. The last words in its log: {last_words}")]
    NotReady { last_words: String },
}
