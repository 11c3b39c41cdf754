//! From a trial to claims: what each arm costs, how the arms compare, and what to know before believing it.
//!
//! [`analyse`] is a pure function: the same trial and [`Settings`] give the same bytes of JSON. Who draws as well makes a [`Study`] of the
//! trial once, for analysis, charts and pictures. Nothing downstream
//! computes a statistic again. Claims are ids and figures; [`words`] makes the sentences.
//!
//! | file | question |
//! |---|---|
//! | `settings.rs` | how sure, which margin, which metric? |
//! | `study.rs` | which numbers belong together? Gathered and sorted once |
//! | `level.rs` | what does one arm cost? |
//! | `pairing.rs` | which arms are compared with each other? |
//! | `question.rs` | what is a comparison about? |
//! | `comparison.rs` | what does a comparison say? |
//! | `comparisons.rs` | is the candidate faster? |
//! | `paired.rs` | what do the rounds of a coin say? |
//! | `coins.rs` | which coins does a verdict count? |
//! | `signs.rs` | and where some cost nothing? |
//! | `layouts.rs` | how much is the order of the functions in the program worth? |
//! | `unpaired.rs` | and if no coin decided the order? |
//! | `clock.rs` | how much of it may a coarse clock have made? |
//! | `service.rs` | is a difference between two services the load generator's own? |
//! | `suite.rs` | what do all comparisons say together? |
//! | `set_up.rs` | how much of a sample is set-up? |
//! | [`charts`] | what can be drawn, on a page with every sample and in a terminal? |
//! | `warnings.rs` | what should a reader know first? |
//! | `next.rs` | what is most useful to do after this result? |
//! | `names.rs` | what are arms and metrics called? |
//! | `wire.rs` | how is all of it written as JSON? |
//! | [`words`] | how is all of it said to people? |
//!
//! Tests: `tests/analysis.rs`.

pub mod charts;
mod clock;
mod coins;
mod comparison;
mod comparisons;
mod layouts;
mod level;
mod names;
mod next;
pub(crate) mod paired;
mod pairing;
mod question;
mod service;
mod set_up;
mod settings;
mod signs;
mod study;
mod suite;
mod unpaired;
mod warnings;
mod wire;
pub mod words;

pub use comparison::{
    Coin, Comparison, Effect, Evidence, MeanComparison, Piece, ScaledPercentile, SignCounts, Untested,
};
pub(crate) use comparison::{Limit, TooLittle};
pub use layouts::LayoutEffect;
pub use level::{ErrorOfMean, Figures, From, Level, Mode, Movement, Outliers, Percentile};
pub use names::Names;
pub use next::{Next, ToDo, next};
pub(crate) use pairing::Apart;
pub(crate) use set_up::LEAST_SHARE;
pub use set_up::{ITERATIONS, SetUp};
pub use settings::{Decides, ErrorRule, Settings, SettingsError};
pub use study::{Pair, Study};
pub use suite::Suite;
pub use warnings::Warning;
pub(crate) use warnings::{Concern, SlowStart};

use comparisons::comparisons;
use evenhand_trial::{ArmId, MetricId, Note, Origin, State, Trial, TrialId};
use jiff::Timestamp;
use serde::Serialize;
use std::collections::BTreeSet;
use warnings::Uncompared;

/// Everything that is claimed of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    pub trial: About,
    /// What the claims depend on beside it.
    pub settings: Settings,
    /// What its arms and metrics are called.
    pub names: Names,
    /// Candidates against baselines.
    pub comparisons: Vec<Comparison>,
    /// All comparisons together, where there are several benchmarks.
    pub suite: Option<Suite>,
    /// Each arm by each metric.
    pub levels: Vec<Level>,
    /// What is in each sample once, where several numbers of iterations tell.
    pub set_ups: Vec<SetUp>,
    /// What to know before believing it.
    pub warnings: Vec<Warning>,
    /// What the record says of how it came about.
    pub notes: Vec<Note>,
}

impl Analysis {
    /// The comparisons that count: all but those of controls.
    pub fn counted(&self) -> impl Iterator<Item = &Comparison> {
        self.comparisons.iter().filter(|comparison| !comparison.control)
    }

    /// Whether it compares so many benchmarks that a table says more than sentences.
    pub fn is_suite(&self) -> bool {
        const FEWEST: usize = 3;
        let groups: BTreeSet<&str> =
            self.counted().map(|comparison| self.names.group(comparison.pair.candidate)).collect();
        groups.len() >= FEWEST
    }

    /// Whether a warning may change what is believed of the result: of the verdict, or of the times, where nothing is compared.
    pub fn bears_on_result(&self, warning: &Warning) -> bool {
        let randomised = self.comparisons.iter().any(|comparison| comparison.coin().is_some());
        self.comparisons.is_empty() || warning.bears_on_verdict(randomised) || self.moved_alone(warning)
    }

    /// What moved in one arm and not in its rival has changed the difference.
    fn moved_alone(&self, warning: &Warning) -> bool {
        let moved = |arm: ArmId| {
            self.warnings
                .iter()
                .any(|other| other.about == Some(arm) && matches!(other.what, Concern::Moved(_)))
        };
        let is_of = |arm: ArmId| warning.about == Some(arm) && matches!(warning.what, Concern::Moved(_));
        self.counted().any(|Comparison { pair, .. }| {
            (is_of(pair.baseline) || is_of(pair.candidate)) && moved(pair.baseline) != moved(pair.candidate)
        })
    }
}

/// Which trial an analysis is of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct About {
    /// Its id.
    pub id: TrialId,
    /// The user's name for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// Whether it came to its end.
    pub state: State,
    pub origin: Origin,
    /// Whether a coin decided the order.
    pub randomised: bool,
    /// How long it took, if known; each comparison tells it.
    #[serde(skip)]
    pub seconds: Option<f64>,
}

/// Analyses a trial.
///
/// # Errors
/// As [`Study::analyse`].
pub fn analyse(trial: &Trial, settings: &Settings) -> Result<Analysis, SettingsError> {
    Study::of(trial).analyse(settings)
}

impl Study<'_> {
    /// What is claimed of the trial.
    ///
    /// # Errors
    /// A setting that cannot be met: a metric or a baseline that does not exist, a confidence that is none. What single
    /// numbers do not allow is missing in the answer instead, with the reason.
    pub fn analyse(&self, settings: &Settings) -> Result<Analysis, SettingsError> {
        settings.check()?;
        let (trial, names) = (self.trial, Names::of(self.trial));
        let (comparisons, nothing_shared) = comparisons(self, settings)?;
        let levels = levels(self, settings, &comparisons);
        let uncompared = Uncompared { nothing_shared, kept_apart: pairing::kept_apart(trial, settings) };
        Ok(Analysis {
            trial: About::of(trial),
            settings: settings.clone(),
            warnings: warnings::warnings(self, &levels, &comparisons, uncompared),
            suite: suite::suite(&comparisons, &names, &trial.plan, settings),
            set_ups: set_up::set_ups(trial, &levels),
            names,
            comparisons,
            levels,
            notes: trial.notes.clone(),
        })
    }
}

impl About {
    fn of(trial: &Trial) -> Self {
        Self {
            id: trial.id.clone(),
            label: trial.label.clone(),
            started: trial.started,
            state: trial.state,
            origin: trial.origin.clone(),
            randomised: trial.schedule.is_some(),
            seconds: trial.seconds.filter(|seconds| seconds.is_finite()),
        }
    }
}

/// Of every arm by every metric. Only what is compared is drawn as well: the costs of the other metrics, of which a trial of commands has
/// some twenty, are not kept.
fn levels(study: &Study<'_>, settings: &Settings, comparisons: &[Comparison]) -> Vec<Level> {
    let compared: BTreeSet<u32> = comparisons.iter().map(|comparison| comparison.pair.metric.0).collect();
    let metrics = (0..study.trial.metrics.len() as u32).map(MetricId);
    let arms = study.trial.arms.len() as u32;
    let pairs = metrics.flat_map(|metric| (0..arms).map(move |arm| (ArmId(arm), metric)));
    let level = |(arm, metric): (ArmId, MetricId)| {
        if compared.contains(&metric.0) {
            level::level(study, arm, metric, study.costs(arm, metric), settings)
        } else {
            level::level(study, arm, metric, &study.gathered(arm, metric), settings)
        }
    };
    pairs.filter_map(level).collect()
}
