//! How are the loose ends of foreign JSON read? Keys in a head that is cut off, numbers that may be the word "NaN",
//! values of any shape that are kept as words, long lists of which little is kept.
//!
//! Tests: `tests/formats/import/pyperf.rs`, `tests/formats/import/pytest_benchmark.rs`, `tests/formats/import/jmh.rs`,
//! `tests/formats/import/benchmark_dotnet.rs`.

use evenhand_trial::Environment;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::io::{self, BufRead};
use std::marker::PhantomData;

/// Whether a file begins as JSON does that is an object or a list.
pub(super) fn begins(head: &[u8]) -> bool {
    matches!(after_mark(head).first(), Some(b'{' | b'['))
}

/// Whether `"key":` occurs in the beginning of a file.
pub(super) fn has_key(head: &[u8], key: &str) -> bool {
    let quoted = format!("\"{key}\"");
    head.windows(quoted.len()).enumerate().any(|(at, window)| {
        window == quoted.as_bytes() && head[at + quoted.len()..].trim_ascii_start().starts_with(b":")
    })
}

/// The mark with which programs on Windows begin a UTF-8 file.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The head without the byte order mark and white space in front.
pub(super) fn after_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start()
}

/// Steps over a byte order mark, if the input begins with one.
pub(super) fn skip_mark(input: &mut impl BufRead) -> io::Result<()> {
    if input.fill_buf()?.starts_with(BYTE_ORDER_MARK) {
        input.consume(BYTE_ORDER_MARK.len());
    }
    Ok(())
}

/// A number, or a word for one that JSON cannot write: `"NaN"`, `"+INF"`, `"Infinity"`. `null` is NaN.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Number(pub(super) f64);

impl Number {
    /// The number, if it is one.
    pub(super) fn finite(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor).map(Self)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_unit<E: Error>(self) -> Result<f64, E> {
        Ok(f64::NAN)
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<f64, E> {
        match word {
            "NaN" => Ok(f64::NAN),
            "+INF" | "INF" | "Infinity" | "∞" => Ok(f64::INFINITY),
            "-INF" | "-Infinity" | "-∞" => Ok(f64::NEG_INFINITY),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }
}

/// A value of any shape as words: text without its quotes, everything else as compact JSON. `None` for `null` and
/// for empty text.
pub(super) fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        other => Some(other.to_string()),
    }
}

/// Keeps a fact of the environment under the tool's own name. Where arms differ, the later ones get theirs under
/// `<arm>: <key>`.
pub(super) fn remember(environment: &mut Environment, arm: &str, key: &str, value: &Value) {
    let Some(value) = words(value) else { return };
    match environment.other.get(key) {
        None => drop(environment.other.insert(key.to_owned(), value)),
        Some(known) if *known == value => {}
        Some(_) => drop(environment.other.insert(format!("{arm}: {key}"), value)),
    }
}

/// Hands over the elements of a list one at a time, so that no more than one of them is in memory beside what is kept.
/// `expected` says what the list is, for who wrote something else there.
pub(super) fn each_of<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    expected: &'static str,
    keep: impl FnMut(T) -> Result<(), String>,
) -> Result<(), D::Error> {
    deserializer.deserialize_seq(EachOf { expected, keep, element: PhantomData })
}

struct EachOf<T, F> {
    expected: &'static str,
    keep: F,
    element: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>, F: FnMut(T) -> Result<(), String>> Visitor<'de> for EachOf<T, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(element) = list.next_element()? {
            (self.keep)(element).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}
