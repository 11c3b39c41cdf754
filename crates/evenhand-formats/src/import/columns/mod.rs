//! What do plain numbers in a text file say? CSV, TSV, semicolons, or one number a line.
//!
//! ```text
//! # lines that start with # are comments
//! old,new                 every column an arm (wide), or the columns of our own CSV (long), see `table.rs`
//! 12.5,13.1
//! ```
//!
//! Quotes as in RFC 4180 (<https://www.rfc-editor.org/rfc/rfc4180>), UTF-8 with or without a byte order mark. The first
//! line is a header unless all its cells are numbers. The separator is a tab, else a semicolon, else a comma,
//! whichever the first line has; spaces around a cell mean nothing. Only a file that begins with the columns of our own
//! export is taken to the letter: commas, spaces kept. A decimal comma is refused: it cannot be told from a separator.
//!
//! Tests: `tests/formats/import/columns.rs`.

mod beside;
mod heading;
pub(super) mod table;

use self::table::{Cell, Table, is_number};
use super::leash::Leash;
use super::{Draft, ImportErrorKind, Input};
use crate::export::csv::HEAD;
use csv::{ByteRecord, Terminator};
use std::io::{BufRead, Read};
use std::ops::Range;
use std::str;

pub(super) fn looks_like(head: &[u8]) -> bool {
    if is_our_own(head) {
        return true;
    }
    let whole = match head.len() < super::HEAD_BYTES {
        true => head,
        false => head.iter().rposition(|byte| *byte == b'\n').map_or(head, |end| &head[..end]),
    };
    let Ok(text) = str::from_utf8(whole) else { return false };
    let lines: Vec<&str> = data_lines(text).take(3).collect();
    let Some(first) = lines.first() else { return false };
    let separator = char::from(separator(first));
    let cells = |line: &&str| line.split(separator).filter(|cell| is_number(bare(cell))).count();
    let body = if lines.len() > 1 { &lines[1..] } else { &lines[..] };
    !first.starts_with(['{', '[', '<']) && body.iter().all(|line| cells(line) > 0)
}

/// Whether our own export wrote this: then a name may hold anything, line breaks and outer spaces too.
fn is_our_own(head: &[u8]) -> bool {
    head.starts_with(HEAD.join(",").as_bytes())
}

fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('"')
}

/// The lines with something on them.
fn data_lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
}

fn separator(line: &str) -> u8 {
    [b'\t', b';'].into_iter().find(|byte| line.as_bytes().contains(byte)).unwrap_or(b',')
}

pub(super) fn read(mut input: Input<'_>, draft: &mut Draft) -> Result<(), ImportErrorKind> {
    let head = input.fill_buf()?;
    let to_the_letter = is_our_own(head);
    let separator = match to_the_letter {
        true => b',',
        false => data_lines(&String::from_utf8_lossy(head)).next().map_or(b',', separator),
    };
    // Taken for one line end, "\r\n" would be counted before its end, and every error name the line above.
    let line_end = if head.contains(&b'\n') { Terminator::Any(b'\n') } else { Terminator::CRLF };
    let leash = Leash::new(input);
    let rest = leash.rest();
    let mut rows = csv::ReaderBuilder::new()
        .delimiter(separator)
        .terminator(line_end)
        .has_headers(false)
        .flexible(true)
        .comment(Some(b'#'))
        .from_reader(leash);
    let mut record = ByteRecord::new();
    let mut table: Option<Table> = None;
    while rows.read_byte_record(&mut record).map_err(unreadable)? {
        let ends = rest.row_ended();
        let row = Record { record: &record, line: line_of(&rows, &record, ends), to_the_letter };
        match &mut table {
            _ if row.is_blank() => {}
            Some(table) => row.push_to(table)?,
            None => table = Some(row.begin()?),
        }
        if !ends && !row.is_blank() {
            draft.note(NO_LINE_END);
        }
    }
    table.ok_or(ImportErrorKind::Nothing)?.fill(draft)
}

const NO_LINE_END: &str =
    "the last line has no line end: if the file was cut off there, its last number is cut too";

/// The line on which a record begins that was just read, with its line end or without. Its own position is before the
/// empty lines and comments above it.
fn line_of<R: Read>(rows: &csv::Reader<R>, record: &ByteRecord, ends: bool) -> u64 {
    let within = record.as_slice().iter().filter(|byte| **byte == b'\n').count() as u64;
    rows.position().line().saturating_sub(within + u64::from(ends))
}

struct Record<'a> {
    record: &'a ByteRecord,
    line: u64,
    /// Whether spaces around a cell belong to it.
    to_the_letter: bool,
}

impl Record<'_> {
    /// A line of spaces.
    fn is_blank(&self) -> bool {
        self.record.len() == 1 && self.record.as_slice().trim_ascii().is_empty()
    }

    /// The table that begins with this row, whether it is a header or already numbers.
    fn begin(&self) -> Result<Table, ImportErrorKind> {
        let text = self.text()?;
        let cells: Vec<&str> = self.cells(text).collect();
        if cells.iter().any(|cell| !is_number(cell) && !cell.is_empty()) {
            return Table::named(cells.into_iter().map(str::to_owned).collect());
        }
        let mut table = Table::unnamed(self.record.len())?;
        self.push_to(&mut table)?;
        Ok(table)
    }

    fn push_to(&self, table: &mut Table) -> Result<(), ImportErrorKind> {
        let (here, wanted) = (self.record.len(), table.width());
        let place = format_args!("line {}", self.line);
        if here != wanted {
            let what = format!("{here} cells where the first row has {wanted}; is there a decimal comma?");
            return Err(ImportErrorKind::wrong(place, what));
        }
        let text = self.text()?;
        if wanted > 1 && table.is_wide() && self.cells(text).any(is_fraction) {
            let what = "a number starts with 0 like the digits after a decimal comma; write it with a point";
            return Err(ImportErrorKind::wrong(place, what));
        }
        let cell = |text| if str::is_empty(text) { Cell::Empty } else { Cell::Text(text) };
        table.push(place, self.cells(text).map(cell))
    }

    /// All cells behind each other. Every one of them is UTF-8, not only the whole.
    fn text(&self) -> Result<&str, ImportErrorKind> {
        str::from_utf8(self.record.as_slice())
            .ok()
            .filter(|text| text.is_ascii() || self.places().all(|place| text.get(place).is_some()))
            .ok_or_else(|| ImportErrorKind::wrong(format_args!("line {}", self.line), "is not UTF-8 text"))
    }

    /// The cells of [`Record::text`].
    fn cells<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let cells = self.places().map(|place| text.get(place).unwrap_or_default());
        // The last cell of a row of our own is a number, and perhaps half a line end.
        let last = self.record.len().saturating_sub(1);
        let literal = move |(place, cell): (usize, &'a str)| {
            if place == last { cell.trim_end_matches('\r') } else { cell }
        };
        cells
            .enumerate()
            .map(move |cell| if self.to_the_letter { literal(cell) } else { cell.1.trim_ascii() })
    }

    fn places(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.record.len()).map(|cell| self.record.range(cell).unwrap_or_default())
    }
}

/// `012`: digits that begin with 0.
fn is_fraction(cell: &str) -> bool {
    cell.len() > 1 && cell.starts_with('0') && cell.bytes().all(|byte| byte.is_ascii_digit())
}

fn unreadable(error: csv::Error) -> ImportErrorKind {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => ImportErrorKind::Read(error),
        other => ImportErrorKind::wrong("table", format_args!("{other:?}")),
    }
}
