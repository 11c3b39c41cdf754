//! What does one arm cost? Everything that is said of an arm by itself, from its samples, from a histogram, or, where
//! another tool kept no more, from the figures it printed.
//!
//! Numbers are the cost of one iteration in the metric's unit.
//!
//! Tests: `tests/analysis.rs`.

use super::settings::Settings;
use super::study::{Costs, Study};
use evenhand_stats::InputError;
use evenhand_stats::level::autocovariance::lag1_autocorrelation;
use evenhand_stats::level::distribution::Fits;
use evenhand_stats::level::mean_error::{MeanErrorRule, MeanInterval, mean_error};
use evenhand_stats::level::modality::modes;
use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::stationarity::{self, MovementKind, movements};
use evenhand_stats::level::summary::Summary;
use evenhand_stats::percentile::{PercentileSettings, Ranked, arm_percentiles, independent_percentiles};
use evenhand_trial::{ArmId, MetricId, Reported};
use serde::Serialize;

/// What one arm costs by one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// Which arm.
    pub arm: ArmId,
    /// By which metric; its unit is that of all figures here.
    pub metric: MetricId,
    /// What the figures were computed from.
    pub from: From,
    pub samples: u64,
    pub failed: u64,
    pub launches: usize,
    /// The most iterations in one sample.
    pub iterations: u64,
    /// The order of the samples is lost: what depends on it is missing, and intervals take samples for independent.
    pub order_lost: bool,
    /// The usual figures; those that are not known are missing.
    pub figures: Figures,
    /// The error of the mean.
    pub mean_error: Option<ErrorOfMean>,
    /// The percentiles asked for.
    pub percentiles: Vec<Percentile>,
    /// Normal, log-normal, or neither.
    pub distribution: Option<Fits>,
    /// The kinds of behaviour, from the fastest; more than one is worth a question.
    pub modes: Vec<Mode>,
    /// Where the time shifted while it was measured.
    pub movements: Vec<Movement>,
    /// The samples beyond Tukey's fences. They are counted, not dropped.
    pub outliers: Option<Outliers>,
    /// How much a sample resembles the one before it, -1 to 1.
    pub lag1_autocorrelation: Option<f64>,
}

/// What figures were computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum From {
    Samples,
    /// A histogram: the levels are known, their order is not.
    Histogram,
    /// Nothing: another tool's figures, passed on.
    Reported,
}

/// The usual figures of an arm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Figures {
    pub min: Option<f64>,
    pub mean: Option<f64>,
    pub median: Option<f64>,
    pub max: Option<f64>,
    /// Standard deviation, divisor n − 1.
    pub sd: Option<f64>,
    pub iqr: Option<f64>,
    pub mad: Option<f64>,
    /// sd / mean.
    pub cv: Option<f64>,
    /// iqr / median.
    pub iqr_over_median: Option<f64>,
    /// (mean − min) / min, the friction.
    pub mean_over_min: Option<f64>,
}

/// How well the mean is known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorOfMean {
    /// Half of the interval at the confidence of the analysis; missing when the run holds too few independent samples.
    pub half_width: Option<f64>,
    pub standard_error: f64,
    /// s/√N, as if samples did not remember each other.
    pub naive: f64,
    /// How many independent samples would know the mean as well.
    pub effective_samples: f64,
    /// standard error / naive.
    pub inflation: f64,
    /// Whether it is the error over launches, each by its mean, rather than within the only one: the mean of another launch may
    /// lie outside of that.
    pub over_launches: bool,
}

/// A percentile with its interval at the confidence of the analysis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Percentile {
    /// 0 to 100.
    pub percent: f64,
    pub value: f64,
    /// Lower end, missing where the samples do not reach far enough.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

/// One kind of behaviour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mode {
    pub place: f64,
    /// The part of the samples that it holds.
    pub share: f64,
}

/// A movement of the level inside the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Movement {
    /// All at once, or little by little.
    pub kind: MovementKind,
    /// The first sample of the new level, from 0.
    pub sample: usize,
    pub before: f64,
    pub after: f64,
}

/// The samples beyond Tukey's fences, Q1 − 1.5·IQR and Q3 + 1.5·IQR.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Outliers {
    pub low_fence: f64,
    pub high_fence: f64,
    pub below: usize,
    pub above: usize,
}

/// The level of an arm by a metric; `None` if nothing at all is known of it. That all its runs failed is something, and
/// is told once, with the first metric.
pub(super) fn level(
    study: &Study<'_>,
    arm: ArmId,
    metric: MetricId,
    costs: &Costs,
    settings: &Settings,
) -> Option<Level> {
    let mut level = empty(study, arm, metric, costs)?;
    if costs.values.is_empty() {
        match study.reported(arm, metric) {
            Some(reported) => pass_on(reported, settings, &mut level),
            None if level.failed > 0 && metric.index() == 0 => {}
            None => return None,
        }
        return Some(level);
    }
    // A figure that these numbers do not allow (a spread of one sample, squares beyond a double) stays missing.
    let _ = describe(costs, settings, &mut level);
    Some(level)
}

/// The figures that stand for an arm, from its samples or as reported, without all that [`level`] says beside them.
pub(super) fn typical(study: &Study<'_>, arm: ArmId, metric: MetricId) -> Option<Figures> {
    match study.costs(arm, metric).sorted() {
        Ok(sorted) => Some(figures(sorted)),
        Err(_) => study.reported(arm, metric).map(known_figures),
    }
}

fn empty(study: &Study<'_>, arm: ArmId, metric: MetricId, costs: &Costs) -> Option<Level> {
    Some(Level {
        arm,
        metric,
        from: From::Samples,
        samples: costs.values.len() as u64,
        failed: study.failed(arm),
        launches: costs.launches.len(),
        iterations: costs.iterations,
        order_lost: study.order_lost(arm),
        figures: Figures::default(),
        mean_error: None,
        percentiles: Vec::new(),
        distribution: None,
        modes: Vec::new(),
        movements: Vec::new(),
        outliers: None,
        lag1_autocorrelation: None,
    })
}

fn describe(costs: &Costs, settings: &Settings, level: &mut Level) -> Result<(), InputError> {
    let values = &costs.values;
    let sorted = costs.sorted()?;
    level.figures = figures(sorted);
    level.percentiles = percentiles(values, sorted, level.order_lost, settings)?;
    level.outliers = Some(outliers(sorted));
    level.modes =
        modes(sorted.as_slice())?.iter().map(|mode| Mode { place: mode.place, share: mode.share }).collect();
    level.distribution = Fits::of(sorted).ok();
    if !level.order_lost {
        level.movements = movements(values)?.into_iter().map(movement).collect();
        level.lag1_autocorrelation = lag1_autocorrelation(values).ok();
        level.mean_error = error_of_mean(costs, settings);
    }
    Ok(())
}

/// Numbers whose squares a double cannot hold still have a smallest, a middle and a largest.
fn figures(sorted: &Sorted) -> Figures {
    let Ok(summary) = Summary::of_sorted(sorted) else {
        let (min, median, max) = (Some(sorted.min()), Some(sorted.median()), Some(sorted.max()));
        return Figures { min, median, max, ..Figures::default() };
    };
    Figures {
        min: Some(summary.min),
        mean: Some(summary.mean),
        median: Some(summary.median),
        max: Some(summary.max),
        sd: summary.sd,
        iqr: Some(summary.iqr),
        mad: Some(summary.mad),
        cv: summary.cv,
        iqr_over_median: summary.iqr_over_median,
        mean_over_min: summary.mean_over_min,
    }
}

fn percentiles(
    values: &[f64],
    sorted: &Sorted,
    order_lost: bool,
    settings: &Settings,
) -> Result<Vec<Percentile>, InputError> {
    let ranked = Ranked::new(values, sorted.as_slice())?;
    let sure = PercentileSettings::at_confidence(settings.confidence)?;
    // A lost order says nothing of memory.
    let of = if order_lost { independent_percentiles } else { arm_percentiles };
    let found = of(&ranked, &settings.percentiles, &sure)?;
    Ok(found
        .into_iter()
        .map(|found| Percentile {
            percent: found.percentile,
            value: found.value,
            low: found.interval.low,
            high: found.interval.high,
        })
        .collect())
}

/// A launch draws its luck once for all its samples, so with several the error is over launches: what the samples of one say of its
/// own mean is too good for the next.
fn error_of_mean(costs: &Costs, settings: &Settings) -> Option<ErrorOfMean> {
    let within = mean_error(&costs.values, settings.mean_error.0).ok()?;
    let over_launches = costs.launches.len() > 1;
    let error = if over_launches {
        let means: Vec<f64> =
            costs.by_launch().map(|launch| launch.iter().sum::<f64>() / launch.len() as f64).collect();
        mean_error(&means, MeanErrorRule::Naive).ok()?
    } else {
        within
    };
    let (inflation, effective_samples) = if over_launches && error.standard_error > 0.0 {
        let inflation = error.standard_error / within.naive;
        (inflation, costs.values.len() as f64 / inflation.powi(2))
    } else {
        (error.inflation, error.effective_samples)
    };
    let half_width = match error.interval(settings.confidence).ok()? {
        MeanInterval::Between { low, high } => Some((high - low) / 2.0),
        MeanInterval::TooFewIndependentSamples { .. } => None,
    };
    Some(ErrorOfMean {
        half_width,
        standard_error: error.standard_error,
        naive: within.naive,
        effective_samples,
        inflation,
        over_launches,
    })
}

fn movement(movement: stationarity::Movement) -> Movement {
    let stationarity::Movement { kind, index, before, after, .. } = movement;
    Movement { kind, sample: index, before, after }
}

fn outliers(sorted: &Sorted) -> Outliers {
    let found = sorted.outliers(OutlierRule::Tukey, Estimator::Type7);
    Outliers {
        low_fence: found.fences.low,
        high_fence: found.fences.high,
        below: found.below.len(),
        above: found.above.len(),
    }
}

/// What another tool reported, as it reported it; with a histogram, the figures that it allows.
fn pass_on(reported: &Reported, settings: &Settings, level: &mut Level) {
    level.from = From::Reported;
    level.samples = reported.samples.unwrap_or(0);
    level.launches = usize::from(reported.launch.is_some());
    level.figures = known_figures(reported);
    let percentile = |&(percent, value): &(f64, f64)| Percentile { percent, value, low: None, high: None };
    let finite = |known: &Percentile| known.percent.is_finite() && known.value.is_finite();
    level.percentiles = reported.percentiles.iter().map(percentile).filter(finite).collect();
    if let Some(buckets) = Buckets::of(&reported.histogram) {
        level.from = From::Histogram;
        level.samples = buckets.count;
        level.percentiles =
            settings.percentiles.iter().filter_map(|percent| buckets.percentile(*percent)).collect();
    }
}

/// The figures that a tool reported, and what its histogram says of those that it did not.
fn known_figures(reported: &Reported) -> Figures {
    let known = Figures {
        min: reported.min,
        mean: reported.mean,
        median: reported.median,
        max: reported.max,
        sd: reported.sd,
        ..Figures::default()
    };
    let counted = Buckets::of(&reported.histogram).map(|buckets| buckets.figures()).unwrap_or_default();
    let finite = |figure: Option<f64>, counted: Option<f64>| figure.filter(|it| it.is_finite()).or(counted);
    Figures {
        min: finite(known.min, counted.min),
        mean: finite(known.mean, counted.mean),
        median: finite(known.median, counted.median),
        max: finite(known.max, counted.max),
        sd: finite(known.sd, counted.sd),
        ..Figures::default()
    }
}

/// Values and how often each occurred, as another tool counted them: as exact as its buckets are.
struct Buckets {
    /// Ascending.
    values: Vec<(f64, u64)>,
    count: u64,
}

impl Buckets {
    /// `None` without any count, or with more than a number can count.
    fn of(histogram: &[(f64, u64)]) -> Option<Self> {
        let mut values: Vec<(f64, u64)> =
            histogram.iter().copied().filter(|(value, count)| value.is_finite() && *count > 0).collect();
        values.sort_by(|left, right| left.0.total_cmp(&right.0));
        let count = values.iter().try_fold(0_u64, |sum, (_, count)| sum.checked_add(*count))?;
        (count > 0).then_some(Self { values, count })
    }

    /// The smallest value with at least this many percent at or below it.
    fn at(&self, percent: f64) -> Option<f64> {
        let wanted = ((percent / 100.0 * self.count as f64).ceil() as u64).clamp(1, self.count);
        let mut below = 0;
        self.values.iter().find_map(|(value, count)| {
            below += count;
            (below >= wanted).then_some(*value)
        })
    }

    fn percentile(&self, percent: f64) -> Option<Percentile> {
        Some(Percentile { percent, value: self.at(percent)?, low: None, high: None })
    }

    fn figures(&self) -> Figures {
        let n = self.count as f64;
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            self.values.iter().map(|(value, count)| *count as f64 * of(*value)).sum()
        };
        let mean = sum(&|value| value / n);
        let variance = sum(&|value| (value - mean) * (value - mean)) / (n - 1.0);
        let finite = |figure: f64| Some(figure).filter(|figure| figure.is_finite());
        Figures {
            min: self.at(0.0),
            mean: finite(mean),
            median: self.at(50.0),
            max: self.at(100.0),
            sd: finite(variance.sqrt()),
            ..Figures::default()
        }
    }
}
