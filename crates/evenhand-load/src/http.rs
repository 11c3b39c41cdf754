//! What did an HTTP server answer? HTTP/1.1 and 1.0, RFC 9112.
//!
//! Where an answer ends (section 6.3): after its head, if the request was `HEAD` or the status is 204 or 304; with the last chunk,
//! if it comes in chunks; after as many bytes as `Content-Length` says; else where the connection does. An answer with a
//! status of 1xx is a notice that another one follows. The body is counted, not kept.
//!
//! Tests: `tests/answers.rs`.

use crate::Operation;
use crate::codec::{Codec, Garbled, WholeAnswer};
use httparse::{EMPTY_HEADER, Header, Response, Status};

/// No server that means well sends more of either.
const LONGEST_HEAD: usize = 64 << 10;
const MOST_HEADERS: usize = 100;

/// Reads answers of HTTP/1.
#[derive(Debug, Default)]
pub struct HttpCodec {
    /// A head, or a line between chunks, whose end has not come.
    kept: Vec<u8>,
    part: Part,
    head_only: bool,
    answer: Option<WholeAnswer>,
}

/// What comes next?
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    #[default]
    Head,
    /// So many bytes of the body.
    Body(u64),
    /// The line with the length of a chunk.
    ChunkLength,
    /// So many bytes of a chunk.
    Chunk(u64),
    /// The end of the line after a chunk.
    ChunkEnd,
    /// Lines after the last chunk, until an empty one.
    Trailer,
    /// Bytes until the connection ends.
    UntilClosed,
    Done,
}

impl Codec for HttpCodec {
    fn begin(&mut self, operation: &Operation) {
        self.kept.clear();
        (self.part, self.head_only, self.answer) = (Part::Head, operation.head_only, None);
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<Option<WholeAnswer>, Garbled> {
        while !bytes.is_empty() {
            bytes = match self.part {
                Part::Head => self.head(bytes)?,
                Part::Body(left) => self.skip(bytes, left, Part::Body, Part::Done),
                Part::Chunk(left) => self.skip(bytes, left, Part::Chunk, Part::ChunkEnd),
                Part::ChunkLength | Part::ChunkEnd | Part::Trailer => self.line(bytes)?,
                Part::UntilClosed => &[],
                // More than was asked for.
                Part::Done => return Err(Garbled),
            };
        }
        Ok(if self.part == Part::Done { self.answer } else { None })
    }

    fn close(&mut self) -> Option<WholeAnswer> {
        if self.part == Part::UntilClosed { self.answer } else { None }
    }
}

impl HttpCodec {
    fn head<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Garbled> {
        // Nearly always the head comes in one piece, and need not be kept.
        if self.kept.is_empty() {
            if let Some(length) = self.read_head(bytes)? {
                return Ok(&bytes[length..]);
            }
            self.kept.extend_from_slice(bytes);
        } else {
            let before = self.kept.len();
            let mut kept = std::mem::take(&mut self.kept);
            kept.extend_from_slice(bytes);
            if let Some(length) = self.read_head(&kept)? {
                return Ok(&bytes[length - before..]);
            }
            self.kept = kept;
        }
        if self.kept.len() > LONGEST_HEAD { Err(Garbled) } else { Ok(&[]) }
    }

    /// Reads a head and settles what follows it. Its length, if it is whole.
    fn read_head(&mut self, bytes: &[u8]) -> Result<Option<usize>, Garbled> {
        let mut headers = [EMPTY_HEADER; MOST_HEADERS];
        let mut response = Response::new(&mut headers);
        let Status::Complete(length) = response.parse(bytes).map_err(|_| Garbled)? else {
            return Ok(None);
        };
        let (code, version) = (response.code.ok_or(Garbled)?, response.version.unwrap_or(0));
        // 101 would be another protocol; nobody asked for one.
        if (100..200).contains(&code) && code != 101 {
            return Ok(Some(length));
        }
        let body = if self.head_only || code == 204 || code == 304 {
            Part::Done
        } else {
            body_of(response.headers)?
        };
        let stays_open = keeps_open(response.headers, version) && body != Part::UntilClosed;
        self.answer = Some(WholeAnswer { right: (200..400).contains(&code), stays_open });
        self.part = body;
        Ok(Some(length))
    }

    fn skip<'a>(&mut self, bytes: &'a [u8], left: u64, same: fn(u64) -> Part, next: Part) -> &'a [u8] {
        let here = left.min(bytes.len() as u64);
        self.part = if here == left { next } else { same(left - here) };
        &bytes[here as usize..]
    }

    /// Reads a line between or after chunks, to its end or that of the bytes.
    fn line<'a>(&mut self, bytes: &'a [u8]) -> Result<&'a [u8], Garbled> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (here, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
        self.kept.extend_from_slice(here);
        if self.kept.len() > LONGEST_HEAD {
            return Err(Garbled);
        }
        if end.is_some() {
            let line = std::mem::take(&mut self.kept);
            self.part = self.after_line(&line)?;
        }
        Ok(rest)
    }

    fn after_line(&self, line: &[u8]) -> Result<Part, Garbled> {
        let text = line.strip_suffix(b"\r\n").ok_or(Garbled)?;
        match (self.part, text) {
            (Part::ChunkEnd, []) => Ok(Part::ChunkLength),
            (Part::ChunkEnd, _) => Err(Garbled),
            (Part::Trailer, []) => Ok(Part::Done),
            (Part::Trailer, _) => Ok(Part::Trailer),
            _ => match httparse::parse_chunk_size(line) {
                Ok(Status::Complete((_, 0))) => Ok(Part::Trailer),
                Ok(Status::Complete((_, length))) => Ok(Part::Chunk(length)),
                _ => Err(Garbled),
            },
        }
    }
}

/// What follows the head, by its headers?
fn body_of(headers: &[Header<'_>]) -> Result<Part, Garbled> {
    if values(headers, "transfer-encoding").any(|value| has_word(value, "chunked")) {
        return Ok(Part::ChunkLength);
    }
    let mut lengths = values(headers, "content-length").map(length);
    let Some(first) = lengths.next() else { return Ok(Part::UntilClosed) };
    let first = first?;
    // Two lengths that differ are an attack or a defect (section 6.3, 5).
    if lengths.any(|length| length != Ok(first)) {
        return Err(Garbled);
    }
    Ok(if first == 0 { Part::Done } else { Part::Body(first) })
}

fn length(value: &[u8]) -> Result<u64, Garbled> {
    let text = std::str::from_utf8(value).map_err(|_| Garbled)?;
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain).ok_or(Garbled)
}

/// Does the server keep the connection? By default from 1.1 on (section 9.3).
fn keeps_open(headers: &[Header<'_>], version: u8) -> bool {
    let says = |word| values(headers, "connection").any(|value| has_word(value, word));
    if version == 0 { says("keep-alive") } else { !says("close") }
}

fn values<'a>(headers: &'a [Header<'_>], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    headers.iter().filter(move |header| header.name.eq_ignore_ascii_case(name)).map(|header| header.value)
}

/// Is the word one of a list with commas?
fn has_word(list: &[u8], word: &str) -> bool {
    list.split(|byte| *byte == b',').any(|part| part.trim_ascii().eq_ignore_ascii_case(word.as_bytes()))
}
