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
    NoArchive { dir: PathBuf },
    /// The file is none of ours; it was not touched.
    NotAnArchive { path: PathBuf },
    /// A newer evenhand wrote the file; it was not touched.
    Newer {
        path: PathBuf,
        version: i64,
        /// The highest version that this program knows.
        known: i64,
    },
    /// The file's version could not be raised; it is as it was.
    Migration {
        path: PathBuf,
        /// The version it has.
        from: i64,
        source: rusqlite::Error,
    },
    /// The file, or a trial in it, is damaged.
    Damaged { path: PathBuf, what: String },
    /// Another process held the file for too long.
    Busy { path: PathBuf },
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
    Unmerged { path: PathBuf },
    /// The system refused something else.
    Io { path: PathBuf, doing: &'static str, source: io::Error },
    /// SQLite refused something else.
    Database { path: PathBuf, source: rusqlite::Error },
    /// A round could not be written. Everything before it is kept, and the journal is whole.
    NotAppended {
        path: PathBuf,
        /// How many rounds are kept.
        kept: u64,
        cause: Box<ArchiveError>,
    },
    /// A trial could not be moved from its journal to the archive. It is whole in the journal.
    NotStored { journal: PathBuf, cause: Box<ArchiveError> },
    /// The trial or the round breaks a rule and was not taken.
    Refused { id: TrialId, broken: Broken },
    /// No trial is called this.
    NoTrial { name: String, dir: PathBuf },
    /// Several trials have an id that begins like this.
    Ambiguous { name: String, candidates: Vec<TrialId> },
    /// What is no name of a trial.
    BadName { name: String },
    /// The trial is being measured, here or by another process.
    Running { id: TrialId },
    /// The trial was not measured by evenhand, so nothing can be added to it.
    NotMeasured { id: TrialId },
    /// There is a trial of this id already.
    Exists { id: TrialId },
    /// The archive was opened for reading only.
    OpenedReadOnly { dir: PathBuf },
}

impl fmt::Display for ArchiveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPlace { from } => no_place(f, from),
            Self::NoArchive { dir } => no_archive(f, dir),
            Self::NotAnArchive { path } => not_an_archive(f, path),
            Self::Newer { path, version, known } => newer(f, path, *version, *known),
            Self::Migration { path, from, source } => migration(f, path, *from, source),
            Self::Damaged { path, what } => damaged(f, path, what),
            Self::Busy { path } => busy(f, path),
            Self::DiskFull { path } => disk_full(f, path),
            Self::ReadOnly { path } => read_only(f, path),
            Self::Unmerged { path } => unmerged(f, path),
            Self::Io { path, doing, source } => write!(f, "{doing} {}: {source}", path.display()),
            Self::Database { path, source } => write!(f, "{}: {source}", path.display()),
            Self::NotAppended { path, kept, cause } => not_appended(f, path, *kept, cause),
            Self::NotStored { journal, cause } => not_stored(f, journal, cause),
            Self::Refused { id, broken } => write!(f, "trial {} is not kept: {broken}", id.short()),
            Self::NoTrial { name, dir } => no_trial(f, name, dir),
            Self::Ambiguous { name, candidates } => ambiguous(f, name, candidates),
            Self::BadName { name } => bad_name(f, name),
            Self::Running { id } => running(f, id),
            Self::NotMeasured { id } => not_measured(f, id),
            Self::Exists { id } => write!(f, "trial {id} is in the archive already"),
            Self::OpenedReadOnly { dir } => opened_read_only(f, dir),
        }
    }
}

// Where the archive is.

fn no_place(f: &mut fmt::Formatter<'_>, from: &Path) -> fmt::Result {
    write!(
        f,
        "no .evenhand directory in {} or above it, and neither XDG_DATA_HOME nor HOME is set: name the archive's \
         directory with --archive",
        from.display()
    )
}

fn no_archive(f: &mut fmt::Formatter<'_>, dir: &Path) -> fmt::Result {
    let dir = dir.display();
    write!(f, "there is no archive in {dir}: measure or import something first, or name another directory")
}

fn not_an_archive(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    let path = path.display();
    write!(f, "{path} is not an evenhand archive and was left as it is: name another directory")
}

// Its file: the version, the state, the disk.

fn newer(f: &mut fmt::Formatter<'_>, path: &Path, version: i64, known: i64) -> fmt::Result {
    write!(
        f,
        "{} was written by a newer evenhand (version {version}, this one knows {known}) and was left as it is: update \
         evenhand",
        path.display()
    )
}

fn migration(f: &mut fmt::Formatter<'_>, path: &Path, from: i64, source: &rusqlite::Error) -> fmt::Result {
    write!(
        f,
        "{} could not be brought from version {from} to the next ({source}) and is as it was: free some room on the \
         disk or report this, and use the older evenhand meanwhile",
        path.display()
    )
}

fn damaged(f: &mut fmt::Formatter<'_>, path: &Path, what: &str) -> fmt::Result {
    write!(
        f,
        "{} is damaged: {what}. `evenhand archive check` lists what is whole, `evenhand archive salvage` copies it to \
         a new archive",
        path.display()
    )
}

fn busy(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    write!(f, "{} is held by another process for too long: try again when it is done", path.display())
}

fn disk_full(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    write!(f, "no room on the disk for {}: free some and try again", path.display())
}

fn read_only(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    let path = path.display();
    write!(f, "{path} cannot be written: change its permissions or name another directory with --archive")
}

fn unmerged(f: &mut fmt::Formatter<'_>, path: &Path) -> fmt::Result {
    write!(
        f,
        "the last writer of {} was killed while it stored, and what it wrote cannot be read in a directory that cannot \
         be written: copy the whole directory to where it can be, and open it there",
        path.display()
    )
}

fn opened_read_only(f: &mut fmt::Formatter<'_>, dir: &Path) -> fmt::Result {
    write!(f, "the archive {} was opened for reading only", dir.display())
}

// A trial that could not be kept.

fn not_appended(f: &mut fmt::Formatter<'_>, path: &Path, kept: u64, cause: &ArchiveError) -> fmt::Result {
    let path = path.display();
    write!(f, "{cause}; the {kept} rounds before are kept in {path} and can be analysed and resumed")
}

fn not_stored(f: &mut fmt::Formatter<'_>, journal: &Path, cause: &ArchiveError) -> fmt::Result {
    write!(
        f,
        "{cause}; the trial is whole in {} and the next command that can write the archive takes it over",
        journal.display()
    )
}

// The name of a trial, and its state.

fn no_trial(f: &mut fmt::Formatter<'_>, name: &str, dir: &Path) -> fmt::Result {
    let (name, dir) = (name.escape_debug(), dir.display());
    write!(f, "no trial is called \"{name}\" in {dir}: `evenhand list` shows them")
}

fn ambiguous(f: &mut fmt::Formatter<'_>, name: &str, candidates: &[TrialId]) -> fmt::Result {
    let all: Vec<&str> = candidates.iter().map(TrialId::as_str).collect();
    write!(f, "\"{name}\" may be {}: give more digits", all.join(", "))
}

fn bad_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    let name = name.escape_debug();
    write!(f, "\"{name}\" names no trial: give the first digits of an id, a label, @last or @last~1")
}

fn running(f: &mut fmt::Formatter<'_>, id: &TrialId) -> fmt::Result {
    write!(f, "trial {} is being measured: wait for its end or stop it", id.short())
}

fn not_measured(f: &mut fmt::Formatter<'_>, id: &TrialId) -> fmt::Result {
    write!(f, "trial {} was not measured by evenhand and cannot go on: measure a new one", id.short())
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
