//! How does a user write percent? `1`, `1%`, `1 %` and `0.5` are all understood.
//!
//! Tests: `tests/program/messages.rs`.

/// Percent from the command line; the message becomes the end of clap's own.
pub(crate) fn percent(text: &str) -> Result<f64, String> {
    number(text).ok_or_else(|| "expected a percentage, such as 1, 0.5 or 2%".to_owned())
}

/// One of the percentiles of a list.
pub(crate) fn percentile(text: &str) -> Result<f64, String> {
    number(text).filter(|percent| (0.0..=100.0).contains(percent)).ok_or_else(|| {
        "expected percentiles from 0 to 100 separated by commas, such as 50,95,99.9".to_owned()
    })
}

fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = text.strip_suffix('%').unwrap_or(text).trim_end();
    number.parse().ok().filter(|number: &f64| number.is_finite())
}
