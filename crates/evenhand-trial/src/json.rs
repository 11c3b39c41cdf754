//! How is a trial written as JSON? One object, with `schema_version` first; `trial.schema.json` beside this crate's
//! sources is its JSON Schema.
//!
//! ```json
//! {"schema_version":2,"id":"9f1c6a03d2b87e55","state":"complete","origin":{"kind":"measured","version":"0.1.0"},
//!  "schedule":{"seed":"00000000000000aa"},"environment":{},
//!  "metrics":[{"name":"wall","unit":"ns","per":"sample","better":"lower"}],
//!  "arms":[{"name":"old"},{"name":"new"}],
//!  "series":[{"arm":0,"launch":0,"rounds":{"from":0},"iterations":{"same":1},"values":[[8123456,8123021]]},
//!            {"arm":1,"launch":0,"rounds":{"from":0},"iterations":{"same":1},"values":[[8023456,8023021]]}]}
//! ```
//!
//! Fields that a reader does not know are passed over, so a later version may add some without a new number. The number
//! rises when a field changes its meaning; a reader refuses a number above its own and says so.
//!
//! Version 1 wrote the values of the [plan](crate::plan) as text, the [notes](crate::note) as sentences, and no launches. It is read,
//! and becomes version 2 when it is written again.
//!
//! Tests: `tests/json.rs`, `tests/version_1.rs`.

pub use crate::version::{FormVersion, SchemaVersion};

use crate::{Trial, TrialError};
use std::io::{BufReader, BufWriter, Read, Write};
use thiserror::Error;

/// Why a trial could not be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Not the JSON of a trial, or it could not be read.
    #[error("{0}")]
    Json(serde_json::Error),
    /// The JSON is of a trial, but one that breaks a rule.
    #[error("{0}")]
    Broken(TrialError),
}

/// Reads a trial and checks its rules. The samples are read as they come: memory stays at their size.
pub fn read(input: impl Read) -> Result<Trial, ReadError> {
    let trial: Trial = serde_json::from_reader(BufReader::new(input)).map_err(ReadError::Json)?;
    trial.check().map_err(ReadError::Broken)?;
    Ok(trial)
}

/// Writes a trial, with a line end. A trial that breaks a rule is refused: it could not be read again.
pub fn write(trial: &Trial, output: impl Write) -> std::io::Result<()> {
    trial.check().map_err(|broken| std::io::Error::new(std::io::ErrorKind::InvalidInput, broken))?;
    let mut output = BufWriter::new(output);
    serde_json::to_writer(&mut output, trial)?;
    output.write_all(b"\n")?;
    output.flush()
}
