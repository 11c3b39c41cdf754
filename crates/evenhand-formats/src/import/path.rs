//! What does this path hold? A file of results, or a folder in which a tool keeps its results.
//!
//! The only tool that keeps a folder is criterion, with one set of results for each saved baseline; so a path can give
//! more than one trial.
//!
//! Tests: `tests/formats/import/criterion.rs`.

use super::criterion::tree;
use super::{Format, ImportError, Problem, import};
use evenhand_trial::Trial;
use std::fs::File;
use std::path::Path;

/// Whether this is a folder of one tool's results, and not one that holds files of any kind.
pub fn is_results_folder(path: &Path, format: Option<Format>) -> bool {
    matches!(format, None | Some(Format::Criterion)) && path.is_dir() && tree::is_tree(path)
}

/// Reads the trials of a file or a folder, at least one. `format` forces a format instead of recognising it.
pub fn import_path(path: &Path, format: Option<Format>) -> Result<Vec<Trial>, ImportError> {
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
        problem: Problem::Read(error),
    })?;
    import(file, &name, format).map(|trial| vec![trial])
}
