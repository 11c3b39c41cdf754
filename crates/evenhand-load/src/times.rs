//! How long did they take? Times in a high dynamic range histogram: from a nanosecond to an hour, to three decimal digits.
//!
//! A percentile is that of the planned requests. Those that failed or were never sent are in it, as slower than all others: left out, a service
//! would look faster for failing where it is slow (2 % that fail instead of being the slowest make P99 36 % smaller). Of n requests
//! the percentile q is the one with rank ⌈q·n⌉.
//!
//! Tests: here.

use hdrhistogram::Histogram;

/// An hour, in nanoseconds.
const LONGEST: u64 = 3_600_000_000_000;

/// Times, counted.
#[derive(Debug, Clone)]
pub struct Times {
    /// Absent if there is none: a histogram has 270 KB.
    counts: Option<Histogram<u64>>,
    sum: u128,
}

impl Default for Times {
    fn default() -> Self {
        // With these bounds it is always made.
        Self { counts: Histogram::new_with_bounds(1, LONGEST, 3).ok(), sum: 0 }
    }
}

impl Times {
    /// Counts a time, in nanoseconds.
    pub(crate) fn record(&mut self, time: u64) {
        self.sum += u128::from(time);
        if let Some(counts) = &mut self.counts {
            counts.saturating_record(time);
        }
    }

    /// Adds those of another.
    pub(crate) fn add(&mut self, other: &Self) {
        self.sum += other.sum;
        if let (Some(counts), Some(others)) = (&mut self.counts, &other.counts) {
            // Both have the same bounds.
            let _ = counts.add(others);
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.counts.as_ref().map_or(0, Histogram::len)
    }

    /// Their sum, exactly.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Their mean in nanoseconds, exactly. `None` of none.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum as f64 / count as f64)
    }

    /// The largest, in nanoseconds.
    pub fn max(&self) -> Option<u64> {
        self.counts.as_ref().filter(|counts| !counts.is_empty()).map(Histogram::max)
    }

    /// The time with this rank from the fastest, which is 1. `None` beyond the slowest.
    pub fn at_rank(&self, rank: u64) -> Option<u64> {
        let counts = self.counts.as_ref()?;
        let mut below = 0;
        let bucket = counts.iter_recorded().find(|bucket| {
            below += bucket.count_at_value();
            below >= rank
        })?;
        Some(counts.median_equivalent(bucket.value_iterated_to()).min(counts.max()))
    }

    /// The percentile q of these alone, in nanoseconds: 0.99 is P99.
    pub fn percentile(&self, q: f64) -> Option<u64> {
        self.at_rank(rank(q, self.count())?)
    }

    /// The percentile q of `all` requests, of which these are the answered ones.
    pub fn percentile_of(&self, q: f64, all: u64) -> Option<Percentile> {
        let time = self.at_rank(rank(q, all)?);
        Some(time.map_or(Percentile::Failed, Percentile::Answered))
    }
}

/// A percentile of requests that may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Percentile {
    /// That request was answered after so many nanoseconds.
    Answered(u64),
    /// That request is one of those without an answer.
    Failed,
}

/// The rank ⌈q·n⌉, from 1 to n. A product that only its rounding lifts above a whole number is that number.
fn rank(q: f64, n: u64) -> Option<u64> {
    let place = q * n as f64;
    (n > 0).then(|| ((place - place * 4.0 * f64::EPSILON).ceil() as u64).clamp(1, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thousands(count: u64) -> Times {
        let mut times = Times::default();
        (1..=count).for_each(|place| times.record(place * 1000));
        times
    }

    #[test]
    fn a_percentile_is_the_time_with_its_rank() {
        let times = thousands(1000);
        for (q, expected) in
            [(0.0, 1000), (0.5, 500_000), (0.99, 990_000), (0.999, 999_000), (1.0, 1_000_000)]
        {
            let time = times.percentile(q).unwrap();
            assert!(time.abs_diff(expected) <= expected / 1000, "{q}: {time}, not {expected}");
        }
        // 0.07 · 100 is a little above 7 in floating point.
        assert_eq!(rank(0.07, 100), Some(7));
        assert_eq!(rank(0.071, 100), Some(8));
    }

    #[test]
    fn requests_without_an_answer_are_slower_than_all_others() {
        let times = thousands(980);
        assert!(matches!(times.percentile_of(0.98, 1000), Some(Percentile::Answered(979_000..=981_000))));
        assert_eq!(times.percentile_of(0.981, 1000), Some(Percentile::Failed));
        assert_eq!(times.percentile_of(0.5, 0), None);
        assert_eq!(Times::default().percentile_of(0.5, 3), Some(Percentile::Failed));
    }

    #[test]
    fn two_together_are_as_if_all_had_been_counted_once() {
        let (mut one, other) = (thousands(10), thousands(1000));
        one.add(&other);
        assert_eq!((one.count(), one.sum()), (1010, other.sum() + 55_000));
        assert_eq!(one.max(), other.max());
        assert!((one.mean().unwrap() - 500_555_000.0 / 1010.0).abs() < 1e-6);
    }
}
