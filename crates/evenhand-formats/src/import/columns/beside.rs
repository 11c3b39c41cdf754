//! Which columns of numbers measure nothing? Those that count the rows or say when a row was written.
//!
//! ```text
//! ,old,new          pandas and R write the number of the row, under no heading
//! run,time_ms       a count under a heading
//! timestamp,value   Unix time, or a date
//! ```
//!
//! Only what both the heading and the numbers say is believed: an arm may be named "run".
//!
//! Tests: `tests/formats/import/columns.rs`.

use super::heading::Heading;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// Headings of row numbers. pandas writes the last one when it reads and writes a table with no heading there.
const NO_HEADING: [&str; 2] = ["", "Unnamed: 0"];
const COUNTS: [&str; 7] = ["index", "iteration", "n", "rep", "row", "run", "sample"];
const MOMENTS: [&str; 9] =
    ["_time", "at", "date", "datetime", "epoch", "time", "timestamp", "ts", "unix_time"];

/// Seconds since 1970 at the beginnings of 2001 and 2100. No run of a benchmark takes that long.
const UNIX_SECONDS: std::ops::Range<f64> = 978_307_200.0..4_102_444_800.0;

/// Whether this is the heading of the row numbers that a program adds on its own.
pub(super) fn is_no_heading(written: &str) -> bool {
    NO_HEADING.contains(&written)
}

/// Whether the column may say when, by its heading.
pub(super) fn may_be_moments(heading: &Heading) -> bool {
    let says = |text: &str| MOMENTS.contains(&text.to_lowercase().as_str());
    says(&heading.written) || says(&heading.name) || (heading.name.is_empty() && heading.is_time())
}

/// A date as seconds since 1970, in UTC if it has no zone.
pub(super) fn date(text: &str) -> Option<f64> {
    let in_utc = |date: DateTime| date.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp());
    let at = text.parse::<Timestamp>().ok().or_else(|| in_utc(text.parse().ok()?))?;
    Some(at.as_second() as f64)
}

/// What a column of these numbers is, if it measures nothing. `parts` are parts of it, each in the order of the file.
pub(super) fn measures_nothing<'a>(
    heading: &Heading,
    parts: impl Iterator<Item = &'a [f64]> + Clone,
) -> Option<&'static str> {
    let is_count = COUNTS.contains(&heading.written.to_lowercase().as_str());
    if is_count && parts.clone().all(counts_on) {
        return Some("counts the rows");
    }
    let units = heading
        .unit
        .as_ref()
        .map_or([1.0, 1e-3, 1e-6, 1e-9].to_vec(), |unit| unit.in_seconds().into_iter().collect());
    let are_moments = |seconds: &f64| parts.clone().all(|part| are_moments(part, *seconds));
    (may_be_moments(heading) && units.iter().any(are_moments)).then_some("says when each row was written")
}

/// `3, 4, 5`
fn counts_on(numbers: &[f64]) -> bool {
    numbers.windows(2).all(|pair| pair[1] == pair[0] + 1.0)
        && numbers.iter().all(|number| number.fract() == 0.0)
}

/// Moments in a unit of so many seconds, none before the one above it. One number shows nothing.
fn are_moments(numbers: &[f64], unit: f64) -> bool {
    numbers.len() > 1
        && numbers.windows(2).all(|pair| pair[0] <= pair[1])
        && numbers.iter().all(|number| UNIX_SECONDS.contains(&(number * unit)))
}
