//! How does a trial get into the SQLite file, and out of it?
//!
//! A trial is a row for the list, a head (its JSON without samples) and chunks of samples, numbered from 0. Everything has
//! a checksum that covers what it belongs to, so that a row which SQLite hands out in the wrong place is noticed.
//!
//! Tests: `tests/archive.rs`, `tests/damage.rs`.

use crate::ArchiveError;
use evenhand_trial::columnar::{self, Piece};
use evenhand_trial::{Origin, Series, State, Trial, TrialError, TrialId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::hash::Hasher;
use std::path::Path;
use twox_hash::XxHash3_64;

/// About how many samples a chunk holds; less for a trial of many metrics.
const CHUNK_SAMPLES: usize = 1 << 18;
const CHUNK_NUMBERS: usize = 1 << 22;

/// A chunk ready to be stored.
pub(crate) struct Packed {
    samples: usize,
    continues: bool,
    bytes: Vec<u8>,
}

/// A chunk as it was stored.
pub(crate) struct StoredChunk {
    pub(crate) trial: i64,
    pub(crate) number: i64,
    samples: i64,
    continues: i64,
    bytes: Vec<u8>,
    checksum: i64,
}

/// What the list's row says of a trial.
pub(crate) struct Known {
    pub(crate) seq: i64,
    pub(crate) sessions: i64,
    pub(crate) added: i64,
}

/// Compresses samples, before any lock is taken.
pub(crate) fn pack(id: &TrialId, series: &[Series]) -> Result<Vec<Packed>, ArchiveError> {
    let columns = series.first().map_or(1, |first| first.values.len() + 4);
    let samples = CHUNK_SAMPLES.min(CHUNK_NUMBERS / columns).max(1);
    let packed = columnar::split(series, samples).map(|piece| {
        let bytes = columnar::encode(&piece.series).map_err(|error| ArchiveError::Refused {
            id: id.clone(),
            broken: TrialError(error.to_string()),
        })?;
        let samples = piece.series.iter().map(Series::len).sum();
        Ok(Packed { samples, continues: piece.continues, bytes })
    });
    packed.collect()
}

/// Adds a trial that is not there yet. `sessions`: how many journals it comes from.
pub(crate) fn insert(
    connection: &mut Connection,
    path: &Path,
    head: &Trial,
    chunks: &[Packed],
    sessions: i64,
    added: i64,
) -> Result<(), ArchiveError> {
    in_transaction(connection, path, |transaction| {
        transaction.execute(
            "INSERT INTO trial (id, added, started, label, state, origin, samples, arms, sessions)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8)",
            params![
                head.id.as_str(),
                added,
                head.started.map(|started| started.as_microsecond()),
                head.label,
                head.state.to_string(),
                made_by(&head.origin),
                arm_names(head),
                sessions
            ],
        )?;
        let seq = transaction.last_insert_rowid();
        put_head(transaction, seq, head)?;
        put_chunks(transaction, seq, head, chunks, 0)
    })
    .map_err(|error| match error {
        ArchiveError::Database { source, .. } if is_twice(&source) => {
            ArchiveError::Exists { id: head.id.clone() }
        }
        other => other,
    })
}

/// Adds the samples of one more session to a trial that is there.
pub(crate) fn extend(
    connection: &mut Connection,
    path: &Path,
    known: &Known,
    head: &Trial,
    chunks: &[Packed],
) -> Result<(), ArchiveError> {
    in_transaction(connection, path, |transaction| {
        let next: i64 = transaction.query_row(
            "SELECT coalesce(max(number) + 1, 0) FROM chunk WHERE trial = ?1",
            [known.seq],
            |row| row.get(0),
        )?;
        transaction.execute(
            "UPDATE trial SET state = ?2, sessions = ?3 WHERE seq = ?1",
            params![known.seq, head.state.to_string(), known.sessions + 1],
        )?;
        put_head(transaction, known.seq, head)?;
        put_chunks(transaction, known.seq, head, chunks, next)
    })
}

/// Gives a trial another label, or none.
pub(crate) fn relabel(
    connection: &mut Connection,
    path: &Path,
    seq: i64,
    label: Option<&str>,
) -> Result<(), ArchiveError> {
    let mut head = head(connection, path, seq)?;
    head.label = label.map(str::to_owned);
    in_transaction(connection, path, |transaction| {
        transaction.execute("UPDATE trial SET label = ?2 WHERE seq = ?1", params![seq, label])?;
        put_head(transaction, seq, &head)
    })
}

/// What the list says of a trial.
pub(crate) fn known(
    connection: &Connection,
    path: &Path,
    id: &TrialId,
) -> Result<Option<Known>, ArchiveError> {
    connection
        .query_row("SELECT seq, sessions, added FROM trial WHERE id = ?1", [id.as_str()], |row| {
            Ok(Known { seq: row.get(0)?, sessions: row.get(1)?, added: row.get(2)? })
        })
        .optional()
        .map_err(|error| ArchiveError::database(path, error))
}

/// The head of a trial, if its checksum fits.
pub(crate) fn head(connection: &Connection, path: &Path, seq: i64) -> Result<Trial, ArchiveError> {
    let stored = connection
        .query_row("SELECT json, checksum FROM head WHERE trial = ?1", [seq], |row| {
            Ok((bytes_of_text(row, 0)?, row.get(1)?))
        })
        .optional()
        .map_err(|error| ArchiveError::database(path, error))?;
    let (json, checksum) = stored.ok_or_else(|| damaged(path, format!("trial number {seq} has no head")))?;
    read_head(&json, checksum).map_err(|what| damaged(path, format!("the head of trial number {seq} {what}")))
}

/// Text as it is in the file: damaged text need not be UTF-8.
pub(crate) fn bytes_of_text(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<u8>> {
    Ok(row.get_ref(column)?.as_bytes()?.to_vec())
}

/// A head from its JSON, or what is wrong with it.
pub(crate) fn read_head(json: &[u8], checksum: i64) -> Result<Trial, String> {
    if XxHash3_64::oneshot(json) as i64 != checksum {
        return Err("does not match its checksum".to_owned());
    }
    serde_json::from_slice(json).map_err(|error| format!("cannot be read: {error}"))
}

/// All samples of a trial.
pub(crate) fn series(
    connection: &Connection,
    path: &Path,
    seq: i64,
    id: &TrialId,
) -> Result<Vec<Series>, ArchiveError> {
    let database = |error| ArchiveError::database(path, error);
    let sql = format!("{SELECT_CHUNK} WHERE trial = ?1 ORDER BY number");
    let mut statement = connection.prepare(&sql).map_err(database)?;
    let chunks = statement.query_map([seq], stored_chunk).map_err(database)?;
    let mut series = Vec::new();
    for (number, chunk) in chunks.enumerate() {
        let chunk = chunk.map_err(database)?;
        if chunk.number != number as i64 {
            return Err(damaged(path, format!("trial {} lacks its chunk {number}", id.short())));
        }
        let piece = chunk
            .open(id)
            .map_err(|what| damaged(path, format!("chunk {number} of trial {} {what}", id.short())))?;
        columnar::join(&mut series, piece);
    }
    Ok(series)
}

/// What [`stored_chunk`] reads.
pub(crate) const SELECT_CHUNK: &str = "SELECT trial, number, samples, continues, bytes, checksum FROM chunk";

pub(crate) fn stored_chunk(row: &Row<'_>) -> rusqlite::Result<StoredChunk> {
    Ok(StoredChunk {
        trial: row.get(0)?,
        number: row.get(1)?,
        samples: row.get(2)?,
        continues: row.get(3)?,
        bytes: row.get(4)?,
        checksum: row.get(5)?,
    })
}

impl StoredChunk {
    /// A chunk that was found otherwise.
    pub(crate) fn new(
        trial: i64,
        number: i64,
        samples: i64,
        continues: i64,
        bytes: Vec<u8>,
        checksum: i64,
    ) -> Self {
        Self { trial, number, samples, continues, bytes, checksum }
    }

    /// The samples, or what is wrong with the chunk.
    pub(crate) fn open(&self, id: &TrialId) -> Result<Piece, String> {
        let checksum = chunk_checksum(id, self.number, self.samples, self.continues, &self.bytes);
        if checksum != self.checksum {
            return Err("does not match its checksum".to_owned());
        }
        let series = columnar::decode(&self.bytes).map_err(|error| error.to_string())?;
        let samples: usize = series.iter().map(Series::len).sum();
        if samples as i64 != self.samples {
            return Err(format!("holds {samples} samples instead of {}", self.samples));
        }
        Ok(Piece { continues: self.continues != 0, series })
    }

    /// How many samples it says that it holds.
    pub(crate) fn samples(&self) -> i64 {
        self.samples
    }
}

fn put_head(transaction: &Transaction<'_>, seq: i64, head: &Trial) -> rusqlite::Result<()> {
    let json = json(&head.head())?;
    let checksum = checksum_of(&json);
    transaction.execute(
        "INSERT INTO head (trial, json, checksum) VALUES (?1, ?2, ?3)
         ON CONFLICT (trial) DO UPDATE SET json = excluded.json, checksum = excluded.checksum",
        params![seq, json, checksum],
    )?;
    Ok(())
}

fn json(head: &Trial) -> rusqlite::Result<String> {
    serde_json::to_string(head).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

fn checksum_of(json: &str) -> i64 {
    XxHash3_64::oneshot(json.as_bytes()) as i64
}

/// As much of a head as says what the numbers of its chunks are. It stands beside each of them, so that they outlive a
/// lost page with the head. A label may change, and is not in it.
fn names_of(head: &Trial) -> Trial {
    Trial {
        started: head.started,
        state: head.state,
        schedule: head.schedule,
        metrics: head.metrics.clone(),
        arms: head.arms.clone(),
        ..Trial::new(head.id.clone(), head.origin.clone())
    }
}

/// The names beside a chunk, if there are any: archives of version 1 have none.
pub(crate) fn names(connection: &Connection, chunk: i64) -> Option<Result<Trial, String>> {
    let stored =
        connection.query_row("SELECT names, names_checksum FROM chunk WHERE seq = ?1", [chunk], |row| {
            Ok((bytes_of_text(row, 0)?, row.get(1)?))
        });
    let (json, checksum) = stored.ok()?;
    Some(read_head(&json, checksum))
}

fn put_chunks(
    transaction: &Transaction<'_>,
    seq: i64,
    head: &Trial,
    chunks: &[Packed],
    first: i64,
) -> rusqlite::Result<()> {
    let mut statement = transaction.prepare(
        "INSERT INTO chunk (trial, number, samples, continues, bytes, checksum, names, names_checksum)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    let names = json(&names_of(head))?;
    let names_checksum = checksum_of(&names);
    for (number, chunk) in (first..).zip(chunks) {
        let (samples, continues) = (chunk.samples as i64, i64::from(chunk.continues));
        let checksum = chunk_checksum(&head.id, number, samples, continues, &chunk.bytes);
        statement.execute(params![
            seq,
            number,
            samples,
            continues,
            chunk.bytes,
            checksum,
            names,
            names_checksum
        ])?;
    }
    let added: usize = chunks.iter().map(|chunk| chunk.samples).sum();
    transaction
        .execute("UPDATE trial SET samples = samples + ?2 WHERE seq = ?1", params![seq, added as i64])?;
    Ok(())
}

fn chunk_checksum(id: &TrialId, number: i64, samples: i64, continues: i64, bytes: &[u8]) -> i64 {
    let mut hasher = XxHash3_64::with_seed(0);
    hasher.write(id.as_str().as_bytes());
    for whole in [number, samples, continues] {
        hasher.write(&whole.to_le_bytes());
    }
    hasher.write(bytes);
    hasher.finish() as i64
}

fn in_transaction(
    connection: &mut Connection,
    path: &Path,
    work: impl Fn(&Transaction<'_>) -> rusqlite::Result<()>,
) -> Result<(), ArchiveError> {
    let mut all = || {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        work(&transaction)?;
        transaction.commit()
    };
    all().map_err(|error| ArchiveError::database(path, error))
}

fn is_twice(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::ConstraintViolation)
}

pub(crate) fn state_of(path: &Path, state: &str) -> Result<State, ArchiveError> {
    [State::Complete, State::Interrupted]
        .into_iter()
        .find(|known| known.to_string() == state)
        .ok_or_else(|| damaged(path, format!("a trial has the state \"{}\"", state.escape_debug())))
}

/// What took the numbers: `evenhand`, or the format they came in.
pub(crate) fn made_by(origin: &Origin) -> &str {
    match origin {
        Origin::Measured { .. } => "evenhand",
        Origin::Imported { format, .. } => format,
        Origin::Joined { .. } => "joined",
    }
}

pub(crate) fn arm_names(head: &Trial) -> String {
    let names: Vec<&str> = head.arms.iter().map(|arm| arm.name.as_str()).collect();
    serde_json::to_string(&names).unwrap_or_default()
}

pub(crate) fn damaged(path: &Path, what: String) -> ArchiveError {
    ArchiveError::Damaged { path: path.to_owned(), what }
}
