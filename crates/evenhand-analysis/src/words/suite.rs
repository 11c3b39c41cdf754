//! What do all comparisons say together, and why can they be trusted?
//!
//! Tests: `tests/analysis/together.rs`, `crates/evenhand-report/tests/text.rs`.

use super::numbers::sure;
use super::statement::directions;
use super::{counted, effect};
use crate::{Analysis, Comparison, Suite};
use evenhand_stats::randomised::Word;
use std::collections::BTreeSet;

/// "geometric mean of 3 comparisons: +1.2 % [+0.4 %, +2.0 %]".
pub fn suite(suite: &Suite) -> String {
    let all = counted(suite.comparisons, "comparison");
    format!("geometric mean of {all}: {}", effect(&suite.effect))
}

/// "30 benchmarks: 12 slower, 8 faster, 10 the same"; without controls, where there is anything else.
pub fn counts(analysis: &Analysis) -> String {
    let mut compared: Vec<&Comparison> = analysis.counted().collect();
    if compared.is_empty() {
        compared.extend(&analysis.comparisons);
    }
    let groups: BTreeSet<&str> =
        compared.iter().map(|comparison| analysis.names.group(comparison.pair.candidate)).collect();
    let noun = if groups.len() == compared.len() { "benchmark" } else { "comparison" };
    let directions = common_directions(analysis);
    let of_word = |word: &Word| {
        let count = compared.iter().filter(|comparison| comparison.verdict == *word).count();
        let the = if *word == Word::Same { "the " } else { "" };
        (count > 0).then(|| format!("{count} {the}{}", named(*word, directions)))
    };
    let each: Vec<String> = COUNTED.iter().filter_map(of_word).collect();
    format!("{}: {}", counted(compared.len(), noun), each.join(", "))
}

/// Verdicts in the order they are counted, those that somebody has to act on first.
const COUNTED: [Word; 6] =
    [Word::Slower, Word::Faster, Word::SlightlySlower, Word::SlightlyFaster, Word::Unclear, Word::Same];

/// What all comparisons call a positive effect and a negative one: "slower" and "faster" if all are of speed.
pub fn common_directions(analysis: &Analysis) -> [&'static str; 2] {
    let all = analysis.comparisons.iter();
    let each: BTreeSet<_> =
        all.map(|comparison| directions(analysis.names.metric(comparison.pair.metric))).collect();
    match each.first() {
        Some(only) if each.len() == 1 => *only,
        _ => ["worse", "better"],
    }
}

/// The verdict in a column of a table.
pub fn verdict(analysis: &Analysis, comparison: &Comparison) -> String {
    named(comparison.verdict, directions(analysis.names.metric(comparison.pair.metric)))
}

/// The verdict on the live line, where nothing is known of the metric but its name.
pub fn word(word: Word) -> String {
    named(word, ["slower", "faster"])
}

fn named(word: Word, [more, less]: [&str; 2]) -> String {
    match word {
        Word::Slower => more.to_owned(),
        Word::Faster => less.to_owned(),
        Word::SlightlySlower => format!("slightly {more}"),
        Word::SlightlyFaster => format!("slightly {less}"),
        Word::Unclear => "inconclusive".to_owned(),
        Word::Same => "same".to_owned(),
    }
}

/// The heading of a column of intervals: "99 % interval".
pub fn interval(analysis: &Analysis) -> String {
    format!("{} interval", sure(analysis.settings.confidence))
}

/// What the verdicts in the table of a suite assume, where no coin decided the order.
pub fn assumption(analysis: &Analysis) -> Option<&'static str> {
    analysis.counted().any(|comparison| comparison.coin().is_none()).then_some(
        "not measured in random order: this assumes independent samples, and that nothing else changed between the measurements",
    )
}

/// What a star in the table of a suite says.
pub fn starred(analysis: &Analysis) -> String {
    format!("* significant after correction for all {} comparisons", analysis.counted().count())
}

/// Why a verdict can be trusted, where a coin decided the order.
pub fn reason(analysis: &Analysis) -> Option<String> {
    analysis.comparisons.iter().find(|comparison| comparison.rounds() > 0)?;
    let percent = ((1.0 - analysis.settings.confidence) * 1e8).round() / 1e6;
    Some(format!(
        "order randomised in every round: identical programs are called different in at most {percent} % of trials"
    ))
}
