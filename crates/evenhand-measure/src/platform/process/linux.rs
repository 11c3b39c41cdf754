//! How is a process run on Linux? It is started, by a small process of ours if there is one (see [`starter`]) or by
//! `posix_spawn`; then comes one `poll` on everything that may happen: its end ([`ending`]), the user's interrupt, what it
//! writes, and its time.
//!
//! This process adopts what its children leave behind (`PR_SET_CHILD_SUBREAPER`, `prctl(2)`), so it can be reaped.
//! A process that has left its group on purpose, as a daemon does, is not followed.
//!
//! Tests: `tests/command.rs`, `tests/interrupt.rs`, `tests/starter.rs`.

use super::starter::{self, Starter};
use super::{GRACE, Limits, Listener, ProcessEnd, ProcessRun, Start, Stream, Streams, TICK, Usage};
use crate::platform::account::Account;
use crate::platform::calls::{self, Ready};
use crate::platform::signals::{end_group_politely, kill_group};
use crate::platform::{Monotonic, ending};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, fcntl_getpipe_size, pipe_with};
use rustix::process::{getpid, set_child_subreaper};
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Once;
use std::time::Duration;

/// A default pipe holds 64 KiB.
const BUFFER: usize = 64 * 1024;

/// What can be started again and again.
#[derive(Debug)]
pub struct Spawnable {
    program: CString,
    words: Vec<CString>,
    environment: Vec<CString>,
    directory: Option<CString>,
}

impl Spawnable {
    /// Puts everything into the form that the system takes.
    ///
    /// # Errors
    /// If a word, a variable or a path has a zero byte in it.
    pub fn new(start: Start) -> io::Result<Self> {
        let directory = start.directory.map(|directory| c_string(directory.as_os_str()));
        Ok(Self {
            program: c_string(start.program.as_os_str())?,
            words: start.words.iter().map(|word| c_string(word)).collect::<io::Result<_>>()?,
            environment: start
                .environment
                .into_iter()
                .map(|(name, value)| {
                    let both = [name.into_vec(), value.into_vec()].join(&b'=');
                    CString::new(both).map_err(io::Error::from)
                })
                .collect::<io::Result<_>>()?,
            directory: directory.transpose()?,
        })
    }
}

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::from)
}

/// A process that only waits to be started.
#[derive(Debug)]
pub struct Poised<'a> {
    prepared: &'a Spawnable,
    padding: Option<&'a CString>,
    streams: &'a Streams,
    ears: [Ear; 2],
    starter: Option<starter::Poised>,
}

/// Gets everything ready for a run: all that can be done before the clock is read. `padding` is one more variable, as it
/// stands in the environment. Without a `starter`, or if it fails, this program itself starts the process.
///
/// # Errors
/// If there are no descriptors left.
pub fn poise<'a>(
    prepared: &'a Spawnable,
    starter: Option<&Starter>,
    padding: Option<&'a CString>,
    streams: &'a Streams,
) -> io::Result<Poised<'a>> {
    adopt_orphans();
    let ears = [Ear::of(&streams.output)?, Ear::of(&streams.error)?];
    let poised = Poised { prepared, padding, streams, ears, starter: None };
    let starter = starter.and_then(|starter| poised.at(starter).ok());
    Ok(Poised { starter, ..poised })
}

impl Poised<'_> {
    /// The process that will start the command, if it is not this one.
    pub fn starter(&self) -> Option<i32> {
        self.starter.as_ref().map(|starter| starter.process)
    }

    /// Runs the process to its end; `still_runs` is told about once a second for how long it has been running.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(
        self,
        limits: &Limits<'_>,
        clock: &Monotonic,
        [output, error]: [&mut dyn Listener; 2],
        still_runs: &mut dyn FnMut(Duration),
    ) -> io::Result<ProcessRun> {
        let (group, started) = self.start(limits, clock)?;
        // The starter sleeps until this run is over, so that its end takes no time of it.
        let Self { ears, starter: _starter, .. } = self;
        let tick = started + nanoseconds(TICK);
        let listeners = [output as _, error as _];
        let mut waiting = Waiting { group, limits, clock, started, tick, ears, listeners, still_runs };
        let watched = waiting.watch();
        let wall = clock.nanoseconds() - started;
        waiting.put_away(watched, wall)
    }

    /// Starts the process: the number of its group, and when that was.
    fn start(&self, limits: &Limits<'_>, clock: &Monotonic) -> io::Result<(i32, u64)> {
        let start = |start: &dyn Fn() -> io::Result<(i32, u64)>| {
            let mut running = limits.interrupt.running();
            let (group, started) = start()?;
            running.insert(group);
            Ok((group, started))
        };
        if let Some(starter) = &self.starter {
            return start(&|| starter.start().map(|(group, readable)| (group, clock.since_start(readable))));
        }
        let ready = self.ready(&self.prepared.program, &[], None)?;
        start(&|| {
            let started = clock.nanoseconds();
            Ok((ready.spawn()?, started))
        })
    }

    fn at(&self, starter: &Starter) -> io::Result<starter::Poised> {
        starter
            .poise(&self.prepared.program, |path, words, line| self.ready(path, words, Some(line))?.spawn())
    }

    /// What `posix_spawn` takes: the command, or a program with some words more before those of the command.
    fn ready<'a>(
        &'a self,
        path: &'a CStr,
        before: &'a [CString],
        line: Option<(BorrowedFd<'a>, i32)>,
    ) -> io::Result<Ready<'a>> {
        let Self { prepared, streams, ears: [out, err], .. } = self;
        let streams = [Some(streams.input.as_fd()), out.mouth(&streams.output), err.mouth(&streams.error)];
        let placed = streams.into_iter().zip(0..).filter_map(|(stream, number)| Some((stream?, number)));
        Ready::new(
            path,
            before.iter().chain(&prepared.words),
            prepared.environment.iter().chain(self.padding),
            prepared.directory.as_deref(),
            placed.chain(line),
        )
    }
}

fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it, orphans go to the first process of the system, which reaps them, too.
        let _ = set_child_subreaper(Some(getpid()));
    });
}

/// Our end of a pipe that the process writes to. Its own end stays open with us until the process is reaped, so that we
/// see data or nothing, never its end.
#[derive(Debug)]
enum Ear {
    Open { reader: OwnedFd, writer: OwnedFd },
    Closed,
}

impl Ear {
    fn of(stream: &Stream) -> io::Result<Self> {
        if !matches!(stream, Stream::Heard) {
            return Ok(Self::Closed);
        }
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        // Only our end: the process expects that writing waits.
        fcntl_setfl(&reader, OFlags::NONBLOCK)?;
        Ok(Self::Open { reader, writer })
    }

    /// What the process writes to.
    fn mouth<'a>(&'a self, stream: &'a Stream) -> Option<BorrowedFd<'a>> {
        match (self, stream) {
            (Self::Open { writer, .. }, _) => Some(writer.as_fd()),
            (Self::Closed, Stream::File(file)) => Some(file.as_fd()),
            (Self::Closed, _) => None,
        }
    }

    fn reader(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Open { reader, .. } => Some(reader.as_fd()),
            Self::Closed => None,
        }
    }

    /// Reads once. Whether there may be more.
    fn listen(&self, listener: &mut dyn Listener, buffer: &mut [u8]) -> bool {
        let Some(reader) = self.reader() else { return false };
        match rustix::io::read(reader, &mut *buffer) {
            Ok(count) => {
                listener.hear(&buffer[..count]);
                count > 0
            }
            Err(error) => error == Errno::INTR,
        }
    }

    /// Reads what is there now: no more than a pipe can hold, as someone may go on writing.
    fn drain(&self, listener: &mut dyn Listener, buffer: &mut [u8]) {
        let Some(reader) = self.reader() else { return };
        let most = fcntl_getpipe_size(reader).unwrap_or(BUFFER).div_ceil(buffer.len().max(1)) + 1;
        for _ in 0..most {
            if !self.listen(listener, buffer) {
                return;
            }
        }
    }
}

/// What woke us.
enum Woken {
    Ended,
    ByUser,
    TimeOver,
}

struct Waiting<'a> {
    group: i32,
    limits: &'a Limits<'a>,
    clock: &'a Monotonic,
    started: u64,
    /// When we say next that it still runs.
    tick: u64,
    ears: [Ear; 2],
    listeners: [&'a mut dyn Listener; 2],
    still_runs: &'a mut dyn FnMut(Duration),
}

impl Waiting<'_> {
    /// Until the leader has ended. What we ended it for, if we did.
    fn watch(&mut self) -> io::Result<Option<ProcessEnd>> {
        let leader = ending::of_child(self.group)?;
        let leader = leader.as_fd();
        let allowed = self.limits.timeout.map(|timeout| self.started + nanoseconds(timeout));
        let end = match self.wait(leader, allowed, !self.limits.patient)? {
            Woken::Ended => return Ok(None),
            Woken::ByUser => ProcessEnd::Interrupted,
            Woken::TimeOver => ProcessEnd::TimedOut,
        };
        end_group_politely(self.group);
        let grace = self.clock.nanoseconds() + nanoseconds(GRACE);
        if !matches!(self.wait(leader, Some(grace), false)?, Woken::Ended) {
            kill_group(self.group);
            self.wait(leader, None, false)?;
        }
        Ok(Some(end))
    }

    fn wait(&mut self, leader: BorrowedFd<'_>, until: Option<u64>, heed_user: bool) -> io::Result<Woken> {
        let mut buffer = Vec::new();
        loop {
            let now = self.clock.nanoseconds();
            if until.is_some_and(|until| until <= now) {
                return Ok(Woken::TimeOver);
            }
            self.say_that_it_runs(now);
            let wake = until.map_or(self.tick, |until| until.min(self.tick));
            let [ended, interrupted, readable @ ..] = self.happened(leader, wake - now, heed_user)?;
            if ended {
                return Ok(Woken::Ended);
            }
            if interrupted {
                return Ok(Woken::ByUser);
            }
            buffer.resize(BUFFER, 0);
            for ((ear, listener), readable) in self.ears.iter().zip(&mut self.listeners).zip(readable) {
                if readable {
                    ear.listen(&mut **listener, &mut buffer);
                }
            }
        }
    }

    /// Once a second, from the end of the first one on: a short run is not disturbed.
    fn say_that_it_runs(&mut self, now: u64) {
        if now >= self.tick {
            (self.still_runs)(Duration::from_nanos(now - self.started));
            self.tick = now + nanoseconds(TICK);
        }
    }

    /// Sleeps until something happens: the end, the user's request, something to hear on either ear; but no longer than
    /// so many nanoseconds.
    fn happened(&self, leader: BorrowedFd<'_>, longest: u64, heed_user: bool) -> io::Result<[bool; 4]> {
        let [out, err] = [self.ears[0].reader(), self.ears[1].reader()];
        let user = heed_user.then(|| self.limits.interrupt.bell());
        let sources = [Some(leader), user, out, err];
        let mut polled: Vec<PollFd<'_>> =
            sources.iter().flatten().map(|source| PollFd::from_borrowed_fd(*source, PollFlags::IN)).collect();
        match poll(&mut polled, Some(&timespec(longest))) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut answers = polled.iter().map(|source| !source.revents().is_empty());
        Ok(sources.map(|source| source.is_some() && answers.next().unwrap_or(false)))
    }

    /// Ends what is left of the group, reaps all, and hears what is still in the pipes.
    fn put_away(mut self, watched: io::Result<Option<ProcessEnd>>, wall: u64) -> io::Result<ProcessRun> {
        // The leader is not reaped yet, so the number is still that of the group.
        kill_group(self.group);
        let account = Account::of(self.group);
        self.limits.interrupt.running().remove(&self.group);
        let leader = calls::reap(self.group)?;
        let (status, used) = leader.ok_or_else(|| io::Error::other("someone else has reaped it"))?;
        let (mut usage, mut left_behind) = (usage(&used), 0);
        while let Some((status, used)) = calls::reap(-self.group)? {
            usage = usage.and(self::usage(&used));
            left_behind += u32::from(killed(status));
        }
        let mut buffer = vec![0; BUFFER];
        for (ear, listener) in self.ears.iter().zip(&mut self.listeners) {
            ear.drain(&mut **listener, &mut buffer);
        }
        let end = watched?.unwrap_or_else(|| end(status));
        let waited = account.filter(|account| account.is_whole(&usage)).map(|account| account.waited);
        let (started, usage) = (self.started, Some(usage));
        Ok(ProcessRun { end, started, wall, usage, waited, left_behind, floor: 0, counts: Vec::new() })
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2)
}

fn timespec(nanoseconds: u64) -> Timespec {
    let time = Duration::from_nanos(nanoseconds);
    Timespec {
        tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: time.subsec_nanos().into(),
    }
}

fn end(status: i32) -> ProcessEnd {
    if libc::WIFSIGNALED(status) {
        ProcessEnd::Signal(libc::WTERMSIG(status))
    } else {
        ProcessEnd::Exit(libc::WEXITSTATUS(status))
    }
}

fn killed(status: i32) -> bool {
    end(status) == ProcessEnd::Signal(libc::SIGKILL)
}

fn usage(used: &libc::rusage) -> Usage {
    let microseconds = |time: libc::timeval| time.tv_sec * 1_000_000 + time.tv_usec;
    Usage {
        user: microseconds(used.ru_utime),
        system: microseconds(used.ru_stime),
        max_rss: used.ru_maxrss,
        minor_faults: used.ru_minflt,
        major_faults: used.ru_majflt,
        blocks_in: used.ru_inblock,
        blocks_out: used.ru_oublock,
        voluntary_switches: used.ru_nvcsw,
        involuntary_switches: used.ru_nivcsw,
    }
}
