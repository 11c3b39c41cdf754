//! How is a service started, when is it ready, and how is it ended? It is ready when it gives the right answer to a request; it is
//! asked to end by SIGTERM, and killed if it does not.
//!
//! It leads a process group, which is ended whole, and writes to a file, whose end is shown if something goes wrong.
//!
//! Tests: `tests/starting.rs`.

use crate::command::Interrupt;
use crate::command::listeners::Tail;
use crate::platform::family;
use crate::platform::process::{GRACE, Listener, end_group_politely, kill_group};
use crate::platform::{affinity, end_with_starter, has_ended, lead_a_group};
use evenhand_load::{Load, LoadError, RequestFailure, Service, run_until};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thiserror::Error;

/// Stands in a command for a port that nobody uses.
pub const PORT: &str = "{port}";
/// Stands in a command for a folder that is empty when the service starts.
pub const FOLDER: &str = "{dir}";

/// Below the ports that Linux gives away (`ip_local_port_range`, from 32768 on unless changed).
const PORTS: Range<u16> = 20_000..32_000;
/// So many ports are tried.
const TRIED: usize = 1000;
/// How often a service is asked whether it is ready, or whether it has ended.
const ASKED_EVERY: Duration = Duration::from_millis(10);
/// How many times the usual grace a service has to end.
const GRACES: u32 = 10;
/// So much of what it has written is looked at for its last words.
const LAST_WORDS: u64 = 8 << 10;

/// How a service is started.
#[derive(Debug, Clone, Default)]
pub struct Recipe {
    /// The program and its arguments.
    pub words: Vec<OsString>,
    /// A command that is run before it, with the same port and folder.
    pub prepare: Vec<OsString>,
    /// Where both run; here, if nothing is said.
    pub directory: Option<PathBuf>,
    /// Variables for both.
    pub environment: BTreeMap<OsString, OsString>,
    /// The processors for both; any, if none is named.
    pub cpus: Vec<u32>,
    /// For how long it may take until it is ready.
    pub patience: Duration,
}

/// How often a service is started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Starts {
    /// It runs already.
    Never,
    /// Before the first round.
    Once,
    /// For each of its slices.
    EverySlice,
}

/// A service that does not come to answer, or does not go on.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{why}{}", .last_words.as_ref().map_or_else(String::new, |words| format!("; its output ends with:\n{words}")))]
pub struct ServiceError {
    /// In words that follow its name.
    pub why: String,
    /// The end of its output.
    pub last_words: Option<String>,
}

/// A service that was started and answers. It is ended when this is dropped.
#[derive(Debug)]
pub struct Started {
    service: Service,
    child: Child,
    place: Place,
    interrupt: Interrupt,
    is_over: bool,
}

impl Started {
    /// Starts a service and waits until it is ready. What is asked of it stands in `service`, whose port is not yet known.
    ///
    /// # Errors
    /// It is [`ServiceError`].
    pub fn of(recipe: &Recipe, service: &Service, interrupt: &Interrupt) -> Result<Self, ServiceError> {
        let not_started =
            |error| ServiceError { why: format!("cannot be started: {error}"), last_words: None };
        let place = Place::new().map_err(not_started)?;
        let mut service = service.clone();
        service.address.set_port(place.port);
        if !recipe.prepare.is_empty() {
            place.prepare(recipe, interrupt)?;
        }
        let child = place.start(&recipe.words, recipe, interrupt).map_err(not_started)?;
        let mut started = Self { service, child, place, interrupt: interrupt.clone(), is_over: false };
        started.wait_until_ready(recipe.patience)?;
        Ok(started)
    }

    /// Where it answers.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// The processor time that it has used so far, with all that it started, in nanoseconds.
    pub fn processor(&self) -> Option<u64> {
        family::processor(i32::try_from(self.child.id()).ok()?)
    }

    /// The memory that it has now, with all that it started, in bytes.
    pub fn memory(&self) -> Option<u64> {
        family::memory(i32::try_from(self.child.id()).ok()?)
    }

    /// How it ended, if it has, `when`.
    pub fn ended(&mut self, when: &str) -> Option<ServiceError> {
        if !has_ended(&self.child) {
            return None;
        }
        let how = self.end().map_or_else(|error| error.to_string(), how);
        Some(self.place.down(format!("{how} {when}")))
    }

    fn wait_until_ready(&mut self, patience: Duration) -> Result<(), ServiceError> {
        let until = Instant::now() + patience;
        loop {
            if let Some(ended) = self.ended("before it answered") {
                return Err(in_foreground(ended));
            }
            let why = first_answer(&self.service, &self.interrupt);
            let Some(why) = why.map_err(|error| self.place.down(error.to_string()))? else { return Ok(()) };
            if self.interrupt.is_requested() {
                return Err(self.place.down("was interrupted before it answered".to_owned()));
            }
            if Instant::now() >= until {
                let seconds = patience.as_secs_f64();
                return Err(self.place.down(format!("is not ready {seconds} s after its start: {why}")));
            }
            thread::sleep(ASKED_EVERY);
        }
    }

    /// Asks it to end, waits for that, and ends what is left: once.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if !self.is_over {
            self.is_over = true;
            end(&mut self.child, &self.interrupt, GRACE * GRACES);
        }
        self.child.wait()
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        // Nobody is left to tell if it cannot be reaped.
        let _ = self.end();
    }
}

/// Sends one request, as all will be. What is wrong with the answer?
///
/// # Errors
/// If no request can be sent at all.
pub fn first_answer(service: &Service, interrupt: &Interrupt) -> Result<Option<RequestFailure>, LoadError> {
    let load = Load::Closed { clients: 1, length: Duration::from_nanos(1), seed: 0 };
    // In a lead-in it would not count.
    let service = Service { lead_in: Duration::ZERO, ..service.clone() };
    let slice = run_until(&service, load, &mut |_| {}, &|| interrupt.is_requested())?;
    Ok(slice.all().failures.keys().next().copied())
}

/// What a start gets for itself.
#[derive(Debug)]
struct Place {
    folder: TempDir,
    port: u16,
}

impl Place {
    fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("evenhand-").tempdir()?;
        fs::create_dir(folder.path().join("dir"))?;
        Ok(Self { folder, port: free_port()? })
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("output")
    }

    /// Runs the command before the service to its end.
    fn prepare(&self, recipe: &Recipe, interrupt: &Interrupt) -> Result<(), ServiceError> {
        let failed = |what: &str| self.down(format!("is not started, because --prepare {what}"));
        let child = self.start(&recipe.prepare, recipe, interrupt);
        let mut child = child.map_err(|error| failed(&format!("cannot be started: {error}")))?;
        let until = Instant::now() + recipe.patience;
        let is_over = || interrupt.is_requested() || Instant::now() >= until;
        while !has_ended(&child) && !is_over() {
            thread::sleep(ASKED_EVERY);
        }
        let is_cut_off = !has_ended(&child);
        end(&mut child, interrupt, Duration::ZERO);
        match child.wait() {
            Ok(_) if interrupt.is_requested() => Err(failed("was interrupted")),
            Ok(_) if is_cut_off => {
                Err(failed(&format!("took longer than {} s", recipe.patience.as_secs_f64())))
            }
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(failed(&how(status))),
            Err(error) => Err(failed(&error.to_string())),
        }
    }

    fn start(&self, words: &[OsString], recipe: &Recipe, interrupt: &Interrupt) -> io::Result<Child> {
        let output = File::options().create(true).append(true).open(self.output())?;
        let mut words = words.iter().map(|word| self.filled_in(word));
        let mut command = Command::new(words.next().ok_or(io::ErrorKind::InvalidInput)?);
        command.args(words).envs(&recipe.environment);
        command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output);
        if let Some(directory) = &recipe.directory {
            command.current_dir(directory);
        }
        lead_a_group(&mut command);
        end_with_starter(&mut command);
        let ours = affinity::allowed();
        if !recipe.cpus.is_empty() {
            affinity::restrict(&recipe.cpus)?;
        }
        // A second Ctrl-C finds it, or comes before it is started.
        let mut running = interrupt.running();
        let child = command.spawn();
        if let Ok(child) = &child {
            running.extend(i32::try_from(child.id()));
        }
        drop(running);
        if let (false, Some(ours)) = (recipe.cpus.is_empty(), ours) {
            // These processors were ours a moment ago; if they no longer are, the service runs nevertheless.
            let _ = affinity::restrict(&ours);
        }
        child
    }

    fn filled_in(&self, word: &OsStr) -> OsString {
        let folder = self.folder.path().join("dir");
        let with_port = replaced(word, PORT, OsStr::new(&self.port.to_string()));
        replaced(&with_port, FOLDER, folder.as_os_str())
    }

    fn down(&self, why: String) -> ServiceError {
        // Without a file there are no words.
        ServiceError { why, last_words: last_words(&self.output()).ok().flatten() }
    }
}

/// A free port. It is outside the range from which the system gives ports to other programs: one of them could be given away
/// before the service has it, and somebody else would answer.
fn free_port() -> io::Result<u16> {
    let range = u64::from(PORTS.end - PORTS.start);
    let begin = RandomState::new().hash_one(()) % range;
    let ports = (0..range).map(|step| PORTS.start + ((begin + step) % range) as u16);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    ports.take(TRIED).find(is_free).ok_or_else(|| io::Error::other("no free port was found"))
}

fn last_words(output: &Path) -> io::Result<Option<String>> {
    let mut file = File::open(output)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LAST_WORDS)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let mut tail = Tail::default();
    tail.hear(&bytes);
    Ok(tail.lines())
}

/// Everywhere that `name` stands, `value` takes its place.
fn replaced(word: &OsStr, name: &str, value: &OsStr) -> OsString {
    let (mut rest, mut made) = (word.as_encoded_bytes(), Vec::new());
    while let Some(at) = rest.windows(name.len()).position(|part| part == name.as_bytes()) {
        made.extend_from_slice(&rest[..at]);
        made.extend_from_slice(value.as_encoded_bytes());
        rest = &rest[at + name.len()..];
    }
    made.extend_from_slice(rest);
    os_string(made)
}

#[cfg(unix)]
fn os_string(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn os_string(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A service that goes into the background is lost to who has started it.
fn in_foreground(ended: ServiceError) -> ServiceError {
    let hint =
        if ended.why.starts_with("ended with code 0 ") { "; it has to stay in the foreground" } else { "" };
    ServiceError { why: ended.why + hint, ..ended }
}

fn how(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("ended by signal {signal}");
    }
    format!("ended with code {}", status.code().unwrap_or_default())
}

/// Asks a group to end, waits, and ends what is left. Its leader still has to be reaped.
fn end(child: &mut Child, interrupt: &Interrupt, grace: Duration) {
    let Ok(group) = i32::try_from(child.id()) else { return };
    let until = Instant::now() + grace;
    if grace > Duration::ZERO {
        end_group_politely(group);
    }
    while !has_ended(child) && Instant::now() < until {
        thread::sleep(ASKED_EVERY);
    }
    // Under the lock nobody is reaped, so the number of the group is nobody else's.
    let mut running = interrupt.running();
    if running.remove(&group) {
        kill_group(group);
    }
    let _ = child.wait();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_words_are_replaced_wherever_they_stand() {
        let filled = |word: &str| replaced(OsStr::new(word), PORT, OsStr::new("80")).into_string().unwrap();
        assert_eq!(filled("--listen=localhost:{port}"), "--listen=localhost:80");
        assert_eq!(filled("{port}{port} {Port} {"), "8080 {Port} {");
        assert_eq!(filled("{"), "{");
    }
}
