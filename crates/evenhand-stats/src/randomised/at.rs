//! Which effects on the mean, or on a percentile, are not yet refuted? Where people are charged by the mean or promised a
//! percentile, that is what shall decide, not the typical round.
//!
//! For a hypothetical ratio e^τ the candidate's cost is divided by it: then both arms are exchangeable in a round, and the
//! scores of [`super::mean_and_tails`] are fair bets. The interval is the effects that they do not refute, from the best guess
//! outwards, and the best guess itself: where no ratio holds for all runs, the bets refute what the means say, and then the
//! interval reaches from one to the other, so that no word goes against the estimate. Unlike that of the typical round it is searched on a grid, and it is about a ratio that holds for all runs alike: of
//! an effect on some runs only it shows what that does to the mean, which calibration ("at the mean, at P90") counts.
//!
//! Tests: `tests/at.rs`, calibration.

use super::bets::{Bets, Thresholds, above, mean, percentile};
use super::confidence_sequence::{Interval, Look};
use super::effect::LogRatio;
use crate::error::{InputError, Rule, probability};
use std::fmt;
use std::str::FromStr;

/// What of an arm's cost decides.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum At {
    /// The typical round.
    #[default]
    Typical,
    /// The mean.
    Mean,
    /// A percentile, between 0 and 100.
    Percentile(f64),
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Typical => f.write_str("typical"),
            Self::Mean => f.write_str("mean"),
            Self::Percentile(percent) => write!(f, "P{percent}"),
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let percent =
            || text.strip_prefix(['P', 'p'])?.parse().ok().filter(|percent| (0.1..=99.99).contains(percent));
        match text {
            "typical" => Ok(Self::Typical),
            "mean" => Ok(Self::Mean),
            _ => percent()
                .map(Self::Percentile)
                .ok_or_else(|| "expected mean, typical, or a percentile such as P99".to_owned()),
        }
    }
}

/// The rounds, or launches, so far, ready to be asked about any effect on the mean or a percentile.
#[derive(Debug, Clone)]
pub struct AtSequence {
    percent: Option<f64>,
    alpha: f64,
    /// What the better and the worse arm cost, if the candidate is worse.
    costs: [Vec<f64>; 2],
    /// Where each round ends in `costs`; a launch counts as one.
    ends: Vec<usize>,
}

/// Doublings of the distance from the best guess, to a factor of e^68, and halvings then, while an end of the interval is sought.
const DOUBLINGS: i32 = 36;
const HALVINGS: usize = 40;
/// The first distance.
const NEAREST: f64 = 1e-9;

impl AtSequence {
    /// Before the first round; `None` where the typical round decides.
    ///
    /// # Errors
    /// `alpha` lies strictly between 0 and 1.
    pub fn new(at: At, alpha: f64) -> Result<Option<Self>, InputError> {
        probability(alpha, "alpha")?;
        let of = |percent| Some(Self { percent, alpha, costs: <[Vec<f64>; 2]>::default(), ends: Vec::new() });
        Ok(match at {
            At::Typical => None,
            At::Mean => of(None),
            At::Percentile(percent) => of(Some(percent)),
        })
    }

    /// The next round, or the next launch with the samples of all its rounds.
    ///
    /// # Errors
    /// There are as many of both, at least one, and all are above 0.
    pub fn push(&mut self, better: &[f64], worse: &[f64]) -> Result<(), InputError> {
        if better.is_empty() || better.len() != worse.len() {
            return Err(InputError::new(Rule::AtLeast { needed: 1, got: 0 }, "rounds"));
        }
        self.costs[0].extend(better);
        self.costs[1].extend(worse);
        self.ends.push(self.costs[0].len());
        Ok(())
    }

    /// Rounds so far, or launches.
    pub fn rounds(&self) -> usize {
        self.ends.len()
    }

    /// Natural logarithm of the e-value against `effect`.
    pub fn ln_e_value(&self, effect: LogRatio) -> f64 {
        let (mut more, mut less) = (Bets::default(), Bets::default());
        self.scores(effect.0, |score| {
            more.push(score);
            less.push(-score);
        });
        let (more, less) = (more.ln_e_value(), less.ln_e_value());
        let larger = more.max(less);
        larger + (((more - larger).exp() + (less - larger).exp()) / 2.0).ln()
    }

    fn scores(&self, effect: f64, mut each: impl FnMut(f64)) {
        let scale = (-effect).exp();
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        let mut thresholds = Thresholds::of([self.percent.unwrap_or(50.0)]);
        for (begin, end) in begins.zip(&self.ends) {
            let [better, worse] = [0, 1].map(|arm: usize| &self.costs[arm][begin..*end]);
            if self.percent.is_none() {
                each(scale * mean(worse) - mean(better));
                continue;
            }
            if let Some([threshold]) = thresholds.now {
                each(above(worse, threshold / scale) - above(better, threshold));
            }
            thresholds.take_in(better.iter().copied().chain(worse.iter().map(|cost| scale * cost)));
        }
    }

    /// The interval now.
    pub fn interval(&self) -> Look {
        let estimate = self.estimate();
        let is_open = |effect: f64| self.ln_e_value(LogRatio(effect)) < -self.alpha.ln();
        let Some(inside) = self.an_open_effect(estimate, &is_open) else { return Look::NoConstantEffect };
        let [low, high] = [-1.0, 1.0].map(|side| furthest_open(inside, side, &is_open));
        Look::Interval(Interval {
            low: low.map(|low| LogRatio(low.min(estimate))),
            estimate: LogRatio(estimate),
            high: high.map(|high| LogRatio(high.max(estimate))),
        })
    }

    /// The best guess; where even that is refuted, the nearest effect that is not.
    fn an_open_effect(&self, estimate: f64, is_open: &dyn Fn(f64) -> bool) -> Option<f64> {
        let near = (0..DOUBLINGS).map(distance).flat_map(|far| [estimate - far, estimate + far]);
        std::iter::once(estimate).chain(near).find(|effect| is_open(*effect))
    }

    fn estimate(&self) -> f64 {
        let [better, worse] = &self.costs;
        let value = |costs: &[f64]| match self.percent {
            None => mean(costs),
            Some(percent) => percentile(&mut costs.to_vec(), percent),
        };
        if better.is_empty() { 0.0 } else { value(worse).ln() - value(better).ln() }
    }
}

fn distance(doubling: i32) -> f64 {
    NEAREST * 2_f64.powi(doubling)
}

/// The last effect that is open on a side; `None` if none is refuted there.
fn furthest_open(inside: f64, side: f64, is_open: &dyn Fn(f64) -> bool) -> Option<f64> {
    let at = |far: f64| inside + side * far;
    if is_open(at(distance(DOUBLINGS))) {
        return None;
    }
    let open = (0..DOUBLINGS).rev().map(distance).find(|far| is_open(at(*far))).unwrap_or(0.0);
    let refuted = (0..=DOUBLINGS).map(distance).find(|far| *far > open).unwrap_or(NEAREST);
    let (mut open, mut refuted) = (open, refuted);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (open + refuted);
        if is_open(at(middle)) {
            open = middle;
        } else {
            refuted = middle;
        }
        if refuted - open < 1e-4 * refuted {
            break;
        }
    }
    // Outwards: what is reported is refuted beyond.
    Some(at(refuted))
}
