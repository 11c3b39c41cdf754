//! What do the rounds of a trial with a coin say? The verdict over rounds or launches, the means beside it, and whether the
//! tail tells another story.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{
    Coin, Comparison, Effect, Evidence, Limit, MeanComparison, Question, ScaledPercentile, effect, relative,
};
use super::gather::Rounds;
use super::layouts::LayoutLuck;
use super::settings::Refused;
use crate::LaunchId;
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::paired::{
    MeanDifference, PairingRule, Tail, pair_off, responsible_tail, tail_contributions,
};
use evenhand_stats::percentile::{
    Arm as Ranked, Direction, Settings as PercentileSettings, ShiftCurve, SureRange, compared_percentiles,
    shift_curve_at, tail_ranges,
};
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches, OneLaunch, fewest_to_decide};
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Word, differences};

pub(super) fn compare(question: &Question<'_>) -> Result<Comparison, Refused> {
    let launches = question.index.rounds(question.pair);
    let rounds = launches.iter().map(|launch| launch.baseline.len()).sum();
    let mut decision = match launch_differences(question, &launches) {
        _ if rounds == 0 => Decision::open(launches.len(), rounds, Limit::NoSharedRound),
        Err(_) => Decision::open(launches.len(), rounds, Limit::NoRatio),
        Ok(differences) => {
            let mut decision = decide(question, &differences)?;
            decision.coin.layouts = layout_luck(question, &launches, &differences);
            decision
        }
    };
    let together = together(launches);
    decision.coin.mean = mean(question, &together, &decision.effect).ok();
    // Fewer rounds than a percentile's noise can be told from leave these empty.
    let by_percentile = by_percentile(question, &together, decision.verdict).unwrap_or_default();
    decision.coin.tail = by_percentile.tail;
    Ok(Comparison {
        pair: question.pair,
        verdict: decision.verdict,
        effect: decision.effect,
        launches: decision.launches,
        percentiles: by_percentile.scaled,
        limits: decision.limits.into_iter().chain(by_percentile.limit).collect(),
        evidence: Evidence::Coin(Box::new(decision.coin)),
    })
}

/// The verdict, and what it rests on.
struct Decision {
    verdict: Word,
    effect: Effect,
    launches: usize,
    limits: Vec<Limit>,
    coin: Coin,
}

impl Decision {
    /// Nothing can be decided.
    fn open(launches: usize, rounds: usize, limit: Limit) -> Self {
        let coin = Coin { rounds, ..Coin::default() };
        Self { verdict: Word::Unclear, effect: Effect::default(), launches, limits: vec![limit], coin }
    }

    /// What a verdict decides, with what is known beside it.
    fn of(
        question: &Question<'_>,
        verdict: &Verdict,
        launches: usize,
        mixture: &Mixture,
        coin: Coin,
    ) -> Self {
        let needed = needed(verdict, question.settings.alpha(), mixture);
        let limit = verdict.interval.is_none().then_some(Limit::NoConstantEffect);
        Self {
            verdict: verdict.word,
            effect: verdict.interval.map(|found| effect(Look::Interval(found))).unwrap_or_default(),
            launches,
            limits: limit.into_iter().collect(),
            coin: Coin { needed, ..coin },
        }
    }
}

/// The differences of each launch, with the places of both arms, unless a ratio is not defined.
pub(super) fn launch_differences(
    question: &Question<'_>,
    launches: &[Rounds],
) -> Result<Vec<Vec<Placed>>, InputError> {
    let of_launch = |launch: &Rounds| {
        let (better, worse) = question.worse_is_positive(&launch.baseline, &launch.candidate);
        let placed = |(difference, places): (f64, &_)| Placed { difference, places: *places };
        Ok(differences(better, worse)?.into_iter().zip(&launch.places).map(placed).collect())
    };
    launches.iter().map(of_launch).collect()
}

/// The sequence over rounds, each less what the rounds before it say of its places.
pub(super) fn over_rounds_of(rounds: &[Placed], alpha: f64) -> Result<ConfidenceSequence, InputError> {
    ConfidenceSequence::of(&adjusted(rounds), alpha, Mixture::rounds())
}

fn adjusted(rounds: &[Placed]) -> Vec<f64> {
    let mut position = Position::default();
    rounds.iter().map(|round| position.round(*round)).collect()
}

/// What the layouts are worth, from the launches that count.
fn layout_luck(
    question: &Question<'_>,
    launches: &[Rounds],
    differences: &[Vec<Placed>],
) -> Option<LayoutLuck> {
    let trial = question.index.trial;
    // Without them all launches had the same one.
    trial.plan.layouts?;
    let name = &trial.arm(question.pair.baseline)?.group;
    let group = trial.groups().iter().position(|(group, _)| group == name)?;
    let mut position = Position::default();
    let long = launches.iter().zip(differences).filter_map(|(rounds, differences)| {
        let effect = OneLaunch::of(differences, &mut position)?.effect.0;
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
        places: Vec::new(),
    }
}

/// The verdict: over launches where there are two with enough rounds, else over rounds, but never over the rounds of
/// several launches as if they were one: a launch draws its luck once for all its rounds.
fn decide(question: &Question<'_>, launches: &[Vec<Placed>]) -> Result<Decision, Refused> {
    let long: Vec<&[Placed]> =
        launches.iter().map(Vec::as_slice).filter(|rounds| rounds.len() >= FEWEST_ROUNDS).collect();
    // A round that is a launch of its own draws its own luck.
    let own_luck = launches.len() == 1 || launches.iter().all(|rounds| rounds.len() == 1);
    let mut decision = match long.as_slice() {
        _ if own_luck => over_rounds(question, &launches.concat(), launches.len())?,
        [] => return within_launches(question, launches),
        [only] => over_rounds(question, only, 1)?,
        _ => over_launches(question, &long)?,
    };
    if !own_luck && long.len() < launches.len() {
        let short = launches.len() - long.len();
        decision.limits.push(Limit::ShortLaunches { short, of: launches.len() });
    }
    Ok(decision)
}

fn refused(error: InputError) -> Refused {
    Refused(error.to_string())
}

fn over_rounds(question: &Question<'_>, rounds: &[Placed], launches: usize) -> Result<Decision, Refused> {
    let effects = adjusted(rounds);
    let mut sequence =
        ConfidenceSequence::of(&effects, question.settings.alpha(), Mixture::rounds()).map_err(refused)?;
    let ln_e_value = Some(sequence.ln_e_value(LogRatio(0.0)));
    let coin = Coin { rounds: rounds.len(), ln_e_value, effects, ..Coin::default() };
    let verdict = Verdict::of(sequence.look(), question.settings.margin()?, sequence.rounds());
    Ok(Decision::of(question, &verdict, launches, &Mixture::rounds(), coin))
}

/// Several launches, none of them long enough to stand for itself: what the rounds say is shown, and decides nothing.
fn within_launches(question: &Question<'_>, launches: &[Vec<Placed>]) -> Result<Decision, Refused> {
    let rounds = launches.concat();
    let mut sequence = over_rounds_of(&rounds, question.settings.alpha()).map_err(refused)?;
    let within = effect(sequence.look());
    let mut decision = Decision::open(launches.len(), rounds.len(), Limit::NoLongLaunch);
    decision.effect.estimate = within.estimate;
    decision.coin.within_launches = Some(within);
    Ok(decision)
}

fn over_launches(question: &Question<'_>, launches: &[&[Placed]]) -> Result<Decision, Refused> {
    let found = Launches::of(launches, question.settings.alpha()).map_err(refused)?;
    let coin = Coin {
        rounds: launches.iter().map(|rounds| rounds.len()).sum(),
        ln_e_value: Some(found.ln_e_across),
        launch_effects: found.effects.iter().copied().map(relative).collect(),
        effects: found.effects.iter().map(|effect| effect.0).collect(),
        within_launches: Some(effect(found.within)),
        ..Coin::default()
    };
    let verdict = Verdict::of(found.across, question.settings.margin()?, found.effects.len());
    let mut decision = Decision::of(question, &verdict, found.effects.len(), &Mixture::launches(), coin);
    decision.limits.extend(found.too_few.map(Limit::TooFewLaunches));
    Ok(decision)
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

fn mean(question: &Question<'_>, rounds: &Rounds, effect: &Effect) -> Result<MeanComparison, InputError> {
    let rule = PairingRule::default();
    let found = pair_off(&rounds.baseline, &rounds.candidate, &rule)?;
    let full = found.full;
    let pulled_by = if disagree(question, &full, effect) {
        pulled_by(question, rounds, rule.fence_width)?.map(|tail| match tail {
            Tail::Lower => question.pair.baseline,
            Tail::Upper => question.pair.candidate,
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
pub(crate) const SUREST_DRAWN: f64 = 0.999;

/// Where the tail is looked at. Every place costs as much as any number of rounds up to a hundred thousand; all 99 made
/// 0.4 s of a small comparison, and told the same stories.
pub(crate) const TAIL_PERCENTS: [f64; 23] = [
    1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0, 70.0, 75.0, 80.0,
    85.0, 90.0, 95.0, 98.0, 99.0,
];

/// What percentiles say of a comparison.
#[derive(Default)]
struct ByPercentile {
    scaled: Vec<ScaledPercentile>,
    tail: Vec<SureRange>,
    limit: Option<Limit>,
}

fn by_percentile(
    question: &Question<'_>,
    rounds: &Rounds,
    verdict: Word,
) -> Result<ByPercentile, InputError> {
    let (old, new) = (Sorted::new(&rounds.baseline)?, Sorted::new(&rounds.candidate)?);
    let baseline = Ranked::new(&rounds.baseline, old.as_slice())?;
    let candidate = Ranked::new(&rounds.candidate, new.as_slice())?;
    let drawn = question.settings.confidence <= SUREST_DRAWN;
    let sure = PercentileSettings::at_confidence(question.settings.confidence.min(SUREST_DRAWN))?;
    let compared = compared_percentiles(&baseline, &candidate, &question.settings.percentiles, &sure)?;
    let scaled = compared.into_iter().map(|both| ScaledPercentile {
        percent: both.baseline.percentile,
        baseline: both.baseline.value,
        candidate: both.candidate.value,
        scaled: both.ratio,
        low: both.ratio_interval.low.filter(|_| drawn),
        high: both.ratio_interval.high.filter(|_| drawn),
    });
    let (better, worse) = question.worse_is_positive(&baseline, &candidate);
    let curve = if drawn { shift_curve_at(better, worse, &TAIL_PERCENTS, &sure).ok() } else { None };
    Ok(ByPercentile {
        scaled: scaled.collect(),
        tail: curve.map_or_else(Vec::new, |curve| tail(&curve, question.margin(), verdict)),
        limit: (!drawn).then_some(Limit::PercentilesNotDrawn),
    })
}

/// Where all that is sure goes the verdict's way, that is no other story, even if P50 by itself is open.
fn tail(curve: &ShiftCurve, margin: f64, verdict: Word) -> Vec<SureRange> {
    let another = |range: &SureRange| !goes_with(range.direction, verdict);
    let tail = tail_ranges(curve, margin);
    if tail.iter().any(another) { tail } else { Vec::new() }
}

fn goes_with(direction: Direction, verdict: Word) -> bool {
    match direction {
        Direction::Slower => matches!(verdict, Word::Slower | Word::SlightlySlower),
        Direction::Faster => matches!(verdict, Word::Faster | Word::SlightlyFaster),
    }
}
