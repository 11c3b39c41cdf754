//! `evenhand import FILE…`: results of other tools into the archive. What is wrong with one file does not keep the
//! others out.

use crate::{Failure, Stage};
use clap::Args;
use evenhand_archive::{Added, Archive};
use evenhand_formats::import::{self, FORMATS, Format, ImportError, Problem};
use evenhand_report::plain::plain;
use evenhand_trial::words::counted;
use evenhand_trial::{Origin, Trial};
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Files of results, or folders of them; `-` is standard input
    #[arg(required_unless_present = "formats", value_name = "FILE")]
    files: Vec<OsString>,
    /// Read as this format instead of recognising it
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Give the trial this name; with several files, each gets it with a number
    #[arg(long, value_name = "NAME")]
    label: Option<String>,
    /// List the formats
    #[arg(long)]
    formats: bool,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    if arguments.formats {
        for format in FORMATS {
            writeln!(stage.out, "{format}")?;
        }
        return Ok(());
    }
    let mut archive = stage.archive_to_write()?;
    let mut all_well = true;
    let mut taken = 0_usize;
    for found in arguments.files.iter().flat_map(|file| results_in(file, arguments.format, stage)) {
        let trials = match found {
            Ok(trials) => trials,
            Err(error) => {
                all_well = false;
                writeln!(stage.err, "evenhand: {}", plain(&error.to_string()))?;
                continue;
            }
        };
        for mut trial in trials {
            taken += 1;
            if let Some(label) = &arguments.label {
                trial.label = Some(if taken == 1 { label.clone() } else { format!("{label} {taken}") });
            }
            keep(&trial, &mut archive, stage)?;
        }
    }
    if all_well { Ok(()) } else { Err(Failure::AlreadyTold) }
}

type Found = Result<Vec<Trial>, ImportError>;

/// The results under a path: a file, a tool's folder, or any folder, searched file by file.
fn results_in(said: &OsString, format: Option<Format>, stage: &Stage<'_>) -> Vec<Found> {
    if said == "-" {
        return vec![import::import(std::io::stdin().lock(), "standard input", format).map(|trial| vec![trial])];
    }
    let path = stage.path(said);
    if !path.is_dir() {
        return vec![import::import_path(&path, format)];
    }
    match import::import_path(&path, format) {
        Ok(trials) => vec![Ok(trials)],
        Err(_) => in_folder(&path, format),
    }
}

/// Every recognised file of a folder that is no tool's own; files that nothing recognises are passed over.
fn in_folder(folder: &Path, format: Option<Format>) -> Vec<Found> {
    let mut found = Vec::new();
    for path in files_below(folder) {
        match import::import_path(&path, format) {
            Err(ImportError { problem: Problem::Unrecognised | Problem::Empty, .. }) => {}
            result => found.push(result),
        }
    }
    if found.is_empty() {
        let file = folder.display().to_string();
        found.push(Err(ImportError { file, format: None, problem: Problem::Nothing }));
    }
    found
}

/// The files below a folder in the order of their names; links to folders are not followed.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(_) => files.push(entry.path()),
                Err(_) => {}
            }
        }
    }
    files.retain(|path| path.is_file());
    files.sort();
    files
}

fn keep(trial: &Trial, archive: &mut Archive, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let known = match archive.add(trial)? {
        Added::New => "",
        Added::AlreadyThere => "  (was there already)",
    };
    let samples = match trial.sample_count() {
        0 => "figures only".to_owned(),
        count => counted(count, "sample"),
    };
    let file = match &trial.origin {
        Origin::Imported { format, file, .. } => format!("{format}  {file}"),
        _ => "evenhand".to_owned(),
    };
    writeln!(
        stage.out,
        "{}  {}, {samples}  {}{known}",
        trial.id.short(),
        counted(trial.arms.len(), "arm"),
        plain(&file)
    )?;
    Ok(())
}
