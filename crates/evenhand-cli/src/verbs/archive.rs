//! `evenhand archive check|compact|salvage`: is the archive whole, can it be smaller, and what is left of a damaged
//! one?

use crate::{CliError, Stage};
use clap::{Args, Subcommand};
use evenhand_analysis::words::{counted, quantity};
use evenhand_archive::{Archive, ArchiveError};
use evenhand_report::plain::plain;
use evenhand_trial::Unit;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand archive check                          verify every checksum
  evenhand archive salvage rescued                copy what can be read to a new archive
  evenhand list --archive rescued")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Read everything and verify its checksums
    Check,
    /// Free the disk space of removed trials
    Compact,
    /// Copy what can be read of a damaged archive to a new one
    Salvage {
        /// Folder for the new archive; it must not hold one yet
        #[arg(value_name = "DIRECTORY")]
        into: PathBuf,
    },
    /// Print the archive's folder
    Path,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    match &arguments.task {
        Task::Check => check(stage),
        Task::Compact => compact(stage),
        Task::Salvage { into } => salvage(into, stage),
        Task::Path => Ok(writeln!(stage.out, "{}", stage.archive_folder()?.display())?),
    }
}

fn check(stage: &mut Stage<'_>) -> Result<(), CliError> {
    let archive = stage.archive_to_read()?;
    let report = archive.check()?;
    for problem in &report.problems {
        writeln!(stage.out, "{}", plain(&problem.to_string()))?;
    }
    let looked_at = format!(
        "checked {}, {}, {} in {}",
        counted(report.trials as usize, "trial"),
        counted(report.samples as usize, "sample"),
        counted(report.journals as usize, "journal"),
        archive.dir().display()
    );
    if report.is_whole() {
        writeln!(stage.out, "no damage: {looked_at}")?;
        return Ok(());
    }
    Err(CliError::new(format_args!(
        "{} damaged (listed above): {looked_at}. `evenhand archive salvage NEW_DIRECTORY` copies what can be read and \
         leaves this one unchanged",
        counted(report.problems.len(), "thing")
    )))
}

fn compact(stage: &mut Stage<'_>) -> Result<(), CliError> {
    let (before, after) = stage.archive_to_change()?.compact()?;
    let in_words = |bytes: u64| quantity(bytes as f64, &Unit::bytes());
    writeln!(stage.out, "{} before, {} now", in_words(before), in_words(after))?;
    Ok(())
}

/// Says of every trial what was saved; ends as a failure when something could not be.
fn salvage(into: &Path, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let from = stage.archive_folder()?;
    if !matches!(Archive::open_read_only(into), Err(ArchiveError::NoArchive { .. })) {
        return Err(CliError::new(format_args!(
            "{} already holds an archive: name a new folder",
            into.display()
        )));
    }
    let report = evenhand_archive::salvage::salvage(&from, into)?;
    for saved in &report.saved {
        writeln!(stage.out, "{}  {}", saved.id.short(), counted(saved.samples as usize, "sample"))?;
        for lost in &saved.lost {
            writeln!(stage.out, "          lost: {}", plain(lost))?;
        }
    }
    for lost in &report.lost {
        writeln!(stage.out, "lost: {}", plain(lost))?;
    }
    let in_part = report.saved.iter().filter(|saved| !saved.lost.is_empty()).count();
    let whole = counted(report.saved.len() - in_part, "trial");
    writeln!(stage.out, "{whole} saved whole and {in_part} in part, in {}", into.display())?;
    if report.lost.is_empty() && in_part == 0 { Ok(()) } else { Err(CliError::AlreadyReported) }
}
