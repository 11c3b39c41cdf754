//! How do samples take little room? A chunk holds the samples of some series by column, compressed, with a checksum.
//!
//! ```text
//! 8 bytes   "EVNHCOL" and the version, 1
//! varint    how many series; varint: how many metrics
//! 1 each    a byte a series: the shapes of rounds (lowest 2 bits), positions, started, iterations;
//!           0 not known, 1 the same for all, 2 counting, 3 any numbers
//! 1 bit     for each series and in it each metric, lowest bit first: whether the series has that column
//! lists     arms, launches, numbers of samples: one number a series each
//! 8 lists   for rounds, positions, started, iterations: the one number of each series of shape 1 or 2,
//!           then the numbers of all series of shape 3, one series after the other
//! lists     for each metric, its values in all series that have it
//! 8 bytes   XXH3 (64 bits, seed 0, little endian) of everything before
//! ```
//!
//! Lists are as in [`numbers`]. A float comes back with the same bits, a NaN's payload included. A count that is the same
//! for all samples, or counts up, costs a few bytes however many samples there are.
//!
//! Reading: a changed byte is found by the checksum, before anything is unpacked. A forged chunk is refused once its
//! columns disagree, and takes at most 128 MiB ([`MOST_NUMBERS`]) plus a fixed multiple of its own length.
//!
//! A series may be too long for one chunk, and many are too short to be worth one: see [`split`] and [`join`].
//! Whether arms and metrics exist is for [`Trial::check`](crate::Trial::check).
//!
//! Tests: `tests/columnar.rs`.

mod numbers;
mod pieces;

pub use pieces::{Piece, join, split};

use crate::{ArmId, LaunchId, Series, Whole};
use numbers::{Input, malformed, put_floats, put_varint, put_wholes};
use thiserror::Error;
use twox_hash::XxHash3_64;

/// The most numbers in one chunk, over all its columns; regular ones (see [`Whole`]) do not count.
pub const MOST_NUMBERS: usize = 1 << 24;

/// What a chunk begins with; the version follows.
const MAGIC: &[u8; 7] = b"EVNHCOL";
const VERSION: u8 = 1;
const CHECKSUM_BYTES: usize = 8;

/// Why a chunk cannot be written or read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ColumnarError {
    /// It does not begin like a chunk.
    #[error("this is not a chunk of samples")]
    NotAChunk,
    /// A newer evenhand wrote it, in a form of this version.
    #[error(
        "the chunk was written by a newer evenhand (form {0}, this one reads {VERSION}): update evenhand"
    )]
    Newer(u8),
    /// The checksum does not fit: some byte of it was changed or is missing.
    #[error("the chunk is damaged: its checksum does not match")]
    Damaged,
    /// The checksum fits, but the content makes no sense: no evenhand wrote it.
    #[error("the chunk is invalid: {0}")]
    Malformed(String),
    /// Series `index` has columns of different lengths, or another number of metrics than the first.
    #[error("series {index} has columns of different lengths or another number of metrics")]
    Uneven {
        /// The place of the series, from 0.
        index: usize,
    },
    /// More than [`MOST_NUMBERS`]: [`split`] them.
    #[error("{numbers} numbers are too many for one chunk, {MOST_NUMBERS} are the most: split the series")]
    TooMany {
        /// How many there are.
        numbers: usize,
    },
}

/// Writes series as one chunk.
pub fn encode(series: &[Series]) -> Result<Vec<u8>, ColumnarError> {
    let metrics = series.first().map_or(0, |first| first.values.len());
    check(series, metrics)?;
    let mut out = Vec::new();
    out.extend_from_slice(MAGIC);
    out.push(VERSION);
    put_varint(&mut out, series.len() as u64);
    put_varint(&mut out, metrics as u64);
    out.extend(series.iter().map(shapes));
    put_presence(&mut out, series);
    put_wholes(&mut out, &each(series, |series| u64::from(series.arm.0)))?;
    put_wholes(&mut out, &each(series, |series| u64::from(series.launch.0)))?;
    put_wholes(&mut out, &each(series, |series| series.len() as u64))?;
    for column in 0..4 {
        put_regular(&mut out, series, column)?;
        put_irregular(&mut out, series, column)?;
    }
    for metric in 0..metrics {
        put_floats(
            &mut out,
            &series.iter().flat_map(|series| &series.values[metric]).copied().collect::<Vec<_>>(),
        )?;
    }
    let checksum = XxHash3_64::oneshot(&out);
    out.extend_from_slice(&checksum.to_le_bytes());
    Ok(out)
}

/// Reads a chunk.
pub fn decode(bytes: &[u8]) -> Result<Vec<Series>, ColumnarError> {
    let mut input = Input::new(checked_body(bytes)?, MOST_NUMBERS);
    let count = usize::try_from(input.varint()?).map_err(|_| malformed("has too many series"))?;
    let metrics = usize::try_from(input.varint()?).map_err(|_| malformed("has too many metrics"))?;
    let shapes = input.take(count)?;
    let presence = input.take(bits(count, metrics)?)?;
    let mut series = heads(&mut input, count)?;
    for column in 0..4 {
        read_column(&mut input, &mut series, shapes, column)?;
    }
    for metric in 0..metrics {
        read_metric(&mut input, &mut series, |index| {
            let bit = index * metrics + metric;
            presence[bit / 8] >> (bit % 8) & 1 == 1
        })?;
    }
    if !input.is_empty() {
        return Err(malformed("goes on after its end"));
    }
    Ok(series.into_iter().map(|(_, series)| series).collect())
}

/// The four columns of whole numbers, in the order of the chunk.
fn wholes(series: &Series) -> [Option<&Whole>; 4] {
    [Some(&series.rounds), series.positions.as_ref(), series.started.as_ref(), Some(&series.iterations)]
}

fn check(series: &[Series], metrics: usize) -> Result<(), ColumnarError> {
    let mut numbers = 0;
    for (index, series) in series.iter().enumerate() {
        let count = series.len();
        let mut lists = wholes(series).into_iter().flatten();
        let even = series.values.len() == metrics
            && series.values.iter().all(|column| column.is_empty() || column.len() == count)
            && lists.all(|whole| !matches!(whole, Whole::Each(each) if each.len() != count));
        if !even {
            return Err(ColumnarError::Uneven { index });
        }
        numbers += pieces::numbers_per_sample(series) * count + pieces::NUMBERS_PER_SERIES;
    }
    if numbers > MOST_NUMBERS { Err(ColumnarError::TooMany { numbers }) } else { Ok(()) }
}

fn shapes(series: &Series) -> u8 {
    wholes(series).into_iter().enumerate().fold(0, |shapes, (column, whole)| {
        let shape = match whole {
            None => 0,
            Some(Whole::Same { .. }) => 1,
            Some(Whole::Counting { .. }) => 2,
            Some(Whole::Each(_)) => 3,
        };
        shapes | shape << (2 * column)
    })
}

fn put_presence(out: &mut Vec<u8>, series: &[Series]) {
    let columns: Vec<bool> =
        series.iter().flat_map(|series| &series.values).map(|column| !column.is_empty()).collect();
    out.extend(columns.chunks(8).map(|eight| {
        eight.iter().enumerate().fold(0, |byte, (bit, &present)| byte | u8::from(present) << bit)
    }));
}

fn each(series: &[Series], number: impl Fn(&Series) -> u64) -> Vec<u64> {
    series.iter().map(number).collect()
}

fn put_regular(out: &mut Vec<u8>, series: &[Series], column: usize) -> Result<(), ColumnarError> {
    let numbers = series.iter().filter_map(|series| match wholes(series)[column]? {
        Whole::Same { same: number } | Whole::Counting { from: number } => Some(*number),
        Whole::Each(_) => None,
    });
    put_wholes(out, &numbers.collect::<Vec<_>>())
}

fn put_irregular(out: &mut Vec<u8>, series: &[Series], column: usize) -> Result<(), ColumnarError> {
    let numbers = series.iter().filter_map(|series| match wholes(series)[column]? {
        Whole::Each(each) => Some(each),
        Whole::Same { .. } | Whole::Counting { .. } => None,
    });
    put_wholes(out, &numbers.flatten().copied().collect::<Vec<_>>())
}

/// What lies between the version and the checksum, once both fit.
fn checked_body(bytes: &[u8]) -> Result<&[u8], ColumnarError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(ColumnarError::NotAChunk)?;
    let (&version, _) = rest.split_first().ok_or(ColumnarError::Damaged)?;
    if version > VERSION {
        return Err(ColumnarError::Newer(version));
    }
    let (content, checksum) = bytes.split_last_chunk::<CHECKSUM_BYTES>().ok_or(ColumnarError::Damaged)?;
    if XxHash3_64::oneshot(content) != u64::from_le_bytes(*checksum) {
        return Err(ColumnarError::Damaged);
    }
    content.get(MAGIC.len() + 1..).ok_or(ColumnarError::Damaged)
}

fn bits(count: usize, metrics: usize) -> Result<usize, ColumnarError> {
    Ok(count.checked_mul(metrics).ok_or_else(|| malformed("has too many metrics"))?.div_ceil(8))
}

/// The series without their numbers, each with its count of samples. A series cost a byte already, so their number is
/// bounded by the chunk's length.
fn heads(input: &mut Input<'_>, count: usize) -> Result<Vec<(usize, Series)>, ColumnarError> {
    let arms = input.wholes(count)?;
    let launches = input.wholes(count)?;
    let samples = input.wholes(count)?;
    let head = |((arm, launch), samples): ((u64, u64), u64)| {
        let arm = u32::try_from(arm).map_err(|_| malformed("has an arm beyond 32 bits"))?;
        let launch = u32::try_from(launch).map_err(|_| malformed("has a launch beyond 32 bits"))?;
        let samples = usize::try_from(samples).map_err(|_| malformed("has too many samples"))?;
        Ok((samples, Series::new(ArmId(arm), LaunchId(launch), 0)))
    };
    arms.into_iter().zip(launches).zip(samples).map(head).collect()
}

fn read_column(
    input: &mut Input<'_>,
    series: &mut [(usize, Series)],
    shapes: &[u8],
    column: usize,
) -> Result<(), ColumnarError> {
    let shape = |index: usize| shapes[index] >> (2 * column) & 3;
    let regular = (0..series.len()).filter(|&index| matches!(shape(index), 1 | 2)).count();
    let mut regular = input.wholes(regular)?.into_iter();
    let irregular = total(series, |index| shape(index) == 3)?;
    let mut irregular = input.wholes(irregular)?.into_iter();
    for (index, (samples, series)) in series.iter_mut().enumerate() {
        let whole = match shape(index) {
            1 => regular.next().map(|same| Whole::Same { same }),
            2 => regular.next().map(|from| Whole::Counting { from }),
            3 => Some(Whole::Each(irregular.by_ref().take(*samples).collect())),
            _ => None,
        };
        match (column, whole) {
            (0, Some(whole)) => series.rounds = whole,
            (1, whole) => series.positions = whole,
            (2, whole) => series.started = whole,
            (3, Some(whole)) => series.iterations = whole,
            _ => return Err(malformed("has a series without rounds or iterations")),
        }
    }
    Ok(())
}

fn read_metric(
    input: &mut Input<'_>,
    series: &mut [(usize, Series)],
    present: impl Fn(usize) -> bool,
) -> Result<(), ColumnarError> {
    let count = total(series, &present)?;
    let mut values = input.floats(count)?.into_iter();
    for (index, (samples, series)) in series.iter_mut().enumerate() {
        let count = if present(index) { *samples } else { 0 };
        series.values.push(values.by_ref().take(count).collect());
    }
    Ok(())
}

fn total(series: &[(usize, Series)], of: impl Fn(usize) -> bool) -> Result<usize, ColumnarError> {
    let mut counts =
        series.iter().enumerate().filter(|(index, _)| of(*index)).map(|(_, (samples, _))| *samples);
    counts
        .try_fold(0_usize, |sum, samples| sum.checked_add(samples))
        .ok_or_else(|| malformed("has too many samples"))
}
