//! What stands in the table of series? The figures of some samples as P. Vaskovic's viewer has them ("Towards Robust Performance
//! Measurement", 2018): n, minimum, maximum and range, quartiles and their range, median, mean, standard deviation; each spread
//! also by what it is compared with there.
//!
//! Quartiles are of type 7, as everywhere here, and both fences count. The article's own are order statistics, and it cuts no
//! small sample; `evenhand-experiments` has them.
//!
//! Tests: `tests/analysis/charts.rs`.

use evenhand_stats::level::outliers::Fences as Found;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::summary::Summary;
use serde::Serialize;

/// What a box plot shows, and the moments beside it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FiveNumbers {
    pub samples: usize,
    pub min: f64,
    pub q1: f64,
    pub median: f64,
    pub q3: f64,
    pub max: f64,
    /// max − min.
    pub range: f64,
    /// range / min.
    pub range_over_min: Option<f64>,
    /// q3 − q1.
    pub iqr: f64,
    /// iqr / median.
    pub iqr_over_median: Option<f64>,
    pub mean: f64,
    /// (mean − min) / min: an error metric for samples that are not normal (D. Lemire, "Are your memory-bound benchmarking
    /// timings normally distributed?", 2023).
    pub mean_over_min: Option<f64>,
    /// Standard deviation, divisor n − 1.
    pub sd: Option<f64>,
    /// sd / mean.
    pub cv: Option<f64>,
}

/// All samples, and those inside the fences.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Boxes {
    pub raw: Option<FiveNumbers>,
    pub clean: Option<FiveNumbers>,
}

impl FiveNumbers {
    /// Squares that a double cannot hold have no box.
    pub(super) fn of(sorted: &Sorted) -> Option<Self> {
        let summary = Summary::of_sorted(sorted).ok()?;
        let range = summary.max - summary.min;
        Some(Self {
            samples: summary.n,
            min: summary.min,
            q1: summary.p25,
            median: summary.median,
            q3: summary.p75,
            max: summary.max,
            range,
            range_over_min: (summary.min > 0.0).then(|| range / summary.min),
            iqr: summary.iqr,
            iqr_over_median: summary.iqr_over_median,
            mean: summary.mean,
            mean_over_min: summary.mean_over_min,
            sd: summary.sd,
            cv: summary.cv,
        })
    }

    /// Of samples in any order.
    pub(super) fn of_some(samples: &[f64]) -> Option<Self> {
        Self::of(&Sorted::new(samples).ok()?)
    }
}

/// The samples that are no outliers, in ascending order.
pub(super) fn inside(sorted: &Sorted, fences: Found) -> impl Iterator<Item = f64> + '_ {
    sorted.as_slice().iter().copied().filter(move |value| (fences.low..=fences.high).contains(value))
}
