//! How are services started, and on which processors? Each command of `--start` is a service; with `--git` one command is two, in a
//! folder of each revision.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
#[cfg(target_os = "linux")]
use super::revisions;
use super::workload::ServiceText;
use crate::{CliError, Stage};
use evenhand_measure::command::words::{WordsError, split};
use evenhand_measure::platform::affinity;
use evenhand_measure::service::Recipe;
use std::ffi::OsString;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// What is started, by the names that people know. Empty if everything runs already.
pub(super) fn recipes(
    arguments: &Arguments,
    own: &[ServiceText],
    stage: &mut Stage<'_>,
) -> Result<Vec<(String, Recipe)>, CliError> {
    let usual = Recipe {
        prepare: arguments.prepare.as_ref().map(words).transpose()?.unwrap_or_default(),
        cpus: if arguments.no_pin || arguments.start.is_empty() { Vec::new() } else { part_cpus() },
        patience: arguments.ready_within.map_or(PATIENCE, |time| time.0),
        ..Recipe::default()
    };
    let named = |(place, command): (usize, &OsString)| {
        let mut recipe = Recipe { words: words(command)?, ..usual.clone() };
        if let Some(ServiceText { prepare, env, .. }) = own.get(place) {
            recipe.environment = env.iter().map(|(name, value)| (name.into(), value.into())).collect();
            recipe.prepare = prepare.as_ref().map_or(Ok(recipe.prepare), words)?;
        }
        Ok((command.to_string_lossy().into_owned(), recipe))
    };
    let recipes = arguments.start.iter().enumerate().map(named).collect::<Result<Vec<_>, CliError>>()?;
    match &arguments.git {
        None => Ok(recipes),
        Some(revision) => of_revisions(arguments, revision, recipes, stage),
    }
}

#[cfg(target_os = "linux")]
fn of_revisions(
    arguments: &Arguments,
    revision: &str,
    recipes: Vec<(String, Recipe)>,
    stage: &mut Stage<'_>,
) -> Result<Vec<(String, Recipe)>, CliError> {
    match <[_; 1]>::try_from(recipes) {
        Ok([(_, recipe)]) => revisions::both(arguments, revision, &recipe, stage),
        Err(_) => Err(CliError::with_hint(
            "--git starts one command in both revisions, but several are given",
            "to compare commands, omit --git",
        )),
    }
}

#[cfg(not(target_os = "linux"))]
fn of_revisions(
    _: &Arguments,
    _: &str,
    _: Vec<(String, Recipe)>,
    _: &mut Stage<'_>,
) -> Result<Vec<(String, Recipe)>, CliError> {
    Err(CliError::new("--git works on Linux only"))
}

fn words(command: &OsString) -> Result<Vec<OsString>, CliError> {
    split(command).map_err(|error| match error {
        WordsError::NeedsShell { what, quoted } => CliError::with_hint(
            format_args!("{what} needs a shell"),
            format_args!("write sh -c 'exec COMMAND', or quote it ({quoted}) if it is only text"),
        ),
        WordsError::Assignment { word } => CliError::with_hint(
            format_args!("`{word}` sets a variable, which needs a shell"),
            format_args!("write env '{word}' COMMAND"),
        ),
        error => CliError::new(error),
    })
}

/// Keeps the last processor for us, so that the load does not take the services' time, and answers the others. One processor alone is
/// everybody's.
fn part_cpus() -> Vec<u32> {
    let mut cpus = affinity::allowed().unwrap_or_default();
    match cpus.pop() {
        Some(ours) if !cpus.is_empty() && affinity::restrict(&[ours]).is_ok() => cpus,
        _ => Vec::new(),
    }
}
