//! Are the times normally distributed, and if not, would log-normal do better?
//!
//! Both distributions are fitted by their mean and standard deviation (of the times, of the logs of the times) and
//! judged twice:
//!
//! - maximised log-likelihood: `−n/2·(ln 2πσ² + 1)`, less `Σ ln x` for the log-normal. Both have two parameters, so
//!   the larger one fits better;
//! - Anderson–Darling for estimated mean and variance (case 3 of Stephens, in D'Agostino and Stephens,
//!   "Goodness-of-Fit Techniques", 1986, tables 4.7 and 4.9): `A² = −n − Σ (2i−1)·[ln Φ(zᵢ) + ln(1 − Φ(zₙ₊₁₋ᵢ))]/n`,
//!   adjusted `A²·(1 + 0.75/n + 2.25/n²)`, and its p-value.
//!
//! The p-value assumes independent samples. Timings in a row are not, and of a million samples even a
//! microscopic departure is "significant": read it as a description, next to the sigma distance.
//!
//! Tests: tests/distribution.rs

use statrs::function::erf::erfc;

use super::moments::Moments;
use super::quantile::Sorted;
use super::summary::SigmaDistances;
use crate::error::{InputError, Rule, at_least, positive, squarable};

/// A family of distributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The times are normal.
    Normal,
    /// The logarithms of the times are normal.
    LogNormal,
}

/// One family, fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Mean of the times, or of their natural logarithms.
    pub location: f64,
    /// Standard deviation of the same, divisor n − 1.
    pub scale: f64,
    /// The largest log-likelihood that this family reaches.
    pub log_likelihood: f64,
    /// The Anderson–Darling statistic, adjusted for n.
    pub anderson_darling: f64,
    /// Its p-value for independent samples: small speaks against the family.
    pub p_value: f64,
}

/// Both families fitted to the same samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fits {
    /// The normal fit.
    pub normal: Fit,
    /// The log-normal fit.
    pub log_normal: Fit,
    /// How far the extremes lie from the mean.
    pub sigmas: SigmaDistances,
}

/// The adjustment and the p-value of Anderson–Darling are tabulated from here on.
const FEWEST: usize = 8;

/// A family is called refuted when its p-value is below this.
const REFUTED: f64 = 0.01;

impl Fits {
    /// Fits both families to positive samples, at least 8 of them and not all alike.
    pub fn of(sorted: &Sorted) -> Result<Self, InputError> {
        let samples = sorted.as_slice();
        at_least(samples, FEWEST, "samples")?;
        positive(samples, "samples")?;
        squarable(samples, "samples")?;
        let moments = Moments::two_passes(samples);
        let constant = InputError::new(Rule::NotConstant, "samples");
        let sigmas = SigmaDistances::of(&moments).ok_or(constant)?;
        let median = sorted.median();
        let logs: Vec<f64> = samples.iter().map(|x| log_ratio(*x, median)).collect();
        Ok(Self {
            normal: Fit::normal(samples).ok_or(constant)?,
            log_normal: Fit::normal(&logs).ok_or(constant)?.of_logs(median.ln(), samples.len()),
            sigmas,
        })
    }

    /// The family with the larger likelihood.
    pub fn better(&self) -> Family {
        if self.log_normal.log_likelihood > self.normal.log_likelihood {
            Family::LogNormal
        } else {
            Family::Normal
        }
    }
}

impl Fit {
    /// Whether the samples speak against the family.
    pub fn is_refuted(&self) -> bool {
        self.p_value < REFUTED
    }

    /// Fits a normal to ascending values; `None` when they are all alike.
    fn normal(ascending: &[f64]) -> Option<Self> {
        let n = ascending.len() as f64;
        let moments = Moments::two_passes(ascending);
        let (location, scale) = (moments.mean()?, moments.sd()?);
        let variance = moments.population_variance().filter(|variance| *variance > 0.0)?;
        let anderson_darling = anderson_darling(ascending, location, scale);
        Some(Self {
            location,
            scale,
            log_likelihood: -n / 2.0 * ((std::f64::consts::TAU * variance).ln() + 1.0),
            anderson_darling,
            p_value: anderson_darling_p_value(anderson_darling),
        })
    }

    /// Turns the fit of `ln(x/unit)` into the fit of x: the density of x has a factor 1/x, hence `Σ ln x`.
    fn of_logs(mut self, log_unit: f64, n: usize) -> Self {
        self.location += log_unit;
        self.log_likelihood -= n as f64 * self.location;
        self
    }
}

/// `ln(x/unit)`, exact to the last digits also where the two are nearly equal.
fn log_ratio(x: f64, unit: f64) -> f64 {
    let excess = (x - unit) / unit;
    if excess.abs() < 0.5 { excess.ln_1p() } else { (x / unit).ln() }
}

/// The adjusted statistic. Each value enters twice, as the i-th from below and as the i-th from above.
fn anderson_darling(ascending: &[f64], mean: f64, sd: f64) -> f64 {
    let n = ascending.len() as f64;
    let sum: f64 = ascending
        .iter()
        .enumerate()
        .map(|(index, x)| {
            let (log_below, log_above) = log_tails((x - mean) / sd);
            let twice = 2.0 * index as f64;
            (twice + 1.0) * log_below + (2.0 * n - 1.0 - twice) * log_above
        })
        .sum();
    // Rounding of a sum near n can leave a perfect fit below zero.
    (-n - sum / n).max(0.0) * (1.0 + 0.75 / n + 2.25 / (n * n))
}

/// `ln Φ(z)` and `ln(1 − Φ(z))`.
fn log_tails(z: f64) -> (f64, f64) {
    let (log_small, log_large) = log_small_tail(z.abs());
    if z < 0.0 { (log_small, log_large) } else { (log_large, log_small) }
}

/// Beyond this distance the tail nears the smallest double and its asymptotic series is exact to 1e-9.
const FAR: f64 = 30.0;

/// The logs of the tail beyond `z ≥ 0` and of the rest.
fn log_small_tail(z: f64) -> (f64, f64) {
    if z > FAR {
        let series = (-1.0 / (z * z)).ln_1p();
        return (-z * z / 2.0 - (z * std::f64::consts::TAU.sqrt()).ln() + series, 0.0);
    }
    let tail = erfc(z * std::f64::consts::FRAC_1_SQRT_2) / 2.0;
    (tail.ln(), (-tail).ln_1p())
}

/// The formulas of table 4.9 turn upwards again beyond their range; from here on the p-value is as good as zero.
const BEYOND_TABLE: f64 = 10.0;
const LEAST_P: f64 = 3.7e-24;

/// The p-value of an adjusted Anderson–Darling statistic (mean and variance estimated; table 4.9). Statistics of
/// 10 and more all get the table's last value, 3.7e-24.
pub fn anderson_darling_p_value(adjusted: f64) -> f64 {
    let a = adjusted;
    let p = match a {
        _ if a >= BEYOND_TABLE => LEAST_P,
        _ if a >= 0.6 => (1.2937 - 5.709 * a + 0.0186 * a * a).exp(),
        _ if a >= 0.34 => (0.9177 - 4.279 * a - 1.38 * a * a).exp(),
        _ if a >= 0.2 => 1.0 - (-8.318 + 42.796 * a - 59.938 * a * a).exp(),
        _ => 1.0 - (-13.436 + 101.14 * a - 223.73 * a * a).exp(),
    };
    p.clamp(0.0, 1.0)
}
