//! What can still be read of a damaged archive? Row by row and chunk by chunk, from a copy of the file.
//!
//! The damaged archive is never written to: its file and write-ahead log are copied, and only the copy is opened. Every
//! row is asked for by its number, so that one bad page costs the rows on it and no others; then the pages are searched for
//! rows to which SQLite finds no way (see [`carve`]). What a trial lost is
//! written into its notes, in the report too.
//!
//! Tests: `tests/damage.rs`.

mod carve;

use crate::archive::Archive;
use crate::journal::lock;
use crate::journal::replay::{Rest, Unreadable, replay};
use crate::place::DATABASE;
use crate::store::{self, SELECT_CHUNK, StoredChunk};
use crate::{ArchiveError, schema};
use carve::Column;
use evenhand_trial::columnar::{self, Piece};
use evenhand_trial::{Note, State, Trial, TrialId};
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A trial that could be read, at least in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub id: TrialId,
    /// How many of its samples.
    pub samples: u64,
    pub lost: Vec<String>,
}

/// What was saved and what was not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The trials in the new archive.
    pub saved: Vec<Saved>,
    /// What could not be saved at all.
    pub lost: Vec<String>,
    /// What was in the way. It may have cost nothing: rows that SQLite cannot read may be found in their pages.
    pub trouble: Vec<String>,
}

/// Copies what can be read of the archive in `dir` to the archive in `into`.
pub fn salvage(dir: &Path, into: &Path) -> Result<Report, ArchiveError> {
    if !dir.join(DATABASE).exists() {
        return Err(ArchiveError::NoArchive { dir: dir.to_owned() });
    }
    let mut target = Archive::open(into)?;
    let mut report = Report::default();
    let copy = Copy::of(dir, into)?;
    let mut found = Found::default();
    match copy.open() {
        Ok(connection) => found.read(&connection),
        Err(error) => found.trouble.push(format!("the SQLite file cannot be opened: {error}")),
    }
    if !found.trouble.is_empty() {
        found.carve(&copy.dir.join(DATABASE));
    }
    report.trouble.append(&mut found.trouble);
    for (seq, parts) in found.trials {
        save_trial(seq, parts, &mut target, &mut report)?;
    }
    drop(copy);
    save_journals(dir, &mut target, &mut report)?;
    Ok(report)
}

/// A copy of the damaged file, deleted at the end.
struct Copy {
    dir: PathBuf,
}

impl Copy {
    fn of(from: &Path, into: &Path) -> Result<Self, ArchiveError> {
        let copy = Self { dir: into.join(format!("salvage-{}", std::process::id())) };
        fs::create_dir_all(&copy.dir).map_err(|error| ArchiveError::io(&copy.dir, "making", error))?;
        let source = from.join(DATABASE);
        for suffix in ["", "-wal"] {
            let source = schema::with_suffix(&source, suffix);
            if source.exists() {
                let target = schema::with_suffix(&copy.dir.join(DATABASE), suffix);
                fs::copy(&source, &target).map_err(|error| ArchiveError::io(&source, "copying", error))?;
            }
        }
        mend(&copy.dir.join(DATABASE));
        Ok(copy)
    }

    fn open(&self) -> rusqlite::Result<Connection> {
        let connection = Connection::open(self.dir.join(DATABASE))?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        Ok(connection)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Makes the header of the copy right where it can only have one value, so that SQLite opens what is left: the first
/// 24 bytes are the same in all our files, and the number of pages is that of the file (a truncated one has fewer).
/// <https://www.sqlite.org/fileformat.html#the_database_header>. Without success SQLite says what is wrong.
fn mend(copy: &Path) {
    const PAGE: u64 = 4096;
    const BEGINNING: &[u8; 24] = b"SQLite format 3\0\x10\0\x02\x02\0\x40\x20\x20";
    let mended = || {
        let mut file = OpenOptions::new().write(true).open(copy)?;
        let pages = file.metadata()?.len().div_ceil(PAGE);
        file.set_len(pages * PAGE)?;
        file.write_all(BEGINNING)?;
        file.seek(SeekFrom::Start(28))?;
        file.write_all(&u32::try_from(pages).unwrap_or(u32::MAX).to_be_bytes())
    };
    let _: io::Result<()> = mended();
}

/// The parts of a trial that were found.
#[derive(Default)]
struct Parts {
    id: Option<TrialId>,
    samples: Option<i64>,
    head: Option<Trial>,
    head_trouble: Option<String>,
    /// What stands of the head beside the chunks.
    names: Option<Trial>,
    chunks: Vec<StoredChunk>,
}

/// All that was found in the SQLite file, by the numbers of the trials in it.
#[derive(Default)]
struct Found {
    trials: BTreeMap<i64, Parts>,
    chunks: BTreeSet<i64>,
    trouble: Vec<String>,
}

impl Found {
    /// What SQLite still finds, row by row.
    fn read(&mut self, damaged: &Connection) {
        match damaged.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0)) {
            Ok(answer) if answer == "ok" => {}
            Ok(answer) => self.trouble.push(format!("SQLite finds: {}", answer.trim())),
            Err(error) => self.trouble.push(format!("SQLite finds: {error}")),
        }
        let trials = last(damaged, "trial", "seq").max(last(damaged, "head", "trial"));
        for seq in 1..=trials {
            self.read_trial(damaged, seq);
        }
        for seq in 1..=last(damaged, "chunk", "seq") {
            let sql = format!("{SELECT_CHUNK} WHERE seq = ?1");
            let chunk = damaged.query_row(&sql, [seq], store::stored_chunk).optional();
            if let Some(chunk) = self.noted(chunk, "chunk", seq) {
                let names = store::names(damaged, seq).and_then(Result::ok);
                self.add_names(chunk.trial, names);
                self.add_chunk(seq, chunk);
            }
        }
    }

    fn read_trial(&mut self, damaged: &Connection, seq: i64) {
        let row = damaged.query_row("SELECT id, samples FROM trial WHERE seq = ?1", [seq], |row| {
            Ok((store::bytes_of_text(row, 0)?, row.get(1)?))
        });
        if let Some((id, samples)) = self.noted(row.optional(), "trial", seq) {
            self.add_row(seq, &id, samples);
        }
        let head = damaged.query_row("SELECT json, checksum FROM head WHERE trial = ?1", [seq], |row| {
            Ok((store::bytes_of_text(row, 0)?, row.get(1)?))
        });
        if let Some((json, checksum)) = self.noted(head.optional(), "head", seq) {
            self.add_head(seq, &json, checksum);
        }
    }

    fn noted<T>(&mut self, row: rusqlite::Result<Option<T>>, table: &str, seq: i64) -> Option<T> {
        row.unwrap_or_else(|error| {
            self.trouble.push(format!("SQLite cannot read {table} row {seq}: {error}"));
            None
        })
    }

    /// What lies in the pages beside that.
    fn carve(&mut self, copy: &Path) {
        let carved = carve::rows(copy, |row| match row.columns.as_slice() {
            [_, Column::Text(json), Column::Whole(checksum)] => self.add_head(row.number, json, *checksum),
            [_, Column::Text(id), _, _, _, _, _, Column::Whole(samples), _, _] => {
                self.add_row(row.number, id, *samples);
            }
            [
                _,
                Column::Whole(trial),
                Column::Whole(number),
                Column::Whole(samples),
                Column::Whole(continues),
                Column::Bytes(bytes),
                Column::Whole(checksum),
                // Rows of version 1 have no names.
                names @ ..,
            ] => {
                let chunk = StoredChunk::new(*trial, *number, *samples, *continues, bytes.clone(), *checksum);
                if let [Column::Text(json), Column::Whole(checksum)] = names {
                    self.add_names(*trial, store::read_head(json, *checksum).ok());
                }
                self.add_chunk(row.number, chunk);
            }
            _ => {}
        });
        if let Err(error) = carved {
            self.trouble.push(format!("the pages of the copy cannot be read: {error}"));
        }
    }

    fn add_row(&mut self, seq: i64, id: &[u8], samples: i64) {
        let parts = self.trials.entry(seq).or_default();
        parts.samples = parts.samples.or(Some(samples));
        let id = || std::str::from_utf8(id).ok()?.parse().ok();
        parts.id = parts.id.take().or_else(id);
    }

    fn add_head(&mut self, seq: i64, json: &[u8], checksum: i64) {
        let parts = self.trials.entry(seq).or_default();
        match store::read_head(json, checksum) {
            Ok(head) if parts.head.is_none() => parts.head = Some(head),
            Ok(_) => {}
            Err(what) => parts.head_trouble = Some(what),
        }
    }

    fn add_names(&mut self, trial: i64, names: Option<Trial>) {
        let parts = self.trials.entry(trial).or_default();
        parts.names = parts.names.take().or(names);
    }

    /// The numbers of chunks are never used again, so a number that was seen is the same chunk.
    fn add_chunk(&mut self, seq: i64, chunk: StoredChunk) {
        if self.chunks.insert(seq) {
            self.trials.entry(chunk.trial).or_default().chunks.push(chunk);
        }
    }
}

/// The highest number of a table's rows, from the table or from SQLite's own count of them.
fn last(damaged: &Connection, table: &str, column: &str) -> i64 {
    let number = |sql: String| damaged.query_row(&sql, [], |row| row.get::<_, Option<i64>>(0)).ok().flatten();
    let in_table = number(format!("SELECT max({column}) FROM {table}"));
    let counted = number(format!("SELECT seq FROM sqlite_sequence WHERE name = '{table}'"));
    in_table.max(counted).unwrap_or(0)
}

fn save_trial(seq: i64, parts: Parts, target: &mut Archive, report: &mut Report) -> Result<(), ArchiveError> {
    let name = parts.id.as_ref().map_or_else(|| format!("trial number {seq}"), |id| format!("trial {id}"));
    let without_head = parts.head.is_none();
    let why = parts.head_trouble.unwrap_or_else(|| "is not there".to_owned());
    let names = parts.names.filter(|names| parts.id.as_ref().is_none_or(|id| *id == names.id));
    let Some(mut trial) = parts.head.or(names) else {
        let samples: i64 = parts.chunks.iter().map(StoredChunk::samples).sum();
        report.lost.push(format!("{name} with {samples} samples: its head {why}"));
        return Ok(());
    };
    let mut lost = take_chunks(&mut trial, parts.chunks);
    if without_head {
        lost.push(format!("its head, which {why}: label, settings, environment, failures and notes"));
    }
    let found = trial.sample_count() as i64;
    match parts.samples {
        Some(samples) if samples != found => {
            lost.push(format!("{} of its {samples} samples", samples.saturating_sub(found)));
        }
        Some(_) => {}
        None => lost.push("its row in the list, and with it the number of its samples".to_owned()),
    }
    if trial.state == State::Running {
        trial.state = State::Interrupted;
    }
    add(trial, lost, target, report)
}

/// Adds the samples of all whole chunks, and says which are not.
fn take_chunks(trial: &mut Trial, mut chunks: Vec<StoredChunk>) -> Vec<String> {
    chunks.sort_by_key(|chunk| chunk.number);
    let (mut lost, mut next, mut before_is_whole) = (Vec::new(), 0, true);
    for chunk in chunks {
        let number = chunk.number;
        if number > next {
            lost.push(format!("chunks {next} to {}", number - 1));
        }
        // After a gap, what went on in this chunk is a series of its own.
        let follows = before_is_whole && number == next;
        let opened = chunk.open(&trial.id);
        before_is_whole = opened.is_ok();
        match opened {
            Ok(piece) => {
                let continues = piece.continues && follows;
                columnar::join(&mut trial.series, Piece { continues, ..piece });
            }
            Err(what) => lost.push(format!("chunk {number}, which {what}")),
        }
        next = number + 1;
    }
    lost
}

fn save_journals(dir: &Path, target: &mut Archive, report: &mut Report) -> Result<(), ArchiveError> {
    for (id, path) in lock::all(dir)? {
        let Some((mut file, _)) = lock::look_at(&path)? else { continue };
        let replayed = match replay(&mut file) {
            Ok(replayed) => replayed,
            Err(Unreadable::Empty) => continue,
            Err(unreadable) => {
                report.lost.push(format!("the journal of trial {id}: it {unreadable}"));
                continue;
            }
        };
        let lost = match replayed.rest {
            Rest::Damaged { bytes, .. } => vec![format!("the last {bytes} bytes of its journal")],
            Rest::None | Rest::Torn { .. } => Vec::new(),
        };
        let state = if replayed.ended { State::Complete } else { State::Interrupted };
        save_session(Trial { state, ..replayed.trial }, replayed.session, lost, target, report)?;
    }
    Ok(())
}

/// A journal may be the only one of its trial, a further one, or one that was stored already.
fn save_session(
    mut trial: Trial,
    session: i64,
    lost: Vec<String>,
    target: &mut Archive,
    report: &mut Report,
) -> Result<(), ArchiveError> {
    let earlier = report.saved.iter().position(|saved| saved.id == trial.id);
    if let Some(place) = earlier {
        if session == 0 {
            return Ok(());
        }
        let before = target.trial(&trial.id)?;
        trial.series.splice(0..0, before.series);
        target.remove(&trial.id)?;
        report.saved.remove(place);
    }
    add(trial, lost, target, report)
}

fn add(
    mut trial: Trial,
    lost: Vec<String>,
    target: &mut Archive,
    report: &mut Report,
) -> Result<(), ArchiveError> {
    if !lost.is_empty() {
        trial.notes.push(Note::Salvaged { lost: lost.clone() });
    }
    let (id, samples) = (trial.id.clone(), trial.sample_count() as u64);
    match target.add(&trial) {
        Ok(()) => report.saved.push(Saved { id, samples, lost }),
        Err(error @ (ArchiveError::Exists { .. } | ArchiveError::Refused { .. })) => {
            report.lost.push(format!("trial {id} with {samples} samples: {error}"));
        }
        Err(error) => return Err(error),
    }
    Ok(())
}
