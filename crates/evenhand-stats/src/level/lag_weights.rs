//! What becomes of the error of a mean when autocovariances are weighted in another way, or others of them count?
//!
//! SE² = (1/N)·(c_0 + 2·Σ_k w(k/S)·(1 − k/N)·c_k): formula (6) of Kołaczkowski, "Estimating benchmark results uncertainty" (2020), with
//! weights w that fade out at the bandwidth S, as the article proposes. The weights are those that Andrews lists in *Econometrica* 59
//! (1991), equation 2.7:
//!
//! - truncated: 1 below S. With S = ⌈√N⌉ this is the article's function;
//! - Bartlett: 1 − x;
//! - Parzen: 1 − 6x² + 6x³ up to one half, then 2(1 − x)³;
//! - Tukey and Hanning: (1 + cos πx)/2;
//! - quadratic spectral: 25/(12π²x²)·(sin(6πx/5)/(6πx/5) − cos(6πx/5)), which never ends: all lags count.
//!
//! They are here to be compared with; what evenhand uses is chosen in [`super::mean_error`].
//!
//! Tests: tests/lag_weights.rs

use super::autocovariance::Deviations;
use crate::error::{InputError, at_least};
use std::f64::consts::PI;

/// How much an autocovariance counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LagWeights {
    /// All alike, up to the bandwidth.
    Truncated,
    /// In a straight line to 0.
    Bartlett,
    /// Four times folded: smooth at both ends.
    Parzen,
    /// Half a wave of a cosine.
    TukeyHanning,
    /// The one with the smallest error in the long run, by Andrews; it never ends.
    QuadraticSpectral,
}

/// A way to estimate the error of a mean from autocovariances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LagRule {
    /// How much each counts.
    pub weights: LagWeights,
    /// The lag at which the weights come to their end.
    pub bandwidth: usize,
}

impl LagWeights {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Truncated, Self::Bartlett, Self::Parzen, Self::TukeyHanning, Self::QuadraticSpectral];

    /// At a lag that is this part of the bandwidth.
    fn at(self, part: f64) -> f64 {
        match self {
            Self::QuadraticSpectral => {
                let angle = 1.2 * PI * part;
                3.0 / (angle * angle) * (angle.sin() / angle - angle.cos())
            }
            _ if part >= 1.0 => 0.0,
            Self::Truncated => 1.0,
            Self::Bartlett => 1.0 - part,
            Self::Parzen if part <= 0.5 => 1.0 - 6.0 * part.powi(2) + 6.0 * part.powi(3),
            Self::Parzen => 2.0 * (1.0 - part).powi(3),
            Self::TukeyHanning => 0.5 * (1.0 + (PI * part).cos()),
        }
    }
}

impl LagRule {
    /// The lags of a series of this length that count.
    fn end(self, samples: usize) -> usize {
        match self.weights {
            LagWeights::QuadraticSpectral => samples,
            _ => samples.min(self.bandwidth.max(1)),
        }
    }

    /// The long-run variance from autocovariances c_0, c_1 … of a series of this length.
    fn variance(self, lags: &[f64], samples: usize) -> f64 {
        let n = samples as f64;
        let bandwidth = self.bandwidth.max(1) as f64;
        let weighted = |lag: usize| {
            let lag_as_part = lag as f64 / bandwidth;
            self.weights.at(lag_as_part) * (1.0 - lag as f64 / n) * lags[lag]
        };
        let sum: f64 = (1..self.end(samples)).map(weighted).sum();
        // What is left of one deviation that has no partner, as in the other rules.
        (lags[0] + 2.0 * sum).max(lags[0] / n)
    }
}

/// The standard error of the mean by each rule. Needs two samples; of a constant series it is 0.
pub fn weighted_errors(samples: &[f64], rules: &[LagRule]) -> Result<Vec<f64>, InputError> {
    at_least(samples, 2, "samples")?;
    let deviations = Deviations::of(samples)?;
    let n = samples.len();
    let most = rules.iter().map(|rule| rule.end(n)).max().unwrap_or(1);
    let lags = deviations.autocovariances(most - 1);
    let error = |rule: &LagRule| (rule.variance(&lags, n) / n as f64).sqrt() * deviations.unit;
    Ok(rules.iter().map(error).collect())
}
