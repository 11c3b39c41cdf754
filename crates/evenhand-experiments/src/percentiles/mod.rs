//! What do percentiles show that a median hides? BenchmarkDotNet's article on percentiles (A. Akinshin and contributors, 2016): three functions
//! that sleep, always alike, at random, and rarely for long.
//!
//! Percentiles are of type 7 (Hyndman and Fan 1996), as Excel's. *Scaled* is the ratio of the same percentile of both, not a percentile
//! of ratios. The intervals are ours: the article has none.
//!
//! Tests: `tests/percentiles.rs`.

mod measuring;

pub use measuring::{Extent, Measurements, measure};

use crate::document::{Claim, Document};
use evenhand_analysis::words::quantity;
use evenhand_analysis::{Analysis, Comparison, Level, ScaledPercentile, Settings, analyse};
use measuring::NAMES;

const PERCENTS: [f64; 6] = [0.0, 50.0, 80.0, 85.0, 95.0, 100.0];
const SCALED: [f64; 3] = [50.0, 85.0, 95.0];

/// Median, standard deviation and scaled median; the percentiles; the scaled ones. In milliseconds, as published.
type Published = (&'static str, [f64; 3], [f64; 6], [f64; 3]);

const CALLS: [Published; 3] = [
    (
        "ConstantDelays",
        [20.3813, 0.2051, 1.0],
        [20.0272, 20.3813, 20.4895, 20.4954, 20.5869, 21.1471],
        [1.0, 1.0, 1.0],
    ),
    (
        "RandomDelays",
        [19.8055, 5.7556, 0.97],
        [10.0793, 19.8055, 25.4173, 26.5187, 29.0313, 29.4550],
        [0.97, 1.29, 1.41],
    ),
    (
        "RareDelays",
        [10.3385, 11.4828, 0.51],
        [10.0157, 10.3385, 10.5211, 40.0560, 40.3992, 40.4674],
        [0.51, 1.95, 1.96],
    ),
];

const BATCHES: [Published; 3] = [
    (
        "ConstantDelays",
        [20.2692, 0.0308, 1.0],
        [20.1986, 20.2692, 20.2843, 20.2968, 20.3097, 20.3122],
        [1.0, 1.0, 1.0],
    ),
    (
        "RandomDelays",
        [18.9965, 0.8601, 0.94],
        [18.1339, 18.9965, 19.8126, 19.8278, 20.4485, 20.9466],
        [0.94, 0.98, 1.01],
    ),
    (
        "RareDelays",
        [14.0912, 2.8619, 0.70],
        [10.2606, 14.0912, 15.7653, 17.3862, 18.6728, 18.6940],
        [0.70, 0.86, 0.92],
    ),
];

const HEADINGS: [&str; 12] = [
    "method",
    "median",
    "sd",
    "P0",
    "P50",
    "P80",
    "P85",
    "P95",
    "P100",
    "P50 ratio",
    "P85 ratio",
    "P95 ratio",
];

impl Measurements {
    /// All that it says; nothing of a part that cannot be analysed.
    pub fn document(&self) -> Document {
        let mut document = Document::default();
        let Extent { launches, rounds, batches, .. } = self.plan;
        document.heading("What do percentiles show that a median hides?");
        document.text(format!(
            "After BenchmarkDotNet's article on percentiles (2016). ConstantDelays sleeps 20 ms, RandomDelays 10 to 29 ms, \
             RareDelays 10 ms, but 40 ms in three of twenty calls. There are {launches} launches of {rounds} calls each, in \
             random order."
        ));
        if self.plan != Extent::of(crate::Size::Whole) {
            document.text(format!("Here a millisecond of the article takes {:?}.", self.plan.unit));
        }
        let settings = Settings { percentiles: PERCENTS.to_vec(), ..Settings::default() };
        let analysed = [&self.calls, &self.batches].map(|trial| analyse(trial, &settings).ok());
        let [Some(calls), Some(averaged)] = analysed else { return document };
        tables(&calls, &CALLS, &mut document);
        document.text(format!(
            "Now {launches} launches of {batches} samples, each the average over half a second of calls:"
        ));
        tables(&averaged, &BATCHES, &mut document);
        claims(&calls, &averaged, &mut document);
        document
    }
}

fn tables(analysis: &Analysis, published: &[Published], document: &mut Document) {
    document.table(&HEADINGS, NAMES.iter().filter_map(|name| row(analysis, name)).collect());
    let rows = analysis.comparisons.iter().map(|both| scaled_row(analysis, both)).collect();
    document.text("The same ratios with 99 % intervals:");
    document.table(&["against ConstantDelays", "P50 ratio", "P85 ratio", "P95 ratio"], rows);
    document.text("Published, in milliseconds:");
    document.table(&HEADINGS, published.iter().map(published_row).collect());
}

fn row(analysis: &Analysis, name: &str) -> Option<Vec<String>> {
    let level: &Level = analysis.levels.iter().find(|level| analysis.names.arm(level.arm) == name)?;
    let unit = &analysis.names.metric(level.metric).unit;
    let text = |value: Option<f64>| value.map_or_else(String::new, |value| quantity(value, unit));
    let percentiles = PERCENTS.map(|percent| {
        text(level.percentiles.iter().find(|found| is(found.percent, percent)).map(|found| found.value))
    });
    let ratios = SCALED.map(|percent| {
        let ratio = of(analysis, name).map_or(Some(1.0), |both| Some(scaled(both, percent)?.scaled));
        ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"))
    });
    let start = [name.to_owned(), text(level.figures.median), text(level.figures.sd)];
    Some(start.into_iter().chain(percentiles).chain(ratios).collect())
}

fn scaled_row(analysis: &Analysis, comparison: &Comparison) -> Vec<String> {
    let text = |percent: f64| {
        let end = |end: Option<f64>| end.map_or_else(|| "?".to_owned(), |end| format!("{end:.2}"));
        scaled(comparison, percent).map_or_else(String::new, |both| {
            format!("{:.2} [{}, {}]", both.scaled, end(both.low), end(both.high))
        })
    };
    let name = analysis.names.arm(comparison.pair.candidate).to_owned();
    [name].into_iter().chain(SCALED.map(text)).collect()
}

fn published_row((name, [median, sd, _], percentiles, ratios): &Published) -> Vec<String> {
    let start = [(*name).to_owned(), format!("{median:.2}"), format!("{sd:.2}")];
    let percentiles = percentiles.map(|value| format!("{value:.2}"));
    start.into_iter().chain(percentiles).chain(ratios.map(|ratio| format!("{ratio:.2}"))).collect()
}

fn is(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() < 1e-9
}

fn of<'a>(analysis: &'a Analysis, candidate: &str) -> Option<&'a Comparison> {
    analysis.comparisons.iter().find(|comparison| analysis.names.arm(comparison.pair.candidate) == candidate)
}

fn scaled(comparison: &Comparison, percent: f64) -> Option<&ScaledPercentile> {
    comparison.percentiles.iter().find(|both| is(both.percent, percent))
}

fn claims(calls: &Analysis, averaged: &Analysis, document: &mut Document) {
    let ratio = |analysis, name, percent| Some(scaled(of(analysis, name)?, percent)?.scaled);
    let say = |ratio: Option<f64>| ratio.map_or_else(|| "?".to_owned(), |ratio| format!("{ratio:.2}"));
    let [random, rare] = [NAMES[1], NAMES[2]];

    let medians = [ratio(calls, random, 50.0), ratio(calls, rare, 50.0)];
    document.claim(Claim {
        says: "By the median RandomDelays is about as fast as ConstantDelays, and RareDelays twice as fast."
            .to_owned(),
        held: medians[0].zip(medians[1]).map(|(random, rare)| (0.8..1.2).contains(&random) && rare < 0.65),
        result: format!(
            "the medians are {} and {} of that of ConstantDelays (published: 0.97 and 0.51).",
            say(medians[0]),
            say(medians[1])
        ),
    });
    let tails = [ratio(calls, random, 95.0), ratio(calls, rare, 95.0)];
    document.claim(Claim {
        says: "By the high percentiles, RareDelays is twice as slow.".to_owned(),
        held: tails[0].zip(tails[1]).map(|(random, rare)| random > 1.2 && rare > 1.6),
        result: format!(
            "at P95 RandomDelays is {} and RareDelays {} of ConstantDelays (published: 1.41 and 1.96).",
            say(tails[0]),
            say(tails[1])
        ),
    });
    let hidden = ratio(averaged, rare, 95.0);
    let warned = averaged.warnings.iter().any(|warning| warning.code() == "batched");
    document.claim(Claim {
        says: "Samples that average many calls hide the tail.".to_owned(),
        held: hidden.map(|rare| rare < 1.2),
        result: format!(
            "at P95 RareDelays is then {} of ConstantDelays (published: 0.92). evenhand's analysis of these samples {}.",
            say(hidden),
            if warned { "warns about it" } else { "does not warn about it" }
        ),
    });
}
