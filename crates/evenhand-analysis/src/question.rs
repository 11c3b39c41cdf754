//! What is a comparison about? Two arms of a trial by one metric, with the settings, and the clock that both were timed with.
//!
//! Tests: `tests/analysis.rs`, `tests/analysis/clock.rs`.

use super::settings::Settings;
use super::study::{Pair, Study};
use evenhand_stats::clock_step::{ClockStep, Readings};
use evenhand_trial::{Better, Metric};

const NANOSECOND: f64 = 1e-9;

/// What a comparison is about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub study: &'a Study<'a>,
    pub pair: Pair,
    pub definition: &'a Metric,
    pub settings: &'a Settings,
    /// The clock, if its step matters. Every end of an interval makes room for it.
    pub clock: Option<ClockStep>,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        study: &'a Study<'a>,
        pair: Pair,
        definition: &'a Metric,
        settings: &'a Settings,
    ) -> Self {
        let question = Self { study, pair, definition, settings, clock: None };
        Self { clock: question.clock_step(), ..question }
    }

    /// Cost per round: for a metric where more is better, the arms change places.
    pub(super) fn worse_is_positive<T>(&self, baseline: T, candidate: T) -> (T, T) {
        match self.definition.better {
            Better::Lower => (baseline, candidate),
            Better::Higher => (candidate, baseline),
        }
    }

    /// What the samples of both arms took by the clock, if one was read.
    pub(super) fn seconds(&self) -> Option<f64> {
        let of = |arm| self.study.seconds(arm);
        Some(of(self.pair.baseline)? + of(self.pair.candidate)?)
    }

    /// The smallest change worth acting on, 0.01 = 1 %.
    pub(super) fn margin(&self) -> f64 {
        self.settings.margin_percent / 100.0
    }

    /// Reads both series from end to end, so this is done once.
    fn clock_step(&self) -> Option<ClockStep> {
        let second = self.definition.unit.in_seconds()?.recip();
        let clock = self.study.trial.environment.clock.as_ref();
        let recorded = clock.map(|clock| clock.resolution_ns * NANOSECOND * second);
        let [baseline, candidate] =
            [self.pair.baseline, self.pair.candidate].map(|arm| self.study.readings(arm, self.pair.metric));
        let (better, worse) = self.worse_is_positive(baseline, candidate);
        Readings::of(better, worse).clock_step(recorded)
    }
}
