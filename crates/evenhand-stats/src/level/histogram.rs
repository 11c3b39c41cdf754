//! What is still known of an arm when only a histogram of its times was kept?
//!
//! A high dynamic range histogram (Gil Tene's HdrHistogram) counts times in buckets whose width grows with the time,
//! so that every time is known to a chosen number of decimal digits. Merging adds the counts and loses nothing more.
//! Count, percentiles, mean and standard deviation survive, each with the width of its buckets as its error. What
//! needs the order of the samples does not.
//!
//! A time is rounded to a whole number of `unit`s first. From `10^digits` units on, a percentile's middle is within
//! [`Histogram::relative_error`] of the sample it stands for; below, within half a unit. Every answer carries its
//! own exact limits besides. A percentile here is the type 1 quantile: always a recorded time, never a mixture of two.
//!
//! Tests: tests/histogram.rs

use hdrhistogram::Histogram as Counts;

use crate::error::{InputError, Rule, in_range};

/// Times counted in buckets, without their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Histogram {
    counts: Counts<u64>,
    unit: f64,
}

/// A time known only by its bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binned {
    /// No less than this.
    pub low: f64,
    /// The middle of the bucket: the figure to print.
    pub middle: f64,
    /// No more than this.
    pub high: f64,
}

/// Larger multiples of the unit have no place: the counters' index would overflow.
const MOST_UNITS: f64 = (1_u64 << 60) as f64;

/// Whole numbers up to here are exact in a double, so ranks and means stay right.
const MOST_SAMPLES: u64 = 1 << 53;

const MOST_DIGITS: u8 = 5;

impl Histogram {
    /// An empty histogram of times in multiples of `unit` (for example 1.0 when times are in nanoseconds), kept
    /// to `digits` decimal digits, 1 to 5. Memory grows tenfold with each digit; 3 is the custom.
    pub fn new(unit: f64, digits: u8) -> Result<Self, InputError> {
        in_range(unit, f64::MIN_POSITIVE, f64::MAX / MOST_UNITS, "unit")?;
        in_range(f64::from(digits), 1.0, f64::from(MOST_DIGITS), "digits")?;
        let out_of_range =
            InputError::new(Rule::InRange { low: 1.0, high: f64::from(MOST_DIGITS) }, "digits");
        Ok(Self { counts: Counts::new(digits).map_err(|_| out_of_range)?, unit })
    }

    /// Counts one time.
    pub fn record(&mut self, time: f64) -> Result<(), InputError> {
        self.record_many(time, 1)
    }

    /// Counts one time as often as `times` says. The time must be from half a unit to 2^60 units, and the whole
    /// histogram may count up to 2^53 times.
    pub fn record_many(&mut self, time: f64, times: u64) -> Result<(), InputError> {
        in_range(time, self.unit / 2.0, self.unit * MOST_UNITS, "time")?;
        self.room_for(times)?;
        if times == 0 {
            return Ok(());
        }
        let units = (time / self.unit).round().max(1.0) as u64;
        self.counts.record_n(units, times).map_err(|_| self.too_large("time"))
    }

    /// Adds all counts of another histogram with the same unit and the same digits.
    pub fn merge(&mut self, other: &Self) -> Result<(), InputError> {
        in_range(other.unit, self.unit, self.unit, "other.unit")?;
        let digits = f64::from(self.counts.sigfig());
        in_range(f64::from(other.counts.sigfig()), digits, digits, "other.digits")?;
        self.room_for(other.count())?;
        self.counts.add(&other.counts).map_err(|_| self.too_large("other"))
    }

    fn room_for(&self, times: u64) -> Result<(), InputError> {
        let left = MOST_SAMPLES - self.count();
        if times <= left {
            return Ok(());
        }
        Err(InputError::new(Rule::InRange { low: 0.0, high: left as f64 }, "times"))
    }

    fn too_large(&self, argument: &'static str) -> InputError {
        InputError::new(Rule::InRange { low: self.unit / 2.0, high: self.unit * MOST_UNITS }, argument)
    }

    /// How many times were counted.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// The bound on the relative error of a percentile's middle, for times of `10^digits` units and more.
    pub fn relative_error(&self) -> f64 {
        0.1_f64.powi(i32::from(self.counts.sigfig()))
    }

    /// The bucket of the smallest time with at least `percent` (0 to 100) of all times at or below it.
    pub fn percentile(&self, percent: f64) -> Result<Binned, InputError> {
        in_range(percent, 0.0, 100.0, "percent")?;
        self.not_empty()?;
        Ok(self.bucket(self.counts.value_at_quantile(percent / 100.0)))
    }

    /// The mean of the times; its limits are the means of all buckets' lower and of all upper limits.
    pub fn mean(&self) -> Result<Binned, InputError> {
        self.not_empty()?;
        let n = self.count() as f64;
        let mut mean = Binned { low: 0.0, middle: 0.0, high: 0.0 };
        for step in self.counts.iter_recorded() {
            let share = step.count_at_value() as f64 / n;
            let bucket = self.bucket(step.value_iterated_to());
            mean.low += share * bucket.low;
            mean.middle += share * bucket.middle;
            mean.high += share * bucket.high;
        }
        Ok(mean)
    }

    /// The standard deviation (divisor n) as if every time were in the middle of its bucket.
    pub fn sd(&self) -> Result<f64, InputError> {
        let mean = self.mean()?.middle / self.unit;
        let n = self.count() as f64;
        let variance: f64 = self
            .counts
            .iter_recorded()
            .map(|step| {
                let distance = self.bucket(step.value_iterated_to()).middle / self.unit - mean;
                step.count_at_value() as f64 / n * distance * distance
            })
            .sum();
        Ok(variance.sqrt() * self.unit)
    }

    fn not_empty(&self) -> Result<(), InputError> {
        if self.counts.is_empty() {
            return Err(InputError::new(Rule::AtLeast { needed: 1, got: 0 }, "histogram"));
        }
        Ok(())
    }

    /// The bucket that holds this many units; rounding to units widens it by half a unit on either side.
    fn bucket(&self, units: u64) -> Binned {
        let first = self.counts.lowest_equivalent(units) as f64;
        let last = self.counts.highest_equivalent(units) as f64;
        Binned {
            low: (first - 0.5) * self.unit,
            middle: (first + last) / 2.0 * self.unit,
            high: (last + 0.5) * self.unit,
        }
    }
}
