//! Does it help to read a thermometer more often? A temperature that changes slowly, over the same time, read ever more often. Readings
//! that follow each other closely say the same, so their mean hardly becomes better, but s/√n becomes smaller and smaller.
//!
//! The temperature is a sum of what remains of all earlier disturbances: T(t+1) = φ·T(t) + ε. Everything is drawn from a seed.
//!
//! Tests: `tests/uncertainty.rs`.

use crate::document::Document;
use crate::draws::Normal;
use evenhand_stats::level::mean_error::{MeanErrorRule, mean_error};
use evenhand_stats::level::moments::Moments;

/// Minutes of a day, as it were.
const STEPS: usize = 1440;
/// What remains of the temperature's deviation after a step.
const REMAINS: f64 = 0.99;
const DAYS: usize = 400;

/// What is known of the day's mean from readings so many steps apart.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// Steps between two readings.
    pub apart: usize,
    /// Readings of a day.
    pub readings: usize,
    /// How far the mean of the readings lies from the long-run mean: standard deviation over many days.
    pub true_error: f64,
    /// s/√n, on average over the days.
    pub naive: f64,
    /// The error that knows of the memory, on average.
    pub corrected: f64,
}

/// All days, read this far apart.
pub fn read(apart: usize, seed: u64) -> Reading {
    let mut draws = Normal::new(seed);
    let (mut means, mut naive, mut corrected) = (Vec::new(), 0.0, 0.0);
    for _ in 0..DAYS {
        let day: Vec<f64> = day(&mut draws).into_iter().step_by(apart).collect();
        let error = |rule| mean_error(&day, rule).map_or(0.0, |error| error.standard_error);
        means.push(day.iter().sum::<f64>() / day.len() as f64);
        naive += error(MeanErrorRule::Naive) / DAYS as f64;
        corrected += error(MeanErrorRule::default()) / DAYS as f64;
    }
    let true_error = Moments::of(&means).ok().and_then(|moments| moments.sd()).unwrap_or(f64::NAN);
    Reading { apart, readings: STEPS.div_ceil(apart), true_error, naive, corrected }
}

/// A day's temperatures, their long-run standard deviation being one.
fn day(draws: &mut Normal) -> Vec<f64> {
    let disturbance = (1.0 - REMAINS * REMAINS).sqrt();
    let mut temperature = draws.draw();
    let mut step = || {
        temperature = REMAINS * temperature + disturbance * draws.draw();
        temperature
    };
    (0..STEPS).map(|_| step()).collect()
}

pub(super) fn write(document: &mut Document) {
    document.heading("The thermometer");
    document.text(format!(
        "A temperature that changes slowly (each minute it keeps {:.0} % of its deviation) is read over a day, on {DAYS} \
         simulated days, more and more often. This part measures nothing.",
        100.0 * REMAINS
    ));
    let row = |reading: Reading| {
        vec![
            reading.readings.to_string(),
            format!("{:.3}", reading.true_error),
            format!("{:.3}", reading.naive),
            format!("{:.3}", reading.corrected),
        ]
    };
    let headings = ["readings a day", "error of the mean", "by s/√n", "by evenhand's"];
    document.table(&headings, [144, 48, 12, 4, 1].map(|apart| row(read(apart, 11))).to_vec());
}
