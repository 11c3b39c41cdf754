//! `evenhand analyze TRIAL|FILE…`: what do they show? One is analysed by itself; several are laid beside each other.

use crate::percent::percentile;
use crate::selection::Selection;
use crate::verbs::export::folder_is_there;
use crate::verbs::report;
use crate::{CliError, Stage};
use clap::Args;
use evenhand_analysis::Analysis;
use evenhand_formats::import::Format;
use evenhand_report::claims::Claims;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand analyze @last                        show the newest trial
  evenhand analyze old.json new.json            compare two files, without importing them
  evenhand analyze @last --percentiles 50,99    also percentiles
  evenhand analyze @last --json                 print JSON for other programs")]
pub(crate) struct Arguments {
    #[command(flatten)]
    selection: Selection,
    /// Print these percentiles of both sides and their ratio, such as 50,95,99
    #[arg(long, value_name = "LIST", value_parser = percentile, value_delimiter = ',')]
    percentiles: Option<Vec<f64>>,
    /// Also print minima and means, with the paired z-test of their difference and what it assumes
    #[arg(long)]
    mean: bool,
    /// Print every warning, remark and table
    #[arg(long, short)]
    verbose: bool,
    /// Read files as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Print the whole analysis as JSON
    #[arg(long)]
    json: bool,
    /// Also write the report page as HTML
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    arguments.export_html.as_deref().map_or(Ok(()), folder_is_there)?;
    let percentiles = arguments.percentiles.as_deref();
    let (trial, analysis) = arguments.selection.analysed(arguments.from, percentiles, stage)?;
    print(&analysis, arguments, stage)?;
    arguments.export_html.as_deref().map_or(Ok(()), |file| report::write(file, &trial, &analysis))
}

fn print(analysis: &Analysis, arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    if arguments.json {
        serde_json::to_writer(&mut *stage.out, analysis).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let claims = Claims {
        analysis,
        layout: stage.world.layout(),
        verbose: arguments.verbose,
        percentiles: arguments.percentiles.is_some(),
        means: arguments.mean,
    };
    write!(stage.out, "{claims}")?;
    Ok(())
}
