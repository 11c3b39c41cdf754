//! How much does each sample remember of the ones before it?
//!
//! The autocovariance at lag k is c_k = (1/N) · Σ (x_i − x̄)(x_{i+k} − x̄), summed over the N − k pairs and divided
//! by N, not by N − k (Kolaczkowski, "Estimating benchmark results uncertainty", formula (6); Box and Jenkins,
//! *Time Series Analysis*, section 2.1.6). The autocorrelation is r_k = c_k / c_0, as NIST StRD certifies it.
//!
//! A few lags are summed directly. Many are found by correlating overlapping blocks through a real Fourier
//! transform, which costs O(N log K) for K lags and never needs a transform as long as the series.
//!
//! What the lags say about the error of the mean is left to [`super::mean_error`].
//!
//! Tests: tests/autocovariance.rs

use realfft::RealFftPlanner;
use realfft::num_complex::Complex64;

use crate::error::{InputError, Rule, at_least, squarable};

/// Up to this many lags the direct sum is faster than the transform (measured at N from 10^3 to 10^6).
const DIRECT_LAGS: usize = 12;

/// Autocovariances of lags 0 to `max_lag`, each divided by N. Lags of N and more are 0: no pair is that far apart.
///
/// Deviations so small that their squares vanish in a double (below about 1e-160) answer 0.
pub fn autocovariances(samples: &[f64], max_lag: usize) -> Result<Vec<f64>, InputError> {
    let deviations = Deviations::of(samples)?;
    let mut lags = deviations.autocovariances(max_lag);
    for lag in &mut lags {
        *lag *= deviations.unit * deviations.unit;
    }
    Ok(lags)
}

/// Autocorrelations of lags 0 to `max_lag`; the first is 1. A constant series has none: [`Rule::NotConstant`].
pub fn autocorrelations(samples: &[f64], max_lag: usize) -> Result<Vec<f64>, InputError> {
    at_least(samples, 2, "samples")?;
    let deviations = Deviations::of(samples)?;
    if deviations.constant() {
        return Err(InputError::new(Rule::NotConstant, "samples"));
    }
    let mut lags = deviations.autocovariances(max_lag);
    let variance = lags[0];
    for lag in &mut lags {
        *lag = (*lag / variance).clamp(-1.0, 1.0);
    }
    Ok(lags)
}

/// The autocorrelation of neighbours, r_1.
pub fn lag1_autocorrelation(samples: &[f64]) -> Result<f64, InputError> {
    Ok(autocorrelations(samples, 1)?[1])
}

/// A series with its mean taken off, in units of its largest deviation so that no square can overflow or vanish.
pub(crate) struct Deviations {
    pub(crate) mean: f64,
    /// The largest deviation, 0 for a constant series (then the deviations are 0 too).
    pub(crate) unit: f64,
    /// (x_i − mean) / unit, between −1 and 1.
    pub(crate) values: Vec<f64>,
}

impl Deviations {
    /// The mean is taken over distances from the first sample: 10000000.1 minus its neighbour is exact, a sum of
    /// a thousand of them is not (NIST NumAcc4).
    pub(crate) fn of(samples: &[f64]) -> Result<Self, InputError> {
        squarable(samples, "samples")?;
        let origin = samples[0];
        let mut values: Vec<f64> = samples.iter().map(|x| x - origin).collect();
        let offset = values.iter().sum::<f64>() / values.len() as f64;
        if values.iter().all(|v| *v == 0.0) {
            return Ok(Self { mean: origin, unit: 0.0, values });
        }
        let mut unit: f64 = 0.0;
        for value in &mut values {
            *value -= offset;
            unit = unit.max(value.abs());
        }
        for value in &mut values {
            *value /= unit;
        }
        Ok(Self { mean: origin + offset, unit, values })
    }

    pub(crate) fn constant(&self) -> bool {
        self.unit == 0.0
    }

    /// Autocovariances in units of `unit` squared.
    pub(crate) fn autocovariances(&self, max_lag: usize) -> Vec<f64> {
        autocovariances_of(&self.values, max_lag)
    }
}

/// Autocovariances of a series that already has mean 0.
pub(crate) fn autocovariances_of(centred: &[f64], max_lag: usize) -> Vec<f64> {
    let reachable = max_lag.min(centred.len() - 1);
    let mut sums = if reachable <= DIRECT_LAGS {
        direct_sums(centred, reachable)
    } else {
        transformed_sums(centred, reachable)
    };
    for sum in &mut sums {
        *sum /= centred.len() as f64;
    }
    sums.resize(max_lag + 1, 0.0);
    sums
}

fn direct_sums(centred: &[f64], max_lag: usize) -> Vec<f64> {
    (0..=max_lag).map(|lag| centred.iter().zip(&centred[lag..]).map(|(a, b)| a * b).sum()).collect()
}

/// Correlates each block with itself and the `max_lag` values after it. The block is padded with zeros to the length
/// of that stretch, so that the circular correlation does not wrap round for the lags wanted.
fn transformed_sums(centred: &[f64], max_lag: usize) -> Vec<f64> {
    let length = (8 * max_lag).min(centred.len() + max_lag).next_power_of_two();
    let block = length - max_lag;
    let mut planner = RealFftPlanner::<f64>::new();
    let forward = planner.plan_fft_forward(length);
    let backward = planner.plan_fft_inverse(length);
    let mut scratch = forward.make_scratch_vec();
    let mut padded = forward.make_input_vec();
    let mut own = forward.make_output_vec();
    let mut ahead = forward.make_output_vec();
    let mut spectrum = vec![Complex64::ZERO; own.len()];
    for start in (0..centred.len()).step_by(block) {
        for (reach, transformed) in [(block, &mut own), (length, &mut ahead)] {
            let stretch = &centred[start..centred.len().min(start + reach)];
            padded[..stretch.len()].copy_from_slice(stretch);
            padded[stretch.len()..].fill(0.0);
            // The lengths come from the plan itself, so neither transform can refuse them.
            let _ = forward.process_with_scratch(&mut padded, transformed, &mut scratch);
        }
        for ((sum, a), b) in spectrum.iter_mut().zip(&own).zip(&ahead) {
            *sum += a.conj() * b;
        }
    }
    // A real series has real ends of its spectrum; rounding must not make the inverse transform complain.
    spectrum[0].im = 0.0;
    spectrum[length / 2].im = 0.0;
    let _ = backward.process(&mut spectrum, &mut padded);
    padded.truncate(max_lag + 1);
    padded.into_iter().map(|sum| sum / length as f64).collect()
}
