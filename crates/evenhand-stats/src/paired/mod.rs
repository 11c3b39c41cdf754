//! The mean difference of paired rounds, and who is responsible for it.
//!
//! The verdict rests on the robust effect; the mean difference stays beside it, because throughput follows
//! the mean (docs/method.md). All functions here take the times of both arms in round order: index i is round i.
//!
//! | file | question |
//! |---|---|
//! | `difference.rs` | how large is the mean difference, and is it a change by Bazhenov's rule? |
//! | `pairing_off.rs` | are the excursions the machine's, so that they cancel? |
//! | `tails.rs` | which tail moves the mean away from the middle? |
//! | `winsoriser.rs` | Bazhenov's original way to mask outliers |
//!
//! Tests: tests/paired.rs.

mod difference;
mod pairing_off;
mod tails;
mod winsoriser;

pub use difference::{CHANGE_DETECTED, ChangeTest, MeanDifference, mean_difference};
pub use pairing_off::{PairingOff, PairingRule, equal_counts_p, pair_off};
pub use tails::{Tail, TailContributions, responsible_tail, tail_contributions};
pub use winsoriser::{Winsorised, bazhenov_winsoriser};

use crate::error::{InputError, at_least, in_range, positive, same_length, squarable};
use crate::order::{ascending, at_position};

/// Bounds beyond which a difference is an excursion: median - width * IQR and median + width * IQR.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fences {
    /// The median of the differences.
    pub median: f64,
    /// A difference strictly below this is an excursion.
    pub low: f64,
    /// A difference strictly above this is an excursion.
    pub high: f64,
}

/// The fences' usual width in interquartile ranges, as in Bazhenov's article.
pub const FENCE_WIDTH: f64 = 3.0;

/// The fences of the differences, with type 7 quartiles, `width` interquartile ranges on either side of the
/// median.
///
/// When at least half of the differences are the same, the range may be 0, and every other value is an
/// excursion.
///
/// # Errors
/// No differences, values that are not finite or cannot be squared, a negative or huge width.
pub fn fences(differences: &[f64], width: f64) -> Result<Fences, InputError> {
    squarable(differences, "differences")?;
    in_range(width, 0.0, 1e6, "width")?;
    let sorted = ascending(differences);
    let at = |share: f64| at_position(&sorted, share * (sorted.len() - 1) as f64);
    let (median, reach) = (at(0.5), width * (at(0.75) - at(0.25)));
    Ok(Fences { median, low: median - reach, high: median + reach })
}

/// Candidate less baseline, round by round.
///
/// # Errors
/// Fewer than 2 rounds, times that are not above zero or cannot be squared, arms of different length.
pub fn differences(baseline: &[f64], candidate: &[f64]) -> Result<Vec<f64>, InputError> {
    for (times, argument) in [(baseline, "baseline"), (candidate, "candidate")] {
        at_least(times, 2, argument)?;
        positive(times, argument)?;
        squarable(times, argument)?;
    }
    same_length(baseline, candidate, "candidate")?;
    Ok(baseline.iter().zip(candidate).map(|(baseline, candidate)| candidate - baseline).collect())
}
