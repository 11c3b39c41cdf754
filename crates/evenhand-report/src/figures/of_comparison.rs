//! What do two arms look like beside each other? Round by round, percentile by percentile, and all comparisons in one picture.

use super::panel::{Axis, Ink, Labels, Layer, Panel, Point, in_order, points};
use super::{Figure, Undrawn};
use evenhand_analysis::charts::ComparisonChart;
use evenhand_analysis::{Comparison, Effect, Names};

/// `new against old`.
fn title(figure: &Figure<'_>) -> String {
    let comparison = figure.place().and_then(|place| figure.analysis.comparisons.get(place));
    comparison.map_or_else(String::new, |both| figure.analysis.names.both(both.pair))
}

/// No difference, and the margins around it.
fn aids(margin: f64, [from, to]: [f64; 2]) -> Vec<Layer> {
    let across = |at: f64, dashed: bool| Layer::Line {
        points: vec![(from, at), (to, at)],
        ink: Ink::Soft,
        dashed,
        name: None,
    };
    vec![across(0.0, false), across(margin, true), across(-margin, true)]
}

pub(super) fn difference(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let chart = figure.compared()?;
    let Some(rounds) = &chart.rounds else {
        return Err(figure.missing("the order was not randomised, so there are no rounds"));
    };
    let by_launch = chart.unit_of_moments == "launch";
    let changes = if by_launch { launch_effects(figure) } else { figure.charts.columns.read(&rounds.change) };
    let dots = in_order(&changes);
    let end = |of: fn(&Effect) -> Option<f64>| -> Vec<Point> {
        // Not before both ends are known: before, the interval has no end.
        let bounded =
            chart.moments.iter().filter(|moment| moment.effect.low.is_some() && moment.effect.high.is_some());
        bounded.filter_map(|moment| Some((moment.after as f64, of(&moment.effect)?))).collect()
    };
    let mut layers = aids(chart.margin, [0.0, changes.len() as f64]);
    let name = |name: &str| Some(name.to_owned());
    layers.extend([
        Layer::Points {
            points: dots.clone(),
            ink: Ink::Difference,
            name: name(&format!("one {}", chart.unit_of_moments)),
        },
        Layer::Band { low: end(|effect| effect.low), high: end(|effect| effect.high), ink: Ink::Estimate },
        Layer::Line {
            points: end(|effect| effect.estimate),
            ink: Ink::Estimate,
            dashed: false,
            name: name("effect"),
        },
    ]);
    let x_name = if by_launch { "launch" } else { "round" };
    let x = Axis::around(x_name, Labels::Plain, [0.0, changes.len() as f64].into_iter());
    let y = Axis::around("change (positive: worse)", Labels::Change, middle(dots, chart).into_iter());
    Ok(Panel { title: title(figure), x, y, layers })
}

fn launch_effects(figure: &Figure<'_>) -> Vec<f64> {
    let comparison = figure.place().and_then(|place| figure.analysis.comparisons.get(place));
    comparison
        .map_or_else(Vec::new, |both| both.coin().map_or_else(Vec::new, |coin| coin.launch_effects.clone()))
}

/// What the axis has to show: the middle four fifths of the dots, as much again on both sides, the margins, and the last interval. A
/// few slow rounds would otherwise make a line of all the rest.
fn middle(dots: Vec<Point>, chart: &ComparisonChart) -> Vec<f64> {
    let mut values: Vec<f64> =
        dots.into_iter().map(|(_, change)| change).filter(|change| change.is_finite()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let outside = values.len() / 10;
    let inner = &values[outside..values.len() - outside];
    let around = |low: f64, high: f64| [2.0 * low - high, 2.0 * high - low];
    let wide = inner.first().zip(inner.last()).map(|(low, high)| around(*low, *high));
    // Not farther than the farthest dot.
    let ends = values.first().zip(values.last());
    let shown = wide.zip(ends).map(|([low, high], (first, last))| [low.max(*first), high.min(*last)]);
    let last = chart.moments.last().map(|moment| [moment.effect.low, moment.effect.high]);
    let known = last.into_iter().flatten().flatten();
    shown.into_iter().flatten().chain([-1.2 * chart.margin, 1.2 * chart.margin]).chain(known).collect()
}

pub(super) fn shift(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let chart = figure.compared()?;
    let Some(shift) = &chart.shift else {
        return Err(figure.missing("too few samples, or some are not above zero"));
    };
    let along = |values: &[Option<f64>]| -> Vec<Point> {
        let known = shift.percentiles.iter().zip(values).zip(shift.low.iter().zip(&shift.high));
        let bounded = known.filter(|(_, (low, high))| low.is_some() && high.is_some());
        bounded.filter_map(|((percent, ratio), _)| Some((*percent, (*ratio)? - 1.0))).collect()
    };
    let line: Vec<Point> =
        shift.percentiles.iter().zip(&shift.ratios).map(|(percent, ratio)| (*percent, ratio - 1.0)).collect();
    let mut layers = aids(chart.margin, [0.0, 100.0]);
    layers.extend([
        Layer::Band { low: along(&shift.low), high: along(&shift.high), ink: Ink::Estimate },
        Layer::Line { points: line.clone(), ink: Ink::Estimate, dashed: false, name: None },
    ]);
    let x = Axis::around("percentile", Labels::Plain, [0.0, 100.0].into_iter());
    // Far out the band is so wide that all the rest would be a line.
    let shown = points(&layers).filter(|(percent, _)| (20.0..=80.0).contains(percent));
    let y = Axis::around(
        "candidate against baseline",
        Labels::Change,
        shown.chain(line).map(|(_, y)| y).chain([0.0]),
    );
    Ok(Panel { title: title(figure), x, y, layers })
}

/// So many rounds are drawn at most.
const DOTS: usize = 4000;

pub(super) fn scatter(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let chart = figure.compared()?;
    let arms = figure.arms();
    let (Some(rounds), [baseline, candidate]) = (&chart.rounds, arms.as_slice()) else {
        return Err(figure.missing("the order was not randomised, so samples are not paired"));
    };
    let columns = &figure.charts.columns;
    let (old, new) = (columns.read(&baseline.samples), columns.read(&candidate.samples));
    let places = columns.read(&rounds.baseline).into_iter().zip(columns.read(&rounds.candidate));
    let pairs =
        places.filter_map(|(left, right)| Some((*old.get(left as usize)?, *new.get(right as usize)?)));
    let pairs: Vec<Point> = pairs.collect();
    let every = pairs.len().div_ceil(DOTS).max(1);
    let dots: Vec<Point> = pairs.iter().copied().step_by(every).collect();
    let labels = || Labels::Quantity(baseline.unit.clone());
    // One scale for both, so that the line of no difference is the diagonal.
    let both = || dots.iter().flat_map(|(old, new)| [*old, *new]);
    let x = Axis::around(&baseline.arm, labels(), both());
    let y = Axis::around(&candidate.arm, labels(), both());
    let diagonal = vec![(x.from, x.from), (x.to, x.to)];
    let layers = vec![
        Layer::Line { points: diagonal, ink: Ink::Soft, dashed: true, name: None },
        Layer::Points { points: dots, ink: Ink::Difference, name: None },
    ];
    let thinned = if every > 1 { format!(", one round of {every}") } else { String::new() };
    Ok(Panel { title: title(figure) + &thinned, x, y, layers })
}

pub(super) fn forest(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let known = |both: &&Comparison| both.effect.estimate.is_some();
    let comparisons: Vec<&Comparison> = figure.analysis.comparisons.iter().filter(known).collect();
    if comparisons.is_empty() {
        return Err(figure.missing("nothing is compared, or no effect is known"));
    }
    // The first at the top.
    let rows = || comparisons.iter().rev().enumerate().map(|(row, both)| (row as f64, *both));
    let dots: Vec<Point> = rows().filter_map(|(row, both)| Some((both.effect.estimate?, row))).collect();
    let line = |(row, both): (f64, &Comparison)| {
        let (low, high) = (both.effect.low?, both.effect.high?);
        Some(Layer::Line {
            points: vec![(low, row), (high, row)],
            ink: Ink::Estimate,
            dashed: false,
            name: None,
        })
    };
    let names: Vec<String> = rows().map(|(_, both)| name(&figure.analysis.names, both)).collect();
    let last = comparisons.len() as f64 - 1.0;
    let margin = figure.analysis.settings.margin_percent / 100.0;
    let down = |at: f64, dashed: bool| Layer::Line {
        points: vec![(at, -0.5), (at, last + 0.5)],
        ink: Ink::Soft,
        dashed,
        name: None,
    };
    let mut layers = vec![down(0.0, false), down(margin, true), down(-margin, true)];
    layers.extend(rows().filter_map(line));
    layers.push(Layer::Points { points: dots, ink: Ink::Estimate, name: None });
    let x = Axis::around("change (positive: worse)", Labels::Change, points(&layers).map(|(x, _)| x));
    let y = Axis { name: String::new(), from: -0.5, to: last + 0.5, labels: Labels::Names(names) };
    Ok(Panel { title: format!("{} comparisons", comparisons.len()), x, y, layers })
}

fn name(names: &Names, comparison: &Comparison) -> String {
    let (candidate, group) = (comparison.pair.candidate, names.group(comparison.pair.candidate));
    if group.is_empty() { names.arm(candidate).to_owned() } else { group.to_owned() }
}
