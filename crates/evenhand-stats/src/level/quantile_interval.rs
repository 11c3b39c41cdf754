//! How sure is a quantile?
//!
//! The number B of samples below the true quantile ξ(p) is Binomial(n, p), whatever the distribution, so the order
//! statistics bracket it: `P(X(l) ≤ ξ ≤ X(u)) ≥ P(l ≤ B ≤ u − 1)` (David and Nagaraja, "Order Statistics", 3rd
//! edition, section 7.1). Each end may fail with half of what the confidence leaves over: `l` is the largest rank
//! with `P(B ≤ l − 1) ≤ α/2`, `u` the smallest with `P(B ≥ u) ≤ α/2`. The binomial sums are exact.
//!
//! Ranks are whole, so the achieved confidence is a little above the one asked for, and with few samples there may
//! be no such rank at all: 20 samples say nothing about how large P99 may be. That end is then `None`: the
//! samples set no bound.
//!
//! Consecutive timings resemble each other, so n of them know less than n independent ones. With an effective
//! sample size m < n the ranks are those of m samples, stretched by n/m. That is exact when each of m independent
//! values was seen n/m times, and otherwise as good as the effective size.
//!
//! Tests: tests/quantile.rs

use super::quantile::Sorted;
use crate::error::{InputError, in_range, probability};

/// An interval that holds the true quantile with at least the stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuantileInterval {
    /// The lower end; `None` when there are too few samples to bound this quantile from below.
    pub low: Option<f64>,
    /// The upper end; `None` when there are too few samples to bound this quantile from above.
    pub high: Option<f64>,
    /// The confidence achieved, at least the one asked for.
    pub confidence: f64,
}

impl Sorted {
    /// The interval for the quantile `p` from independent samples. `p` and `confidence` lie strictly between 0
    /// and 1: no number of samples bounds the largest possible value.
    pub fn quantile_interval(&self, p: f64, confidence: f64) -> Result<QuantileInterval, InputError> {
        self.quantile_interval_effective(p, confidence, self.count() as f64)
    }

    /// The interval for the quantile `p` when the samples are worth only `effective` independent ones,
    /// 1 ≤ `effective` ≤ n (a fraction is rounded down).
    pub fn quantile_interval_effective(
        &self,
        p: f64,
        confidence: f64,
        effective: f64,
    ) -> Result<QuantileInterval, InputError> {
        probability(p, "p")?;
        probability(confidence, "confidence")?;
        in_range(effective, 1.0, self.count() as f64, "effective")?;
        let independent = effective as usize;
        let ranks = Ranks::of(independent, p, (1.0 - confidence) / 2.0);
        let stretched = |rank: usize| self.stretched(rank, independent);
        Ok(QuantileInterval {
            low: stretched(ranks.from_bottom).map(|rank| self.as_slice()[rank - 1]),
            high: stretched(ranks.from_top).map(|rank| self.as_slice()[self.count() - rank]),
            confidence: ranks.confidence,
        })
    }

    /// The rank among all samples that stands for `rank` among the independent ones; rank 0 has no sample.
    fn stretched(&self, rank: usize, independent: usize) -> Option<usize> {
        let stretched = rank as u128 * self.count() as u128 / independent as u128;
        usize::try_from(stretched).ok().filter(|rank| *rank > 0)
    }
}

/// The two ranks, each counted from its own end (1 is the extreme sample, 0 is beyond it).
struct Ranks {
    from_bottom: usize,
    from_top: usize,
    confidence: f64,
}

impl Ranks {
    fn of(n: usize, p: f64, tail: f64) -> Self {
        let counts = Binomial::new(n, p);
        let (missed_below, below) = leading(counts.probabilities.iter(), tail);
        let (missed_above, above) = leading(counts.probabilities.iter().rev(), tail);
        Self {
            from_bottom: counts.first + below,
            from_top: n + 1 - counts.first - counts.probabilities.len() + above,
            confidence: 1.0 - missed_below - missed_above,
        }
    }
}

/// The sum and number of the leading probabilities that together stay within `limit`.
fn leading<'a>(probabilities: impl Iterator<Item = &'a f64>, limit: f64) -> (f64, usize) {
    let mut sum = 0.0;
    let mut taken = 0;
    for probability in probabilities {
        if sum + probability > limit {
            break;
        }
        sum += probability;
        taken += 1;
    }
    (sum, taken)
}

/// Probabilities of the counts `first..`, all that matter: what is left out is below 1e-40 of the largest.
///
/// Summed outwards from the likeliest count, because the incomplete beta function of the library stops
/// after 140 terms, too soon in the middle of large n (off by 1e-3 at a million).
struct Binomial {
    first: usize,
    probabilities: Vec<f64>,
}

const NEGLIGIBLE: f64 = 1e-40;

impl Binomial {
    fn new(n: usize, p: f64) -> Self {
        let odds = p / (1.0 - p);
        let likeliest = (((n as f64 + 1.0) * p) as usize).min(n);
        let mut probabilities = falling(likeliest, |k| k as f64 / ((n - k + 1) as f64 * odds));
        let first = likeliest - probabilities.len();
        probabilities.reverse();
        probabilities.push(1.0);
        let upwards = falling(n - likeliest, |left| left as f64 * odds / ((n - left + 1) as f64));
        probabilities.extend(upwards);
        let total: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probability| *probability /= total);
        Self { first, probabilities }
    }
}

/// Running products of `ratio(steps)`, `ratio(steps − 1)`, … `ratio(1)`, until they are negligible.
fn falling(steps: usize, ratio: impl Fn(usize) -> f64) -> Vec<f64> {
    let mut value = 1.0;
    (1..=steps)
        .rev()
        .map(|step| {
            value *= ratio(step);
            value
        })
        .take_while(|value| *value > NEGLIGIBLE)
        .collect()
}
