//! One worker: how is it started, asked and put away? Every wait ends by an answer, by the worker's end, by the user, or by a
//! deadline; what it writes to its standard error is heard meanwhile, so that it never waits for us.
//!
//! Tests: `tests/worker/`.

use super::error::{WorkerError, WorkerErrorKind};
use super::plausible::{self, Implausible};
use crate::command::Interrupt;
use crate::command::listeners::Tail;
use crate::platform::process::Listener;
use crate::platform::signals::kill_group;
use crate::platform::{self, addresses, ending, lead_a_group};
use evenhand_protocol::frame::Frames;
use evenhand_protocol::message::{Answer, Benchmark, Hello, Metric, Prepared, Request, Results, Run};
use evenhand_protocol::page::TurnPage;
use evenhand_protocol::{VARIABLE, VERSION};
use evenhand_trial::LaunchId;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter, Write, pipe};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a worker is started.
#[derive(Debug, Clone, Default)]
pub struct WorkerCommand {
    pub name: String,
    /// Its program and arguments.
    pub words: Vec<OsString>,
    /// The same program with its functions in other orders: layouts 1, 2 and so on; layout 0 is the program itself.
    pub layouts: Vec<PathBuf>,
    /// Where it runs; here, if nothing is said.
    pub directory: Option<PathBuf>,
    /// Variables for it.
    pub environment: BTreeMap<OsString, OsString>,
    /// The limit on its stack, which chooses all its addresses. They are random, if nothing is said.
    pub stack: Option<u64>,
}

impl WorkerCommand {
    /// Which layout the programs of a launch have, all the same: they go round those that each program has.
    pub fn layout_in_turn<'a>(launch: LaunchId, programs: impl Iterator<Item = &'a Self>) -> u32 {
        let layouts = programs.map(|program| 1 + program.layouts.len()).min();
        (launch.0 as usize % layouts.unwrap_or(1)) as u32
    }

    /// Takes the program with this layout.
    pub fn choose_layout(&mut self, layout: u32) {
        let other = (layout as usize).checked_sub(1).and_then(|place| self.layouts.get(place));
        if let (Some(program), Some(other)) = (self.words.first_mut(), other) {
            *program = other.clone().into_os_string();
        }
    }
}

/// A worker that runs.
#[derive(Debug)]
pub struct Peer {
    name: String,
    child: Child,
    ended: OwnedFd,
    requests: PipeWriter,
    answers: PipeReader,
    errors: PipeReader,
    frames: Frames,
    errors_so_far: Tail,
    /// Those of the benchmark that is ready.
    metrics: Vec<Metric>,
    /// It has ended, and all that it sent was read.
    is_over: bool,
    interrupt: Interrupt,
}

impl Peer {
    /// Starts a worker, with a page for turns if there is one.
    ///
    /// # Errors
    /// It could not be started.
    pub fn start(
        launch: &WorkerCommand,
        page: Option<&TurnPage>,
        interrupt: &Interrupt,
    ) -> Result<Self, WorkerError> {
        let fault = |error| WorkerError {
            worker: launch.name.clone(),
            wanted: "",
            what: WorkerErrorKind::NotStarted(error),
            last_words: None,
        };
        Self::started(launch, page, interrupt).map_err(fault)
    }

    fn started(launch: &WorkerCommand, page: Option<&TurnPage>, interrupt: &Interrupt) -> io::Result<Self> {
        let (for_it, requests) = pipe()?;
        let (answers, from_it) = pipe()?;
        let (errors, complaints) = pipe()?;
        for end in [requests.as_fd(), answers.as_fd(), errors.as_fd()] {
            fcntl_setfl(end, OFlags::NONBLOCK)?;
        }
        // A program inherits what is not closed when it starts: copies that are open until then.
        let mut inherited = vec![rustix::io::dup(&for_it)?, rustix::io::dup(&from_it)?];
        if let Some(page) = page {
            inherited.push(rustix::io::dup(page)?);
        }
        let numbers: Vec<String> = inherited.iter().map(|end| end.as_raw_fd().to_string()).collect();
        let (program, arguments) = launch.words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).envs(&launch.environment).env(VARIABLE, numbers.join(","));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(complaints);
        if let Some(directory) = &launch.directory {
            command.current_dir(directory);
        }
        if let Some(stack) = launch.stack {
            addresses::choose(&mut command, stack);
        }
        lead_a_group(&mut command);
        let child = {
            // A second Ctrl-C finds it, or comes before it is started.
            let mut running = interrupt.running();
            let child = command.spawn()?;
            running.extend(i32::try_from(child.id()));
            child
        };
        drop(inherited);
        let (child, ended) = watched(child, interrupt)?;
        Ok(Self {
            name: launch.name.clone(),
            ended,
            child,
            requests,
            answers,
            errors,
            frames: Frames::default(),
            errors_so_far: Tail::default(),
            metrics: Vec::new(),
            is_over: false,
            interrupt: interrupt.clone(),
        })
    }

    /// Greets it.
    ///
    /// # Errors
    /// It does not speak our version, or as always.
    pub fn greet(&mut self, within: Duration) -> Result<Hello, WorkerError> {
        let wanted = "hello";
        match self.ask(&Request::Hello { version: VERSION }, wanted, within)? {
            Answer::Hello(hello) if hello.version == VERSION => {
                self.believe(plausible::hello(&hello), wanted)?;
                Ok(hello)
            }
            Answer::Hello(hello) => {
                Err(self.fault(wanted, WorkerErrorKind::Version { its: hello.version, ours: VERSION }))
            }
            _ => Err(self.fault(wanted, WorkerErrorKind::OutOfTurn)),
        }
    }

    /// What it can run.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn list(&mut self, within: Duration) -> Result<Vec<Benchmark>, WorkerError> {
        match self.ask(&Request::List, LIST, within)? {
            Answer::Benchmarks(benchmarks) => Ok(benchmarks),
            _ => Err(self.fault(LIST, WorkerErrorKind::OutOfTurn)),
        }
    }

    /// Gets a benchmark ready.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn prepare(&mut self, benchmark: u32, within: Duration) -> Result<Prepared, WorkerError> {
        let wanted = "benchmark that is ready";
        match self.ask(&Request::Prepare { benchmark }, wanted, within)? {
            Answer::Prepared(prepared) => {
                self.believe(plausible::prepared(&prepared), wanted)?;
                self.metrics.clone_from(&prepared.metrics);
                Ok(prepared)
            }
            _ => Err(self.fault(wanted, WorkerErrorKind::OutOfTurn)),
        }
    }

    /// Tells it to run turns; [`results`] waits for what they give.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn run(&mut self, run: Run, within: Duration) -> Result<(), WorkerError> {
        self.tell(&Request::Run(run), RESULTS, within)
    }

    /// Puts the benchmark away.
    ///
    /// # Errors
    /// [`WorkerError`].
    pub fn finish(&mut self, within: Duration) -> Result<(), WorkerError> {
        let wanted = "end of the benchmark";
        match self.ask(&Request::Finish, wanted, within)? {
            Answer::Done => Ok(()),
            _ => Err(self.fault(wanted, WorkerErrorKind::OutOfTurn)),
        }
    }

    fn believe(&mut self, checked: Result<(), Implausible>, wanted: &'static str) -> Result<(), WorkerError> {
        checked.map_err(|implausible| self.fault(wanted, WorkerErrorKind::Implausible(implausible)))
    }

    fn ask(
        &mut self,
        request: &Request,
        wanted: &'static str,
        within: Duration,
    ) -> Result<Answer, WorkerError> {
        let until = Instant::now() + within;
        self.tell(request, wanted, within)?;
        self.hear(wanted, until, within)
    }

    fn tell(&mut self, request: &Request, wanted: &'static str, within: Duration) -> Result<(), WorkerError> {
        let mut bytes = Vec::new();
        request
            .frame()
            .write(&mut bytes)
            .map_err(|error| self.fault(wanted, WorkerErrorKind::System(error)))?;
        let until = Instant::now() + within;
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            match self.requests.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(wanted, until, within, true)?;
                    if self.is_over {
                        return Err(self.has_ended(wanted));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(self.has_ended(wanted)),
                Err(error) => return Err(self.fault(wanted, WorkerErrorKind::System(error))),
            }
        }
        Ok(())
    }

    fn hear(
        &mut self,
        wanted: &'static str,
        until: Instant,
        within: Duration,
    ) -> Result<Answer, WorkerError> {
        loop {
            if let Some(answer) = self.received(wanted)? {
                return Ok(answer);
            }
            self.wait(wanted, until, within, false)?;
        }
    }

    /// The answer, if it is there. A worker that has ended and left no answer is a fault.
    fn received(&mut self, wanted: &'static str) -> Result<Option<Answer>, WorkerError> {
        match self.frames.next() {
            Ok(None) if self.is_over => Err(self.has_ended(wanted)),
            Ok(None) => Ok(None),
            Ok(Some(frame)) => match Answer::of(&frame) {
                Ok(Answer::Failed { why }) => Err(self.fault(wanted, WorkerErrorKind::Refused(why))),
                Ok(answer) => Ok(Some(answer)),
                Err(malformed) => Err(self.fault(wanted, WorkerErrorKind::Garbled(malformed))),
            },
            Err(malformed) => Err(self.fault(wanted, WorkerErrorKind::Garbled(malformed))),
        }
    }

    /// Sleeps until something happens to this worker.
    fn wait(
        &mut self,
        wanted: &'static str,
        until: Instant,
        within: Duration,
        to_write: bool,
    ) -> Result<(), WorkerError> {
        let interrupt = self.interrupt.clone();
        match wait_for(std::slice::from_mut(self), &interrupt, until, to_write) {
            Ok(Awaited::Happened) => Ok(()),
            Ok(Awaited::InVain) => Err(self.fault(wanted, WorkerErrorKind::Silent(within))),
            Ok(Awaited::ByUser) => Err(self.fault(wanted, WorkerErrorKind::Interrupted)),
            Err(error) => Err(self.fault(wanted, WorkerErrorKind::System(error))),
        }
    }

    /// Takes in what there is to read.
    fn take_in(&mut self, answered: bool, complained: bool, ended: bool) {
        if complained {
            self.errors_so_far.hear(&read(&mut self.errors));
        }
        let bytes = if answered || ended { read(&mut self.answers) } else { Vec::new() };
        self.frames.push(&bytes);
        self.is_over = ended && bytes.is_empty();
    }

    fn has_ended(&mut self, wanted: &'static str) -> WorkerError {
        let what = match self.end() {
            Ok(status) => WorkerErrorKind::Ended(status),
            Err(error) => WorkerErrorKind::System(error),
        };
        self.fault(wanted, what)
    }

    /// Ends what is left of it and of what it has started, and reaps it: once, under the lock of the groups that run, so that its
    /// number is nobody else's meanwhile.
    fn end(&mut self) -> io::Result<ExitStatus> {
        let mut running = self.interrupt.running();
        if let Ok(group) = i32::try_from(self.child.id())
            && running.remove(&group)
        {
            kill_group(group);
        }
        self.child.wait()
    }

    /// Unless it only refused, the worker is of no use any more.
    pub(super) fn fault(&mut self, wanted: &'static str, what: WorkerErrorKind) -> WorkerError {
        if !matches!(what, WorkerErrorKind::Refused(_)) {
            // Nobody is left to tell if it cannot be reaped.
            let _ = self.end();
            self.is_over = true;
        }
        self.errors_so_far.hear(&read(&mut self.errors));
        WorkerError { worker: self.name.clone(), wanted, what, last_words: self.errors_so_far.lines() }
    }
}

/// A worker and its end. One whose end cannot be heard of is put away.
fn watched(mut child: Child, interrupt: &Interrupt) -> io::Result<(Child, OwnedFd)> {
    let number = i32::try_from(child.id()).map_err(io::Error::other)?;
    match ending::of_child(number) {
        Ok(ended) => Ok((child, ended)),
        Err(error) => {
            let mut running = interrupt.running();
            platform::stop(&mut child);
            running.remove(&number);
            Err(error)
        }
    }
}

pub(super) const RESULTS: &str = "results";
/// What a worker can run.
pub(super) const LIST: &str = "list of benchmarks";

/// What all of them answer to [`Peer::run`], in their order. They may depend on each other's turns, so one that fails is seen
/// while the others wait for it.
///
/// # Errors
/// The place of the worker that failed, and how.
pub fn results(
    peers: &mut [Peer],
    interrupt: &Interrupt,
    within: Duration,
) -> Result<Vec<Results>, (usize, WorkerError)> {
    let until = Instant::now() + within;
    let mut received: Vec<Option<Results>> = vec![None; peers.len()];
    loop {
        for (place, (peer, known)) in
            peers.iter_mut().zip(&mut received).enumerate().filter(|(_, (_, known))| known.is_none())
        {
            match peer.received(RESULTS) {
                Ok(Some(Answer::Results(results))) => {
                    let checked = plausible::results(&results, &peer.metrics);
                    peer.believe(checked, RESULTS).map_err(|fault| (place, fault))?;
                    *known = Some(results);
                }
                Ok(Some(_)) => return Err((place, peer.fault(RESULTS, WorkerErrorKind::OutOfTurn))),
                Ok(None) => {}
                Err(fault) => return Err((place, fault)),
            }
        }
        let Some(first) = received.iter().position(Option::is_none) else {
            return Ok(received.into_iter().flatten().collect());
        };
        let what = match wait_for(peers, interrupt, until, false) {
            Ok(Awaited::Happened) => continue,
            Ok(Awaited::InVain) => WorkerErrorKind::Silent(within),
            Ok(Awaited::ByUser) => WorkerErrorKind::Interrupted,
            Err(error) => WorkerErrorKind::System(error),
        };
        return Err((first, peers[first].fault(RESULTS, what)));
    }
}

/// What a wait has come to.
enum Awaited {
    Happened,
    InVain,
    ByUser,
}

/// Sleeps until a worker answers, complains or ends, or can be written to if that is wanted; and takes in what they say.
fn wait_for(
    peers: &mut [Peer],
    interrupt: &Interrupt,
    until: Instant,
    to_write: bool,
) -> io::Result<Awaited> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Ok(Awaited::InVain);
    }
    let events = {
        let mut polled = vec![PollFd::from_borrowed_fd(interrupt.bell(), PollFlags::IN)];
        for peer in &*peers {
            polled.push(PollFd::new(&peer.answers, PollFlags::IN));
            polled.push(PollFd::new(&peer.errors, PollFlags::IN));
            polled.push(PollFd::new(&peer.ended, PollFlags::IN));
        }
        if to_write {
            polled.extend(peers.iter().map(|peer| PollFd::new(&peer.requests, PollFlags::OUT)));
        }
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        match poll(&mut polled, Some(&left)) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        polled.iter().map(|source| !source.revents().is_empty()).collect::<Vec<bool>>()
    };
    for (peer, happened) in peers.iter_mut().zip(events[1..].chunks(3)) {
        peer.take_in(happened[0], happened[1], happened[2]);
    }
    Ok(if events[0] { Awaited::ByUser } else { Awaited::Happened })
}

/// What is there now.
fn read(pipe: &mut PipeReader) -> Vec<u8> {
    let mut bytes = vec![0; 1 << 16];
    let count = io::Read::read(pipe, &mut bytes).unwrap_or(0);
    bytes.truncate(count);
    bytes
}

/// How long a worker may take to put away what it has made.
const FAREWELL: Duration = Duration::from_millis(200);

impl Drop for Peer {
    /// It is told that there is nothing more to do, so that it may clean up; and ended if it takes long.
    fn drop(&mut self) {
        if !self.is_over && Request::Bye.frame().write(&mut self.requests).is_ok() {
            let mut ended = [PollFd::new(&self.ended, PollFlags::IN)];
            let within = Timespec { tv_sec: 0, tv_nsec: FAREWELL.subsec_nanos().into() };
            let _ = poll(&mut ended, Some(&within));
        }
        let _ = self.end();
    }
}
