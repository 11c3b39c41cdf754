//! How much would the mean wander if the run went on, according to the published rules?
//!
//! The long-run variance is V = Σ c_k over all lags k, from −∞ to ∞; the standard error of a mean of N samples is
//! sqrt(V/N). It equals the plain variance only when samples do not remember each other. Each function here is one
//! published estimator of V, kept as a rival and a reference; the default is in [`super::prewhitening`].
//!
//! - Kolaczkowski, "Estimating benchmark results uncertainty" (2020-12-22), formula (6);
//! - Newey and West (1987) with the automatic bandwidth of Andrews, *Econometrica* 59 (1991), equations 6.2 and 6.4;
//! - equal-weighted cosines: Lazarus, Lewis, Stock and Watson, *JBES* 36 (2018), equations 4 and 10 (ν = 0.4 N^(2/3));
//! - overlapping batch means: Meketon and Schmeiser, *Winter Simulation Conference* (1984);
//! - latte's hierarchical batch means (its TimeSeriesStats since 2024-08).
//!
//! All take deviations from the mean, at least two and not all 0.
//!
//! Tests: tests/mean_error.rs

use std::f64::consts::{PI, SQRT_2};

use realfft::RealFftPlanner;
use realfft::num_complex::Complex64;

use super::autocovariance::autocovariances_of;

/// An estimate of the long-run variance and how many independent squares it is worth.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LongRunVariance {
    pub(crate) variance: f64,
    /// For Student's t; infinite where the rule uses the normal distribution.
    pub(crate) degrees_of_freedom: f64,
}

/// The variance with n − 1, as if samples did not remember each other.
pub(crate) fn independent(deviations: &[f64]) -> LongRunVariance {
    let degrees_of_freedom = deviations.len() as f64 - 1.0;
    let variance = deviations.iter().map(|d| d * d).sum::<f64>() / degrees_of_freedom;
    LongRunVariance { variance, degrees_of_freedom }
}

/// The article's function: lags below ⌈√N⌉, each weighted 1 − k/N.
///
/// The article answers 0 when the lags cancel the variance (alternating values). Here at least variance/N is left:
/// even when all else cancels, the sum still holds one deviation that has no partner.
pub(crate) fn kolaczkowski(deviations: &[f64]) -> LongRunVariance {
    let n = deviations.len();
    let end = n.min((n as f64).sqrt().ceil() as usize);
    let lags = autocovariances_of(deviations, end - 1);
    let weighted: f64 = (1..end).map(|k| (1.0 - k as f64 / n as f64) * lags[k]).sum();
    let variance = (lags[0] + 2.0 * weighted).max(lags[0] / n as f64);
    LongRunVariance { variance, degrees_of_freedom: f64::INFINITY }
}

/// Bartlett weights 1 − k/S with S = 1.1447 (α N)^(1/3), α from the lag-1 autocorrelation, which Andrews caps at 0.97.
///
/// 1.5 N/S degrees of freedom belong to these weights (the integral of the squared Bartlett kernel is 2/3).
pub(crate) fn newey_west_andrews(deviations: &[f64]) -> LongRunVariance {
    let n = deviations.len() as f64;
    let pair = autocovariances_of(deviations, 1);
    let rho = (pair[1] / pair[0]).clamp(-0.97, 0.97);
    let alpha = 4.0 * rho * rho / ((1.0 - rho) * (1.0 + rho)).powi(2);
    let bandwidth = (1.1447 * (alpha * n).cbrt()).clamp(1.0, n);
    let lags = autocovariances_of(deviations, bandwidth.floor() as usize);
    let weighted: f64 =
        lags.iter().enumerate().skip(1).map(|(k, c)| (1.0 - k as f64 / bandwidth).max(0.0) * c).sum();
    LongRunVariance {
        variance: (lags[0] + 2.0 * weighted).max(lags[0] / n),
        degrees_of_freedom: (1.5 * n / bandwidth).min(n - 1.0),
    }
}

/// The mean of the ν lowest squared cosine sums; each is worth one degree of freedom.
pub(crate) fn equal_weighted_cosine(deviations: &[f64]) -> LongRunVariance {
    let n = deviations.len();
    let count = ((0.4 * (n as f64).powf(2.0 / 3.0)) as usize).clamp(1, n - 1);
    let squares = squared_cosine_sums(deviations, count);
    let variance = squares.iter().sum::<f64>() / count as f64;
    LongRunVariance { variance, degrees_of_freedom: count as f64 }
}

/// Λ_j² for j = 1 … `count`, where Λ_j = √(2/N) Σ x_t cos(π j (t − ½)/N): each estimates the spectrum at frequency
/// π j/N, and near frequency 0 that is the long-run variance.
///
/// The cosine sums of a series are the Fourier transform of the series followed by its mirror image.
pub(crate) fn squared_cosine_sums(deviations: &[f64], count: usize) -> Vec<f64> {
    let n = deviations.len();
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(2 * n);
    let mut mirrored: Vec<f64> = deviations.iter().chain(deviations.iter().rev()).copied().collect();
    let mut spectrum = transform.make_output_vec();
    // The lengths come from the plan itself, so the transform cannot refuse them.
    let _ = transform.process(&mut mirrored, &mut spectrum);
    let half_step = |j: usize| Complex64::from_polar(1.0, -PI * j as f64 / (2.0 * n as f64));
    let normed = |j: usize| (spectrum[j] * half_step(j)).re / 2.0 * SQRT_2 / (n as f64).sqrt();
    (1..=count).map(|j| normed(j).powi(2)).collect()
}

/// Means of all ⌊√N⌋ neighbours, at every start.
pub(crate) fn overlapping_batch_means(deviations: &[f64]) -> LongRunVariance {
    let n = deviations.len() as f64;
    let batch = (n.sqrt() as usize).clamp(1, deviations.len() / 2);
    let size = batch as f64;
    let mut sum: f64 = deviations[..batch].iter().sum();
    let mut squares = sum * sum;
    for (leaving, entering) in deviations.iter().zip(&deviations[batch..]) {
        sum += entering - leaving;
        squares += sum * sum;
    }
    LongRunVariance {
        variance: n / (size * (n - size) * (n - size + 1.0)) * squares,
        degrees_of_freedom: (1.5 * (n / size - 1.0)).max(1.0),
    }
}

/// Means of 1, 2, 4 … consecutive samples. τ_j = 2^j Var_j / Var_0 grows until a batch outlives the memory; the walk
/// ends where τ_j ≤ 0.2 · 2^j and the longest τ counts. N/τ, rounded down, samples are worth N.
pub(crate) fn hierarchical_batch_means(deviations: &[f64]) -> LongRunVariance {
    let single = independent(deviations).variance;
    let mut means = deviations.to_vec();
    let mut size = 1.0;
    let mut tau: f64 = 1.0;
    while means.len() >= 4 {
        means = means.chunks_exact(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect();
        size *= 2.0;
        let ratio = size * variance_about_own_mean(&means) / single;
        if ratio <= 0.2 * size {
            break;
        }
        tau = tau.max(ratio);
    }
    let effective = (deviations.len() as f64 / tau).floor().max(1.0);
    LongRunVariance {
        variance: single * deviations.len() as f64 / effective,
        degrees_of_freedom: (effective - 1.0).max(1.0),
    }
}

fn variance_about_own_mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / (n - 1.0)
}
