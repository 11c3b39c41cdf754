//! Which autocovariances count for the error of a mean, and how much? The article cuts them off at √N, names weights that fade out
//! instead, and says that the best cut-off has to be found by experiment: this is the experiment.
//!
//! On series whose truth is known, x(t+1) = φ·x(t) + ε, drawn from a seed, and on two that were recorded (`calibration/traces`), in pieces;
//! there the mean of the whole trace stands for the truth. Nothing is measured, so the table is the same on every machine.
//!
//! Tests: `tests/uncertainty.rs`.

use crate::document::{Claim, Document};
use crate::draws::Normal;
use evenhand_stats::level::lag_weights::{LagRule, LagWeights, weighted_errors};
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use flate2::read::GzDecoder;
use std::io::Read;

/// Samples of a series, and of a piece of a trace.
const SAMPLES: usize = 1000;
const SERIES: usize = 200;
const REMAINS: [f64; 4] = [0.0, 0.5, 0.9, 0.99];
const TRACES: [(&str, &[u8]); 2] = [
    ("quiet trace", include_bytes!("../../../../calibration/traces/c5k_1.txt.gz")),
    ("busy trace", include_bytes!("../../../../calibration/traces/c5k_load.txt.gz")),
];
/// Of 95 % of normal errors.
const NORMAL: f64 = 1.959_963_985;
const CONFIDENCE: f64 = 0.95;

const WEIGHTS: [(&str, LagWeights); 5] = [
    ("truncated", LagWeights::Truncated),
    ("Bartlett", LagWeights::Bartlett),
    ("Parzen", LagWeights::Parzen),
    ("Tukey-Hanning", LagWeights::TukeyHanning),
    ("quadratic spectral", LagWeights::QuadraticSpectral),
];
/// Cut-offs as powers of N; the article has the second, the first version of its tool N^0.66.
const CUT_OFFS: [(&str, f64); 3] = [("N^⅓", 1.0 / 3.0), ("√N", 0.5), ("N^⅔", 2.0 / 3.0)];

/// Series of one kind, and their true mean.
struct Source {
    name: String,
    series: Vec<Vec<f64>>,
    truth: f64,
}

/// What part of the intervals holds the truth, by rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Covered {
    /// Of which series.
    pub name: String,
    /// By s/√n.
    pub naive: f64,
    /// By evenhand's rule.
    pub ours: f64,
    /// By weights, then cut-offs.
    pub weighted: [[f64; 3]; 5],
}

/// For each kind of series.
pub fn covered() -> Vec<Covered> {
    sources().iter().map(Covered::of).collect()
}

fn sources() -> Vec<Source> {
    let drawn = REMAINS.into_iter().map(|remains| Source {
        name: format!("φ = {remains}"),
        series: drawn(remains),
        truth: 0.0,
    });
    drawn.chain(TRACES.iter().filter_map(|(name, packed)| recorded(name, packed))).collect()
}

fn drawn(remains: f64) -> Vec<Vec<f64>> {
    let mut draws = Normal::new(23);
    let disturbance = (1.0 - remains * remains).sqrt();
    let mut one = || {
        let mut value = draws.draw();
        let mut step = || {
            value = remains * value + disturbance * draws.draw();
            value
        };
        (0..SAMPLES).map(|_| step()).collect()
    };
    (0..SERIES).map(|_| one()).collect()
}

/// The first number of each line, in whole pieces.
fn recorded(name: &str, packed: &[u8]) -> Option<Source> {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text).ok()?;
    let times: Vec<f64> =
        text.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
    let truth = times.iter().sum::<f64>() / times.len() as f64;
    let series = times.chunks_exact(SAMPLES).map(<[f64]>::to_vec).collect();
    Some(Source { name: name.to_owned(), series, truth })
}

impl Covered {
    fn of(source: &Source) -> Self {
        let rules = WEIGHTS
            .map(|(_, weights)| CUT_OFFS.map(|(_, power)| LagRule { weights, bandwidth: lags(power) }));
        let (mut weighted, mut naive, mut ours) = ([[0.0; 3]; 5], 0.0, 0.0);
        let part = 1.0 / source.series.len() as f64;
        for series in &source.series {
            let mean = series.iter().sum::<f64>() / series.len() as f64;
            let holds = |half: f64| if (mean - source.truth).abs() <= half { part } else { 0.0 };
            let errors = weighted_errors(series, rules.as_flattened()).unwrap_or_default();
            weighted
                .as_flattened_mut()
                .iter_mut()
                .zip(errors)
                .for_each(|(sum, error)| *sum += holds(NORMAL * error));
            let half =
                |rule| mean_error(series, rule).and_then(|error| error.half_width(CONFIDENCE)).unwrap_or(0.0);
            naive += holds(half(MeanErrorRule::Naive));
            ours += holds(half(MeanErrorRule::default()));
        }
        Self { name: source.name.clone(), naive, ours, weighted }
    }

    /// The cut-off with which truncated sums come closest to what they promise.
    fn best_cut_off(&self) -> &'static str {
        let off = |place: &usize| (self.weighted[0][*place] - CONFIDENCE).abs();
        let best = (0..CUT_OFFS.len()).min_by(|one, other| off(one).total_cmp(&off(other)));
        best.map_or("", |place| CUT_OFFS[place].0)
    }
}

/// Lags below this count, as in the article's function.
fn lags(power: f64) -> usize {
    (SAMPLES as f64).powf(power).ceil() as usize
}

pub(super) fn write(document: &mut Document) {
    document.heading("Weights and cut-offs");
    document.text(format!(
        "How many 95 % intervals contain the true mean, by the weights of the autocovariances and the lag at which they are cut \
         off? The series have {SAMPLES} samples: {SERIES} simulated ones for each φ, the part of a deviation that the next \
         sample keeps, and the pieces of two recorded traces. This part measures nothing."
    ));
    let all = covered();
    let headings: Vec<&str> =
        ["weights", "cut-off"].into_iter().chain(all.iter().map(|covered| covered.name.as_str())).collect();
    document.table(&headings, rows(&all));
    document.text(
        "The quiet trace drifts from piece to piece; in the busy trace, one sample in a thousand makes up half of the mean. No \
         weighting can detect what a piece does not contain.",
    );
    claims(&all, document);
}

fn rows(all: &[Covered]) -> Vec<Vec<String>> {
    let row = |weights: &str, cut_off: &str, of: &dyn Fn(&Covered) -> f64| -> Vec<String> {
        let cells = all.iter().map(|covered| percent(of(covered)));
        [weights.to_owned(), cut_off.to_owned()].into_iter().chain(cells).collect()
    };
    let mut rows = vec![row("none: s/√n", "", &|covered| covered.naive)];
    for (place, (weights, _)) in WEIGHTS.iter().enumerate() {
        for (at, (cut_off, _)) in CUT_OFFS.iter().enumerate() {
            rows.push(row(weights, cut_off, &|covered| covered.weighted[place][at]));
        }
    }
    rows.push(row("evenhand's", "", &|covered| covered.ours));
    rows
}

fn claims(all: &[Covered], document: &mut Document) {
    let of = |name: &str| all.iter().find(|covered| covered.name == name);
    let at_root = |name: &str| of(name).map(|covered| covered.weighted[0][1]);
    let both = at_root("φ = 0.5").zip(at_root("φ = 0.9"));
    let long = at_root("φ = 0.99").unwrap_or(f64::NAN);
    document.claim(Claim {
        says: "Cutting off at √N works reasonably well.".to_owned(),
        held: both.map(|(short, longer)| short.min(longer) >= 0.85),
        result: both.map_or_else(String::new, |(short, longer)| {
            format!(
                "of the 95 % intervals, {} contain the true mean with φ = 0.5 and {} with φ = 0.9; with φ = 0.99, where the \
                 memory is a fifth of the series, {}.",
                percent(short),
                percent(longer),
                percent(long)
            )
        }),
    });
    let best: Vec<String> =
        all.iter().map(|covered| format!("{} for {}", covered.best_cut_off(), covered.name)).collect();
    let differ = all.windows(2).any(|pair| pair[0].best_cut_off() != pair[1].best_cut_off());
    document.claim(Claim {
        says: "The best cut-off differs from system to system.".to_owned(),
        held: Some(differ),
        result: format!("for truncated sums it is {}.", best.join(", ")),
    });
}

fn percent(part: f64) -> String {
    format!("{:.0} %", 100.0 * part)
}
