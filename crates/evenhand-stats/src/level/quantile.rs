//! Below which value does a given share of the samples lie?
//!
//! Two families of answers on one sorted copy of the samples:
//!
//! - The nine sample quantiles of Hyndman and Fan ("Sample Quantiles in Statistical Packages", The American
//!   Statistician 50, 1996). Types 1 to 3 pick an order statistic (or the middle of two) at `n·p`; types 4 to 9
//!   interpolate at the position `h = α + p·(n + 1 − α − β)`, counted from 1. Type 7 (`h = 1 + p·(n − 1)`) is the
//!   default here as in R, NumPy, Excel and BenchmarkDotNet.
//! - Harrell and Davis ("A new distribution-free quantile estimator", Biometrika 69, 1982): the mean of all order
//!   statistics, weighted by the Beta(p·(n+1), (1−p)·(n+1)) probability of each `((i−1)/n, i/n]`. It is smoother
//!   and less variable in the middle, and mixes neighbours into the tails.
//!
//! Any finite values will do, 1e308 and negative ones included. How sure a quantile is: see
//! [`quantile_interval`](super::quantile_interval).
//!
//! Tests: tests/quantile.rs

use statrs::function::beta::beta_reg;

use crate::error::{InputError, finite, in_range};
use crate::order::{ascending, at_position, interpolate};

/// Which of the nine definitions of Hyndman and Fan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QuantileType {
    /// The smallest value with at least a share `p` of the samples at or below it.
    Type1,
    /// As type 1, with the middle of two neighbours where `n·p` is whole.
    Type2,
    /// The order statistic nearest to `n·p`, an even rank when two are equally near (SAS).
    Type3,
    /// Interpolates at `n·p`.
    Type4,
    /// Interpolates at `n·p + 1/2` (hydrologists).
    Type5,
    /// Interpolates at `(n + 1)·p` (Minitab, SPSS).
    Type6,
    /// Interpolates at `1 + (n − 1)·p` (R, NumPy, Excel, BenchmarkDotNet).
    #[default]
    Type7,
    /// Interpolates at `1/3 + (n + 1/3)·p`: nearly unbiased for the median of each order statistic.
    Type8,
    /// Interpolates at `3/8 + (n + 1/4)·p`: nearly unbiased for normal samples.
    Type9,
}

/// Samples in ascending order: sorted once, asked many times. Never empty, always finite.
#[derive(Debug, Clone, PartialEq)]
pub struct Sorted(Vec<f64>);

impl Sorted {
    /// Sorts a copy of the samples, which must be finite and at least one.
    pub fn new(samples: &[f64]) -> Result<Self, InputError> {
        finite(samples, "samples")?;
        Ok(Self(ascending(samples)))
    }

    /// Takes values that are known to be finite, ascending and at least one.
    pub(crate) fn from_ascending(values: Vec<f64>) -> Self {
        debug_assert!(!values.is_empty() && values.is_sorted());
        Self(values)
    }

    /// The samples in ascending order.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// How many samples there are, at least one.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The smallest sample.
    pub fn min(&self) -> f64 {
        self.0[0]
    }

    /// The largest sample.
    pub fn max(&self) -> f64 {
        self.0[self.0.len() - 1]
    }

    /// The middle sample, or the middle between the two middle ones.
    pub fn median(&self) -> f64 {
        self.between(self.position_of(0.5, 1.0, 1.0))
    }

    /// The value that a share `p` (0 to 1) of the samples stays below, by one of the nine definitions.
    pub fn quantile(&self, p: f64, definition: QuantileType) -> Result<f64, InputError> {
        in_range(p, 0.0, 1.0, "p")?;
        Ok(match definition {
            QuantileType::Type1 => self.at_rank(self.share(p).ceil()),
            QuantileType::Type2 => self.middle_of_step(p),
            QuantileType::Type3 => self.at_rank(self.share(p).round_ties_even()),
            QuantileType::Type4 => self.between(self.position_of(p, 0.0, 1.0)),
            QuantileType::Type5 => self.between(self.position_of(p, 0.5, 0.5)),
            QuantileType::Type6 => self.between(self.position_of(p, 0.0, 0.0)),
            QuantileType::Type7 => self.between(self.position_of(p, 1.0, 1.0)),
            QuantileType::Type8 => self.between(self.position_of(p, 1.0 / 3.0, 1.0 / 3.0)),
            QuantileType::Type9 => self.between(self.position_of(p, 0.375, 0.375)),
        })
    }

    /// The percentile `percent` (0 to 100) by type 7: what "P95" means everywhere in evenhand.
    pub fn percentile(&self, percent: f64) -> Result<f64, InputError> {
        in_range(percent, 0.0, 100.0, "percent")?;
        self.quantile(percent / 100.0, QuantileType::Type7)
    }

    /// The Harrell–Davis estimate of the quantile `p` (0 to 1); 0 and 1 are the minimum and the maximum.
    pub fn harrell_davis(&self, p: f64) -> Result<f64, InputError> {
        in_range(p, 0.0, 1.0, "p")?;
        let beta = BetaCells::new(self.count(), p);
        if beta.a < NO_WIDTH {
            return Ok(self.min());
        }
        if beta.b < NO_WIDTH {
            return Ok(self.max());
        }
        Ok(beta.weighted_mean(&self.0).clamp(self.min(), self.max()))
    }

    /// `n·p`, whole where only rounding keeps it from being whole.
    fn share(&self, p: f64) -> f64 {
        settled(self.count() as f64 * p)
    }

    /// `h = α + p·(n + 1 − α − β)`, counted from 1.
    fn position_of(&self, p: f64, alpha: f64, beta: f64) -> f64 {
        settled(alpha + p * (self.count() as f64 + 1.0 - alpha - beta))
    }

    fn at_rank(&self, rank: f64) -> f64 {
        let last = self.count() as f64;
        self.0[rank.clamp(1.0, last) as usize - 1]
    }

    fn middle_of_step(&self, p: f64) -> f64 {
        let share = self.share(p);
        interpolate(self.at_rank(share.ceil()), self.at_rank(share.floor() + 1.0), 0.5)
    }

    fn between(&self, position: f64) -> f64 {
        at_position(&self.0, position - 1.0)
    }
}

/// Takes the nearest whole number where only the rounding of a product separates it from the position: 0.07·100
/// is 7.000000000000001 in doubles, and types 1 to 3 would jump to the next sample (R's `quantile` does likewise).
fn settled(position: f64) -> f64 {
    let whole = position.round();
    let rounding = 4.0 * f64::EPSILON * position.abs().max(1.0);
    if (position - whole).abs() <= rounding { whole } else { position }
}

/// Below this parameter the Beta distribution sits at its end to the last digit.
const NO_WIDTH: f64 = 1e-12;

/// From this parameter on the density is so flat within one cell that three points integrate it to 1e-11. Below
/// it the distribution function is used. The library's stops after 140 terms, too soon for large parameters: at
/// the centre of Beta(a, a) it was measured off by 1e-10 at a = 10⁴, 3e-7 at 10⁵ and 1e-3 at 5·10⁵.
const FLAT: f64 = 100.0;

/// Beta(p·(n+1), (1−p)·(n+1)) cut into the n cells ((i−1)/n, i/n].
struct BetaCells {
    cells: usize,
    p: f64,
    a: f64,
    b: f64,
}

impl BetaCells {
    fn new(cells: usize, p: f64) -> Self {
        let n = cells as f64;
        Self { cells, p, a: p * (n + 1.0), b: (1.0 - p) * (n + 1.0) }
    }

    /// The mean of the values, one per cell, weighted by the probability of the cells.
    fn weighted_mean(&self, values: &[f64]) -> f64 {
        let bulk = self.bulk();
        let weights =
            if self.a.min(self.b) < FLAT { self.by_distribution(&bulk) } else { self.by_density(&bulk) };
        let total: f64 = weights.iter().sum();
        values[bulk].iter().zip(&weights).map(|(value, weight)| value * (weight / total)).sum()
    }

    /// The cells that hold all but 1e-17 of the probability: nine standard deviations, and 45 cells for the
    /// exponential tail of a small parameter.
    fn bulk(&self) -> std::ops::Range<usize> {
        let n = self.cells as f64;
        let reach = 9.0 * (n * self.p * (1.0 - self.p)).sqrt() + 45.0;
        let first = (n * self.p - reach).max(0.0) as usize;
        let end = (n * self.p + reach).ceil() as usize;
        first..end.min(self.cells)
    }

    fn by_distribution(&self, bulk: &std::ops::Range<usize>) -> Vec<f64> {
        let below = |edge: usize| beta_reg(self.a, self.b, edge as f64 / self.cells as f64);
        let mut left = below(bulk.start);
        bulk.clone()
            .map(|cell| {
                let right = below(cell + 1);
                (right - std::mem::replace(&mut left, right)).max(0.0)
            })
            .collect()
    }

    /// Gauss–Legendre with three points in each cell, up to a factor that the total removes.
    fn by_density(&self, bulk: &std::ops::Range<usize>) -> Vec<f64> {
        let n = self.cells as f64;
        let log_density = |x: f64| (self.a - 1.0) * x.ln() + (self.b - 1.0) * (-x).ln_1p();
        let peak = log_density((self.a - 1.0) / (self.a + self.b - 2.0));
        let density = |place: f64| (log_density(place / n) - peak).exp();
        let offset = 0.6_f64.sqrt() / 2.0;
        bulk.clone()
            .map(|cell| {
                let middle = cell as f64 + 0.5;
                5.0 * density(middle - offset) + 8.0 * density(middle) + 5.0 * density(middle + offset)
            })
            .collect()
    }
}
