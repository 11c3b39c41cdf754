//! `evenhand export TRIAL`: a trial for other programs to read.

use crate::{CliError, Stage};
use clap::Args;
use evenhand_formats::export::{self, Format};
use evenhand_formats::import;
use evenhand_trial::Trial;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand export @last -o last.csv                     one row per sample
  evenhand export @last --to hyperfine                  for scripts that read hyperfine's JSON
  evenhand export results/old.json -o old.om            convert a file")]
pub(crate) struct Arguments {
    /// A trial by id, label, `@last` or `@last~1`, or a file of results; `-` is standard input
    #[arg(value_name = "TRIAL|FILE")]
    trial: OsString,
    /// Format to write [default: by the extension of --output, else json]
    #[arg(long, value_name = "FORM")]
    to: Option<Format>,
    /// Read a file of results as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<import::Format>,
    /// Write to FILE instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let format = form(arguments)?;
    let trial = the_one(arguments, stage)?;
    match &arguments.output {
        Some(file) => {
            folder_is_there(file)?;
            export::write_file(file, |out| export::export(&trial, format, out)).map_err(CliError::new)
        }
        None => export::export(&trial, format, &mut *stage.out).map_err(as_cli_error),
    }
}

/// Said before anything is written, or measured for nothing.
pub(crate) fn folder_is_there(file: &Path) -> Result<(), CliError> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => Err(CliError::new(
            format_args!("{}: no folder {}: create it first", file.display(), folder.display()),
        )),
        _ => Ok(()),
    }
}

fn form(arguments: &Arguments) -> Result<Format, CliError> {
    let Some(file) = &arguments.output else { return Ok(arguments.to.unwrap_or(Format::Json)) };
    arguments.to.or_else(|| Format::of_path(file)).ok_or_else(|| {
        let names: Vec<&str> = export::FORMATS.iter().map(|format| format.name()).collect();
        CliError::new(format_args!(
            "{}: the extension names no known format: add --to with one of {}",
            file.display(),
            names.join(", ")
        ))
    })
}

fn the_one(arguments: &Arguments, stage: &Stage<'_>) -> Result<Trial, CliError> {
    let mut trials = stage.trials(std::slice::from_ref(&arguments.trial), arguments.from)?;
    if trials.len() > 1 {
        let names: Vec<String> = trials.into_iter().map(|(name, _)| name).collect();
        return Err(CliError::new(format_args!(
            "{} trials in this file ({}): import it, then export one by its id",
            names.len(),
            names.join(", ")
        )));
    }
    Ok(trials.remove(0).1)
}

fn as_cli_error(error: export::ExportError) -> CliError {
    match error {
        export::ExportError::Write(error) => CliError::Output(error),
        other => CliError::new(other),
    }
}
