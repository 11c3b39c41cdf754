//! Which trials shall be looked at, against what, and how sure? What `analyze` and `report` ask alike.
//!
//! Tests: `tests/program/`.

use crate::percent::percent;
use crate::{CliError, Stage};
use clap::Args;
use evenhand_analysis::{Analysis, Decides, ErrorRule, Settings, analyse};
use evenhand_formats::import::Format;
use evenhand_trial::Trial;
use std::ffi::OsString;

#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Trials by id, label, `@last` or `@last~1`, or files and folders of results; `-` is standard
    /// input. Several are compared with the first, as unpaired
    #[arg(required = true, value_name = "TRIAL|FILE")]
    pub trials: Vec<OsString>,
    /// Use this command or benchmark as the baseline instead of the first of each group
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// Decide on this metric instead of the first; repeatable
    #[arg(long, value_name = "NAME")]
    metric: Vec<String>,
    /// The smallest change worth acting on, in percent [default: 1]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Confidence level in percent [default: 99]
    #[arg(long, value_name = "PERCENT", value_parser = percent, allow_negative_numbers = true)]
    confidence: Option<f64>,
    /// Decide on the mean or a percentile such as P99, instead of the typical round
    #[arg(long, value_name = "WHAT")]
    at: Option<Decides>,
    /// Rule for the error of a mean, such as kolaczkowski
    #[arg(long, value_name = "RULE")]
    mean_error: Option<ErrorRule>,
}

impl Selection {
    /// The trial, or all of them beside each other, and what is claimed of it at these percentiles.
    pub(crate) fn analysed(
        &self,
        format: Option<Format>,
        percentiles: Option<&[f64]>,
        stage: &Stage<'_>,
    ) -> Result<(Trial, Analysis), CliError> {
        self.refuse_impossible()?;
        let trial = beside_each_other(stage.trials(&self.trials, format)?)?;
        let mut settings = self.settings(&trial)?;
        if let Some(percentiles) = percentiles {
            settings.percentiles = percentiles.to_vec();
        }
        let analysis = analyse(&trial, &settings).map_err(CliError::new)?;
        Ok((trial, analysis))
    }

    /// What only the command line can get wrong: percent that are none.
    fn refuse_impossible(&self) -> Result<(), CliError> {
        match self.confidence.filter(|percent| !(50.0..100.0).contains(percent)) {
            Some(confidence) => Err(CliError::new(format_args!(
                "--confidence must be at least 50 and below 100 percent, not {confidence}"
            ))),
            None => Ok(()),
        }
    }

    /// What was asked for; what was not, as the trial was measured with.
    fn settings(&self, trial: &Trial) -> Result<Settings, CliError> {
        let mut settings = Settings::of_plan(&trial.plan).map_err(CliError::new)?;
        settings.baseline.clone_from(&self.baseline);
        if !self.metric.is_empty() {
            settings.metrics.clone_from(&self.metric);
        }
        if let Some(percent) = self.margin {
            settings.margin_percent = percent;
        }
        if let Some(percent) = self.confidence {
            settings.confidence = percent / 100.0;
        }
        if let Some(at) = self.at {
            settings.at = at;
        }
        if let Some(rule) = self.mean_error {
            settings.mean_error = rule;
        }
        Ok(settings)
    }
}

fn beside_each_other(mut trials: Vec<(String, Trial)>) -> Result<Trial, CliError> {
    match trials.len() {
        1 => Ok(trials.remove(0).1),
        _ => Trial::join(trials).map_err(CliError::new),
    }
}
