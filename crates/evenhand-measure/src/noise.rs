//! Which processor disturbs least right now?
//!
//! A thread that only reads the clock sees every disturbance as a gap: a step between two readings far longer than the
//! usual one. Another program, an interrupt and a hypervisor look alike, and all of them would lengthen a sample. So a
//! thread visits each candidate, all at the same time and for 8 ms, and the time lost in gaps decides, beginning with the
//! wait to wake up there. 8 ms are two to three turns of a scheduler that lets each program run for some 3 ms.
//!
//! Measured on two virtual processors, 24 choices each: beside one busy program (`md5sum /dev/zero`) pinned to one of them
//! 47 of 48 were right, beside three free ones 24, beside two on one processor and one on the other 47 of 48, in
//! 12 to 16 ms, at most 27.
//!
//! Losses that differ by less than 1 % of a visit are a tie. Then an isolated processor is preferred, then any to number
//! 0, which usually serves the devices, then the one that has been idle most since the start of the machine.
//!
//! Launches do not keep to the best, but go round all that are quiet: how much faster one function is than another can depend on
//! the processor ([`quiet`]).
//!
//! What it does not see: a busy neighbour on the same core or cache, which slows without interrupting; and the future.
//!
//! Tests: `tests/noise.rs`; `cargo run --release -p evenhand-measure --example quietest` prints the visits.

use crate::files::{cpu, ticks};
use crate::platform::machine::Files;
use crate::platform::{Monotonic, pinned};
use evenhand_trial::LaunchId;
use std::thread;
use std::time::Duration;

/// More processors than this are not visited.
pub const MOST_CANDIDATES: usize = 8;
/// So long the threads have to get to their processors and to sleep there.
const SETTLE_NS: u64 = 4_000_000;
/// So long before the visit begins they are woken: an idle processor takes some time for that, too.
const WAKE_NS: u64 = 300_000;
/// The length of a visit. A thread that is still waiting at its end comes home when it is let, some 10 ms later at worst.
const VISIT_NS: u64 = 8_000_000;
/// Losses that differ by less are a tie.
const TIE_NS: u64 = VISIT_NS / 100;
/// A processor that loses so much more than the best is not quiet: somebody runs there.
const QUIET_NS: u64 = VISIT_NS / 10;
/// So many launches stay on a processor. The first after a move finds everything cold and scatters more: with a move for each launch
/// a function of 5 ns took several times as long to be told from itself.
const IN_A_ROW: u32 = 5;

/// The processor that disturbs least, of those allowed. `None` if there are none, or no thread can be kept on one.
pub fn quietest(allowed: &[u32]) -> Option<u32> {
    let (visits, isolated) = all_visits(allowed);
    best(&visits, &isolated)
}

/// The processors that disturb little, of those allowed; none, if no thread can be kept on one.
///
/// Of two versions of a function the new one took 44 % longer on one of two virtual processors of an idle machine and 38 % on the
/// other, in seven comparisons each (`docs/launches.md`). A verdict that shall hold for the next start has to know both.
pub fn quiet(allowed: &[u32]) -> Vec<u32> {
    let (visits, isolated) = all_visits(allowed);
    all_quiet(&visits, &isolated)
}

fn all_visits(allowed: &[u32]) -> (Vec<Visit>, Vec<u32>) {
    if let [only] = allowed {
        let can_stay = pinned::pin(&[*only]).map(|_| Visit { processor: *only, lost_ns: 0 });
        return (can_stay.into_iter().collect(), Vec::new());
    }
    let files = Files::of_this_machine();
    let isolated = files.text("sys/devices/system/cpu/isolated").and_then(|text| cpu::list(&text));
    let isolated = isolated.unwrap_or_default();
    let stat = files.text("proc/stat").unwrap_or_default();
    let candidates = candidates(allowed, &isolated, &stat);
    (visits(&candidates), isolated)
}

/// Whom to visit: isolated processors first, then those that were idle most since the start of the machine.
pub fn candidates(allowed: &[u32], isolated: &[u32], stat: &str) -> Vec<u32> {
    let each = ticks::of_each(stat);
    let idle = |number: u32| {
        let ticks = each.iter().find(|(of, _)| *of == number).map(|(_, ticks)| *ticks);
        ticks.and_then(|ticks| ticks.share(ticks.idle)).unwrap_or(0.0)
    };
    let mut order = allowed.to_vec();
    order.sort_by(|&a, &b| {
        isolated
            .contains(&b)
            .cmp(&isolated.contains(&a))
            .then(idle(b).total_cmp(&idle(a)))
            .then((a == 0).cmp(&(b == 0)))
    });
    order.truncate(MOST_CANDIDATES);
    order
}

/// What was lost on a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub processor: u32,
    /// Nanoseconds in gaps.
    pub lost_ns: u64,
}

/// Visits the processors, all at the same time. Those that cannot be visited are left out.
pub fn visits(candidates: &[u32]) -> Vec<Visit> {
    let clock = Monotonic::start();
    let begin = clock.nanoseconds() + SETTLE_NS;
    thread::scope(|scope| {
        let visit = |&processor| {
            thread::Builder::new().spawn_scoped(scope, move || visit(processor, &clock, begin)).ok()
        };
        let visitors: Vec<_> = candidates.iter().filter_map(visit).collect();
        // A thread that could not be made, or stopped, has visited nothing.
        visitors.into_iter().filter_map(|visitor| visitor.join().ok().flatten()).collect()
    })
}

/// Goes there, sleeps until all begin, and reads the clock until the end. What is lost begins with waking up late.
fn visit(processor: u32, clock: &Monotonic, begin: u64) -> Option<Visit> {
    let _pinned = pinned::pin(&[processor])?;
    thread::sleep(Duration::from_nanos(begin.saturating_sub(clock.nanoseconds() + WAKE_NS)));
    let end = begin + VISIT_NS;
    let mut last = begin;
    let readings = std::iter::from_fn(|| {
        // The reading that ends the visit may itself end a gap.
        if last >= end {
            return None;
        }
        last = clock.nanoseconds();
        Some(last)
    });
    let readings = readings.skip_while(|now| *now < begin);
    Some(Visit { processor, lost_ns: lost_ns(std::iter::once(begin).chain(readings)) })
}

/// How many steps tell which step is usual.
const FIRST_STEPS: usize = 101;
/// A step is a gap if it is so many times longer than the usual one,
const FAR_ABOVE: u64 = 8;
/// and at least this long: a cache miss is none.
const SHORTEST_GAP_NS: u64 = 1_000;
/// No clock takes longer for a reading: steps that are all longer were all gaps.
const SLOWEST_READING_NS: u64 = 10_000;

/// The time lost in gaps, from readings of a clock in nanoseconds: of each gap, what is above the usual step.
pub fn lost_ns(readings: impl IntoIterator<Item = u64>) -> u64 {
    let mut readings = readings.into_iter();
    let Some(mut last) = readings.next() else { return 0 };
    let mut steps = readings.map(|now| now.saturating_sub(std::mem::replace(&mut last, now)));
    let first: Vec<u64> = steps.by_ref().take(FIRST_STEPS).collect();
    let usual = median(&first).min(SLOWEST_READING_NS);
    let gap = usual.saturating_mul(FAR_ABOVE).max(SHORTEST_GAP_NS);
    first.iter().copied().chain(steps).filter(|step| *step > gap).map(|step| step - usual).sum()
}

fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

/// The best of the visited, which come in the order of preference that candidates have.
pub fn best(visits: &[Visit], isolated: &[u32]) -> Option<u32> {
    let least = visits.iter().map(|visit| visit.lost_ns).min()?;
    let tied = visits.iter().filter(|visit| visit.lost_ns <= least.saturating_add(TIE_NS));
    let worse = |visit: &&Visit| (!isolated.contains(&visit.processor), visit.processor == 0);
    tied.min_by_key(worse).map(|visit| visit.processor)
}

/// All of the visited that lost little more than the best; where some of these are isolated, only those.
pub fn all_quiet(visits: &[Visit], isolated: &[u32]) -> Vec<u32> {
    let least = visits.iter().map(|visit| visit.lost_ns).min().unwrap_or(0);
    let quiet = visits.iter().filter(|visit| visit.lost_ns <= least.saturating_add(QUIET_NS));
    let quiet: Vec<u32> = quiet.map(|visit| visit.processor).collect();
    let apart: Vec<u32> = quiet.iter().copied().filter(|processor| isolated.contains(processor)).collect();
    if apart.is_empty() { quiet } else { apart }
}

/// The processor of a launch: they take turns, each for some launches.
pub fn in_turn(processors: &[u32], launch: LaunchId) -> Option<u32> {
    let place = (launch.0 / IN_A_ROW).checked_rem(processors.len() as u32)?;
    processors.get(place as usize).copied()
}
