//! How is JSON read in which `NaN` and `Infinity` stand bare? As `null`, before the parser sees it.
//!
//! JSON has no such numbers, and several tools write them all the same: Google Benchmark (`FormatKV` in
//! `src/json_reporter.cc`), everything that uses Python's `json.dump`, printf in C (`-nan`, `inf`). A `null` counts as a
//! missing number. What stands in quotes is left as it is.
//!
//! Tests: `tests/formats/import/bare_words.rs`.

use super::ImportErrorKind;
use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

const BARE_WORDS: [&[u8]; 8] = [b"NaN", b"-NaN", b"Infinity", b"-Infinity", b"nan", b"-nan", b"inf", b"-inf"];

/// The length of `-Infinity`.
const LONGEST_WORD: usize = 9;

const CHUNK: usize = 64 * 1024;

/// JSON on its way to the parser.
pub(super) struct BareWords<R> {
    input: R,
    /// Formats that are no JSON, and our own, pass through.
    replaces: bool,
    met: Rc<Cell<bool>>,
    /// Read and not yet looked at.
    raw: Vec<u8>,
    /// Looked at, and handed out up to `served`.
    ready: Vec<u8>,
    served: usize,
    in_quotes: bool,
    ended: bool,
}

impl<R: Read> BareWords<R> {
    pub(super) fn new(input: R, replaces: bool) -> Self {
        Self {
            input,
            replaces,
            met: Rc::default(),
            raw: Vec::new(),
            ready: Vec::new(),
            served: 0,
            in_quotes: false,
            ended: false,
        }
    }

    /// Whether a bare word was met so far.
    pub(super) fn met(&self) -> Rc<Cell<bool>> {
        Rc::clone(&self.met)
    }

    fn refill(&mut self) -> io::Result<()> {
        let kept = self.raw.len();
        self.raw.resize(kept + CHUNK, 0);
        let read = self.input.read(&mut self.raw[kept..]);
        self.raw.truncate(kept + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        self.ready.clear();
        self.served = 0;
        let raw = std::mem::take(&mut self.raw);
        let mut rest = raw.as_slice();
        while !rest.is_empty() {
            let used = if self.in_quotes { self.pass_quoted(rest) } else { self.pass_bare(rest) };
            if used == 0 {
                break;
            }
            rest = &rest[used..];
        }
        self.raw = rest.to_vec();
        Ok(())
    }

    /// Hands on text in quotes; how much of it. Nothing of an escape that is cut off by the end of the chunk.
    fn pass_quoted(&mut self, text: &[u8]) -> usize {
        let stop = text.iter().position(|byte| matches!(byte, b'"' | b'\\'));
        let used = match stop {
            None => text.len(),
            Some(at) if text[at] == b'"' => {
                self.in_quotes = false;
                at + 1
            }
            Some(at) if at + 1 < text.len() => at + 2,
            Some(at) => {
                if self.ended {
                    text.len()
                } else {
                    at
                }
            }
        };
        self.ready.extend_from_slice(&text[..used]);
        used
    }

    /// Hands on what is outside of quotes, up to and including the next quote or word. Nothing of a word that may go
    /// on in the next chunk.
    fn pass_bare(&mut self, text: &[u8]) -> usize {
        let stop = text.iter().position(|byte| matches!(byte, b'"' | b'-' | b'N' | b'I' | b'n' | b'i'));
        let start = stop.unwrap_or(text.len());
        self.ready.extend_from_slice(&text[..start]);
        let text = &text[start..];
        if text.starts_with(b"\"") {
            self.in_quotes = true;
            self.ready.push(b'"');
            return start + 1;
        }
        let letters = text.iter().skip(1).position(|byte| !byte.is_ascii_alphabetic());
        let length = letters.map_or(text.len(), |letters| letters + 1);
        if length == text.len() && length <= LONGEST_WORD && !self.ended {
            return start;
        }
        let word = &text[..length];
        let is_bare = BARE_WORDS.contains(&word);
        self.ready.extend_from_slice(if is_bare { b"null" } else { word });
        self.met.set(self.met.get() || is_bare);
        start + length
    }
}

impl<R: Read> Read for BareWords<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.replaces {
            return self.input.read(buffer);
        }
        while self.served == self.ready.len() && !self.ended {
            self.refill()?;
        }
        let part = &self.ready[self.served..];
        let count = part.len().min(buffer.len());
        buffer[..count].copy_from_slice(&part[..count]);
        self.served += count;
        Ok(count)
    }
}

/// Names the bare word where a figure is needed and the parser saw `null`.
pub(super) fn named(problem: ImportErrorKind) -> ImportErrorKind {
    match &problem {
        ImportErrorKind::Json(error) if error.to_string().starts_with("invalid type: null") => {
            ImportErrorKind::wrong(
                format_args!("line {}", error.line()),
                "NaN or Infinity stands where a number is needed",
            )
        }
        _ => problem,
    }
}
