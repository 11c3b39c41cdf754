//! `evenhand import FILE…`: results of other tools into the archive. What is wrong with one file does not keep the
//! others out.

use crate::{Failure, Stage};
use clap::Args;
use evenhand_archive::{Archive, ArchiveError};
use evenhand_formats::import::{self, FORMATS, Format, ImportError, Problem};
use evenhand_report::plain::plain;
use evenhand_trial::words::counted;
use evenhand_trial::{Origin, Trial};
use std::ffi::{OsStr, OsString};
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
    let sources: Vec<Source> =
        arguments.files.iter().flat_map(|said| files_of(said, arguments.format)).collect();
    for source in &sources {
        let trials = match read(source, arguments.format) {
            Ok(trials) => trials,
            Err(Skip::Silently) => continue,
            Err(Skip::Saying(error)) => {
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
    if all_well && taken == 0 {
        return Err(Failure::new(
            "no file in there holds results of a known format; `evenhand import --formats` lists them",
        ));
    }
    if all_well { Ok(()) } else { Err(Failure::AlreadyTold) }
}

/// Something to read: one trial at a time is held, however many files there are.
enum Source {
    StandardInput,
    /// A file or a tool's own folder that the user named.
    Named(PathBuf),
    /// A file found in a folder: passed over if it holds no results.
    Found(PathBuf),
}

/// Why nothing came of a file.
enum Skip {
    Silently,
    Saying(ImportError),
}

/// What the user's word stands for: a file, a tool's own folder, or any folder, searched file by file.
fn files_of(said: &OsStr, format: Option<Format>) -> Vec<Source> {
    if said == "-" {
        return vec![Source::StandardInput];
    }
    let path = PathBuf::from(said);
    if !path.is_dir() || import::is_results_folder(&path, format) {
        return vec![Source::Named(path)];
    }
    files_below(&path, format)
}

fn read(source: &Source, format: Option<Format>) -> Result<Vec<Trial>, Skip> {
    let trials = match source {
        Source::StandardInput => {
            import::import(std::io::stdin().lock(), "standard input", format).map(|trial| vec![trial])
        }
        Source::Named(path) | Source::Found(path) => import::import_path(path, format),
    };
    trials.map_err(|error| match (source, &error.problem) {
        (Source::Found(_), Problem::Unrecognised | Problem::Empty) => Skip::Silently,
        _ => Skip::Saying(error),
    })
}

/// The files below a folder, and the folders of tools, in the order of their names; links to folders are not followed.
fn files_below(folder: &Path, format: Option<Format>) -> Vec<Source> {
    let mut sources = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && import::is_results_folder(&path, format) => sources.push(path),
                Ok(kind) if kind.is_dir() => folders.push(path),
                Ok(_) if path.is_file() => sources.push(path),
                _ => {}
            }
        }
    }
    sources.sort();
    sources.into_iter().map(Source::Found).collect()
}

fn keep(trial: &Trial, archive: &mut Archive, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let known = match archive.add(trial) {
        Ok(()) => "",
        Err(ArchiveError::Exists { .. }) => "  (was there already)",
        Err(error) => return Err(error.into()),
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
