//! What does an encoded HDR histogram hold? (V2 form, plain or compressed,
//! <https://github.com/HdrHistogram/HdrHistogram>, `V2 encoding` in `AbstractHistogram.java`)
//!
//! ```text
//! compressed:  0x1c849314, length, zlib stream of the plain form
//! plain:       0x1c849313, length, index offset, digits, lowest, highest, ratio (8 bytes), counts
//! ```
//!
//! All big endian. The counts are zigzag LEB128 of at most 9 bytes; a negative number skips so many empty buckets.
//! Read by hand and not with the crate `hdrhistogram`, because that one allocates what the header asks for: here
//! memory grows with the buckets that were counted in, and their number has an upper bound.
//!
//! Tests: `tests/formats/import/latte.rs`.

use super::super::ImportErrorKind;
use flate2::read::ZlibDecoder;
use std::io::{self, Read};

const PLAIN: u32 = 0x1c84_9313;
const COMPRESSED: u32 = 0x1c84_9314;

/// The counted buckets, ascending: the middle of each and its count. At most `most` of them.
pub(super) fn decode(bytes: &[u8], most: usize) -> Result<Vec<(f64, u64)>, ImportErrorKind> {
    let mut input = bytes;
    match number_u32(&mut input) {
        Ok(PLAIN) => plain(&mut input, most),
        Ok(COMPRESSED) => {
            let length = number_u32(&mut input).map_err(unreadable)?;
            if length as usize > input.len() {
                return Err(wrong("is cut off"));
            }
            let mut inner = ZlibDecoder::new(input);
            match number_u32(&mut inner).map_err(unreadable)? {
                PLAIN => plain(&mut inner, most),
                _ => Err(wrong("is compressed, but not around a V2 histogram")),
            }
        }
        _ => Err(wrong("is not an HDR histogram in the V2 form")),
    }
}

fn plain(input: &mut impl Read, most: usize) -> Result<Vec<(f64, u64)>, ImportErrorKind> {
    let length = number_u32(input).map_err(unreadable)?;
    let offset = number_u32(input).map_err(unreadable)?;
    let digits = number_u32(input).map_err(unreadable)?;
    let lowest = u64::from_be_bytes(take(input).map_err(unreadable)?);
    let _highest_and_ratio: [u8; 16] = take(input).map_err(unreadable)?;
    if offset != 0 {
        return Err(wrong("has shifted buckets, which is not supported"));
    }
    let buckets = Buckets::new(digits, lowest)?;
    let mut counts = Counted { input: input.take(u64::from(length)), index: 0 };
    let mut found = Vec::new();
    while let Some((index, count)) = counts.next()? {
        if found.len() == most {
            return Err(wrong("holds more buckets than a report can have"));
        }
        found.push((buckets.middle(index)?, count));
    }
    Ok(found)
}

/// Where the buckets lie: `half` of them to each doubling, the first doubling twice as many.
struct Buckets {
    half_bits: u32,
    unit_bits: u32,
}

impl Buckets {
    fn new(digits: u32, lowest: u64) -> Result<Self, ImportErrorKind> {
        if digits > 5 || lowest == 0 {
            return Err(wrong("does not say how precise it is: digits of 0 to 5 and a lowest value above 0"));
        }
        let values = 2 * 10_u64.pow(digits);
        let half_bits = values.next_power_of_two().trailing_zeros().max(1) - 1;
        Ok(Self { half_bits, unit_bits: lowest.ilog2() })
    }

    /// The middle of a bucket: the value itself where a bucket has one value.
    fn middle(&self, index: u64) -> Result<f64, ImportErrorKind> {
        let half = 1_u64 << self.half_bits;
        let doubling = (index >> self.half_bits).saturating_sub(1);
        let step = if index < half { index } else { (index & (half - 1)) + half };
        let bits = doubling + u64::from(self.unit_bits);
        if bits + u64::from(self.half_bits) + 1 > 64 {
            return Err(wrong("counts values beyond 2^64"));
        }
        let (low, width) = (step << bits, 1_u64 << bits);
        Ok(low as f64 + (width / 2) as f64)
    }
}

/// The counts above 0 and their indices.
struct Counted<R> {
    input: io::Take<R>,
    index: u64,
}

impl<R: Read> Counted<R> {
    fn next(&mut self) -> Result<Option<(u64, u64)>, ImportErrorKind> {
        while let Some(number) = self.zigzag()? {
            match number {
                0 => self.skip(1)?,
                1.. => {
                    let index = self.index;
                    self.skip(1)?;
                    return Ok(Some((index, number.unsigned_abs())));
                }
                _ => self.skip(number.unsigned_abs())?,
            }
        }
        Ok(None)
    }

    fn skip(&mut self, buckets: u64) -> Result<(), ImportErrorKind> {
        self.index = self.index.checked_add(buckets).ok_or_else(|| wrong("skips beyond its end"))?;
        Ok(())
    }

    /// The next number; `None` at the end.
    fn zigzag(&mut self) -> Result<Option<i64>, ImportErrorKind> {
        let mut raw = 0_u64;
        for place in 0..9_u32 {
            let mut byte = [0];
            match self.input.read(&mut byte).map_err(unreadable)? {
                0 if place == 0 && self.input.limit() == 0 => return Ok(None),
                0 => return Err(wrong("is cut off")),
                _ => {}
            }
            let last = place == 8 || byte[0] < 0x80;
            let bits = if place == 8 { byte[0] } else { byte[0] & 0x7f };
            raw |= u64::from(bits) << (7 * place);
            if last {
                break;
            }
        }
        Ok(Some((raw >> 1) as i64 ^ -((raw & 1) as i64)))
    }
}

fn number_u32(input: &mut impl Read) -> io::Result<u32> {
    Ok(u32::from_be_bytes(take(input)?))
}

fn take<const N: usize>(input: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(error: io::Error) -> ImportErrorKind {
    wrong(&format!("cannot be unpacked: {error}"))
}

fn wrong(what: &str) -> ImportErrorKind {
    ImportErrorKind::wrong("histogram", what)
}
