//! And if no coin decided the order? Two series, each with its own memory, compared by what their effective sample
//! sizes allow; the answer assumes that nothing else changed between them, and says so (docs/method.md).
//!
//! With two launches or more on both sides the launches are compared, each by its median: what holds of the samples of
//! one launch need not hold of the next (docs/method.md).
//!
//! Where memory cannot be seen (in few samples, or where a tool has sorted them), samples are taken for independent: the interval is
//! exact if they are, and the verdict says so in its sentence.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{
    Comparison, Effect, Evidence, Limit, Piece, ScaledPercentile, TooLittle, Untested, effect,
};
use super::level;
use super::question::Question;
use super::settings::{Decides, Settings, SettingsError};
use super::study::Costs;
use evenhand_stats::InputError;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::randomised::{LogRatio, Word};
use evenhand_stats::unpaired::comparison::{Series, compare_ratio};
use evenhand_stats::unpaired::margins::fewest_a_side;
use evenhand_stats::unpaired::worth::{SHOWS_MEMORY, Worth, worth_together};
use evenhand_trial::ArmId;

/// The numbers of one side.
struct Side {
    values: Vec<f64>,
    worth: Worth,
}

pub(super) fn compare(question: &Question<'_>) -> Result<Comparison, SettingsError> {
    let Settings { at: Decides(at), .. } = question.settings;
    if *at != At::Typical {
        return Err(SettingsError(format!(
            "\"{at}\" needs rounds in randomised order, and these two have none in common"
        )));
    }
    let arms = [question.pair.baseline, question.pair.candidate];
    let [baseline, candidate] = arms.map(|arm| question.study.costs(arm, question.pair.metric));
    if baseline.values.is_empty() || candidate.values.is_empty() {
        return Ok(of_figures(question));
    }
    let launches = baseline.launches.len().min(candidate.launches.len());
    let percentiles = percentiles(question, [baseline, candidate]);
    let estimate = ratio_of_medians(question, baseline, candidate);
    let of = if launches > 1 { Piece::Launch } else { Piece::Sample };
    let sides = match of {
        Piece::Launch => [medians(baseline), medians(candidate)],
        Piece::Sample => [baseline.values.clone(), candidate.values.clone()],
    };
    let untested = untested(question, &sides, of);
    let comparison = Comparison { launches, percentiles, ..undecided(question, estimate, None) };
    match interval(question, sides, of, &untested) {
        Ok(interval) => {
            let look = question.widened(Look::Interval(interval));
            let verdict = Verdict::of(look, question.settings.margin()?, 0).word;
            let limits = question.coarse_clock(verdict)?.into_iter().collect();
            let evidence = Evidence::NoCoin { untested };
            Ok(Comparison { verdict, effect: effect(look), limits, evidence, ..comparison })
        }
        Err(limit) => Ok(Comparison { limits: vec![limit], ..comparison }),
    }
}

/// Where memory cannot be seen.
fn untested(question: &Question<'_>, sides: &[Vec<f64>; 2], of: Piece) -> Vec<Untested> {
    let arms = [question.pair.baseline, question.pair.candidate].into_iter().zip(sides);
    let series = arms.map(|(arm, values)| {
        // The order of launches is known even where that of the samples in them is not.
        let order_lost = of == Piece::Sample && question.study.order_lost(arm);
        Untested { arm, count: values.len(), of, order_lost }
    });
    series.filter(|series| series.order_lost || series.count < SHOWS_MEMORY).collect()
}

/// A guess at best.
fn undecided(question: &Question<'_>, estimate: Option<f64>, limit: Option<Limit>) -> Comparison {
    Comparison {
        pair: question.pair,
        control: false,
        verdict: Word::Unclear,
        effect: Effect { estimate, low: None, high: None },
        launches: 0,
        seconds: question.seconds(),
        percentiles: Vec::new(),
        limits: limit.into_iter().collect(),
        evidence: Evidence::NoCoin { untested: Vec::new() },
    }
}

/// The interval of the ratio, or why there is none.
fn interval(
    question: &Question<'_>,
    sides: [Vec<f64>; 2],
    of: Piece,
    untested: &[Untested],
) -> Result<Interval, Limit> {
    if sides.iter().flatten().any(|value| *value <= 0.0) {
        return Err(Limit::NoRatio);
    }
    let constant = |values: &Vec<f64>| values.len() > 1 && values.iter().all(|value| *value == values[0]);
    if question.definition.unit.in_seconds().is_some() && sides.iter().all(constant) {
        return Err(Limit::NoInterval(TooLittle::Constant));
    }
    let [baseline, candidate] = sides;
    let baseline = side(question, question.pair.baseline, baseline, of, untested)?;
    let candidate = side(question, question.pair.candidate, candidate, of, untested)?;
    let alpha = question.settings.alpha();
    let worth = worth_together(baseline.worth, candidate.worth, alpha).ok_or_else(|| {
        let [baseline, candidate] = [&baseline, &candidate].map(|side| side.worth.estimated() as usize);
        Limit::NoInterval(TooLittle::Worth { baseline, candidate, of, needed: fewest_a_side(alpha) })
    })?;
    let [baseline, candidate] =
        [Series::dependent(&baseline.values, worth[0]), Series::dependent(&candidate.values, worth[1])];
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let ratio = compare_ratio(better, worse, alpha).map_err(refused)?;
    let finite = |ratio: f64| (ratio > 0.0 && ratio.is_finite()).then(|| LogRatio(ratio.ln()));
    Ok(Interval {
        low: finite(ratio.bounds.lower),
        estimate: finite(ratio.value).ok_or(Limit::NoRatio)?,
        high: finite(ratio.bounds.upper),
    })
}

/// The numbers of a side and what they are worth.
fn side(
    question: &Question<'_>,
    arm: ArmId,
    values: Vec<f64>,
    of: Piece,
    untested: &[Untested],
) -> Result<Side, Limit> {
    let count = values.len();
    if count < 2 {
        return Err(Limit::NoInterval(TooLittle::OnlyOne { arm, of }));
    }
    if untested.iter().any(|series| series.arm == arm) {
        return Ok(Side { values, worth: Worth::independent(count) });
    }
    let worth = Worth::of(&values, question.settings.mean_error.0, question.settings.alpha());
    match worth.map_err(refused)? {
        Some(worth) => Ok(Side { values, worth }),
        None => Err(Limit::NoInterval(TooLittle::RemembersAll { arm, count, of })),
    }
}

fn refused(error: InputError) -> Limit {
    Limit::NoInterval(TooLittle::Refused(error))
}

fn medians(costs: &Costs) -> Vec<f64> {
    costs.by_launch().filter_map(|launch| Sorted::new(launch).ok()).map(|sorted| sorted.median()).collect()
}

/// Percentiles ask less of the samples than an interval does: they are there even when that is refused.
fn percentiles(question: &Question<'_>, sides: [&Costs; 2]) -> Vec<ScaledPercentile> {
    let [Ok(old), Ok(new)] = sides.map(Costs::sorted) else { return Vec::new() };
    let scaled = |percent: &f64| {
        let (baseline, candidate) = (old.percentile(*percent).ok()?, new.percentile(*percent).ok()?);
        let scaled = candidate / baseline;
        let defined = baseline > 0.0 && scaled.is_finite();
        defined.then_some(ScaledPercentile {
            percent: *percent,
            baseline,
            candidate,
            scaled,
            low: None,
            high: None,
        })
    };
    question.settings.percentiles.iter().filter_map(scaled).collect()
}

fn ratio_of_medians(question: &Question<'_>, baseline: &Costs, candidate: &Costs) -> Option<f64> {
    change(question, baseline.sorted().ok()?.median(), candidate.sorted().ok()?.median())
}

/// The relative change between two figures above zero.
fn change(question: &Question<'_>, baseline: f64, candidate: f64) -> Option<f64> {
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let ratio = worse / better;
    (better > 0.0 && worse > 0.0 && ratio.is_finite()).then_some(ratio - 1.0)
}

/// Without samples there is an estimate at best: from the same figure of both.
fn of_figures(question: &Question<'_>) -> Comparison {
    let arms = [question.pair.baseline, question.pair.candidate];
    let metric = question.pair.metric;
    let [old, new] = arms.map(|arm| level::typical(question.study, arm, metric).unwrap_or_default());
    let both = old.median.zip(new.median).or(old.mean.zip(new.mean));
    let estimate = both.and_then(|(old, new)| change(question, old, new));
    let known = arms.iter().all(|arm| question.study.knows(*arm, metric));
    undecided(question, estimate, Some(if known { Limit::OnlyFigures } else { Limit::NotKnownOfBoth }))
}
