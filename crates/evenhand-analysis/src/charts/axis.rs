//! From where to where does an axis go? One of samples between the outermost inside Tukey's fences (1.5, or for far fences 3 interquartile
//! ranges from the quartiles: Tukey 1977, *Exploratory Data Analysis*). Where more than a hundredth of the samples lies beyond a fence, it
//! is a mode or a tail and no outlier, and the axis goes on to hold it. One of effects holds "no difference" and the margins.
//!
//! Tests: `tests/analysis/charts.rs`, `tests/analysis/pictures.rs`.

use crate::comparison::Effect;
use evenhand_stats::level::quantile::Sorted;

/// How many interquartile ranges a fence is away from its quartile, and how many a far fence.
pub(super) const NEAR: f64 = 1.5;
pub(super) const FAR: f64 = 3.0;

/// More than this share of the samples beyond a fence are a mode or a tail, which an axis has to hold.
const MOST_BEYOND: f64 = 0.01;
/// This many may be single outliers, however few samples there are.
const STRAYS: usize = 4;
/// The percentile may lie in the middle of a mode: the axis goes on by this part of the way from the quartile.
const FURTHER: f64 = 0.1;

/// From the smallest sample that an axis has to hold to the largest, with fences so many interquartile ranges away.
pub(super) fn axis_range(sorted: &Sorted, fence: f64) -> Option<[f64; 2]> {
    let samples = sorted.as_slice();
    let last = samples.len().checked_sub(1)?;
    let beyond = STRAYS.max((MOST_BEYOND * samples.len() as f64) as usize).min(last / 2);
    let (q1, q3) = (sorted.percentile(25.0).ok()?, sorted.percentile(75.0).ok()?);
    let aside = fence * (q3 - q1);
    let from = end(q1, q1 - aside, *samples.get(beyond)?);
    let to = end(q3, q3 + aside, *samples.get(last - beyond)?);
    let low = samples.iter().copied().find(|value| *value >= from)?;
    Some([low, samples.iter().copied().rfind(|value| *value <= to)?])
}

/// The fence, or past the outermost sample to be held, if that is further from the quartile.
fn end(quartile: f64, fence: f64, outermost: f64) -> f64 {
    if (outermost - quartile).abs() <= (fence - quartile).abs() {
        return fence;
    }
    outermost + FURTHER * (outermost - quartile)
}

/// From the smallest to the largest of these ranges, with far fences.
pub(super) fn common_range<'a>(arms: impl Iterator<Item = &'a Sorted>) -> Option<[f64; 2]> {
    let wider = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
    let [from, to] = arms.filter_map(|sorted| axis_range(sorted, FAR)).reduce(wider)?;
    // All samples alike: a hundredth to both sides makes room for a bin.
    let aside = if from < to { 0.0 } else { (0.01 * from.abs()).max(f64::MIN_POSITIVE) };
    (to - from).is_finite().then_some([from - aside, to + aside])
}

/// An axis that shows these effects with a little room around them, "no difference" and the margins.
pub(super) fn axis_around<'a>(effects: impl Iterator<Item = &'a Effect>, margin: f64) -> [f64; 2] {
    let mut axis = [-1.5 * margin, 1.5 * margin];
    for effect in effects {
        let known: Vec<f64> = [effect.low, effect.estimate, effect.high].into_iter().flatten().collect();
        let low = known.iter().copied().fold(f64::INFINITY, f64::min);
        let high = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if low <= high {
            let around = 0.2 * (high - low);
            axis = [axis[0].min(low - around), axis[1].max(high + around)];
        }
    }
    // Nothing is faster by more than 100 %.
    [axis[0].max(-1.0), axis[1].min(f64::MAX)]
}
