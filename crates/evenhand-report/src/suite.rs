//! What did each benchmark of a suite do? A row for each comparison, what changed first, and the largest change first.
//!
//! Tests: `tests/suite.rs`.

use crate::Layout;
use crate::claims::median;
use crate::table::Table;
use evenhand_stats::randomised::Word;
use evenhand_trial::analysis::{Analysis, Comparison};
use evenhand_trial::words::{self, change, ends};
use std::collections::BTreeSet;

/// What each benchmark did, as a table.
pub(crate) fn table(analysis: &Analysis, layout: Layout) -> Table {
    let headings = ["benchmark", "baseline", "candidate", "change", &words::interval(analysis), "verdict"];
    let mut table = Table::new(&headings, layout).giving_up(&GIVEN_UP_FIRST);
    let names = RowNames::of(analysis);
    for comparison in ordered(analysis) {
        let pair = comparison.pair;
        table.row(vec![
            names.name(comparison),
            median(analysis, pair.baseline, pair.metric),
            median(analysis, pair.candidate, pair.metric),
            change(comparison.effect.estimate.unwrap_or(f64::NAN)),
            ends(&comparison.effect),
            words::verdict(analysis, comparison) + if is_starred(comparison) { "*" } else { "" },
        ]);
    }
    table
}

/// In a narrow terminal: the absolute times.
const GIVEN_UP_FIRST: [usize; 2] = [1, 2];

/// Whether a change is one also when all comparisons are counted.
pub(crate) fn is_starred(comparison: &Comparison) -> bool {
    let changed = !matches!(comparison.verdict, Word::Same | Word::Unclear);
    changed && comparison.coin().is_some_and(|coin| coin.change_in_suite == Some(true))
}

/// All comparisons: those with a change by its size, then the inconclusive ones, then the others; alike ones by name.
pub(crate) fn ordered(analysis: &Analysis) -> Vec<&Comparison> {
    let mut all: Vec<&Comparison> = analysis.comparisons.iter().collect();
    let class = |comparison: &Comparison| match comparison.verdict {
        Word::Unclear => 1,
        Word::Same => 2,
        _ => 0,
    };
    // A ratio and its inverse are changes of one size.
    let size = |comparison: &Comparison| match class(comparison) {
        0 => comparison.effect.estimate.map_or(0.0, |estimate| estimate.ln_1p().abs()),
        _ => 0.0,
    };
    let name = |comparison: &Comparison| analysis.names.group(comparison.pair.candidate);
    all.sort_by(|a, b| {
        let by_size = || size(b).total_cmp(&size(a));
        class(a).cmp(&class(b)).then_with(by_size).then_with(|| pieces(name(a)).cmp(&pieces(name(b))))
    });
    all
}

/// A name in pieces that people order by: 9 comes before 10.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Piece<'a> {
    Number(u128),
    Text(&'a str),
}

fn pieces(mut rest: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let other = |character: char| character.is_ascii_digit() != is_number;
        let (piece, after) = rest.split_at(rest.find(other).unwrap_or(rest.len()));
        let number = piece.parse().ok().filter(|_| is_number);
        pieces.push(number.map_or(Piece::Text(piece), Piece::Number));
        rest = after;
    }
    pieces
}

/// What the rows are called: by their benchmark, and by the candidate where a benchmark has several.
struct RowNames<'a> {
    analysis: &'a Analysis,
    by_candidate: bool,
    /// Bytes in front that all have in common.
    alike: usize,
}

impl<'a> RowNames<'a> {
    fn of(analysis: &'a Analysis) -> Self {
        let groups = || analysis.counted().map(|comparison| analysis.names.group(comparison.pair.candidate));
        let distinct: BTreeSet<&str> = groups().collect();
        let path = |group: &'a str| group.rfind("::").map_or("", |end| &group[..end + 2]);
        let alike = groups().map(path).reduce(in_common).map_or(0, str::len);
        Self { analysis, by_candidate: distinct.len() < groups().count(), alike }
    }

    fn name(&self, comparison: &Comparison) -> String {
        let candidate = comparison.pair.candidate;
        let group = self.analysis.names.group(candidate);
        let group = group.get(self.alike..).unwrap_or(group);
        let arm = self.analysis.names.arm(candidate);
        match (group, self.by_candidate || comparison.control) {
            ("", _) => arm.to_owned(),
            (group, true) => format!("{group}: {arm}"),
            (group, false) => group.to_owned(),
        }
    }
}

/// The beginning of both, in whole steps of their paths.
fn in_common<'a>(a: &'a str, b: &str) -> &'a str {
    let steps = a.split_inclusive("::").zip(b.split_inclusive("::"));
    let length = steps.take_while(|(a, b)| a == b).map(|(step, _)| step.len()).sum();
    &a[..length]
}
