//! An analysis as another program reads it: from its JSON, where names stand for ids and sentences for facts.

use evenhand_analysis::{LayoutEffect, Settings};
use evenhand_stats::randomised::Word;
use evenhand_trial::{Trial, Unit};
use serde::{Deserialize, Deserializer};

/// Analyses a trial and reads what is written of it.
pub(crate) fn analyse(trial: &Trial, settings: &Settings) -> Result<Analysis, String> {
    let analysis = evenhand_analysis::analyse(trial, settings).map_err(|refused| refused.to_string())?;
    Ok(serde_json::from_str(&serde_json::to_string(&analysis).unwrap()).unwrap())
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Analysis {
    pub comparisons: Vec<Comparison>,
    pub suite: Option<Suite>,
    pub levels: Vec<Level>,
    pub warnings: Vec<Warning>,
    #[serde(default)]
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Comparison {
    pub baseline: String,
    pub candidate: String,
    #[serde(default)]
    pub group: String,
    #[serde(default)]
    pub control: bool,
    pub metric: String,
    pub unit: Unit,
    pub kind: Kind,
    #[serde(deserialize_with = "word")]
    pub verdict: Word,
    pub sentence: String,
    pub effect: Effect,
    pub confidence: f64,
    pub rounds: usize,
    pub launches: usize,
    pub seconds: Option<f64>,
    pub tail: Option<String>,
    pub needed: Option<u64>,
    pub within_launches: Option<Effect>,
    #[serde(default)]
    pub launch_effects: Vec<f64>,
    pub layouts: Option<LayoutEffect>,
    pub ln_e_value: Option<f64>,
    pub change_in_suite: Option<bool>,
    #[serde(default)]
    pub percentiles: Vec<ScaledPercentile>,
    pub mean: Option<MeanComparison>,
    #[serde(default)]
    pub assumptions: Vec<String>,
    #[serde(default)]
    pub limits: Vec<String>,
}

fn word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
    const WORDS: [Word; 6] =
        [Word::Slower, Word::Faster, Word::Same, Word::SlightlySlower, Word::SlightlyFaster, Word::Unclear];
    let text = String::deserialize(deserializer)?;
    Ok(WORDS.into_iter().find(|word| word.to_string() == text).unwrap())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Paired,
    Unpaired,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Effect {
    pub estimate: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct ScaledPercentile {
    pub percent: f64,
    pub baseline: f64,
    pub candidate: f64,
    pub scaled: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct MeanComparison {
    pub baseline_min: f64,
    pub candidate_min: f64,
    pub baseline_mean: f64,
    pub candidate_mean: f64,
    pub difference: f64,
    pub difference_percent: f64,
    pub z: Option<f64>,
    pub change_detected: bool,
    pub without_excursions: Option<f64>,
    pub excursions: [usize; 2],
    pub equal_counts_p: f64,
    pub like_size_p: f64,
    pub pulled_by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Suite {
    pub metric: String,
    pub comparisons: usize,
    pub effect: Effect,
    pub sentence: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Level {
    pub arm: String,
    pub from: From,
    pub samples: u64,
    pub failed: u64,
    pub launches: usize,
    pub iterations: u64,
    #[serde(flatten)]
    pub figures: Figures,
    pub mean_error: Option<ErrorOfMean>,
    #[serde(default)]
    pub percentiles: Vec<Percentile>,
    pub distribution: Option<Distribution>,
    #[serde(default)]
    pub modes: Vec<Mode>,
    #[serde(default)]
    pub movements: Vec<Movement>,
    pub outliers: Option<Outliers>,
    pub lag1_autocorrelation: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum From {
    Samples,
    Histogram,
    Reported,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Figures {
    pub min: Option<f64>,
    pub mean: Option<f64>,
    pub median: Option<f64>,
    pub max: Option<f64>,
    pub sd: Option<f64>,
    pub iqr: Option<f64>,
    pub mad: Option<f64>,
    pub cv: Option<f64>,
    pub iqr_over_median: Option<f64>,
    pub mean_over_min: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct ErrorOfMean {
    pub half_width: Option<f64>,
    pub standard_error: f64,
    pub naive: f64,
    pub effective_samples: f64,
    pub inflation: f64,
    pub over_launches: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Percentile {
    pub percent: f64,
    pub value: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Distribution {
    pub better: String,
    pub normal_p: f64,
    pub log_normal_p: f64,
    pub bottom_sigma: f64,
    pub top_sigma: f64,
    pub sentence: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Mode {
    pub place: f64,
    pub share: f64,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Movement {
    pub kind: String,
    pub sample: usize,
    pub before: f64,
    pub after: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Outliers {
    pub low_fence: f64,
    pub high_fence: f64,
    pub below: usize,
    pub above: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct Warning {
    pub code: String,
    pub arm: Option<String>,
    pub message: String,
    pub advice: Option<String>,
}
