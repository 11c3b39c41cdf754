//! How are the latencies of a service measured? One request after the other, from before it is sent until its answer is there: a closed
//! loop with a single client.
//!
//! Tests: below; `tests/uncertainty.rs`.

use super::{Extent, ServiceRuns};
use std::time::{Duration, Instant};

/// This part of the time that all runs may take is spent on getting warm …
const WARM_UP: u32 = 40;
/// … but no longer than this.
const LONGEST_WARM_UP: Duration = Duration::from_secs(2);
/// No run has fewer requests, however slow they are.
const FEWEST_REQUESTS: usize = 50;
/// So many runs are told of at once.
const NOTE_EVERY: usize = 6;

/// The plan with as many requests as there is time for. The requests that show it are not kept: the first ones fill caches.
pub(super) fn paced<E>(plan: Extent, mut request: impl FnMut() -> Result<(), E>) -> Result<Extent, E> {
    let warm_up = (plan.longest / WARM_UP).min(LONGEST_WARM_UP);
    let (began, mut requests) = (Instant::now(), 0.0);
    while requests == 0.0 || began.elapsed() < warm_up {
        request()?;
        requests += 1.0;
    }
    Ok(fitting(plan, began.elapsed().as_secs_f64() / requests))
}

/// When one request takes so many seconds. The number is one that is easily read.
pub(super) fn fitting(plan: Extent, seconds: f64) -> Extent {
    let fit = (plan.longest.as_secs_f64() / (plan.runs as f64 * seconds)) as usize;
    let step = 10_usize.pow(fit.max(1).ilog10().saturating_sub(1));
    Extent { requests: (fit / step * step).max(FEWEST_REQUESTS).min(plan.requests), ..plan }
}

/// All runs of a plan, each with its latencies.
pub(super) fn ask<E>(
    plan: Extent,
    name: &str,
    tell: &mut dyn FnMut(&str),
    mut one_run: impl FnMut() -> Result<Vec<f64>, E>,
) -> Result<ServiceRuns, E> {
    let mut runs = Vec::new();
    for run in 0..plan.runs {
        if run % NOTE_EVERY == 0 {
            tell(&format!("{name}: run {} of {}", run + 1, plan.runs));
        }
        runs.push(one_run()?);
    }
    Ok(ServiceRuns { plan, runs })
}

/// In nanoseconds.
pub(super) fn latency<E>(request: impl FnOnce() -> Result<(), E>) -> Result<f64, E> {
    let began = Instant::now();
    request()?;
    Ok(began.elapsed().as_secs_f64() * 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Size;

    #[test]
    fn a_slow_service_is_asked_less() {
        let requests = |size, seconds| fitting(Extent::of(size), seconds).requests;
        assert_eq!(requests(Size::Usual, 1e-6), 10_000, "never more than planned");
        assert_eq!(requests(Size::Usual, 270e-6), 3700, "40 runs of 3700 take 39.96 s");
        assert_eq!(requests(Size::Usual, 5e-3), 200);
        assert_eq!(requests(Size::Usual, 10.0), FEWEST_REQUESTS);
        assert_eq!(requests(Size::Tiny, 1e-4), 300);
    }

    /// Answers some requests, then breaks.
    fn mortal(mut left: usize) -> impl FnMut() -> Result<(), &'static str> {
        move || {
            left = left.checked_sub(1).ok_or("it is no more")?;
            Ok(())
        }
    }

    #[test]
    fn runs_are_told_of_and_a_fault_ends_them() {
        let plan = Extent { runs: 7, requests: 3, longest: Duration::ZERO };
        let mut notes = Vec::new();
        let mut request = mortal(21);
        let mut run = || (0..3).map(|_| latency(&mut request)).collect();
        let measured = ask(plan, "it", &mut |what| notes.push(what.to_owned()), &mut run).unwrap();
        assert_eq!((measured.runs.len(), measured.runs[6].len()), (7, 3));
        assert_eq!(notes, ["it: run 1 of 7", "it: run 7 of 7"]);
        assert_eq!(ask(plan, "it", &mut |_| (), run), Err("it is no more"));
        assert_eq!(paced(plan, mortal(0)), Err("it is no more"));
        assert_eq!(paced(plan, mortal(1)).unwrap().requests, 3, "one request shows the pace");
    }
}
