//! How shall a trial be analysed? Margin, confidence, which metrics, which baseline.
//!
//! Tests: `tests/analysis.rs`.

use evenhand_stats::level::mean_error::MeanErrorRule;
use evenhand_stats::percentile::DEFAULT_PERCENTILES;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::mean_and_tails::Shares;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_trial::Plan;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// What an analysis depends on beside the trial. The same trial and settings give the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The smallest change worth acting on, in percent.
    pub margin_percent: f64,
    /// How sure a verdict shall be, such as 0.99.
    pub confidence: f64,
    /// The metrics that a verdict is wanted on; none: the first that was measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// The arm that the others are compared with, instead of the first of each group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// What decides: the typical round, the mean, or a percentile.
    #[serde(skip_serializing_if = "Decides::is_usual")]
    pub at: Decides,
    /// The percentiles to print, 0 to 100.
    pub percentiles: Vec<f64>,
    /// How the error of a mean is estimated.
    pub mean_error: ErrorRule,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            margin_percent: 1.0,
            confidence: 0.99,
            metrics: Vec::new(),
            baseline: None,
            at: Decides::default(),
            percentiles: DEFAULT_PERCENTILES.to_vec(),
            mean_error: ErrorRule::default(),
        }
    }
}

impl Settings {
    /// The settings that a trial was measured with, where its plan names them; the usual ones elsewhere.
    ///
    /// # Errors
    /// A setting of the plan that is none.
    pub fn of_plan(plan: &Plan) -> Result<Self, SettingsError> {
        let at = meant("at", plan.at.as_deref())?;
        for name in ["confidence", "margin"] {
            plan.given.get(name).map_or(Ok(()), |text| Err(no_value(name, text)))?;
        }
        let mean_error = meant("mean-error", plan.mean_error.as_deref())?;
        let usual = Self::default();
        Ok(Self {
            margin_percent: plan.margin_percent.unwrap_or(usual.margin_percent),
            confidence: plan.confidence_percent.map_or(usual.confidence, |percent| percent / 100.0),
            metrics: plan.metrics.clone(),
            at: at.unwrap_or(usual.at),
            mean_error: mean_error.unwrap_or(usual.mean_error),
            ..usual
        })
    }

    /// The error rate: 0.01 for 99 % confidence.
    pub fn alpha(&self) -> f64 {
        1.0 - self.confidence
    }

    /// The part of it for the verdict on the typical round; the rest is for the mean and the tails.
    pub fn alpha_of_typical(&self) -> f64 {
        Shares::TYPICAL * self.alpha()
    }

    /// The margin as the verdict needs it.
    ///
    /// # Errors
    /// It is none.
    pub fn margin(&self) -> Result<Margin, SettingsError> {
        Margin::percent(self.margin_percent).ok_or_else(|| {
            SettingsError(format!(
                "the margin must be at least 0 % and below 100 %, not {} %",
                self.margin_percent
            ))
        })
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        self.margin()?;
        // A confidence below the rounding of 1 leaves an error rate of 1, which is none either.
        if !(self.confidence > 0.0 && self.confidence < 1.0 && self.alpha() < 1.0) {
            return Err(SettingsError(format!(
                "the confidence must be between 0 and 1, such as 0.99, not {}",
                self.confidence
            )));
        }
        match self.percentiles.iter().find(|percent| !(0.0..=100.0).contains(*percent)) {
            Some(percent) => {
                Err(SettingsError(format!("a percentile must be between 0 and 100, not {percent}")))
            }
            None => Ok(()),
        }
    }
}

/// What a name in the plan means.
fn meant<T: FromStr>(setting: &str, name: Option<&str>) -> Result<Option<T>, SettingsError> {
    name.map(|name| name.parse().map_err(|_| no_value(setting, name))).transpose()
}

fn no_value(setting: &str, text: &str) -> SettingsError {
    SettingsError(format!("the trial's plan says {setting} = \"{}\"", text.escape_debug()))
}

/// Why an analysis was refused: a setting that cannot be met, in words.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct SettingsError(pub String);

/// What decides, by its name on the command line: `mean`, `P99`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Decides(pub At);

impl Decides {
    fn is_usual(&self) -> bool {
        self.0 == At::Typical
    }
}

impl fmt::Display for Decides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Decides {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

impl From<Decides> for String {
    fn from(decides: Decides) -> Self {
        decides.to_string()
    }
}

impl TryFrom<String> for Decides {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// A rule for the error of a mean, by its name on the command line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ErrorRule(pub MeanErrorRule);

const ERROR_RULES: [(&str, MeanErrorRule); 9] = [
    ("evident-memory", MeanErrorRule::EvidentMemory),
    ("prewhitened-cosine", MeanErrorRule::PrewhitenedCosine),
    ("naive", MeanErrorRule::Naive),
    ("kolaczkowski", MeanErrorRule::Kolaczkowski),
    ("newey-west", MeanErrorRule::NeweyWestAndrews),
    ("cosine", MeanErrorRule::EqualWeightedCosine),
    ("batch-means", MeanErrorRule::BatchMeans),
    ("latte", MeanErrorRule::LatteNow),
    ("autoregressive", MeanErrorRule::Autoregressive),
];

impl fmt::Display for ErrorRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(ERROR_RULES.iter().find(|(_, rule)| *rule == self.0).map_or("", |(name, _)| name))
    }
}

impl FromStr for ErrorRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        ERROR_RULES.iter().find(|(name, _)| *name == text).map(|(_, rule)| Self(*rule)).ok_or_else(|| {
            let names: Vec<&str> = ERROR_RULES.iter().map(|(name, _)| *name).collect();
            format!(
                "no rule \"{}\" for the error of a mean: choose one of {}",
                text.escape_debug(),
                names.join(", ")
            )
        })
    }
}

impl Serialize for ErrorRule {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ErrorRule {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
