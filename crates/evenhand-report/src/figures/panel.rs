//! What is a plot made of? Two axes and layers on them, from the back to the front. Nothing here draws.
//!
//! Colours are those of the page, by the same names; arms have Okabe and Ito's ("Color universal design", 2008), which people who see
//! colours otherwise can tell apart too.

use evenhand_analysis::words::{change, quantity};
use evenhand_trial::Unit;

pub(super) type Point = (f64, f64);

/// A plot.
#[derive(Debug, Clone)]
pub(super) struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub layers: Vec<Layer>,
}

/// What the numbers along an axis are, and from where to where.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub name: String,
    pub from: f64,
    pub to: f64,
    pub labels: Labels,
}

/// How a number beside an axis is written.
#[derive(Debug, Clone)]
pub(super) enum Labels {
    /// `1.2 ms`.
    Quantity(Unit),
    /// `+1.2 %`.
    Change,
    /// `12`.
    Plain,
    /// These names, at 0, 1, 2 and so on.
    Names(Vec<String>),
}

/// Something on the axes; with a name it is in the legend.
#[derive(Debug, Clone)]
pub(super) enum Layer {
    Points {
        points: Vec<Point>,
        ink: Ink,
        name: Option<String>,
    },
    Line {
        points: Vec<Point>,
        ink: Ink,
        dashed: bool,
        name: Option<String>,
    },
    /// Between two lines.
    Band {
        low: Vec<Point>,
        high: Vec<Point>,
        ink: Ink,
    },
}

impl Layer {
    /// Whether it is in the legend.
    pub(super) fn is_named(&self) -> bool {
        matches!(self, Self::Points { name: Some(_), .. } | Self::Line { name: Some(_), .. })
    }
}

/// What something is drawn with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    Baseline,
    Candidate,
    /// Rounds and launches.
    Difference,
    /// The effect and its interval.
    Estimate,
    /// Zero, margins, fits.
    Soft,
}

impl Ink {
    pub(super) fn rgb(self) -> (u8, u8, u8) {
        match self {
            Self::Baseline => (0x00, 0x72, 0xb2),
            Self::Candidate => (0xd5, 0x5e, 0x00),
            Self::Difference => (0x5b, 0x66, 0x72),
            Self::Estimate => (0x7a, 0x3e, 0x9d),
            Self::Soft => (0x4b, 0x55, 0x60),
        }
    }

    /// Of the arms in their order.
    pub(super) fn of_arm(place: usize) -> Self {
        if place == 0 { Self::Baseline } else { Self::Candidate }
    }
}

impl Labels {
    pub(super) fn label(&self, value: f64) -> String {
        match self {
            Self::Quantity(unit) => quantity(value, unit),
            Self::Change => change(value),
            // Ticks are multiples of a step that a double does not hold exactly.
            Self::Plain => format!("{}", (value * 1e9).round() / 1e9),
            Self::Names(names) => {
                let whole = value.round();
                let near = (value - whole).abs() < 1e-6 && whole >= 0.0;
                names.get(whole as usize).filter(|_| near).cloned().unwrap_or_default()
            }
        }
    }
}

impl Axis {
    /// An axis that shows all of these, with a little room.
    pub(super) fn around(name: &str, labels: Labels, values: impl Iterator<Item = f64>) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let room = if low < high { 0.04 * (high - low) } else { (0.01 * low.abs()).max(1e-12) };
        Self { name: name.to_owned(), from: low - room, to: high + room, labels }
    }
}

/// All points of some layers.
pub(super) fn points(layers: &[Layer]) -> impl Iterator<Item = Point> {
    layers
        .iter()
        .flat_map(|layer| match layer {
            Layer::Points { points, .. } | Layer::Line { points, .. } => points.iter().chain(&[]),
            Layer::Band { low, high, .. } => low.iter().chain(high.as_slice()),
        })
        .copied()
}

/// More cannot be told apart side by side.
const SIDE_BY_SIDE: usize = 1000;

/// Values in their order as points; of very many, in each of a thousand stretches the smallest and the largest, so that no extreme is
/// lost.
pub(super) fn in_order(values: &[f64]) -> Vec<Point> {
    let stretch = values.len().div_ceil(SIDE_BY_SIDE).max(1);
    if stretch <= 2 {
        return values.iter().enumerate().map(|(place, value)| (place as f64, *value)).collect();
    }
    let extremes = |(number, stretch_values): (usize, &[f64])| {
        let at = |place: usize| ((number * stretch + place) as f64, stretch_values[place]);
        let by_value = |a: &usize, b: &usize| stretch_values[*a].total_cmp(&stretch_values[*b]);
        let places = || (0..stretch_values.len()).filter(|place| !stretch_values[*place].is_nan());
        [places().min_by(by_value), places().max_by(by_value)]
            .into_iter()
            .flatten()
            .map(at)
            .collect::<Vec<_>>()
    };
    values.chunks(stretch).enumerate().flat_map(extremes).collect()
}
