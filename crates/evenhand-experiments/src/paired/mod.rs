//! Does it help to measure two functions in pairs? D. Bazhenov, "Paired benchmarking" (2023): ways to count characters, on the same random
//! window of a text in each round, in an order that a coin decides.
//!
//! | file | question |
//! |---|---|
//! | `counters.rs` | what is compared? |
//! | `measuring.rs` | how are rounds and blocks measured, alone and beside others? |
//! | `convergence.rs` | how soon is it known, in pairs and one after the other? |
//! | here | what came of it, beside what was published? |
//!
//! The article's columns: minima and means are of all times; the difference of the means is of differences with their outliers clipped
//! (`evenhand_stats::paired::bazhenov_winsoriser`, at most 5 % on a side), so it is not the difference of the two means beside it. A change is
//! detected where its z is 2.6 or more. Beside it stands evenhand's verdict on as many of the same rounds as it would have taken.
//!
//! Tests: `tests/paired.rs`.

mod convergence;
mod counters;
mod measuring;

pub use measuring::{Blocks, Extent, Measurements, Rounds, measure};

use crate::document::{Claim, Document};
use crate::trial::{add, blank};
use evenhand_analysis::words::{change, counted, quantity};
use evenhand_stats::level::moments::Moments;
use evenhand_stats::paired::{CHANGE_DETECTED, bazhenov_winsoriser};
use evenhand_stats::randomised::score::Mixture;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{ConfidenceSequence, LogRatio, Verdict, Word, differences};
use evenhand_trial::{Trial, Unit};

/// Outliers are clipped on at most so many of a side.
const MOST_CLIPPED: f64 = 0.05;
const ALPHA: f64 = 0.01;

/// The comparisons, in the article's order, with its figures in nanoseconds.
const PAIRS: [(&str, &str, Figures); 6] = [
    ("std", "std", Figures::new([344.0, 344.0], [478.7, 468.8], 0.5, 0.1, false)),
    ("std_count", "std_count", Figures::new([1417.0, 1417.0], [2327.7, 2318.8], -1.8, -0.1, false)),
    ("std_count_rev", "std_count_rev", Figures::new([1418.0, 1416.0], [3630.4, 4396.1], -2.4, -0.1, false)),
    ("std_5000", "std_4925", Figures::new([2111.0, 2081.0], [3606.5, 3447.8], -86.6, -2.4, true)),
    ("std_count", "std_count_rev", Figures::new([1417.0, 1417.0], [2484.6, 2538.3], 62.6, 2.5, true)),
    ("std", "std_count", Figures::new([260.0, 1416.0], [450.7, 2714.1], 2199.5, 488.0, true)),
];

/// What the article says of two functions, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Figures {
    minima: [f64; 2],
    means: [f64; 2],
    difference: f64,
    percent: f64,
    detected: bool,
}

impl Figures {
    const fn new(minima: [f64; 2], means: [f64; 2], difference: f64, percent: f64, detected: bool) -> Self {
        Self { minima, means, difference, percent, detected }
    }

    fn cells(&self, name: String, least: fn(f64) -> String, time: fn(f64) -> String) -> Vec<String> {
        vec![
            name,
            least(self.minima[0]),
            least(self.minima[1]),
            percent(100.0 * (self.minima[1] - self.minima[0]) / self.minima[0]),
            time(self.means[0]),
            time(self.means[1]),
            time(self.difference),
            percent(self.percent),
            if self.detected { "detected" } else { "" }.to_owned(),
        ]
    }
}

/// What is said of one comparison.
struct Row {
    figures: Figures,
    verdict: Verdict,
}

impl Row {
    fn of(rounds: &Rounds) -> Option<Self> {
        let Rounds { baseline, candidate } = rounds;
        let (old, new) = (Moments::of(baseline).ok()?, Moments::of(candidate).ok()?);
        let raw: Vec<f64> = candidate.iter().zip(baseline).map(|(new, old)| new - old).collect();
        let clipped = Moments::of(&bazhenov_winsoriser(&raw, MOST_CLIPPED).ok()?.differences).ok()?;
        let difference = clipped.mean()?;
        let z = difference / (clipped.variance()? / clipped.count() as f64).sqrt();
        let figures = Figures {
            minima: [old.min()?, new.min()?],
            means: [old.mean()?, new.mean()?],
            difference,
            percent: 100.0 * difference / old.mean()?,
            detected: z.abs() >= CHANGE_DETECTED,
        };
        Some(Self { figures, verdict: verdict(rounds)? })
    }

    fn cells(&self, name: String) -> Vec<String> {
        let interval = self.verdict.interval.map_or_else(String::new, |interval| {
            let end =
                |end: Option<LogRatio>| end.map_or_else(|| "?".to_owned(), |end| change(end.0.exp_m1()));
            format!(" [{}, {}]", end(interval.low), end(interval.high))
        });
        let time = |nanoseconds| quantity(nanoseconds, &Unit::nanoseconds());
        let mut cells = self.figures.cells(name, time, time);
        let rounds = counted(self.verdict.rounds, "round");
        cells.push(format!("{}{interval}, {rounds}", self.verdict.word));
        cells
    }
}

fn percent(value: f64) -> String {
    change(value / 100.0)
}

/// As evenhand measures: it looks again and again, and stops as soon as its word is final.
fn verdict(rounds: &Rounds) -> Option<Verdict> {
    let differences = differences(&rounds.baseline, &rounds.candidate).ok()?;
    let mut sequence = ConfidenceSequence::new(ALPHA, Mixture::rounds()).ok()?;
    let (mut next, mut verdict) = (1, None);
    for (round, difference) in (1..).zip(&differences) {
        sequence.push(LogRatio(*difference)).ok()?;
        if round < next && round < differences.len() {
            continue;
        }
        next = round + 1 + round / 20;
        let found = Verdict::of(sequence.look(), Margin::default(), round);
        let decided = found.word.is_final();
        verdict = Some(found);
        if decided {
            break;
        }
    }
    verdict
}

const HEADINGS: [&str; 10] = [
    "baseline / candidate",
    "B min",
    "C min",
    "Δ min",
    "B mean",
    "C mean",
    "Δ mean",
    "Δ mean %",
    "change",
    "evenhand",
];

impl Measurements {
    /// All that it says.
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        document.heading("Does it help to measure in pairs?");
        document.text(format!(
            "After D. Bazhenov, \"Paired benchmarking\" (2023). In each of {} rounds, two functions count the characters of the \
             same random window of 10,000 characters, in random order. B: baseline, C: candidate. Minima and means include all \
             times; Δ mean is the mean of the differences with outliers clipped, as in the article.",
            self.plan.rounds
        ));
        let quiet = rows(&self.quiet);
        document.table(&HEADINGS, cells(&quiet));
        published(&mut document);
        let loaded = rows(&self.loaded);
        if !loaded.is_empty() {
            document.text(format!(
                "The same beside {} that compute hashes all the time:",
                self.plan.hogs_in_words()
            ));
            document.table(&HEADINGS, cells(&loaded));
        }
        claims(&quiet, &loaded, &mut document);
        convergence::write(self, &mut document);
        self.blocks.write(&mut document);
        document
    }

    /// All rounds as a trial: a group for each comparison.
    pub fn trial(&self) -> Trial {
        let mut trial = blank(Unit::nanoseconds(), true);
        for (Rounds { baseline, candidate }, (old, new, _)) in self.quiet.iter().zip(PAIRS) {
            let group = format!("{old} / {new}");
            add(&mut trial, format!("{group}: baseline"), &group, &[baseline]);
            add(&mut trial, format!("{group}: candidate"), &group, &[candidate]);
        }
        trial
    }
}

fn rows(all: &[Rounds]) -> Vec<Row> {
    all.iter().filter_map(Row::of).collect()
}

fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    rows.iter().zip(PAIRS).map(|(row, (old, new, _))| row.cells(format!("{old} / {new}"))).collect()
}

fn published(document: &mut Document) {
    document.text("Published, in nanoseconds:");
    let row = |(old, new, figures): (&str, &str, Figures)| {
        figures.cells(format!("{old} / {new}"), |least| format!("{least:.0}"), |time| format!("{time:.1}"))
    };
    document.table(&HEADINGS[..9], PAIRS.into_iter().map(row).collect());
}

fn claims(quiet: &[Row], loaded: &[Row], document: &mut Document) {
    let silent = |rows: &[Row]| rows.iter().take(3).filter(|row| !row.figures.detected).count();
    let complete = quiet.len() == PAIRS.len();
    document.claim(Claim {
        says: "No change is detected between a function and itself.".to_owned(),
        held: complete.then(|| silent(quiet) == 3),
        result: format!(
            "by z, none in {} of 3 such pairs; evenhand called {} of them a difference.",
            silent(quiet),
            called(quiet)
        ),
    });
    let fewer = quiet.get(3);
    document.claim(Claim {
        says: "Counting 1.5 % fewer characters is detected as faster.".to_owned(),
        held: fewer.map(|row| row.figures.detected && (-4.0..-0.5).contains(&row.figures.percent)),
        result: fewer.map_or_else(String::new, |row| {
            format!(
                "{} by the mean of differences; evenhand says {}.",
                percent(row.figures.percent),
                row.verdict.word
            )
        }),
    });
    if loaded.len() == PAIRS.len() && complete {
        let alike = quiet
            .iter()
            .zip(loaded)
            .filter(|(quiet, loaded)| quiet.figures.detected == loaded.figures.detected)
            .count();
        let way = |row: &Row| match row.verdict.word {
            Word::Slower | Word::SlightlySlower => 1,
            Word::Faster | Word::SlightlyFaster => -1,
            Word::Same | Word::Unclear => 0,
        };
        let same_way = quiet.iter().zip(loaded).filter(|(quiet, loaded)| way(quiet) == way(loaded)).count();
        document.claim(Claim {
            says: "The same changes are detected on a busy machine.".to_owned(),
            held: Some(alike == PAIRS.len()),
            result: format!(
                "the result is the same by z in {alike} of 6 pairs, and by evenhand's verdict in {same_way}."
            ),
        });
    }
}

/// Of a function and itself, those that are called different.
fn called(rows: &[Row]) -> usize {
    let different = |row: &&Row| !matches!(row.verdict.word, Word::Same | Word::Unclear);
    rows.iter().take(3).filter(different).count()
}

impl Blocks {
    /// What it does to measure one after the other.
    fn write(&self, document: &mut Document) {
        let mean = |values: &[f64]| Moments::of(values).ok()?.mean();
        let change_of = |[old, new]: &[Vec<f64>; 2]| Some(mean(new)? / mean(old)? - 1.0);
        let changes: Vec<f64> = self.0.iter().filter_map(change_of).collect();
        if changes.is_empty() {
            return;
        }
        document.text(
            "Measured one after the other instead, as pointwise benchmarks do: all runs of one, then all runs of the other. The \
             change of the mean from std_5000 to std_4925, by which ran first:",
        );
        let row = |(place, found): (usize, &f64)| {
            let first = if place.is_multiple_of(2) { "std_5000" } else { "std_4925" };
            vec![first.to_owned(), change(*found)]
        };
        document.table(&["first", "change"], changes.iter().enumerate().map(row).collect());
        let of = |first: usize| changes.iter().skip(first).step_by(2).copied();
        let flipped = of(0).any(|found| found > 0.0) || of(1).any(|found| found > 0.0);
        document.claim(Claim {
            says: "Measured one after the other, the result can depend on the order.".to_owned(),
            held: Some(flipped),
            result: format!(
                "the true change is about −1.5 %; with std_5000 first: {}; with std_4925 first: {}.",
                of(0).map(change).collect::<Vec<_>>().join(", "),
                of(1).map(change).collect::<Vec<_>>().join(", ")
            ),
        });
    }
}
