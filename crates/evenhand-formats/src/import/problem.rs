//! What is wrong with a file, where, and what can its owner do?
//!
//! Tests: `tests/formats/import/refusals.rs`.

use evenhand_trial::Broken;
use std::fmt;
use std::io;

/// Why a file gave no trial: names the file, the format it was read as, and the place.
#[derive(Debug)]
pub struct ImportError {
    /// The file as the user named it.
    pub file: String,
    /// The format it was read as, if one was found.
    pub format: Option<&'static str>,
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Problem {
    /// There is not a byte in it.
    Empty,
    /// No format recognises it.
    Unrecognised,
    /// It could not be read.
    Read(io::Error),
    /// It is not the JSON that the format asks for; the error knows line and column.
    Json(serde_json::Error),
    /// Something in it breaks the format's rules.
    Wrong {
        /// The line, the path of keys or the name of the benchmark.
        place: String,
        what: String,
    },
    /// It is a file of that format with no result in it.
    Nothing,
    /// What it says breaks a rule of trials.
    Broken(Broken),
}

impl Problem {
    /// Something at a place that breaks the format's rules.
    pub fn wrong(place: impl fmt::Display, what: impl fmt::Display) -> Self {
        Self::Wrong { place: place.to_string(), what: what.to_string() }
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Self {
        if error.is_io() { Self::Read(error.into()) } else { Self::Json(error) }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Read(error)
    }
}

impl From<Broken> for Problem {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("the file is empty"),
            Self::Unrecognised => f.write_str("no known format looks like this; name one with --format"),
            Self::Read(error) => write!(f, "cannot be read: {error}"),
            Self::Json(error) if error.is_eof() => {
                write!(f, "ends too early: {error}; was the tool cut off while writing it?")
            }
            Self::Json(error) => error.fmt(f),
            Self::Wrong { place, what } => write!(f, "{place}: {what}"),
            Self::Nothing => f.write_str("holds no result"),
            Self::Broken(broken) => broken.fmt(f),
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

impl std::error::Error for ImportError {}
