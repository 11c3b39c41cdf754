//! `evenhand report TRIAL…`: one page that shows everything, for a browser; or a table for a pull request.

use crate::selection::Selection;
use crate::verbs::export::folder_is_there;
use crate::{CliError, Stage};
use clap::{Args, ValueEnum};
use evenhand_analysis::Analysis;
use evenhand_formats::export::write_file;
use evenhand_formats::import;
use evenhand_report::markdown::{Markdown, Place};
use evenhand_report::page::Page;
use evenhand_report::plain::plain;
use evenhand_trial::Trial;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand report @last --open                         open the newest trial in the browser
  evenhand report @last -o report.html                 write one self-contained file
  evenhand report old.json new.json -o report.html     compare two files of results
  evenhand report @last --to markdown                  for a pull request
  evenhand report @last --to github >> \"$GITHUB_STEP_SUMMARY\"")]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// What to write
    #[arg(long, value_name = "FORM", default_value = "html")]
    to: Form,
    /// Write to FILE [default: report-ID.html; Markdown goes to standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    /// Read files as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<import::Format>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Self-contained page with every sample
    Html,
    /// Verdicts, with the details folded, within the size of a GitHub comment
    Markdown,
    /// Same, within the size of a GitHub step summary
    Github,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    if arguments.open && arguments.to != Form::Html {
        return Err(CliError::new("--open needs a page: omit --to or --open"));
    }
    if let Some(file) = &arguments.output {
        folder_is_there(file)?;
    }
    let (trial, analysis) = arguments.selection.analysed(arguments.from, None, stage)?;
    let place = match arguments.to {
        Form::Html => return page(arguments, &trial, &analysis, stage),
        Form::Markdown => Place::Comment,
        Form::Github => Place::StepSummary,
    };
    match &arguments.output {
        Some(file) => write_markdown(file, &analysis, place),
        None => Ok(write!(stage.out, "{}", Markdown { analysis: &analysis, place })?),
    }
}

fn page(
    arguments: &Arguments,
    trial: &Trial,
    analysis: &Analysis,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    if arguments.output.as_deref() == Some(Path::new("-")) {
        return Ok(written_by_us(trial, analysis).write(&mut *stage.out)?);
    }
    let named = PathBuf::from(format!("report-{}.html", trial.id.short()));
    let file = arguments.output.as_ref().unwrap_or(&named);
    write(file, trial, analysis)?;
    writeln!(stage.out, "{}", plain(&file.display().to_string()))?;
    if arguments.open { open(file) } else { Ok(()) }
}

fn written_by_us<'a>(trial: &'a Trial, analysis: &'a Analysis) -> Page<'a> {
    Page { trial, analysis, written_by: concat!("evenhand ", env!("CARGO_PKG_VERSION")) }
}

/// Writes the page to a file.
pub(crate) fn write(file: &Path, trial: &Trial, analysis: &Analysis) -> Result<(), CliError> {
    write_file(file, |out| Ok(written_by_us(trial, analysis).write(out)?)).map_err(CliError::new)
}

/// Writes the table for a pull request to a file.
pub(crate) fn write_markdown(file: &Path, analysis: &Analysis, place: Place) -> Result<(), CliError> {
    let markdown = Markdown { analysis, place };
    write_file(file, |out| Ok(write!(out, "{markdown}")?)).map_err(CliError::new)
}

/// Hands the file to what the user's desktop shows pages with.
fn open(file: &Path) -> Result<(), CliError> {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let file = std::path::absolute(file)?;
    let shown = Command::new(opener)
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if shown {
        return Ok(());
    }
    Err(CliError::new(format_args!("{opener} failed: open {} in a browser yourself", file.display())))
}
