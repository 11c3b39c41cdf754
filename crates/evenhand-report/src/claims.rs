//! What is the verdict, and what does each arm cost? The verdicts first, then a table for each metric, then what a
//! reader should know before believing it.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::style::Tone;
use crate::table::Table;
use crate::wrap::wrapped;
use evenhand_stats::randomised::Word;
use evenhand_trial::analysis::{Analysis, Comparison, Effect, Kind, Level, Warning};
use evenhand_trial::words::{change, quantity, size};
use evenhand_trial::{Origin, Unit};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Write};

/// What to show.
#[derive(Debug, Clone, Copy)]
pub struct Claims<'a> {
    /// The analysis.
    pub analysis: &'a Analysis,
    /// How to lay it out.
    pub layout: Layout,
    /// Whether the tables of all percentiles are wanted.
    pub percentiles: bool,
}

impl fmt::Display for Claims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for comparison in &self.analysis.comparisons {
            self.verdict(f, comparison)?;
        }
        if let Some(suite) = &self.analysis.suite {
            self.sentence(f, &suite.sentence, 2)?;
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
        if self.percentiles {
            for comparison in &self.analysis.comparisons {
                self.scaled(f, comparison)?;
            }
        }
        let notes: Vec<String> =
            reason(self.analysis).into_iter().chain(self.analysis.notes.clone()).collect();
        let warnings = &self.analysis.warnings;
        if !notes.is_empty() || !warnings.is_empty() {
            f.write_char('\n')?;
        }
        for note in &notes {
            self.sentence(f, &format!("note: {note}"), 6)?;
        }
        for (place, warning) in warnings.iter().enumerate() {
            let alike = warnings.iter().filter(|other| other.code == warning.code).count();
            let said = warnings[..place].iter().filter(|other| other.code == warning.code).count();
            match said {
                0 => self.warn(f, warning, alike)?,
                _ if alike <= MOST_ALIKE => self.warn(f, warning, alike)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Why a verdict can be trusted, where a coin decided the order.
pub(crate) fn reason(analysis: &Analysis) -> Option<String> {
    let decided = |comparison: &&Comparison| comparison.kind == Kind::Paired && comparison.rounds > 0;
    let confidence = analysis.comparisons.iter().find(decided)?.confidence;
    let percent = ((1.0 - confidence) * 1e8).round() / 1e6;
    Some(format!(
        "a coin decided the order in every round, so noise fell on all alike; identical ones are called different in at \
         most {percent} % of trials"
    ))
}

/// The metrics that have a table. Of a measured trial: those that a verdict was wanted on; every run has a dozen others, and
/// they are in the JSON. Of other tools' results: all that the tool's user asked it for, but those with a column of their
/// own in the first table.
pub(crate) fn metrics(analysis: &Analysis) -> Vec<&str> {
    let mut metrics: Vec<&str> = Vec::new();
    for level in &analysis.levels {
        if !metrics.contains(&level.metric.as_str()) {
            metrics.push(&level.metric);
        }
    }
    let judged = |metric: &&str| analysis.comparisons.iter().any(|comparison| comparison.metric == **metric);
    let first = metrics.first().copied();
    if matches!(analysis.trial.origin, Origin::Measured { .. }) {
        metrics
            .retain(|metric| judged(metric) || (analysis.comparisons.is_empty() && Some(*metric) == first));
    } else {
        metrics.retain(|metric| judged(metric) || Some(*metric) == first || !is_usage(metric));
    }
    metrics
}

const HEADINGS: [&str; 11] =
    ["min", "mean ± error", "median", "P95", "max", "scaled", "user", "sys", "RSS", "samples", "failed"];

/// In a narrow terminal: samples, max, P95, min, sys, user, RSS, the mean. What is left tells most: median, scaled,
/// failed.
const GIVEN_UP_FIRST: [usize; 8] = [10, 5, 4, 1, 8, 7, 9, 2];

/// What a process used beside the time on the wall, as columns of the first table.
const USAGE: [&str; 3] = ["user", "system", "max_rss"];

fn is_usage(metric: &str) -> bool {
    USAGE.contains(&metric)
}

/// What a run of each arm used. Of processor time the mean: the kernel counts it in ticks, so that of short runs most
/// have none and the median says nothing. Of memory the median.
struct Usage<'a> {
    levels: HashMap<(&'a str, &'a str), &'a Level>,
}

impl<'a> Usage<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let used = analysis.levels.iter().filter(|level| is_usage(&level.metric));
        Self { levels: used.map(|level| ((level.arm.as_str(), level.metric.as_str()), level)).collect() }
    }

    /// Beside the times of the wall; a table of what was used has them as its own figures.
    fn cells(&self, level: &Level) -> [String; 3] {
        let beside = level.unit.in_seconds().is_some() && !is_usage(&level.metric);
        USAGE.map(|metric| {
            let used = self.levels.get(&(level.arm.as_str(), metric)).filter(|_| beside);
            let typical = used.and_then(|used| {
                let (mean, median) = (used.figures.mean, used.figures.median);
                // Some tools write one of the two and no more.
                let value = if used.unit.in_seconds().is_some() { mean.or(median) } else { median.or(mean) };
                value.map(|value| quantity(value, &used.unit))
            });
            typical.unwrap_or_default()
        })
    }
}

impl Claims<'_> {
    fn verdict(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        let said = wrapped(&plain(&comparison.sentence), self.layout, 2);
        writeln!(f, "{}", in_colour(&said, comparison, self.layout))?;
        for limit in &comparison.limits {
            self.sentence(f, &format!("  {limit}"), 4)?;
        }
        let known = |within: &&Effect| within.low.is_some() || within.high.is_some();
        if let Some(within) = comparison.within_launches.as_ref().filter(known) {
            let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), change);
            let (estimate, low, high) = (end(within.estimate), end(within.low), end(within.high));
            self.sentence(f, &format!("  inside the launches alone: {estimate} [{low}, {high}]"), 4)?;
        }
        if let Some(luck) = &comparison.layouts {
            let layouts = format!("over {} layouts", luck.layouts);
            self.sentence(f, &format!("  layout luck here is ±{} {layouts}", size(luck.sd)), 4)?;
        }
        if self.analysis.comparisons.len() > 1 && comparison.change_in_suite == Some(true) {
            self.sentence(f, "  a change also when all comparisons here are counted", 4)?;
        }
        Ok(())
    }

    fn sentence(&self, f: &mut fmt::Formatter<'_>, said: &str, indent: usize) -> fmt::Result {
        writeln!(f, "{}", wrapped(&plain(said), self.layout, indent))
    }

    fn warn(&self, f: &mut fmt::Formatter<'_>, warning: &Warning, alike: usize) -> fmt::Result {
        let about = warning.arm.as_ref().map_or_else(String::new, |arm| format!("{arm}: "));
        self.sentence(f, &format!("warning: {about}{}", warning.message), UNDER_WARNING)?;
        if alike > MOST_ALIKE {
            self.sentence(f, &format!("         and the like for {} more", alike - 1), UNDER_WARNING)?;
        }
        match &warning.advice {
            Some(advice) => self.sentence(f, &format!("         {advice}"), UNDER_WARNING),
            None => Ok(()),
        }
    }

    fn levels(&self, metric: &str, usage: Option<&Usage<'_>>) -> Table {
        let headings: Vec<&str> = [metric].into_iter().chain(HEADINGS).collect();
        let mut table = Table::new(&headings, self.layout).giving_up(&GIVEN_UP_FIRST);
        for level in self.analysis.levels.iter().filter(|level| level.metric == metric) {
            table.row(self.level(level, usage));
        }
        table
    }

    fn level(&self, level: &Level, usage: Option<&Usage<'_>>) -> Vec<String> {
        let figures = &level.figures;
        let said = |value: Option<f64>| value.map_or_else(String::new, |value| quantity(value, &level.unit));
        let at = |percent: f64| level.percentiles.iter().find(|found| (found.percent - percent).abs() < 1e-9);
        let [user, system, memory] = usage.map(|usage| usage.cells(level)).unwrap_or_default();
        vec![
            level.arm.clone(),
            said(figures.min),
            mean(level),
            said(figures.median),
            said(at(95.0).map(|found| found.value)),
            said(figures.max),
            self.scaled_median(level),
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
            self.analysis.comparisons.iter().filter(|comparison| comparison.metric == level.metric);
        for comparison in same_metric {
            if comparison.baseline == level.arm {
                return "1".to_owned();
            }
            if comparison.candidate == level.arm {
                let median = comparison.percentiles.iter().find(|both| (both.percent - 50.0).abs() < 1e-9);
                return median.map_or_else(String::new, |both| format!("{:.3}", both.scaled));
            }
        }
        String::new()
    }

    fn scaled(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        let headings = ["percentile", &comparison.baseline, &comparison.candidate, "scaled", "interval"];
        let mut table = Table::new(&headings, self.layout);
        let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), |end| format!("{end:.3}"));
        for both in &comparison.percentiles {
            table.row(vec![
                format!("P{}", both.percent),
                quantity(both.baseline, &comparison.unit),
                quantity(both.candidate, &comparison.unit),
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

/// The sentence with its verdict in colour: the first such word behind the candidate's name, which may hold one itself.
fn in_colour(said: &str, comparison: &Comparison, layout: Layout) -> String {
    let words: &[&str] = match Tone::of(comparison.verdict) {
        None => return said.to_owned(),
        Some(Tone::Good) => &["faster", "better", "fast"],
        Some(Tone::Bad) => &["slower", "worse", "long"],
        Some(Tone::Doubtful) => &["unclear"],
    };
    let from = match comparison.verdict {
        Word::Unclear => 0,
        _ => end_of(&layout.characters(&plain(&comparison.candidate)), said),
    };
    let found = |word: &&str| Some((from + said[from..].find(*word)?, word.len()));
    // `fast` is a part of `faster`: of two at one place the longer.
    match words.iter().filter_map(found).min_by_key(|(at, long)| (*at, Reverse(*long))) {
        Some((at, long)) => {
            let word = layout.toned(Tone::of(comparison.verdict), &said[at..at + long]);
            format!("{}{word}{}", &said[..at], &said[at + long..])
        }
        None => said.to_owned(),
    }
}

/// Where a name ends that a text begins with; its spaces may have become ends of lines.
fn end_of(name: &str, text: &str) -> usize {
    let mut rest = text;
    for character in name.chars() {
        rest = if character.is_whitespace() {
            rest.trim_start()
        } else {
            rest.strip_prefix(character).unwrap_or(rest)
        };
    }
    text.len() - rest.len()
}

/// `8.123 ms ± 0.041`: the error in the mean's own unit; `?` where the run holds too few independent samples to tell it,
/// as it does where the error would be larger than the mean.
pub(crate) fn mean(level: &Level) -> String {
    let Some(mean) = level.figures.mean else { return String::new() };
    let said = quantity(mean, &level.unit);
    let Some(error) = &level.mean_error else { return said };
    match error.half_width.filter(|half| *half <= mean.abs()) {
        Some(half) => format!("{said} ± {}", share_of(half, mean, &said, &level.unit)),
        None => format!("{said} ± ?"),
    }
}

/// An error beside the figure it belongs to, in the same unit when that is short, so that the eye can compare them.
fn share_of(error: f64, figure: f64, said: &str, unit: &Unit) -> String {
    let number: Option<f64> = said.split(' ').next().and_then(|number| number.parse().ok());
    match number.filter(|_| figure != 0.0) {
        Some(number) => {
            let decimals = said.split(' ').next().and_then(|text| text.split('.').nth(1)).map_or(0, str::len);
            format!("{:.decimals$}", error * number / figure)
        }
        None => quantity(error, unit),
    }
}

/// More warnings of one kind than this are told by the first and their number; JSON has them all.
const MOST_ALIKE: usize = 2;
/// As long as `warning: `.
const UNDER_WARNING: usize = 9;
