//! Up to which rate does a service keep a promise, such as P99 below 20 ms? A slice whose rate rises until the promise is broken: the
//! rate at which that begins is the service's capacity.
//!
//! The time is cut into windows. One is broken when more of its requests were slow or failed than the promise allows; the first of
//! three broken ones in a row is where the capacity ends, at the planned moment of its first slow request. Then the load is over: a
//! service that is behind has nothing more to tell.
//!
//! Tests: below, and `tests/service.rs`.

use evenhand_load::{Outcome, Request};
use std::time::Duration;

/// A shorter window has too few requests to break a promise by more than chance.
const SHORTEST: Duration = Duration::from_millis(100);
/// Into so many windows the rise is cut, if it is long enough.
const WINDOWS: u32 = 50;
/// One stall of the machine breaks a window, not so many in a row.
const IN_A_ROW: usize = 3;

/// What a service has to keep.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Promise {
    /// As it was typed.
    pub text: String,
    /// Shares from 0 to 1, and the longest response there, in nanoseconds.
    pub responses: Vec<(f64, f64)>,
    /// The largest share of errors.
    pub errors: f64,
}

/// A rate that rises along a straight line, after a lead-in at its foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rise {
    /// Requests a second.
    pub from: f64,
    pub to: f64,
}

/// The requests of a rising load, as far as they tell when the promise breaks.
#[derive(Debug, Clone)]
pub struct Climb<'a> {
    promise: &'a Promise,
    rise: Rise,
    /// In nanoseconds.
    lead_in: f64,
    length: f64,
    window: f64,
    windows: Vec<Window>,
}

/// What broke the promise, among the requests of a window.
#[derive(Debug, Clone, Default)]
struct Window {
    /// For each part of the promise, those that were slower.
    slow: Vec<u64>,
    failed: u64,
    /// Those among them that we sent late ourselves.
    ours: u64,
    /// When the first of them was planned.
    first: Option<u64>,
}

/// Where a climb ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// The promise broke at this rate.
    Of(f64),
    /// It was kept to the end.
    AtLeast(f64),
    /// It broke because we were late.
    Ours,
}

impl<'a> Climb<'a> {
    pub fn new(promise: &'a Promise, rise: Rise, lead_in: Duration, length: Duration) -> Self {
        let window = (length / WINDOWS).max(SHORTEST);
        let nanoseconds = |time: Duration| time.as_nanos() as f64;
        let (lead_in, length, window) = (nanoseconds(lead_in), nanoseconds(length), nanoseconds(window));
        let empty = Window { slow: vec![0; promise.responses.len()], ..Window::default() };
        let windows = vec![empty; (length / window).ceil() as usize];
        Self { promise, rise, lead_in, length, window, windows }
    }

    /// Takes in a request that has ended.
    pub fn push(&mut self, request: &Request) {
        let since = request.planned as f64 - self.lead_in;
        let Some(window) = self.windows.get_mut((since / self.window) as usize).filter(|_| since >= 0.0)
        else {
            return;
        };
        let failed = request.outcome != Outcome::Answered;
        let mut is_slow = failed;
        for (slow, (_, longest)) in window.slow.iter_mut().zip(&self.promise.responses) {
            if failed || request.response() as f64 >= *longest {
                *slow += 1;
                is_slow = true;
            }
        }
        window.failed += u64::from(failed);
        if is_slow {
            window.ours += u64::from(2 * request.late() > request.response());
            window.first = Some(window.first.map_or(request.planned, |first| first.min(request.planned)));
        }
    }

    /// Whether the promise is broken for good.
    pub fn is_over(&self) -> bool {
        self.broken().is_some()
    }

    /// The rate at which the promise broke.
    pub fn capacity(&self) -> Capacity {
        let Some(place) = self.broken() else { return Capacity::AtLeast(self.rise.to) };
        let windows = &self.windows[place..place + IN_A_ROW];
        let worst = |window: &Window| window.slow.iter().copied().chain([window.failed]).max().unwrap_or(0);
        let (ours, all) = windows.iter().fold((0, 0), |(ours, all), one| (ours + one.ours, all + worst(one)));
        if 2 * ours > all {
            return Capacity::Ours;
        }
        let first = windows[0].first.map_or(0.0, |first| first as f64 - self.lead_in);
        Capacity::Of(self.rate_at(first))
    }

    /// The first of the broken windows in a row.
    fn broken(&self) -> Option<usize> {
        let is_broken = |place: usize| {
            let expected = self.rate_at((place as f64 + 0.5) * self.window) * self.window / 1e9;
            let Window { slow, failed, .. } = &self.windows[place];
            let over = |count: u64, share: f64| count as f64 > share * expected;
            let mut parts = slow.iter().zip(&self.promise.responses);
            over(*failed, self.promise.errors) || parts.any(|(slow, (share, _))| over(*slow, 1.0 - share))
        };
        let starts = 0..(self.windows.len() + 1).saturating_sub(IN_A_ROW);
        starts.into_iter().find(|start| (*start..start + IN_A_ROW).all(is_broken))
    }

    /// The planned rate, so many nanoseconds after the lead-in.
    fn rate_at(&self, since: f64) -> f64 {
        let Rise { from, to } = self.rise;
        from + (to - from) * (since / self.length).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request each millisecond, answered after so many milliseconds, as its planned millisecond says.
    fn capacity(response: impl Fn(u64) -> u64, late: u64) -> (Capacity, bool) {
        let promise = Promise { responses: vec![(0.9, 20e6)], errors: 0.0, ..Promise::default() };
        let rise = Rise { from: 100.0, to: 1100.0 };
        let mut climb = Climb::new(&promise, rise, Duration::from_secs(1), Duration::from_secs(10));
        for planned in (0..11_000).map(|place| place * 1_000_000) {
            let ended = planned + response(planned / 1_000_000) * 1_000_000;
            let taken = planned + late;
            let request = Request {
                operation: 0,
                planned,
                free: planned,
                taken,
                sent: Some(taken),
                ended,
                outcome: Outcome::Answered,
            };
            climb.push(&request);
        }
        (climb.capacity(), climb.is_over())
    }

    #[test]
    fn the_capacity_is_where_the_promise_begins_to_stay_broken() {
        assert_eq!(capacity(|_| 1, 0), (Capacity::AtLeast(1100.0), false));
        // 4 s after the lead-in: 100 and four tenths of 1,000.
        assert_eq!(capacity(|when| if when < 5_000 { 1 } else { 30 }, 0), (Capacity::Of(500.0), true));
        // A stall of two windows is none; slowness in the lead-in does not count.
        let stalls = |when: u64| if (2_000..2_400).contains(&when) || when < 900 { 30 } else { 1 };
        assert_eq!(capacity(stalls, 0), (Capacity::AtLeast(1100.0), false));
    }

    #[test]
    fn what_we_sent_late_is_no_limit_of_the_service() {
        let (found, is_over) = capacity(|when| if when < 5_000 { 1 } else { 30 }, 25_000_000);
        assert_eq!((found, is_over), (Capacity::Ours, true));
    }
}
