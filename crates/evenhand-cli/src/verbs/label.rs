//! `evenhand label TRIAL NAME`: a name for a trial.

use crate::{Failure, Stage, trials};
use clap::Args;
use std::ffi::OsString;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A trial by id, label, `@last` or `@last~1`
    trial: OsString,
    /// The name; without one, the trial loses its name
    name: Option<String>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let mut archive = stage.archive_to_write()?;
    let id = trials::id(&archive, &arguments.trial)?;
    Ok(archive.set_label(&id, arguments.name.as_deref())?)
}
