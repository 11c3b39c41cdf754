//! `evenhand experiment NAME`: does what an article says of timings hold on this machine?

use crate::verbs::export::folder_is_there;
use crate::verbs::report;
use crate::{Failure, Stage};
use clap::{Args, ValueEnum};
use evenhand_experiments::{Size, log_normal, paired, percentiles, sampling, uncertainty};
use evenhand_formats::export::{self, Format};
use evenhand_trial::Trial;
use evenhand_trial::analysis::{Settings, analyse};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand experiment log-normal            are timings normally distributed? (a minute)
  evenhand experiment log-normal --whole    with runs as long as the article's
  evenhand experiment percentiles           what does a median hide? (a minute)
  evenhand experiment uncertainty           what is the error of a mean worth? (two minutes)
  evenhand experiment sampling              few iterations in a sample, or many? (a minute)
  evenhand experiment paired --export-html paired.html      a page with all that was measured
  evenhand experiment paired                does it help to measure in pairs? (seconds)")]
pub(crate) struct Arguments {
    /// Which experiment
    name: Name,
    /// As large as in the article
    #[arg(long)]
    whole: bool,
    /// As small as can be: to see that it works
    #[arg(long, conflicts_with = "whole")]
    tiny: bool,
    /// Write a page with all that was measured, for a browser
    #[arg(long, value_name = "FILE")]
    export_html: Option<PathBuf>,
    /// Write all that was measured as a trial
    #[arg(long, value_name = "FILE")]
    export_json: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// Lemire 2023: the times of walks through memory, 1 to 40 at once
    LogNormal,
    /// BenchmarkDotNet 2016: delays that are constant, random and rare
    Percentiles,
    /// Kołaczkowski 2020: the error of a mean latency, of a small server, and of PostgreSQL where it is installed
    Uncertainty,
    /// Vaskovic 2018: one to 1024 iterations in a sample, beside ever more busy processes
    Sampling,
    /// Bazhenov 2023: ways to count characters, in pairs and one after the other
    Paired,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let size = match (arguments.tiny, arguments.whole) {
        (true, _) => Size::Tiny,
        (_, true) => Size::Whole,
        _ => Size::Usual,
    };
    [&arguments.export_html, &arguments.export_json]
        .into_iter()
        .flatten()
        .try_for_each(|file| folder_is_there(file))?;
    let err = &mut *stage.err;
    // Where nobody reads what is told of the progress, the experiment goes on.
    let mut tell = |what: &str| drop(writeln!(err, "evenhand: {what}"));
    let (sheet, trial) = match arguments.name {
        Name::LogNormal => {
            let seen = log_normal::measure(log_normal::Plan::of(size), &mut tell);
            (seen.sheet(), seen.trial())
        }
        Name::Percentiles => {
            let seen = percentiles::measure(percentiles::Plan::of(size), &mut tell);
            (seen.sheet(), seen.calls)
        }
        Name::Uncertainty => {
            let plan = uncertainty::Plan::of(size);
            let seen = uncertainty::measure(plan, &mut tell).map_err(|error| {
                Failure::new(format_args!(
                    "the experiment needs a server on 127.0.0.1, which cannot be: {error}"
                ))
            })?;
            (seen.sheet(), seen.trial())
        }
        Name::Sampling => {
            let plan = sampling::Plan::of(size);
            let loads = sampling::measure(&plan, &mut tell);
            (sampling::sheet(&plan, &loads), sampling::trial(&loads))
        }
        Name::Paired => {
            let seen = paired::measure(paired::Plan::of(size), &mut tell);
            (seen.sheet(), seen.trial())
        }
    };
    write!(stage.out, "{}", sheet.shown(stage.world.layout()))?;
    export_all(arguments, &trial)
}

fn export_all(arguments: &Arguments, trial: &Trial) -> Result<(), Failure> {
    if let Some(file) = &arguments.export_json {
        export::write_file(file, |out| export::export(trial, Format::Json, out)).map_err(Failure::new)?;
    }
    if let Some(file) = &arguments.export_html {
        let analysis = analyse(trial, &Settings::default()).map_err(Failure::new)?;
        report::write(file, trial, &analysis)?;
    }
    Ok(())
}
