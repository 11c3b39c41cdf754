//! What do two arms look like beside each other? The rounds that both ran, how the interval narrowed, the ratio at every percentile.
//!
//! - *shift*: the ratio candidate / baseline at each whole percentile, with a simultaneous band where rounds are paired
//!   (`evenhand_stats::percentile::shift_curve`); without a coin the ratio alone.
//!
//! Tests: `tests/analysis/charts.rs`.

use super::arm::{independent_within, memory};
use super::moments::{Moment, moments};
use super::order::{Order, order, places};
use super::{Column, Columns};
use crate::comparison::{Comparison, relative};
use crate::paired::SUREST_DRAWN;
use crate::question::Question;
use crate::study::Place;
use evenhand_stats::level::quantile::Sorted;
use evenhand_stats::percentile::{PercentileSettings, Ranked, shift_curve};
use evenhand_stats::randomised::LogRatio;
use serde::Serialize;

/// A candidate against its baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ComparisonChart {
    /// The place of the baseline's chart.
    pub baseline: usize,
    pub candidate: usize,
    /// What the samples of both took by the clock.
    pub seconds: Option<f64>,
    /// The smallest change worth acting on, 0.01 = 1 %.
    pub margin: f64,
    /// candidate / baseline − 1 of the smallest costs in the rounds that both ran.
    pub min_change: Option<f64>,
    /// The rounds that both ran, where a coin was tossed.
    pub rounds: Option<RoundsChart>,
    /// What the moments count: `round` or `launch`.
    pub unit_of_moments: String,
    pub moments: Vec<Moment>,
    pub shift: Option<Shift>,
    /// Of the rounds' differences, at lags 1, 2 and so on.
    pub autocorrelation: Vec<f64>,
    /// Where 95 of 100 stay if rounds are independent.
    pub independent_within: f64,
    pub order: Option<Order>,
}

/// The rounds that both arms ran.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundsChart {
    /// Which of the baseline's samples it is.
    pub baseline: Column,
    pub candidate: Column,
    /// The relative change, 0.01 = 1 % worse; not a number where there is no ratio.
    pub change: Column,
    /// Where each launch begins.
    pub launches: Vec<usize>,
    /// 1 where the candidate ran first.
    pub candidate_first: Option<Column>,
}

/// The ratio candidate / baseline at each percentile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shift {
    /// How sure the band is, everywhere at once.
    pub confidence: f64,
    /// From 1 to 99.
    pub percentiles: Vec<f64>,
    pub ratios: Vec<f64>,
    pub low: Vec<Option<f64>>,
    pub high: Vec<Option<f64>>,
}

pub(super) fn chart(
    question: &Question<'_>,
    comparison: &Comparison,
    [baseline, candidate]: [usize; 2],
    columns: &mut Columns,
) -> ComparisonChart {
    let (unit_of_moments, moments) = moments(question, comparison);
    let both = comparison.coin().map(|_| Both::of(question)).filter(|both| !both.change.is_empty());
    let differences: Vec<f64> =
        both.iter().flat_map(|both| &both.change).copied().filter(|change| !change.is_nan()).collect();
    ComparisonChart {
        baseline,
        candidate,
        seconds: question.seconds(),
        margin: question.margin(),
        min_change: min_change(comparison),
        shift: match &both {
            Some(both) => shift(question, both),
            None => plain_shift(question),
        },
        rounds: both.map(|both| both.into_rounds(question, columns)),
        unit_of_moments: unit_of_moments.to_owned(),
        moments,
        autocorrelation: memory(&differences),
        independent_within: independent_within(differences.len()),
        order: order(question, comparison),
    }
}

fn min_change(comparison: &Comparison) -> Option<f64> {
    let mean = comparison.coin()?.mean?;
    (mean.baseline_min > 0.0).then(|| mean.candidate_min / mean.baseline_min - 1.0)
}

/// The rounds of both arms, in order.
#[derive(Default)]
struct Both {
    /// Which samples they are.
    numbers: [Vec<u32>; 2],
    costs: [Vec<f64>; 2],
    change: Vec<f64>,
    places: Vec<Place>,
}

impl Both {
    fn of(question: &Question<'_>) -> Self {
        let mut both = Self::default();
        for samples in question.study.shared(question.pair) {
            for (side, sample) in samples.iter().enumerate() {
                both.numbers[side].push(sample.number as u32);
                both.costs[side].push(sample.cost);
            }
            let (better, worse) = question.worse_is_positive(samples[0].cost, samples[1].cost);
            let defined = better > 0.0 && worse > 0.0;
            both.change.push(if defined { relative(LogRatio(worse.ln() - better.ln())) } else { f64::NAN });
            both.places.push(samples[0].place);
        }
        both
    }

    fn into_rounds(self, question: &Question<'_>, columns: &mut Columns) -> RoundsChart {
        let begins = |place: &usize| *place == 0 || self.places[*place].0 != self.places[place - 1].0;
        RoundsChart {
            baseline: columns.wholes(&self.numbers[0]),
            candidate: columns.wholes(&self.numbers[1]),
            change: columns.singles(&self.change),
            launches: (0..self.places.len()).filter(begins).collect(),
            candidate_first: self.candidate_first(question).map(|first| columns.wholes(&first)),
        }
    }

    /// `None` unless it is known of every round.
    fn candidate_first(&self, question: &Question<'_>) -> Option<Vec<u32>> {
        let of = |arm| places(question.study.trial, arm, question.pair.metric);
        let (baseline, candidate) = (of(question.pair.baseline), of(question.pair.candidate));
        let first = |place| Some(u32::from(candidate.get(place)?.1 < baseline.get(place)?.1));
        self.places.iter().map(first).collect()
    }
}

fn shift(question: &Question<'_>, both: &Both) -> Option<Shift> {
    let (old, new) = (Sorted::new(&both.costs[0]).ok()?, Sorted::new(&both.costs[1]).ok()?);
    let baseline = Ranked::new(&both.costs[0], old.as_slice()).ok()?;
    let candidate = Ranked::new(&both.costs[1], new.as_slice()).ok()?;
    let confidence = question.settings.confidence.min(SUREST_DRAWN);
    let curve =
        shift_curve(&baseline, &candidate, &PercentileSettings::at_confidence(confidence).ok()?).ok()?;
    Some(Shift {
        confidence,
        percentiles: curve.points.iter().map(|point| point.percentile).collect(),
        ratios: curve.points.iter().map(|point| point.ratio).collect(),
        low: curve.points.iter().map(|point| point.band.low).collect(),
        high: curve.points.iter().map(|point| point.band.high).collect(),
    })
}

/// Without rounds that pair the samples there is no band.
fn plain_shift(question: &Question<'_>) -> Option<Shift> {
    let sorted = |arm| question.study.costs(arm, question.pair.metric).sorted().ok();
    let (old, new) = (sorted(question.pair.baseline)?, sorted(question.pair.candidate)?);
    let percentiles: Vec<f64> = (1..=99).map(f64::from).collect();
    let ratio = |percent: &f64| {
        let ratio = new.percentile(*percent).ok()? / old.percentile(*percent).ok()?;
        ratio.is_finite().then_some(ratio)
    };
    let ratios: Vec<f64> = percentiles.iter().map(ratio).collect::<Option<_>>()?;
    let none = vec![None; percentiles.len()];
    Some(Shift {
        confidence: question.settings.confidence,
        percentiles,
        ratios,
        low: none.clone(),
        high: none,
    })
}
