//! Why can a trial not be written in a form, and what can its owner do?
//!
//! Tests: `tests/formats/export/shared.rs`.

use super::format::Format;
use evenhand_stats::InputError;
use evenhand_trial::Broken;
use std::fmt;
use std::io;

/// Why a trial was not written.
#[derive(Debug)]
pub enum ExportError {
    /// The output took no more.
    Write(io::Error),
    /// This build cannot write the form.
    NotBuiltIn { format: Format },
    /// The trial breaks a rule.
    Broken(Broken),
    /// The form is made of samples, and there are none.
    NoSamples {
        format: Format,
        /// The arm without samples; `None` if no arm has any.
        arm: Option<String>,
    },
    /// The form holds times only, and the trial's first metric is none.
    NotATime { format: Format, metric: String, unit: String },
    /// The form holds a figure that these samples do not have.
    NoFigure {
        format: Format,
        /// Whose samples.
        arm: String,
        /// What is wrong with them.
        error: InputError,
    },
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<Broken> for ExportError {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(error) => write!(f, "cannot be written: {error}"),
            Self::NotBuiltIn { format } => write!(
                f,
                "this evenhand was built without {format}; build it with the cargo feature \"{format}\", or choose \
                 --format csv"
            ),
            Self::Broken(broken) => write!(f, "the trial cannot be exported: {broken}"),
            Self::NoSamples { format, arm: None } => {
                write!(
                    f,
                    "{format} holds samples, and the trial has none; choose --format json, which holds all"
                )
            }
            Self::NoSamples { format, arm: Some(arm) } => write!(
                f,
                "{format} has no place for an arm without samples, such as \"{}\"; choose --format json or csv",
                arm.escape_debug()
            ),
            Self::NotATime { format, metric, unit } => write!(
                f,
                "{format} holds times, and the trial's first metric, \"{}\", is in \"{}\"; choose --format json or csv",
                metric.escape_debug(),
                unit.escape_debug()
            ),
            Self::NoFigure { format, arm, error } => write!(
                f,
                "{format} asks for figures that \"{}\" does not have ({error}); choose --format json or csv",
                arm.escape_debug()
            ),
        }
    }
}

impl std::error::Error for ExportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Write(error) => Some(error),
            Self::Broken(broken) => Some(broken),
            Self::NoFigure { error, .. } => Some(error),
            Self::NotBuiltIn { .. } | Self::NoSamples { .. } | Self::NotATime { .. } => None,
        }
    }
}
