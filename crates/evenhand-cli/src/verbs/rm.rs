//! `evenhand rm TRIAL…`: trials out of the archive.

use crate::{CliError, Stage, trials};
use clap::Args;
use std::collections::HashSet;
use std::ffi::OsString;

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  evenhand rm @last 4f2a      permanent: run `evenhand export` first to keep a copy")]
pub(crate) struct Arguments {
    /// Trials by id, label, `@last` or `@last~1`
    #[arg(required = true, value_name = "TRIAL")]
    trials: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut archive = stage.archive_to_change()?;
    // All are found before the first is removed: `@last @last~1` means what it says, and a misspelt name removes nothing.
    let ids: Result<Vec<_>, CliError> =
        arguments.trials.iter().map(|word| trials::id(&archive, word)).collect();
    let mut ids = ids?;
    let mut unique = HashSet::new();
    ids.retain(|id| unique.insert(id.clone()));
    let mut written = Ok(());
    for id in ids {
        archive.remove(&id)?;
        // All are removed, whether or not somebody reads it.
        written = written.and(writeln!(stage.out, "removed {id}"));
    }
    Ok(written?)
}
