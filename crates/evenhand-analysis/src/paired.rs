//! What do the rounds of a trial with a coin say? The verdict over rounds or launches, the means beside it, and whether the
//! tail tells another story.
//!
//! Tests: `tests/analysis.rs`; which ranges of a tail are another story, below.

use super::coins::{Coins, adjusted, launch_differences, over_rounds_of, rounds_count_alone, rounds_of};
use super::comparison::{
    Coin, Comparison, Effect, Evidence, Limit, MeanComparison, ScaledPercentile, effect, relative,
};
use super::layouts::LayoutEffect;
use super::question::Question;
use super::settings::SettingsError;
use super::signs::{BySigns, by_signs};
use super::study::SharedRounds;
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::paired::{
    MeanDifference, PairingRule, Tail, pair_off, responsible_tail, tail_contributions,
};
use evenhand_stats::percentile::{
    Direction, PercentileSettings, Ranked, SureRange, compared_percentiles, shift_curve_at, tail_ranges,
};
use evenhand_stats::randomised::at::{At, AtSequence};
use evenhand_stats::randomised::confidence_sequence::Look;
use evenhand_stats::randomised::launches::{FEWEST_ROUNDS, Launches, OneLaunch, fewest_to_decide};
use evenhand_stats::randomised::mean_and_tails::{MeanAndTails, Moved};
use evenhand_stats::randomised::position::{Placed, Position};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Word};
use evenhand_trial::LaunchId;

pub(super) fn compare(question: &Question<'_>) -> Result<Comparison, SettingsError> {
    let launches = question.study.rounds(question.pair);
    let rounds = rounds_of(&launches);
    let mut decision = match launch_differences(question, &launches) {
        _ if rounds == 0 => Decision::open(launches.len(), rounds, Limit::NoSharedRound),
        Err(_) => without_ratio(question, &launches)?,
        Ok(differences) => {
            let mut decision = decide(question, &differences)?;
            decision.coin.layouts = layout_effect(question, &launches, &differences);
            let coins = Coins::of(&launches);
            decision.decide_at(question, &coins)?;
            decision.coin.moved = moved(question, &coins, decision.verdict)?;
            decision
        }
    };
    let together = together(launches);
    decision.coin.mean = mean(question, &together, &decision.effect).ok();
    // Fewer rounds than a percentile's noise can be told from leave these empty.
    let by_percentile = by_percentile(question, &together).unwrap_or_default();
    decision.coin.tail = another_story(by_percentile.tail, decision.coin.moved, decision.verdict);
    Ok(Comparison {
        pair: question.pair,
        control: false,
        verdict: decision.verdict,
        effect: decision.effect,
        launches: decision.launches,
        seconds: question.seconds(),
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
    ) -> Result<Self, SettingsError> {
        let coarse_clock = question.coarse_clock(verdict.word)?;
        let needed =
            needed(verdict, question.settings.alpha_of_typical(), mixture).filter(|_| coarse_clock.is_none());
        let limit = verdict.interval.is_none().then_some(Limit::NoConstantEffect);
        Ok(Self {
            verdict: verdict.word,
            effect: verdict.interval.map(|found| effect(Look::Interval(found))).unwrap_or_default(),
            launches,
            limits: limit.into_iter().chain(coarse_clock).collect(),
            coin: Coin { needed, ..coin },
        })
    }
}

impl Decision {
    /// What signs decide, of so many launches.
    fn by_signs(found: BySigns, coins: &Coins<'_>, of: usize) -> Self {
        let counted = coins.launches.len();
        let short = Limit::ShortLaunches { short: of - counted, of };
        let short = Some(short).filter(|_| counted < of);
        let too_few = found.too_few.map(Limit::TooFewLaunches);
        let against_means = found.against_means.then_some(Limit::SignsAgainstMeans);
        Self {
            verdict: found.word,
            effect: Effect::default(),
            launches: counted,
            limits: [against_means, Some(Limit::OnlySigns), short, too_few].into_iter().flatten().collect(),
            coin: Coin {
                rounds: coins.rounds(),
                needed: found.needed,
                ln_e_value: Some(found.ln_e_value),
                signs: Some(found.counts),
                ..Coin::default()
            },
        }
    }

    /// The mean or a percentile decides, if that was asked for.
    fn decide_at(&mut self, question: &Question<'_>, coins: &Coins<'_>) -> Result<(), SettingsError> {
        let Some(mut sequence) =
            AtSequence::new(question.settings.at.0, question.settings.alpha()).map_err(refused)?
        else {
            return Ok(());
        };
        for [better, worse] in coins.costs(question) {
            sequence.push(better, worse).map_err(refused)?;
        }
        let look = question.widened(sequence.interval());
        let verdict = Verdict::of(look, question.settings.margin()?, sequence.rounds());
        let mixture = if coins.over_launches { Mixture::launches() } else { Mixture::rounds() };
        let coin =
            Coin { ln_e_value: Some(sequence.ln_e_value(LogRatio(0.0))), ..std::mem::take(&mut self.coin) };
        *self = Self::of(question, &verdict, self.launches, &mixture, coin)?;
        Ok(())
    }
}

/// Where some cost nothing, it counts who cost more. Signs say nothing of a mean or a percentile, so where that is to decide there is no
/// verdict, and neither where a number is no cost.
fn without_ratio(question: &Question<'_>, launches: &[SharedRounds]) -> Result<Decision, SettingsError> {
    let open = |limit| Decision::open(launches.len(), rounds_of(launches), limit);
    let coins = Coins::of(launches);
    Ok(if question.settings.at.0 != At::Typical || !launches.iter().all(SharedRounds::are_costs) {
        open(Limit::NoRatio)
    } else if launches.iter().all(|rounds| rounds.baseline == rounds.candidate) {
        open(Limit::NoDifference)
    } else if coins.launches.is_empty() {
        open(Limit::NoLongLaunch)
    } else {
        Decision::by_signs(by_signs(question, &coins).map_err(refused)?, &coins, launches.len())
    })
}

/// What the layouts are worth, from the launches that count.
fn layout_effect(
    question: &Question<'_>,
    launches: &[SharedRounds],
    differences: &[Vec<Placed>],
) -> Option<LayoutEffect> {
    let trial = question.study.trial;
    // Without them all launches had the same one.
    trial.plan.layouts?;
    let name = &trial.arm(question.pair.baseline)?.group;
    let group = trial.groups().iter().position(|(group, _)| group == name)?;
    let mut position = Position::default();
    let long = launches.iter().zip(differences).filter_map(|(rounds, differences)| {
        let effect = OneLaunch::of(differences, &mut position)?.effect.0;
        Some((rounds.launch, effect))
    });
    LayoutEffect::of(trial, group as u32, &long.collect::<Vec<_>>())
}

/// What the mean and the tails do other than the verdict says.
fn moved(question: &Question<'_>, coins: &Coins<'_>, verdict: Word) -> Result<Moved, SettingsError> {
    if question.settings.at.0 != At::Typical {
        return Ok(Moved::default());
    }
    let mut evidence = MeanAndTails::new(question.settings.margin()?);
    coins.costs(question).for_each(|[better, worse]| evidence.push(better, worse));
    let another = |direction: &Direction| !goes_with(*direction, verdict);
    let Moved { mean, low, high } = evidence.moved(question.settings.alpha());
    Ok(Moved { mean: mean.filter(another), low: low.filter(another), high: high.filter(another) })
}

/// Whether the coins prove what the percentiles of a range seem to say.
fn is_proven(range: &SureRange, moved: Moved) -> bool {
    let proof = |tail: Option<Direction>| tail == Some(range.direction);
    let (low, high) = (range.from < 50.0 && proof(moved.low), range.to > 50.0 && proof(moved.high));
    range.holds_median() || low || high || proof(moved.mean)
}

fn together(mut launches: Vec<SharedRounds>) -> SharedRounds {
    if launches.len() == 1 {
        return launches.swap_remove(0);
    }
    SharedRounds {
        launch: LaunchId(0),
        baseline: launches.iter().flat_map(|launch| &launch.baseline).copied().collect(),
        candidate: launches.iter().flat_map(|launch| &launch.candidate).copied().collect(),
        places: Vec::new(),
    }
}

/// The verdict: over launches where there are two with enough rounds, else over rounds, but never over the rounds of
/// several launches as if they were one: a launch draws its luck once for all its rounds.
fn decide(question: &Question<'_>, launches: &[Vec<Placed>]) -> Result<Decision, SettingsError> {
    let long: Vec<&[Placed]> =
        launches.iter().map(Vec::as_slice).filter(|rounds| rounds.len() >= FEWEST_ROUNDS).collect();
    let rounds_count = rounds_count_alone(launches.iter().map(Vec::len));
    let mut decision = match long.as_slice() {
        _ if rounds_count => over_rounds(question, &launches.concat(), launches.len())?,
        [] => return within_launches(question, launches),
        [only] => over_rounds(question, only, 1)?,
        _ => over_launches(question, &long)?,
    };
    if !rounds_count && long.len() < launches.len() {
        let short = launches.len() - long.len();
        decision.limits.push(Limit::ShortLaunches { short, of: launches.len() });
    }
    Ok(decision)
}

fn refused(error: InputError) -> SettingsError {
    SettingsError(error.to_string())
}

fn over_rounds(
    question: &Question<'_>,
    rounds: &[Placed],
    launches: usize,
) -> Result<Decision, SettingsError> {
    let effects = adjusted(rounds);
    let mut sequence =
        ConfidenceSequence::of(&effects, question.settings.alpha_of_typical(), Mixture::rounds())
            .map_err(refused)?;
    let ln_e_value = Some(sequence.ln_e_value(LogRatio(0.0)));
    let coin = Coin { rounds: rounds.len(), ln_e_value, effects, ..Coin::default() };
    let look = question.widened(sequence.look());
    let verdict = Verdict::of(look, question.settings.margin()?, sequence.rounds());
    Decision::of(question, &verdict, launches, &Mixture::rounds(), coin)
}

/// Several launches, none of them long enough to stand for itself: what the rounds say is shown, and decides nothing.
fn within_launches(question: &Question<'_>, launches: &[Vec<Placed>]) -> Result<Decision, SettingsError> {
    let rounds = launches.concat();
    let mut sequence = over_rounds_of(&rounds, question.settings.alpha_of_typical()).map_err(refused)?;
    let within = effect(question.widened(sequence.look()));
    let mut decision = Decision::open(launches.len(), rounds.len(), Limit::NoLongLaunch);
    decision.effect.estimate = within.estimate;
    decision.coin.within_launches = Some(within);
    Ok(decision)
}

fn over_launches(question: &Question<'_>, launches: &[&[Placed]]) -> Result<Decision, SettingsError> {
    let found = Launches::of(launches, question.settings.alpha_of_typical()).map_err(refused)?;
    let coin = Coin {
        rounds: launches.iter().map(|rounds| rounds.len()).sum(),
        ln_e_value: Some(found.ln_e_across),
        launch_effects: found.effects.iter().copied().map(relative).collect(),
        effects: found.effects.iter().map(|effect| effect.0).collect(),
        within_launches: Some(effect(question.widened(found.within))),
        ..Coin::default()
    };
    let look = question.widened(found.across);
    let verdict = Verdict::of(look, question.settings.margin()?, found.effects.len());
    let mut decision = Decision::of(question, &verdict, found.effects.len(), &Mixture::launches(), coin)?;
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

fn mean(
    question: &Question<'_>,
    rounds: &SharedRounds,
    effect: &Effect,
) -> Result<MeanComparison, InputError> {
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
fn pulled_by(question: &Question<'_>, rounds: &SharedRounds, width: f64) -> Result<Option<Tail>, InputError> {
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

fn by_percentile(question: &Question<'_>, rounds: &SharedRounds) -> Result<ByPercentile, InputError> {
    let (old, new) = (Sorted::new(&rounds.baseline)?, Sorted::new(&rounds.candidate)?);
    let baseline = Ranked::new(&rounds.baseline, old.as_slice())?;
    let candidate = Ranked::new(&rounds.candidate, new.as_slice())?;
    let drawn = question.settings.confidence <= SUREST_DRAWN;
    let sure = PercentileSettings::at_confidence(question.settings.confidence.min(SUREST_DRAWN))?;
    let compared = compared_percentiles(&baseline, &candidate, &question.settings.percentiles, &sure)?;
    let scaled = compared.into_iter().map(|both| {
        let [low, high] = question.widened_ratio([both.ratio_interval.low, both.ratio_interval.high]);
        ScaledPercentile {
            percent: both.baseline.percentile,
            baseline: both.baseline.value,
            candidate: both.candidate.value,
            scaled: both.ratio,
            low: low.filter(|_| drawn),
            high: high.filter(|_| drawn),
        }
    });
    let (better, worse) = question.worse_is_positive(&baseline, &candidate);
    // A percentile that is a step of the clock further on is no other story.
    let can_be_drawn = drawn && matches!(question.hiding_clock(), Ok(None));
    let curve = if can_be_drawn { shift_curve_at(better, worse, &TAIL_PERCENTS, &sure).ok() } else { None };
    Ok(ByPercentile {
        scaled: scaled.collect(),
        tail: curve.map_or_else(Vec::new, |curve| tail_ranges(&curve, question.margin())),
        limit: (!drawn).then_some(Limit::PercentilesNotDrawn),
    })
}

/// The ranges of the tail that are proven. Where all of them go the verdict's way, that is no other story, even if P50 by itself is open.
fn another_story(mut tail: Vec<SureRange>, moved: Moved, verdict: Word) -> Vec<SureRange> {
    tail.retain(|range| is_proven(range, moved));
    let another = |range: &SureRange| !goes_with(range.direction, verdict);
    if tail.iter().any(another) { tail } else { Vec::new() }
}

fn goes_with(direction: Direction, verdict: Word) -> bool {
    match direction {
        Direction::Slower => matches!(verdict, Word::Slower | Word::SlightlySlower),
        Direction::Faster => matches!(verdict, Word::Faster | Word::SlightlyFaster),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tail_is_another_story_only_if_what_opposes_the_verdict_is_proven() {
        let middle = SureRange { direction: Direction::Slower, from: 20.0, to: 80.0 };
        let slowest = SureRange { direction: Direction::Faster, from: 95.0, to: 99.0 };
        let story = |moved| another_story(vec![middle, slowest], moved, Word::Slower);
        assert_eq!(story(Moved::default()), []);
        assert_eq!(story(Moved { low: Some(Direction::Faster), ..Moved::default() }), []);
        let proven = Moved { high: Some(Direction::Faster), ..Moved::default() };
        assert_eq!(story(proven), [middle, slowest]);
    }
}
