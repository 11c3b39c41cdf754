//! How is a trial written as a table? Long form: one sample a row, one metric a column.
//!
//! ```text
//! group,arm,launch,round,position,started_ns,iterations,wall (ns),max_rss (B each)
//! sort,old,0,0,1,20512,1,8123456,3219456
//! sort,new,0,0,0,1204,1,8023456,
//! ```
//!
//! - Launches, rounds and positions count from 0. `started_ns` is from the start of the trial.
//! - An empty cell is a number that is not known. Other numbers have the fewest digits that read back as the same
//!   double.
//! - A metric's heading is its name and its unit in brackets, as recorded: nothing is converted. `each` marks a number
//!   that is already of one iteration; others are of all the row's iterations. A plain count has empty brackets.
//! - A group that starts with `#` is quoted, so that no reader takes the row for a comment.
//! - Text and quotes as in RFC 4180 (<https://www.rfc-editor.org/rfc/rfc4180>), in UTF-8, with `\n` at the end of a line.
//!   Names are written as they are, never changed: a spreadsheet takes `=…` for a formula, and `docs/formats/export.md`
//!   says how to open such a file. A changed name could not be imported again.
//!
//! No place here: failures, reported figures, the coin, the environment, which direction is better.
//!
//! Tests: `tests/formats/export/csv.rs`.

use super::error::ExportError;
use super::format::Format;
use evenhand_trial::{Metric, Per, Series, Trial, Whole};
use std::fmt;
use std::io::{self, Write};

/// The columns before those of the metrics.
pub const HEAD: [&str; 7] = ["group", "arm", "launch", "round", "position", "started_ns", "iterations"];

/// Writes every sample of a trial as a row.
pub(super) fn write(trial: &Trial, output: &mut dyn Write) -> Result<(), ExportError> {
    if trial.sample_count() == 0 {
        return Err(ExportError::NoSamples { format: Format::Csv });
    }
    let mut table =
        Table { rows: csv::WriterBuilder::new().comment(Some(b'#')).from_writer(output), cell: Vec::new() };
    table.head(trial)?;
    for series in &trial.series {
        table.series(trial, series)?;
    }
    Ok(table.rows.flush()?)
}

/// The heading of a metric's column.
pub fn heading(metric: &Metric) -> String {
    let (name, unit) = (&metric.name, metric.unit.symbol());
    match metric.per {
        Per::Sample => format!("{name} ({unit})"),
        Per::Iteration if unit.is_empty() => format!("{name} (each)"),
        Per::Iteration => format!("{name} ({unit} each)"),
    }
}

struct Table<W: Write> {
    rows: csv::Writer<W>,
    /// A number on its way into a cell.
    cell: Vec<u8>,
}

impl<W: Write> Table<W> {
    fn head(&mut self, trial: &Trial) -> io::Result<()> {
        for name in HEAD {
            self.text(name)?;
        }
        for metric in &trial.metrics {
            self.text(&heading(metric))?;
        }
        self.end_of_row()
    }

    fn series(&mut self, trial: &Trial, series: &Series) -> io::Result<()> {
        let Some(arm) = trial.arm(series.arm) else { return Ok(()) };
        for index in 0..series.len() {
            self.text(&arm.group)?;
            self.text(&arm.name)?;
            self.number(series.launch.0)?;
            self.whole(Some(&series.rounds), index)?;
            self.whole(series.positions.as_ref(), index)?;
            self.whole(series.started.as_ref(), index)?;
            self.whole(Some(&series.iterations), index)?;
            for column in &series.values {
                self.value(column.get(index).copied())?;
            }
            self.end_of_row()?;
        }
        Ok(())
    }

    fn whole(&mut self, whole: Option<&Whole>, index: usize) -> io::Result<()> {
        match whole.and_then(|whole| whole.get(index)) {
            Some(number) => self.number(number),
            None => self.text(""),
        }
    }

    fn value(&mut self, value: Option<f64>) -> io::Result<()> {
        match value.filter(|value| !value.is_nan()) {
            // `{}` spells 1e300 out in 301 digits; `{:?}` does not, but adds `.0` to whole numbers.
            Some(value) if value.abs() < 1e15 && value.fract() == 0.0 => self.number(value),
            Some(value) => self.number(format_args!("{value:?}")),
            None => self.text(""),
        }
    }

    fn number(&mut self, number: impl fmt::Display) -> io::Result<()> {
        self.cell.clear();
        write!(self.cell, "{number}")?;
        self.rows.write_field(&self.cell).map_err(as_io)
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.rows.write_field(text).map_err(as_io)
    }

    fn end_of_row(&mut self) -> io::Result<()> {
        self.rows.write_record(None::<&[u8]>).map_err(as_io)
    }
}

/// All rows have the same number of cells, so what is left to go wrong is the output.
fn as_io(error: csv::Error) -> io::Error {
    io::Error::from(error)
}
