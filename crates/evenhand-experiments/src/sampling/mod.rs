//! How should a micro-benchmark be sampled? P. Vaskovic, "Towards Robust Performance Measurement" (2018), on the Swift benchmarks: many
//! samples of few iterations, because a sample of many iterations averages away what disturbed it.
//!
//! | file | question |
//! |---|---|
//! | `measuring.rs` | how are the samples taken? |
//! | `summary.rs` | what does the article's table say of a series? |
//! | here | what came of it, beside what was published? |
//!
//! Tests: `tests/sampling.rs`.

mod measuring;
mod summary;

pub use measuring::{Extent, Load, Series, measure};
pub use summary::{Summary, clean, set_up};

use crate::document::{Claim, Document};
use crate::trial::{add, blank};
use evenhand_analysis::words::{change, quantity};
use evenhand_trial::{Per, Trial, Unit, Whole};

/// Mean of all samples and smallest mean of a series at each load, in microseconds, as published of a workload of 367 µs.
const PUBLISHED: [(&str, f64, f64); 5] = [
    ("a: idle machine", 368.0, 368.0),
    ("b: idle machine", 374.0, 372.0),
    ("c: beside a busy process", 401.0, 385.0),
    ("d: beside 2 busy processes", 615.0, 576.0),
    ("e: beside 3 busy processes", 891.0, 779.0),
];

/// The series that the article shows, in microseconds: n, then min, max, Q1, median, Q3, mean and s of each number of iterations.
const PUBLISHED_SERIES: [(u64, usize, [f64; 7]); 11] = [
    (1, 2048, [367.0, 22950.0, 367.0, 367.0, 367.0, 410.48, 650.34]),
    (2, 1024, [367.0, 2770.0, 367.0, 367.0, 367.0, 377.96, 95.07]),
    (4, 512, [367.0, 454.0, 367.0, 367.0, 368.0, 368.70, 5.68]),
    (8, 256, [367.0, 567.0, 367.0, 367.0, 369.0, 372.56, 19.78]),
    (16, 128, [367.0, 717.0, 367.0, 373.0, 414.0, 392.98, 47.67]),
    (32, 64, [367.0, 386.0, 367.0, 368.0, 369.0, 368.55, 2.65]),
    (64, 32, [368.0, 615.0, 368.0, 370.0, 377.0, 383.22, 44.18]),
    (128, 16, [368.0, 370.0, 368.0, 368.0, 369.0, 368.50, 0.73]),
    (256, 8, [368.0, 389.0, 368.0, 369.0, 375.0, 374.00, 8.42]),
    (512, 4, [372.0, 387.0, 372.0, 375.0, 376.0, 377.50, 6.56]),
    (1024, 2, [370.0, 404.0, 370.0, 370.0, 404.0, 387.00, 24.04]),
];

const HEADINGS: [&str; 14] =
    ["series", "n", "min", "max", "R", "R/min", "Q1", "Q3", "IQR", "IQR/median", "median", "mean", "s", "CV"];

/// What follows from its neighbours: R, IQR, and their parts of minimum and median.
const GIVEN_UP_FIRST: [usize; 4] = [4, 8, 5, 9];

/// All that the loads say.
pub fn document(plan: &Extent, loads: &[Load]) -> Document {
    let mut document = Document::default();
    document.heading("How should a micro-benchmark be sampled?");
    document.text(format!(
        "After P. Vaskovic, \"Towards Robust Performance Measurement\" (2018). An array is created and then reversed 1, 2, 4 … \
         times; a sample is the total time divided by the number of reversals. Each series takes about {:?}.",
        plan.series
    ));
    for (letter, load) in ('a'..).zip(loads) {
        document.text(format!("Load {letter}, {}:", beside(load.beside)));
        document.wide_table(&HEADINGS, load.series.iter().filter_map(row).collect(), &GIVEN_UP_FIRST);
    }
    published_series(&mut document);
    by_load(loads, &mut document);
    outliers(loads, &mut document);
    of_set_up(loads, &mut document);
    claims(loads, &mut document);
    document
}

/// All samples as a trial: an arm for each series, which says its iterations, so that series of one load are shown together.
pub fn trial(loads: &[Load]) -> Trial {
    let mut trial = blank(Unit::new("us"), false);
    trial.metrics.iter_mut().for_each(|metric| metric.per = Per::Iteration);
    for (letter, load) in ('a'..).zip(loads) {
        for Series { iterations, samples } in &load.series {
            let name = format!("{letter} i{iterations}");
            add(&mut trial, name.clone(), &name, &[samples]);
            if let (Some(arm), Some(series)) = (trial.arms.last_mut(), trial.series.last_mut()) {
                arm.parameters.insert("iterations".to_owned(), iterations.to_string());
                series.iterations = Whole::Same { same: *iterations };
            }
        }
    }
    trial
}

fn beside(busy: usize) -> String {
    match busy {
        0 => "idle machine".to_owned(),
        1 => "beside a busy process".to_owned(),
        several => format!("beside {several} busy processes"),
    }
}

fn time(microseconds: f64) -> String {
    quantity(microseconds, &Unit::new("us"))
}

fn row(series: &Series) -> Option<Vec<String>> {
    Some(row_of(series.iterations, &Summary::of(&series.samples)?))
}

fn row_of(iterations: u64, summary: &Summary) -> Vec<String> {
    let percent = |part: f64, of: f64| format!("{:.1} %", 100.0 * part / of);
    let range = summary.max - summary.min;
    vec![
        format!("i{iterations}"),
        summary.n.to_string(),
        time(summary.min),
        time(summary.max),
        time(range),
        percent(range, summary.min),
        time(summary.q1),
        time(summary.q3),
        time(summary.iqr()),
        percent(summary.iqr(), summary.median),
        time(summary.median),
        time(summary.mean),
        time(summary.sd),
        percent(summary.sd, summary.mean),
    ]
}

fn published_series(document: &mut Document) {
    document.text("Published, for a workload of 367 µs on an idle machine:");
    let row = |(iterations, n, [min, max, q1, median, q3, mean, sd]): (u64, usize, [f64; 7])| {
        row_of(iterations, &Summary { n, min, q1, median, q3, max, mean, sd })
    };
    document.wide_table(&HEADINGS, PUBLISHED_SERIES.map(row).to_vec(), &GIVEN_UP_FIRST);
}

/// What all series of a load say together, with and without outliers.
struct Together {
    raw: Summary,
    clean: Summary,
    least_mean: f64,
}

fn together(load: &Load) -> Option<Together> {
    let all: Vec<f64> = load.series.iter().flat_map(|series| series.samples.iter().copied()).collect();
    // The union of series that were cleaned each by itself, as in the article.
    let cleaned: Vec<f64> = load.series.iter().flat_map(|series| clean(&series.samples)).collect();
    let means = load.series.iter().filter_map(|series| Some(Summary::of(&series.samples)?.mean));
    Some(Together {
        raw: Summary::of(&all)?,
        clean: Summary::of(&cleaned)?,
        least_mean: means.reduce(f64::min)?,
    })
}

fn by_load(loads: &[Load], document: &mut Document) {
    document.text("By load, all samples together:");
    let row = |(letter, load): (char, &Load)| {
        let Together { raw, clean, least_mean } = together(load)?;
        let name = format!("{letter}: {}", beside(load.beside));
        Some(vec![
            name,
            time(raw.min),
            time(raw.median),
            time(raw.mean),
            time(least_mean),
            time(clean.median),
            time(clean.mean),
        ])
    };
    let headings =
        ["load", "min", "median", "mean", "smallest mean of a series", "clean median", "clean mean"];
    document.table(&headings, ('a'..).zip(loads).filter_map(row).collect());
    document.text("Published, for a workload of 367 µs on two processors:");
    let published =
        PUBLISHED.iter().map(|(load, mean, least)| vec![(*load).to_owned(), time(*mean), time(*least)]);
    document.table(&["load", "mean", "smallest mean of a series"], published.collect());
}

fn outliers(loads: &[Load], document: &mut Document) {
    let count = |load: &Load| {
        let all: usize = load.series.iter().map(|series| series.samples.len()).sum();
        let clean: usize = load.series.iter().map(|series| clean(&series.samples).len()).sum();
        (all - clean, all)
    };
    let texts = ('a'..).zip(loads).map(|(letter, load)| {
        let (outliers, all) = count(load);
        format!("{letter} {outliers} of {all}")
    });
    document.text(format!(
        "Outliers above the upper limit of their series: {}.",
        texts.collect::<Vec<_>>().join(", ")
    ));
}

fn of_set_up(loads: &[Load], document: &mut Document) {
    let Some(first) = loads.first() else { return };
    if let (Some(parts), Some(one)) = (set_up(&first.series), first.series.first().and_then(Series::least)) {
        let most = first.series.last().and_then(Series::least).map_or_else(String::new, time);
        document.text(format!(
            "Set-up, estimated from the smallest samples with 1 and 2 iterations: {}, which is {} of a sample with 1 iteration. \
             Without set-up an iteration takes {}; according to the smallest sample with the most iterations, it takes {most}.",
            time(parts.set_up),
            change(parts.set_up / one).trim_start_matches('+'),
            time(parts.work)
        ));
    }
}

fn claims(loads: &[Load], document: &mut Document) {
    let quiet = loads.first().and_then(together);
    let busy = loads.last().filter(|load| load.beside > 0).and_then(together);
    let Some((quiet, busy)) = quiet.zip(busy) else { return };
    let moved = |of: &dyn Fn(&Together) -> f64| of(&busy) / of(&quiet) - 1.0;
    let [least, median, mean] = [
        moved(&|all: &Together| all.raw.min),
        moved(&|all: &Together| all.raw.median),
        moved(&|all: &Together| all.raw.mean),
    ];
    document.claim(Claim {
        says: "Under load the minimum changes least, the mean most.".to_owned(),
        held: Some(least.abs() <= median.abs() && median.abs() <= mean.abs()),
        result: format!(
            "from the first load to the last the minimum changed by {}, the median by {}, the mean by {}.",
            change(least),
            change(median),
            change(mean)
        ),
    });
    let cleaned = moved(&|all: &Together| all.clean.mean);
    document.claim(Claim {
        says: "Leaving out the upper outliers makes the mean more stable.".to_owned(),
        held: Some(cleaned.abs() < mean.abs()),
        result: format!("it changed by {} instead of {}.", change(cleaned), change(mean)),
    });
    let first = &loads[0].series;
    let spread = |series: &Series| Summary::of(&series.samples).map(|summary| summary.iqr() / summary.median);
    let ends = first.first().and_then(spread).zip(first.last().and_then(spread));
    document.claim(Claim {
        says: "With few iterations per sample, the middle half of the samples spreads less.".to_owned(),
        held: ends.map(|(few, many)| few <= many),
        result: ends.map_or_else(String::new, |(few, many)| {
            format!(
                "the interquartile range is {} of the median with the fewest iterations, {} with the most.",
                change(few).trim_start_matches('+'),
                change(many).trim_start_matches('+')
            )
        }),
    });
}
