//! What is in the archive, and which trial does the user mean?
//!
//! A list reads neither heads nor samples of stored trials. Newest means: entered the archive last, which for a measured
//! trial is its beginning and for an imported one the import.
//!
//! | name | trial |
//! |---|---|
//! | `@last`, `@last~2` | the newest that is not being measured now; the second before it |
//! | a whole id | that one |
//! | a label | the newest with exactly this label: a label such as `nightly` is given again and again |
//! | 4 or more digits | the one whose id begins so; several: an error that lists them |
//!
//! Tests: `tests/archive.rs`.

use crate::journal::lock;
use crate::journal::replay;
use crate::{ArchiveError, store};
use evenhand_trial::{State, TrialId};
use jiff::Timestamp;
use rusqlite::Connection;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One line of the list.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: TrialId,
    /// When it entered the archive.
    pub added: Timestamp,
    /// When it began, if known.
    pub started: Option<Timestamp>,
    /// The name that the user gave it.
    pub label: Option<String>,
    /// Running, complete or interrupted.
    pub state: State,
    /// `evenhand`, the format it came in, or `joined`.
    pub origin: String,
    /// How many samples are stored; without those still in a journal.
    pub samples: u64,
    /// The names of the arms.
    pub arms: Vec<String>,
}

/// All trials, the newest first.
pub(crate) fn all(connection: &Connection, database: &Path, dir: &Path) -> Result<Vec<Entry>, ArchiveError> {
    let mut journals = journals(dir)?;
    let mut entries = Vec::new();
    for (mut entry, sessions) in stored(connection, database)? {
        // A trial that is being resumed, or was; or one just stored, whose journal is about to go.
        if let Some((journal, session)) = journals.remove(&entry.id)
            && session >= sessions
        {
            entry.state = journal.state;
        }
        entries.push(entry);
    }
    entries.extend(journals.into_values().map(|(entry, _)| entry));
    // Stable: trials of one microsecond stay in the order in which they were stored, the last one first.
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.added));
    Ok(entries)
}

/// The trial that a name stands for.
pub fn resolve(entries: &[Entry], name: &str, dir: &Path) -> Result<TrialId, ArchiveError> {
    let none = || ArchiveError::NoTrial { name: name.to_owned(), dir: dir.to_owned() };
    if let Some(back) = name.strip_prefix("@last") {
        let back = steps_back(back).ok_or_else(|| ArchiveError::BadName { name: name.to_owned() })?;
        let mut ended = entries.iter().filter(|entry| entry.state != State::Running);
        return ended.nth(back).map(|entry| entry.id.clone()).ok_or_else(none);
    }
    let exact = entries.iter().find(|entry| entry.id.as_str() == name);
    let labelled = || entries.iter().find(|entry| entry.label.as_deref() == Some(name));
    if let Some(entry) = exact.or_else(labelled) {
        return Ok(entry.id.clone());
    }
    let digits = name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if !digits || name.len() < 4 {
        return Err(if name.is_empty() { ArchiveError::BadName { name: name.to_owned() } } else { none() });
    }
    let matching = entries.iter().filter(|entry| entry.id.as_str().starts_with(name));
    let mut candidates: Vec<TrialId> = matching.map(|entry| entry.id.clone()).collect();
    match candidates.len() {
        0 => Err(none()),
        1 => Ok(candidates.remove(0)),
        _ => Err(ArchiveError::Ambiguous { name: name.to_owned(), candidates }),
    }
}

/// `""` is 0, `"~2"` is 2.
fn steps_back(text: &str) -> Option<usize> {
    if text.is_empty() { Some(0) } else { text.strip_prefix('~')?.parse().ok() }
}

/// The state of a trial that is still in its journal.
pub(crate) fn state_of_journal(alive: bool, ended: bool) -> State {
    match (alive, ended) {
        (true, false) => State::Running,
        (_, true) => State::Complete,
        (false, false) => State::Interrupted,
    }
}

/// The stored trials, each with its number of sessions.
fn stored(connection: &Connection, database: &Path) -> Result<Vec<(Entry, i64)>, ArchiveError> {
    let failed = |error| ArchiveError::database(database, error);
    let mut statement = connection
        .prepare(
            "SELECT id, added, started, label, state, origin, samples, arms, sessions
             FROM trial ORDER BY added DESC, seq DESC",
        )
        .map_err(failed)?;
    let mut rows = statement.query([]).map_err(failed)?;
    let mut entries = Vec::new();
    while let Some(row) = rows.next().map_err(failed)? {
        let (id, state): (String, String) = (row.get(0).map_err(failed)?, row.get(4).map_err(failed)?);
        let id: TrialId = id.parse().map_err(|broken| store::damaged(database, format!("{broken}")))?;
        let time =
            |column| row.get::<_, Option<i64>>(column).map(|time| time.and_then(timestamp)).map_err(failed);
        let arms: String = row.get(7).map_err(failed)?;
        let arms = serde_json::from_str(&arms).map_err(|_| {
            store::damaged(database, format!("the arms of trial {} cannot be read", id.short()))
        })?;
        let samples = u64::try_from(row.get::<_, i64>(6).map_err(failed)?).unwrap_or(0);
        let entry = Entry {
            added: time(1)?.unwrap_or(Timestamp::UNIX_EPOCH),
            started: time(2)?,
            label: row.get(3).map_err(failed)?,
            state: store::state_of(database, &state)?,
            origin: row.get(5).map_err(failed)?,
            id,
            samples,
            arms,
        };
        entries.push((entry, row.get(8).map_err(failed)?));
    }
    Ok(entries)
}

/// The trials in journals, each with its session. A journal that cannot be read is for [`unlisted`] and `check` to report.
fn journals(dir: &Path) -> Result<HashMap<TrialId, (Entry, i64)>, ArchiveError> {
    let mut entries = HashMap::new();
    for (id, path) in lock::all(dir)? {
        let Ok(Some((mut file, alive))) = lock::look_at(&path) else { continue };
        let Ok(replayed) = replay::head(&mut file) else { continue };
        let trial = replayed.trial;
        let entry = Entry {
            id: id.clone(),
            added: timestamp(replayed.added).unwrap_or(Timestamp::UNIX_EPOCH),
            started: trial.started,
            label: trial.label,
            state: state_of_journal(alive, replayed.ended),
            origin: store::made_by(&trial.origin).to_owned(),
            samples: 0,
            arms: trial.arms.into_iter().map(|arm| arm.name).collect(),
        };
        entries.insert(id, (entry, replayed.session));
    }
    Ok(entries)
}

/// Why trials are missing among those in journals.
pub(crate) fn unlisted(dir: &Path) -> Result<Vec<ArchiveError>, ArchiveError> {
    let why = |path: PathBuf| {
        let (mut file, _) = lock::look_at(&path).ok()??;
        ArchiveError::of_journal(&path, replay::head(&mut file).err()?)
    };
    Ok(lock::all(dir)?.into_iter().filter_map(|(_, path)| why(path)).collect())
}

fn timestamp(microseconds: i64) -> Option<Timestamp> {
    Timestamp::from_microsecond(microseconds).ok()
}
