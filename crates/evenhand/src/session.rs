//! What is a benchmark run in? Its `run` comes here, and stays until the host has finished with it.
//!
//! Tests: `tests/worker.rs`.

use crate::allocations::{self, Count};
use crate::clock::{Clock, Ticks};
use crate::delay::Delay;
use evenhand_protocol::frame::Frame;
use evenhand_protocol::message::{
    Answer, Handed, Hello, Metric, Prepared, Request, Results, Run, Sample, Turn,
};
#[cfg(target_os = "linux")]
use evenhand_protocol::page::{self, Futex, TurnPage};
#[cfg(target_os = "linux")]
use evenhand_protocol::turns::Waited;
use evenhand_protocol::{VARIABLE, VERSION};
use std::fs::File;
#[cfg(unix)]
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

/// When its turns have taken so long together, the pilot of a benchmark is over, in nanoseconds.
const PILOT: f64 = 50_000.0;
/// So many turns it has at most,
const MOST_PILOTS: u32 = 5;
/// each about so long, in nanoseconds,
const SHORT_PILOT: f64 = 2000.0;
/// with so many iterations at most.
const MOST_ITERATIONS: f64 = 1000.0;

/// When other threads of the program ran longer than this during some turns, in nanoseconds, the turns may have waited for them.
const OWN_WORK: f64 = 20_000.0;

/// What a benchmark is run in.
#[derive(Debug)]
pub(crate) struct Session {
    /// Without a host a benchmark runs once.
    host: Option<Host>,
    clock: Clock,
    cost: Ticks,
    /// When the host was answered first: its zero.
    greeted: Ticks,
    /// Opened when it is asked for the first time.
    delay: Option<Delay>,
    amounts: Vec<(String, f64)>,
    metrics: Vec<Metric>,
    threads: u32,
    counts_allocations: bool,
    served: bool,
    ended: bool,
}

/// How the host is reached.
#[derive(Debug)]
struct Host {
    requests: File,
    answers: File,
    #[cfg(target_os = "linux")]
    page: Option<TurnPage>,
}

/// A timed span.
#[derive(Debug, Clone)]
pub(crate) struct Span {
    pub(crate) before: Ticks,
    pub(crate) after: Ticks,
    pub(crate) wait: Wait,
    pub(crate) allocated: Count,
    pub(crate) verification: u64,
    /// The sums of what the benchmark itself measures.
    pub(crate) values: Vec<f64>,
}

/// What others had of the processor around a span. Asking takes longer than reading the clock, so it is asked outside of the
/// span, and with it comes what others had between the question and the span.
#[derive(Debug, Clone)]
pub(crate) struct Wait {
    /// Nanoseconds from the first question to the second; NaN if nobody knows.
    nanoseconds: f64,
    /// Ticks from a question to the span and from the span to a question.
    outside: Ticks,
}

impl Wait {
    pub(crate) fn unknown() -> Self {
        Self { nanoseconds: f64::NAN, outside: 0 }
    }

    /// The span is over: from `before` to `after`.
    pub(crate) fn end(&mut self, gate: &Gate<'_>, [before, after]: [Ticks; 2]) {
        if let Some(delay) = gate.delay {
            self.nanoseconds = delay.so_far() - self.nanoseconds;
            let now = gate.clock.before();
            self.outside = before.saturating_sub(self.outside) + now.saturating_sub(after);
        }
    }

    /// Nanoseconds that surely lie inside the span, which took `wall`. The system's account is not exact: among 160,000 turns on a
    /// machine with ten busy programs one claimed more than the span had. Such a claim is not believed.
    fn inside(&self, wall: f64, scale: f64) -> f64 {
        let inside = self.nanoseconds - self.outside as f64 * scale;
        if inside < 0.0 || inside >= wall { 0.0 } else { inside }
    }
}

/// One turn of a benchmark: payload and iterations.
pub(crate) type OneTurn<'a> = dyn FnMut(&mut Gate<'_>, u64, u64) -> Option<Span> + 'a;

/// How a turn comes and goes.
pub(crate) struct Gate<'a> {
    pub(crate) clock: &'a Clock,
    delay: Option<&'a Delay>,
    slot: u8,
    handed: Option<Handed>,
    #[cfg(target_os = "linux")]
    host: Option<&'a Host>,
}

impl Gate<'_> {
    /// Asks what others had of the processor so far, just before a span.
    pub(crate) fn wait_for_others(&self) -> Wait {
        let Some(delay) = self.delay else { return Wait::unknown() };
        let outside = self.clock.before();
        Wait { nanoseconds: delay.so_far(), outside }
    }

    /// Waits for the turn. Whether it came.
    #[cfg(target_os = "linux")]
    pub(crate) fn wait(&mut self) -> bool {
        let Some((handed, page, host)) = self.on_page() else { return true };
        let is_alone = || page::has_hung_up(host.requests.as_fd());
        page.wait(self.slot, handed.number, &Futex, is_alone) == Waited::Come
    }

    /// Lets the next one run.
    #[cfg(target_os = "linux")]
    pub(crate) fn hand_on(&mut self) {
        if let Some((handed, page, _)) = self.on_page() {
            page.hand(handed.next, handed.number.wrapping_add(1), &Futex);
        }
    }

    #[cfg(target_os = "linux")]
    fn on_page(&self) -> Option<(Handed, &TurnPage, &Host)> {
        let host = self.host?;
        Some((self.handed?, host.page.as_ref()?, host))
    }

    /// Without a page every turn is at once.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn wait(&mut self) -> bool {
        true
    }

    /// Without a page every turn is at once.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn hand_on(&mut self) {}
}

impl Session {
    /// The host that has started this program, if one has.
    ///
    /// # Errors
    /// What it left is no description of descriptors.
    #[cfg(unix)]
    pub(crate) fn of_environment() -> Result<Option<Self>, String> {
        let Some(text) = std::env::var_os(VARIABLE) else { return Ok(None) };
        let wrong = || format!("{VARIABLE} is {text:?}, which does not name two file descriptors");
        let text = text.to_str().ok_or_else(wrong)?;
        let numbers: Result<Vec<i32>, _> = text.split(',').map(str::parse).collect();
        let Ok([read, write, rest @ ..]) = numbers.as_deref() else { return Err(wrong()) };
        if rest.len() > 1 || [*read, *write].iter().chain(rest).any(|number| *number < 3) {
            return Err(wrong());
        }
        pad_the_heap();
        Ok(Some(Self::new(Some(Host {
            requests: File::from(descriptor(*read)),
            answers: File::from(descriptor(*write)),
            // The hello says if it cannot be used: then each turn is asked for.
            #[cfg(target_os = "linux")]
            page: rest.first().and_then(|number| TurnPage::of(descriptor(*number)).ok()),
        }))))
    }

    /// There are no hosts here yet.
    ///
    /// # Errors
    /// Never.
    #[cfg(not(unix))]
    pub(crate) fn of_environment() -> Result<Option<Self>, String> {
        Ok(None)
    }

    /// Without a host a benchmark runs once.
    pub(crate) fn alone() -> Self {
        Self::new(None)
    }

    fn new(host: Option<Host>) -> Self {
        let clock = Clock::start();
        Self {
            host,
            cost: clock.cost(),
            greeted: clock.before(),
            clock,
            delay: None,
            amounts: Vec::new(),
            metrics: Vec::new(),
            threads: 1,
            counts_allocations: allocations::are_counted(),
            served: false,
            ended: false,
        }
    }

    /// Answers the host's greeting. `empty_iteration` is what an iteration takes in which nothing is done, in ticks.
    pub(crate) fn greet(&mut self, empty_iteration: f64) {
        let scale = self.clock.scale();
        let hello = Hello {
            version: VERSION,
            language: format!("Rust, evenhand {}", env!("CARGO_PKG_VERSION")),
            clock: self.clock.name().to_owned(),
            resolution: self.clock.step() as f64 * scale,
            cost: self.cost as f64 * scale,
            iteration: empty_iteration * scale,
            turns: self.has_page(),
        };
        self.greeted = self.clock.before();
        self.answer(&Answer::Hello(hello));
    }

    #[cfg(target_os = "linux")]
    fn has_page(&self) -> bool {
        self.host.as_ref().is_some_and(|host| host.page.is_some())
    }

    #[cfg(not(target_os = "linux"))]
    fn has_page(&self) -> bool {
        false
    }

    /// Whether the host is done with this program.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Makes room for the next benchmark.
    pub(crate) fn begin(&mut self) {
        self.served = false;
        self.amounts.clear();
        self.metrics.clear();
        self.threads = 1;
    }

    /// Whether the benchmark ran anything.
    pub(crate) fn has_served(&self) -> bool {
        self.served
    }

    /// Says how much an iteration does; told to the host when it is ready.
    pub(crate) fn say_amount(&mut self, what: &str, how_much: f64) {
        self.amounts.push((what.to_owned(), how_much));
    }

    /// Says what else is measured.
    pub(crate) fn say_metric(&mut self, name: &str, unit: &str) {
        self.metrics.push(Metric { name: name.to_owned(), unit: unit.to_owned(), more_is_better: false });
    }

    /// Says how many threads it takes.
    pub(crate) fn say_threads(&mut self, threads: usize) {
        self.threads = u32::try_from(threads).unwrap_or(u32::MAX);
    }

    /// Serves the host's turns with a benchmark until it is finished.
    pub(crate) fn serve(&mut self, one_turn: &mut OneTurn<'_>) {
        self.served = true;
        if self.host.is_none() {
            one_turn(&mut self.gate(0, None, false), 0, 1);
            return;
        }
        let once = self.pilot(one_turn);
        let prepared = Prepared {
            once,
            threads: self.threads,
            amounts: std::mem::take(&mut self.amounts),
            metrics: self.all_metrics(),
        };
        self.answer(&Answer::Prepared(prepared));
        while let Some(request) = self.next() {
            match request {
                Request::Run(run) => {
                    let results = self.run(&run, one_turn);
                    self.answer(&Answer::Results(results));
                }
                Request::Finish => return self.answer(&Answer::Done),
                Request::Bye => break,
                _ => self.fail("a benchmark is ready: run it or finish it"),
            }
        }
        self.ended = true;
    }

    /// What is measured beside the time: allocations if they are counted, then what the benchmark said.
    fn all_metrics(&self) -> Vec<Metric> {
        let metric = |name: &str, unit: &str| Metric {
            name: name.to_owned(),
            unit: unit.to_owned(),
            more_is_better: false,
        };
        let counted = [metric("allocations", ""), metric("allocated", "B")];
        let counted = counted.into_iter().filter(|_| self.counts_allocations);
        counted.chain(self.metrics.iter().cloned()).collect()
    }

    /// About how long an iteration takes: the least of a few turns, or of the first alone, if it was long.
    fn pilot(&self, one_turn: &mut OneTurn<'_>) -> f64 {
        let (mut least, mut spent) = (f64::INFINITY, 0.0);
        for turn in 0..MOST_PILOTS {
            let mut gate = self.gate(0, None, false);
            // Many at once, where one is no more than reading the clock.
            let iterations =
                if turn == 0 { 1 } else { (SHORT_PILOT / least).clamp(1.0, MOST_ITERATIONS) as u64 };
            let Some(span) = one_turn(&mut gate, 0, iterations) else { break };
            let took = self.ticks(&span) as f64 * self.clock.scale();
            (least, spent) = (least.min(took / iterations as f64), spent + took);
            if spent > PILOT {
                break;
            }
        }
        least
    }

    fn run(&mut self, run: &Run, one_turn: &mut OneTurn<'_>) -> Results {
        if run.waits && self.delay.is_none() {
            self.delay = Delay::open();
        }
        let our_threads = Delay::of_our_threads();
        let mut spans = Vec::with_capacity(run.turns.len());
        for &Turn { payload, handed } in &run.turns {
            match one_turn(&mut self.gate(run.slot, handed, run.waits), payload, run.iterations) {
                Some(span) => spans.push(span),
                None => break,
            }
        }
        let by_us = Delay::of_our_threads() - our_threads > OWN_WORK;
        let scale = self.clock.scale();
        let verification = spans.iter().fold(0_u64, |all, span| all.rotate_left(1) ^ span.verification);
        let sample = |span: &Span| {
            let wall = self.ticks(span) as f64 * scale;
            Sample {
                started: Clock::nanoseconds(self.greeted, span.before, scale),
                wall,
                waited: if by_us { f64::NAN } else { span.wait.inside(wall, scale) },
                values: self.values(span),
            }
        };
        Results { verification, samples: spans.iter().map(sample).collect() }
    }

    /// One for each metric.
    fn values(&self, span: &Span) -> Vec<f64> {
        let Count { times, bytes } = span.allocated;
        let counted = [times as f64, bytes as f64].into_iter().filter(|_| self.counts_allocations);
        let own = (0..self.metrics.len()).map(|place| span.values.get(place).copied().unwrap_or(f64::NAN));
        counted.chain(own).collect()
    }

    /// What the span took, without what reading the clock takes.
    pub(crate) fn ticks(&self, span: &Span) -> Ticks {
        span.after.saturating_sub(span.before).saturating_sub(self.cost)
    }

    pub(crate) fn gate(&self, slot: u8, handed: Option<Handed>, waits: bool) -> Gate<'_> {
        let delay = self.delay.as_ref().filter(|_| waits);
        Gate {
            clock: &self.clock,
            delay,
            slot,
            handed,
            #[cfg(target_os = "linux")]
            host: self.host.as_ref(),
        }
    }

    pub(crate) fn next(&mut self) -> Option<Request> {
        let frame = match Frame::read(&mut self.host.as_mut()?.requests) {
            Ok(frame) => frame?,
            Err(error) => return self.leave(&error),
        };
        match Request::of(&frame) {
            Ok(request) => Some(request),
            Err(malformed) => self.leave(&malformed),
        }
    }

    /// Nothing that comes after bytes that are no request can be trusted.
    fn leave(&mut self, why: &dyn std::fmt::Display) -> Option<Request> {
        eprintln!("error: the host sent {why}");
        self.ended = true;
        None
    }

    pub(crate) fn fail(&mut self, why: &str) {
        self.answer(&Answer::Failed { why: why.to_owned() });
    }

    /// If the host is gone, the next request says so.
    pub(crate) fn answer(&mut self, answer: &Answer) {
        if let Some(host) = &mut self.host {
            let _ = answer.frame().write(&mut host.answers);
        }
    }
}

/// Whatever is allocated from now on lies somewhere else in each launch: the host gives each a variable of random length, which
/// moves the stack, and as much moves the heap.
fn pad_the_heap() {
    let length = std::env::var_os("EVENHAND_PADDING").map_or(0, |padding| padding.len());
    std::mem::forget(Vec::<u8>::with_capacity(length));
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "the host has put descriptors there for us")]
fn descriptor(number: i32) -> OwnedFd {
    // SAFETY: the protocol gives these descriptors to us alone, and this is called once for each, before anything else
    // of this program could have opened or taken one.
    let given = unsafe { OwnedFd::from_raw_fd(number) };
    // A copy is closed in programs that a benchmark starts: they have no business with the host.
    given.try_clone().unwrap_or(given)
}

#[cfg(test)]
mod tests {
    use super::Wait;

    #[test]
    fn what_may_lie_outside_of_the_span_is_not_taken_off() {
        let inside = |nanoseconds, outside| Wait { nanoseconds, outside }.inside(100.0, 0.5);
        assert_eq!([inside(60.0, 20), inside(60.0, 200)], [50.0, 0.0]);
        assert_eq!(inside(130.0, 20), 0.0, "more than the whole span is not believed");
        assert!(inside(f64::NAN, 20).is_nan());
    }
}
