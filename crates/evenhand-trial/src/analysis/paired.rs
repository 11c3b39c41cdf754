//! What do the rounds of a trial with a coin say? The verdict over rounds or launches, the means beside it, and whether the
//! tail tells another story.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{
    Comparison, Effect, MeanComparison, Question, ScaledPercentile, effect, no_ratio, relative,
};
use super::gather::Rounds;
use super::layouts::LayoutLuck;
use super::sentence;
use super::settings::Refused;
use crate::LaunchId;
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::paired::{
    MeanDifference, PairingRule, Tail, pair_off, responsible_tail, tail_contributions,
};
use evenhand_stats::percentile::{
    Arm as Ranked, Direction, Settings as PercentileSettings, compared_percentiles, shift_curve_at,
    sure_ranges, tail_sentence,
};
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches, OneLaunch, fewest_to_decide};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Word, differences};
pub(super) fn compare(question: &Question<'_>, comparison: &mut Comparison) -> Result<(), Refused> {
    let launches = question.index.rounds(question.baseline, question.candidate, question.metric);
    comparison.rounds = launches.iter().map(|launch| launch.baseline.len()).sum();
    comparison.launches = launches.len();
    if comparison.rounds == 0 {
        comparison.limits.push(never_both(question));
        return Ok(());
    }
    comparison.assumptions.push(CONSTANT_EFFECT.to_owned());
    match launch_differences(question, &launches) {
        Ok(differences) => {
            decide(question, &differences, comparison)?;
            comparison.layouts = layout_luck(question, &launches, &differences);
        }
        Err(_) => comparison.limits.push(no_ratio(question)),
    }
    let together = together(launches);
    comparison.mean = mean(question, &together, comparison).ok();
    // Fewer rounds than a percentile's noise can be told from leave these empty.
    let _ = percentiles(question, &together, comparison);
    Ok(())
}

/// The kernel counts the memory of the process that starts a command as the command's own, so that of a small program
/// is not known.
fn never_both(question: &Question<'_>) -> String {
    let metric = &question.definition.name;
    let why = if metric == "max_rss" { "; it cannot be told for small programs" } else { "" };
    format!("no round has {metric} of both{why}")
}

const CONSTANT_EFFECT: &str = "the interval assumes that the effect did not change while it was measured; that there is one, needs nothing";

fn launch_differences(question: &Question<'_>, launches: &[Rounds]) -> Result<Vec<Vec<f64>>, InputError> {
    launches
        .iter()
        .map(|launch| {
            let (better, worse) = question.worse_is_positive(&launch.baseline, &launch.candidate);
            differences(better, worse)
        })
        .collect()
}

/// What the layouts are worth, from the launches that count.
fn layout_luck(question: &Question<'_>, launches: &[Rounds], differences: &[Vec<f64>]) -> Option<LayoutLuck> {
    let trial = question.index.trial;
    // Without them all launches had the same one.
    trial.plan.layouts?;
    let name = &trial.arm(question.baseline)?.group;
    let group = trial.groups().iter().position(|(group, _)| group == name)?;
    let long = launches.iter().zip(differences).filter_map(|(rounds, differences)| {
        let effect = OneLaunch::of(differences)?.effect.0;
        Some((rounds.launch, effect))
    });
    LayoutLuck::of(trial, group as u32, &long.collect::<Vec<_>>())
}

fn together(mut launches: Vec<Rounds>) -> Rounds {
    if launches.len() == 1 {
        return launches.swap_remove(0);
    }
    Rounds {
        launch: LaunchId(0),
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
    let verdict = Verdict::of(sequence.look(), question.settings.margin()?, sequence.rounds());
    take(question, verdict, &Mixture::rounds(), comparison);
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
    let verdict = Verdict::of(found.across, question.settings.margin()?, found.effects.len());
    take(question, verdict, &Mixture::launches(), comparison);
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

/// How many rounds in all a final word would take, and never fewer than those with which one is possible at all.
fn needed(verdict: &Verdict, alpha: f64, mixture: &Mixture) -> Option<u64> {
    if verdict.word.is_final() || verdict.interval.is_none() {
        return None;
    }
    let fewest = fewest_to_decide(alpha, mixture) as u64;
    match verdict.rounds_to_final {
        Some(rounds) => Some(rounds.max(fewest)),
        None => Some(fewest).filter(|fewest| *fewest > verdict.rounds as u64),
    }
}

fn take(question: &Question<'_>, verdict: Verdict, mixture: &Mixture, comparison: &mut Comparison) {
    comparison.verdict = verdict.word;
    comparison.needed = needed(&verdict, question.settings.alpha(), mixture);
    match verdict.interval {
        Some(interval) => comparison.effect = effect(Look::Interval(interval)),
        None => comparison.limits.push(
            "no constant effect fits these rounds: the difference itself changed while it was measured"
                .to_owned(),
        ),
    }
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
pub(super) const SUREST_DRAWN: f64 = 0.999;

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
    let margin = question.margin();
    // Where all that is sure goes the verdict's way, that is no other story, even if P50 by itself is open.
    let another =
        sure_ranges(&curve, margin).iter().any(|range| !goes_with(range.direction, comparison.verdict));
    let tail = tail_sentence(&curve, margin).filter(|_| another);
    comparison.tail = tail.map(|tail| sentence::in_words_of(comparison, &tail));
    Ok(())
}

fn goes_with(direction: Direction, verdict: Word) -> bool {
    match direction {
        Direction::Slower => matches!(verdict, Word::Slower | Word::SlightlySlower),
        Direction::Faster => matches!(verdict, Word::Faster | Word::SlightlyFaster),
    }
}
