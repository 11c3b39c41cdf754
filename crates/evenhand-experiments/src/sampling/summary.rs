//! What does the article's table say of a series? Its own order statistics, the upper fence, and the set-up that two iteration counts
//! betray.
//!
//! - *Quartiles* of n sorted samples s, counted from 0: Q1 = s[⌊n/4⌋], median = s[⌊n/2⌋], Q3 = s[⌊n/2⌋ + ⌊n/4⌋]. None of the nine usual
//!   definitions gives these; they are the ones of the article's stored tables.
//! - *Upper fence*: Q3 + 1.5·IQR. A sample strictly above it is an outlier; none is one for being small.
//! - *Set-up* of i and j iterations from their smallest samples: `evenhand_stats::level::set_up`. A sample is work + set-up/iterations.
//!
//! Tests: `tests/sampling.rs`.

use super::measuring::Series;
use evenhand_stats::level::moments::Moments;
use evenhand_stats::level::set_up::{self, SetUp, Smallest};

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    pub n: usize,
    pub min: f64,
    pub q1: f64,
    pub median: f64,
    pub q3: f64,
    pub max: f64,
    pub mean: f64,
    /// Standard deviation, divisor n − 1.
    pub sd: f64,
}

impl Summary {
    /// Of a series; `None` of fewer than two samples.
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let n = sorted.len();
        if n < 2 {
            return None;
        }
        let moments = Moments::of(&sorted).ok()?;
        Some(Self {
            n,
            min: sorted[0],
            q1: sorted[n / 4],
            median: sorted[n / 2],
            q3: sorted[n / 2 + n / 4],
            max: sorted[n - 1],
            mean: moments.mean()?,
            sd: moments.sd()?,
        })
    }

    pub fn iqr(&self) -> f64 {
        self.q3 - self.q1
    }

    /// A sample above it is an outlier.
    pub fn fence(&self) -> f64 {
        self.q3 + 1.5 * self.iqr()
    }
}

/// The samples that are no outliers.
pub fn clean(samples: &[f64]) -> Vec<f64> {
    let fence = Summary::of(samples).map_or(f64::INFINITY, |summary| summary.fence());
    samples.iter().copied().filter(|sample| *sample <= fence).collect()
}

/// The set-up in a sample, from the first two series.
pub fn set_up(series: &[Series]) -> Option<SetUp> {
    let [first, second, ..] = series else { return None };
    let smallest =
        |series: &Series| Some(Smallest { iterations: series.iterations as f64, each: series.least()? });
    set_up::set_up(smallest(first)?, smallest(second)?)
}
