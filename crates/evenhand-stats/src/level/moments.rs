//! What are mean, spread, skewness and kurtosis, without keeping the samples?
//!
//! Central moments that take one sample at a time and can be merged. One sample: Welford, Technometrics 4 (1962).
//! Merging: Chan, Golub and LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample Variances"
//! (1979), `M2 = M2a + M2b + δ²·na·nb/n`; third and fourth moments: Pébay, SAND2008-6212. All samples at once: two
//! passes with the correction of Chan, Golub and LeVeque, The American Statistician 37 (1983).
//!
//! The order of the samples is not used: nothing here knows of autocorrelation, so the error of the mean is left
//! to others. Samples are zero or between 1e-140 and 1e140 in size, so that their squares can be held.
//!
//! Tests: tests/moments.rs

use crate::error::{InputError, squarable};

/// Count, mean and central moments of the samples seen so far.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sums of (x − mean) to the power of 2, 3 and 4.
    squares: f64,
    cubes: f64,
    fourths: f64,
    min: f64,
    max: f64,
}

impl Moments {
    /// Of all samples at once: two passes, the most exact way.
    pub fn of(samples: &[f64]) -> Result<Self, InputError> {
        squarable(samples, "samples")?;
        Ok(Self::two_passes(samples))
    }

    /// As [`Moments::of`], of samples that are known to be fit for it.
    pub(crate) fn two_passes(samples: &[f64]) -> Self {
        let n = samples.len() as f64;
        let first = samples[0];
        let mean = first + samples.iter().map(|x| x - first).sum::<f64>() / n;
        let mut moments =
            Self { count: samples.len() as u64, mean, min: first, max: first, ..Self::default() };
        let mut left_over = 0.0;
        for x in samples {
            let distance = x - mean;
            let square = distance * distance;
            left_over += distance;
            moments.squares += square;
            moments.cubes += square * distance;
            moments.fourths += square * square;
            moments.min = moments.min.min(*x);
            moments.max = moments.max.max(*x);
        }
        moments.recentred(left_over / n)
    }

    /// Moves the centre by the small `shift` that rounding had left between it and the true mean.
    fn recentred(mut self, shift: f64) -> Self {
        let n = self.count as f64;
        self.mean += shift;
        self.fourths -= 4.0 * shift * self.cubes - 6.0 * shift * shift * self.squares;
        self.cubes -= 3.0 * shift * self.squares;
        self.squares = (self.squares - n * shift * shift).max(0.0);
        self
    }

    /// Takes one more sample.
    pub fn push(&mut self, sample: f64) -> Result<(), InputError> {
        squarable(&[sample], "sample")?;
        self.merge(&Self { count: 1, mean: sample, min: sample, max: sample, ..Self::default() });
        Ok(())
    }

    /// Takes all samples that `other` has seen.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        *self = self.joined(other);
    }

    /// Pébay's formulae for two parts, neither of them empty.
    fn joined(&self, other: &Self) -> Self {
        let (a, b) = (self.count as f64, other.count as f64);
        let n = a + b;
        let (share_a, share_b) = (a / n, b / n);
        let delta = other.mean - self.mean;
        let square = delta * delta * share_a * b;
        Self {
            count: self.count + other.count,
            mean: self.mean + delta * share_b,
            squares: self.squares + other.squares + square,
            cubes: self.cubes
                + other.cubes
                + square * delta * (share_a - share_b)
                + 3.0 * delta * (share_a * other.squares - share_b * self.squares),
            fourths: self.fourths
                + other.fourths
                + square * delta * delta * (share_a * share_a - share_a * share_b + share_b * share_b)
                + 6.0
                    * delta
                    * delta
                    * (share_a * share_a * other.squares + share_b * share_b * self.squares)
                + 4.0 * delta * (share_a * other.cubes - share_b * self.cubes),
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// How many samples were seen.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The arithmetic mean, from one sample on.
    pub fn mean(&self) -> Option<f64> {
        self.from(1, self.mean_of_some())
    }

    /// The mean where at least one sample is known to have been seen. Rounding may not carry it past the extremes.
    pub(crate) fn mean_of_some(&self) -> f64 {
        self.mean.clamp(self.min, self.max)
    }

    /// The smallest sample.
    pub fn min(&self) -> Option<f64> {
        self.from(1, self.min)
    }

    /// The largest sample.
    pub fn max(&self) -> Option<f64> {
        self.from(1, self.max)
    }

    /// The variance with divisor n − 1, from two samples on.
    pub fn variance(&self) -> Option<f64> {
        self.from(2, self.squares / (self.count as f64 - 1.0))
    }

    /// The standard deviation with divisor n − 1, from two samples on.
    pub fn sd(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// The variance with divisor n, from one sample on.
    pub fn population_variance(&self) -> Option<f64> {
        self.from(1, self.squares / self.count as f64)
    }

    /// The standard deviation with divisor n, from one sample on.
    pub fn population_sd(&self) -> Option<f64> {
        self.population_variance().map(f64::sqrt)
    }

    /// The third standardised moment `√n·M3/M2^1.5`: 0 for symmetric samples, 2 for exponential ones. `None` when
    /// all samples are alike, or so large or small that their third powers cannot be held.
    pub fn skewness(&self) -> Option<f64> {
        let n = self.count as f64;
        divided(n.sqrt() * self.cubes, self.squares.powf(1.5))
    }

    /// The fourth standardised moment `n·M4/M2²` less 3, so that it is 0 for normal samples. `None` as for
    /// [`Moments::skewness`].
    pub fn excess_kurtosis(&self) -> Option<f64> {
        let n = self.count as f64;
        divided(n * self.fourths, self.squares * self.squares).map(|kurtosis| kurtosis - 3.0)
    }

    fn from(&self, needed: u64, value: f64) -> Option<f64> {
        (self.count >= needed).then_some(value)
    }
}

/// Powers outside this range have lost digits to overflow or underflow.
const HELD: std::ops::RangeInclusive<f64> = 1e-280..=1e280;

fn divided(power: f64, scale: f64) -> Option<f64> {
    (HELD.contains(&scale) && power.is_finite()).then(|| power / scale)
}
