//! How is a word typed, so that a shell takes it as one?
//!
//! Tests: `tests/program/messages.rs`.

use evenhand_report::plain::plain;

/// A word as a shell wants it.
pub(crate) fn as_typed(word: &str) -> String {
    let safe = |character: char| character.is_alphanumeric() || "/._-+=,~@".contains(character);
    let word = plain(word);
    if !word.is_empty() && word.chars().all(safe) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
