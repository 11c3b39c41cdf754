//! How does Linux wait, connect, and account?
//!
//! A connection is registered once, for all events and edge-triggered (`EPOLLET`), so that a request costs one write, one read and its share
//! of a wait. No event is lost as long as the reader reads until a read is short, or until the end where [`Ready::ended`] is set (epoll(7),
//! "Questions and answers", 9).
//!
//! The timer has moments of `CLOCK_MONOTONIC`, so no delay between looking at the clock and setting it is added. The kernel may end a
//! sleep later than asked by the thread's timer slack, 50 µs by default: that is set to 1 ns while a [`Waiter`] lives.
//!
//! A processor that slept wakes up late, too: by 29 µs in the median on a quiet virtual machine. So the timer ends a little before the
//! moment, and the rest is waited awake, as long as that takes a tenth of the time at most: 0.3 µs late, for 6 % of a processor at 1,000
//! moments a second.
//!
//! An answer has come when the kernel has it, not when this thread gets round to reading it: on a machine whose processors the service
//! needs, too, that may be long after. So the kernel stamps what comes (`SO_TIMESTAMPNS`), on the wall clock; how long ago that was is
//! the same on every clock.
//!
//! Tests: `tests/truth/`.

use super::{Ready, Received, Usage};
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt::ReceiveTimestampns};
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::thread::{current_timer_slack, set_current_timer_slack};
use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
    timerfd_create, timerfd_settime,
};
use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, TcpStream};
use std::num::NonZeroU64;
use std::os::fd::AsRawFd;

/// So many connections are told of at once; others come in the next turn.
const MOST_EVENTS: usize = 256;

/// So long before a moment the sleep ends, in nanoseconds: a processor is awake again by then.
const EARLY: u64 = 60_000;

/// At most one part in so many of all time is waited awake.
const AWAKE_PART: u64 = 10;

/// Which number no connection is watched as.
const TIMER: u64 = u64::MAX;

const SECOND: u64 = 1_000_000_000;

/// `CLOCK_MONOTONIC`, in nanoseconds.
pub(crate) fn now() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

fn nanoseconds(time: Timespec) -> u64 {
    time.tv_sec as u64 * SECOND + time.tv_nsec as u64
}

/// What this thread has used so far.
pub(crate) fn usage() -> Usage {
    let schedstat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let queued = schedstat.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    let processor = nanoseconds(clock_gettime(ClockId::ThreadCPUTime));
    Usage { processor, queued: queued.unwrap_or(0) }
}

/// A connection that is being made. What is written to it is sent at once.
pub(crate) fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = rustix::net::socket_with(family, SocketType::STREAM, flags, None)?;
    match rustix::net::connect(&socket, &address) {
        Ok(()) | Err(Errno::INPROGRESS) => {}
        Err(error) => return Err(error.into()),
    }
    let socket = TcpStream::from(socket);
    socket.set_nodelay(true)?;
    // Without stamps an answer comes when it is read.
    let _ = setsockopt(&socket, ReceiveTimestampns, &true);
    Ok(socket)
}

/// Reads what came, without waiting.
pub(crate) struct Receiver {
    control: Vec<u8>,
}

impl Receiver {
    pub(crate) fn new() -> Self {
        Self { control: nix::cmsg_space!(nix::sys::time::TimeSpec) }
    }

    pub(crate) fn receive(&mut self, socket: &TcpStream, buffer: &mut [u8]) -> io::Result<Received> {
        let mut parts = [IoSliceMut::new(buffer)];
        let control = Some(self.control.as_mut_slice());
        let message = recvmsg::<()>(socket.as_raw_fd(), &mut parts, control, MsgFlags::empty())?;
        let stamp = message.cmsgs().ok().and_then(|mut messages| {
            messages.find_map(|message| match message {
                ControlMessageOwned::ScmTimestampns(stamp) => Some(stamp),
                _ => None,
            })
        });
        let arrived = stamp.and_then(|stamp| {
            let stamp = stamp.tv_sec() as u64 * SECOND + stamp.tv_nsec() as u64;
            // If the wall clock was set in between, it does not say.
            let ago = nanoseconds(clock_gettime(ClockId::Realtime)).checked_sub(stamp)?;
            now().checked_sub(ago)
        });
        Ok(Received { length: message.bytes, arrived })
    }
}

/// Is it this side that has no ports or files left?
pub(crate) fn is_out_of_sockets(error: &io::Error) -> bool {
    let ours = [Errno::MFILE, Errno::NFILE, Errno::ADDRNOTAVAIL, Errno::NOBUFS, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| ours.contains(&errno))
}

/// Waits for connections and for moments.
pub(crate) struct Waiter {
    epoll: OwnedFd,
    timer: OwnedFd,
    /// The moment that the timer is set to.
    set: u64,
    events: Vec<Event>,
    began: u64,
    /// How long it waited awake, in nanoseconds.
    awake: u64,
    slack_before: Option<NonZeroU64>,
}

impl Waiter {
    /// Also makes the sleeps of this thread exact.
    pub(crate) fn new() -> io::Result<Self> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        epoll::add(&epoll, &timer, EventData::new_u64(TIMER), EventFlags::IN | EventFlags::ET)?;
        let slack_before = current_timer_slack().ok().and_then(NonZeroU64::new);
        // Without it sleeps are longer, and that is measured.
        let _ = set_current_timer_slack(NonZeroU64::new(1));
        let events = Vec::with_capacity(MOST_EVENTS);
        Ok(Self { epoll, timer, set: 0, events, began: now(), awake: 0, slack_before })
    }

    /// Watches a connection until it is closed.
    pub(crate) fn watch(&self, socket: &TcpStream, token: u64) -> io::Result<()> {
        let all = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        Ok(epoll::add(&self.epoll, socket, EventData::new_u64(token), all)?)
    }

    /// How long it waited awake so far, in nanoseconds.
    pub(crate) fn awake(&self) -> u64 {
        self.awake
    }

    /// Waits until a moment of [`now`] or a little less, or until something comes. What came.
    pub(crate) fn wait(&mut self, until: u64, ready: &mut Vec<Ready>) -> io::Result<()> {
        ready.clear();
        let now = now();
        if until <= now {
            self.look(true)?;
        } else if !self.may_stay_awake(now) {
            self.sleep(until)?;
        } else if until - now > EARLY {
            self.sleep(until - EARLY)?;
        } else {
            self.stay_awake(now, until)?;
        }
        let came = self.events.iter().map(|event| (event.data.u64(), event.flags));
        ready.extend(came.filter(|(token, _)| *token != TIMER).map(|(token, flags)| Ready {
            token,
            writable: flags.contains(EventFlags::OUT),
            ended: flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR),
        }));
        Ok(())
    }

    fn may_stay_awake(&self, now: u64) -> bool {
        self.awake.saturating_mul(AWAKE_PART) <= now - self.began
    }

    fn sleep(&mut self, until: u64) -> io::Result<()> {
        if until != self.set {
            self.set_timer(until)?;
        }
        self.look(false)
    }

    fn stay_awake(&mut self, since: u64, until: u64) -> io::Result<()> {
        self.look(true)?;
        while self.events.is_empty() && now() < until {
            self.look(true)?;
        }
        self.awake += now() - since;
        Ok(())
    }

    /// Notes what has come; unless `at_once`, waits for it.
    fn look(&mut self, at_once: bool) -> io::Result<()> {
        let nothing = Timespec { tv_sec: 0, tv_nsec: 0 };
        self.events.clear();
        match epoll::wait(&self.epoll, spare_capacity(&mut self.events), at_once.then_some(&nothing)) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn set_timer(&mut self, until: u64) -> io::Result<()> {
        let moment = Timespec { tv_sec: (until / SECOND) as i64, tv_nsec: (until % SECOND) as i64 };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: moment };
        timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &once)?;
        self.set = until;
        Ok(())
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let _ = set_current_timer_slack(self.slack_before);
    }
}
