//! Is the candidate faster than the baseline? With a coin, from the rounds that both share; without one, from both
//! series, and then the answer says what it assumes.
//!
//! An effect here is candidate/baseline − 1, so 0.013 is 1.3 % slower. For a metric where more is better the two are
//! exchanged, so that "slower" always means "worse".
//!
//! Tests: `tests/analysis.rs`.

use super::gather::Index;
use super::layouts::LayoutLuck;
use super::settings::{Refused, Settings};
use super::{paired, sentence, unpaired};
use crate::{ArmId, Better, Metric, MetricId, Unit};
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::{LogRatio, Word};
use serde::{Deserialize, Serialize};

/// Candidate against baseline by one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The baseline's name.
    pub baseline: String,
    /// The candidate's name.
    pub candidate: String,
    /// Their group.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub group: String,
    /// The metric's name.
    pub metric: String,
    /// The metric's unit.
    pub unit: Unit,
    /// Which direction of the metric is good. A positive effect is always a worse candidate.
    pub better: Better,
    /// Whether a coin decided the order.
    pub kind: Kind,
    /// The verdict in a word: slower (worse), faster (better), same, slightly slower, slightly faster, unclear.
    #[serde(with = "word")]
    pub verdict: Word,
    /// The verdict in a sentence.
    pub sentence: String,
    /// Relative change, 0.01 = 1 % slower (worse).
    pub effect: Effect,
    /// How sure the interval is.
    pub confidence: f64,
    /// Rounds in which both were measured and that count for the verdict; without a coin 0.
    pub rounds: usize,
    /// Launches that the verdict rests on.
    pub launches: usize,
    /// How long the measurement took, if known.
    pub seconds: Option<f64>,
    /// What the tail says when it tells another story than the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
    /// How many rounds (or launches, when there are several) in all a final word would take at this rate; while the
    /// effect has no interval, the fewest with which a word is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<u64>,
    /// The interval inside the launches, when the verdict is over launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_launches: Option<Effect>,
    /// The effect of each launch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launch_effects: Vec<f64>,
    /// How much the order of the functions in the program is worth, where there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layouts: Option<LayoutLuck>,
    /// Natural logarithm of the e-value against "no difference"; only with a coin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ln_e_value: Option<f64>,
    /// Whether it may be called a change among all comparisons of the analysis; only with a coin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_in_suite: Option<bool>,
    /// The percentiles of both, and their ratio.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percentiles: Vec<ScaledPercentile>,
    /// Minima and means, and the paired z-test of the means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<MeanComparison>,
    /// What the verdict assumes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Why there is no more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
}

/// Whether a coin decided the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It did: the verdict is exact.
    Paired,
    /// It did not: the verdict assumes that nothing else changed.
    Unpaired,
}

/// A relative change with its interval. A missing end is not bounded yet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// The best single guess.
    pub estimate: Option<f64>,
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// The same percentile of both arms.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ScaledPercentile {
    /// 0 to 100.
    pub percent: f64,
    /// Of the baseline.
    pub baseline: f64,
    /// Of the candidate.
    pub candidate: f64,
    /// candidate / baseline.
    pub scaled: f64,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// Minima and means of both arms from the same rounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MeanComparison {
    /// Smallest number of the baseline.
    pub baseline_min: f64,
    /// Smallest number of the candidate.
    pub candidate_min: f64,
    /// Mean of the baseline.
    pub baseline_mean: f64,
    /// Mean of the candidate.
    pub candidate_mean: f64,
    /// Mean of candidate − baseline.
    pub difference: f64,
    /// The same in percent of the baseline's mean.
    pub difference_percent: f64,
    /// Its z; missing when the differences are all the same.
    pub z: Option<f64>,
    /// |z| reached 2.6.
    pub change_detected: bool,
    /// The same without the excursions that pair off, if the evidence says that they are the machine's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without_excursions: Option<f64>,
    /// Excursions below and above the fences.
    pub excursions: [usize; 2],
    /// Chance of counts as unequal.
    pub equal_counts_p: f64,
    /// Chance of sizes as different.
    pub like_size_p: f64,
    /// Which arm's outlying rounds pull the mean to the other side of no difference than the effect is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulled_by: Option<String>,
}

/// What a comparison is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub index: &'a Index<'a>,
    pub baseline: ArmId,
    pub candidate: ArmId,
    pub metric: MetricId,
    pub definition: &'a Metric,
    pub settings: &'a Settings,
}

impl Question<'_> {
    /// Cost per round: for a metric where more is better, the arms change places.
    pub(super) fn worse_is_positive<T>(&self, baseline: T, candidate: T) -> (T, T) {
        match self.definition.better {
            Better::Lower => (baseline, candidate),
            Better::Higher => (candidate, baseline),
        }
    }

    /// The smallest change worth acting on, 0.01 = 1 %.
    pub(super) fn margin(&self) -> f64 {
        self.settings.margin_percent / 100.0
    }

    fn blank(&self, kind: Kind) -> Comparison {
        let name = |arm| self.index.trial.arm(arm).map_or_else(String::new, |arm| arm.name.clone());
        Comparison {
            baseline: name(self.baseline),
            candidate: name(self.candidate),
            group: self.index.trial.arm(self.candidate).map_or_else(String::new, |arm| arm.group.clone()),
            metric: self.definition.name.clone(),
            unit: self.definition.unit.clone(),
            better: self.definition.better,
            kind,
            verdict: Word::Unclear,
            sentence: String::new(),
            effect: Effect::default(),
            confidence: self.settings.confidence,
            rounds: 0,
            launches: 0,
            seconds: self.index.trial.seconds.filter(|seconds| seconds.is_finite()),
            tail: None,
            needed: None,
            within_launches: None,
            launch_effects: Vec::new(),
            layouts: None,
            ln_e_value: None,
            change_in_suite: None,
            percentiles: Vec::new(),
            mean: None,
            assumptions: Vec::new(),
            limits: Vec::new(),
        }
    }
}

/// Compares two arms; paired where a coin was tossed between them. Every group has coins of its own, so there is none
/// between the arms of two groups.
pub(super) fn compare(question: &Question<'_>) -> Result<Comparison, Refused> {
    let trial = question.index.trial;
    let group = |arm| trial.arm(arm).map(|arm| &arm.group);
    let tossed = trial.schedule.is_some() && group(question.baseline) == group(question.candidate);
    let mut comparison = question.blank(if tossed { Kind::Paired } else { Kind::Unpaired });
    if tossed {
        paired::compare(question, &mut comparison)?;
    } else {
        unpaired::compare(question, &mut comparison)?;
    }
    comparison.sentence = sentence::verdict(&comparison, question.settings, question.index.one_group);
    Ok(comparison)
}

pub(super) fn no_ratio(question: &Question<'_>) -> String {
    let metric = question.definition.name.as_str();
    // The kernel counts these two in ticks, and few ticks are often none.
    let ticks = matches!(metric, "user" | "system") && question.index.trial.metric("cpu").is_some();
    let next = if ticks { "--metric cpu, both together" } else { "see the means of both" };
    format!("some samples of {metric} are 0 or below, so a ratio is not defined: {next}")
}

/// The effect, with its best guess even while no end of its interval is known.
pub(super) fn effect(look: Look) -> Effect {
    let Look::Interval(interval) = look else { return Effect::default() };
    Effect {
        estimate: Some(relative(interval.estimate)),
        low: interval.low.map(relative),
        high: interval.high.map(relative),
    }
}

/// A relative change that JSON can hold: two times may differ by more than a double says.
pub(super) fn relative(effect: LogRatio) -> f64 {
    effect.0.exp_m1().min(f64::MAX)
}

/// The verdict's word as JSON: its words, as METHOD writes them.
mod word {
    use evenhand_stats::randomised::Word;
    use serde::{Deserialize, Deserializer, Serializer};

    const WORDS: [Word; 6] =
        [Word::Slower, Word::Faster, Word::Same, Word::SlightlySlower, Word::SlightlyFaster, Word::Unclear];

    pub(super) fn serialize<S: Serializer>(word: &Word, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(word)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        let text = String::deserialize(deserializer)?;
        let unknown = || serde::de::Error::custom(format!("there is no verdict \"{text}\""));
        WORDS.into_iter().find(|word| word.to_string() == text).ok_or_else(unknown)
    }
}
