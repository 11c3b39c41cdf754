//! What do launches say that rounds cannot? The verdict over launches.
//!
//! A launch draws a memory layout, a core and a hash seed once, for all its rounds. Thousands of rounds inside
//! one launch say nothing about the next. So each launch gives one effect, the median of its rounds' effects,
//! and the same e-process runs over launches with the coin that ordered each launch as the coin. With two or
//! more launches this is the verdict; the interval within launches is shown beside it.
//!
//! Tests: `tests/launches.rs`.

use super::confidence_sequence::{ConfidenceSequence, Look};
use super::effect::LogRatio;
use super::position::{Placed, Position};
use super::score::Mixture;
use crate::error::{InputError, Rule, finite, probability};
use crate::order::median;

/// The fewest rounds whose median stands for a launch.
pub const FEWEST_ROUNDS: usize = 8;

/// The answer over launches, and the one inside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Launches {
    /// The effect of each launch with enough rounds, in launch order.
    pub effects: Vec<LogRatio>,
    /// Launches left out because they had fewer than [`FEWEST_ROUNDS`] rounds.
    pub too_short: usize,
    /// "This build's layout": from all rounds, as if the launches did not differ.
    pub within: Look,
    /// "Across launches": the verdict rests on this one when there are two launches or more.
    pub across: Look,
    /// Natural logarithm of the e-value against "no difference", across launches.
    pub ln_e_across: f64,
    /// How the effects of rounds and launches scatter; `None` with fewer than two launches.
    pub scatter: Option<Scatter>,
    /// Set when this many launches could never reach the error rate, however they fell.
    pub too_few: Option<TooFew>,
}

/// There are too few launches to ever decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooFew {
    /// Launches there are.
    pub launches: usize,
    /// The fewest launches with which the e-process could decide.
    pub needed: usize,
}

/// How much luck lies within launches and between them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scatter {
    /// Standard deviation of a round's effect inside its launch (1.4826 × median absolute deviation, so that
    /// spikes do not rule it), averaged as a variance.
    pub within: f64,
    /// Standard deviation of the launches' own effects: what would remain with endless rounds in each.
    pub between: f64,
}

impl Launches {
    /// The analysis of one trial: `rounds[k]` are the differences of launch k in round order, with their places if they are known.
    ///
    /// # Errors
    /// At least one launch has [`FEWEST_ROUNDS`] rounds; all differences are finite; `alpha` in (0, 1).
    pub fn of<R: Copy + Into<Placed>>(rounds: &[&[R]], alpha: f64) -> Result<Self, InputError> {
        probability(alpha, "alpha")?;
        let long: Vec<&[R]> = rounds.iter().copied().filter(|r| r.len() >= FEWEST_ROUNDS).collect();
        if long.is_empty() {
            let got = rounds.iter().map(|r| r.len()).max().unwrap_or(0);
            return Err(InputError::new(Rule::AtLeast { needed: FEWEST_ROUNDS, got }, "rounds"));
        }
        for launch in rounds.iter().filter(|launch| !launch.is_empty()) {
            finite(&launch.iter().map(|round| (*round).into().difference).collect::<Vec<_>>(), "rounds")?;
        }
        let (mut position, mut of_rounds) = (Position::default(), Position::default());
        let rounds_within: Vec<f64> =
            long.iter().copied().flatten().map(|round| of_rounds.round((*round).into())).collect();
        let long: Vec<OneLaunch> =
            long.iter().filter_map(|launch| OneLaunch::of(launch, &mut position)).collect();
        let effects: Vec<f64> = long.iter().map(|launch| launch.effect.0).collect();
        let mut across = ConfidenceSequence::of(&effects, alpha, Mixture::launches())?;
        let mut within = ConfidenceSequence::of(&rounds_within, alpha, Mixture::rounds())?;
        Ok(Self {
            too_short: rounds.len() - long.len(),
            within: within.look(),
            across: across.look(),
            ln_e_across: across.ln_e_value(LogRatio(0.0)),
            scatter: Scatter::of(&long),
            too_few: too_few(effects.len(), alpha),
            effects: effects.into_iter().map(LogRatio).collect(),
        })
    }
}

/// What one launch says, without its rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneLaunch {
    /// The median of its rounds' effects.
    pub effect: LogRatio,
    /// How they scatter around it.
    pub within: f64,
    /// How many they are.
    pub rounds: usize,
}

impl OneLaunch {
    /// `None` with fewer than [`FEWEST_ROUNDS`]. `position`: what the launches before it say of the places.
    pub fn of<R: Copy + Into<Placed>>(rounds: &[R], position: &mut Position) -> Option<Self> {
        if rounds.len() < FEWEST_ROUNDS {
            return None;
        }
        let rounds = position.launch(rounds);
        let effect = median(&rounds);
        let within = robust_deviation(&rounds, effect);
        Some(Self { effect: LogRatio(effect), within, rounds: rounds.len() })
    }
}

impl Scatter {
    /// `None` with fewer than two launches.
    pub fn of(launches: &[OneLaunch]) -> Option<Self> {
        let count = launches.len() as f64;
        if launches.len() < 2 {
            return None;
        }
        let mean_of = |number: &dyn Fn(&OneLaunch) -> f64| launches.iter().map(number).sum::<f64>() / count;
        let within = mean_of(&|launch| launch.within.powi(2));
        let effect = mean_of(&|launch| launch.effect.0);
        let of_effects = mean_of(&|launch| (launch.effect.0 - effect).powi(2)) * count / (count - 1.0);
        // The median of r normal rounds has variance π/2 · s²/r: that part is the rounds' doing, not the launches'.
        let of_medians = std::f64::consts::FRAC_PI_2 * within / mean_of(&|launch| launch.rounds as f64);
        Some(Self { within: within.sqrt(), between: (of_effects - of_medians).max(0.0).sqrt() })
    }

    /// Rounds per launch that use the time best: √(launch cost / round cost × within / between variance).
    /// `None` when launches do not scatter: then one launch is as good as many.
    pub fn rounds_per_launch(self, launch_cost_over_round_cost: f64) -> Option<f64> {
        let ratio = self.within.powi(2) / self.between.powi(2);
        let rounds = (launch_cost_over_round_cost.max(0.0) * ratio).sqrt();
        rounds.is_finite().then_some(rounds.max(FEWEST_ROUNDS as f64))
    }
}

/// Whether `launches` can never reach `alpha`: not even with all effects on one side.
fn too_few(launches: usize, alpha: f64) -> Option<TooFew> {
    let needed = fewest_to_decide(alpha, &Mixture::launches());
    (launches < needed).then_some(TooFew { launches, needed })
}

/// The fewest rounds (or launches) with which the e-process of `mixture` could decide at `alpha`: all on one side, in
/// the luckiest order. For comparison, a two-sided sign test needs 2^(1-K) ≤ α.
pub fn fewest_to_decide(alpha: f64, mixture: &Mixture) -> usize {
    const GIVE_UP: usize = 10_000;
    let mut process = super::EProcess::against(LogRatio(0.0), mixture);
    // Ever larger magnitudes rank highest each time; equal ones rank in the middle. The luckier of the two counts.
    let mut alike = process.clone();
    for k in 1..GIVE_UP {
        let pushed = process.push(LogRatio(k as f64)).and(alike.push(LogRatio(1.0)));
        if pushed.is_err() || process.refutes(alpha) || alike.refutes(alpha) {
            return k;
        }
    }
    GIVE_UP
}

fn robust_deviation(values: &[f64], centre: f64) -> f64 {
    let distances: Vec<f64> = values.iter().map(|v| (v - centre).abs()).collect();
    1.4826 * median(&distances)
}
