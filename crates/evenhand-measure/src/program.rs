//! What does another program answer? Started without input, ended with all that it started when its time is over, and
//! never waited for longer, even if something holds on to its output.
//!
//! It is asked in English (`LC_ALL=C`), and told not to ask back.
//!
//! Tests: `tests/programs.rs`.

use crate::platform;
use std::io::{ErrorKind, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

/// More of an answer is read but not kept.
const LONGEST_ANSWER: usize = 64 * 1024;
const PAUSE: Duration = Duration::from_millis(1);

/// What a program said before it ended by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    /// What it wrote to its standard output; what is not UTF-8 is replaced.
    pub output: String,
    /// What it wrote to its standard error.
    pub error: String,
    /// Whether it ended with code 0.
    pub success: bool,
}

/// Runs a program. `None` if it cannot be started or is not done in time.
pub fn answer(command: &mut Command, patience: Duration) -> Option<ProgramOutput> {
    let deadline = Instant::now() + patience;
    command.env("LC_ALL", "C").env("TERM", "dumb");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    platform::lead_a_group(command);
    let mut child = command.spawn().ok()?;
    let output = listen(&mut child, deadline);
    if output.is_none() {
        platform::stop(&mut child);
    }
    output
}

fn listen(child: &mut Child, deadline: Instant) -> Option<ProgramOutput> {
    let (output, error) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let output = received(&output, deadline)?;
    let error = received(&error, deadline)?;
    loop {
        if let Some(status) = child.try_wait().ok()? {
            return Some(ProgramOutput { output, error, success: status.success() });
        }
        if Instant::now() >= deadline {
            return None;
        }
        thread::sleep(PAUSE);
    }
}

fn received(text: &Receiver<String>, deadline: Instant) -> Option<String> {
    text.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
}

/// Reads in a thread of its own, which nobody waits for.
fn reader(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    // Without a thread the sender is gone, and nothing is received.
    let _ = thread::Builder::new().spawn(move || {
        let text = stream.map(beginning).unwrap_or_default();
        // Nobody listens any more if the time was over.
        let _ = sender.send(text);
    });
    receiver
}

fn beginning(mut stream: impl Read) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => kept.extend_from_slice(&buffer[..count.min(LONGEST_ANSWER - kept.len())]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}
