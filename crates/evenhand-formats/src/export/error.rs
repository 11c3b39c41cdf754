//! Why can a trial not be written in a form, and what can its owner do?
//!
//! Tests: `tests/formats/export/shared.rs`.

use super::format::Format;
use evenhand_stats::InputError;
use evenhand_trial::TrialError;
use std::io;
use thiserror::Error;

/// Why a trial was not written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The output took no more.
    #[error("cannot be written: {0}")]
    Write(#[from] io::Error),
    /// This build cannot write the form.
    #[error(
        "this evenhand was built without {format}; build it with the cargo feature \"{format}\", or choose --to csv"
    )]
    NotBuiltIn { format: Format },
    /// The trial breaks a rule.
    #[error("the trial cannot be exported: {0}")]
    Broken(#[from] TrialError),
    /// The form is made of samples, and there are none.
    #[error("{format} holds samples, and the trial has none: choose --to json, which holds everything")]
    NoSamples { format: Format },
    /// The form is made of samples, and an arm has none.
    #[error(
        "{format} cannot hold an entry without samples, such as \"{}\"; choose --to json or csv",
        .arm.escape_debug()
    )]
    NoSamplesOfArm { format: Format, arm: String },
    /// The form holds times only, and the trial's first metric is none.
    #[error(
        "{format} holds times, and the trial's first metric, \"{}\", is in \"{}\"; choose --to json or csv",
        .metric.escape_debug(),
        .unit.escape_debug()
    )]
    NotATime { format: Format, metric: String, unit: String },
    /// The form holds a figure that these samples do not have.
    #[error(
        "{format} needs figures that \"{}\" does not have ({error}); choose --to json or csv",
        .arm.escape_debug()
    )]
    NoFigure {
        format: Format,
        /// Whose samples.
        arm: String,
        /// What is wrong with them.
        #[source]
        error: InputError,
    },
}
