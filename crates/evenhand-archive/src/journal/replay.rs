//! What does a journal hold? Its records are read from the start up to the first one that is not whole.
//!
//! A last record that goes beyond the end of the file was torn when its writer died: it is the round in progress, and is
//! left out. Any other record that does not fit its checksum is damage: everything before it is kept, and
//! [`Rest::Damaged`] says how much is not. No length in the file is trusted beyond the file's own.
//!
//! Tests: `tests/journal.rs`.

use super::record::{self, FRAME_BYTES, HEADER_BYTES, MAGIC, Record, VERSION};
use evenhand_trial::{ArmId, LaunchId, Round, Series, Trial};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use thiserror::Error;
use twox_hash::XxHash3_64;

/// What a journal holds.
pub struct Replayed {
    /// The trial with all its whole rounds.
    pub trial: Trial,
    /// How many journals of this trial came before.
    pub session: i64,
    /// Microseconds since 1970: when the trial entered the archive.
    pub added: i64,
    /// Whether the trial came to its end.
    pub ended: bool,
    /// How many whole rounds.
    pub rounds: u64,
    /// What follows them.
    pub rest: Rest,
}

/// What follows the last whole record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Nothing.
    None,
    /// The beginning of a round.
    Torn { bytes: u64 },
    /// A damaged record and what comes after it.
    Damaged {
        offset: u64,
        /// How many bytes from there on.
        bytes: u64,
    },
}

/// Why a journal holds nothing to keep.
#[derive(Debug, Error)]
pub enum Unreadable {
    /// It ends before its head: it was torn before the first round.
    #[error("is empty")]
    Empty,
    /// Its header or head is damaged, or it is no journal. In words.
    #[error("{0}")]
    Damaged(String),
    /// It has a version that only a newer evenhand knows; this one knows versions up to `known`.
    #[error("was written by a newer evenhand: update evenhand")]
    Newer { version: u8, known: u8 },
    /// The system refused to read it.
    #[error("cannot be read: {0}")]
    Io(io::Error),
}

pub fn replay(file: &mut File) -> Result<Replayed, Unreadable> {
    read_up_to(file, usize::MAX)
}

/// Reads only the head of a journal.
pub fn head(file: &mut File) -> Result<Replayed, Unreadable> {
    read_up_to(file, 1)
}

fn read_up_to(file: &mut File, records: usize) -> Result<Replayed, Unreadable> {
    let length = file.metadata().map_err(Unreadable::Io)?.len();
    file.seek(SeekFrom::Start(0)).map_err(Unreadable::Io)?;
    let mut reader =
        Records { input: BufReader::with_capacity(1 << 18, file), offset: 0, length, payload: Vec::new() };
    let ended = reader.header()?;
    let (mut replayed, mut places) = (reader.first_head(ended)?, HashMap::new());
    let (metrics, mut round) = (replayed.trial.metrics.len(), Round::default());
    let groups = replayed.trial.groups().len();
    for _ in 1..records {
        let offset = reader.offset;
        let damaged = Rest::Damaged { offset, bytes: length - offset };
        replayed.rest = match reader.next().map_err(Unreadable::Io)? {
            Next::Payload => match record::read(&reader.payload, metrics, &mut round) {
                Some(Record::Head { head, .. }) if head.metrics.len() == metrics => {
                    replace_head(&mut replayed.trial, *head);
                    continue;
                }
                Some(Record::Round) if is_of(&round, &replayed.trial) => {
                    add(&mut replayed.trial, &mut places, &mut round);
                    replayed.rounds += 1;
                    continue;
                }
                Some(Record::Launch(launch)) if (launch.group as usize) < groups => {
                    replayed.trial.launches.push(launch);
                    continue;
                }
                Some(_) | None => damaged,
            },
            Next::End => Rest::None,
            Next::Torn => Rest::Torn { bytes: length - offset },
            Next::Damaged => damaged,
        };
        break;
    }
    Ok(replayed)
}

struct Records<R> {
    input: R,
    offset: u64,
    length: u64,
    payload: Vec<u8>,
}

enum Next {
    Payload,
    End,
    Torn,
    Damaged,
}

impl<R: Read> Records<R> {
    /// Reads the header; says whether the trial came to its end.
    fn header(&mut self) -> Result<bool, Unreadable> {
        if self.length < HEADER_BYTES as u64 {
            return Err(Unreadable::Empty);
        }
        let mut header = [0; HEADER_BYTES];
        self.input.read_exact(&mut header).map_err(Unreadable::Io)?;
        self.offset = HEADER_BYTES as u64;
        let [magic @ .., version, ended, _, _, _, _, _, _, _] = header;
        match version {
            1..=VERSION if magic == *MAGIC => Ok(ended == 1),
            _ if magic == *MAGIC && version > VERSION => Err(Unreadable::Newer { version, known: VERSION }),
            _ => Err(Unreadable::Damaged("does not begin like a journal".to_owned())),
        }
    }

    fn first_head(&mut self, ended: bool) -> Result<Replayed, Unreadable> {
        match self.next().map_err(Unreadable::Io)? {
            Next::Payload => {}
            Next::End | Next::Torn => return Err(Unreadable::Empty),
            Next::Damaged => return Err(Unreadable::Damaged("has a damaged head".to_owned())),
        }
        let head = record::read(&self.payload, 0, &mut Round::default());
        let Some(Record::Head { session, added, head }) = head else {
            return Err(Unreadable::Damaged("has a head that cannot be read".to_owned()));
        };
        let session = i64::try_from(session).unwrap_or(i64::MAX - 1);
        Ok(Replayed { trial: *head, session, added, ended, rounds: 0, rest: Rest::None })
    }

    /// The next record, its payload in `self.payload`.
    fn next(&mut self) -> io::Result<Next> {
        let left = self.length - self.offset;
        if left == 0 {
            return Ok(Next::End);
        }
        if left < FRAME_BYTES as u64 {
            return Ok(Next::Torn);
        }
        let mut frame = [0; FRAME_BYTES];
        self.input.read_exact(&mut frame)?;
        let Some((payload, checksum)) = record::open_frame(frame) else { return Ok(Next::Damaged) };
        if payload > left - FRAME_BYTES as u64 {
            return Ok(Next::Torn);
        }
        self.payload.resize(payload as usize, 0);
        self.input.read_exact(&mut self.payload)?;
        if XxHash3_64::oneshot(&self.payload) != checksum {
            return Ok(Next::Damaged);
        }
        self.offset += FRAME_BYTES as u64 + payload;
        Ok(Next::Payload)
    }
}

/// Whether all its arms are there: a round is kept whole or not at all.
fn is_of(round: &Round, trial: &Trial) -> bool {
    round.samples().all(|(arm, _)| arm.index() < trial.arms.len())
}

fn add(trial: &mut Trial, places: &mut HashMap<(ArmId, LaunchId), usize>, round: &mut Round) {
    let launch = round.launch();
    for (arm, sample) in round.samples() {
        let place = *places.entry((arm, launch)).or_insert_with(|| {
            trial.series.push(Series::new(arm, launch, trial.metrics.len()));
            trial.series.len() - 1
        });
        trial.series[place].push(sample);
    }
    trial.failures.append(&mut round.failures);
}

/// A later head says everything but the launches, samples and failures so far.
fn replace_head(trial: &mut Trial, head: Trial) {
    let launches = std::mem::take(&mut trial.launches);
    let series = std::mem::take(&mut trial.series);
    let failures = std::mem::take(&mut trial.failures);
    *trial = Trial { launches, series, failures, ..head };
}
