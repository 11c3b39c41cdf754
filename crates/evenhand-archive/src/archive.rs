//! What can be done with an archive? Open it, begin or resume a trial, add one, read one, name one, forget one.
//!
//! Opening for writing also stores the trials of journals whose owners are dead; [`Archive::absorbed`] says which.
//!
//! Tests: `tests/archive.rs`.

use crate::absorb::{Absorbed, absorb};
use crate::entry::{self, Entry};
use crate::error::READING;
use crate::journal::Journal;
use crate::journal::lock::{self, DirectoryLock};
use crate::journal::replay::{Replayed, replay};
use crate::place::{self, DATABASE, DIRECTORY, JOURNALS};
use crate::{ArchiveError, schema, store};
use evenhand_trial::{Origin, State, Trial, TrialError, TrialId};
use jiff::Timestamp;
use rusqlite::Connection;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Trials on disk.
#[derive(Debug)]
pub struct Archive {
    dir: PathBuf,
    database: PathBuf,
    pub(crate) connection: Connection,
    writable: bool,
    absorbed: Vec<Absorbed>,
}

impl Archive {
    /// The directory of the archive for someone who works in `from`; see [`place::find`].
    pub fn find(from: &Path) -> Result<PathBuf, ArchiveError> {
        place::find(from)
    }

    /// Opens the archive in a directory, and makes it if there is none.
    pub fn open(dir: &Path) -> Result<Self, ArchiveError> {
        Self::open_with(dir, schema::STEPS)
    }

    /// The same with other steps of the schema, for testing what a later version will do.
    #[doc(hidden)]
    pub fn open_with(dir: &Path, steps: &[&str]) -> Result<Self, ArchiveError> {
        refuse_foreign(dir)?;
        let database = dir.join(DATABASE);
        schema::check_header(&database, steps.len())?;
        let journals = dir.join(JOURNALS);
        fs::create_dir_all(&journals).map_err(|error| ArchiveError::io(&journals, "making", error))?;
        let connection = {
            let _lock = DirectoryLock::take(dir)?;
            schema::open(&database, steps)?
        };
        let mut archive =
            Self { dir: dir.to_owned(), database, connection, writable: true, absorbed: Vec::new() };
        archive.absorbed = absorb(&mut archive.connection, dir)?;
        Ok(archive)
    }

    /// Opens the archive in a directory without changing anything.
    pub fn open_read_only(dir: &Path) -> Result<Self, ArchiveError> {
        let database = dir.join(DATABASE);
        match database.try_exists() {
            Ok(true) => {}
            Ok(false) => return Err(ArchiveError::NoArchive { dir: dir.to_owned() }),
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return Err(ArchiveError::NoArchive { dir: dir.to_owned() });
            }
            // Something is there, and may not be looked at.
            Err(error) => return Err(ArchiveError::io(&database, READING, error)),
        }
        let connection = schema::open_read_only(&database, schema::STEPS)?;
        Ok(Self { dir: dir.to_owned(), database, connection, writable: false, absorbed: Vec::new() })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    pub fn database(&self) -> &Path {
        &self.database
    }

    /// The trials of dead processes that were stored when the archive was opened.
    pub fn absorbed(&self) -> &[Absorbed] {
        &self.absorbed
    }

    /// Begins a trial that is going to be measured. Samples in `head` are left out.
    pub fn begin(&self, head: &Trial) -> Result<Journal, ArchiveError> {
        self.must_be_writable()?;
        let head = Trial { state: State::Running, ..head.head() };
        check(&head)?;
        let journal = Journal::begin(&self.dir, &head, 0, now())?;
        // Asked only now, when nobody else can begin or store it.
        match self.known(&head.id) {
            Ok(None) => Ok(journal),
            Ok(Some(_)) => {
                journal.discard()?;
                Err(ArchiveError::Exists { id: head.id })
            }
            Err(error) => Err(error),
        }
    }

    /// Goes on with a trial that was measured here, interrupted or complete. Its seed stays; what is measured now becomes
    /// further series.
    pub fn resume(&self, id: &TrialId) -> Result<Journal, ArchiveError> {
        self.must_be_writable()?;
        let known = self.known(id)?.ok_or_else(|| self.no_trial(id.as_str()))?;
        let head = store::head(&self.connection, &self.database, known.seq)?;
        if !matches!(head.origin, Origin::Measured { .. }) {
            return Err(ArchiveError::NotMeasured { id: id.clone() });
        }
        let head = Trial { state: State::Running, ..head };
        let journal = Journal::begin(&self.dir, &head, known.sessions as u64, known.added)?;
        // Somebody else may have resumed and stored it in between.
        match self.known(id)? {
            Some(now) if now.sessions == known.sessions => Ok(journal),
            _ => {
                journal.discard()?;
                Err(ArchiveError::Running { id: id.clone() })
            }
        }
    }

    /// Adds a whole trial, such as an imported one.
    pub fn add(&mut self, trial: &Trial) -> Result<(), ArchiveError> {
        self.must_be_writable()?;
        check(trial)?;
        if trial.state == State::Running {
            return Err(refused(trial, "it is still running"));
        }
        if lock::path_of(&self.dir, &trial.id).exists() {
            return Err(ArchiveError::Exists { id: trial.id.clone() });
        }
        let chunks = store::pack(&trial.id, &trial.series)?;
        match store::insert(&mut self.connection, &self.database, &trial.head(), &chunks, 1, now()) {
            Err(ArchiveError::Exists { id }) if !self.is_stored(trial)? => Err(ArchiveError::Differs { id }),
            done => done,
        }
    }

    /// Whether what is stored under the trial's id says the same as the trial.
    fn is_stored(&self, trial: &Trial) -> Result<bool, ArchiveError> {
        let content = content(trial.clone());
        // The id of foreign results is made of their content.
        Ok(trial.id == TrialId::from_number(content) || content == self::content(self.trial(&trial.id)?))
    }

    /// A trial with all its samples, every checksum proved; of a running one, all whole rounds so far.
    pub fn trial(&self, id: &TrialId) -> Result<Trial, ArchiveError> {
        // In this order: a journal that is gone by now is of a trial that is stored by now.
        let journal = self.replayed(id)?;
        let known = self.known(id)?;
        let stored = |seq| {
            let head = store::head(&self.connection, &self.database, seq)?;
            let series = store::series(&self.connection, &self.database, seq, id)?;
            Ok(Trial { series, ..head })
        };
        let trial = match (known, journal) {
            (None, None) => return Err(self.no_trial(id.as_str())),
            (None, Some((replayed, state))) => Trial { state, ..replayed.trial },
            (Some(known), Some((replayed, state))) if replayed.session >= known.sessions => {
                let mut series = stored(known.seq)?.series;
                series.extend(replayed.trial.series);
                Trial { series, state, ..replayed.trial }
            }
            (Some(known), _) => stored(known.seq)?,
        };
        trial
            .check()
            .map_err(|broken| store::damaged(&self.database, format!("trial {}: {broken}", id.short())))?;
        Ok(trial)
    }

    /// A trial without its samples.
    pub fn head(&self, id: &TrialId) -> Result<Trial, ArchiveError> {
        let of_journal = match self.known(id)? {
            Some(_) => None,
            None => self.replayed(id)?,
        };
        if let Some((replayed, state)) = of_journal {
            return Ok(Trial { state, ..replayed.trial.head() });
        }
        // Asked again: it may have been stored in between.
        let known = self.known(id)?.ok_or_else(|| self.no_trial(id.as_str()))?;
        store::head(&self.connection, &self.database, known.seq)
    }

    /// All trials, the newest first; those still in journals included.
    pub fn entries(&self) -> Result<Vec<Entry>, ArchiveError> {
        entry::all(&self.connection, &self.database, &self.dir)
    }

    /// Why trials are missing among the entries: their journals cannot be read.
    pub fn unlisted(&self) -> Result<Vec<ArchiveError>, ArchiveError> {
        entry::unlisted(&self.dir)
    }

    /// The trial that a user means; see [`entry::resolve`].
    pub fn resolve(&self, name: &str) -> Result<TrialId, ArchiveError> {
        entry::resolve(&self.entries()?, name, &self.dir)
    }

    /// Forgets a trial. The room in the file is used again; [`Archive::compact`] gives it back to the disk.
    pub fn remove(&mut self, id: &TrialId) -> Result<(), ArchiveError> {
        self.must_be_writable()?;
        let removed_journal = self.remove_journal(id)?;
        let removed = self
            .connection
            .execute("DELETE FROM trial WHERE id = ?1", [id.as_str()])
            .map_err(|error| ArchiveError::database(&self.database, error))?;
        if removed == 0 && !removed_journal { Err(self.no_trial(id.as_str())) } else { Ok(()) }
    }

    /// Gives a trial another label, or none.
    pub fn set_label(&mut self, id: &TrialId, label: Option<&str>) -> Result<(), ArchiveError> {
        self.must_be_writable()?;
        if lock::path_of(&self.dir, id).exists() {
            return Err(ArchiveError::Running { id: id.clone() });
        }
        let known = self.known(id)?.ok_or_else(|| self.no_trial(id.as_str()))?;
        store::relabel(&mut self.connection, &self.database, known.seq, label)
    }

    /// Gives unused room back to the disk. Says how many bytes the file had and has.
    pub fn compact(&mut self) -> Result<(u64, u64), ArchiveError> {
        self.must_be_writable()?;
        let database = |error| ArchiveError::database(&self.database, error);
        let checkpoint = || self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        checkpoint().map_err(database)?;
        let before = self.bytes()?;
        self.connection.execute_batch("VACUUM").map_err(database)?;
        checkpoint().map_err(database)?;
        Ok((before, self.bytes()?))
    }

    fn bytes(&self) -> Result<u64, ArchiveError> {
        let metadata = fs::metadata(&self.database);
        Ok(metadata.map_err(|error| ArchiveError::io(&self.database, READING, error))?.len())
    }

    fn remove_journal(&self, id: &TrialId) -> Result<bool, ArchiveError> {
        let path = lock::path_of(&self.dir, id);
        if !path.exists() {
            return Ok(false);
        }
        let owned = {
            let _lock = DirectoryLock::take(&self.dir)?;
            lock::take_over(&path)?
        };
        match owned {
            None => Err(ArchiveError::Running { id: id.clone() }),
            Some(_lock) => crate::absorb::remove(&self.dir, &path).map(|()| true),
        }
    }

    /// What a journal holds that is still there, and its state.
    fn replayed(&self, id: &TrialId) -> Result<Option<(Replayed, State)>, ArchiveError> {
        let path = lock::path_of(&self.dir, id);
        let Some((mut file, alive)) = lock::look_at(&path)? else { return Ok(None) };
        match replay(&mut file) {
            Ok(replayed) => {
                let state = entry::state_of_journal(alive, replayed.ended);
                Ok(Some((replayed, state)))
            }
            Err(unreadable) => ArchiveError::of_journal(&path, unreadable).map_or(Ok(None), Err),
        }
    }

    fn known(&self, id: &TrialId) -> Result<Option<store::Known>, ArchiveError> {
        store::known(&self.connection, &self.database, id)
    }

    fn no_trial(&self, name: &str) -> ArchiveError {
        ArchiveError::NoTrial { name: name.to_owned(), dir: self.dir.clone() }
    }

    fn must_be_writable(&self) -> Result<(), ArchiveError> {
        if self.writable { Ok(()) } else { Err(ArchiveError::OpenedReadOnly { dir: self.dir.clone() }) }
    }
}

/// A directory of other things is not taken for an archive: a mistyped name must not leave files there.
fn refuse_foreign(dir: &Path) -> Result<(), ArchiveError> {
    if dir.exists() && !dir.is_dir() {
        return Err(ArchiveError::NotAnArchive { path: dir.to_owned() });
    }
    let named_so = dir.file_name().is_some_and(|name| name == DIRECTORY || name == "evenhand");
    let ours = named_so || dir.join(DATABASE).exists() || dir.join(JOURNALS).exists();
    let empty = fs::read_dir(dir).map_or(true, |mut entries| entries.next().is_none());
    if ours || empty { Ok(()) } else { Err(ArchiveError::NotAnArchive { path: dir.to_owned() }) }
}

/// A number for what a trial says, wherever its file lies and however it is labelled.
fn content(mut trial: Trial) -> u64 {
    trial.label = None;
    if let Origin::Imported { file, .. } = &mut trial.origin {
        file.clear();
    }
    trial.fingerprint()
}

fn check(trial: &Trial) -> Result<(), ArchiveError> {
    trial.check().map_err(|broken| ArchiveError::Refused { id: trial.id.clone(), broken })
}

fn refused(trial: &Trial, why: &str) -> ArchiveError {
    ArchiveError::Refused { id: trial.id.clone(), broken: TrialError(why.to_owned()) }
}

fn now() -> i64 {
    Timestamp::now().as_microsecond()
}
