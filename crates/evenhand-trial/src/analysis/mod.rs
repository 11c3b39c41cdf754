//! From a trial to claims: what each arm costs, how the arms compare, and what to know before believing it.
//!
//! [`analyse`] is a pure function: the same trial and [`Settings`] give the same bytes of JSON. Nothing downstream
//! computes a statistic again.
//!
//! | file | question |
//! |---|---|
//! | `settings.rs` | how sure, which margin, which metric? |
//! | `gather.rs` | which numbers belong together? |
//! | `level.rs` | what does one arm cost? |
//! | `pairing.rs` | which arms are compared with each other? |
//! | `comparison.rs` | is the candidate faster? |
//! | `paired.rs` | what do the rounds of a coin say? |
//! | `layouts.rs` | how much is the order of the functions in the program worth? |
//! | `unpaired.rs` | and if no coin decided the order? |
//! | `suite.rs` | what do all comparisons say together? |
//! | `sentence.rs` | what is the verdict in words? |
//! | `pictures.rs` | how did the verdict come about, to be drawn in a terminal? |
//! | `charts/` | and on a page, with every sample? |
//! | `warnings.rs` | what should a reader know first? |
//!
//! Tests: `tests/analysis.rs`.

pub mod charts;
mod comparison;
mod gather;
mod layouts;
mod level;
mod paired;
mod pairing;
pub mod pictures;
mod sentence;
mod settings;
mod suite;
mod unpaired;
mod warnings;

pub use comparison::{Comparison, Effect, Kind, MeanComparison, ScaledPercentile};
pub use layouts::LayoutLuck;
pub use level::{Distribution, ErrorOfMean, Figures, From, Level, Mode, Movement, Outliers, Percentile};
pub use settings::{ErrorRule, Refused, Settings};
pub use suite::Suite;
pub use warnings::Warning;

use crate::json::FormVersion;
use crate::{Arm, ArmId, Metric, MetricId, Origin, State, Trial, TrialId};
use comparison::Question;
use evenhand_stats::randomised::suite::e_bh;
use gather::Index;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use warnings::Uncompared;

/// Everything that is claimed of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// The version of this form.
    pub schema_version: FormVersion<1>,
    /// Which trial.
    pub trial: About,
    /// What the claims depend on beside it.
    pub settings: Settings,
    /// Candidates against baselines.
    pub comparisons: Vec<Comparison>,
    /// All comparisons together, where there are several benchmarks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite>,
    /// Each arm by each metric.
    pub levels: Vec<Level>,
    /// What to know before believing it.
    pub warnings: Vec<Warning>,
    /// What the record says of how it came about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Which trial an analysis is of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Its id.
    pub id: TrialId,
    /// The user's name for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// Whether it came to its end.
    pub state: State,
    /// Who measured it.
    pub origin: Origin,
    /// Whether a coin decided the order.
    pub randomised: bool,
}

/// Analyses a trial.
///
/// # Errors
/// A setting that cannot be met: a metric or a baseline that does not exist, a confidence that is none. What single
/// numbers do not allow is missing in the answer instead, with the reason.
pub fn analyse(trial: &Trial, settings: &Settings) -> Result<Analysis, Refused> {
    settings.check()?;
    let index = Index::of(trial);
    let levels = levels(&index, settings);
    let (mut comparisons, nothing_shared) = comparisons(&index, settings)?;
    call_changes(&mut comparisons, settings);
    Ok(Analysis {
        schema_version: FormVersion::default(),
        trial: About {
            id: trial.id.clone(),
            label: trial.label.clone(),
            started: trial.started,
            state: trial.state,
            origin: trial.origin.clone(),
            randomised: trial.schedule.is_some(),
        },
        settings: settings.clone(),
        warnings: warnings::warnings(
            &index,
            &levels,
            &comparisons,
            &Uncompared { nothing_shared, kept_apart: pairing::kept_apart(trial, settings) },
        ),
        suite: suite::suite(&comparisons, settings),
        comparisons,
        levels,
        notes: trial.notes.iter().map(ToString::to_string).collect(),
    })
}

fn levels(index: &Index<'_>, settings: &Settings) -> Vec<Level> {
    let metrics = (0..index.trial.metrics.len() as u32).map(MetricId);
    let arms = index.trial.arms.len() as u32;
    let pairs = metrics.flat_map(|metric| (0..arms).map(move |arm| (ArmId(arm), metric)));
    pairs.filter_map(|(arm, metric)| level::level(index, arm, metric, settings)).collect()
}

/// A baseline and a candidate.
type Pair = (ArmId, ArmId);

/// All comparisons, and the pairs that have nothing in common to compare.
fn comparisons(index: &Index<'_>, settings: &Settings) -> Result<(Vec<Comparison>, Vec<Pair>), Refused> {
    let (mut comparisons, mut not_compared) = (Vec::new(), Vec::new());
    for (baseline, candidates) in pairing::pairings(index.trial, settings)? {
        for candidate in candidates {
            let metrics = wanted_metrics(index, settings, baseline, candidate)?;
            if metrics.is_empty() {
                not_compared.push((baseline, candidate));
            }
            for (metric, definition) in metrics {
                let question = Question { index, baseline, candidate, metric, definition, settings };
                comparisons.push(comparison::compare(&question)?);
            }
        }
    }
    Ok((comparisons, not_compared))
}

fn find_baseline(trial: &Trial, name: &str) -> Result<ArmId, Refused> {
    if let Some(index) = trial.arms.iter().position(|arm| arm.name == name) {
        return Ok(ArmId(index as u32));
    }
    Err(Refused(format!(
        "there is no arm \"{}\" for a baseline: {}",
        name.escape_debug(),
        listed(trial.arms.iter().map(|arm: &Arm| arm.name.as_str()))
    )))
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<String> = names.map(|name| format!("\"{}\"", name.escape_debug())).collect();
    let more = if names.len() > MOST { format!(" and {} more", names.len() - MOST) } else { String::new() };
    format!("there are {}{more}", names[..names.len().min(MOST)].join(", "))
}

/// The metrics asked for, else the first that both arms have in more than half of their samples: `time` is known only of
/// commands that are single tasks.
fn wanted_metrics<'a>(
    index: &Index<'a>,
    settings: &Settings,
    baseline: ArmId,
    candidate: ArmId,
) -> Result<Vec<(MetricId, &'a Metric)>, Refused> {
    let trial = index.trial;
    if settings.metrics.is_empty() {
        let metrics = || (0..).map(MetricId).zip(&trial.metrics);
        let mostly = metrics()
            .find(|(metric, _)| [baseline, candidate].iter().all(|arm| index.mostly_knows(*arm, *metric)));
        let at_all = || {
            metrics().find(|(metric, _)| [baseline, candidate].iter().all(|arm| index.knows(*arm, *metric)))
        };
        let shared = mostly.or_else(at_all);
        return Ok(shared.into_iter().collect());
    }
    let find = |name: &String| {
        trial.metric(name).ok_or_else(|| {
            let names = listed(trial.metrics.iter().map(|metric| metric.name.as_str()));
            Refused(format!("there is no metric \"{}\": {names}", name.escape_debug()))
        })
    };
    settings.metrics.iter().map(find).collect()
}

/// Among several comparisons with a coin, those that may be called changes at the error rate of the analysis.
fn call_changes(comparisons: &mut [Comparison], settings: &Settings) {
    let ln_e_values: Vec<f64> = comparisons.iter().filter_map(|comparison| comparison.ln_e_value).collect();
    let Ok(called) = e_bh(&ln_e_values, settings.alpha()) else { return };
    let with_coin = comparisons.iter_mut().filter(|comparison| comparison.ln_e_value.is_some());
    for (comparison, called) in with_coin.zip(called) {
        comparison.change_in_suite = Some(called);
    }
}
