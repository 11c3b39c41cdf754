//! Is the candidate faster than the baseline? Each pair of the trial is compared by each wanted metric: with a coin, from the rounds that
//! both share; without one, from both series, and then the answer says what it assumes.
//!
//! Tests: `tests/analysis.rs`.

use super::comparison::{Coin, Comparison, Evidence};
use super::pairing::{controls, listed, pairings};
use super::question::Question;
use super::settings::{Settings, SettingsError};
use super::study::{Pair, Study};
use super::{paired, service, unpaired};
use evenhand_stats::randomised::suite::e_bh;
use evenhand_trial::{ArmId, Metric, MetricId};

/// All comparisons, and the pairs that have nothing in common to compare.
pub(super) fn comparisons(
    study: &Study<'_>,
    settings: &Settings,
) -> Result<(Vec<Comparison>, Vec<[ArmId; 2]>), SettingsError> {
    let (mut comparisons, mut not_compared) = (Vec::new(), Vec::new());
    let controls = controls(study.trial);
    for (baseline, candidates) in pairings(study.trial, settings)? {
        for candidate in candidates {
            let metrics = wanted_metrics(study, settings, baseline, candidate)?;
            if metrics.is_empty() {
                not_compared.push([baseline, candidate]);
            }
            for (metric, definition) in metrics {
                let pair = Pair { baseline, candidate, metric };
                let question = Question::new(study, pair, definition, settings);
                let control = controls.contains(&[baseline, candidate]);
                let compared = service::without_own_lateness(&question, compare(&question)?);
                comparisons.push(Comparison { control, ..compared });
            }
        }
    }
    Ok((with_changes_called(comparisons, settings), not_compared))
}

/// Compares two arms; paired where a coin was tossed between them. Every group has coins of its own, so there is none
/// between the arms of two groups.
fn compare(question: &Question<'_>) -> Result<Comparison, SettingsError> {
    let trial = question.study.trial;
    let group = |arm| trial.arm(arm).map(|arm| &arm.group);
    let one_group = group(question.pair.baseline) == group(question.pair.candidate);
    if trial.schedule.is_some() && one_group {
        paired::compare(question)
    } else {
        unpaired::compare(question)
    }
}

/// The metrics asked for, else the first that both arms have in more than half of their samples: `time` is known only of
/// commands that are single tasks.
fn wanted_metrics<'a>(
    study: &Study<'a>,
    settings: &Settings,
    baseline: ArmId,
    candidate: ArmId,
) -> Result<Vec<(MetricId, &'a Metric)>, SettingsError> {
    let trial = study.trial;
    if settings.metrics.is_empty() {
        let metrics = || (0..).map(MetricId).zip(&trial.metrics);
        let mostly = metrics()
            .find(|(metric, _)| [baseline, candidate].iter().all(|arm| study.mostly_knows(*arm, *metric)));
        let at_all = || {
            metrics().find(|(metric, _)| [baseline, candidate].iter().all(|arm| study.knows(*arm, *metric)))
        };
        let shared = mostly.or_else(at_all);
        return Ok(shared.into_iter().collect());
    }
    let find = |name: &String| {
        trial.metric(name).ok_or_else(|| {
            let names = listed(trial.metrics.iter().map(|metric| metric.name.as_str()));
            SettingsError(format!("no metric \"{}\": {names}", name.escape_debug()))
        })
    };
    settings.metrics.iter().map(find).collect()
}

/// Among several comparisons with a coin, those that may be called changes at the error rate of the analysis.
fn with_changes_called(mut comparisons: Vec<Comparison>, settings: &Settings) -> Vec<Comparison> {
    let counted = comparisons.iter_mut().filter(|comparison| !comparison.control);
    let coins = counted.filter_map(|comparison| match &mut comparison.evidence {
        Evidence::Coin(coin) if coin.ln_e_value.is_some() => Some(coin),
        _ => None,
    });
    let coins: Vec<&mut Box<Coin>> = coins.collect();
    let ln_e_values: Vec<f64> = coins.iter().filter_map(|coin| coin.ln_e_value).collect();
    let called = e_bh(&ln_e_values, settings.alpha()).unwrap_or_default();
    coins.into_iter().zip(called).for_each(|(coin, called)| coin.change_in_suite = Some(called));
    comparisons
}
