//! What goes into a pull request? The verdicts in a table, and all the rest folded away, as GitHub's Markdown.
//!
//! ```text
//! **new is 1.3 % faster than old [0.9 %, 1.8 %], 99 % sure, 84 rounds, 5.1 s**
//!
//! <details><summary>Absolute values</summary> … a table … </details>
//! <details><summary>Warnings and notes</summary> … warnings, notes … </details>
//! ```
//!
//! A platform cuts off, or refuses, what is too long. So the rows that matter most come first, those with a change, and what does not
//! fit is counted instead of written.
//!
//! *Names are hostile.* A character that Markdown reads is written as its HTML entity; `@name` and `#7` would call somebody or link to
//! something, which an empty comment behind the sign prevents.
//!
//! Tests: `tests/markdown.rs`.

use crate::Layout;
use crate::claims::{figures, metrics};
use crate::plain::plain;
use crate::suite::ordered;
use evenhand_analysis::words::{self, change};
use evenhand_analysis::{Analysis, Comparison, Level, Names};
use evenhand_stats::randomised::Word;
use std::fmt;

/// An analysis as Markdown.
#[derive(Debug, Clone, Copy)]
pub struct Markdown<'a> {
    pub analysis: &'a Analysis,
    /// Where it shall fit.
    pub place: Place,
}

/// Where Markdown is pasted, by what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A comment on a pull request: 65,536 characters.
    Comment,
    /// The summary of a step of a workflow: 1 MiB.
    StepSummary,
}

impl Place {
    /// The most bytes.
    pub fn limit(self) -> usize {
        match self {
            Self::Comment => 65_536,
            Self::StepSummary => 1 << 20,
        }
    }
}

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = LimitedText { text: String::new(), limit: self.place.limit() };
        self.verdicts(&mut page);
        self.levels(&mut page);
        self.beliefs(&mut page);
        f.write_str(&page.text)
    }
}

impl Markdown<'_> {
    fn verdicts(&self, page: &mut LimitedText) {
        let comparisons = &self.analysis.comparisons;
        match comparisons.as_slice() {
            [] => {}
            [only] => {
                let sentence = words::statement(self.analysis, only).sentence().to_string();
                page.section(&format!("{} **{}**\n", sign(only.verdict), safe(&sentence)), &[], "", "");
            }
            _ => {
                let suite = self.analysis.suite.as_ref();
                let text = suite.map_or_else(
                    || words::counts(self.analysis),
                    |suite| format!("{}; {}", words::counts(self.analysis), words::suite(suite)),
                );
                let ordered = ordered(self.analysis);
                let rows: Vec<String> =
                    ordered.iter().map(|comparison| row(self.analysis, comparison)).collect();
                let head = format!(
                    "**{}**\n\n| | benchmark | verdict | change | interval | rounds |\n|---|---|---|--:|---|--:|\n",
                    safe(&text)
                );
                page.section(&head, &rows, "more comparisons", "");
            }
        }
    }

    fn levels(&self, page: &mut LimitedText) {
        for metric in metrics(self.analysis) {
            let of_metric = || self.analysis.levels.iter().filter(|level| level.metric == metric);
            let rows: Vec<String> = of_metric().map(|one| level(&self.analysis.names, one)).collect();
            let head = format!(
                "\n<details><summary>Absolute values, by {}</summary>\n\n| name | min | {} | median | P95 | \
                 max | samples | failed |\n|---|--:|--:|--:|--:|--:|--:|--:|\n",
                safe(&self.analysis.names.metric(metric).name),
                words::mean_heading(of_metric())
            );
            page.section(&head, &rows, "more rows", "\n</details>\n");
        }
    }

    fn beliefs(&self, page: &mut LimitedText) {
        let warned = self.analysis.warnings.iter().map(|warning| {
            let words::Warned { about, message, advice } = words::warning(self.analysis, warning);
            let about = about.map_or_else(String::new, |arm| format!("{arm}: "));
            let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
            format!("warning: {about}{message}{advice}")
        });
        let limits = self.analysis.comparisons.iter().flat_map(|comparison| {
            let several = self.analysis.comparisons.len() > 1;
            let of = if several { name(&self.analysis.names, comparison) + ": " } else { String::new() };
            words::limits(self.analysis, comparison).into_iter().map(move |limit| format!("{of}{limit}"))
        });
        let text = words::reason(self.analysis)
            .into_iter()
            .chain(warned)
            .chain(limits)
            .chain(self.analysis.notes.iter().map(ToString::to_string));
        let rows: Vec<String> = text.map(|sentence| format!("- {}\n", safe(&sentence))).collect();
        if !rows.is_empty() {
            let head = "\n<details><summary>Warnings and notes</summary>\n\n";
            page.section(head, &rows, "more remarks", "\n</details>\n");
        }
    }
}

/// Text that grows up to a limit.
struct LimitedText {
    text: String,
    limit: usize,
}

/// Room for the line that says how much was left out, with a number of any length.
const REST: usize = 120;

impl LimitedText {
    /// A head, as many of the rows as fit, a line on the rest, and a tail; nothing at all if not even the head fits.
    fn section(&mut self, head: &str, rows: &[String], what: &str, tail: &str) {
        let mut room = self.limit.saturating_sub(self.text.len() + head.len() + tail.len() + REST);
        if room == 0 {
            return;
        }
        self.text += head;
        let fitting = rows.iter().take_while(|row| {
            let fits = row.len() <= room;
            room = room.saturating_sub(row.len());
            fits
        });
        let fitting = fitting.count();
        self.text.extend(rows[..fitting].iter().map(String::as_str));
        if fitting < rows.len() {
            self.text += &format!("\n{} {what} do not fit here\n", rows.len() - fitting);
        }
        self.text += tail;
    }
}

/// Seen before it is read, and not by its colour alone.
fn sign(word: Word) -> &'static str {
    match word {
        Word::Slower | Word::SlightlySlower => "🔺",
        Word::Faster | Word::SlightlyFaster => "🔽",
        Word::Same => "⏸️",
        Word::Unclear => "❔",
    }
}

fn name(names: &Names, comparison: &Comparison) -> String {
    let (both, group) = (names.both(comparison.pair), names.group(comparison.pair.candidate));
    if both.contains(group) { both } else { format!("{group}: {both}") }
}

fn row(analysis: &Analysis, comparison: &Comparison) -> String {
    let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), change);
    let effect = &comparison.effect;
    let has_size = comparison.signs().is_none();
    let interval =
        if has_size { format!("[{}, {}]", end(effect.low), end(effect.high)) } else { String::new() };
    format!(
        "| {} | {} | {} | {} | {} | {} |\n",
        sign(comparison.verdict),
        safe(&name(&analysis.names, comparison)),
        words::verdict(analysis, comparison),
        words::change_of(comparison),
        interval,
        comparison.rounds()
    )
}

fn level(names: &Names, level: &Level) -> String {
    let [min, mean, median, p95, max] = figures(names, level, Layout::new(None)).map(|figure| safe(&figure));
    let arm = safe(names.arm(level.arm));
    format!("| {arm} | {min} | {mean} | {median} | {p95} | {max} | {} | {} |\n", level.samples, level.failed)
}

/// Text that Markdown reads as text.
fn safe(any: &str) -> String {
    let mut safe = String::with_capacity(any.len());
    for character in plain(any).chars() {
        match character {
            '@' | '#' => safe.extend([character.to_string().as_str(), "<!-- -->"]),
            '\\' | '`' | '*' | '_' | '~' | '[' | ']' | '<' | '>' | '&' | '|' | '!' | '$' => {
                safe += &format!("&#{};", u32::from(character));
            }
            other => safe.push(other),
        }
    }
    safe
}
