//! What went wrong with an archive, where, and what can the user do next?
//!
//! Tests: every test of a fault checks the words, see `tests/faults.rs` and `tests/archive.rs`.

use evenhand_trial::{Broken, TrialId};
use rusqlite::ErrorCode;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why an archive could not do what was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Neither a `.evenhand` directory nor a home to make one in.
    NoPlace {
        /// Where the search began.
        from: PathBuf,
    },
    /// There is no archive in this directory, and none may be made.
    NoArchive {
        /// The directory.
        dir: PathBuf,
    },
    /// The file is none of ours; it was not touched.
    NotAnArchive {
        /// The file.
        path: PathBuf,
    },
    /// A newer evenhand wrote the file; it was not touched.
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: i64,
        /// The highest version that this program knows.
        known: i64,
    },
    /// The file's version could not be raised; it is as it was.
    Migration {
        /// The file.
        path: PathBuf,
        /// The version it has.
        from: i64,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The file, or a trial in it, is damaged.
    Damaged {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        what: String,
    },
    /// Another process held the file for too long.
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// There is no room left on the disk.
    DiskFull {
        /// The file that could not grow.
        path: PathBuf,
    },
    /// The directory or file cannot be written.
    ReadOnly {
        /// The directory or file.
        path: PathBuf,
    },
    /// The last writer was killed while it stored, and its log cannot be merged in a directory that is read only.
    Unmerged {
        /// The file.
        path: PathBuf,
    },
    /// The system refused something else.
    Io {
        /// The file.
        path: PathBuf,
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// SQLite refused something else.
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A round could not be written. Everything before it is kept, and the journal is whole.
    NotAppended {
        /// The journal.
        path: PathBuf,
        /// How many rounds are kept.
        kept: u64,
        /// Why.
        cause: Box<ArchiveError>,
    },
    /// A trial could not be moved from its journal to the archive. It is whole in the journal.
    NotStored {
        /// The journal.
        journal: PathBuf,
        /// Why.
        cause: Box<ArchiveError>,
    },
    /// The trial or the round breaks a rule and was not taken.
    Refused {
        /// The trial.
        id: TrialId,
        /// The rule.
        broken: Broken,
    },
    /// No trial is called this.
    NoTrial {
        /// What was asked for.
        name: String,
        /// The archive.
        dir: PathBuf,
    },
    /// Several trials have an id that begins like this.
    Ambiguous {
        /// What was asked for.
        name: String,
        /// The trials.
        candidates: Vec<TrialId>,
    },
    /// What is no name of a trial.
    BadName {
        /// What was asked for.
        name: String,
    },
    /// The trial is being measured, here or by another process.
    Running {
        /// The trial.
        id: TrialId,
    },
    /// The trial came to its end and cannot be resumed.
    Ended {
        /// The trial.
        id: TrialId,
    },
    /// There is a trial of this id already.
    Exists {
        /// The trial.
        id: TrialId,
    },
    /// The archive was opened for reading only.
    OpenedReadOnly {
        /// The directory.
        dir: PathBuf,
    },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace { from } => write!(
                f,
                "no .evenhand directory in {} or above it, and neither XDG_DATA_HOME nor HOME is set: name the \
                 archive's directory with --archive",
                from.display()
            ),
            Self::NoArchive { dir } => write!(
                f,
                "there is no archive in {}: measure or import something first, or name another directory",
                dir.display()
            ),
            Self::NotAnArchive { path } => write!(
                f,
                "{} is not an evenhand archive and was left as it is: name another directory",
                path.display()
            ),
            Self::Newer { path, version, known } => write!(
                f,
                "{} was written by a newer evenhand (version {version}, this one knows {known}) and was left as it \
                 is: update evenhand",
                path.display()
            ),
            Self::Migration { path, from, source } => write!(
                f,
                "{} could not be brought from version {from} to the next ({source}) and is as it was: free some \
                 room on the disk or report this, and use the older evenhand meanwhile",
                path.display()
            ),
            Self::Damaged { path, what } => write!(
                f,
                "{} is damaged: {what}. `evenhand archive check` lists what is whole, \
                 `evenhand archive salvage` copies it to a new archive",
                path.display()
            ),
            Self::Busy { path } => {
                write!(
                    f,
                    "{} is held by another process for too long: try again when it is done",
                    path.display()
                )
            }
            Self::DiskFull { path } => {
                write!(f, "no room on the disk for {}: free some and try again", path.display())
            }
            Self::ReadOnly { path } => write!(
                f,
                "{} cannot be written: change its permissions or name another directory with --archive",
                path.display()
            ),
            Self::Unmerged { path } => write!(
                f,
                "the last writer of {} was killed while it stored, and what it wrote cannot be read in a directory that \
                 cannot be written: copy the whole directory to where it can be, and open it there",
                path.display()
            ),
            Self::Io { path, doing, source } => write!(f, "{doing} {}: {source}", path.display()),
            Self::Database { path, source } => write!(f, "{}: {source}", path.display()),
            Self::NotAppended { path, kept, cause } => write!(
                f,
                "{cause}; the {kept} rounds before are kept in {} and can be analysed and resumed",
                path.display()
            ),
            Self::NotStored { journal, cause } => write!(
                f,
                "{cause}; the trial is whole in {} and the next command that can write the archive takes it over",
                journal.display()
            ),
            Self::Refused { id, broken } => write!(f, "trial {} is not kept: {broken}", id.short()),
            Self::NoTrial { name, dir } => write!(
                f,
                "no trial is called \"{}\" in {}: `evenhand list` shows them",
                name.escape_debug(),
                dir.display()
            ),
            Self::Ambiguous { name, candidates } => {
                let all: Vec<&str> = candidates.iter().map(TrialId::as_str).collect();
                write!(f, "\"{name}\" may be {}: give more digits", all.join(", "))
            }
            Self::BadName { name } => write!(
                f,
                "\"{}\" names no trial: give the first digits of an id, a label, @last or @last~1",
                name.escape_debug()
            ),
            Self::Running { id } => {
                write!(f, "trial {} is being measured: wait for its end or stop it", id.short())
            }
            Self::Ended { id } => {
                write!(f, "trial {} came to its end and cannot be resumed: measure a new one", id.short())
            }
            Self::Exists { id } => write!(f, "trial {id} is in the archive already"),
            Self::OpenedReadOnly { dir } => {
                write!(f, "the archive {} was opened for reading only", dir.display())
            }
        }
    }
}

impl std::error::Error for ArchiveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            Self::Database { source, .. } | Self::Migration { source, .. } => Some(source),
            Self::NotAppended { cause, .. } | Self::NotStored { cause, .. } => Some(cause),
            Self::Refused { broken, .. } => Some(broken),
            _ => None,
        }
    }
}

impl ArchiveError {
    /// What the system said, sorted by what the user can do.
    pub(crate) fn io(path: &Path, doing: &'static str, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => Self::ReadOnly { path },
            _ => Self::Io { path, doing, source },
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
            _ => Self::Database { path, source },
        }
    }
}
