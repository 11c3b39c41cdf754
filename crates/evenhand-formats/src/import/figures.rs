//! What do the rows of a tool's CSV say? Several tools write their figures as CSV, too: one row a benchmark, no samples.
//!
//! ```text
//! command,mean,stddev,user,system,min,max
//! sleep 0.005,0.005941,0.0000396,0.000802,0.000108,0.005890,0.005981
//! ```
//!
//! Tests: `tests/formats/import/hyperfine.rs`, `tests/formats/import/jmh.rs`, `tests/formats/import/pytest_benchmark.rs`.

use super::headings::separator;
use super::leash::Leash;
use super::{ImportErrorKind, Input};
use csv::{ReaderBuilder, StringRecord};
use std::collections::BTreeMap;
use std::io::BufRead;

/// A row, by its headings.
pub(super) struct Row<'a> {
    headings: &'a StringRecord,
    cells: &'a StringRecord,
}

/// Reads one row after the other. The input begins with the headings.
pub(super) fn each_row(
    mut input: Input<'_>,
    mut take: impl FnMut(&Row<'_>) -> Result<(), ImportErrorKind>,
) -> Result<(), ImportErrorKind> {
    let head = String::from_utf8_lossy(input.fill_buf()?).into_owned();
    let separator = separator(head.lines().next().unwrap_or_default());
    let leash = Leash::new(input);
    let rest = leash.rest();
    let mut rows = ReaderBuilder::new().delimiter(separator as u8).from_reader(leash);
    let headings = rows.headers().map_err(unreadable)?.clone();
    let mut cells = StringRecord::new();
    while rows.read_record(&mut cells).map_err(unreadable)? {
        rest.row_ended();
        take(&Row { headings: &headings, cells: &cells })?;
    }
    Ok(())
}

fn unreadable(error: csv::Error) -> ImportErrorKind {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ImportErrorKind::Read(error),
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => ImportErrorKind::wrong(
            format_args!("line {}", pos.map_or(0, |pos| pos.line())),
            format_args!("{len} cells where the first row has {expected_len}"),
        ),
        other => ImportErrorKind::wrong("table", format_args!("{other:?}")),
    }
}

impl Row<'_> {
    /// Empty if there is no such column.
    pub(super) fn text(&self, heading: &str) -> &str {
        let place = self.headings.iter().position(|known| known == heading);
        place.and_then(|place| self.cells.get(place)).unwrap_or_default()
    }

    /// `None` for an empty cell and for NaN. In some countries Java writes a decimal comma.
    pub(super) fn number(&self, heading: &str) -> Result<Option<f64>, ImportErrorKind> {
        let text = self.text(heading);
        if text.is_empty() {
            return Ok(None);
        }
        let number: f64 = text.replacen(',', ".", 1).parse().map_err(|_| {
            let what = format_args!("{heading} is \"{}\", which is not a number", text.escape_debug());
            ImportErrorKind::wrong(self.place(), what)
        })?;
        Ok(Some(number).filter(|number| number.is_finite()))
    }

    /// The cells whose headings begin so, under the rest of the heading.
    pub(super) fn under(&self, prefix: &str) -> BTreeMap<String, String> {
        let named = self.headings.iter().zip(self.cells).filter(|(_, cell)| !cell.is_empty());
        named
            .filter_map(|(heading, cell)| Some((heading.strip_prefix(prefix)?.to_owned(), cell.to_owned())))
            .collect()
    }

    fn place(&self) -> String {
        format!("line {}", self.cells.position().map_or(0, csv::Position::line))
    }
}
