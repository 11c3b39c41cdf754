//! How is one list of numbers written in few bytes, and read back to the bit?
//!
//! A list is one byte that says how, then the numbers. The reader knows beforehand how many there must be.
//!
//! | byte | whole numbers | floats |
//! |---|---|---|
//! | 0 | all the same: one varint | all the same: 8 bytes, little endian |
//! | 1 | varints one after the other | 8 bytes each, little endian |
//! | 2 | varint of the length, then a [pco] file | the same |
//!
//! The shorter of 1 and 2 is taken. A varint is seven bits a byte, lowest first, the top bit set on all but the last. Pco's
//! header costs some 25 bytes, more than a handful of numbers. It finds by itself that floats are whole or are multiples
//! of a nanosecond: on the recorded traces, nanoseconds as floats take at most 3 % more than as integers, so there is
//! no third form for them. Its file format: <https://github.com/pcodec/pcodec/blob/main/docs/format.md>.
//!
//! Tests: `tests/columnar.rs`.

use super::ColumnarError;
use pco::ChunkConfig;
use pco::data_types::Number;
use pco::standalone::{DecompressorItem, FileDecompressor, simple_compress};

const SAME: u8 = 0;
const PLAIN: u8 = 1;
const PACKED: u8 = 2;

/// How many numbers are unpacked at a time; memory grows with what was really there. A multiple of pco's batch of 256.
const STEP: usize = 1 << 15;

/// What is left to read.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    /// How many numbers may still be unpacked. Bytes that stand for more are not from here.
    numbers_left: usize,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], numbers_left: usize) -> Self {
        Self { bytes, numbers_left }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], ColumnarError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or_else(|| malformed("ends too early"))?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, ColumnarError> {
        Ok(self.take(1)?[0])
    }

    pub(super) fn varint(&mut self) -> Result<u64, ColumnarError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(malformed("has a number of more than 64 bits"))
    }

    /// `count` whole numbers.
    pub(super) fn wholes(&mut self, count: usize) -> Result<Vec<u64>, ColumnarError> {
        self.spend(count)?;
        match self.byte()? {
            SAME => Ok(vec![self.varint()?; count]),
            PLAIN => (0..count).map(|_| self.varint()).collect(),
            PACKED => self.unpacked(count),
            _ => Err(malformed("has a list of an unknown kind")),
        }
    }

    /// `count` floats.
    pub(super) fn floats(&mut self, count: usize) -> Result<Vec<f64>, ColumnarError> {
        self.spend(count)?;
        match self.byte()? {
            SAME => Ok(vec![float(self.take(8)?); count]),
            PLAIN => Ok(self.take(8 * count)?.chunks_exact(8).map(float).collect()),
            PACKED => self.unpacked(count),
            _ => Err(malformed("has a list of an unknown kind")),
        }
    }

    fn spend(&mut self, count: usize) -> Result<(), ColumnarError> {
        self.numbers_left = self
            .numbers_left
            .checked_sub(count)
            .ok_or_else(|| malformed("claims to hold too many numbers"))?;
        Ok(())
    }

    fn unpacked<T: Number + Default>(&mut self, count: usize) -> Result<Vec<T>, ColumnarError> {
        let length = usize::try_from(self.varint()?).map_err(|_| malformed("ends too early"))?;
        unpack(self.take(length)?, count).map_err(|error| ColumnarError::Malformed(error.to_string()))
    }
}

fn unpack<T: Number + Default>(bytes: &[u8], count: usize) -> pco::errors::PcoResult<Vec<T>> {
    let (file, mut rest) = FileDecompressor::new(bytes)?;
    let mut numbers: Vec<T> = Vec::new();
    while let DecompressorItem::Chunk(mut chunk) = file.chunk_decompressor::<T, _>(rest)? {
        let end = numbers.len() + chunk.n();
        if end > count {
            return Err(wrong_count());
        }
        while numbers.len() < end {
            let start = numbers.len();
            numbers.resize(start + STEP.min(end - start), T::default());
            chunk.read(&mut numbers[start..])?;
        }
        rest = chunk.into_src();
    }
    if numbers.len() == count { Ok(numbers) } else { Err(wrong_count()) }
}

fn wrong_count() -> pco::errors::PcoError {
    pco::errors::PcoError {
        kind: pco::errors::ErrorKind::Corruption,
        message: "a list has another length than the chunk says".to_owned(),
    }
}

/// Writes whole numbers.
pub(super) fn put_wholes(out: &mut Vec<u8>, numbers: &[u64]) -> Result<(), ColumnarError> {
    let first = numbers.first().copied().unwrap_or(0);
    if numbers.iter().all(|&number| number == first) {
        out.push(SAME);
        put_varint(out, first);
        return Ok(());
    }
    let plain: usize = numbers.iter().map(|&number| varint_length(number)).sum();
    put_shorter(out, numbers, plain, |out| numbers.iter().for_each(|&number| put_varint(out, number)))
}

/// Writes floats, each bit of them.
pub(super) fn put_floats(out: &mut Vec<u8>, numbers: &[f64]) -> Result<(), ColumnarError> {
    let first = numbers.first().copied().unwrap_or(0.0);
    if numbers.iter().all(|number| number.to_bits() == first.to_bits()) {
        out.push(SAME);
        out.extend_from_slice(&first.to_le_bytes());
        return Ok(());
    }
    put_shorter(out, numbers, 8 * numbers.len(), |out| {
        numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
    })
}

fn put_shorter<T: Number>(
    out: &mut Vec<u8>,
    numbers: &[T],
    plain_length: usize,
    put_plain: impl FnOnce(&mut Vec<u8>),
) -> Result<(), ColumnarError> {
    let packed = simple_compress(numbers, &ChunkConfig::default())
        .map_err(|error| ColumnarError::Malformed(error.to_string()))?;
    if packed.len() < plain_length {
        out.push(PACKED);
        put_varint(out, packed.len() as u64);
        out.extend_from_slice(&packed);
    } else {
        out.push(PLAIN);
        put_plain(out);
    }
    Ok(())
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn varint_length(number: u64) -> usize {
    (64 - (number | 1).leading_zeros() as usize).div_ceil(7)
}

fn float(bytes: &[u8]) -> f64 {
    let mut eight = [0; 8];
    eight.copy_from_slice(bytes);
    f64::from_le_bytes(eight)
}

pub(super) fn malformed(what: &str) -> ColumnarError {
    ColumnarError::Malformed(what.to_owned())
}
