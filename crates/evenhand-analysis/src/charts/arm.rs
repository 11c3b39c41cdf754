//! What does one arm look like? Its samples in the order taken, the box with and without those beyond the fences, bins, quantiles
//! against those of a normal distribution, memory, and how the mean settled.
//!
//! - *bins*: 80 of one width over the samples inside Tukey's far fences of all arms that stand beside each other (`axis.rs` has the
//!   rule), so that they can be laid over each other; and 80 of one factor.
//! - *bins of one standard deviation*: from four below the mean to eight above it, as P. Vaskovic's viewer has them ("Towards Robust
//!   Performance Measurement", 2018), so that a lopsided series shows.
//! - *quantiles*: order statistics against normal quantiles (`evenhand_stats::level::quantile_plot`).
//! - *memory*: autocorrelations, with the 1.96/√n that 95 of 100 of independent samples stay within (Box and Jenkins, section 2.1.6).
//! - *running mean*: after about forty numbers of samples that grow by a constant factor, with the naive interval (Student's t) and
//!   the one that knows of the memory.
//!
//! Tests: `tests/analysis/charts.rs`.

use super::axis::{FAR, NEAR, axis_range};
use super::bins::Bins;
use super::moments::spaced;
use super::numbers::{Boxes, FiveNumbers, inside};
use super::{Column, Columns, Shown};
use crate::set_up::ITERATIONS;
use crate::study::{Costs, Study};
use crate::{Analysis, ErrorRule, Mode};
use evenhand_stats::level::autocovariance::autocorrelations;
use evenhand_stats::level::distribution::{Fit, Fits};
use evenhand_stats::level::mean_error::{MeanErrorRule, MeanInterval, mean_error};
use evenhand_stats::level::modality::modes;
use evenhand_stats::level::outliers::{Estimator, OutlierRule};
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::level::quantile_plot::quantile_plot;
use evenhand_trial::{Trial, Unit};
use serde::Serialize;

/// One arm by one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmChart {
    pub arm: String,
    pub group: String,
    pub metric: String,
    /// The unit of all figures here.
    pub unit: Unit,
    pub order_lost: bool,
    /// The cost of one iteration, of each sample.
    pub samples: Column,
    /// Where each launch begins.
    pub launches: Vec<usize>,
    /// In each sample, where the arm is a series of some thing (`pool.rs`).
    pub iterations: Option<u64>,
    #[serde(flatten)]
    pub boxes: Boxes,
    pub fences: Option<Fences>,
    /// Three interquartile ranges beyond the quartiles.
    pub far_fences: Option<Fences>,
    /// What of each cost is set-up.
    pub set_up: Option<f64>,
    /// The figures without it.
    pub without_set_up: Option<Boxes>,
    /// Where an axis of values goes: to the fences, and on to a mode or a tail that is too large to be outliers.
    pub axis: Option<Fences>,
    pub modes: Vec<Mode>,
    /// Bins of one width.
    pub histogram: Option<Bins>,
    /// Bins of one factor.
    pub log_histogram: Option<Bins>,
    /// Bins of one standard deviation around the mean.
    pub deviations: Option<Bins>,
    /// The same of the samples inside the fences.
    pub clean_deviations: Option<Bins>,
    /// Against those of a normal distribution.
    pub quantiles: Option<Quantiles>,
    /// The normal distribution of the same mean and spread.
    pub normal_fit: Option<Normal>,
    /// The same of the logarithms.
    pub log_normal_fit: Option<Normal>,
    /// At lags 1, 2 and so on.
    pub autocorrelation: Vec<f64>,
    /// Where 95 of 100 stay if samples are independent.
    pub independent_within: f64,
    /// The mean of ever more samples.
    pub running_mean: Vec<RunningMean>,
}

/// Samples outside are outliers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fences {
    pub low: f64,
    pub high: f64,
}

/// Quantiles at the same probabilities.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quantiles {
    /// Of a normal distribution with mean 0 and standard deviation 1.
    pub normal: Vec<f64>,
    pub sample: Vec<f64>,
}

/// A normal distribution.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Normal {
    pub location: f64,
    pub scale: f64,
}

/// What was known of the mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RunningMean {
    /// After so many samples.
    pub after: usize,
    pub mean: f64,
    /// Half of the interval, as if they did not remember each other.
    pub naive: f64,
    /// The same with their memory; missing while too few are independent.
    pub corrected: Option<f64>,
}

const BINS: usize = 80;
/// Edges of bins around the mean, in standard deviations.
const DEVIATIONS: std::ops::RangeInclusive<i32> = -4..=8;
/// As many lags as are shown at most.
const LAGS: usize = 40;
/// A lag needs so many pairs.
const PAIRS_OF_A_LAG: usize = 4;

/// What one arm looks like: within `range`, if it has a sample.
pub(super) fn chart(
    study: &Study<'_>,
    shown: Shown,
    range: Option<[f64; 2]>,
    analysis: &Analysis,
    columns: &mut Columns,
) -> Option<ArmChart> {
    let costs = study.costs(shown.0, shown.1);
    let mut chart = blank(study, shown, costs, columns)?;
    if let (Ok(sorted), Some(range)) = (costs.sorted(), range) {
        describe(costs, sorted, range, analysis, &mut chart);
    }
    Some(chart)
}

fn blank(study: &Study<'_>, shown: Shown, costs: &Costs, columns: &mut Columns) -> Option<ArmChart> {
    let (arm, metric) = (study.trial.arm(shown.0)?, study.trial.metrics.get(shown.1.index())?);
    Some(ArmChart {
        arm: arm.name.clone(),
        group: arm.group.clone(),
        metric: metric.name.clone(),
        unit: metric.unit.clone(),
        order_lost: arm.order_lost,
        samples: columns.doubles(&costs.values),
        launches: costs.launches.clone(),
        iterations: iterations(study.trial, shown, costs),
        boxes: Boxes::default(),
        fences: None,
        far_fences: None,
        set_up: None,
        without_set_up: None,
        axis: None,
        modes: Vec::new(),
        histogram: None,
        log_histogram: None,
        deviations: None,
        clean_deviations: None,
        quantiles: None,
        normal_fit: None,
        log_normal_fit: None,
        autocorrelation: Vec::new(),
        independent_within: independent_within(costs.values.len()),
        running_mean: Vec::new(),
    })
}

/// How many iterations each sample of this arm has, if it says so and they have.
pub(super) fn iterations(trial: &Trial, (arm, _): Shown, costs: &Costs) -> Option<u64> {
    let parameter = trial.arm(arm)?.parameters.get(ITERATIONS)?.parse().ok()?;
    (parameter > 0 && parameter == costs.iterations).then_some(parameter)
}

fn describe(costs: &Costs, sorted: &Sorted, range: [f64; 2], analysis: &Analysis, chart: &mut ArmChart) {
    let fences = sorted.fences(OutlierRule::Tukey, Estimator::Type7);
    chart.fences = Some(Fences { low: fences.low, high: fences.high });
    chart.axis = axis_range(sorted, NEAR).map(|[low, high]| Fences { low, high });
    chart.boxes.raw = FiveNumbers::of(sorted);
    chart.far_fences = chart.boxes.raw.map(far_fences);
    chart.deviations = chart.boxes.raw.and_then(|numbers| deviations(sorted, numbers));
    let inside: Vec<f64> = inside(sorted, fences).collect();
    if let Ok(inside) = Sorted::new(&inside) {
        chart.boxes.clean = FiveNumbers::of(&inside);
        chart.clean_deviations = chart.boxes.clean.and_then(|numbers| deviations(&inside, numbers));
    }
    let found = modes(sorted.as_slice()).unwrap_or_default();
    chart.modes = found.iter().map(|mode| Mode { place: mode.place, share: mode.share }).collect();
    chart.histogram = Some(Bins::even(sorted, range, BINS));
    chart.log_histogram = (sorted.min() > 0.0).then(|| Bins::by_factor(sorted, range, BINS));
    let (normal, sample) = quantile_plot(sorted).into_iter().unzip();
    chart.quantiles = Some(Quantiles { normal, sample });
    if let Ok(fits) = Fits::of(sorted) {
        let fit = |fit: Fit| Normal { location: fit.location, scale: fit.scale };
        (chart.normal_fit, chart.log_normal_fit) = (Some(fit(fits.normal)), Some(fit(fits.log_normal)));
    }
    if !chart.order_lost {
        chart.autocorrelation = memory(&costs.values);
        chart.running_mean =
            running_mean(&costs.values, analysis.settings.confidence, analysis.settings.mean_error);
    }
}

fn far_fences(numbers: FiveNumbers) -> Fences {
    Fences { low: numbers.q1 - FAR * numbers.iqr, high: numbers.q3 + FAR * numbers.iqr }
}

/// None of samples that are all alike.
fn deviations(sorted: &Sorted, numbers: FiveNumbers) -> Option<Bins> {
    let sd = numbers.sd.filter(|sd| *sd > 0.0)?;
    Some(Bins::between(sorted, DEVIATIONS.map(|count| numbers.mean + f64::from(count) * sd).collect()))
}

/// Autocorrelations from lag 1 on; none of samples that are all alike.
pub(super) fn memory(values: &[f64]) -> Vec<f64> {
    let lags = LAGS.min(values.len() / PAIRS_OF_A_LAG);
    autocorrelations(values, lags).map(|mut found| found.split_off(1)).unwrap_or_default()
}

pub(super) fn independent_within(samples: usize) -> f64 {
    const TWO_SIDED_95: f64 = 1.96;
    TWO_SIDED_95 / (samples.max(1) as f64).sqrt()
}

fn running_mean(values: &[f64], confidence: f64, rule: ErrorRule) -> Vec<RunningMean> {
    let at = |after: usize| {
        let error = mean_error(&values[..after], rule.0).ok()?;
        let corrected = match error.interval(confidence).ok()? {
            MeanInterval::Between { low, high } => Some((high - low) / 2.0),
            MeanInterval::TooFewIndependentSamples { .. } => None,
        };
        let naive = mean_error(&values[..after], MeanErrorRule::Naive)
            .and_then(|naive| naive.half_width(confidence))
            .ok()?;
        Some(RunningMean { after, mean: error.mean, naive, corrected })
    };
    spaced(values.len()).into_iter().filter(|after| *after > 1).filter_map(at).collect()
}
