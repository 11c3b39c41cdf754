//! How long is a slice, and by which percentile is it judged? Settled before anything is measured, by the rate alone.
//!
//! A percentile q needs 10/(1 − q) requests, so that ten of them are slower: 1,000 for P99. A slice is a second long, or up to
//! three if that allows a higher percentile; at rates that allow none it is as long as P50 takes.
//!
//! Tests: `tests/service.rs`.

use super::climb::Rise;
use std::time::Duration;
use thiserror::Error;

/// Percentiles that a slice may be judged by, the highest first.
const CANDIDATES: [u32; 3] = [99, 95, 50];
/// The usual length.
const USUAL: f64 = 1.0;
/// So long at most for the sake of a higher percentile.
const LONG: f64 = 3.0;
/// How long a rate rises.
const RISE: f64 = 5.0;
/// The part of a slice that comes before it, uncounted, and at least so long.
const LEAD_IN: f64 = 0.2;
const LEAST_LEAD_IN: Duration = Duration::from_millis(200);

/// What load is put on a service.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Traffic {
    /// So many requests a second, whatever the answers.
    Rate(f64),
    /// So many clients, each of which waits for its answer before it asks again.
    Clients(usize),
    /// A rate that rises until the service breaks its promise.
    Rising(Rise),
}

/// How a slice is cut.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape {
    /// How long the part is that counts.
    pub length: Duration,
    /// What comes before it.
    pub lead_in: Duration,
    /// The highest percentile that it tells: 99 is P99.
    pub highest: u32,
}

/// A slice of this length has too few requests for any percentile.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error(
    "{requests:.0} requests in a slice are too few: it needs {}, which take {:.1} s at this rate",
    requests_for(50),
    .seconds
)]
pub struct TooFew {
    /// Those expected in a slice.
    pub requests: f64,
    /// How long a slice has to be.
    pub seconds: f64,
}

/// How many requests a percentile needs.
pub const fn requests_for(percent: u32) -> u32 {
    1000 / (100 - if percent < 99 { percent } else { 99 })
}

/// The highest percentile that this many requests tell.
pub(super) fn highest_for(requests: f64) -> Option<u32> {
    CANDIDATES.into_iter().find(|percent| f64::from(requests_for(*percent)) <= requests)
}

impl Shape {
    /// For a load, and a length if one was asked for.
    ///
    /// # Errors
    /// If that length is too short for any percentile.
    pub fn of(traffic: Traffic, length: Option<Duration>) -> Result<Self, TooFew> {
        match traffic {
            // How many requests there will be, the service decides.
            Traffic::Clients(_) => Ok(Self::with(length.map_or(USUAL, |length| length.as_secs_f64()), 95)),
            Traffic::Rising(_) => Ok(Self::with(length.map_or(RISE, |length| length.as_secs_f64()), 99)),
            Traffic::Rate(rate) => Self::at(rate, length.map(|length| length.as_secs_f64())),
        }
    }

    fn at(rate: f64, length: Option<f64>) -> Result<Self, TooFew> {
        let needed = |percent: u32| f64::from(requests_for(percent)) / rate;
        let longest = length.unwrap_or(LONG);
        match (highest_for(rate * longest), length) {
            (Some(highest), length) => Ok(Self::with(length.unwrap_or(needed(highest).max(USUAL)), highest)),
            (None, None) => Ok(Self::with(needed(50), 50)),
            (None, Some(length)) => Err(TooFew { requests: rate * length, seconds: needed(50) }),
        }
    }

    fn with(seconds: f64, highest: u32) -> Self {
        let length = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Self { length, lead_in: length.mul_f64(LEAD_IN).max(LEAST_LEAD_IN), highest }
    }

    /// The lead-in and what counts.
    pub fn whole(&self) -> Duration {
        self.lead_in.saturating_add(self.length)
    }
}
