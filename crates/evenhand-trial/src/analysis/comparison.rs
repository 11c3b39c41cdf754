//! Is the candidate faster than the baseline? With a coin, from the rounds that both share; without one, from both
//! series, and then the answer says what it assumes.
//!
//! An effect here is candidate/baseline − 1, so 0.013 is 1.3 % slower. For a metric where more is better the two are
//! exchanged, so that "slower" always means "worse".
//!
//! Tests: `tests/analysis.rs`.

use super::gather::{Rounds, costs, rounds};
use super::sentence;
use super::settings::{Refused, Settings};
use super::unpaired;
use crate::{ArmId, Better, Metric, MetricId, Trial, Unit};
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::paired::{PairingRule, Tail, pair_off, responsible_tail, tail_contributions};
use evenhand_stats::percentile::{
    Arm as Ranked, Settings as PercentileSettings, compared_percentiles, shift_curve, tail_sentence,
};
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Word, differences};
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
    /// Whether a coin decided the order.
    pub kind: Kind,
    /// The verdict in a word: slower (worse), faster (better), same, slightly slower, slightly faster, unclear.
    #[serde(with = "word")]
    pub verdict: Word,
    /// The verdict in a sentence.
    pub sentence: String,
    /// Relative change, 0.01 = 1 % slower.
    pub effect: Effect,
    /// How sure the interval is.
    pub confidence: f64,
    /// Rounds in which both were measured; without a coin 0.
    pub rounds: usize,
    /// Launches that the verdict rests on.
    pub launches: usize,
    /// How long the measurement took, if known.
    pub seconds: Option<f64>,
    /// What the tail says when it tells another story than the middle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
    /// How many rounds (or launches, when there are several) in all a final word would take at this rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<u64>,
    /// The interval inside the launches, when the verdict is over launches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within_launches: Option<Effect>,
    /// The effect of each launch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub launch_effects: Vec<f64>,
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
    /// Smallest cost of the baseline.
    pub baseline_min: f64,
    /// Smallest cost of the candidate.
    pub candidate_min: f64,
    /// Mean cost of the baseline.
    pub baseline_mean: f64,
    /// Mean cost of the candidate.
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
    /// Which arm's slow rounds pull the mean away from the effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pulled_by: Option<String>,
}

/// What a comparison is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub trial: &'a Trial,
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

    fn blank(&self, kind: Kind) -> Comparison {
        let name = |arm| self.trial.arm(arm).map_or_else(String::new, |arm| arm.name.clone());
        Comparison {
            baseline: name(self.baseline),
            candidate: name(self.candidate),
            group: self.trial.arm(self.candidate).map_or_else(String::new, |arm| arm.group.clone()),
            metric: self.definition.name.clone(),
            unit: self.definition.unit.clone(),
            kind,
            verdict: Word::Unclear,
            sentence: String::new(),
            effect: Effect::default(),
            confidence: self.settings.confidence,
            rounds: 0,
            launches: 0,
            seconds: self.trial.seconds,
            tail: None,
            needed: None,
            within_launches: None,
            launch_effects: Vec::new(),
            ln_e_value: None,
            change_in_suite: None,
            percentiles: Vec::new(),
            mean: None,
            assumptions: Vec::new(),
            limits: Vec::new(),
        }
    }
}

/// Compares two arms; paired where a coin was tossed.
pub(super) fn compare(question: &Question<'_>) -> Result<Comparison, Refused> {
    let randomised = question.trial.schedule.is_some();
    let mut comparison = question.blank(if randomised { Kind::Paired } else { Kind::Unpaired });
    if randomised {
        paired(question, &mut comparison)?;
    } else {
        unpaired::compare(question, &mut comparison)?;
    }
    comparison.sentence = sentence::verdict(&comparison, question.settings);
    Ok(comparison)
}

fn paired(question: &Question<'_>, comparison: &mut Comparison) -> Result<(), Refused> {
    let launches = rounds(question.trial, question.baseline, question.candidate, question.metric);
    comparison.rounds = launches.iter().map(|launch| launch.baseline.len()).sum();
    comparison.launches = launches.len();
    if comparison.rounds == 0 {
        comparison.limits.push("no round has a sample of both".to_owned());
        return Ok(());
    }
    match launch_differences(question, &launches) {
        Ok(differences) => decide(question, &differences, comparison)?,
        Err(_) => comparison.limits.push(format!(
            "some samples of {} are 0, so a ratio is not defined: look at the means",
            question.definition.name
        )),
    }
    let together = Rounds {
        baseline: launches.iter().flat_map(|launch| &launch.baseline).copied().collect(),
        candidate: launches.iter().flat_map(|launch| &launch.candidate).copied().collect(),
    };
    comparison.mean = mean(&together, comparison).ok();
    // Fewer rounds than a percentile's noise can be told from leave these empty.
    let _ = percentiles(question, &together, comparison);
    Ok(())
}

fn launch_differences(question: &Question<'_>, launches: &[Rounds]) -> Result<Vec<Vec<f64>>, InputError> {
    launches
        .iter()
        .map(|launch| {
            let (better, worse) = question.worse_is_positive(&launch.baseline, &launch.candidate);
            differences(better, worse)
        })
        .collect()
}

/// The verdict: over launches where there are two with enough rounds, else over rounds.
fn decide(
    question: &Question<'_>,
    launches: &[Vec<f64>],
    comparison: &mut Comparison,
) -> Result<(), Refused> {
    let alpha = question.settings.alpha();
    let margin = question.settings.margin()?;
    let long = launches.iter().filter(|rounds| rounds.len() >= FEWEST_ROUNDS).count();
    let refused = |error: InputError| Refused(error.to_string());
    if long < 2 {
        let mut sequence =
            ConfidenceSequence::of(&launches.concat(), alpha, Mixture::rounds()).map_err(refused)?;
        comparison.ln_e_value = Some(sequence.ln_e_value(LogRatio(0.0)));
        let verdict = Verdict::of(sequence.look(), margin, sequence.rounds());
        take(verdict, comparison);
        return Ok(());
    }
    let rounds: Vec<&[f64]> = launches.iter().map(Vec::as_slice).collect();
    let found = Launches::of(&rounds, alpha).map_err(refused)?;
    comparison.launches = found.effects.len();
    comparison.ln_e_value = Some(found.ln_e_across);
    comparison.launch_effects = found.effects.iter().map(|effect| effect.factor() - 1.0).collect();
    comparison.within_launches = Some(effect(found.within));
    take(Verdict::of(found.across, margin, found.effects.len()), comparison);
    if let Some(too_few) = found.too_few {
        comparison.limits.push(format!(
            "{} launches can never be {} sure: at least {} are needed",
            too_few.launches,
            sentence::sure(question.settings.confidence),
            too_few.needed
        ));
    }
    if found.too_short > 0 {
        comparison.limits.push(format!(
            "{} of {} launches have fewer than {FEWEST_ROUNDS} rounds and do not count",
            found.too_short,
            launches.len()
        ));
    }
    Ok(())
}

fn take(verdict: Verdict, comparison: &mut Comparison) {
    comparison.verdict = verdict.word;
    comparison.needed = verdict.rounds_to_final;
    match verdict.interval {
        Some(interval) => comparison.effect = effect(Look::Interval(interval)),
        None => comparison.limits.push(
            "no constant effect fits these rounds: the difference itself changed while it was measured"
                .to_owned(),
        ),
    }
}

pub(super) fn effect(look: Look) -> Effect {
    let Look::Interval(interval) = look else { return Effect::default() };
    let relative = |effect: LogRatio| effect.factor() - 1.0;
    let known = interval.low.is_some() || interval.high.is_some();
    Effect {
        estimate: known.then(|| relative(interval.estimate)),
        low: interval.low.map(relative),
        high: interval.high.map(relative),
    }
}

fn mean(rounds: &Rounds, comparison: &Comparison) -> Result<MeanComparison, InputError> {
    let rule = PairingRule::default();
    let found = pair_off(&rounds.baseline, &rounds.candidate, &rule)?;
    let full = found.full;
    let tails = tail_contributions(&rounds.baseline, &rounds.candidate, rule.fence_width)?;
    let disagrees =
        comparison.effect.estimate.is_some_and(|effect| effect.signum() != full.mean_difference.signum());
    let pulled_by =
        responsible_tail(&tails, tails.fences.median).filter(|_| disagrees).map(|tail| match tail {
            Tail::Lower => comparison.baseline.clone(),
            Tail::Upper => comparison.candidate.clone(),
        });
    Ok(MeanComparison {
        baseline_min: full.baseline_min,
        candidate_min: full.candidate_min,
        baseline_mean: full.baseline_mean,
        candidate_mean: full.candidate_mean,
        difference: full.mean_difference,
        difference_percent: full.percent_of_baseline,
        z: full.z,
        change_detected: full.changed,
        without_excursions: found
            .without_excursions
            .filter(|_| found.paired_off)
            .map(|rest| rest.mean_difference),
        excursions: [found.below, found.above],
        equal_counts_p: found.equal_counts_p,
        like_size_p: found.like_size_p,
        pulled_by,
    })
}

fn percentiles(
    question: &Question<'_>,
    rounds: &Rounds,
    comparison: &mut Comparison,
) -> Result<(), InputError> {
    let (old, new) = (Sorted::new(&rounds.baseline)?, Sorted::new(&rounds.candidate)?);
    let baseline = Ranked::new(&rounds.baseline, old.as_slice())?;
    let candidate = Ranked::new(&rounds.candidate, new.as_slice())?;
    let sure = PercentileSettings::at_confidence(question.settings.confidence)?;
    let compared = compared_percentiles(&baseline, &candidate, &question.settings.percentiles, &sure)?;
    comparison.percentiles = compared
        .into_iter()
        .map(|both| ScaledPercentile {
            percent: both.baseline.percentile,
            baseline: both.baseline.value,
            candidate: both.candidate.value,
            scaled: both.ratio,
            low: both.ratio_interval.low,
            high: both.ratio_interval.high,
        })
        .collect();
    let (better, worse) = question.worse_is_positive(&baseline, &candidate);
    let curve = shift_curve(better, worse, &sure)?;
    comparison.tail = tail_sentence(&curve, question.settings.margin_percent / 100.0);
    Ok(())
}

/// The samples of both arms, for a comparison without a coin.
pub(super) fn both_costs(question: &Question<'_>) -> (Vec<f64>, Vec<f64>) {
    let of = |arm| costs(question.trial, arm, question.metric).values;
    (of(question.baseline), of(question.candidate))
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
