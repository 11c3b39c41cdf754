//! Who owns a journal? Whoever holds the lock on its file. A lock goes when its process dies, however it dies.
//!
//! Making, taking over and removing a journal each hold the lock on the directory, `journal/lock`, for a moment. So nobody
//! sees a journal that is made but not yet locked, or opens one that is just being removed.
//!
//! Tests: `tests/processes.rs`.

use crate::ArchiveError;
use crate::place::JOURNALS;
use evenhand_trial::TrialId;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// How a journal's name ends.
pub(crate) const SUFFIX: &str = ".journal";

/// A moment in which no other process makes, takes over or removes a journal.
pub(crate) struct DirectoryLock {
    _file: File,
}

impl DirectoryLock {
    /// Waits for the lock.
    pub(crate) fn take(dir: &Path) -> Result<Self, ArchiveError> {
        let path = dir.join(JOURNALS).join("lock");
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| ArchiveError::io(&path, "opening", error))?;
        lock.lock().map_err(|error| ArchiveError::io(&path, "locking", error))?;
        Ok(Self { _file: lock })
    }
}

pub(crate) fn path_of(dir: &Path, id: &TrialId) -> PathBuf {
    dir.join(JOURNALS).join(format!("{id}{SUFFIX}"))
}

/// All journals, by the trial they are of. A directory that is not there has none.
pub(crate) fn all(dir: &Path) -> Result<Vec<(TrialId, PathBuf)>, ArchiveError> {
    let journals = dir.join(JOURNALS);
    let failed = |error| ArchiveError::io(&journals, "listing", error);
    let entries = match fs::read_dir(&journals) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(id) = name.and_then(|name| name.strip_suffix(SUFFIX)?.parse().ok()) {
            all.push((id, path));
        }
    }
    all.sort();
    Ok(all)
}

/// The journal with its lock, unless its owner lives. Call it with the [`DirectoryLock`].
pub(crate) fn take_over(path: &Path) -> Result<Option<File>, ArchiveError> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map_err(|error| ArchiveError::io(path, "opening", error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(ArchiveError::io(path, "locking", error)),
    }
}

/// The journal for reading, and whether its owner lives. `None`: it is gone, its trial is stored by now.
pub(crate) fn look_at(path: &Path) -> Result<Option<(File, bool)>, ArchiveError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ArchiveError::io(path, "opening", error)),
    };
    let alive = match file.try_lock_shared() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(error)) => return Err(ArchiveError::io(path, "locking", error)),
    };
    if !alive {
        file.unlock().map_err(|error| ArchiveError::io(path, "unlocking", error))?;
    }
    Ok(Some((file, alive)))
}
