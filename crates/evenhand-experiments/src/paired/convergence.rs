//! How soon is the difference known? After the article, 100 pairs tell as much as 1,000 runs of each function, one after the other.
//!
//! *Precision*: the rounds of `std_5000` against `std_4925` are cut into stretches of 100, and what was measured one after the other into
//! stretches of 1,000 of each. Each stretch gives an estimate. How far those are typically (in the median) from the change over all rounds is
//! how precisely such a stretch knows it. The smallest time is judged alike, by how far it lies above the smallest of its function.
//!
//! Tests: `tests/paired.rs`.

use super::{Blocks, Measurements, Rounds, Row, percent};
use crate::document::{Claim, Document};
use evenhand_analysis::words::quantity;
use evenhand_stats::level::moments::Moments;
use evenhand_stats::level::quantile::Sorted;
use evenhand_trial::Unit;

/// Rounds of a stretch.
const PAIRED: usize = 100;
/// Times of each function, where one is measured after the other.
const UNPAIRED: usize = 1000;

/// What stretches of one kind know.
struct Precision {
    stretches: usize,
    /// How far the change is typically off.
    change: f64,
    /// How far the smallest time of the first function typically lies above the smallest of all.
    least: f64,
}

pub(super) fn write(result: &Measurements, document: &mut Document) {
    // The fourth comparison: the same work, 1.5 % less of it.
    let Some(rounds) = result.quiet.get(3) else { return };
    document.text("How soon is the change known? std_5000 against std_4925 after more and more rounds:");
    let headings = ["rounds", "B min", "B mean", "difference of means", "mean of differences", "evenhand"];
    let counts = [100, 300, 1000, 3000, 10_000, rounds.baseline.len()];
    let wanted = counts.into_iter().filter(|count| *count <= rounds.baseline.len());
    document.table(&headings, wanted.filter_map(|count| after(rounds, count)).collect());
    precision(rounds, &result.blocks, document);
}

fn after(rounds: &Rounds, count: usize) -> Option<Vec<String>> {
    let few =
        Rounds { baseline: rounds.baseline[..count].to_vec(), candidate: rounds.candidate[..count].to_vec() };
    let row = Row::of(&few)?;
    let time = |nanoseconds: f64| quantity(nanoseconds, &Unit::nanoseconds());
    Some(vec![
        count.to_string(),
        time(row.figures.minima[0]),
        time(row.figures.means[0]),
        percent(100.0 * (row.figures.means[1] - row.figures.means[0]) / row.figures.means[0]),
        percent(row.figures.percent),
        row.verdict.word.to_string(),
    ])
}

fn precision(rounds: &Rounds, blocks: &Blocks, document: &mut Document) {
    let Some(truth) = Row::of(rounds).map(|row| row.figures.percent) else { return };
    let (Some(paired), Some(unpaired)) = (in_pairs(rounds, truth), one_after_the_other(blocks, truth)) else {
        return;
    };
    let row = |name: String, known: &Precision| {
        let stretches = known.stretches.to_string();
        vec![name, stretches, format!("{:.2} %", known.change), format!("{:.2} %", known.least)]
    };
    document.text("Typical distance from the change over all rounds, and from the smallest time of all:");
    document.table(
        &["measured", "estimates", "the change", "the minimum"],
        vec![
            row(format!("{PAIRED} pairs"), &paired),
            row(format!("{UNPAIRED} of each, one after the other"), &unpaired),
        ],
    );
    document.claim(Claim {
        says: format!("{PAIRED} pairs estimate the change as precisely as {UNPAIRED} unpaired runs of each."),
        held: Some(paired.change <= unpaired.change),
        result: format!("they are off by {:.2} % and by {:.2} %.", paired.change, unpaired.change),
    });
}

fn in_pairs(rounds: &Rounds, truth: f64) -> Option<Precision> {
    let stretches: Vec<Row> = rounds
        .baseline
        .chunks_exact(PAIRED)
        .zip(rounds.candidate.chunks_exact(PAIRED))
        .filter_map(|(old, new)| Row::of(&Rounds { baseline: old.to_vec(), candidate: new.to_vec() }))
        .collect();
    let changes = stretches.iter().map(|row| row.figures.percent).collect();
    let least = stretches.iter().map(|row| row.figures.minima[0]).collect();
    Precision::of(changes, least, truth)
}

fn one_after_the_other(blocks: &Blocks, truth: f64) -> Option<Precision> {
    let stretches =
        blocks.0.iter().flat_map(|[old, new]| old.chunks_exact(UNPAIRED).zip(new.chunks_exact(UNPAIRED)));
    let (mut changes, mut least) = (Vec::new(), Vec::new());
    for (old, new) in stretches {
        let (old, new) = (Moments::of(old).ok()?, Moments::of(new).ok()?);
        changes.push(100.0 * (new.mean()? / old.mean()? - 1.0));
        least.push(old.min()?);
    }
    Precision::of(changes, least, truth)
}

impl Precision {
    fn of(changes: Vec<f64>, least: Vec<f64>, truth: f64) -> Option<Self> {
        let smallest = least.iter().copied().fold(f64::INFINITY, f64::min);
        let middle = |values: Vec<f64>| Some(Sorted::new(&values).ok()?.median());
        Some(Self {
            stretches: changes.len(),
            change: middle(changes.iter().map(|change| (change - truth).abs()).collect())?,
            least: middle(least.iter().map(|least| 100.0 * (least / smallest - 1.0)).collect())?,
        })
    }
}
