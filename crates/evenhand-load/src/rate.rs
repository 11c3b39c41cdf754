//! How many requests a second are planned, and how does that change over time?
//!
//! A rate is a row of stretches; in each it goes along a straight line. Its integral Λ(t), the requests expected until t,
//! is what a plan needs, turned around: when have n requests been expected? In a stretch of length T from rate a to b,
//! Λ(t) = a·t + (b − a)·t²/(2T), so with s = (b − a)/T it is t = 2n / (a + √(a² + 2·s·n)), a form of the root that also holds
//! for s = 0 and loses no digits near it.
//!
//! Tests: `tests/plan.rs`.

use crate::LoadError;
use std::time::Duration;

/// More than a thread sends. What waits takes memory: 16 bytes each.
const HIGHEST: f64 = 1e6;

/// A part of a rate: from one number of requests a second to another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    from: f64,
    to: f64,
    seconds: f64,
}

impl Stretch {
    /// The requests expected in it.
    fn requests(&self) -> f64 {
        (self.from + self.to) / 2.0 * self.seconds
    }

    /// After how many seconds have this many been expected? Asked only for what it has.
    fn when(&self, requests: f64) -> f64 {
        let steepness = (self.to - self.from) / self.seconds;
        let root = (self.from * self.from + 2.0 * steepness * requests).max(0.0).sqrt();
        // 0 of 0 at the foot of a ramp.
        if requests == 0.0 { 0.0 } else { (2.0 * requests / (self.from + root)).min(self.seconds) }
    }
}

/// Requests a second, over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Rate {
    stretches: Vec<Stretch>,
}

impl Rate {
    /// The same rate all the time.
    ///
    /// # Errors
    /// If the rate is not positive, above 1,000,000 or no number, or the time is none.
    pub fn constant(rate: f64, length: Duration) -> Result<Self, LoadError> {
        Self::ramp(rate, rate, length)
    }

    /// From one rate to another, along a straight line.
    ///
    /// # Errors
    /// If a rate is negative, above 1,000,000 or no number, both are 0, or the time is none.
    pub fn ramp(from: f64, to: f64, length: Duration) -> Result<Self, LoadError> {
        let usable = |rate: f64| (0.0..=HIGHEST).contains(&rate);
        if !usable(from) || !usable(to) || from + to == 0.0 {
            return Err(LoadError::Rate { from, to });
        }
        if length.is_zero() {
            return Err(LoadError::NoTime);
        }
        Ok(Self { stretches: vec![Stretch { from, to, seconds: length.as_secs_f64() }] })
    }

    /// This rate, then another: steps, or a ramp up and down.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.stretches.extend(next.stretches);
        self
    }

    /// How long all of it takes.
    pub fn length(&self) -> Duration {
        let seconds = self.stretches.iter().map(|stretch| stretch.seconds).sum();
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// The requests expected in all of it.
    pub fn requests(&self) -> f64 {
        self.stretches.iter().map(Stretch::requests).sum()
    }
}

/// Goes along a rate, forwards only.
#[derive(Debug, Clone)]
pub(crate) struct Walk {
    rate: Rate,
    /// The stretch that it is in, when that began, and what was expected before.
    place: usize,
    seconds: f64,
    requests: f64,
}

impl Walk {
    pub(crate) fn along(rate: Rate) -> Self {
        Self { rate, place: 0, seconds: 0.0, requests: 0.0 }
    }

    pub(crate) fn length(&self) -> Duration {
        self.rate.length()
    }

    /// When have this many requests been expected, in seconds? Never less than in the call before. `None` beyond the end.
    pub(crate) fn when(&mut self, requests: f64) -> Option<f64> {
        loop {
            let stretch = self.rate.stretches.get(self.place)?;
            let rest = requests - self.requests;
            if rest < stretch.requests() {
                return Some(self.seconds + stretch.when(rest));
            }
            self.requests += stretch.requests();
            self.seconds += stretch.seconds;
            self.place += 1;
        }
    }
}
