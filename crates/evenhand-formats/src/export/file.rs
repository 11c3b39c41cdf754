//! How does a file change from the old content to the new without a moment in between?
//!
//! The new content goes to a temporary file in the same folder, is handed to the disk (fsync), and takes the name in
//! one step (rename). A full disk, a failing writer or a lost power supply leaves the old file, or none, under the name;
//! never half of the new one. A link is followed: the file behind it changes. What is no file, such as `/dev/stdout` or
//! a named pipe, is written to as it is: to rename over it would destroy it.
//!
//! Tests: `tests/formats/export/file.rs`.

use super::BUFFER_BYTES;
use super::error::ExportError;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Why a file was not written.
#[derive(Debug)]
pub struct FileError {
    pub path: PathBuf,
    pub error: ExportError,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display().to_string().escape_debug(), self.error)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// Gives `path` the content that `content` writes: all of it, or the file stays as it was.
pub fn write_file(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<(), FileError> {
    let written = match fs::metadata(path) {
        Ok(known) if known.is_file() => replace(path, Some(known.permissions()), content),
        Ok(_) => write_into(path, content),
        Err(_) => replace(path, None, content),
    };
    written.map_err(|error| FileError { path: path.to_owned(), error })
}

fn replace(
    path: &Path,
    permissions: Option<fs::Permissions>,
    content: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    // Behind a link, so that the link stays one. What does not exist yet has no other name.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary(folder)?;
    buffered(file.as_file_mut(), content)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|failed| failed.error)?;
    keep_name(folder);
    Ok(())
}

/// A file that goes away again unless it gets a name; readable as any new file is.
fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".evenhand-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn write_into(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    buffered(&mut OpenOptions::new().write(true).open(path)?, content)
}

fn buffered(
    file: &mut File,
    content: impl FnOnce(&mut dyn Write) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, file);
    content(&mut output)?;
    Ok(output.flush()?)
}

/// The new name outlives a lost power supply once the folder is on the disk too. The content is whole either way, and
/// some file systems cannot do it, so a failure is no error.
fn keep_name(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
