//! What did a command write? Its last words, if it fails, and a fingerprint, to compare with another's. Nothing else is
//! kept, however much it writes.
//!
//! Tests: `tests/command.rs`.

use crate::platform::process::Listener;
use std::hash::Hasher;
use twox_hash::XxHash3_64;

/// So much is kept of the end,
const KEPT: usize = 4096;
/// and of that so many lines.
const LINES: usize = 10;

/// Forgets everything.
#[derive(Debug, Default)]
pub struct Deaf;

impl Listener for Deaf {
    fn hear(&mut self, _: &[u8]) {}
}

/// Keeps the end of a text.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
    is_cut: bool,
}

impl Listener for Tail {
    fn hear(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEPT {
            self.bytes.drain(..self.bytes.len() - KEPT);
            self.is_cut = true;
        }
    }
}

impl Tail {
    /// The last lines, without what would move a terminal's cursor or change its colours. `None` if there are none.
    pub fn lines(&self) -> Option<String> {
        let cut = self.bytes.len().saturating_sub(KEPT);
        let text = String::from_utf8_lossy(&self.bytes[cut..]);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let mut lines: Vec<String> = text.lines().map(plain).collect();
        if (self.is_cut || cut > 0) && lines.len() > 1 {
            // The first is the end of a line.
            lines.remove(0);
        }
        let last = &lines[lines.len().saturating_sub(LINES)..];
        Some(last.join("\n").trim().to_owned()).filter(|text| !text.is_empty())
    }
}

fn plain(line: &str) -> String {
    let mut kept = String::new();
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' && letters.next_if_eq(&'[').is_some() {
            // A control sequence (ECMA-48, 5.4) ends with a byte from 0x40 on.
            letters.by_ref().find(|letter| ('\u{40}'..='\u{7e}').contains(letter));
        } else if letter == '\t' || !letter.is_control() {
            kept.push(letter);
        }
    }
    kept.trim_end().to_owned()
}

/// What a text is known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Print {
    /// Its bytes.
    pub length: u64,
    hash: u64,
}

/// Takes the fingerprint of a text.
#[derive(Default)]
pub struct Fingerprint {
    length: u64,
    hasher: XxHash3_64,
}

impl Listener for Fingerprint {
    fn hear(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.hasher.write(bytes);
    }
}

impl Fingerprint {
    /// That of all that was heard.
    pub fn print(&self) -> Print {
        Print { length: self.length, hash: self.hasher.finish() }
    }
}

impl Print {
    /// How the output of an arm differs from that of the baseline.
    pub fn against(self, baseline: Self, name: &str) -> Option<String> {
        let (mine, other) = (self.length, baseline.length);
        let sizes = match mine == other {
            true => format!("{mine} bytes in both, but not the same ones"),
            false => format!("{mine} bytes against {other}"),
        };
        (self != baseline).then(|| format!("its standard output differs from that of `{name}`: {sizes}"))
    }
}
