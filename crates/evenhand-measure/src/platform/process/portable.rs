//! How is a process run where nothing but the standard library is known? Looked at every half millisecond, so times are
//! that coarse, and nothing is known of what it used.
//!
//! Tests: `tests/command.rs` runs it on Linux, too.

use super::{GRACE, Limits, Listener, ProcessEnd, ProcessRun, Start, Stream, Streams, TICK};
use crate::platform::signals::{end_group_politely, kill_group};
use crate::platform::{Monotonic, lead_a_group};
use std::ffi::CString;
use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

const PAUSE: Duration = Duration::from_micros(500);

/// What can be started again and again.
#[derive(Debug)]
pub struct Spawnable(Start);

impl Spawnable {
    /// Keeps what shall be started.
    ///
    /// # Errors
    /// None here; they come when it is started.
    pub fn new(start: Start) -> io::Result<Self> {
        Ok(Self(start))
    }
}

/// There is no other program here that starts commands.
#[derive(Debug)]
pub enum Starter {}

impl Starter {
    /// None here.
    pub fn new() -> Option<Self> {
        None
    }
}

/// A process that only waits to be started.
#[derive(Debug)]
pub struct Poised(Command);

/// Gets everything ready for a run. `padding` is one more variable, as it stands in the environment.
///
/// # Errors
/// If a stream cannot be shared.
pub fn poise(
    prepared: &Spawnable,
    _: Option<&Starter>,
    padding: Option<&CString>,
    streams: &Streams,
) -> io::Result<Poised> {
    command(&prepared.0, padding, streams).map(Poised)
}

impl Poised {
    /// The process that will start the command: this program itself.
    pub fn starter(&self) -> Option<i32> {
        None
    }

    /// Runs the process to its end; `still_runs` is told about once a second for how long it has been running.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(
        self,
        limits: &Limits<'_>,
        clock: &Monotonic,
        listeners: [&mut dyn Listener; 2],
        still_runs: &mut dyn FnMut(Duration),
    ) -> io::Result<ProcessRun> {
        run(self.0, limits, clock, listeners, still_runs)
    }
}

fn run(
    mut command: Command,
    limits: &Limits<'_>,
    clock: &Monotonic,
    [output, error]: [&mut dyn Listener; 2],
    still_runs: &mut dyn FnMut(Duration),
) -> io::Result<ProcessRun> {
    let (mut child, group, started);
    {
        let mut running = limits.interrupt.running();
        started = clock.nanoseconds();
        child = command.spawn()?;
        group = i32::try_from(child.id()).map_err(io::Error::other)?;
        running.insert(group);
    }
    let mut writers = [(reader(child.stdout.take()), output), (reader(child.stderr.take()), error)];
    let mut tick = started + TICK.as_nanos() as u64;
    let mut pause = || {
        let now = clock.nanoseconds();
        if now >= tick {
            still_runs(Duration::from_nanos(now - started));
            tick = now + TICK.as_nanos() as u64;
        }
        for (bytes, listener) in &mut writers {
            bytes.try_iter().for_each(|bytes| listener.hear(&bytes));
        }
        thread::sleep(PAUSE);
    };
    let watched = watch(&mut child, group, limits, clock, started, &mut pause);
    let wall = clock.nanoseconds() - started;
    limits.interrupt.running().remove(&group);
    kill_group(group);
    for (bytes, listener) in writers {
        // Someone may hold on to the pipe.
        while let Ok(bytes) = bytes.recv_timeout(GRACE) {
            listener.hear(&bytes);
        }
    }
    let (end, counts) = (watched?, Vec::new());
    Ok(ProcessRun { end, started, wall, usage: None, waited: None, left_behind: 0, floor: 0, counts })
}

fn command(start: &Start, padding: Option<&CString>, streams: &Streams) -> io::Result<Command> {
    let mut command = Command::new(&start.program);
    #[cfg(unix)]
    if let Some(name) = start.words.first() {
        std::os::unix::process::CommandExt::arg0(&mut command, name);
    }
    command.args(start.words.iter().skip(1)).env_clear();
    command.envs(start.environment.iter().map(|(name, value)| (name, value)));
    let padding = padding.and_then(|padding| padding.to_str().ok());
    command.envs(padding.and_then(|padding| padding.split_once('=')));
    if let Some(directory) = &start.directory {
        command.current_dir(directory);
    }
    command.stdin(streams.input.try_clone()?);
    command.stdout(stdio(&streams.output)?).stderr(stdio(&streams.error)?);
    lead_a_group(&mut command);
    Ok(command)
}

fn stdio(stream: &Stream) -> io::Result<Stdio> {
    Ok(match stream {
        Stream::Inherited => Stdio::inherit(),
        Stream::File(file) => file.try_clone()?.into(),
        Stream::Heard => Stdio::piped(),
    })
}

fn watch(
    child: &mut Child,
    group: i32,
    limits: &Limits<'_>,
    clock: &Monotonic,
    started: u64,
    pause: &mut dyn FnMut(),
) -> io::Result<ProcessEnd> {
    let time_over = |timeout: Duration| u128::from(clock.nanoseconds() - started) >= timeout.as_nanos();
    let why = loop {
        if let Some(status) = child.try_wait()? {
            return Ok(end(status));
        }
        if !limits.patient && limits.interrupt.is_requested() {
            break ProcessEnd::Interrupted;
        }
        if limits.timeout.is_some_and(time_over) {
            break ProcessEnd::TimedOut;
        }
        pause();
    };
    end_group_politely(group);
    let began = clock.nanoseconds();
    while child.try_wait()?.is_none() {
        if u128::from(clock.nanoseconds() - began) >= GRACE.as_nanos() {
            kill_group(group);
            child.kill()?;
            child.wait()?;
            break;
        }
        pause();
    }
    Ok(why)
}

fn end(status: ExitStatus) -> ProcessEnd {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ProcessEnd::Signal(signal);
    }
    ProcessEnd::Exit(status.code().unwrap_or(-1))
}

/// Reads in a thread of its own, which ends with the pipe.
fn reader(stream: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
