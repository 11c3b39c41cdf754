//! What is the verdict, and what does each arm cost? The verdicts first, then a table for each metric, then what a
//! reader should know before believing it.
//!
//! The short form is one screen: of what to know, what may change the result, and how much there is beside it.
//!
//! Tests: `tests/text.rs`.

use crate::plain::plain;
use crate::style::Tone;
use crate::table::Table;
use crate::wrap::{wrapped, wrapped_phrase};
use crate::{Layout, Order, services, suite};
use evenhand_analysis::words::{self, Phrase, quantity_in, size, with_error_in};
use evenhand_analysis::{Analysis, Comparison, Level, Names, Warning};
use evenhand_trial::{ArmId, MetricId, Note, Origin};
use std::collections::HashMap;
use std::fmt::{self, Write};

/// What to show.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'a> {
    pub analysis: &'a Analysis,
    /// How to lay it out.
    pub layout: Layout,
    /// Whether everything is wanted, not the first screen alone.
    pub verbose: bool,
    /// Whether the tables of all percentiles are wanted.
    pub percentiles: bool,
    /// Whether the means are wanted.
    pub means: bool,
}

impl fmt::Display for Claims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.analysis.is_suite() {
            self.suite(f)?;
        }
        if self.verbose || !self.analysis.is_suite() {
            self.verdicts(f)?;
        }
        if self.percentiles {
            for comparison in &self.analysis.comparisons {
                self.scaled(f, comparison)?;
            }
            self.percentiles_alone(f)?;
        }
        if self.means {
            for comparison in &self.analysis.comparisons {
                self.means(f, comparison)?;
            }
        }
        self.set_ups(f)?;
        if self.verbose { self.all_remarks(f) } else { self.few_remarks(f) }
    }
}

/// The metrics that have a table. Of a measured trial: those that a verdict was wanted on; every run has a dozen others, and
/// they are in the JSON. Of other tools' results: all that the tool's user asked it for, but those with a column of their
/// own in the first table.
pub(crate) fn metrics(analysis: &Analysis) -> Vec<MetricId> {
    let mut metrics: Vec<MetricId> = Vec::new();
    for level in &analysis.levels {
        if !metrics.contains(&level.metric) {
            metrics.push(level.metric);
        }
    }
    let judged =
        |metric: MetricId| analysis.comparisons.iter().any(|comparison| comparison.pair.metric == metric);
    let first = metrics.first().copied();
    if matches!(analysis.trial.origin, Origin::Measured { .. }) {
        let alone = analysis.comparisons.is_empty();
        metrics.retain(|metric| judged(*metric) || (alone && Some(*metric) == first));
    } else {
        metrics.retain(|metric| {
            judged(*metric) || Some(*metric) == first || !is_usage(&analysis.names, *metric)
        });
    }
    metrics
}

/// The headings of the absolute values by a metric, whose name comes first.
fn headings<'a>(metric: &'a str, levels: &[&Level]) -> [&'a str; 13] {
    let mean = words::mean_heading(levels.iter().copied());
    [
        metric,
        "min",
        mean,
        "mean over min",
        "median",
        "P95",
        "max",
        "ratio",
        "user",
        "sys",
        "RSS",
        "samples",
        "failed",
    ]
}

/// In a narrow terminal: samples, the distance of the mean from the minimum, max, P95, min, sys, user, RSS, the mean. What is left
/// tells most: median, ratio, failed.
const GIVEN_UP_FIRST: [usize; 9] = [11, 3, 6, 5, 1, 9, 8, 10, 2];

/// What a process used beside the time on the wall, as columns of the first table.
const USAGE: [&str; 3] = ["user", "system", "max_rss"];

fn is_usage(names: &Names, metric: MetricId) -> bool {
    USAGE.contains(&names.metric(metric).name.as_str())
}

/// What a run of each arm used. Of processor time the mean: the kernel counts it in ticks, so that of short runs most
/// have none and the median says nothing. Of memory the median.
struct Usage<'a> {
    names: &'a Names,
    levels: HashMap<(ArmId, &'a str), &'a Level>,
}

impl<'a> Usage<'a> {
    fn of(Analysis { names, levels, .. }: &'a Analysis) -> Self {
        let used = levels.iter().filter(|level| is_usage(names, level.metric));
        let levels =
            used.map(|level| ((level.arm, names.metric(level.metric).name.as_str()), level)).collect();
        Self { names, levels }
    }

    /// Beside the times of the wall; a table of what was used has them as its own figures.
    fn cells(&self, level: &Level, layout: Layout) -> [String; 3] {
        let unit = |level: &Level| &self.names.metric(level.metric).unit;
        let beside = unit(level).in_seconds().is_some() && !is_usage(self.names, level.metric);
        USAGE.map(|metric| {
            let used = self.levels.get(&(level.arm, metric)).filter(|_| beside);
            let typical = used.and_then(|used| {
                let (mean, median) = (used.figures.mean, used.figures.median);
                // Some tools write one of the two and no more.
                let is_time = unit(used).in_seconds().is_some();
                let value = if is_time { mean.or(median) } else { median.or(mean) };
                value.map(|value| quantity_in(layout.time_unit, value, unit(used)))
            });
            typical.unwrap_or_default()
        })
    }
}

impl Claims<'_> {
    /// All benchmarks together, then each.
    fn suite(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = words::counts(self.analysis);
        let seconds = self.analysis.trial.seconds.map(|seconds| format!(", {}", words::duration(seconds)));
        self.sentence(f, &(counts + &seconds.unwrap_or_default()), 2)?;
        if let Some(suite) = &self.analysis.suite {
            self.sentence(f, &words::suite(suite), 2)?;
        }
        write!(f, "\n{}", suite::table(self.analysis, self.layout))?;
        if let Some(assumption) = words::assumption(self.analysis) {
            self.sentence(f, assumption, 2)?;
        }
        if self.analysis.comparisons.iter().any(suite::is_starred) {
            self.sentence(f, &words::starred(self.analysis), 2)?;
        }
        if self.verbose { f.write_char('\n') } else { Ok(()) }
    }

    /// Each comparison as a sentence, and what each arm costs.
    fn verdicts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comparison in &self.analysis.comparisons {
            self.verdict(f, comparison)?;
        }
        if let Some(suite) = self.analysis.suite.as_ref().filter(|_| !self.analysis.is_suite()) {
            self.sentence(f, &words::suite(suite), 2)?;
        }
        let usage = Some(Usage::of(self.analysis));
        for (place, metric) in metrics(self.analysis).into_iter().enumerate() {
            if place > 0 || !self.analysis.comparisons.is_empty() {
                f.write_char('\n')?;
            }
            // Once is enough.
            let usage = usage.as_ref().filter(|_| place == 0);
            write!(f, "{}", self.levels(metric, usage))?;
        }
        match services::table(self.analysis, self.layout) {
            Some(table) => write!(f, "\n{table}"),
            None => Ok(()),
        }
    }

    /// What may change the result, as far as it fits on a screen, and how much more there is.
    fn few_remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Analysis { warnings, notes, .. } = self.analysis;
        let bearing = self.kinds(|warning| self.analysis.bears_on_result(warning));
        let noted: Vec<&Note> = notes.iter().filter(|note| note.bears_on_verdict()).collect();
        let (bearing, noted) = (&bearing[..bearing.len().min(MOST_REMARKS)], noted);
        let noted = &noted[..noted.len().min(MOST_REMARKS - bearing.len())];
        let more = self.kinds(|_| true).len() + notes.len() - bearing.len() - noted.len();
        if bearing.len() + noted.len() + more > 0 {
            f.write_char('\n')?;
        }
        for warning in bearing {
            let alike = warnings.iter().filter(|other| other.code() == warning.code()).count();
            self.warn(f, warning, alike - 1)?;
        }
        noted.iter().try_for_each(|note| self.sentence(f, &format!("note: {note}"), UNDER_NOTE))?;
        if more > 0 { self.sentence(f, &words::more(more), 2) } else { Ok(()) }
    }

    /// The first warning of each kind that is wanted.
    fn kinds(&self, wanted: impl Fn(&Warning) -> bool) -> Vec<&Warning> {
        let mut kinds: Vec<&Warning> = Vec::new();
        for warning in self.analysis.warnings.iter().filter(|warning| wanted(warning)) {
            if kinds.iter().all(|known| known.code() != warning.code()) {
                kinds.push(warning);
            }
        }
        kinds
    }

    fn all_remarks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noted = self.analysis.notes.iter().map(ToString::to_string);
        let notes: Vec<String> = words::reason(self.analysis).into_iter().chain(noted).collect();
        let warnings = &self.analysis.warnings;
        if !notes.is_empty() || !warnings.is_empty() {
            f.write_char('\n')?;
        }
        for note in &notes {
            self.sentence(f, &format!("note: {note}"), UNDER_NOTE)?;
        }
        for (place, warning) in warnings.iter().enumerate() {
            let is_alike = |other: &&Warning| other.code() == warning.code();
            let alike = warnings.iter().filter(is_alike).count();
            if alike <= MOST_ALIKE {
                self.warn(f, warning, 0)?;
            } else if !warnings[..place].iter().any(|other| is_alike(&other)) {
                self.warn(f, warning, alike - 1)?;
            }
        }
        Ok(())
    }

    fn verdict(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        let sentence = words::statement(self.analysis, comparison).sentence();
        writeln!(f, "{}", wrapped_phrase(&sentence, Tone::of(comparison.verdict), self.layout, 2))?;
        let remarks =
            if self.verbose { words::remarks } else { words::chief_remarks }(self.analysis, comparison);
        remarks.iter().try_for_each(|remark| self.sentence(f, &format!("  {remark}"), 4))
    }

    fn sentence(&self, f: &mut fmt::Formatter<'_>, text: &str, indent: usize) -> fmt::Result {
        writeln!(f, "{}", wrapped(&plain(text), self.layout, indent))
    }

    /// A warning, and how many more there are like it that are not printed.
    fn warn(&self, f: &mut fmt::Formatter<'_>, warning: &Warning, more: usize) -> fmt::Result {
        let words::Warned { about, message, advice } = words::warning(self.analysis, warning);
        let about = about.map_or_else(String::new, |arm| format!("{arm}: "));
        self.sentence(f, &format!("warning: {about}{message}"), UNDER_WARNING)?;
        if more > 0 {
            self.sentence(f, &format!("         and {more} more like it"), UNDER_WARNING)?;
        }
        let under = |advice: Phrase<'_>| self.sentence(f, &format!("         {advice}"), UNDER_WARNING);
        advice.map_or(Ok(()), under)
    }

    fn levels(&self, metric: MetricId, usage: Option<&Usage<'_>>) -> Table {
        let name = self.analysis.names.metric(metric).name.as_str();
        let mut levels: Vec<&Level> =
            self.analysis.levels.iter().filter(|level| level.metric == metric).collect();
        if self.layout.order == Order::ByMean {
            levels.sort_by(|a, b| suite::mean(a).total_cmp(&suite::mean(b)));
        }
        let mut table = Table::new(&headings(name, &levels), self.layout).giving_up(&GIVEN_UP_FIRST);
        for level in levels {
            table.row(self.level(level, usage));
        }
        table
    }

    fn level(&self, level: &Level, usage: Option<&Usage<'_>>) -> Vec<String> {
        let [min, mean, median, p95, max] = figures(&self.analysis.names, level, self.layout);
        let [user, system, memory] = usage.map(|usage| usage.cells(level, self.layout)).unwrap_or_default();
        vec![
            self.analysis.names.arm(level.arm).to_owned(),
            min,
            mean,
            if self.verbose || self.means { mean_over_min(level) } else { String::new() },
            median,
            p95,
            max,
            if self.verbose { self.scaled_median(level) } else { String::new() },
            user,
            system,
            memory,
            level.samples.to_string(),
            if level.failed > 0 { level.failed.to_string() } else { String::new() },
        ]
    }

    /// Median over the baseline's median; 1 for the baseline itself.
    fn scaled_median(&self, level: &Level) -> String {
        let same_metric =
            self.analysis.comparisons.iter().filter(|comparison| comparison.pair.metric == level.metric);
        for comparison in same_metric {
            if comparison.pair.baseline == level.arm {
                return "1".to_owned();
            }
            if comparison.pair.candidate == level.arm {
                let median = comparison.percentiles.iter().find(|both| (both.percent - 50.0).abs() < 1e-9);
                return median.map_or_else(String::new, |both| format!("{:.3}", both.scaled));
            }
        }
        String::new()
    }

    fn set_ups(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = words::set_ups(self.analysis);
        if !lines.is_empty() {
            f.write_char('\n')?;
        }
        lines.iter().try_for_each(|line| self.sentence(f, line, 2))
    }

    /// Of arms that are compared with nothing, by the first metric that has a table.
    fn percentiles_alone(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(metric) = metrics(self.analysis).first().copied() else { return Ok(()) };
        let is_compared = |level: &Level| {
            let pairs = self.analysis.comparisons.iter().map(|comparison| comparison.pair);
            pairs.into_iter().any(|pair| [pair.baseline, pair.candidate].contains(&level.arm))
        };
        let (names, settings) = (&self.analysis.names, &self.analysis.settings);
        let percents: Vec<String> =
            settings.percentiles.iter().map(|percent| format!("P{percent}")).collect();
        let headings: Vec<&str> =
            ["percentile"].into_iter().chain(percents.iter().map(String::as_str)).collect();
        let mut table = Table::new(&headings, self.layout);
        let alone = self.analysis.levels.iter().filter(|level| level.metric == metric && !is_compared(level));
        for level in alone {
            let unit = &names.metric(metric).unit;
            let value = |percent: &f64| {
                let found = level.percentiles.iter().find(|found| (found.percent - percent).abs() < 1e-9);
                found.map_or_else(String::new, |found| quantity_in(self.layout.time_unit, found.value, unit))
            };
            let values = settings.percentiles.iter().map(value);
            table.row([names.arm(level.arm).to_owned()].into_iter().chain(values).collect());
        }
        if table.is_empty() { Ok(()) } else { write!(f, "\n{table}") }
    }

    fn means(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        let lines = words::means(self.analysis, comparison);
        if !lines.is_empty() {
            f.write_char('\n')?;
        }
        lines.iter().try_for_each(|line| self.sentence(f, line, 2))
    }

    fn scaled(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        let (names, pair) = (&self.analysis.names, comparison.pair);
        let unit = &names.metric(pair.metric).unit;
        let headings =
            ["percentile", names.arm(pair.baseline), names.arm(pair.candidate), "ratio", "interval"];
        let mut table = Table::new(&headings, self.layout);
        let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), |end| format!("{end:.3}"));
        for both in &comparison.percentiles {
            table.row(vec![
                format!("P{}", both.percent),
                quantity_in(self.layout.time_unit, both.baseline, unit),
                quantity_in(self.layout.time_unit, both.candidate, unit),
                format!("{:.3}", both.scaled),
                if both.low.or(both.high).is_some() {
                    format!("[{}, {}]", end(both.low), end(both.high))
                } else {
                    String::new()
                },
            ]);
        }
        if table.is_empty() { Ok(()) } else { write!(f, "\n{table}") }
    }
}

/// Min, mean with its error, median, P95 and max, as far as they are known.
pub(crate) fn figures(names: &Names, level: &Level, layout: Layout) -> [String; 5] {
    let (figures, unit) = (&level.figures, &names.metric(level.metric).unit);
    let wanted = layout.time_unit;
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| quantity_in(wanted, value, unit));
    let p95 = level.percentiles.iter().find(|found| (found.percent - 95.0).abs() < 1e-9);
    let mean = match (figures.mean, &level.mean_error) {
        (Some(mean), Some(error)) => match error.half_width {
            Some(half) => with_error_in(wanted, mean, half, unit),
            // Too few independent samples to tell.
            None => format!("{} ± ?", quantity_in(wanted, mean, unit)),
        },
        (mean, _) => text(mean),
    };
    [text(figures.min), mean, text(figures.median), text(p95.map(|p95| p95.value)), text(figures.max)]
}

/// The distance between mean and minimum, as a part of the minimum: how far from undisturbed the runs were.
fn mean_over_min(level: &Level) -> String {
    level.figures.mean_over_min.map_or_else(String::new, |share| format!("+{}", size(share)))
}

/// More warnings of one kind than this are told by the first and their number; JSON has them all.
const MOST_ALIKE: usize = 2;
/// The first screen has no more remarks.
const MOST_REMARKS: usize = 2;
/// As long as `note: `.
const UNDER_NOTE: usize = 6;
/// As long as `warning: `.
const UNDER_WARNING: usize = 9;
