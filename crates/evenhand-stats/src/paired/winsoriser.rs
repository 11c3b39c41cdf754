//! How did Bazhenov's article (2023) mask outliers in its published figures?
//!
//! Bazhenov's first tool (2023-05) clipped the differences before taking their mean. With d sorted, IQR =
//! d[75n/100] - d[25n/100] and median d[n/2]: look at the end that is farther from the median; stop when it
//! is nearer than 3 IQR; otherwise remove it. After each removal the cut is *committed* when the removals
//! are balanced: the sides differ by fewer than 3, or by less than 30 % of all removed. At last everything
//! is clipped to the committed cut. Kept to reproduce the seed; [`super::pair_off`] is the method to use,
//! because this one hides what it did.
//!
//! Tests: tests/paired.rs.

use crate::error::{InputError, at_least, in_range, squarable};
use crate::order::ascending;

/// Differences clipped to balanced bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Winsorised {
    /// The differences in their original order, clipped.
    pub differences: Vec<f64>,
    /// The lower bound: values below were raised to it.
    pub low: f64,
    /// The upper bound: values above were lowered to it.
    pub high: f64,
    /// How many sorted values were cut at the bottom.
    pub cut_below: usize,
    /// How many sorted values were cut at the top.
    pub cut_above: usize,
}

/// Clips the differences as Bazhenov's first tool did.
///
/// `most_per_side` is the largest share that may be cut on a side: 0.05 since 2023-06-01, 1 before. At equal
/// distance the top is removed first.
///
/// # Errors
/// Fewer than 2 differences, values that are not finite or cannot be squared, a share outside 0..=1.
pub fn bazhenov_winsoriser(differences: &[f64], most_per_side: f64) -> Result<Winsorised, InputError> {
    at_least(differences, 2, "differences")?;
    squarable(differences, "differences")?;
    in_range(most_per_side, 0.0, 1.0, "most_per_side")?;
    let sorted = ascending(differences);
    let (cut_below, cut_above) = committed_cut(&sorted, most_per_side);
    let (low, high) = (sorted[cut_below], sorted[sorted.len() - 1 - cut_above]);
    let differences = differences.iter().map(|d| d.clamp(low, high)).collect();
    Ok(Winsorised { differences, low, high, cut_below, cut_above })
}

fn committed_cut(sorted: &[f64], most_per_side: f64) -> (usize, usize) {
    let count = sorted.len();
    let reach = 3.0 * (sorted[75 * count / 100] - sorted[25 * count / 100]);
    let median = sorted[count / 2];
    let most = (most_per_side * count as f64) as usize;
    let (mut below, mut above, mut committed) = (0, 0, (0, 0));
    while below + above + 1 < count {
        let (down, up) = (median - sorted[below], sorted[count - 1 - above] - median);
        if down.max(up) < reach {
            break;
        }
        if down > up {
            below += 1;
        } else {
            above += 1;
        }
        if below.max(above) > most {
            break;
        }
        if balanced(below, above) {
            committed = (below, above);
        }
    }
    committed
}

fn balanced(below: usize, above: usize) -> bool {
    let gap = below.abs_diff(above);
    gap < 3 || (gap as f64) / ((below + above) as f64) < 0.3
}
