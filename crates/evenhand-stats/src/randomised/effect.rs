//! What is estimated: the effect, a log ratio of candidate over baseline.
//!
//! d_i = ln(B_i / A_i) for round i, A the baseline and B the candidate; positive means that the candidate
//! was slower. Logs make "1 % slower" and "1 % faster" opposite numbers and turn a factor into a shift.
//!
//! Tests: `tests/verdict.rs`.

use crate::error::{InputError, in_range, positive, same_length};

/// An effect: the natural logarithm of candidate time over baseline time.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct LogRatio(pub f64);

impl LogRatio {
    /// The effect of a change in percent: `1.0` means 1 % slower. `None` at -100 % and below.
    pub fn from_percent(percent: f64) -> Option<Self> {
        (percent > -100.0 && percent.is_finite()).then(|| Self((percent / 100.0).ln_1p()))
    }

    /// The effect as a change in percent of the baseline.
    pub fn percent(self) -> f64 {
        100.0 * self.0.exp_m1()
    }

    /// The effect as a factor on the baseline.
    pub fn factor(self) -> f64 {
        self.0.exp()
    }
}

/// The effect of each round, ln(candidate/baseline), in round order.
///
/// # Errors
/// The times are finite and above zero, and both arms have one time a round.
pub fn differences(baseline: &[f64], candidate: &[f64]) -> Result<Vec<f64>, InputError> {
    same_length(baseline, candidate, "candidate")?;
    positive(baseline, "baseline")?;
    positive(candidate, "candidate")?;
    // Two logarithms, not the logarithm of a quotient: the quotient of a huge and a tiny time overflows.
    Ok(baseline.iter().zip(candidate).map(|(a, b)| b.ln() - a.ln()).collect())
}

/// No two doubles above zero have a log ratio beyond this: ln(1.8e308 / 4.9e-324) = 1454.
pub const LARGEST: LogRatio = LogRatio(1500.0);

/// Refuses an effect that no two times can have, NaN and infinities included.
pub(crate) fn plausible(difference: LogRatio) -> Result<(), InputError> {
    in_range(difference.0, -LARGEST.0, LARGEST.0, "difference")
}
