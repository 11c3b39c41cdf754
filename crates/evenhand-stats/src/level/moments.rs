//! What are mean and spread?
//!
//! Two passes with the correction of Chan, Golub and LeVeque, The American Statistician 37 (1983).
//!
//! The order of the samples is not used: nothing here knows of autocorrelation, so the error of the mean is left
//! to others. Samples are zero or between 1e-140 and 1e140 in size, so that their squares can be held.
//!
//! Tests: tests/moments.rs

use crate::error::{InputError, squarable};

/// Count, mean, spread and extremes of samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    count: u64,
    mean: f64,
    /// Sum of (x − mean)².
    squares: f64,
    min: f64,
    max: f64,
}

impl Moments {
    /// Of at least one sample.
    pub fn of(samples: &[f64]) -> Result<Self, InputError> {
        squarable(samples, "samples")?;
        Ok(Self::two_passes(samples))
    }

    /// As [`Moments::of`], of samples that are known to be fit for it.
    pub(crate) fn two_passes(samples: &[f64]) -> Self {
        let n = samples.len() as f64;
        let first = samples[0];
        let mean = first + samples.iter().map(|x| x - first).sum::<f64>() / n;
        let mut moments = Self { count: samples.len() as u64, mean, squares: 0.0, min: first, max: first };
        let mut left_over = 0.0;
        for x in samples {
            let distance = x - mean;
            left_over += distance;
            moments.squares += distance * distance;
            moments.min = moments.min.min(*x);
            moments.max = moments.max.max(*x);
        }
        moments.recentred(left_over / n)
    }

    /// Moves the centre by the small `shift` that rounding had left between it and the true mean.
    fn recentred(mut self, shift: f64) -> Self {
        let n = self.count as f64;
        self.mean += shift;
        self.squares = (self.squares - n * shift * shift).max(0.0);
        self
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

    fn from(&self, needed: u64, value: f64) -> Option<f64> {
        (self.count >= needed).then_some(value)
    }
}
