//! In which folders is one command started, to compare two revisions? Each has one with its files; what a build made there is kept for
//! the next time.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use crate::verbs::compare::git::{locked, refuse_identical, trees};
use crate::verbs::compare::repository::{Repository, Tree, file_error};
use crate::verbs::compare::revisions::keep_these;
use crate::{CliError, Stage};
use evenhand_measure::service::Recipe;
use evenhand_report::message::Message;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// So much of what a failed build wrote is repeated.
const LAST_LINES: usize = 30;

/// The services of both revisions, the old one first.
pub(super) fn both(
    arguments: &Arguments,
    revision: &str,
    recipe: &Recipe,
    stage: &mut Stage<'_>,
) -> Result<Vec<(String, Recipe)>, CliError> {
    let (repository, _lock) = locked(stage)?;
    let trees = trees(&repository, revision)?;
    refuse_identical(&trees)?;
    let [old, new] = &trees;
    let folders = [ready(arguments, &repository, old, stage)?, ready(arguments, &repository, new, stage)?];
    keep_these(&repository, &folders);
    let in_folder = |(tree, folder): (&Tree, &PathBuf)| {
        let recipe = in_folder(recipe, &folder.join(&repository.below));
        (tree.name.clone(), recipe)
    };
    Ok(trees.iter().zip(&folders).map(in_folder).collect())
}

/// A program named by a path is that of the revision; any other is looked for in PATH.
fn in_folder(recipe: &Recipe, folder: &Path) -> Recipe {
    let mut recipe = Recipe { directory: Some(folder.to_owned()), ..recipe.clone() };
    let programs = [recipe.words.first_mut(), recipe.prepare.first_mut()];
    for program in programs.into_iter().flatten() {
        if program.as_encoded_bytes().contains(&b'/') {
            *program = folder.join(&*program).into_os_string();
        }
    }
    recipe
}

/// The folder of a revision, built if that was asked for.
fn ready(
    arguments: &Arguments,
    repository: &Repository,
    tree: &Tree,
    stage: &mut Stage<'_>,
) -> Result<PathBuf, CliError> {
    let Some(command) = &arguments.build else { return repository.folder_of(tree) };
    let (folder, built) = repository.kept_folder_of(tree);
    if fs::read(&built).is_ok_and(|by| by == command.as_encoded_bytes()) {
        return Ok(folder);
    }
    let folder = repository.folder_of(tree)?;
    if !arguments.telling.quiet {
        stage.err.say(&Message::note(format_args!("building {}", tree.name)))?;
    }
    build(command, &folder.join(&repository.below), tree, stage)?;
    fs::write(&built, command.as_encoded_bytes()).map_err(|error| file_error(&built, &error))?;
    Ok(folder)
}

fn build(command: &OsStr, folder: &Path, tree: &Tree, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut shell = Command::new("sh");
    let output = shell.arg("-c").arg(command).current_dir(folder).stdin(Stdio::null()).output();
    let output =
        output.map_err(|error| CliError::new(format_args!("cannot start sh for --build: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let error = format_args!("the build of {} failed ({})", tree.name, output.status);
    stage.err.say(&Message::error(error))?;
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let lines: Vec<&str> = words.lines().collect();
    stage.err.quote(lines[lines.len().saturating_sub(LAST_LINES)..].iter().copied())?;
    Err(CliError::AlreadyReported)
}
