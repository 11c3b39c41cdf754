//! How much would the mean wander if the run went on? The answer for samples that remember each other.
//!
//! Three steps (Andrews and Monahan, *Econometrica* 60 (1992), with the cosines of Lazarus et al. 2018):
//!
//! 1. Fit an autoregression x_t = Σ φ_i x_{t−i} + e_t. Its order minimises Hurvich and Tsai's corrected AIC
//!    (*Biometrika* 76 (1989)). The autocovariances are first freed of their known bias, see [`unbiased`].
//! 2. Take the ν lowest squared cosine sums Λ_j² of the data. Each is an estimate of the spectrum at frequency
//!    ω_j = π j/N, where the spectrum may already be lower than at frequency 0.
//! 3. Bring each to frequency 0 by the fitted shape of the spectrum, and average:
//!    V = (1/ν) Σ Λ_j² · |1 − Σ φ_i exp(−i ω_j)|² / (1 − Σ φ_i)².
//!
//! The fit only carries the shape; the power comes from the data, so what the autoregression misses (regimes) is
//! still counted. Long series are folded to means of neighbours first: those have the same long-run variance.
//!
//! Tests: tests/mean_error.rs

use realfft::num_complex::Complex64;

use super::autocovariance::autocovariances_of;
use super::long_run_variance::{LongRunVariance, squared_cosine_sums};

/// Series are folded to fewer than twice this many means.
const FOLDED: usize = 4096;
/// ν = N^0.6 cosine sums. On flat spectra 2/3 is as good; with regimes that the autoregression does not catch, 0.5
/// covers 1 % more and 2/3 covers 1 % less, while 0.5 costs 3 % too much coverage at N = 100 without memory.
const COSINES_EXPONENT: f64 = 0.6;
/// 1 − Σφ is kept above this share of 1/N: a longer memory than the run cannot be told from none at all.
const NEAREST_TO_UNIT_ROOT: f64 = 1.0;
/// An autoregression of a higher order fits a short run by chance, and then claims a memory without end.
const SAMPLES_PER_COEFFICIENT: usize = 10;
/// A reflection coefficient of 1 would be a perfect prediction, which no finite series proves.
const LARGEST_REFLECTION: f64 = 0.999;

/// A fitted autoregression: the shape of the spectrum.
#[derive(Clone)]
pub(crate) struct Autoregression {
    coefficients: Vec<f64>,
    innovation: f64,
    /// 1ᵀ Γ⁻¹ 1 with Γ the autocovariance matrix of the fitted order: how well the data know Σφ.
    knowledge: f64,
    samples: f64,
}

/// ν, how many of the lowest cosine sums of `n` samples count.
pub(crate) fn cosines(n: usize) -> usize {
    ((n as f64).powf(COSINES_EXPONENT) as usize).clamp(1, n - 1)
}

/// Cosine sums, carried to frequency 0 by a fitted autoregression.
pub(crate) fn prewhitened_cosine(deviations: &[f64]) -> LongRunVariance {
    let (folded, fold) = fold(deviations);
    let fit = Autoregression::fit(&folded);
    let n = folded.len();
    let count = cosines(n);
    let carried: f64 = squared_cosine_sums(&folded, count)
        .iter()
        .zip(1..)
        .map(|(square, j)| square * fit.gain_at(std::f64::consts::PI * f64::from(j) / n as f64))
        .sum();
    let variance = carried / count as f64 * fit.gain_to_zero();
    LongRunVariance {
        variance: variance * fold as f64,
        degrees_of_freedom: 1.0 / (1.0 / count as f64 + fit.relative_error()),
    }
}

/// The spectrum of the fitted autoregression at frequency 0, and nothing else.
pub(crate) fn autoregressive(deviations: &[f64]) -> LongRunVariance {
    let (folded, fold) = fold(deviations);
    let fit = Autoregression::fit(&folded);
    LongRunVariance {
        variance: fit.innovation * fit.gain_to_zero() * fold as f64,
        degrees_of_freedom: 1.0 / (1.0 / folded.len() as f64 + fit.relative_error()),
    }
}

/// Means of `fold` neighbours, so few that a fit is cheap and so many that it is good; a short rest is left out.
fn fold(deviations: &[f64]) -> (Vec<f64>, usize) {
    let fold = (deviations.len() / FOLDED).max(1);
    if fold == 1 {
        return (deviations.to_vec(), 1);
    }
    let mut means: Vec<f64> =
        deviations.chunks_exact(fold).map(|chunk| chunk.iter().sum::<f64>() / fold as f64).collect();
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    means.iter_mut().for_each(|m| *m -= mean);
    (means, fold)
}

impl Autoregression {
    fn fit(deviations: &[f64]) -> Self {
        let n = deviations.len();
        let order = ((10.0 * (n as f64).log10()) as usize).min(n / SAMPLES_PER_COEFFICIENT);
        let raw = autocovariances_of(deviations, order);
        let first = Self::best_order(&raw, n);
        let corrected = unbiased(&raw, n, first.innovation * first.gain_to_zero());
        Self::best_order(&corrected, n)
    }

    /// Levinson–Durbin recursion up to the last lag; keeps the order of least corrected AIC.
    fn best_order(lags: &[f64], samples: usize) -> Self {
        let n = samples as f64;
        let mut current = Self { coefficients: Vec::new(), innovation: lags[0], knowledge: 0.0, samples: n };
        let mut best = current.clone();
        let mut least = f64::INFINITY;
        for order in 0..lags.len() {
            if order > 0 && !current.extend(lags) {
                break;
            }
            let parameters = order as f64 + 1.0;
            let criterion =
                n * current.innovation.ln() + 2.0 * parameters * n / (n - parameters - 1.0).max(1.0);
            if criterion < least {
                least = criterion;
                best = current.clone();
            }
        }
        best
    }

    /// One order more; false when the lags ask for a perfect prediction, as corrected lags of a long memory may.
    fn extend(&mut self, lags: &[f64]) -> bool {
        let order = self.coefficients.len() + 1;
        let predicted: f64 =
            self.coefficients.iter().zip(lags[1..order].iter().rev()).map(|(p, c)| p * c).sum();
        let raw = (lags[order] - predicted) / self.innovation;
        if order > 1 && raw.abs() >= LARGEST_REFLECTION {
            return false;
        }
        let reflection = raw.clamp(-LARGEST_REFLECTION, LARGEST_REFLECTION);
        self.knowledge += (1.0 - self.coefficients.iter().sum::<f64>()).powi(2) / self.innovation;
        let mirrored: Vec<f64> = self.coefficients.iter().rev().copied().collect();
        for (coefficient, other) in self.coefficients.iter_mut().zip(mirrored) {
            *coefficient -= reflection * other;
        }
        self.coefficients.push(reflection);
        self.innovation *= 1.0 - reflection * reflection;
        true
    }

    fn gain_at(&self, frequency: f64) -> f64 {
        let step = Complex64::from_polar(1.0, -frequency);
        let sum = self.coefficients.iter().rev().fold(Complex64::ZERO, |sum, p| (sum + p) * step);
        (Complex64::ONE - sum).norm_sqr()
    }

    fn gain_to_zero(&self) -> f64 {
        let distance = 1.0 - self.coefficients.iter().sum::<f64>();
        distance.max(NEAREST_TO_UNIT_ROOT / self.samples).powi(-2)
    }

    /// Half the variance of the logarithm of 1/(1 − Σφ)², by the delta method: the error that the fit adds, in the
    /// unit of 1/(degrees of freedom).
    fn relative_error(&self) -> f64 {
        2.0 * self.innovation * self.gain_to_zero() * self.knowledge / self.samples
    }
}

/// Takes the bias out of autocovariances that were divided by N and taken about the sample mean.
///
/// To first order E c_k = γ_k (1 − k/N) − V/N, and the ratio c_k/c_0 shrinks by another 2/N (Kendall 1954; Marriott
/// and Pope 1954: for one lag, together, −(1 + 4φ)/N). Without this the interval covers 2 to 4 % too little at φ = 0.9, N = 1000.
fn unbiased(lags: &[f64], samples: usize, long_run_variance: f64) -> Vec<f64> {
    let n = samples as f64;
    let lost = long_run_variance.min(lags[0] * n / 4.0) / n;
    let whole =
        |(k, c): (usize, &f64)| (c * n / (n - k as f64) + lost) * if k == 0 { 1.0 } else { 1.0 + 2.0 / n };
    lags.iter().enumerate().map(whole).collect()
}

/// How many independent samples the run is worth if it is an autoregression of order one, N (1 − φ)/(1 + φ), with
/// the bias −(1 + 4φ)/N taken out of φ.
pub(crate) fn independent_samples_of_order_one(deviations: &[f64]) -> f64 {
    let n = deviations.len() as f64;
    let lags = autocovariances_of(deviations, 1);
    let phi = ((n * lags[1] / lags[0] + 1.0) / (n - 4.0).max(1.0)).clamp(0.0, 1.0);
    n * (1.0 - phi) / (1.0 + phi)
}
