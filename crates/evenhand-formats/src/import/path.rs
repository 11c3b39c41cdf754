//! What does this path hold? A file of results, or a folder in which a tool keeps its results.
//!
//! The only tool that keeps a folder is criterion, with one set of results for each saved baseline; so a path can give
//! more than one trial.
//!
//! A repository is full of files that hold a number and no result, `.python-version` for one. So in a folder that was
//! searched, plain numbers are results only under a name that says so.
//!
//! Tests: `tests/formats/import/criterion.rs`, `tests/formats/import/found.rs`.

use super::criterion::tree;
use super::{Format, ImportError, ImportErrorKind, import_if};
use evenhand_trial::{Origin, Trial};
use std::fs::File;
use std::path::Path;

/// Whether this is a folder of one tool's results, and not one that holds files of any kind.
pub fn is_results_folder(path: &Path, format: Option<Format>) -> bool {
    matches!(format, None | Some(Format::Criterion)) && path.is_dir() && tree::is_tree(path)
}

/// Reads the trials of a file or a folder, at least one. `format` forces a format instead of recognising it.
pub fn import_path(path: &Path, format: Option<Format>) -> Result<Vec<Trial>, ImportError> {
    read_path(path, format, |_| true)
}

/// As [`import_path`], for what nobody named: it was found in a folder.
pub fn import_found(path: &Path, format: Option<Format>) -> Result<Vec<Trial>, ImportError> {
    let named = Extension::of(path);
    let believed = |found| found != Format::Columns || named != Extension::Others;
    let trials = read_path(path, format, believed)?;
    let few = named == Extension::Texts
        && trials.iter().all(|trial| is_of_columns(trial) && trial.sample_count() < SEVERAL);
    match few && format.is_none() {
        true => Err(ImportError {
            file: path.display().to_string(),
            format: None,
            problem: ImportErrorKind::Unrecognised,
        }),
        false => Ok(trials),
    }
}

/// Fewer numbers in a text are no results.
const SEVERAL: usize = 3;

/// What files with this end of their names hold.
#[derive(PartialEq)]
enum Extension {
    Tables,
    Texts,
    Others,
}

impl Extension {
    fn of(path: &Path) -> Self {
        let unpacked = path
            .extension()
            .filter(|end| *end == "gz" || *end == "zst")
            .and_then(|_| path.file_stem())
            .map(Path::new);
        let extension =
            unpacked.unwrap_or(path).extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "csv" | "tsv" | "tab" => Self::Tables,
            "txt" | "dat" | "data" | "out" | "log" => Self::Texts,
            _ => Self::Others,
        }
    }
}

fn is_of_columns(trial: &Trial) -> bool {
    matches!(&trial.origin, Origin::Imported { format, .. } if format == Format::Columns.name())
}

fn read_path(
    path: &Path,
    format: Option<Format>,
    believed: impl Fn(Format) -> bool,
) -> Result<Vec<Trial>, ImportError> {
    let may_be_criterion = matches!(format, None | Some(Format::Criterion));
    if path.is_dir() && may_be_criterion {
        return tree::read_tree(path);
    }
    if may_be_criterion && tree::is_sample_file(path) {
        return tree::read_sample_file(path).map(|trial| vec![trial]);
    }
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| ImportError {
        file: name.clone(),
        format: format.map(Format::name),
        problem: ImportErrorKind::Read(error),
    })?;
    import_if(file, &name, format, believed).map(|trial| vec![trial])
}
