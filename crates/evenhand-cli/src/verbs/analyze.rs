//! `evenhand analyze TRIAL|FILE…`: what do they show? One is analysed by itself; several are laid beside each other.

use crate::percent::{percent, percentile};
use crate::{Failure, Stage};
use clap::Args;
use evenhand_formats::import::Format;
use evenhand_report::claims::Claims;
use evenhand_trial::Trial;
use evenhand_trial::analysis::{Analysis, ErrorRule, Settings, analyse};
use std::ffi::{OsStr, OsString};
use std::path::Path;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand analyze @last                        the newest trial
  evenhand analyze old.json new.json            two files against each other, without keeping them
  evenhand analyze @last --percentiles=50,99    the slow ends too
  evenhand analyze @last --json                 for another program")]
pub(crate) struct Arguments {
    /// Trials by id, label, `@last` or `@last~1`; or files and folders of results, `-` being
    /// standard input. Several are compared with the first, as unpaired
    #[arg(required = true, value_name = "TRIAL|FILE")]
    trials: Vec<OsString>,
    /// Compare with this arm instead of the first of each group
    #[arg(long, value_name = "ARM")]
    baseline: Option<String>,
    /// Decide on this metric instead of the first; may be given several times
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,
    /// The smallest change worth acting on, in percent [default: 1]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// How sure the verdict shall be, in percent [default: 99]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    confidence: Option<f64>,
    /// Print these percentiles of both arms and their ratio, such as 50,95,99
    #[arg(long, value_name = "LIST", value_parser = percentile, value_delimiter = ',', num_args = 0..,
          require_equals = true)]
    percentiles: Option<Vec<f64>>,
    /// How the error of a mean is estimated, such as kolaczkowski
    #[arg(long, value_name = "RULE")]
    mean_error: Option<ErrorRule>,
    /// Read files as this format instead of recognising it
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print the whole analysis as JSON and nothing else
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    refuse_impossible(arguments)?;
    let trials = stage.trials(&arguments.trials, arguments.format)?;
    let trial = beside_each_other(trials)?;
    let analysis = analyse(&trial, &settings(arguments, &trial)?).map_err(Failure::new)?;
    print(&analysis, arguments, stage)
}

/// What only the command line can get wrong: percent that are none, and a list that clap takes for a trial.
fn refuse_impossible(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(confidence) = arguments.confidence.filter(|percent| !(50.0..100.0).contains(percent)) {
        return Err(Failure::new(format_args!(
            "--confidence is in percent, from 50 to below 100, such as 99, not {confidence}"
        )));
    }
    let empty = arguments.percentiles.as_ref().is_some_and(Vec::is_empty);
    if let Some(list) = arguments.trials.iter().find(|word| empty && is_list(word)) {
        let list = list.to_string_lossy();
        return Err(Failure::new(format_args!(
            "the percentiles follow an equals sign: --percentiles={list}"
        )));
    }
    Ok(())
}

/// Numbers with commas that are no file.
fn is_list(word: &OsStr) -> bool {
    let is_number = |text: &str| percentile(text).is_ok();
    !Path::new(word).exists() && word.to_str().is_some_and(|word| word.split(',').all(is_number))
}

fn beside_each_other(mut trials: Vec<(String, Trial)>) -> Result<Trial, Failure> {
    match trials.len() {
        1 => Ok(trials.remove(0).1),
        _ => Trial::join(trials).map_err(Failure::new),
    }
}

/// What was asked for; what was not, as the trial was measured with.
fn settings(arguments: &Arguments, trial: &Trial) -> Result<Settings, Failure> {
    let mut settings = Settings::of_plan(&trial.plan).map_err(Failure::new)?;
    settings.baseline.clone_from(&arguments.baseline);
    if !arguments.metric.is_empty() {
        settings.metrics.clone_from(&arguments.metric);
    }
    if let Some(percent) = arguments.margin {
        settings.margin_percent = percent;
    }
    if let Some(percent) = arguments.confidence {
        settings.confidence = percent / 100.0;
    }
    if let Some(rule) = arguments.mean_error {
        settings.mean_error = rule;
    }
    if let Some(percentiles) = arguments.percentiles.as_ref().filter(|list| !list.is_empty()) {
        settings.percentiles.clone_from(percentiles);
    }
    Ok(settings)
}

fn print(analysis: &Analysis, arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    if arguments.json {
        serde_json::to_writer(&mut *stage.out, analysis).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let claims =
        Claims { analysis, layout: stage.world.layout(), percentiles: arguments.percentiles.is_some() };
    write!(stage.out, "{claims}")?;
    Ok(())
}
