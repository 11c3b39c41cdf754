//! How precisely can the minimum, the median and the mean be known, if timings are log-normal? Drawn again and again: 30 samples, three
//! estimates; the relative standard error of an estimate is its standard deviation over the repetitions, over its mean.
//!
//! The article says that the minimum is the easiest to know. Of a plain log-normal distribution that is wrong: its minimum is the worst of
//! the three. It is right for times that have a floor, `1 + 0.1·LN(0, σ)`, when the tail is long: a program cannot be faster than its work,
//! and what disturbs comes on top.
//!
//! Everything here is drawn from a seed and is the same on every machine.
//!
//! Tests: `tests/log_normal.rs`.

use crate::document::{Claim, Document};
use crate::draws::Normal;
use evenhand_stats::level::moments::Moments;

/// Samples of one estimate.
const SAMPLES: usize = 30;
const REPETITIONS: usize = 20_000;

/// `shift + scale·LN(0, sigma)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// The floor.
    pub shift: f64,
    /// How much comes on top.
    pub scale: f64,
    /// The standard deviation of the logarithms.
    pub sigma: f64,
}

/// Relative standard errors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Precision {
    pub min: f64,
    pub median: f64,
    pub mean: f64,
}

/// The distributions that are told of.
pub const MODELS: [Model; 7] = [
    Model { shift: 0.0, scale: 1.0, sigma: 0.1 },
    Model { shift: 0.0, scale: 1.0, sigma: 0.5 },
    Model { shift: 0.0, scale: 1.0, sigma: 1.0 },
    Model { shift: 1.0, scale: 0.1, sigma: 0.3 },
    Model { shift: 1.0, scale: 0.1, sigma: 0.5 },
    Model { shift: 1.0, scale: 0.1, sigma: 1.0 },
    Model { shift: 1.0, scale: 0.1, sigma: 2.0 },
];

/// How precise the three are.
pub fn precision(model: Model, repetitions: usize, seed: u64) -> Precision {
    let mut draws = Normal::new(seed);
    let (mut min, mut median, mut mean) = (Vec::new(), Vec::new(), Vec::new());
    let mut samples = [0.0; SAMPLES];
    for _ in 0..repetitions {
        samples.fill_with(|| model.shift + model.scale * (model.sigma * draws.draw()).exp());
        samples.sort_unstable_by(f64::total_cmp);
        min.push(samples[0]);
        median.push(0.5 * (samples[SAMPLES / 2 - 1] + samples[SAMPLES / 2]));
        mean.push(samples.iter().sum::<f64>() / SAMPLES as f64);
    }
    let relative = |estimates: &[f64]| {
        let moments = Moments::of(estimates).ok();
        moments.and_then(|moments| Some(moments.sd()? / moments.mean()?)).unwrap_or(f64::NAN)
    };
    Precision { min: relative(&min), median: relative(&median), mean: relative(&mean) }
}

pub(super) fn write(document: &mut Document) {
    document.heading("How precise are minimum, median and mean?");
    document.text(format!(
        "How much the minimum, the median and the mean of {SAMPLES} samples vary, over {REPETITIONS} simulated sets of samples \
         from each distribution. This part measures nothing."
    ));
    let precisions: Vec<(Model, Precision)> =
        MODELS.into_iter().map(|model| (model, precision(model, REPETITIONS, 7))).collect();
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let row = |(model, found): &(Model, Precision)| {
        vec![
            name(*model),
            percent(found.min),
            percent(found.median),
            percent(found.mean),
            best(found).to_owned(),
        ]
    };
    document.table(
        &["distribution", "minimum", "median", "mean", "most precise"],
        precisions.iter().map(row).collect(),
    );
    let of = |plain: bool| precisions.iter().filter(move |(model, _)| (model.shift == 0.0) == plain);
    let wins = |plain: bool| of(plain).filter(|(_, found)| best(found) == "minimum").count();
    document.claim(Claim {
        says: "For log-normal samples the minimum is more precise than the mean and the median.".to_owned(),
        held: Some(wins(true) == of(true).count()),
        result: format!(
            "it is the most precise for {} of {} plain log-normal distributions, and for {} of {} with a floor (those with a \
             long tail).",
            wins(true),
            of(true).count(),
            wins(false),
            of(false).count()
        ),
    });
}

fn name(model: Model) -> String {
    match model.shift {
        0.0 => format!("LN(0, {})", model.sigma),
        shift => format!("{shift} + {}·LN(0, {})", model.scale, model.sigma),
    }
}

fn best(found: &Precision) -> &'static str {
    if found.min <= found.median.min(found.mean) {
        "minimum"
    } else if found.median <= found.mean {
        "median"
    } else {
        "mean"
    }
}
