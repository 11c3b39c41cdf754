//! `evenhand archive check|compact|salvage`: is the archive whole, can it be smaller, and what is left of a damaged
//! one?

use crate::{Failure, Stage};
use clap::{Args, Subcommand};
use evenhand_archive::Archive;
use evenhand_report::plain::plain;
use evenhand_trial::Unit;
use evenhand_trial::words::{counted, quantity};
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Read everything and compare it with its checksums
    Check,
    /// Give the space of removed trials back to the disk
    Compact,
    /// Copy what can still be read of a damaged archive into a new one
    Salvage {
        /// The folder for the new archive; it must not hold one yet
        #[arg(value_name = "DIRECTORY")]
        into: PathBuf,
    },
    /// Print the folder of the archive
    Path,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    match &arguments.task {
        Task::Check => check(stage),
        Task::Compact => compact(stage),
        Task::Salvage { into } => salvage(into, stage),
        Task::Path => Ok(writeln!(stage.out, "{}", stage.archive_folder().display())?),
    }
}
