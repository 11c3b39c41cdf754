//! How much of a series is left unforeseen, once its memory is taken into account?
//!
//! Each value is foretold from those before it by an autoregression, fitted by Burg's recursion (*Proc. 37th Meeting of the
//! Society of Exploration Geophysicists*, 1967), which, unlike Yule and Walker's, also fits a walk. The surprise is −2 ln
//! likelihood up to a constant, m ln s² with s² the variance of what could not be foretold, plus ln m for each coefficient
//! (Schwarz 1978). Two descriptions of a series are told apart by the difference of the surprise they leave, which neither a
//! long memory nor a walk makes larger: a slow wave is foretold by the memory as well as by steps.
//!
//! Tests: `tests/stationarity.rs`, and below.

/// What is left below this share of the variance of the series is rounding.
const NO_NOISE: f64 = 1e-12;
/// An autoregression of a higher order fits a short run by chance.
const SAMPLES_PER_COEFFICIENT: usize = 10;
/// A reflection coefficient of 1 would be a perfect prediction, which no finite series proves.
const LARGEST_REFLECTION: f64 = 0.999;

/// What an autoregression of the best order leaves unforeseen of the residuals of a series of variance `power`.
pub(crate) fn surprise(residuals: &[f64], power: f64) -> f64 {
    let m = residuals.len() as f64;
    let cost = |left: f64, order: usize| m * left.max(NO_NOISE * power).ln() + order as f64 * m.ln();
    let most = ((10.0 * m.log10()) as usize).min(residuals.len() / SAMPLES_PER_COEFFICIENT);
    let (mut forward, mut backward) = (residuals.to_vec(), residuals.to_vec());
    let mut left = residuals.iter().map(|r| r * r).sum::<f64>() / m;
    let mut least = cost(left, 0);
    for order in 1..=most {
        left *= 1.0 - burg_step(&mut forward, &mut backward, order).powi(2);
        least = least.min(cost(left, order));
    }
    least
}

/// Takes one lag more into account in the errors of both directions; returns the reflection coefficient.
fn burg_step(forward: &mut [f64], backward: &mut [f64], order: usize) -> f64 {
    let m = forward.len();
    let (mut product, mut power) = (0.0, 0.0);
    for t in order..m {
        product += forward[t] * backward[t - 1];
        power += forward[t] * forward[t] + backward[t - 1] * backward[t - 1];
    }
    if power <= 0.0 {
        return 0.0;
    }
    let reflection = (2.0 * product / power).clamp(-LARGEST_REFLECTION, LARGEST_REFLECTION);
    for t in (order..m).rev() {
        let (ahead, behind) = (forward[t], backward[t - 1]);
        forward[t] = ahead - reflection * behind;
        backward[t] = behind - reflection * ahead;
    }
    reflection
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Levels that explain everything would else be infinitely better than others that do, and their difference no number.
    #[test]
    fn where_nothing_is_left_the_surprise_is_a_number() {
        let (none, rounding) = (surprise(&[0.0; 40], 1.0), surprise(&[1e-17; 40], 1.0));
        assert!(none.is_finite() && none <= rounding && rounding < surprise(&[1e-3; 40], 1.0));
    }
}
