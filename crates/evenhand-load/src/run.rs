//! How is a slice run? One thread, one loop: what is due is sent to free connections, then it sleeps until the next request is due or
//! something came.
//!
//! A connection has seats, one for each of its streams: one, but for HTTP/2. A seat is free or has one request on its way, never two: a
//! second would queue in the service, unseen. The one that was free the longest is taken next, so that all stay in use. While none is
//! free, what is due waits here, and its response counts on; nobody wakes up for it before a seat is free again.
//!
//! The clock is read when a request is sent. An answer has come when the kernel had the last of it, if it stamps what it receives; else
//! when it is read, and a response then has our own work on other answers in it. Of several answers that are read at once all have the
//! stamp of the last: never too little.
//!
//! Tests: `tests/truth/`.

use crate::connection::Connection;
use crate::load::nanoseconds;
use crate::plan::Arrival;
use crate::platform::{self, Ready, Usage, Waiter};
use crate::request::{Outcome, Request, RequestFailure};
use crate::slice::{Generator, Slice, Tally};
use crate::source::Source;
use crate::talk::{End, Ends};
use crate::{Load, LoadError, Service};
use std::collections::VecDeque;

/// So much is read at once.
const BUFFER: usize = 64 << 10;

/// Whoever wants to end a load is asked at least this often, in nanoseconds.
const ASKED_EVERY: u64 = 50_000_000;

/// Puts a load on a service and waits for the last answers. Each request that counts is shown when it has ended.
///
/// # Errors
/// If there is nothing to send or to send it on, and if the system refuses to wait. What the service does wrong is counted.
pub fn run(service: &Service, load: Load, observe: &mut dyn FnMut(&Request)) -> Result<Slice, LoadError> {
    run_until(service, load, observe, &|| false)
}

/// The same, and the load ends before its time as soon as `is_over`; what is on its way is still waited for. `is_over` should be quick.
///
/// # Errors
/// As for [`run`].
pub fn run_until(
    service: &Service,
    load: Load,
    observe: &mut dyn FnMut(&Request),
    is_over: &dyn Fn() -> bool,
) -> Result<Slice, LoadError> {
    let (seats, length) = match &load {
        Load::Open(plan) => (service.connections.saturating_mul(service.streams), plan.length()),
        Load::Closed { clients, length, .. } => (*clients, *length),
    };
    if seats == 0 || service.streams == 0 {
        return Err(LoadError::NoConnections);
    }
    let source = Source::new(load, service)?;
    let mut running = Running::new(service, source, seats, nanoseconds(length), observe, is_over)?;
    running.open_all()?;
    running.begin();
    while running.turn()? {}
    Ok(running.finish())
}

/// A request on its way.
struct OnItsWay {
    arrival: Arrival,
    free: u64,
    taken: u64,
    sent: Option<u64>,
    /// No other has this number.
    number: u64,
}

/// A place for a request.
#[derive(Default)]
struct Seat {
    request: Option<OnItsWay>,
    free_since: u64,
}

/// A connection, and those of its lanes whose requests wait until it is open and has room.
struct Link {
    connection: Connection,
    waiting: VecDeque<usize>,
}

/// When a request's answer comes too late.
#[derive(Clone, Copy)]
struct Deadline {
    at: u64,
    seat: usize,
    number: u64,
}

struct Running<'a> {
    service: &'a Service,
    observe: &'a mut dyn FnMut(&Request),
    is_over: &'a dyn Fn() -> bool,
    /// When that is asked next, on the system's clock.
    ask_at: u64,
    source: Source,
    waiter: Waiter,
    links: Vec<Link>,
    /// Those of the first lanes of all connections, then those of the second, and so on.
    seats: Vec<Seat>,
    /// Seats without a request, the one that has been free for the longest first.
    free: VecDeque<usize>,
    /// Requests that are due and wait for a seat.
    due: VecDeque<Arrival>,
    /// In the order of their moments, as all requests have the same time. Some of those requests have ended.
    deadlines: VecDeque<Deadline>,
    taken: u64,
    ready: Vec<Ready>,
    buffer: Box<[u8]>,
    /// What has become of requests of the connection that is looked at.
    ends: Ends,
    before: Usage,
    awake_before: u64,
    slice: Slice,
    /// Requests that are due and have not ended, and until when their time is counted.
    unended: u64,
    counted_until: u64,
    load_is_over: bool,
}

impl<'a> Running<'a> {
    fn new(
        service: &'a Service,
        source: Source,
        seats: usize,
        length: u64,
        observe: &'a mut dyn FnMut(&Request),
        is_over: &'a dyn Fn() -> bool,
    ) -> Result<Self, LoadError> {
        let lanes = service.streams.min(seats);
        let link = || Link { connection: Connection::new(service, lanes), waiting: VecDeque::new() };
        let operations = service.operations.iter().map(|operation| Tally::of(&operation.name)).collect();
        let generator = Generator { processor: 0, awake: 0, busy: 0.0, opened: 0, resent: 0 };
        Ok(Self {
            service,
            observe,
            is_over,
            ask_at: 0,
            source,
            waiter: Waiter::new()?,
            links: std::iter::repeat_with(link).take(seats.div_ceil(lanes)).collect(),
            seats: std::iter::repeat_with(Seat::default).take(seats).collect(),
            free: (0..seats).collect(),
            due: VecDeque::new(),
            deadlines: VecDeque::new(),
            taken: 0,
            ready: Vec::new(),
            buffer: vec![0; BUFFER].into_boxed_slice(),
            ends: Ends::new(),
            before: Usage::default(),
            awake_before: 0,
            slice: Slice {
                start: 0,
                length,
                lead_in: nanoseconds(service.lead_in),
                elapsed: 0,
                operations,
                taken: 0,
                waiting_at_end: 0,
                in_flight: 0,
                generator,
            },
            unended: 0,
            counted_until: 0,
            load_is_over: false,
        })
    }

    /// Opens the connections that the slice begins with. One that cannot be is left for a request to try again.
    fn open_all(&mut self) -> Result<(), LoadError> {
        for (place, link) in self.links.iter_mut().enumerate() {
            let _ = link.connection.open(&self.waiter, place);
        }
        let end = platform::now().saturating_add(nanoseconds(self.service.timeout));
        let is_opening = |links: &[Link]| links.iter().any(|link| link.connection.is_opening());
        while platform::now() < end && is_opening(&self.links) && !self.is_over() {
            self.wait_until(end)?;
            (0..self.ready.len()).for_each(|place| self.hear(self.ready[place]));
        }
        let opening = self.links.iter_mut().filter(|link| link.connection.is_opening());
        opening.for_each(|link| link.connection.close());
        Ok(())
    }

    fn begin(&mut self) {
        self.before = platform::usage();
        self.awake_before = self.waiter.awake();
        self.slice.start = platform::now();
    }

    /// Shall the load end? Asked every now and then: the answer may take a while.
    fn is_over(&mut self) -> bool {
        let now = platform::now();
        if now < self.ask_at {
            return false;
        }
        self.ask_at = now + ASKED_EVERY;
        (self.is_over)()
    }

    /// The load ends here.
    fn cut_short(&mut self, now: u64) {
        self.source.stop(now);
        self.slice.length = self.slice.length.min(now);
    }

    /// Nanoseconds since the slice began.
    fn clock(&self) -> u64 {
        platform::now().saturating_sub(self.slice.start)
    }

    /// Sends what is due and hears what came. Is there more to do?
    fn turn(&mut self) -> Result<bool, LoadError> {
        let now = self.clock();
        if self.is_over() {
            self.cut_short(now);
        }
        self.expire(now);
        self.send_due(now);
        self.note_end_of_load(now);
        let drained = self.load_is_over && self.unended == 0;
        if drained || now >= self.end_of_drain() {
            return Ok(false);
        }
        let next = self.next_moment();
        self.wait_until(self.slice.start.saturating_add(next))?;
        for place in 0..self.ready.len() {
            self.hear(self.ready[place]);
            // Whoever waits does not wait until all have been heard.
            self.send_due(self.clock());
        }
        Ok(true)
    }

    fn end_of_drain(&self) -> u64 {
        self.slice.length.saturating_add(nanoseconds(self.service.drain))
    }

    /// When is there something to do, if nothing comes?
    fn next_moment(&mut self) -> u64 {
        let arrival = if self.free.is_empty() { None } else { self.source.next_at() };
        let deadline = self.deadlines.front().map(|deadline| deadline.at);
        let end = if self.load_is_over { self.end_of_drain() } else { self.slice.length };
        [arrival, deadline].into_iter().flatten().fold(end, u64::min)
    }

    fn wait_until(&mut self, moment: u64) -> Result<(), LoadError> {
        let mut ready = std::mem::take(&mut self.ready);
        self.waiter.wait(moment.min(self.ask_at), &mut ready)?;
        self.ready = ready;
        Ok(())
    }

    /// Sends what is due to the connections that are free.
    fn send_due(&mut self, now: u64) {
        self.take_in(now);
        while !self.due.is_empty()
            && let Some(place) = self.free.pop_front()
            && let Some(arrival) = self.due.pop_front()
        {
            self.take(place, arrival);
        }
    }

    /// Takes in what has become due.
    fn take_in(&mut self, now: u64) {
        self.count_time(now);
        while let Some(arrival) = self.source.due(now) {
            self.slice.operations[arrival.operation].planned += u64::from(self.counts(arrival.at));
            self.slice.in_flight += u128::from(self.counted_until - arrival.at);
            self.unended += 1;
            self.due.push_back(arrival);
        }
    }

    /// Does a request that is planned for this moment count?
    fn counts(&self, planned: u64) -> bool {
        planned >= self.slice.lead_in
    }

    /// Counts the time that requests were on their way, until now.
    fn count_time(&mut self, now: u64) {
        let passed = now.saturating_sub(self.counted_until);
        self.slice.in_flight += u128::from(self.unended) * u128::from(passed);
        self.counted_until = self.counted_until.max(now);
    }

    /// Notes once, when nothing more will be due, how it stands.
    fn note_end_of_load(&mut self, now: u64) {
        if self.load_is_over || now < self.slice.length {
            return;
        }
        self.load_is_over = true;
        self.slice.waiting_at_end = self.due.len() as u64;
        let used = platform::usage();
        // Who stops telling how long it queued says 0.
        let queued = used.queued.saturating_sub(self.before.queued);
        let awake = self.waiter.awake() - self.awake_before;
        let worked = (used.processor - self.before.processor).saturating_sub(awake) + queued;
        self.slice.generator.busy = (worked as f64 / now.max(1) as f64).min(1.0);
    }

    fn take(&mut self, place: usize, arrival: Arrival) {
        let taken = self.clock();
        let number = self.taken;
        self.taken += 1;
        let at = taken.saturating_add(nanoseconds(self.service.timeout));
        self.deadlines.push_back(Deadline { at, seat: place, number });
        let seat = &mut self.seats[place];
        let free = arrival.at.max(seat.free_since);
        seat.request = Some(OnItsWay { arrival, free, taken, sent: None, number });
        let (link, lane) = self.link_and_lane(place);
        self.links[link].waiting.push_back(lane);
        self.serve(link, Some(taken));
    }

    /// Which connection a seat belongs to, and which lane of it.
    fn link_and_lane(&self, place: usize) -> (usize, usize) {
        (place % self.links.len(), place / self.links.len())
    }

    fn place(&self, link: usize, lane: usize) -> usize {
        lane * self.links.len() + link
    }

    /// Does what follows from what happened on a connection, and sends what waits for it: now, if that is known.
    fn serve(&mut self, link: usize, now: Option<u64>) {
        loop {
            let mut ends = std::mem::take(&mut self.ends);
            ends.drain(..).for_each(|(lane, end)| self.follow(link, lane, end));
            self.ends = ends;
            let Link { connection, waiting } = &mut self.links[link];
            match waiting.front() {
                None => return,
                Some(_) if connection.is_closed() => self.open(link),
                Some(_) if !connection.has_room() => return,
                Some(lane) => {
                    let lane = *lane;
                    waiting.pop_front();
                    self.send(link, lane, now.unwrap_or_else(|| self.clock()));
                }
            }
        }
    }

    /// Opens a connection for the requests that wait for it.
    fn open(&mut self, link: usize) {
        self.slice.generator.opened += 1;
        if let Err(failure) = self.links[link].connection.open(&self.waiter, link) {
            self.fail_waiting(link, failure);
        }
    }

    /// A connection could not be opened.
    fn fail_waiting(&mut self, link: usize, failure: RequestFailure) {
        for lane in std::mem::take(&mut self.links[link].waiting) {
            self.end(self.place(link, lane), Outcome::Failed(failure));
        }
    }

    fn send(&mut self, link: usize, lane: usize, now: u64) {
        let place = self.place(link, lane);
        let Some(request) = &mut self.seats[place].request else { return };
        request.sent = Some(now);
        let Arrival { operation, draw, .. } = request.arrival;
        let operation = &self.service.operations[operation];
        let connection = &mut self.links[link].connection;
        connection.send(lane, operation, draw, &mut self.buffer, &mut self.ends);
    }

    /// Looks at what came on a connection.
    fn hear(&mut self, ready: Ready) {
        let link = (ready.token & 0xffff_ffff) as usize;
        let connection = &mut self.links[link].connection;
        if connection.is_watched_as(ready.token) {
            let failure = connection.ready(ready, &mut self.buffer, &mut self.ends);
            if let Some(failure) = failure {
                self.fail_waiting(link, failure);
            }
            self.serve(link, None);
        }
    }

    fn follow(&mut self, link: usize, lane: usize, end: End) {
        let place = self.place(link, lane);
        let arrived = self.links[link].connection.arrived();
        match end {
            End::Answered { right: true } => self.answered(place, arrived, Outcome::Answered),
            End::Answered { right: false } => {
                self.answered(place, arrived, Outcome::Failed(RequestFailure::Wrong));
            }
            End::Failed(failure) => self.end(place, Outcome::Failed(failure)),
            End::Stale => {
                self.slice.generator.resent += 1;
                self.links[link].waiting.push_back(lane);
            }
        }
    }

    /// Nobody waits for the request of a seat any more.
    fn give_up(&mut self, place: usize) {
        let (link, lane) = self.link_and_lane(place);
        self.end(place, Outcome::Failed(RequestFailure::TimedOut));
        let Link { connection, waiting } = &mut self.links[link];
        waiting.retain(|waiting| *waiting != lane);
        connection.give_up(lane, &mut self.buffer, &mut self.ends);
        self.serve(link, None);
    }

    /// Gives up requests whose answers come too late.
    fn expire(&mut self, now: u64) {
        while let Some(deadline) = self.deadlines.front().copied() {
            let request = self.seats[deadline.seat].request.as_ref();
            let is_waited_for = request.is_some_and(|request| request.number == deadline.number);
            if is_waited_for && now < deadline.at {
                break;
            }
            self.deadlines.pop_front();
            if is_waited_for {
                self.give_up(deadline.seat);
            }
        }
    }

    /// A request has ended now; its seat is free.
    fn end(&mut self, place: usize, outcome: Outcome) {
        let now = self.clock();
        self.end_at(place, now, now, outcome);
    }

    /// The answer to a request is whole, and had come by a moment of the system's clock.
    fn answered(&mut self, place: usize, arrived: Option<u64>, outcome: Outcome) {
        let now = self.clock();
        let arrived = arrived.map_or(now, |moment| moment.saturating_sub(self.slice.start));
        self.end_at(place, arrived, now, outcome);
    }

    /// A request has ended; that is known only now, when its seat is free.
    fn end_at(&mut self, place: usize, ended: u64, now: u64, outcome: Outcome) {
        let seat = &mut self.seats[place];
        let Some(OnItsWay { arrival, free, taken, sent, .. }) = seat.request.take() else { return };
        // No answer comes before its request is sent, whatever a clock says that was set in between.
        let ended = ended.clamp(sent.unwrap_or(now).min(now), now);
        seat.free_since = now;
        self.free.push_back(place);
        self.count_time(now);
        self.slice.in_flight = self.slice.in_flight.saturating_sub(u128::from(now - ended));
        self.unended -= 1;
        self.source.ended(now, outcome);
        let Arrival { at: planned, operation, .. } = arrival;
        let request = Request { operation, planned, free, taken, sent, ended, outcome };
        if self.counts(planned) {
            self.slice.operations[operation].count(&request);
            (self.observe)(&request);
        }
    }

    /// The drain is over: what is still on its way has failed, what waits was not sent.
    fn finish(mut self) -> Slice {
        for place in 0..self.seats.len() {
            self.end(place, Outcome::Failed(RequestFailure::Unanswered));
        }
        let now = self.clock();
        self.count_time(now);
        for arrival in &self.due {
            self.slice.operations[arrival.operation].unsent += u64::from(self.counts(arrival.at));
        }
        self.slice.elapsed = now.max(self.slice.length);
        self.slice.taken = self.taken;
        self.slice.generator.processor = platform::usage().processor - self.before.processor;
        self.slice.generator.awake = self.waiter.awake() - self.awake_before;
        self.slice
    }
}
