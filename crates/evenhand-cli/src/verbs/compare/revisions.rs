//! Which revisions are compared, if nothing is built? Each gets a folder of its own, in which the same command is started: a script is its
//! own program. Python looks for modules in that folder first.
//!
//! Tests: `tests/program/python.rs`.

use super::arguments::Arguments;
use super::git::{forget_old, locked, refuse_identical, trees};
use super::repository::{Repository, Tree};
use super::side::{Side, Sides};
use super::site::{Variables, names};
use crate::verbs::functions::python;
use crate::{CliError, Stage};
use evenhand_measure::worker::WorkerCommand;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

pub(crate) fn sides(
    arguments: &Arguments,
    typed: &str,
    command: &[OsString],
    variables: &[Variables; 2],
    filters: Vec<String>,
    stage: &mut Stage<'_>,
) -> Result<Sides, CliError> {
    refuse_options_of_builds(arguments, command)?;
    let words = python::command(command.to_vec())?;
    let (repository, lock) = locked(stage)?;
    let trees = trees(&repository, typed)?;
    if variables[0] == variables[1] {
        refuse_identical(&trees)?;
    }
    let [old, new] = &trees;
    let [name_of_old, name_of_new] = names([&old.name, &new.name], variables);
    let folders = [repository.folder_of(old)?, repository.folder_of(new)?];
    keep_these(&repository, &folders);
    drop(lock);
    let [of_old, of_new] = &folders;
    let sides = [
        Side { name: name_of_old, ..side(&repository, old, of_old, command, &words)? },
        Side { name: name_of_new, ..side(&repository, new, of_new, command, &words)? },
    ];
    Ok(Sides { sides, filters, notes: Vec::new() })
}

fn refuse_options_of_builds(arguments: &Arguments, command: &[OsString]) -> Result<(), CliError> {
    if command.iter().any(|word| word == "--") {
        return Err(CliError::with_hint(
            "--git runs one command in both revisions, but two are given",
            "to compare commands, omit --git: evenhand compare -- ./old x -- ./new x",
        ));
    }
    let given = [
        ("--build", arguments.build.is_some()),
        ("--layouts", arguments.layouts.is_some()),
        ("--no-align", arguments.no_align),
        ("options of cargo after --", arguments.commands.first().is_some_and(|first| *first != command[0])),
    ];
    match given.into_iter().find(|(_, given)| *given) {
        Some((option, _)) => Err(CliError::new(format_args!(
            "{} is run as it is, so it takes no {option}: that is for programs that are built",
            command[0].to_string_lossy()
        ))),
        None => Ok(()),
    }
}

/// The newest are kept, and these are the newest.
pub(crate) fn keep_these(repository: &Repository, folders: &[PathBuf; 2]) {
    for folder in folders {
        let _ = File::open(folder).and_then(|folder| folder.set_modified(std::time::SystemTime::now()));
    }
    forget_old(&repository.trees(), &folders.each_ref().map(PathBuf::as_path), |path| {
        let _ = fs::remove_file(path.with_extension("index"));
        let _ = fs::remove_file(path.with_extension("built"));
        let _ = fs::remove_dir_all(path);
    });
}

fn side(
    repository: &Repository,
    tree: &Tree,
    folder: &Path,
    typed: &[OsString],
    words: &[OsString],
) -> Result<Side, CliError> {
    let here = folder.join(&repository.below);
    refuse_missing(repository, tree, &here, typed)?;
    let words = words.iter().map(|word| in_tree(repository, folder, word));
    let program = WorkerCommand {
        name: format!("{} ({})", name(typed), tree.name),
        words: words.collect(),
        directory: Some(here),
        environment: environment(repository, folder),
        ..WorkerCommand::default()
    };
    Ok(Side { name: tree.name.clone(), programs: vec![program] })
}

/// What was typed, without its folders.
fn name(typed: &[OsString]) -> String {
    let script = typed.iter().find(|word| python::is_script(word)).or(typed.first());
    let file = script.and_then(|word| Path::new(word).file_name()).unwrap_or_default();
    file.to_string_lossy().into_owned()
}

/// A script of the checkout that is not in the revision.
fn refuse_missing(
    repository: &Repository,
    tree: &Tree,
    here: &Path,
    typed: &[OsString],
) -> Result<(), CliError> {
    let is_missing = |word: &&OsString| {
        let mine = fs::canonicalize(repository.top.join(&repository.below).join(word));
        let is_of_checkout = mine.is_ok_and(|mine| mine.starts_with(&repository.top));
        python::is_script(word)
            && Path::new(word).is_relative()
            && is_of_checkout
            && !here.join(word).exists()
    };
    match typed.iter().find(is_missing) {
        Some(script) => {
            let (script, copy) = (script.to_string_lossy(), name(typed));
            Err(CliError::with_hint(
                format_args!("{} has no {script}", tree.name),
                format_args!(
                    "to run yours with the code of both, copy it out of the repository and name the copy: /tmp/{copy}"
                ),
            ))
        }
        None => Ok(()),
    }
}

/// A path into the user's checkout leads to the same file of the tree, if there is one. What git does not know stays the user's: an
/// interpreter such as `.venv/bin/python`, a script that lies beside the repository.
fn in_tree(repository: &Repository, folder: &Path, word: &OsStr) -> OsString {
    let mine = repository.top.join(&repository.below).join(word);
    let of_tree = match Path::new(word).strip_prefix(&repository.top) {
        Ok(below_top) => folder.join(below_top),
        Err(_) => folder.join(&repository.below).join(word),
    };
    // A name without a slash is looked for in PATH, or is no path at all.
    let is_path = word.as_encoded_bytes().contains(&b'/');
    match (of_tree.exists(), mine.exists()) {
        (true, _) if is_path => of_tree.into_os_string(),
        (_, true) if is_path => mine.into_os_string(),
        _ => word.to_owned(),
    }
}

/// Python looks for modules in the folders of the tree before those that are installed, and a worker refuses what comes from the user's
/// checkout all the same.
fn environment(repository: &Repository, folder: &Path) -> BTreeMap<OsString, OsString> {
    let here = folder.join(&repository.below);
    let tops = if here == folder { vec![here] } else { vec![here, folder.to_owned()] };
    let ours = tops.iter().flat_map(|top| [top.join("src"), top.clone()]).filter(|path| path.is_dir());
    let inherited = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let theirs = std::env::split_paths(&inherited).filter(|path| !path.as_os_str().is_empty());
    let theirs = theirs.map(|path| PathBuf::from(in_tree(repository, folder, path.as_os_str())));
    let mut environment = BTreeMap::from([
        ("EVENHAND_CHECKOUT".into(), repository.top.clone().into_os_string()),
        ("EVENHAND_TREE".into(), folder.to_owned().into_os_string()),
    ]);
    // A path with a colon in it cannot be said to Python.
    environment.extend(std::env::join_paths(ours.chain(theirs)).ok().map(|path| ("PYTHONPATH".into(), path)));
    environment
}
