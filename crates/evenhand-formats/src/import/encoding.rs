//! In which form do the bytes of a file come? Plain, compressed with gzip or zstd, or as UTF-16.
//!
//! pyperf writes `.json.gz`, archives keep `.zst`, and `>` of Windows PowerShell writes UTF-16. The first bytes tell: the
//! magic number of gzip (RFC 1952, 2.3.1) or zstd, or a byte order mark. A few packed bytes can hold gigabytes: what
//! unpacks to far more than results do is refused on the way.
//!
//! Tests: `tests/formats/import/encoding.rs`.

use super::zstd::{self, Zstd};
use flate2::read::MultiGzDecoder;
use std::cell::Cell;
use std::io::{self, BufReader, Bytes, Cursor, Read};
use std::rc::Rc;

const GZIP: &[u8] = b"\x1f\x8b";
const UTF16_LITTLE: &[u8] = b"\xff\xfe";
const UTF16_BIG: &[u8] = b"\xfe\xff";

/// The input unpacked, and in UTF-8 if it is text.
pub(super) fn plain<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let (start, input) = with_start(input)?;
    let packed = Counted { input, bytes: Rc::default() };
    let packed_bytes = Rc::clone(&packed.bytes);
    if start.starts_with(GZIP) {
        as_utf8(Unpacked { decoder: MultiGzDecoder::new(packed), packed_bytes, bytes: 0 })
    } else if zstd::begins(&start) {
        as_utf8(Unpacked { decoder: Zstd::new(packed), packed_bytes, bytes: 0 })
    } else {
        as_utf8(packed.input)
    }
}

fn as_utf8<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let (start, input) = with_start(input)?;
    Ok(match start.get(..2) {
        Some(UTF16_LITTLE) => Box::new(Utf16::new(input, u16::from_le_bytes)),
        Some(UTF16_BIG) => Box::new(Utf16::new(input, u16::from_be_bytes)),
        _ => input,
    })
}

/// The first bytes, as many as the longest mark has, and the whole input again.
fn with_start<'a>(mut input: impl Read + 'a) -> io::Result<(Vec<u8>, Box<dyn Read + 'a>)> {
    let mut start = Vec::with_capacity(zstd::MARK);
    input.by_ref().take(zstd::MARK as u64).read_to_end(&mut start)?;
    Ok((start.clone(), Box::new(Cursor::new(start).chain(input))))
}

/// Results shrink to a tenth or a thirtieth. Small files may shrink as they like.
const MOST_TIMES: u64 = 100;
const ALWAYS_ALLOWED: u64 = 16 << 20;

/// What a packed file holds, as long as it is not too much.
struct Unpacked<D> {
    decoder: D,
    /// How much of the file was read.
    packed_bytes: Rc<Cell<u64>>,
    bytes: u64,
}

impl<D: Read> Read for Unpacked<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer)?;
        self.bytes += read as u64;
        match self.bytes <= ALWAYS_ALLOWED + MOST_TIMES * self.packed_bytes.get() {
            true => Ok(read),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "unpacks to more than 100 times its size, as no results do; unpack it yourself to read it all the same",
            )),
        }
    }
}

struct Counted<R> {
    input: R,
    bytes: Rc<Cell<u64>>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}

/// UTF-16 on its way to UTF-8; the byte order mark stays its first letter.
struct Utf16<R> {
    bytes: Bytes<BufReader<R>>,
    unit: fn([u8; 2]) -> u16,
    /// A letter in UTF-8, and how much of it was handed out.
    letter: String,
    served: usize,
}

impl<R: Read> Utf16<R> {
    fn new(input: R, unit: fn([u8; 2]) -> u16) -> Self {
        Self { bytes: BufReader::new(input).bytes(), unit, letter: String::new(), served: 0 }
    }

    fn next_unit(&mut self) -> io::Result<Option<u16>> {
        let Some(first) = self.bytes.next().transpose()? else { return Ok(None) };
        let second = self.bytes.next().transpose()?.ok_or_else(not_utf16)?;
        Ok(Some((self.unit)([first, second])))
    }

    fn next_letter(&mut self) -> io::Result<Option<char>> {
        let Some(first) = self.next_unit()? else { return Ok(None) };
        let second = if is_half_a_letter(first) { self.next_unit()? } else { None };
        let letter = char::decode_utf16([first].into_iter().chain(second)).next();
        letter.transpose().map_err(|_| not_utf16())
    }
}

/// The first of two surrogates.
fn is_half_a_letter(unit: u16) -> bool {
    (0xD800..0xDC00).contains(&unit)
}

fn not_utf16() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        "the text begins as UTF-16 and does not go on so; was it cut off?",
    )
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for (count, place) in buffer.iter_mut().enumerate() {
            if self.served == self.letter.len() {
                let Some(letter) = self.next_letter()? else { return Ok(count) };
                self.letter.clear();
                self.letter.push(letter);
                self.served = 0;
            }
            *place = self.letter.as_bytes()[self.served];
            self.served += 1;
        }
        Ok(buffer.len())
    }
}
