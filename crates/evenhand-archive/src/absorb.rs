//! What becomes of a journal whose owner is dead, or done? Its trial is stored, then the journal is deleted.
//!
//! Storing twice is harmless: the row of a trial says how many journals (sessions) went into it, and each journal says how
//! many came before. A journal that was damaged in the middle is kept beside as `<id>.journal.damaged`.
//!
//! Tests: `tests/journal.rs`, `tests/processes.rs`.

use crate::journal::lock::{self, DirectoryLock};
use crate::journal::replay::{Replayed, Rest, replay};
use crate::place::DATABASE;
use crate::{ArchiveError, schema, store};
use evenhand_trial::{State, TrialId};
use rusqlite::Connection;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A journal that was found without an owner.
#[derive(Debug)]
pub struct Absorbed {
    pub id: TrialId,
    /// How many rounds of it are kept; `None` if it could not be stored, see `trouble`.
    pub rounds: Option<u64>,
    /// What is lost, or why it could not be stored, in words.
    pub trouble: Option<String>,
}

/// Stores all trials whose journals have no owner. What cannot be stored stays in its journal and is reported.
pub(crate) fn absorb(connection: &mut Connection, dir: &Path) -> Result<Vec<Absorbed>, ArchiveError> {
    if lock::all(dir)?.is_empty() {
        return Ok(Vec::new());
    }
    let (mut orphans, mut absorbed) = (Vec::new(), Vec::new());
    {
        let _lock = DirectoryLock::take(dir)?;
        for (id, path) in lock::all(dir)? {
            match lock::take_over(&path) {
                Ok(Some(file)) => orphans.push((id, path, file)),
                Ok(None) => {}
                // Perhaps another user's: no reason to refuse the whole archive.
                Err(error) => absorbed.push(Absorbed { id, rounds: None, trouble: Some(error.to_string()) }),
            }
        }
    }
    absorbed.extend(
        orphans.into_iter().map(|(id, path, mut file)| take_in(connection, dir, id, &path, &mut file)),
    );
    Ok(absorbed)
}

fn take_in(connection: &mut Connection, dir: &Path, id: TrialId, path: &Path, file: &mut File) -> Absorbed {
    match settle(connection, dir, path, file) {
        Ok((rounds, trouble)) => Absorbed { id, rounds: Some(rounds), trouble },
        Err(error) => Absorbed { id, rounds: None, trouble: Some(error.to_string()) },
    }
}

/// Stores the trial of a journal whose lock is held, and removes the journal. Says how many rounds are kept, and
/// what is lost.
pub(crate) fn settle(
    connection: &mut Connection,
    dir: &Path,
    path: &Path,
    file: &mut File,
) -> Result<(u64, Option<String>), ArchiveError> {
    let replayed = match replay(file) {
        Ok(replayed) => replayed,
        Err(unreadable) => match ArchiveError::of_journal(path, unreadable) {
            Some(error) => return Err(error),
            None => {
                remove(dir, path)?;
                return Ok((0, None));
            }
        },
    };
    let (rounds, rest) = (replayed.rounds, replayed.rest);
    // Nobody could do anything with a trial without a sample, and it would be the newest.
    if replayed.session > 0 || replayed.trial.sample_count() > 0 {
        put(connection, dir, replayed)?;
    }
    match rest {
        Rest::None | Rest::Torn { .. } => {
            remove(dir, path)?;
            Ok((rounds, None))
        }
        Rest::Damaged { offset, bytes } => {
            let kept = set_aside(dir, path)?;
            Ok((
                rounds,
                Some(format!(
                    "the journal is damaged at byte {offset}: the {rounds} rounds before are stored; the remaining \
                     {bytes} bytes stay in {}",
                    kept.display()
                )),
            ))
        }
    }
}

fn put(connection: &mut Connection, dir: &Path, replayed: Replayed) -> Result<(), ArchiveError> {
    let database = dir.join(DATABASE);
    let mut trial = replayed.trial;
    trial.state = if replayed.ended { State::Complete } else { State::Interrupted };
    trial.check().map_err(|broken| ArchiveError::Refused { id: trial.id.clone(), broken })?;
    let chunks = store::pack(&trial.id, &trial.series)?;
    match store::known(connection, &database, &trial.id)? {
        Some(known) if known.sessions > replayed.session => Ok(()),
        Some(known) => store::extend(connection, &database, &known, &trial, &chunks),
        None => store::insert(connection, &database, &trial, &chunks, replayed.session + 1, replayed.added),
    }
}

pub(crate) fn remove(dir: &Path, path: &Path) -> Result<(), ArchiveError> {
    let _lock = DirectoryLock::take(dir)?;
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(ArchiveError::io(path, "removing", error)),
    }
}

/// Renames a damaged journal, so that it is not taken in again and can be looked at.
fn set_aside(dir: &Path, path: &Path) -> Result<PathBuf, ArchiveError> {
    let _lock = DirectoryLock::take(dir)?;
    let mut aside = schema::with_suffix(path, ".damaged");
    for number in 2.. {
        if !aside.exists() {
            break;
        }
        aside = schema::with_suffix(path, &format!(".damaged{number}"));
    }
    fs::rename(path, &aside).map_err(|error| ArchiveError::io(path, "renaming", error))?;
    Ok(aside)
}
