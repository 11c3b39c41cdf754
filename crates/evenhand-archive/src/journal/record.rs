//! What is the layout of a journal? A header, then records that are only ever added.
//!
//! ```text
//! 8 bytes   "EVNHJRN" and the version, 2
//! 1 byte    0 while it is measured, 1 once the trial came to its end; changed in place, needs no room on the disk
//! 7 bytes   zero
//! records   u32 length of the payload, u32 the same with all bits turned, u64 XXH3 (seed 0) of the payload, payload;
//!           little endian. The length is there twice so that a torn record is told from a damaged length.
//! ```
//!
//! The payload's first byte is its kind:
//!
//! ```text
//! 1 head    varint session (how many journals came before), i64 microseconds since 1970 when the trial entered,
//!           the JSON of the trial without samples. A later head replaces the earlier one.
//! 2 round   varint number of samples; for each: varints arm, launch, round (these two the same for all); a byte
//!           (1 position known, 2 start known); varints position and start if known; varint iterations; 8 bytes for
//!           each metric; then the failures as a JSON list, or nothing
//! 3 launch  the JSON of what a launch drew
//! ```
//!
//! Version 1 knew no launches, and wrote heads as version 1 of trials; it is read.
//!
//! A round of two arms with one metric, written byte by byte, is in `docs/archive.md` and in `tests/journal.rs`.

use evenhand_trial::{ArmId, LaunchFacts, LaunchId, Round, RoundId, Trial};
use twox_hash::XxHash3_64;

pub(super) const MAGIC: &[u8; 7] = b"EVNHJRN";
pub(super) const VERSION: u8 = 2;
pub(super) const HEADER_BYTES: usize = 16;
pub(super) const ENDED_AT: u64 = 8;
pub(super) const FRAME_BYTES: usize = 16;
const HEAD: u8 = 1;
const ROUND: u8 = 2;
const LAUNCH: u8 = 3;
const POSITION: u8 = 1;
const START: u8 = 2;

pub(super) fn header() -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..MAGIC.len()].copy_from_slice(MAGIC);
    header[MAGIC.len()] = VERSION;
    header
}

/// Empties the buffer and leaves room for the frame.
pub(super) fn begin(buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend_from_slice(&[0; FRAME_BYTES]);
}

/// Fills in the frame once the payload is there. `None`: the payload is too long.
pub(super) fn seal(buffer: &mut [u8]) -> Option<()> {
    let (frame, payload) = buffer.split_at_mut_checked(FRAME_BYTES)?;
    let length = u32::try_from(payload.len()).ok()?;
    frame[..4].copy_from_slice(&length.to_le_bytes());
    frame[4..8].copy_from_slice(&(!length).to_le_bytes());
    frame[8..].copy_from_slice(&XxHash3_64::oneshot(payload).to_le_bytes());
    Some(())
}

pub(super) fn put_head(
    buffer: &mut Vec<u8>,
    session: u64,
    added: i64,
    head: &Trial,
) -> serde_json::Result<()> {
    buffer.push(HEAD);
    put_varint(buffer, session);
    buffer.extend_from_slice(&added.to_le_bytes());
    serde_json::to_writer(buffer, &head.head())
}

pub(super) fn put_launch(buffer: &mut Vec<u8>, launch: &LaunchFacts) -> serde_json::Result<()> {
    buffer.push(LAUNCH);
    serde_json::to_writer(buffer, launch)
}

pub(super) fn put_round(buffer: &mut Vec<u8>, round: &Round) -> serde_json::Result<()> {
    buffer.push(ROUND);
    put_varint(buffer, round.len() as u64);
    for (arm, sample) in round.samples() {
        put_varint(buffer, u64::from(arm.0));
        put_varint(buffer, u64::from(round.launch().0));
        put_varint(buffer, round.number().0);
        let position = if sample.position.is_some() { POSITION } else { 0 };
        let start = if sample.started.is_some() { START } else { 0 };
        buffer.push(position | start);
        for known in [sample.position.map(u64::from), sample.started].into_iter().flatten() {
            put_varint(buffer, known);
        }
        put_varint(buffer, sample.iterations);
        for value in sample.values {
            buffer.extend_from_slice(&value.to_le_bytes());
        }
    }
    if round.failures.is_empty() { Ok(()) } else { serde_json::to_writer(buffer, &round.failures) }
}

fn put_varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A payload, read.
pub(super) enum Record {
    Head { session: u64, added: i64, head: Box<Trial> },
    Round,
    Launch(LaunchFacts),
}

/// The length of a frame's payload and its checksum. `None`: the length is damaged.
pub(super) fn open_frame(frame: [u8; FRAME_BYTES]) -> Option<(u64, u64)> {
    let [l0, l1, l2, l3, n0, n1, n2, n3, checksum @ ..] = frame;
    let length = u32::from_le_bytes([l0, l1, l2, l3]);
    (!length == u32::from_le_bytes([n0, n1, n2, n3]))
        .then(|| (u64::from(length), u64::from_le_bytes(checksum)))
}

/// Reads a payload whose checksum fits; a round into `round`, with `metrics` numbers a sample. `None`: no evenhand of this
/// version wrote it.
pub(super) fn read(payload: &[u8], metrics: usize, round: &mut Round) -> Option<Record> {
    let (&kind, mut rest) = payload.split_first()?;
    match kind {
        HEAD => {
            let session = varint(&mut rest)?;
            let (added, json) = rest.split_first_chunk::<8>()?;
            let head = Box::new(serde_json::from_slice(json).ok()?);
            Some(Record::Head { session, added: i64::from_le_bytes(*added), head })
        }
        ROUND => read_round(rest, metrics, round).map(|()| Record::Round),
        LAUNCH => serde_json::from_slice(rest).ok().map(Record::Launch),
        _ => None,
    }
}

fn read_round(mut rest: &[u8], metrics: usize, round: &mut Round) -> Option<()> {
    let samples = varint(&mut rest)?;
    round.begin(LaunchId::default(), RoundId::default());
    for _ in 0..samples {
        read_sample(&mut rest, metrics, round)?;
    }
    if !rest.is_empty() {
        round.failures = serde_json::from_slice(rest).ok()?;
    }
    Some(())
}

fn read_sample(rest: &mut &[u8], metrics: usize, round: &mut Round) -> Option<()> {
    let arm = ArmId(u32::try_from(varint(rest)?).ok()?);
    let launch = LaunchId(u32::try_from(varint(rest)?).ok()?);
    let number = RoundId(varint(rest)?);
    if round.is_empty() {
        round.begin(launch, number);
    } else if (launch, number) != (round.launch(), round.number()) {
        return None;
    }
    let known = byte(rest)?;
    let position = if known & POSITION > 0 { Some(u32::try_from(varint(rest)?).ok()?) } else { None };
    let started = if known & START > 0 { Some(varint(rest)?) } else { None };
    let iterations = varint(rest)?;
    let (values, after) = rest.split_at_checked(8 * metrics)?;
    *rest = after;
    let (values, _) = values.as_chunks::<8>();
    round.push(arm, position, started, iterations, values.iter().map(|bytes| f64::from_le_bytes(*bytes)));
    Some(())
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    Some(byte)
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = byte(rest)?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}
