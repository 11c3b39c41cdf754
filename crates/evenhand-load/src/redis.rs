//! What did Redis answer? RESP, version 2: <https://redis.io/docs/latest/develop/reference/protocol-spec/>.
//!
//! A value is a line that begins with its kind. `+` and `-` (an error) and `:` are that line; `$N` is followed by N bytes and
//! an end of line, `*N` by N values; −1 stands for none. The answer is whole when no value is missing, so a counter takes the place of a
//! tree, and nested arrays need no stack.
//!
//! Tests: `tests/answers.rs`.

use crate::Operation;
use crate::codec::{Codec, Garbled, WholeAnswer};

/// A line holds a number or a message, never a long text.
const LONGEST_LINE: usize = 64 << 10;

/// Reads answers in RESP.
#[derive(Debug, Default)]
pub struct RedisCodec {
    /// A line whose end has not come.
    line: Vec<u8>,
    /// Bytes of a text that are still to come, with the end of its line.
    text: u64,
    /// Values that are still to come.
    missing: u64,
    failed: bool,
}

impl Codec for RedisCodec {
    fn begin(&mut self, _: &Operation) {
        self.line.clear();
        (self.text, self.missing, self.failed) = (0, 1, false);
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<Option<WholeAnswer>, Garbled> {
        while self.missing > 0 && !bytes.is_empty() {
            bytes = if self.text > 0 { self.skip(bytes) } else { self.read_line(bytes)? };
        }
        match (self.missing, bytes) {
            (0, []) => Ok(Some(WholeAnswer { right: !self.failed, stays_open: true })),
            // More than was asked for.
            (0, _) => Err(Garbled),
            _ => Ok(None),
        }
    }

    fn close(&mut self) -> Option<WholeAnswer> {
        None
    }
}

impl RedisCodec {
    /// Leaves out bytes of a text.
    fn skip<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let here = self.text.min(bytes.len() as u64);
        self.text -= here;
        self.missing -= u64::from(self.text == 0);
        &bytes[here as usize..]
    }

    /// Reads to the end of a line, or of the bytes.
    fn read_line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Garbled> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (here, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        self.line.extend_from_slice(here);
        if self.line.len() > LONGEST_LINE {
            return Err(Garbled);
        }
        if end.is_some() {
            let line = std::mem::take(&mut self.line);
            self.value(line.strip_suffix(b"\r\n").ok_or(Garbled)?)?;
        }
        Ok(rest)
    }

    /// Takes in the line that a value begins with.
    fn value(&mut self, line: &[u8]) -> Result<(), Garbled> {
        let (kind, rest) = line.split_first().ok_or(Garbled)?;
        match kind {
            b'+' | b':' => self.missing -= 1,
            b'-' => {
                self.failed = true;
                self.missing -= 1;
            }
            b'$' => match length(rest)? {
                Some(length) => self.text = length + 2,
                None => self.missing -= 1,
            },
            b'*' => {
                let more = length(rest)?.unwrap_or(0);
                self.missing = (self.missing - 1).checked_add(more).ok_or(Garbled)?;
            }
            _ => return Err(Garbled),
        }
        Ok(())
    }
}

/// A length, or none for −1.
fn length(digits: &[u8]) -> Result<Option<u64>, Garbled> {
    if digits == b"-1" {
        return Ok(None);
    }
    let text = std::str::from_utf8(digits).map_err(|_| Garbled)?;
    // No signs, and no more than can be added to.
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let length = text.parse().ok().filter(|length| plain && *length < 1 << 48);
    length.map(Some).ok_or(Garbled)
}
