//! What are two series worth by ranks, if one varies more than the other?
//!
//! Mann–Whitney's U assumes that both series vary alike. Where the smaller one varies more, U varies more than it says: 19 values with ten times the
//! spread of 200 others are called different in 11 % of draws at 1 %. How much U really varies shows in the series themselves: aligned by the
//! estimated shift, each value has a place from 0 to 1 among the values of the other series, and with V_x and V_y the variances of the places
//! (divisor count − 1)
//!
//! var(U/nm) = V_x/n + V_y/m (Brunner and Munzel, "The nonparametric Behrens–Fisher problem", Biometrical Journal 42, 2000).
//!
//! Of equal spreads that is (1/n + 1/m + 2/(nm))/12 in the mean. If it is more, both series are worth as many times less ([`Worths::allowing`]), and the
//! bounds are those of fewer values; if less, they are left as they are.
//!
//! Five values a side have bounds at 1 % only where all their worth counts, six or seven where nearly all does. As much of it is kept as makes
//! bounds possible, so there unequal spreads are allowed for little or not at all.
//!
//! Tests: tests/unpaired.rs, calibration (no coin).

use super::margins::smallest_pairwise_misrate;
use super::welch::Moments;
use crate::error::InputError;
use crate::order::ascending;

/// Logarithms that differ by less are equal: the shift that aligns the series is rounded.
const ROUNDING: f64 = 1e-9;
/// Fewer draws than two tell nothing of how much a series varies.
const FEWEST: usize = 2;
/// What is kept of the worth rises to all of it in so many steps, until bounds are possible.
const STEPS: u32 = 20;

/// How many independent draws two series are worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worths {
    x: f64,
    y: f64,
}

impl Worths {
    pub(super) fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// Whole draws of both, allowing for how unlike two aligned series vary, as far as bounds with this misrate remain possible.
    pub(super) fn allowing(self, x: &[f64], y: &[f64], misrate: f64) -> Result<(usize, usize), InputError> {
        let kept = self.kept(x, y)?;
        let shares = (0..=STEPS).map(|step| kept + (1.0 - kept) * f64::from(step) / f64::from(STEPS));
        let possible = |(n, m): &(usize, usize)| smallest_pairwise_misrate(*n, *m) <= misrate;
        let allowing = shares.map(|share| self.whole_draws(share)).find(possible);
        // Where even all of it is not enough, the bounds show it.
        Ok(allowing.unwrap_or_else(|| self.whole_draws(1.0)))
    }

    /// Ranks need whole draws; a part of one does not count.
    fn whole_draws(self, share: f64) -> (usize, usize) {
        let whole = |worth: f64| ((worth * share) as usize).max(FEWEST);
        (whole(self.x), whole(self.y))
    }

    /// The share of their worth that the variance of the places leaves, at most 1.
    fn kept(self, x: &[f64], y: &[f64]) -> Result<f64, InputError> {
        let (of_x, of_y) = (variance_of_places(x, y)?, variance_of_places(y, x)?);
        let found = of_x / self.x + of_y / self.y;
        let alike = (1.0 / self.x + 1.0 / self.y + 2.0 / (self.x * self.y)) / 12.0;
        Ok(if found > alike { alike / found } else { 1.0 })
    }
}

/// How much the places of the values among the others vary; ties count one half.
fn variance_of_places(values: &[f64], others: &[f64]) -> Result<f64, InputError> {
    let others = ascending(others);
    let place = |value: &f64| {
        let below = others.partition_point(|other| *other < value - ROUNDING);
        let reached = others.partition_point(|other| *other <= value + ROUNDING);
        (below + reached) as f64 / (2 * others.len()) as f64
    };
    let places: Vec<f64> = values.iter().map(place).collect();
    Ok(Moments::of(&places, "x")?.variance)
}
