//! What went wrong with an archive, where, and what can the user do next?
//!
//! Tests: every test of a fault checks the words, see `tests/faults.rs` and `tests/archive.rs`.

use crate::journal::replay::Unreadable;
use evenhand_trial::{TrialError, TrialId};
use rusqlite::ErrorCode;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why an archive could not do what was asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Neither a `.evenhand` directory nor a home to make one in.
    #[error(
        "no .evenhand directory in {from} or above it, and neither XDG_DATA_HOME nor HOME is set: name the archive's \
             directory with --archive"
    )]
    NoPlace {
        /// Where the search began.
        from: PathBuf,
    },
    /// There is no archive in this directory, and none may be made.
    #[error("no archive in {dir}: measure or import something first, or name another directory")]
    NoArchive { dir: PathBuf },
    /// The file is none of ours; it was not touched.
    #[error("{path} is not an evenhand archive and was left unchanged: name another directory")]
    NotAnArchive { path: PathBuf },
    /// A newer evenhand wrote the file; it was not touched.
    #[error(
        "{path} was written by a newer evenhand (version {version}, this one knows {known}) and was left unchanged: \
         update evenhand"
    )]
    Newer {
        path: PathBuf,
        version: i64,
        /// The highest version that this program knows.
        known: i64,
    },
    /// The file's version could not be raised; it is as it was.
    #[error(
        "{path} could not be brought from version {from} to the next ({source}) and is unchanged: free disk space or \
         report this, and use the older evenhand meanwhile"
    )]
    Migration {
        path: PathBuf,
        /// The version it has.
        from: i64,
        source: rusqlite::Error,
    },
    /// The file, or a trial in it, is damaged.
    #[error(
        "{path} is damaged: {what}. `evenhand archive check` lists what is whole, `evenhand archive salvage` copies it to \
             a new archive"
    )]
    Damaged { path: PathBuf, what: String },
    /// Another process held the file for too long.
    #[error("{path} has been locked by another process for too long: try again when it is done")]
    Busy { path: PathBuf },
    /// There is no room left on the disk.
    #[error("no disk space for {path}: free some and try again")]
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
    },
    /// The directory or file cannot be written.
    #[error("{path} cannot be written: change its permissions or name another directory with --archive")]
    ReadOnly {
        /// The directory or file.
        path: PathBuf,
    },
    /// The directory or file cannot be read.
    #[error("{path} cannot be read: change its permissions or name another directory with --archive")]
    Unreadable {
        /// The directory or file.
        path: PathBuf,
    },
    /// The last writer was killed while it stored, and its log cannot be merged in a directory that is read only.
    #[error(
        "the last writer of {path} was killed while storing, and recovery needs a writable directory: copy the whole \
         directory to one and open it there"
    )]
    Unmerged { path: PathBuf },
    /// The system refused something else.
    #[error("{doing} {path}: {source}")]
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    /// SQLite refused something else.
    #[error("{path}: {source}")]
    Database { path: PathBuf, source: rusqlite::Error },
    /// A round could not be written. Everything before it is kept, and the journal is whole.
    #[error("{cause}; the {kept} rounds before are kept in {path} and can be analysed and resumed")]
    NotAppended {
        path: PathBuf,
        /// How many rounds are kept.
        kept: u64,
        #[source]
        cause: Box<ArchiveError>,
    },
    /// A trial could not be moved from its journal to the archive. It is whole in the journal.
    #[error(
        "{cause}; the trial is complete in {journal}, and the next command that can write to the archive stores it"
    )]
    NotStored {
        journal: PathBuf,
        #[source]
        cause: Box<ArchiveError>,
    },
    /// The trial or the round breaks a rule and was not taken.
    #[error("trial {} is not stored: {broken}", .id.short())]
    Refused {
        id: TrialId,
        #[source]
        broken: TrialError,
    },
    /// No trial is called this.
    #[error("no trial is named \"{}\" in {dir}: `evenhand list` lists them", .name.escape_debug())]
    NoTrial { name: String, dir: PathBuf },
    /// Several trials have an id that begins like this.
    #[error("\"{name}\" may be {}: give more digits", listed(.candidates))]
    Ambiguous { name: String, candidates: Vec<TrialId> },
    /// What is no name of a trial.
    #[error("\"{}\" does not name a trial: give the first digits of an id, a label, @last or @last~1", .name.escape_debug())]
    BadName { name: String },
    /// The trial is being measured, here or by another process.
    #[error("trial {} is still being measured: wait for it to end, or stop it", .id.short())]
    Running { id: TrialId },
    /// The trial was not measured by evenhand, so nothing can be added to it.
    #[error("trial {} was not measured by evenhand and cannot be continued: measure a new one", .id.short())]
    NotMeasured { id: TrialId },
    /// There is a trial of this id already.
    #[error("trial {id} is already in the archive")]
    Exists { id: TrialId },
    /// There is a trial of this id already, and it is not the same.
    #[error(
        "trial {} is already in the archive with other content, which is kept: to store this one instead, remove that \
         with `evenhand rm {}`",
        .id.short(), .id.short()
    )]
    Differs { id: TrialId },
    /// The archive was opened for reading only.
    #[error("the archive {dir} was opened for reading only")]
    OpenedReadOnly { dir: PathBuf },
}

/// What was being done to a file when the system refused.
pub(crate) const READING: &str = "reading";

fn listed(trials: &[TrialId]) -> String {
    trials.iter().map(TrialId::as_str).collect::<Vec<_>>().join(", ")
}

impl ArchiveError {
    /// What the system said, sorted by what the user can do.
    pub(crate) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::PermissionDenied if doing == READING => Self::Unreadable { path },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly { path },
            _ => Self::Io { path, doing, source },
        }
    }

    /// Why a journal cannot be read; nothing of one that is empty.
    pub(crate) fn of_journal(path: &Path, unreadable: Unreadable) -> Option<Self> {
        let path = path.to_owned();
        match unreadable {
            Unreadable::Empty => None,
            Unreadable::Damaged(what) => Some(Self::Damaged { path, what }),
            Unreadable::Newer { version, known } => {
                Some(Self::Newer { path, version: version.into(), known: known.into() })
            }
            Unreadable::Io(error) => Some(Self::io(&path, READING, error)),
        }
    }

    /// What SQLite said, sorted by what the user can do.
    pub(crate) fn database(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Busy { path },
            Some(ErrorCode::DiskFull) => Self::DiskFull { path },
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => Self::ReadOnly { path },
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                Self::Damaged { path, what: source.to_string() }
            }
            _ if lacks_schema(&source) => Self::Damaged { path, what: source.to_string() },
            _ => Self::Database { path, source },
        }
    }
}

/// Our own statements name what every archive has, so a file that lacks it has lost it, or was never filled.
pub(crate) fn lacks_schema(error: &rusqlite::Error) -> bool {
    let words = error.to_string();
    ["no such table", "no such column"].iter().any(|begin| words.starts_with(begin))
}

#[cfg(test)]
mod tests {
    use super::{ArchiveError, READING};
    use std::io;
    use std::path::Path;

    #[test]
    fn what_may_not_be_read_is_not_told_as_what_may_not_be_written() {
        let told = |doing| {
            let error = io::Error::from(io::ErrorKind::PermissionDenied);
            ArchiveError::io(Path::new("a"), doing, error).to_string()
        };
        assert!(told(READING).starts_with("a cannot be read: change its permissions"), "{}", told(READING));
        assert!(told("making").starts_with("a cannot be written: change its permissions"));
    }
}
