//! Which words is a command made of? Split as a POSIX shell would split it (XCU 2.2, Quoting,
//! <https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html>), but nothing is expanded: what only a
//! shell can do is refused and named, never passed on as if it were meant literally.
//!
//! `grep 'a b' file\ name` has the words `grep`, `a b`, `file name`; `grep x | wc` needs a shell.
//!
//! Tests: `tests/words.rs`.

use std::ffi::{OsStr, OsString};
use thiserror::Error;

/// Why a text cannot be split into words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WordsError {
    /// Something that only a shell can do. What it is, and how it is written if it is only text.
    #[error("{what} needs a shell: add --shell, or quote it ({quoted}) if it is only text")]
    NeedsShell { what: String, quoted: String },
    /// `NAME=value` before a command.
    #[error("`{word}` sets a variable, which needs a shell: add --env '{word}' instead, or --shell")]
    Assignment { word: String },
    /// A quote or a backslash without what belongs to it.
    #[error("unclosed quote or trailing `\\` in `{text}`: close the quote, or write `\\\\` for a backslash")]
    Unclosed { text: String },
    /// There is no first word.
    #[error("`{text}` names no program: give a command, such as './old --input x'")]
    NoProgram { text: String },
    /// Where words are Unicode.
    #[error("the command is not valid Unicode: rename the files in it")]
    NotUnicode,
}

/// The words of a command.
///
/// # Errors
/// What only a shell can do, a quote that is not closed, or no word at all.
pub fn split(text: &OsStr) -> Result<Vec<OsString>, WordsError> {
    let bytes = bytes_of(text)?;
    refuse_syntax(&bytes)?;
    let mut words = shlex::bytes::Shlex::new(&bytes);
    let split: Vec<Vec<u8>> = words.by_ref().collect();
    if words.had_error {
        return Err(WordsError::Unclosed { text: text.display().to_string() });
    }
    if split.first().is_none_or(Vec::is_empty) {
        return Err(WordsError::NoProgram { text: text.display().to_string() });
    }
    split.into_iter().map(word).collect()
}

/// The words that have a shell run a command.
pub fn in_shell(text: &OsStr, shell: &OsStr) -> Vec<OsString> {
    vec![shell.to_owned(), "-c".into(), text.to_owned()]
}

/// Where a shell is within a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    BetweenWords,
    InWord,
    InDouble,
    InSingle,
}

fn refuse_syntax(text: &[u8]) -> Result<(), WordsError> {
    refuse_assignment(text)?;
    let (mut place, mut bytes) = (Place::BetweenWords, text.iter().copied());
    while let Some(byte) = bytes.next() {
        place = match (place, byte) {
            (Place::InSingle, b'\'') => Place::InWord,
            (Place::InSingle, _) => Place::InSingle,
            (Place::InDouble, b'"') => Place::InWord,
            (_, b'\\') => {
                bytes.next();
                if place == Place::InDouble { Place::InDouble } else { Place::InWord }
            }
            (_, b'$' | b'`') => return Err(needs_shell(byte)),
            (Place::InDouble, _) => Place::InDouble,
            (_, b'|' | b'&' | b';' | b'<' | b'>' | b'*' | b'?' | b'(' | b')' | b'\n') => {
                return Err(needs_shell(byte));
            }
            (Place::BetweenWords, b'~' | b'#') => return Err(needs_shell(byte)),
            (_, b'\'') => Place::InSingle,
            (_, b'"') => Place::InDouble,
            (_, b' ' | b'\t') => Place::BetweenWords,
            _ => Place::InWord,
        };
    }
    Ok(())
}

fn needs_shell(byte: u8) -> WordsError {
    let (what, quoted) = match byte {
        b'\n' => ("a new line".to_owned(), "'…'".to_owned()),
        byte => (format!("`{}`", char::from(byte)), format!("'{}'", char::from(byte))),
    };
    WordsError::NeedsShell { what, quoted }
}

/// `NAME=value` before a command.
fn refuse_assignment(text: &[u8]) -> Result<(), WordsError> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let name = &text[..end.unwrap_or(0)];
    let is_name = name.first().is_some_and(|first| !first.is_ascii_digit());
    if !is_name || end.is_none_or(|end| text[end] != b'=') {
        return Ok(());
    }
    let word = text.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    Err(WordsError::Assignment { word: String::from_utf8_lossy(word).into_owned() })
}

#[cfg(unix)]
fn bytes_of(text: &OsStr) -> Result<Vec<u8>, WordsError> {
    Ok(std::os::unix::ffi::OsStrExt::as_bytes(text).to_vec())
}

#[cfg(unix)]
fn word(bytes: Vec<u8>) -> Result<OsString, WordsError> {
    Ok(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn bytes_of(text: &OsStr) -> Result<Vec<u8>, WordsError> {
    text.to_str().map(|text| text.as_bytes().to_vec()).ok_or(WordsError::NotUnicode)
}

#[cfg(not(unix))]
fn word(bytes: Vec<u8>) -> Result<OsString, WordsError> {
    String::from_utf8(bytes).map(OsString::from).map_err(|_| WordsError::NotUnicode)
}
