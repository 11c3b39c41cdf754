//! Do the samples lie on a line when drawn against a normal distribution?
//!
//! A quantile plot (Wilk and Gnanadesikan, "Probability plotting methods for the analysis of data", Biometrika 55, 1968) puts the i-th
//! smallest of n samples at the normal quantile of (i − 1/2)/n (Hazen's plotting position). Normal samples lie on a line whose slope is
//! their standard deviation; of log-normal ones the logarithms do. Where the points leave the line is what a single p-value hides.
//!
//! Of many samples not all are drawn: those whose normal quantiles are evenly spaced, both extremes among them.
//!
//! Tests: tests/quantile_plot.rs

use super::quantile::Sorted;
use statrs::distribution::{ContinuousCDF, Normal};

/// More points than this cannot be told apart on a page.
const POINTS: usize = 300;

/// Standard normal quantiles and the samples that stand at them, ascending.
pub fn quantile_plot(sorted: &Sorted) -> Vec<(f64, f64)> {
    let samples = sorted.as_slice();
    let count = samples.len() as f64;
    let normal = Normal::standard();
    let at = |place: usize| (normal.inverse_cdf((place as f64 + 0.5) / count), samples[place]);
    if samples.len() <= POINTS {
        return (0..samples.len()).map(at).collect();
    }
    let (first, _) = at(0);
    let place = |point: usize| {
        let z = first - 2.0 * first * point as f64 / (POINTS - 1) as f64;
        ((normal.cdf(z) * count) as usize).min(samples.len() - 1)
    };
    let mut places: Vec<usize> = (0..POINTS).map(place).collect();
    places.dedup();
    places.into_iter().map(at).collect()
}
