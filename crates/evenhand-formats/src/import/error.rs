//! What is wrong with a file, where, and what can its owner do?
//!
//! Tests: `tests/formats/import/refusals.rs`.

use super::unread::Unread;
use evenhand_trial::TrialError;
use serde_json::error::Category;
use std::fmt;
use std::io;
use thiserror::Error;

/// Why a file gave no trial: names the file, the format it was read as, and the place.
#[derive(Debug)]
pub struct ImportError {
    /// The file as the user named it.
    pub file: String,
    /// The format it was read as, if one was found.
    pub format: Option<&'static str>,
    pub problem: ImportErrorKind,
}

/// What is wrong with a file.
#[derive(Debug, Error)]
pub enum ImportErrorKind {
    /// There is not a byte in it.
    #[error("the file is empty")]
    Empty,
    /// No format recognises it.
    #[error("unknown format: name one with --from")]
    Unrecognised,
    /// Another tool wrote it, which is known and not read.
    #[error("written by {}, which evenhand does not read: {}", .0.tool, .0.way_out)]
    Unread(&'static Unread),
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// It is JSON that was cut off; the error knows line and column.
    #[error("ends too early: {0}; was the tool cut off while writing it?")]
    CutOff(#[source] serde_json::Error),
    /// It is not the JSON that the format asks for; the error knows line and column.
    #[error("{0}")]
    Json(#[source] serde_json::Error),
    /// Something in it breaks the format's rules.
    #[error("{place}: {what}")]
    Wrong {
        /// The line, the path of keys or the name of the benchmark.
        place: String,
        what: String,
    },
    /// It is a file of that format with no result in it.
    #[error("holds no result")]
    Nothing,
    /// What it says breaks a rule of trials.
    #[error("{0}")]
    Broken(#[from] TrialError),
}

impl ImportErrorKind {
    /// Something at a place that breaks the format's rules.
    pub fn wrong(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::Wrong { place: place.to_string(), what: what.to_string() }
    }
}

impl From<serde_json::Error> for ImportErrorKind {
    fn from(error: serde_json::Error) -> Self {
        match error.classify() {
            Category::Io => Self::Read(error.into()),
            Category::Eof => Self::CutOff(error),
            Category::Syntax | Category::Data => Self::Json(error),
        }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.escape_debug())?;
        if let Some(format) = self.format {
            write!(f, " (read as {format})")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.problem)
    }
}
