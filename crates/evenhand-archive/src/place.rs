//! Where is the archive? In the nearest `.evenhand` directory upwards, as git finds `.git`; else in the user's data
//! directory (XDG Base Directory Specification, <https://specifications.freedesktop.org/basedir-spec/latest/>).
//!
//! Tests: `tests/place.rs`.

use crate::ArchiveError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The directory of an archive that belongs to a project.
pub const DIRECTORY: &str = ".evenhand";
/// The SQLite file in it.
pub const DATABASE: &str = "archive.sqlite";
/// The directory of the journals in it.
pub const JOURNALS: &str = "journal";

/// The archive's directory for someone who works in `from`. It need not exist yet.
pub fn find(from: &Path) -> Result<PathBuf, ArchiveError> {
    find_with(from, std::env::var_os("XDG_DATA_HOME"), std::env::var_os("HOME"))
}

/// The same, with the two variables of the environment given.
pub fn find_with(
    from: &Path,
    data_home: Option<OsString>,
    home: Option<OsString>,
) -> Result<PathBuf, ArchiveError> {
    let from = std::path::absolute(from).map_err(|source| ArchiveError::io(from, "finding", source))?;
    let of_project = from.ancestors().map(|dir| dir.join(DIRECTORY)).find(|dir| dir.is_dir());
    // The specification: a relative path is to be passed over.
    let absolute = |path: OsString| Some(PathBuf::from(path)).filter(|path| path.is_absolute());
    of_project
        .or_else(|| data_home.and_then(absolute).map(|data| data.join("evenhand")))
        .or_else(|| home.and_then(absolute).map(|home| home.join(".local/share/evenhand")))
        .ok_or(ArchiveError::NoPlace { from })
}
