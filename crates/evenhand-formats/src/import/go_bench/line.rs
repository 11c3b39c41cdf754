//! What kind of line of Go's benchmark data is it?
//!
//! A result line is `Benchmark<Name> <iterations> (<value> <unit>)+`, its fields apart by any white space; the name does not
//! go on with a small letter. A configuration line is `key: value`, the key beginning with a small letter and without
//! capitals or white space. Everything else is a program's own output.
//!
//! Format: <https://golang.org/design/14313-benchmark-format>.
//!
//! Tests: `tests/formats/import/go_bench.rs`.

use std::io::{self, BufRead};
use std::str::SplitWhitespace;

/// Longer lines are the benchmark's own output, never results.
pub(super) const LONGEST_LINE: usize = 64 * 1024;

/// The testing package writes up to five measurements, and one for each metric that the benchmark reports.
const MOST_MEASUREMENTS: usize = 100;

#[derive(PartialEq)]
pub(super) enum LineEnd {
    There,
    /// The input ends within the line.
    Missing,
    /// The input ended before the line.
    Nothing,
}

/// Reads a line without its end; only the beginning of one that is too long.
pub(super) fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<LineEnd> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(if any { LineEnd::Missing } else { LineEnd::Nothing });
        }
        any = true;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST_LINE - line.len())]);
        let used = end.map_or(chunk.len(), |end| end + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(LineEnd::There);
        }
    }
}

pub(super) struct ResultLine<'a> {
    pub(super) name: &'a str,
    pub(super) iterations: u64,
    pub(super) pairs: Vec<(f64, &'a str)>,
}

pub(super) enum Parsed<'a> {
    Result(ResultLine<'a>),
    /// Not a result line, and none that was meant to be one.
    Other,
    /// A name, and no number after it: something else was printed into the line.
    Torn,
    /// A result line that breaks the format.
    Wrong(String),
}

impl<'a> ResultLine<'a> {
    pub(super) fn parse(line: &'a str) -> Parsed<'a> {
        let mut fields = line.split_whitespace();
        let Some(name) = fields.next().and_then(|field| field.strip_prefix("Benchmark")) else {
            return Parsed::Other;
        };
        if line.starts_with(char::is_whitespace) || name.starts_with(char::is_lowercase) {
            return Parsed::Other;
        }
        let Some(second) = fields.next() else { return Parsed::Other };
        match second.parse() {
            Err(_) if second.bytes().all(|byte| byte.is_ascii_digit()) => {
                Parsed::Wrong(format!("{second} iterations are more than can be counted"))
            }
            Err(_) => Parsed::Torn,
            Ok(0) => Parsed::Wrong("a result has at least 1 iteration".to_owned()),
            Ok(iterations) => match Self::pairs(fields) {
                Ok(pairs) => Parsed::Result(Self { name, iterations, pairs }),
                Err(what) => Parsed::Wrong(what),
            },
        }
    }

    fn pairs(mut fields: SplitWhitespace<'a>) -> Result<Vec<(f64, &'a str)>, String> {
        let mut pairs: Vec<(f64, &str)> = Vec::new();
        while let Some(text) = fields.next() {
            let value = text.parse().map_err(|_| format!("\"{}\" is not a number", text.escape_debug()))?;
            if !f64::is_finite(value) {
                return Err(format!("{} is not a possible measurement", text.escape_debug()));
            }
            let unit = fields.next().ok_or_else(|| {
                format!("there is no unit after {text}; was the file cut off while it was written?")
            })?;
            if pairs.iter().any(|(_, known)| *known == unit || (is_time(known) && is_time(unit))) {
                return Err(format!("the unit {} is given twice", unit.escape_debug()));
            }
            if pairs.len() == MOST_MEASUREMENTS {
                return Err(format!("there are more than {MOST_MEASUREMENTS} measurements"));
            }
            pairs.push((value, unit));
        }
        if pairs.is_empty() {
            return Err("there is no measurement after the iterations".to_owned());
        }
        Ok(pairs)
    }
}

pub(super) fn ends_process(line: &str) -> bool {
    matches!(line, "PASS" | "FAIL") || line.starts_with("ok  \t") || line.starts_with("FAIL\t")
}

/// The key begins with a small letter and has no white space and no capital; white space follows the colon.
pub(super) fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let plain = key.starts_with(char::is_lowercase)
        && !key.contains(|letter: char| letter.is_whitespace() || letter.is_uppercase());
    let apart = value.is_empty() || value.starts_with([' ', '\t']);
    (plain && apart).then(|| (key, value.trim_start_matches([' ', '\t'])))
}

pub(super) fn is_time(unit: &str) -> bool {
    matches!(unit, "ns/op" | "sec/op")
}
