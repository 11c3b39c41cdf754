//! How do others read our trials? A trial is written in the form that another program asks for.
//!
//! Every form is one file here with a function `write(trial, output)`; the table is [`Format`]. All of them write as
//! they go: no form is put together in memory first. The same trial gives the same bytes.
//!
//! | form | holds |
//! |---|---|
//! | [`Format::Json`] | everything: comes back by import to the bit ([`evenhand_trial::json`]) |
//! | [`Format::Csv`] | every good sample, one a row ([`csv`]) |
//! | [`Format::Parquet`] | the same as CSV, typed; with the cargo feature `parquet` ([`parquet`]) |
//! | [`Format::OpenMetrics`] | count, sum and quantiles of each arm and metric, for Prometheus ([`openmetrics`]) |
//! | [`Format::Hyperfine`] | the first metric's samples, as hyperfine's `--export-json` writes them ([`hyperfine`]) |
//!
//! What a form has no place for is named in its file, and in `docs/formats/export.md`. Where leaving it out would
//! mislead, the form is refused with an [`ExportError`] that says what to do instead; a refusal writes nothing.
//!
//! Tests: `tests/formats/export/shared.rs`, and one `tests/formats/export/<form>.rs` for each.

pub mod csv;
pub mod hyperfine;
pub mod openmetrics;
pub mod parquet;

mod error;
mod file;
mod format;
mod level;

pub use error::ExportError;
pub use file::{FileError, write_file};
pub use format::{FORMATS, Format};

use evenhand_trial::{Trial, json};
use std::io::{BufWriter, Write};

/// How much is gathered before it is handed to the output.
const BUFFER_BYTES: usize = 64 * 1024;

/// Writes a trial in a form. A trial that breaks a rule is refused before anything is written.
pub fn export(trial: &Trial, format: Format, output: &mut dyn Write) -> Result<(), ExportError> {
    trial.check()?;
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, output);
    match format {
        Format::Json => json::write(trial, &mut output)?,
        Format::Csv => csv::write(trial, &mut output)?,
        Format::Parquet => parquet::write(trial, &mut output)?,
        Format::OpenMetrics => openmetrics::write(trial, &mut output)?,
        Format::Hyperfine => hyperfine::write(trial, &mut output)?,
    }
    Ok(output.flush()?)
}
