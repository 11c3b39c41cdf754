//! Can this number of a foreign file be what it claims to be?
//!
//! Columns of samples are checked by the [`Draft`](super::Draft); these are for single figures.
//!
//! Tests: `tests/formats/import/criterion.rs`, `tests/formats/import/catch2.rs`.

use super::ImportErrorKind;
use std::fmt;

/// The largest whole number up to which a double holds every one.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// A number of iterations that was written with a decimal point or an exponent: whole, and at least 1.
pub(super) fn iterations(place: impl fmt::Display, number: f64) -> Result<u64, ImportErrorKind> {
    if (1.0..=LARGEST_WHOLE).contains(&number) && number.fract() == 0.0 {
        return Ok(number as u64);
    }
    Err(ImportErrorKind::wrong(place, format_args!("{number} is not a possible number of iterations")))
}

/// Any number but NaN and the infinities.
pub(super) fn finite(place: impl fmt::Display, number: f64) -> Result<f64, ImportErrorKind> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(ImportErrorKind::wrong(place, format_args!("{number} is not a possible measurement")))
}

/// A time, a size, a count or a spread: finite and not negative.
pub(super) fn figure(place: impl fmt::Display, number: f64) -> Result<f64, ImportErrorKind> {
    if number.is_finite() && number >= 0.0 {
        return Ok(number);
    }
    Err(ImportErrorKind::wrong(place, format_args!("{number} is not a possible measurement")))
}
