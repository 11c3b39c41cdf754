//! What is the verdict, and what does each arm cost? The verdicts first, then a table for each metric, then what a
//! reader should know before believing it.
//!
//! Tests: `tests/text.rs`.

use crate::Layout;
use crate::plain::plain;
use crate::table::Table;
use crate::wrap::wrapped;
use evenhand_trial::Unit;
use evenhand_trial::analysis::{Analysis, Comparison, Level, Warning};
use evenhand_trial::words::{change, quantity};
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
        for (place, metric) in metrics(self.analysis).into_iter().enumerate() {
            if place > 0 || !self.analysis.comparisons.is_empty() {
                f.write_char('\n')?;
            }
            write!(f, "{}", self.levels(metric))?;
        }
        if self.percentiles {
            for comparison in &self.analysis.comparisons {
                self.scaled(f, comparison)?;
            }
        }
        self.notes(f)?;
        let warnings = &self.analysis.warnings;
        if !warnings.is_empty() && self.analysis.notes.is_empty() {
            f.write_char('\n')?;
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

fn metrics(analysis: &Analysis) -> Vec<&str> {
    let mut metrics: Vec<&str> = Vec::new();
    for level in &analysis.levels {
        if !metrics.contains(&level.metric.as_str()) {
            metrics.push(&level.metric);
        }
    }
    metrics
}

const HEADINGS: [&str; 8] = ["min", "mean ± error", "median", "P95", "max", "scaled", "samples", "failed"];

/// In a narrow terminal: max, P95, min, samples, the mean. What is left tells most: median, scaled, failed.
const GIVEN_UP_FIRST: [usize; 5] = [5, 4, 1, 7, 2];

impl Claims<'_> {
    fn verdict(&self, f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
        self.sentence(f, &comparison.sentence, 2)?;
        for limit in &comparison.limits {
            self.sentence(f, &format!("  {limit}"), 4)?;
        }
        if let Some(within) = &comparison.within_launches {
            let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), change);
            let (estimate, low, high) = (end(within.estimate), end(within.low), end(within.high));
            self.sentence(f, &format!("  inside the launches alone: {estimate} [{low}, {high}]"), 4)?;
        }
        if self.analysis.comparisons.len() > 1 && comparison.change_in_suite == Some(true) {
            self.sentence(f, "  a change also when all comparisons here are counted", 4)?;
        }
        Ok(())
    }

    fn sentence(&self, f: &mut fmt::Formatter<'_>, said: &str, indent: usize) -> fmt::Result {
        writeln!(f, "{}", wrapped(&plain(said), self.layout, indent))
    }

    fn notes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, note) in self.analysis.notes.iter().enumerate() {
            if place == 0 {
                f.write_char('\n')?;
            }
            self.sentence(f, &format!("note: {note}"), 6)?;
        }
        Ok(())
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

    fn levels(&self, metric: &str) -> Table {
        let headings: Vec<&str> = [metric].into_iter().chain(HEADINGS).collect();
        let mut table = Table::new(&headings, self.layout.width).giving_up(&GIVEN_UP_FIRST);
        for level in self.analysis.levels.iter().filter(|level| level.metric == metric) {
            table.row(self.level(level));
        }
        table
    }

    fn level(&self, level: &Level) -> Vec<String> {
        let figures = &level.figures;
        let said = |value: Option<f64>| value.map_or_else(String::new, |value| quantity(value, &level.unit));
        let at = |percent: f64| level.percentiles.iter().find(|found| (found.percent - percent).abs() < 1e-9);
        vec![
            level.arm.clone(),
            said(figures.min),
            mean(level),
            said(figures.median),
            said(at(95.0).map(|found| found.value)),
            said(figures.max),
            self.scaled_median(level),
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
        let mut table = Table::new(&headings, self.layout.width);
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

/// `8.123 ms ± 0.041`: the error in the mean's own unit; `?` where the run holds too few independent samples.
fn mean(level: &Level) -> String {
    let Some(mean) = level.figures.mean else { return String::new() };
    let said = quantity(mean, &level.unit);
    let Some(error) = &level.mean_error else { return said };
    let Some(half) = error.half_width else { return format!("{said} ± ?") };
    format!("{said} ± {}", share_of(half, mean, &said, &level.unit))
}

/// An error larger than so many times its figure has a unit of its own.
const LARGE: f64 = 10.0;

/// An error beside the figure it belongs to, in the same unit when that is short, so that the eye can compare them.
fn share_of(error: f64, figure: f64, said: &str, unit: &Unit) -> String {
    let number: Option<f64> = said.split(' ').next().and_then(|number| number.parse().ok());
    match number.filter(|_| figure != 0.0 && error.abs() < LARGE * figure.abs()) {
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
