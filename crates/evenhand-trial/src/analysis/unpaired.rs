//! And if no coin decided the order? Two series, each with its own memory, compared by what their effective sample
//! sizes allow; the answer assumes that nothing else changed between them, and says so (METHOD, section 6).
//!
//! With two launches or more on both sides the launches are compared, each by its median: what holds of the samples of
//! one launch need not hold of the next (METHOD, section 1).
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Effect, Question, ScaledPercentile, effect, no_ratio};
use super::gather::Costs;
use super::level;
use super::sentence::sure;
use super::settings::Refused;
use crate::ArmId;
use crate::words::counted;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::unpaired::comparison::{Assumption, Series, compare as compare_series};
use evenhand_stats::unpaired::worth::{Worth, worth_together};

/// The numbers of one side.
struct Side {
    values: Vec<f64>,
    worth: Worth,
}

pub(super) fn compare(question: &Question<'_>, comparison: &mut Comparison) -> Result<(), Refused> {
    comparison.assumptions.push(Assumption::NothingElseChanged.to_string());
    let costs = |arm| question.index.costs(arm, question.metric);
    let (baseline, candidate) = (costs(question.baseline), costs(question.candidate));
    if baseline.values.is_empty() || candidate.values.is_empty() {
        compare_figures(question, comparison);
        return Ok(());
    }
    for arm in
        [question.baseline, question.candidate].into_iter().filter(|arm| question.index.order_lost(*arm))
    {
        let name = question.index.trial.arm(arm).map_or("", |arm| arm.name.as_str());
        comparison
            .assumptions
            .push(format!("and that samples of {name} do not resemble the ones before them"));
    }
    comparison.launches = baseline.launches.len().min(candidate.launches.len());
    percentiles(question, [&baseline.values, &candidate.values], comparison);
    comparison.effect.estimate = ratio_of_medians(question, &baseline.values, &candidate.values);
    if comparison.launches > 1 {
        let medians = [medians(&baseline), medians(&candidate)];
        return decide(question, interval(question, medians, "launch"), comparison);
    }
    decide(question, interval(question, [baseline.values, candidate.values], "sample"), comparison)
}

fn decide(
    question: &Question<'_>,
    interval: Result<Interval, String>,
    comparison: &mut Comparison,
) -> Result<(), Refused> {
    match interval {
        Ok(interval) => {
            let look = Look::Interval(interval);
            comparison.verdict = Verdict::of(look, question.settings.margin()?, 0).word;
            comparison.effect = effect(look);
        }
        Err(why) => comparison.limits.push(why),
    }
    Ok(())
}

/// The interval of the ratio, or why there is none.
fn interval(question: &Question<'_>, sides: [Vec<f64>; 2], unit: &str) -> Result<Interval, String> {
    if sides.iter().flatten().any(|value| *value <= 0.0) {
        return Err(no_ratio(question));
    }
    let [baseline, candidate] = sides;
    let arms = [question.baseline, question.candidate];
    let [baseline, candidate] =
        [side(question, arms[0], baseline, unit)?, side(question, arms[1], candidate, unit)?];
    let alpha = question.settings.alpha();
    let worth = worth_together(baseline.worth, candidate.worth, alpha).ok_or_else(|| {
        let of = |side: &Side| counted(side.worth.estimated() as usize, unit);
        format!(
            "no interval: what {} and {} are worth together cannot be {} sure",
            of(&baseline),
            of(&candidate),
            sure(question.settings.confidence)
        )
    })?;
    let [baseline, candidate] =
        [Series::dependent(&baseline.values, worth[0]), Series::dependent(&candidate.values, worth[1])];
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let found = compare_series(better, worse, alpha).map_err(|error| format!("no interval: {error}"))?;
    let ratio = found.ratio.ok_or_else(|| no_ratio(question))?;
    let finite = |ratio: f64| (ratio > 0.0 && ratio.is_finite()).then(|| LogRatio(ratio.ln()));
    Ok(Interval {
        low: finite(ratio.bounds.lower),
        estimate: finite(ratio.value).ok_or_else(|| no_ratio(question))?,
        high: finite(ratio.bounds.upper),
    })
}

/// The numbers of a side and what they are worth.
fn side(question: &Question<'_>, arm: ArmId, values: Vec<f64>, unit: &str) -> Result<Side, String> {
    let name = question.index.trial.arm(arm).map_or("", |arm| arm.name.as_str());
    if values.len() < 2 {
        return Err(format!("no interval: one {unit} of {name} does not tell how much it varies"));
    }
    let worth = Worth::of(&values, question.settings.mean_error.0, question.settings.alpha())
        .map_err(|error| format!("no interval: {error}"))?;
    match worth {
        Some(worth) => Ok(Side { values, worth }),
        None => Err(format!(
            "no interval: each {unit} of {name} resembles the ones before it for so long that {} do not tell how \
             much it varies",
            counted(values.len(), unit)
        )),
    }
}

fn medians(costs: &Costs) -> Vec<f64> {
    costs.by_launch().filter_map(|launch| Sorted::new(launch).ok()).map(|sorted| sorted.median()).collect()
}

/// Percentiles ask less of the samples than an interval does: they are there even when that is refused.
fn percentiles(question: &Question<'_>, [baseline, candidate]: [&[f64]; 2], comparison: &mut Comparison) {
    let (Ok(old), Ok(new)) = (Sorted::new(baseline), Sorted::new(candidate)) else { return };
    for &percent in &question.settings.percentiles {
        let (Ok(baseline), Ok(candidate)) = (old.percentile(percent), new.percentile(percent)) else {
            continue;
        };
        let scaled = candidate / baseline;
        if baseline > 0.0 && scaled.is_finite() {
            let (low, high) = (None, None);
            comparison.percentiles.push(ScaledPercentile { percent, baseline, candidate, scaled, low, high });
        }
    }
}

fn ratio_of_medians(question: &Question<'_>, baseline: &[f64], candidate: &[f64]) -> Option<f64> {
    change(question, Sorted::new(baseline).ok()?.median(), Sorted::new(candidate).ok()?.median())
}

/// The relative change between two figures above zero.
fn change(question: &Question<'_>, baseline: f64, candidate: f64) -> Option<f64> {
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let ratio = worse / better;
    (better > 0.0 && worse > 0.0 && ratio.is_finite()).then_some(ratio - 1.0)
}

/// Without samples there is an estimate at best: from the same figure of both.
fn compare_figures(question: &Question<'_>, comparison: &mut Comparison) {
    let figures = |arm| level::typical(question.index, arm, question.metric).unwrap_or_default();
    let (old, new) = (figures(question.baseline), figures(question.candidate));
    let both = old.median.zip(new.median).or(old.mean.zip(new.mean));
    let estimate = both.and_then(|(old, new)| change(question, old, new));
    comparison.effect = Effect { estimate, low: None, high: None };
    let known = |arm| question.index.knows(arm, question.metric);
    comparison.limits.push(if known(question.baseline) && known(question.candidate) {
        "only figures are known, not the samples behind them: no interval, no verdict".to_owned()
    } else {
        format!("{} is not known of both", question.definition.name)
    });
}
