//! What did a benchmark in JavaScript throw? Shared by the tools for it.
//!
//! Anything can be thrown. `JSON.stringify` makes `{}` of an error unless somebody took its text along.
//!
//! Tests: `tests/formats/import/mitata.rs`, `tests/formats/import/tinybench.rs`.

use evenhand_trial::{ArmId, Failure, LaunchId, Reason, RoundId};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What was thrown.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Thrown {
    /// An error with its text.
    Error {
        /// The text.
        message: String,
    },
    /// The text alone.
    Text(String),
    /// Anything else.
    Other(IgnoredAny),
}

impl Thrown {
    /// Its text, if it has one.
    pub(super) fn text(self) -> Option<String> {
        match self {
            Self::Error { message } | Self::Text(message) => Some(message),
            Self::Other(_) => None,
        }
    }
}

/// The failure of an arm that threw, with the text if it is known.
pub(super) fn failure(arm: ArmId, message: Option<String>) -> Failure {
    let message = message.unwrap_or_else(|| "threw something whose text is not in the file".to_owned());
    Failure { arm, launch: LaunchId(0), round: RoundId(0), reason: Reason::Other { message }, seconds: None }
}
