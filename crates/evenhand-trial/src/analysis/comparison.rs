//! Is the candidate faster than the baseline? With a coin, from the rounds that both share; without one, from both
//! series, and then the answer says what it assumes.
//!
//! An effect here is candidate/baseline − 1, so 0.013 is 1.3 % slower. For a metric where more is better the two are
//! exchanged, so that "slower" always means "worse".
//!
//! Tests: `tests/analysis.rs`.

use super::gather::{Index, Rounds};
use super::sentence;
use super::settings::{Refused, Settings};
use super::unpaired;
use crate::{ArmId, Better, Metric, MetricId, Unit};
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::paired::{
    MeanDifference, PairingRule, Tail, pair_off, responsible_tail, tail_contributions,
};
use evenhand_stats::percentile::{
    Arm as Ranked, Settings as PercentileSettings, compared_percentiles, shift_curve_at, tail_sentence,
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
        paired(question, &mut comparison)?;
    } else {
        unpaired::compare(question, &mut comparison)?;
    }
    comparison.sentence = sentence::verdict(&comparison, question.settings);
    Ok(comparison)
}

fn paired(question: &Question<'_>, comparison: &mut Comparison) -> Result<(), Refused> {
    let launches = question.index.rounds(question.baseline, question.candidate, question.metric);
    comparison.rounds = launches.iter().map(|launch| launch.baseline.len()).sum();
    comparison.launches = launches.len();
    if comparison.rounds == 0 {
        comparison.limits.push("no round has a sample of both".to_owned());
        return Ok(());
    }
    comparison.assumptions.push(CONSTANT_EFFECT.to_owned());
    match launch_differences(question, &launches) {
        Ok(differences) => decide(question, &differences, comparison)?,
        Err(_) => comparison.limits.push(no_ratio(question)),
    }
    let together = together(launches);
    comparison.mean = mean(question, &together, comparison).ok();
    // Fewer rounds than a percentile's noise can be told from leave these empty.
    let _ = percentiles(question, &together, comparison);
    Ok(())
}

const CONSTANT_EFFECT: &str = "the interval assumes that the effect did not change while it was measured; that there is one, needs nothing";

pub(super) fn no_ratio(question: &Question<'_>) -> String {
    format!(
        "some samples of {} are 0 or below, so a ratio is not defined: see the means of both",
        question.definition.name
    )
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

fn together(mut launches: Vec<Rounds>) -> Rounds {
    if launches.len() == 1 {
        return launches.swap_remove(0);
    }
    Rounds {
        baseline: launches.iter().flat_map(|launch| &launch.baseline).copied().collect(),
        candidate: launches.iter().flat_map(|launch| &launch.candidate).copied().collect(),
    }
}

/// The verdict: over launches where there are two with enough rounds, else over rounds, but never over the rounds of
/// several launches as if they were one: a launch draws its luck once for all its rounds.
fn decide(
    question: &Question<'_>,
    launches: &[Vec<f64>],
    comparison: &mut Comparison,
) -> Result<(), Refused> {
    let long: Vec<&[f64]> =
        launches.iter().map(Vec::as_slice).filter(|rounds| rounds.len() >= FEWEST_ROUNDS).collect();
    // A round that is a launch of its own draws its own luck.
    let own_luck = launches.len() == 1 || launches.iter().all(|rounds| rounds.len() == 1);
    match long.as_slice() {
        _ if own_luck => over_rounds(question, &launches.concat(), comparison)?,
        [] => return within_launches(question, launches, comparison),
        [only] => {
            comparison.launches = 1;
            over_rounds(question, only, comparison)?;
        }
        _ => over_launches(question, &long, comparison)?,
    }
    if !own_luck && long.len() < launches.len() {
        comparison.rounds = long.iter().map(|rounds| rounds.len()).sum();
        comparison.limits.push(format!(
            "{} of {} launches have fewer than {FEWEST_ROUNDS} rounds and do not count",
            launches.len() - long.len(),
            launches.len()
        ));
    }
    Ok(())
}

fn refused(error: InputError) -> Refused {
    Refused(error.to_string())
}

fn over_rounds(question: &Question<'_>, rounds: &[f64], comparison: &mut Comparison) -> Result<(), Refused> {
    let mut sequence =
        ConfidenceSequence::of(rounds, question.settings.alpha(), Mixture::rounds()).map_err(refused)?;
    comparison.ln_e_value = Some(sequence.ln_e_value(LogRatio(0.0)));
    take(Verdict::of(sequence.look(), question.settings.margin()?, sequence.rounds()), comparison);
    Ok(())
}

/// Several launches, none of them long enough to stand for itself: what the rounds say is shown, and decides nothing.
fn within_launches(
    question: &Question<'_>,
    launches: &[Vec<f64>],
    comparison: &mut Comparison,
) -> Result<(), Refused> {
    let alpha = question.settings.alpha();
    let mut sequence =
        ConfidenceSequence::of(&launches.concat(), alpha, Mixture::rounds()).map_err(refused)?;
    let within = effect(sequence.look());
    comparison.effect.estimate = within.estimate;
    comparison.within_launches = Some(within);
    comparison.limits.push(format!(
        "no launch has {FEWEST_ROUNDS} rounds, so nothing can be said of the next launch: measure more rounds in each"
    ));
    Ok(())
}

fn over_launches(
    question: &Question<'_>,
    launches: &[&[f64]],
    comparison: &mut Comparison,
) -> Result<(), Refused> {
    let found = Launches::of(launches, question.settings.alpha()).map_err(refused)?;
    comparison.launches = found.effects.len();
    comparison.ln_e_value = Some(found.ln_e_across);
    comparison.launch_effects = found.effects.iter().copied().map(relative).collect();
    comparison.within_launches = Some(effect(found.within));
    take(Verdict::of(found.across, question.settings.margin()?, found.effects.len()), comparison);
    if let Some(too_few) = found.too_few {
        comparison.limits.push(format!(
            "{} launches can never be {} sure: at least {} are needed",
            too_few.launches,
            sentence::sure(question.settings.confidence),
            too_few.needed
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
    let known = interval.low.is_some() || interval.high.is_some();
    Effect {
        estimate: known.then(|| relative(interval.estimate)),
        low: interval.low.map(relative),
        high: interval.high.map(relative),
    }
}

/// A relative change that JSON can hold: two times may differ by more than a double says.
pub(super) fn relative(effect: LogRatio) -> f64 {
    effect.0.exp_m1().min(f64::MAX)
}

fn mean(
    question: &Question<'_>,
    rounds: &Rounds,
    comparison: &Comparison,
) -> Result<MeanComparison, InputError> {
    let rule = PairingRule::default();
    let found = pair_off(&rounds.baseline, &rounds.candidate, &rule)?;
    let full = found.full;
    let pulled_by = if disagree(question, &full, &comparison.effect) {
        pulled_by(question, rounds, rule.fence_width)?.map(|tail| match tail {
            Tail::Lower => comparison.baseline.clone(),
            Tail::Upper => comparison.candidate.clone(),
        })
    } else {
        None
    };
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

/// Whether mean and effect point different ways, and one of them is sure of its way: two guesses about noise disagree
/// half of the time.
fn disagree(question: &Question<'_>, mean: &MeanDifference, effect: &Effect) -> bool {
    let Some(estimate) = effect.estimate else { return false };
    let (better, worse) = question.worse_is_positive(0.0, mean.mean_difference);
    let sure =
        mean.changed || effect.low.is_some_and(|low| low > 0.0) || effect.high.is_some_and(|high| high < 0.0);
    sure && estimate * (worse - better) < 0.0
}

/// The side whose outlying rounds pull the mean: upper, those that are bad for the candidate.
fn pulled_by(question: &Question<'_>, rounds: &Rounds, width: f64) -> Result<Option<Tail>, InputError> {
    let (better, worse) = question.worse_is_positive(&rounds.baseline, &rounds.candidate);
    let tails = tail_contributions(better, worse, width)?;
    Ok(responsible_tail(&tails, tails.fences.median))
}

/// Beyond this confidence the draws behind the intervals of paired percentiles are too few for their ends.
const SUREST_DRAWN: f64 = 0.999;

/// Where the tail is looked at. Every place costs as much as any number of rounds up to a hundred thousand; all 99 made
/// 0.4 s of a small comparison, and told the same stories.
const TAIL_PERCENTS: [f64; 23] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 80.0,
    85.0, 90.0, 95.0, 98.0, 99.0,
];

fn percentiles(
    question: &Question<'_>,
    rounds: &Rounds,
    comparison: &mut Comparison,
) -> Result<(), InputError> {
    let (old, new) = (Sorted::new(&rounds.baseline)?, Sorted::new(&rounds.candidate)?);
    let baseline = Ranked::new(&rounds.baseline, old.as_slice())?;
    let candidate = Ranked::new(&rounds.candidate, new.as_slice())?;
    let drawn = question.settings.confidence <= SUREST_DRAWN;
    let sure = PercentileSettings::at_confidence(question.settings.confidence.min(SUREST_DRAWN))?;
    let compared = compared_percentiles(&baseline, &candidate, &question.settings.percentiles, &sure)?;
    comparison.percentiles = compared
        .into_iter()
        .map(|both| ScaledPercentile {
            percent: both.baseline.percentile,
            baseline: both.baseline.value,
            candidate: both.candidate.value,
            scaled: both.ratio,
            low: both.ratio_interval.low.filter(|_| drawn),
            high: both.ratio_interval.high.filter(|_| drawn),
        })
        .collect();
    if !drawn {
        comparison.limits.push(format!(
            "intervals of paired percentiles are drawn up to {} sure: none here",
            sentence::sure(SUREST_DRAWN)
        ));
        return Ok(());
    }
    let (better, worse) = question.worse_is_positive(&baseline, &candidate);
    let curve = shift_curve_at(better, worse, &TAIL_PERCENTS, &sure)?;
    let tail = tail_sentence(&curve, question.settings.margin_percent / 100.0);
    comparison.tail = tail.map(|tail| sentence::in_words_of(comparison, &tail));
    Ok(())
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
