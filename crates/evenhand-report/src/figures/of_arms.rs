//! What do arms look like? Their samples in order, counted, summed up, against a normal distribution, against themselves.

use super::panel::{Axis, Ink, Labels, Layer, Panel, Point, in_order, points};
use super::{Figure, Undrawn};
use evenhand_analysis::charts::ArmChart;

/// A panel of a layer or more for each arm.
fn of_each(
    figure: &Figure<'_>,
    title: &str,
    [x, y]: [(&str, Labels); 2],
    layers: impl Fn(&ArmChart, Ink) -> Vec<Layer>,
) -> Result<Panel, Undrawn> {
    let arms = figure.arms();
    let layers: Vec<Layer> =
        arms.iter().enumerate().flat_map(|(place, arm)| layers(arm, Ink::of_arm(place))).collect();
    if points(&layers).next().is_none() {
        return Err(figure.missing("no samples are stored, or their order is lost"));
    }
    let x = Axis::around(x.0, x.1, points(&layers).map(|(x, _)| x));
    let y = Axis::around(y.0, y.1, points(&layers).map(|(_, y)| y));
    Ok(Panel { title: title.to_owned(), x, y, layers })
}

/// The cost on an axis: all arms of a figure have one metric.
fn cost(figure: &Figure<'_>) -> (String, Labels) {
    let first = figure.arms().first().copied();
    let known = first.map(|arm| (arm.metric.clone(), Labels::Quantity(arm.unit.clone())));
    known.unwrap_or_else(|| (String::new(), Labels::Plain))
}

pub(super) fn run(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let (metric, unit) = cost(figure);
    of_each(
        figure,
        "every sample, in the order taken",
        [("sample", Labels::Plain), (&metric, unit)],
        |arm, ink| {
            // Their samples are shuffled.
            if arm.order_lost {
                return Vec::new();
            }
            let points = in_order(&figure.charts.columns.read(&arm.samples));
            vec![Layer::Points { points, ink, name: Some(arm.arm.clone()) }]
        },
    )
}

pub(super) fn distribution(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let (metric, unit) = cost(figure);
    of_each(figure, "share of the samples", [(&metric, unit), ("share", Labels::Plain)], |arm, ink| {
        let Some(bins) = &arm.histogram else { return Vec::new() };
        let samples = (bins.counts.iter().sum::<u64>() + bins.below + bins.above) as f64;
        let steps = bins.counts.iter().zip(bins.edges.windows(2)).flat_map(|(count, ends)| {
            let share = *count as f64 / samples;
            [(ends[0], share), (ends[1], share)]
        });
        let ends =
            [bins.edges.first(), bins.edges.last()].map(|edge| (edge.copied().unwrap_or_default(), 0.0));
        let points: Vec<Point> = [ends[0]].into_iter().chain(steps).chain([ends[1]]).collect();
        let ground = points.iter().map(|(x, _)| (*x, 0.0)).collect();
        vec![
            Layer::Band { low: ground, high: points.clone(), ink },
            Layer::Line { points, ink, dashed: false, name: Some(arm.arm.clone()) },
        ]
    })
}

pub(super) fn cumulative(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let (metric, unit) = cost(figure);
    of_each(
        figure,
        "share of the samples up to this value",
        [(&metric, unit), ("share", Labels::Plain)],
        |arm, ink| {
            let mut samples = figure.charts.columns.read(&arm.samples);
            samples.sort_unstable_by(f64::total_cmp);
            let count = samples.len() as f64;
            let points =
                in_order(&samples).into_iter().map(|(place, cost)| (cost, (place + 1.0) / count)).collect();
            vec![Layer::Line { points, ink, dashed: false, name: Some(arm.arm.clone()) }]
        },
    )
}

pub(super) fn quantiles(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let (metric, unit) = cost(figure);
    let normal = ("normal quantile", Labels::Plain);
    of_each(figure, "samples against a normal distribution", [normal, (&metric, unit)], |arm, ink| {
        let Some(quantiles) = &arm.quantiles else { return Vec::new() };
        let points: Vec<Point> =
            quantiles.normal.iter().copied().zip(quantiles.sample.iter().copied()).collect();
        let line = arm.normal_fit.map(|fit| {
            let ends = [points.first(), points.last()].into_iter().flatten();
            ends.map(|(z, _)| (*z, fit.location + fit.scale * z)).collect()
        });
        let line = line.map(|points| Layer::Line { points, ink, dashed: true, name: None });
        let points = Layer::Points { points, ink, name: Some(arm.arm.clone()) };
        line.into_iter().chain([points]).collect()
    })
}

pub(super) fn autocorrelation(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let axes = [("lag (samples)", Labels::Plain), ("autocorrelation", Labels::Plain)];
    let mut panel = of_each(figure, "autocorrelation", axes, |arm, ink| {
        let lags = arm.autocorrelation.iter().zip(1..);
        let points: Vec<Point> = lags.map(|(memory, lag)| (f64::from(lag), *memory)).collect();
        if points.is_empty() {
            return Vec::new();
        }
        vec![
            Layer::Line { points: points.clone(), ink, dashed: false, name: None },
            Layer::Points { points, ink, name: Some(arm.arm.clone()) },
        ]
    })?;
    let within = figure.arms().first().map_or(0.0, |arm| arm.independent_within);
    let across = |at: f64| vec![(panel.x.from, at), (panel.x.to, at)];
    panel.layers.insert(0, Layer::Band { low: across(-within), high: across(within), ink: Ink::Soft });
    panel.y = Axis::around("autocorrelation", Labels::Plain, points(&panel.layers).map(|(_, y)| y));
    Ok(panel)
}

pub(super) fn running_mean(figure: &Figure<'_>) -> Result<Panel, Undrawn> {
    let (metric, unit) = cost(figure);
    let title = "mean by number of samples; dashed: error if they were independent";
    let mut panel = of_each(figure, title, [("samples", Labels::Plain), (&metric, unit)], |arm, ink| {
        let line = |of: &dyn Fn(f64, f64, Option<f64>) -> Option<f64>| -> Vec<Point> {
            let known = arm
                .running_mean
                .iter()
                .filter_map(|at| Some((at.after as f64, of(at.mean, at.naive, at.corrected)?)));
            known.collect()
        };
        let dashed = |points| Layer::Line { points, ink, dashed: true, name: None };
        vec![
            Layer::Band {
                low: line(&|mean, _, half| Some(mean - half?)),
                high: line(&|mean, _, half| Some(mean + half?)),
                ink,
            },
            dashed(line(&|mean, half, _| Some(mean - half))),
            dashed(line(&|mean, half, _| Some(mean + half))),
            Layer::Line {
                points: line(&|mean, _, _| Some(mean)),
                ink,
                dashed: false,
                name: Some(arm.arm.clone()),
            },
        ]
    })?;
    // The first intervals are so wide that the last would be a line.
    let arms = figure.arms();
    let late = arms.iter().flat_map(|arm| {
        let last = arm.running_mean.last().map_or(0, |last| last.after);
        arm.running_mean.iter().filter(move |at| at.after > last / 20)
    });
    let ends = late.flat_map(|at| {
        let half = at.corrected.unwrap_or(at.naive).max(at.naive);
        [at.mean - half, at.mean + half]
    });
    panel.y = Axis::around(&panel.y.name, panel.y.labels, ends);
    Ok(panel)
}
