//! Is the share of successes what a coin of known bias would give?
//!
//! The exact binomial test: the p-value is the chance of all counts that are no likelier than the one seen
//! (Clopper and Pearson's tail on the side seen, and on the other side every count of at most the same
//! probability; the convention of R's `binom.test` and scipy's `binomtest`, relative slack 1e-7).
//!
//! The tail is summed from its largest term outwards: statrs' incomplete beta function stops its continued
//! fraction after 140 steps, too few for tens of thousands of trials.
//!
//! Tests: tests/rank_tests.rs

use crate::error::{InputError, Rule, probability};
use statrs::function::factorial::ln_binomial;

/// Two probabilities that are nearer than this, relatively, count as equal.
const SLACK: f64 = 1.0 + 1e-7;

/// Two-sided p-value of `successes` in `trials` when each succeeds with `chance` (strictly between 0 and 1).
pub fn binomial_test(successes: u64, trials: u64, chance: f64) -> Result<f64, InputError> {
    probability(chance, "chance")?;
    if trials == 0 {
        return Err(InputError::new(Rule::AtLeast { needed: 1, got: 0 }, "trials"));
    }
    if successes > trials {
        return Err(InputError::new(Rule::InRange { low: 0.0, high: trials as f64 }, "successes"));
    }
    Ok(two_sided(successes, trials, chance))
}

fn two_sided(successes: u64, trials: u64, chance: f64) -> f64 {
    let expected = trials as f64 * chance;
    if successes as f64 == expected {
        return 1.0;
    }
    // Seen from the other side, too many successes are too few failures.
    if successes as f64 > expected {
        return too_few(trials - successes, trials, 1.0 - chance);
    }
    too_few(successes, trials, chance)
}

/// The lower tail and, beyond the expected count, every count that is no likelier than `successes`.
fn too_few(successes: u64, trials: u64, chance: f64) -> f64 {
    let limit = exactly(successes, trials, chance) * SLACK;
    let (mut low, mut high) = ((trials as f64 * chance).ceil() as u64, trials + 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if exactly(middle, trials, chance) <= limit {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    let upper = if low > trials { 0.0 } else { at_most(trials - low, trials, 1.0 - chance) };
    (at_most(successes, trials, chance) + upper).min(1.0)
}

/// P(count ≤ successes).
pub(crate) fn at_most(successes: u64, trials: u64, chance: f64) -> f64 {
    if successes >= trials {
        return 1.0;
    }
    if successes as f64 > trials as f64 * chance {
        return 1.0 - at_most(trials - successes - 1, trials, 1.0 - chance);
    }
    let odds = (1.0 - chance) / chance;
    let mut term = exactly(successes, trials, chance);
    let mut sum = term;
    for count in (1..=successes).rev() {
        term *= odds * count as f64 / (trials - count + 1) as f64;
        sum += term;
        if term <= sum * f64::EPSILON / 16.0 {
            break;
        }
    }
    sum.min(1.0)
}

/// P(count = successes).
fn exactly(successes: u64, trials: u64, chance: f64) -> f64 {
    let failures = (trials - successes) as f64;
    (ln_binomial(trials, successes) + successes as f64 * chance.ln() + failures * (-chance).ln_1p()).exp()
}
