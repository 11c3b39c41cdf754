//! What does a word on the command line stand for: a file, a tool's own folder, any folder, standard input? And what
//! is read from it?
//!
//! A folder is searched file by file. What is found there and holds no results is passed over; a file that the user
//! named himself is not.

use crate::CliError;
use evenhand_formats::import::{self, FORMATS, Format, ImportError, ImportErrorKind, Unread};
use evenhand_trial::{Origin, Trial, TrialId};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// Something to read: one trial at a time is held, however many files there are.
pub(crate) enum Source {
    StandardInput,
    /// A file or a tool's own folder that the user named.
    Named(PathBuf),
    /// A file or a tool's own folder, found in a folder: passed over if it holds no results.
    Found(PathBuf),
    /// A folder that cannot be searched.
    Closed(PathBuf, io::Error),
}

/// Why nothing came of a source.
pub(crate) enum Skip {
    /// It was only found, and holds no results.
    NoResults,
    /// It was only found, and a tool wrote it whose files are not read.
    Unread(String, &'static Unread),
    /// What is wrong with it.
    Wrong(ImportError),
}

/// The sources that a word stands for.
pub(crate) fn sources(word: &OsStr, format: Option<Format>) -> Vec<Source> {
    if word == "-" {
        return vec![Source::StandardInput];
    }
    let path = PathBuf::from(word);
    if !path.is_dir() || import::is_results_folder(&path, format) {
        return vec![Source::Named(path)];
    }
    files_below(&path, format)
}

/// What to say of a place in which nothing was recognised, to somebody who typed `verb`.
pub(crate) fn nothing_recognised(place: &str, verb: &str) -> CliError {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
    CliError::new(format_args!(
        "{place}: no file in it is in a known format: {}. `evenhand {verb} FILE --from NAME` reads a file as one of \
         them; see `evenhand import --help`",
        names.join(", ")
    ))
}

impl Source {
    /// The trials in it, at least one.
    pub(crate) fn read(self, format: Option<Format>) -> Result<Vec<Trial>, Skip> {
        let (trials, found) = match self {
            Self::StandardInput => {
                (import::import(io::stdin().lock(), "standard input", format).map(one), false)
            }
            Self::Named(path) if is_nowhere(&path) => {
                (Err(closed(&path, io::Error::other("no such file or folder"))), false)
            }
            Self::Named(path) => (import::import_path(&path, format), false),
            Self::Found(path) => (import::import_found(&path, format), true),
            Self::Closed(path, error) => (Err(closed(&path, error)), false),
        };
        match trials {
            Ok(trials) => Ok(trials.into_iter().map(wherever_it_lies).collect()),
            Err(ImportError { problem: ImportErrorKind::Unrecognised | ImportErrorKind::Empty, .. })
                if found =>
            {
                Err(Skip::NoResults)
            }
            Err(ImportError { file, problem: ImportErrorKind::Unread(unread), .. }) if found => {
                Err(Skip::Unread(file, unread))
            }
            Err(error) => Err(Skip::Wrong(error)),
        }
    }
}

/// Nothing is there; what may not be looked at is told as such.
fn is_nowhere(path: &Path) -> bool {
    path.try_exists().is_ok_and(|exists| !exists)
}

fn one(trial: Trial) -> Vec<Trial> {
    vec![trial]
}

fn closed(path: &Path, error: io::Error) -> ImportError {
    ImportError { file: path.display().to_string(), format: None, problem: ImportErrorKind::Read(error) }
}

/// The id of foreign results must not depend on the path by which they were read: `old.json` and `./old.json` are one
/// trial. A trial of our own keeps its id.
fn wherever_it_lies(mut trial: Trial) -> Trial {
    let Origin::Imported { file, .. } = &mut trial.origin else { return trial };
    let path = std::mem::take(file);
    let id = TrialId::from_number(trial.fingerprint());
    if let Origin::Imported { file, .. } = &mut trial.origin {
        *file = path;
    }
    Trial { id, ..trial }
}

/// Folders in which nobody keeps results, and which may be large.
const NEVER_SEARCHED: [&str; 2] = [".git", ".evenhand"];

/// The files below a folder, and the folders of tools, in the order of their names; links to folders are not followed.
fn files_below(folder: &Path, format: Option<Format>) -> Vec<Source> {
    let mut found = Vec::new();
    let mut closed = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                closed.push(Source::Closed(folder, error));
                continue;
            }
        };
        for entry in entries.flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && NEVER_SEARCHED.iter().any(|name| entry.file_name() == *name) => {
                }
                Ok(kind) if kind.is_dir() && import::is_results_folder(&path, format) => found.push(path),
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(_) if path.is_file() => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found.into_iter().map(Source::Found).chain(closed).collect()
}
