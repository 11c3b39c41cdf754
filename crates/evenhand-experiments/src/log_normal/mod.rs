//! Are timings normally distributed? D. Lemire, "Are your memory-bound benchmarking timings normally distributed?" (2023): walks through
//! memory that wait for each load, 1 to 40 of them interleaved, 30 runs each.
//!
//! | file | question |
//! |---|---|
//! | `walk.rs` | how is one run done: a cycle through all of a large array, and lanes in it |
//! | `another_day.rs` | does the same come out on another day? |
//! | `model.rs` | how precisely can minimum, median and mean be known of log-normal samples? |
//! | here | what came of it, beside what was published? |
//!
//! Two definitions of how many loads a processor keeps in flight: the *knee* is one less than the first number of lanes that is not 1 %
//! faster than the one before (as the article's program stops), the *gain* is the best bandwidth times the latency of one lane,
//! over 64 bytes. On one machine they differ.
//!
//! A standard deviation has divisor n here, as in the article. A distance of more than √(n − 1) of those is impossible: 5.4 for 30 runs.
//!
//! Tests: `tests/log_normal.rs`.

pub mod another_day;
pub mod model;
mod walk;

use crate::Size;
use crate::document::{Claim, Document};
use crate::trial::{add, blank};
use evenhand_analysis::words::{counted, quantity};
use evenhand_stats::level::distribution::{Family, Fits};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::summary::Summary;
use evenhand_trial::{Trial, Unit};
use std::time::Instant;
use walk::Cycle;

/// Bytes in a line of memory, which is what a load brings.
const LINE: f64 = 64.0;
/// A distance of more standard deviations than this is rare among 30 normal samples: one run of 30 in fifty has one.
const RARE: f64 = 3.0;
/// The knee: less gain than this from one more lane.
const KNEE: f64 = 0.01;

/// What a trial of this experiment says it is of.
const PROGRAM: &str = "evenhand experiment log-normal";

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// Words in the array, each of eight bytes.
    pub words: usize,
    /// Loads in one run, over all lanes.
    pub loads: usize,
    /// How many lanes, ascending.
    pub lanes: Vec<usize>,
    pub runs: usize,
}

impl Extent {
    /// The article's array is as large as ours, but its runs are eight times as long and it has every number of lanes.
    pub fn of(size: Size) -> Self {
        const WORDS: usize = 256 << 17;
        match size {
            Size::Tiny => Self { words: 1 << 16, loads: 1 << 14, lanes: vec![1, 2, 4], runs: 8 },
            Size::Usual => Self {
                words: WORDS,
                loads: WORDS / 16,
                lanes: (1..=16).chain([18, 20, 22, 24, 26, 28, 30, 35, 40]).collect(),
                runs: 30,
            },
            Size::Whole => Self { words: WORDS, loads: WORDS, lanes: (1..=40).collect(), runs: 30 },
        }
    }
}

/// The times of all runs with one number of lanes, in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Lane {
    /// How many walks were interleaved.
    pub lanes: usize,
    /// One time a run, in the order taken.
    pub seconds: Vec<f64>,
}

/// All that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    pub plan: Extent,
    /// Bound by memory.
    pub memory: Vec<Lane>,
    /// Bound by computing: the same number of steps in registers, in seconds.
    pub computing: Vec<f64>,
}

/// Does all runs. `tell` hears how far it is.
pub fn measure(plan: Extent, tell: &mut dyn FnMut(&str)) -> Measurements {
    tell("preparing the cycle through the array");
    let cycle = Cycle::new(plan.words, 0xbabe, &plan.lanes);
    let timed = |run: &dyn Fn() -> usize| {
        let began = Instant::now();
        std::hint::black_box(run());
        began.elapsed().as_secs_f64()
    };
    let mut memory = Vec::new();
    for &lanes in &plan.lanes {
        tell(&format!("{lanes} of up to {} lanes", plan.lanes.last().copied().unwrap_or(0)));
        let seconds = (0..plan.runs).map(|_| timed(&|| cycle.run(lanes, plan.loads))).collect();
        memory.push(Lane { lanes, seconds });
    }
    tell("computing");
    let steps = plan.loads as u64 * 16;
    let computing = (0..plan.runs).map(|_| timed(&|| walk::compute(steps))).collect();
    Measurements { plan, memory, computing }
}

/// What the article's table says of one number of lanes.
struct Row {
    lanes: usize,
    summary: Summary,
    fits: Option<Fits>,
}

/// Lanes; minimum, mean and maximum in seconds; how many standard deviations minimum and maximum lie from the mean. As published for a
/// c6i instance.
const PUBLISHED: [(usize, [f64; 3], [f64; 2]); 6] = [
    (1, [3.080, 3.191, 3.368], [1.2, 1.9]),
    (2, [1.533, 1.553, 1.617], [1.1, 3.3]),
    (10, [0.322, 0.329, 0.346], [1.0, 2.4]),
    (20, [0.188, 0.189, 0.190], [1.4, 3.0]),
    (30, [0.168, 0.169, 0.173], [1.0, 3.3]),
    (40, [0.162, 0.165, 0.169], [1.2, 1.8]),
];

impl Measurements {
    /// All that it says.
    pub fn document(&self) -> Document {
        let rows: Vec<Row> =
            self.memory.iter().filter_map(|lane| Row::of(lane.lanes, &lane.seconds)).collect();
        let mut document = Document::default();
        self.introduce(&mut document);
        document.table(&HEADINGS, rows.iter().map(|row| self.row(row, &rows)).collect());
        published(&mut document);
        self.concurrency(&rows, &mut document);
        claims(&rows, &mut document);
        self.of_computing(&mut document);
        model::write(&mut document);
        document
    }

    /// All times as a trial: an arm for each number of lanes.
    pub fn trial(&self) -> Trial {
        let mut trial = blank(Unit::seconds(), false);
        trial.plan.program = Some(PROGRAM.to_owned());
        let Extent { words, loads, runs, .. } = &self.plan;
        let given = [("words", words), ("loads", loads), ("runs", runs)];
        trial.plan.given = given.map(|(name, number)| (name.to_owned(), number.to_string())).into();
        for Lane { lanes, seconds } in &self.memory {
            // No two belong together: each is a group of its own.
            let name = counted(*lanes, "lane");
            add(&mut trial, name.clone(), &name, &[seconds]);
        }
        trial
    }

    fn introduce(&self, document: &mut Document) {
        let Extent { words, loads, runs, .. } = &self.plan;
        let size = quantity(8.0 * *words as f64, &Unit::bytes());
        document.heading("Are timings normally distributed?");
        document.text(format!(
            "After D. Lemire, \"Are your memory-bound benchmarking timings normally distributed?\" (2023). One cycle visits all \
             of {size} in random order: each load gives the address of the next. Several such walks are interleaved (lanes). For \
             each number of lanes there are {runs} runs of {loads} loads."
        ));
        let article = 256 << 17;
        if *words < article || *loads < article {
            document.text(
                "The article's runs were 33,554,432 loads in 256 MiB. These are shorter, so that the experiment takes less than \
                 two minutes; --whole runs it in full.",
            );
        }
    }

    fn row(&self, row: &Row, rows: &[Row]) -> Vec<String> {
        let seconds = |value: f64| quantity(value, &Unit::seconds());
        let summary = &row.summary;
        let sigmas = summary.sigmas;
        let least = summary.min;
        let first = rows.iter().find(|row| row.lanes == 1).map(|row| row.summary.min);
        vec![
            row.lanes.to_string(),
            seconds(least),
            seconds(summary.mean),
            seconds(summary.max),
            sigmas.map_or_else(String::new, |sigmas| format!("{:.1}", sigmas.bottom)),
            sigmas.map_or_else(String::new, |sigmas| format!("{:.1}", sigmas.top)),
            summary.mean_over_min.map_or_else(String::new, |share| format!("{:.1} %", 100.0 * share)),
            format!("{:.1}", self.bandwidth(least) / 1e9),
            first.map_or_else(String::new, |first| format!("{:.1}", first / least)),
            row.fits.as_ref().map_or_else(String::new, |fits| better(fits).to_owned()),
        ]
    }

    /// Bytes in a second.
    fn bandwidth(&self, seconds: f64) -> f64 {
        self.plan.loads as f64 * LINE / seconds
    }

    fn concurrency(&self, rows: &[Row], document: &mut Document) {
        let Some(first) = rows.iter().find(|row| row.lanes == 1).map(|row| row.summary.min) else { return };
        let latency = first / self.plan.loads as f64;
        let least = rows.iter().map(|row| row.summary.min).fold(f64::INFINITY, f64::min);
        let gain = self.bandwidth(least) * latency / LINE;
        let knee = knee(rows).map_or_else(
            || "above the largest number of lanes measured".to_owned(),
            |knee| format!("about {knee}"),
        );
        document.text(format!(
            "One load takes {}. Loads in flight, estimated from the knee (where one more lane gains less than 1 %): {knee}; from \
             the gain (best bandwidth times the latency of one lane): {gain:.1}. The article's figures give 26 and 19.0.",
            quantity(latency, &Unit::seconds())
        ));
    }

    fn of_computing(&self, document: &mut Document) {
        let Some(row) = Row::of(1, &self.computing) else { return };
        let summary = &row.summary;
        let sigmas = summary.sigmas.map_or_else(
            || "all runs took the same time".to_owned(),
            |sigmas| {
                format!(
                    "minimum {:.1}, maximum {:.1} standard deviations from the mean",
                    sigmas.bottom, sigmas.top
                )
            },
        );
        let fits =
            row.fits.as_ref().map_or_else(String::new, |fits| format!("; {} fits better", better(fits)));
        document.text(format!(
            "A routine that only computes, for comparison: minimum {}, mean {}, {sigmas}{fits}.",
            quantity(summary.min, &Unit::seconds()),
            quantity(summary.mean, &Unit::seconds())
        ));
        claims_of_computing(&row, document);
    }
}

fn claims_of_computing(row: &Row, document: &mut Document) {
    document.claim(Claim {
        says: "The times of a routine that only computes resemble a log-normal distribution.".to_owned(),
        held: row.fits.as_ref().map(|fits| fits.better() == Family::LogNormal),
        result: row.fits.as_ref().map_or_else(
            || "there are too few runs, or all took the same time.".to_owned(),
            |fits| {
                format!(
                    "the {} distribution fits better (p = {:.2} for normal, {:.2} for log-normal).",
                    better(fits),
                    fits.normal.p_value,
                    fits.log_normal.p_value
                )
            },
        ),
    });
    let over = row.summary.mean_over_min;
    document.claim(Claim {
        says: "The distance between its average and its minimum, an error that is easy to measure, is small."
            .to_owned(),
        held: over.map(|share| share < 0.01),
        result: over
            .map_or_else(String::new, |share| format!("it is {:.2} % of the minimum.", 100.0 * share)),
    });
}

const HEADINGS: [&str; 10] =
    ["lanes", "min", "mean", "max", "bottom σ", "top σ", "mean over min", "GB/s", "speed-up", "fits better"];

impl Row {
    fn of(lanes: usize, seconds: &[f64]) -> Option<Self> {
        let sorted = Sorted::new(seconds).ok()?;
        Some(Self { lanes, summary: Summary::of_sorted(&sorted).ok()?, fits: Fits::of(&sorted).ok() })
    }
}

fn better(fits: &Fits) -> &'static str {
    match fits.better() {
        Family::Normal => "normal",
        Family::LogNormal => "log-normal",
    }
}

fn published(document: &mut Document) {
    document.text("Published, for some numbers of lanes on an Intel c6i instance:");
    let row = |(lanes, [min, mean, max], [bottom, top]): &(usize, [f64; 3], [f64; 2])| {
        vec![
            lanes.to_string(),
            quantity(*min, &Unit::seconds()),
            quantity(*mean, &Unit::seconds()),
            quantity(*max, &Unit::seconds()),
            format!("{bottom:.1}"),
            format!("{top:.1}"),
            format!("{:.1} %", 100.0 * (mean - min) / min),
        ]
    };
    document.table(&HEADINGS[..7], PUBLISHED.iter().map(row).collect());
}

/// One less than the first number of lanes that gains less than 1 % over the one before, where all numbers were measured.
fn knee(rows: &[Row]) -> Option<usize> {
    let neighbours = rows.windows(2).filter(|pair| pair[1].lanes == pair[0].lanes + 1);
    let gain = |pair: &&[Row]| (pair[0].summary.min - pair[1].summary.min) / pair[0].summary.min;
    neighbours.into_iter().find(|pair| gain(pair) < KNEE).map(|pair| pair[0].lanes)
}

fn claims(rows: &[Row], document: &mut Document) {
    let sigmas: Vec<_> = rows.iter().filter_map(|row| row.summary.sigmas).collect();
    let count =
        |what: &dyn Fn(f64, f64) -> bool| sigmas.iter().filter(|far| what(far.top, far.bottom)).count();
    let (beyond, lopsided) = (count(&|top, _| top > RARE), count(&|top, bottom| top > bottom));
    let all = sigmas.len();
    // Of normal runs one in fifty; a tenth of them is far more.
    let (many, most) = (10 * beyond > all, 4 * lopsided > 3 * all);
    document.claim(Claim {
        says: "The maximum often lies more than 3 standard deviations above the mean, so timings are not normal.".to_owned(),
        held: (all > 0).then_some(many),
        result: format!("{beyond} of {all} rows have such a maximum (published: 10 of 40; expected of normal times: 1 of 50)."),
    });
    document.claim(Claim {
        says: "Timings are not symmetrical: the maximum is farther from the mean than the minimum."
            .to_owned(),
        held: (all > 0).then_some(most),
        result: format!("this is so in {lopsided} of {all} rows (published: 35 of 40)."),
    });
    let close = rows.iter().filter(|row| row.summary.mean_over_min.is_some_and(|share| share < 0.01)).count();
    document.claim(Claim {
        says: "The mean is often within 1 % of the minimum.".to_owned(),
        held: (!rows.is_empty()).then_some(2 * close >= rows.len()),
        result: format!("this is so in {close} of {} rows (published: 21 of 40).", rows.len()),
    });
    of_lanes(rows, document);
}

/// The distance of mean and minimum with the fewest third of the lanes, and with the most.
fn of_lanes(rows: &[Row], document: &mut Document) {
    let third = rows.len() / 3;
    let typical = |rows: &[Row]| {
        let mut shares: Vec<f64> = rows.iter().filter_map(|row| row.summary.mean_over_min).collect();
        shares.sort_unstable_by(f64::total_cmp);
        shares.get(shares.len() / 2).copied()
    };
    let ends = typical(&rows[..third]).zip(typical(&rows[rows.len() - third..]));
    document.claim(Claim {
        says: "With more lanes, results are more accurate.".to_owned(),
        held: ends.map(|(few, many)| many < few),
        result: ends.map_or_else(
            || "too few numbers of lanes were measured.".to_owned(),
            |(few, many)| {
                format!(
                    "the mean is typically {:.1} % above the minimum in the third of the rows with the fewest lanes, and {:.1} % \
                     in the third with the most (published: 2.2 % and 0.6 %).",
                    100.0 * few,
                    100.0 * many
                )
            },
        ),
    });
}
