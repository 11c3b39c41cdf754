//! What is seen while it is measured? A line for each comparison on standard error, if that is a terminal and nobody
//! asked for quiet.

use super::{Telling, notices};
use crate::Stage;
use evenhand_measure::executor::Waiting;
use evenhand_measure::observers::{Notice, Progress, Watcher};
use evenhand_measure::plan::{MeasurePlan, StopRule};
use evenhand_measure::stop::PairSoFar;
use evenhand_report::live::{self, Line, Live};
use evenhand_report::message::Voice;
use evenhand_report::terminal::Terminal;
use evenhand_trial::{ArmId, Trial};
use std::time::Duration;

/// Where nothing can be drawn over, a wait is told once it is this long.
const LONG: Duration = Duration::from_secs(10);

pub(crate) struct Onlooker<'a> {
    live: Option<Live>,
    err: Voice<'a>,
    names: Names,
    stop: StopRule,
    is_quiet: bool,
    /// The group of which a wait was told last.
    noted: Option<usize>,
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
        plan: &MeasurePlan,
        telling: &Telling,
        unit: &'static str,
        stage: &'a mut Stage<'_>,
    ) -> Self {
        let margin = 100.0 * (plan.stop.margin.slower().factor() - 1.0);
        let Terminal { err, rows, .. } = stage.world.terminal;
        let rows = rows.filter(|_| !telling.quiet);
        Self {
            live: rows.map(|rows| Live::new(err, rows, margin, unit)),
            err: stage.err.again(),
            names: Names {
                arms: trial.arms.iter().map(|arm| arm.name.clone()).collect(),
                metrics: trial.metrics.iter().map(|metric| metric.name.clone()).collect(),
                several_metrics: plan.stop.metrics.len() > 1,
                baselines: plan.groups.iter().map(|group| group.arms[0]).collect(),
            },
            stop: plan.stop.clone(),
            is_quiet: telling.quiet,
            noted: None,
        }
    }

    /// Says that something takes long, once a group, to who sees no live line.
    fn tell_of_wait(&mut self, group: usize, waiting: &Waiting<'_>) {
        if self.is_quiet || waiting.time < LONG || self.noted == Some(group) {
            return;
        }
        self.noted = Some(group);
        // Measuring does not depend on who reads this.
        let _ = self.err.say(&notices::still_waiting(waiting));
    }
}

impl Names {
    fn lines(&self, progress: &Progress<'_>) -> Vec<Line<'_>> {
        if progress.comparisons.is_empty() {
            let arm = self.baselines[progress.group];
            return vec![Line::Alone { arm: &self.arms[arm.index()], text: "" }];
        }
        progress.comparisons.iter().map(|comparison| self.line(comparison)).collect()
    }

    fn line(&self, comparison: &PairSoFar) -> Line<'_> {
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
        let Some(live) = &mut self.live else {
            progress.waiting.iter().for_each(|waiting| self.tell_of_wait(progress.group, waiting));
            return;
        };
        let lines = self.names.lines(progress);
        let waiting = progress.waiting.map(|waiting| live::Waiting {
            what: waiting.what,
            time: waiting.time,
            way_out: notices::way_out(waiting.stays),
        });
        let Progress { rounds, elapsed, budget, .. } = *progress;
        // A terminal that went away is no reason to stop measuring.
        let drawn = live.draw(&mut self.err, &lines, waiting, rounds, elapsed, budget);
        if drawn.is_err() {
            self.live = None;
        }
    }

    /// What explains the result is said always, what is coming only to who wants to hear.
    fn notice(&mut self, notice: &Notice) {
        if self.is_quiet && matches!(notice, Notice::Forecast(_)) {
            return;
        }
        if let Some(live) = &mut self.live {
            let _ = live.clear(&mut self.err);
        }
        let _ = self.err.say(&notices::message(notice, &self.stop));
    }
}

impl Drop for Onlooker<'_> {
    fn drop(&mut self) {
        if let Some(live) = &mut self.live {
            let _ = live.clear(&mut self.err);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use clap::Parser;
    use evenhand_measure::past::Past;
    use evenhand_measure::plan::{Group, Precision};
    use evenhand_stats::randomised::at::At;
    use evenhand_stats::randomised::verdict::Margin;
    use evenhand_trial::{Arm, Origin, Schedule, Seed, TrialId};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        telling: Telling,
    }

    /// What who sees no live line is told after waits of these groups and seconds.
    fn written(words: &[&str], waits: &[(usize, u64)]) -> String {
        let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "1".to_owned() });
        trial.arms = vec![Arm { name: "vim".to_owned(), ..Arm::default() }];
        let max_time = Duration::from_secs(30);
        let stop = StopRule {
            max_time,
            longest: max_time,
            rounds: None,
            fewest: 0,
            most: None,
            margin: Margin::default(),
            alpha: 0.01,
            metrics: Vec::new(),
            tell_from: None,
            precision: Precision::ANY,
            at: At::Typical,
        };
        let groups = vec![Group { number: 0, arms: vec![ArmId(0)], control: None }];
        let schedule = Schedule::new(Seed(1));
        let plan =
            MeasurePlan { schedule, groups, warmup: 0, stop, ignore_failures: false, past: Past::default() };
        let telling = Line::parse_from([&["run"], words].concat()).telling;
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let terminal = Terminal::of(None, None, &|_| None);
        let world = World { terminal, ..World::here() };
        let mut stage = Stage { world, archive: None, out: &mut out, err: Voice::new(&mut err, false) };
        let mut onlooker = Onlooker::new(&trial, &plan, &telling, "round", &mut stage);
        for (group, seconds) in waits {
            let time = Duration::from_secs(*seconds);
            onlooker.look_on(&Progress {
                group: *group,
                groups: 2,
                rounds: 0,
                elapsed: time,
                budget: max_time,
                comparisons: &[],
                waiting: Some(Waiting { what: "vim", time, stays: false }),
            });
        }
        drop(onlooker);
        String::from_utf8(err).unwrap_or_default()
    }

    #[test]
    fn a_long_wait_is_told_once_a_group_to_who_sees_no_live_line() {
        assert_eq!(written(&[], &[(0, 1), (0, 9)]), "");
        let line = "note: waiting for `vim`, 10 s so far\nhint: Ctrl-C ends it\n";
        assert_eq!(written(&[], &[(0, 9), (0, 10), (0, 11), (0, 60)]), line);
        assert_eq!(written(&[], &[(0, 10), (1, 9), (1, 10)]), line.repeat(2));
        assert_eq!(written(&["--quiet"], &[(0, 10)]), "");
    }
}
