//! What is seen while it is measured? A line for each comparison on standard error, if that is a terminal and nobody
//! asked for quiet.

use super::Telling;
use crate::Stage;
use evenhand_measure::plan::Plan;
use evenhand_measure::rounds::{Progress, Watcher};
use evenhand_measure::stop::Comparison;
use evenhand_report::live::{Line, Live};
use evenhand_trial::{ArmId, Trial};
use std::io::Write;

pub(crate) struct Onlooker<'a> {
    live: Option<Live>,
    out: &'a mut dyn Write,
    names: Names,
}

/// What the numbers of arms, metrics and groups are called.
struct Names {
    arms: Vec<String>,
    metrics: Vec<String>,
    several_metrics: bool,
    baselines: Vec<ArmId>,
}

impl<'a> Onlooker<'a> {
    /// `unit`: what is counted, `round` or `launch`.
    pub(crate) fn new(
        trial: &Trial,
        plan: &Plan,
        telling: &Telling,
        unit: &'static str,
        stage: &'a mut Stage<'_>,
    ) -> Self {
        let margin = 100.0 * (plan.stop.margin.slower().factor() - 1.0);
        let screen = stage.world.screen.filter(|_| !telling.quiet);
        Self {
            live: screen.map(|screen| Live::new(screen.layout, screen.rows, margin, unit)),
            out: &mut *stage.err,
            names: Names {
                arms: trial.arms.iter().map(|arm| arm.name.clone()).collect(),
                metrics: trial.metrics.iter().map(|metric| metric.name.clone()).collect(),
                several_metrics: plan.stop.metrics.len() > 1,
                baselines: plan.groups.iter().map(|group| group.arms[0]).collect(),
            },
        }
    }
}

impl Names {
    fn lines(&self, progress: &Progress<'_>) -> Vec<Line<'_>> {
        if progress.comparisons.is_empty() {
            let arm = self.baselines[progress.group];
            return vec![Line::Alone { arm: &self.arms[arm.index()], said: "" }];
        }
        progress.comparisons.iter().map(|comparison| self.line(comparison)).collect()
    }

    fn line(&self, comparison: &Comparison) -> Line<'_> {
        let metric = &self.metrics[comparison.metric.index()];
        Line::Pair {
            candidate: &self.arms[comparison.candidate.index()],
            baseline: &self.arms[comparison.baseline.index()],
            metric: self.several_metrics.then_some(metric.as_str()),
            verdict: comparison.verdict,
            settled: comparison.settled,
        }
    }
}

impl Watcher for Onlooker<'_> {
    fn look_on(&mut self, progress: &Progress<'_>) {
        let Some(live) = &mut self.live else { return };
        let lines = self.names.lines(progress);
        // A terminal that went away is no reason to stop measuring.
        let drawn = live.draw(&mut *self.out, &lines, progress.rounds, progress.elapsed, progress.budget);
        if drawn.is_err() {
            self.live = None;
        }
    }
}

impl Drop for Onlooker<'_> {
    fn drop(&mut self) {
        if let Some(live) = &mut self.live {
            let _ = live.clear(&mut *self.out);
        }
    }
}
