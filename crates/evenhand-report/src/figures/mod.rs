//! How does one picture look on paper? A single plot of a trial as SVG or PNG, for an article or a slide.
//!
//! | file | question |
//! |---|---|
//! | `panel.rs` | what is a plot made of? Axes and layers; no drawing |
//! | `of_arms.rs` | what do arms look like: samples in order, distribution, quantiles, memory, running mean |
//! | `of_comparison.rs` | what do two look like beside each other: difference, shift, scatter, all effects |
//! | `draw.rs` | how does a panel become SVG or PNG? With plotters, and for PNG with the font in `font/` |
//!
//! Every number is one of the analysis or of [`Charts`]; here only axes are chosen.
//!
//! Tests: `tests/figures.rs`.

mod draw;
mod of_arms;
mod of_comparison;
mod panel;

pub use draw::Undrawn;

use evenhand_analysis::Analysis;
use evenhand_analysis::charts::{ArmChart, Charts, ComparisonChart};
use panel::Panel;
use std::fmt;

/// Which picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Each round's difference, and the interval that narrows.
    Difference,
    /// Every sample in the order taken.
    Run,
    /// Samples counted in bins.
    Distribution,
    /// The share of samples up to each time.
    Cumulative,
    /// The samples' quantiles against those of a normal distribution.
    Quantiles,
    /// The ratio at every percentile.
    Shift,
    /// Baseline against candidate, round by round.
    Scatter,
    /// How much samples resemble the ones before them.
    Autocorrelation,
    /// The mean of ever more samples.
    RunningMean,
    /// All effects with their intervals.
    Forest,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Difference,
        Self::Run,
        Self::Distribution,
        Self::Cumulative,
        Self::Quantiles,
        Self::Shift,
        Self::Scatter,
        Self::Autocorrelation,
        Self::RunningMean,
        Self::Forest,
    ];

    /// As it is called on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Difference => "difference",
            Self::Run => "run",
            Self::Distribution => "distribution",
            Self::Cumulative => "cumulative",
            Self::Quantiles => "quantiles",
            Self::Shift => "shift",
            Self::Scatter => "scatter",
            Self::Autocorrelation => "autocorrelation",
            Self::RunningMean => "running-mean",
            Self::Forest => "forest",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a plot is of, by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A comparison; the arms of the first one's metric, where there is none.
    Comparison(usize),
    /// A single arm.
    Arm(usize),
}

/// One plot of a trial.
#[derive(Debug, Clone, Copy)]
pub struct Figure<'a> {
    pub analysis: &'a Analysis,
    pub charts: &'a Charts,
    pub kind: Kind,
    /// Of what.
    pub of: Of,
    /// Width and height in pixels.
    pub size: (u32, u32),
}

impl Figure<'_> {
    /// The plot as SVG.
    ///
    /// # Errors
    /// What this picture needs and the trial does not have.
    pub fn svg(&self) -> Result<String, Undrawn> {
        draw::svg(&self.panel()?, self.size)
    }

    /// The plot as a PNG file, with so many pixels for each of its size in both directions.
    ///
    /// # Errors
    /// As [`Figure::svg`]; and a picture of more than 100 million pixels.
    pub fn png(&self, scale: u32) -> Result<Vec<u8>, Undrawn> {
        draw::png(&self.panel()?, self.size, scale.max(1))
    }

    fn panel(&self) -> Result<Panel, Undrawn> {
        match self.kind {
            Kind::Run => of_arms::run(self),
            Kind::Distribution => of_arms::distribution(self),
            Kind::Cumulative => of_arms::cumulative(self),
            Kind::Quantiles => of_arms::quantiles(self),
            Kind::Autocorrelation => of_arms::autocorrelation(self),
            Kind::RunningMean => of_arms::running_mean(self),
            Kind::Difference => of_comparison::difference(self),
            Kind::Shift => of_comparison::shift(self),
            Kind::Scatter => of_comparison::scatter(self),
            Kind::Forest => of_comparison::forest(self),
        }
    }

    /// The comparison that was asked for.
    fn compared(&self) -> Result<&ComparisonChart, Undrawn> {
        let (what, found) = match self.of {
            Of::Comparison(place) => {
                ("nothing is compared in this trial", self.charts.comparisons.get(place))
            }
            Of::Arm(_) => ("a single command or benchmark has no comparison", None),
        };
        found.ok_or_else(|| Undrawn(format!("{what}: no chart \"{}\" of it", self.kind)))
    }

    /// The comparison's place, where one was asked for.
    fn place(&self) -> Option<usize> {
        if let Of::Comparison(place) = self.of { Some(place) } else { None }
    }

    /// Its two arms, the one arm, or all arms that have a metric in common with the first: they share an axis.
    fn arms(&self) -> Vec<&ArmChart> {
        let arms = &self.charts.arms;
        let alike = |arm: &&ArmChart| {
            arms.first().is_some_and(|first| (&first.metric, &first.unit) == (&arm.metric, &arm.unit))
        };
        let of = |place: usize| self.charts.comparisons.get(place);
        match self.of {
            Of::Arm(place) => arms.get(place).into_iter().collect(),
            Of::Comparison(place) => match of(place) {
                Some(both) => {
                    [both.baseline, both.candidate].iter().filter_map(|arm| arms.get(*arm)).collect()
                }
                None => arms.iter().filter(alike).collect(),
            },
        }
    }

    fn missing(&self, what: &str) -> Undrawn {
        Undrawn(format!("no chart \"{}\" of this trial: {what}", self.kind))
    }
}
