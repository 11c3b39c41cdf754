//! And if no coin decided the order? Two series, each with its own memory, compared by what their effective sample
//! sizes allow; the answer assumes that nothing else changed between them, and says so (METHOD, section 6).
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Comparison, Effect, Question, ScaledPercentile, both_costs, effect};
use super::level;
use super::settings::Refused;
use evenhand_stats::InputError;
use evenhand_stats::level::mean_error::mean_error;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::randomised::LogRatio;
use evenhand_stats::randomised::confidence_sequence::{Interval, Look};
use evenhand_stats::randomised::verdict::Verdict;
use evenhand_stats::unpaired::comparison::{Assumption, Series, compare as compare_series};

pub(super) fn compare(question: &Question<'_>, comparison: &mut Comparison) -> Result<(), Refused> {
    comparison.assumptions.push(Assumption::NothingElseChanged.to_string());
    let (baseline, candidate) = both_costs(question);
    if baseline.is_empty() || candidate.is_empty() {
        compare_figures(question, comparison);
        return Ok(());
    }
    comparison.launches = launches(question);
    // Percentiles ask less of the samples than an interval does: they are there even when that is refused.
    let _ = percentiles(question, &baseline, &candidate, comparison);
    match interval(question, &baseline, &candidate) {
        Ok(interval) => {
            let look = Look::Interval(interval);
            comparison.verdict =
                Verdict::of(look, question.settings.margin()?, baseline.len().min(candidate.len())).word;
            comparison.effect = effect(look);
        }
        Err(error) => {
            comparison.effect.estimate = ratio_of_medians(question, &baseline, &candidate);
            comparison.limits.push(format!("no interval: {error}"));
        }
    }
    Ok(())
}

fn interval(question: &Question<'_>, baseline: &[f64], candidate: &[f64]) -> Result<Interval, InputError> {
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let (old, new) = (
        Series::dependent(better, effective(question, better)),
        Series::dependent(worse, effective(question, worse)),
    );
    let found = compare_series(old, new, question.settings.alpha())?;
    let Some(ratio) = found.ratio else {
        return Ok(Interval { low: None, estimate: LogRatio(0.0), high: None });
    };
    let bound = |ratio: f64| (ratio > 0.0 && ratio.is_finite()).then(|| LogRatio(ratio.ln()));
    Ok(Interval {
        low: bound(ratio.bounds.lower),
        estimate: LogRatio(ratio.value.ln()),
        high: bound(ratio.bounds.upper),
    })
}

/// How many independent samples a series is worth: at least 2, at most as many as it has.
fn effective(question: &Question<'_>, values: &[f64]) -> f64 {
    let all = values.len() as f64;
    let worth =
        mean_error(values, question.settings.mean_error.0).map_or(all, |error| error.effective_samples);
    worth.clamp(2.0_f64.min(all), all)
}

fn launches(question: &Question<'_>) -> usize {
    let of = |arm| {
        let mut launches: Vec<_> =
            question.trial.series.iter().filter(|s| s.arm == arm).map(|s| s.launch).collect();
        launches.sort_unstable();
        launches.dedup();
        launches.len()
    };
    of(question.baseline).min(of(question.candidate))
}

fn percentiles(
    question: &Question<'_>,
    baseline: &[f64],
    candidate: &[f64],
    comparison: &mut Comparison,
) -> Result<(), InputError> {
    let (old, new) = (Sorted::new(baseline)?, Sorted::new(candidate)?);
    for &percent in &question.settings.percentiles {
        let (baseline, candidate) = (old.percentile(percent)?, new.percentile(percent)?);
        if baseline > 0.0 {
            let scaled = candidate / baseline;
            comparison.percentiles.push(ScaledPercentile {
                percent,
                baseline,
                candidate,
                scaled,
                low: None,
                high: None,
            });
        }
    }
    Ok(())
}

fn ratio_of_medians(question: &Question<'_>, baseline: &[f64], candidate: &[f64]) -> Option<f64> {
    let (better, worse) = question.worse_is_positive(baseline, candidate);
    let ratio = Sorted::new(worse).ok()?.median() / Sorted::new(better).ok()?.median();
    ratio.is_finite().then_some(ratio - 1.0)
}

/// Without samples there is an estimate at best.
fn compare_figures(question: &Question<'_>, comparison: &mut Comparison) {
    let typical = |arm| {
        let level = level::level(question.trial, arm, question.metric, question.settings)?;
        level.figures.median.or(level.figures.mean)
    };
    let (old, new) = (typical(question.baseline), typical(question.candidate));
    let (better, worse) = question.worse_is_positive(old, new);
    let ratio = better.zip(worse).map(|(better, worse)| worse / better).filter(|ratio| ratio.is_finite());
    comparison.effect = Effect { estimate: ratio.map(|ratio| ratio - 1.0), low: None, high: None };
    comparison
        .limits
        .push("only figures are known, not the samples behind them: no interval, no verdict".to_owned());
}
