//! `evenhand label TRIAL NAME`: a name for a trial.

use crate::{CliError, Stage, trials};
use clap::Args;
use evenhand_report::plain::plain;
use std::ffi::OsString;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand label @last 'before the rewrite'
  evenhand analyze 'before the rewrite' @last
  evenhand label @last --remove")]
pub(crate) struct Arguments {
    /// A trial by id, label, `@last` or `@last~1`
    trial: OsString,
    /// The name
    #[arg(required_unless_present = "remove", conflicts_with = "remove")]
    name: Option<String>,
    /// Remove the trial's name
    #[arg(long)]
    remove: bool,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut archive = stage.archive_to_change()?;
    let id = trials::id(&archive, &arguments.trial)?;
    if let Some(name) = &arguments.name {
        trials::check_label(&archive, name, Some(&id))?;
    }
    archive.set_label(&id, arguments.name.as_deref())?;
    match &arguments.name {
        Some(name) => writeln!(stage.out, "{} is now named \"{}\"", id.short(), plain(name))?,
        None => writeln!(stage.out, "{} no longer has a name", id.short())?,
    }
    Ok(())
}
