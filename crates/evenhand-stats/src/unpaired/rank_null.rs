//! How likely is a rank statistic when there is nothing to find?
//!
//! Two distributions, neither of which depends on the data: the Mann–Whitney U of two series from one
//! distribution, and the Wilcoxon signed-rank sum W of values symmetric about zero.
//!
//! Exact: U counts follow the Gaussian binomial coefficient, prod (1 − q^(m+i))/(1 − q^i) over i = 1..n, built
//! factor by factor (relative error against integers below 1e-14 at n = m = 100); W counts follow
//! prod (1 + q^i). Above the exact limits the normal distribution with the Edgeworth terms of Fix and Hodges,
//! "Significance probabilities of the Wilcoxon test", Ann. Math. Statist. 26 (1955), as in Pragmastat's
//! PairwiseMargin and SignedRankMargin.
//!
//! Leaves to others: cutting the tail (`margins.rs`), p-values (`rank_tests.rs`).
//!
//! Tests: tests/margins.rs

use statrs::consts::SQRT_2PI;
use statrs::function::erf::erfc;
use std::f64::consts::SQRT_2;

/// Exact up to n = m = 200, and for one short series against a long one at the same cost.
const EXACT_COST: f64 = 8e6;

/// Exact whenever two series have no more values than this together (Pragmastat's limit).
const EXACT_TOTAL: usize = 400;

/// Exact signed ranks up to this many values: 2^63 sign patterns (Pragmastat's limit).
const EXACT_SIGNED: usize = 63;

/// The distribution of a statistic that is symmetric on 0..=`largest`.
#[derive(Debug, Clone)]
pub struct RankNull {
    largest: u64,
    law: Law,
}

#[derive(Debug, Clone)]
enum Law {
    /// P(statistic ≤ u) for u from 0 to half of `largest`.
    Exact(Vec<f64>),
    Edgeworth(Edgeworth),
}

impl RankNull {
    /// Mann–Whitney's U for series of `n` and `m` values (at least one each).
    pub fn mann_whitney(n: usize, m: usize) -> Self {
        let largest = n as u64 * m as u64;
        let law = if mann_whitney_is_exact(n, m) {
            Law::Exact(mann_whitney_lower_half(n.min(m), n.max(m)))
        } else {
            Law::Edgeworth(Edgeworth::mann_whitney(n as f64, m as f64))
        };
        Self { largest, law }
    }

    /// Wilcoxon's signed-rank sum of `n` values (at least one).
    pub fn signed_rank(n: usize) -> Self {
        let largest = n as u64 * (n as u64 + 1) / 2;
        let law = if signed_rank_is_exact(n) {
            Law::Exact(signed_rank_lower_half(n))
        } else {
            Law::Edgeworth(Edgeworth::signed_rank(n as f64))
        };
        Self { largest, law }
    }

    /// The largest value that the statistic can take.
    pub fn largest(&self) -> u64 {
        self.largest
    }

    /// Relative error of the probabilities, with room to spare: two that differ by less are equal.
    pub fn rounding(&self) -> f64 {
        match self.law {
            Law::Exact(_) => 1e-12,
            // statrs' error function is good to 1e-10 (measured against scipy).
            Law::Edgeworth(_) => 1e-9,
        }
    }

    /// P(statistic ≤ u).
    pub fn at_most(&self, u: u64) -> f64 {
        if u >= self.largest {
            return 1.0;
        }
        if u > self.largest / 2 {
            return 1.0 - self.at_most(self.largest - u - 1);
        }
        match &self.law {
            Law::Exact(lower_half) => lower_half[u as usize],
            Law::Edgeworth(edgeworth) => edgeworth.at_most(u as f64),
        }
    }
}

/// Whether [`RankNull::mann_whitney`] counts every ordering rather than approximating.
pub fn mann_whitney_is_exact(n: usize, m: usize) -> bool {
    let (short, long) = (n.min(m) as f64, n.max(m) as f64);
    n + m <= EXACT_TOTAL || short * short * long <= EXACT_COST
}

/// Whether [`RankNull::signed_rank`] counts every sign pattern rather than approximating.
pub fn signed_rank_is_exact(n: usize) -> bool {
    n <= EXACT_SIGNED
}

fn mann_whitney_lower_half(short: usize, long: usize) -> Vec<f64> {
    let half = short * long / 2;
    let mut counts = vec![0.0; half + 1];
    counts[0] = 1.0;
    let mut orderings = 1.0;
    for i in 1..=short {
        for u in (long + i..=half).rev() {
            counts[u] -= counts[u - long - i];
        }
        for u in i..=half {
            counts[u] += counts[u - i];
        }
        orderings *= (long + i) as f64 / i as f64;
    }
    cumulative(&counts, orderings)
}

fn signed_rank_lower_half(n: usize) -> Vec<f64> {
    let half = n * (n + 1) / 4;
    let mut counts = vec![0.0; half + 1];
    counts[0] = 1.0;
    for rank in 1..=n {
        for w in (rank..=half).rev() {
            counts[w] += counts[w - rank];
        }
    }
    cumulative(&counts, 2f64.powi(n as i32))
}

fn cumulative(counts: &[f64], total: f64) -> Vec<f64> {
    let mut sum = 0.0;
    counts
        .iter()
        .map(|count| {
            sum += count;
            sum / total
        })
        .collect()
}

/// Normal distribution with corrections for the fourth and sixth cumulants.
#[derive(Debug, Clone)]
struct Edgeworth {
    mean: f64,
    sd: f64,
    e3: f64,
    e5: f64,
    e7: f64,
}

impl Edgeworth {
    fn mann_whitney(n: f64, m: f64) -> Self {
        let nm = n * m;
        let (squares, cubes, fourths) = (n * n + m * m, n.powi(3) + m.powi(3), n.powi(4) + m.powi(4));
        let variance = nm * (n + m + 1.0) / 12.0;
        let fourth =
            nm * (n + m + 1.0) / 240.0 * (5.0 * nm * (n + m) - 2.0 * squares + 3.0 * nm - 2.0 * (n + m));
        let sixth = nm * (n + m + 1.0) / 4032.0
            * (35.0 * nm * nm * squares + 70.0 * nm.powi(3) - 42.0 * nm * cubes - 14.0 * nm * nm * (n + m)
                + 16.0 * fourths
                - 52.0 * nm * squares
                - 43.0 * nm * nm
                + 32.0 * cubes
                + 14.0 * nm * (n + m)
                + 8.0 * squares
                + 16.0 * nm
                - 8.0 * (n + m));
        let kurtosis = fourth / (variance * variance);
        Self {
            mean: nm / 2.0,
            sd: variance.sqrt(),
            e3: (kurtosis - 3.0) / 24.0,
            e5: (sixth / variance.powi(3) - 15.0 * kurtosis + 30.0) / 720.0,
            e7: 35.0 * (kurtosis - 3.0).powi(2) / 40320.0,
        }
    }

    fn signed_rank(n: f64) -> Self {
        let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0;
        let fourth_cumulant = -n * (n + 1.0) * (2.0 * n + 1.0) * (3.0 * n * n + 3.0 * n - 1.0) / 240.0;
        Self {
            mean: n * (n + 1.0) / 4.0,
            sd: variance.sqrt(),
            e3: fourth_cumulant / (24.0 * variance * variance),
            e5: 0.0,
            e7: 0.0,
        }
    }

    /// P(statistic ≤ u) with continuity correction, kept within 0..=1.
    fn at_most(&self, u: f64) -> f64 {
        let z = (u - self.mean + 0.5) / self.sd;
        let z2 = z * z;
        let h3 = z * (z2 - 3.0);
        let h5 = z * (z2 * z2 - 10.0 * z2 + 15.0);
        let h7 = z * (z2.powi(3) - 21.0 * z2 * z2 + 105.0 * z2 - 105.0);
        let density = (-z2 / 2.0).exp() / SQRT_2PI;
        let normal = 0.5 * erfc(-z / SQRT_2);
        (normal - density * (self.e3 * h3 + self.e5 * h5 + self.e7 * h7)).clamp(0.0, 1.0)
    }
}
