//! Which process is a command made from? One of a tiny program, `starter/main.rs`, where that can be run: what the kernel
//! says of a command's peak memory is never less than what the process had that it was made from, and we have 10 MiB and
//! more. Its file is in this program, and is put into memory (`memfd_create(2)`) to be run from there.
//!
//! A process of it is started for each run before the clock, and waits; it makes the command as a child of ours, and ends
//! after it. Where none can be run, as where /proc is missing or files in memory may not be executed, we start
//! commands ourselves.
//!
//! Tests: `tests/starter.rs`.

use crate::platform::calls::{self, Ready};
use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;

/// Empty where it could not be built.
const PROGRAM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/starter"));
/// No directory can be executed.
const NO_PROGRAM: &CStr = c"/";

/// The program, kept in memory.
#[derive(Debug)]
pub struct Starter {
    path: CString,
    _file: File,
}

impl Starter {
    /// `None` where it cannot be run.
    pub fn new() -> Option<Self> {
        Self::of(PROGRAM)
    }

    /// The starter whose file has these bytes, if it works: it shall start what cannot be started, and say why.
    pub fn of(program: &[u8]) -> Option<Self> {
        let starter = Self::in_memory(program).ok()?;
        let poised = starter.poise(NO_PROGRAM, |path, words, line| {
            // A command has at least one word.
            let words = words.iter().chain(words.first());
            Ready::new(path, words, [].iter(), None, [line].into_iter())?.spawn()
        });
        let refused = poised.ok()?.start().err()?.raw_os_error();
        (refused == Some(libc::EACCES)).then_some(starter)
    }

    fn in_memory(program: &[u8]) -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        // Before Linux 6.3 there was no such flag, and all could be executed.
        let file = memfd_create(c"starter", flags | MemfdFlags::EXEC)
            .or_else(|_| memfd_create(c"starter", flags))?;
        let mut file = File::from(file);
        file.write_all(program)?;
        fcntl_add_seals(&file, SealFlags::SEAL | SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK)?;
        let path = CString::new(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
        Ok(Self { path, _file: file })
    }

    /// Starts a process of it that waits to start `program`. `spawn` makes the process: of a file, with words that come before
    /// those of the command, and with a descriptor under a number.
    pub(super) fn poise(
        &self,
        program: &CStr,
        spawn: impl FnOnce(&CStr, &[CString], (BorrowedFd<'_>, i32)) -> io::Result<i32>,
    ) -> io::Result<Poised> {
        let (ours, theirs) = UnixStream::pair()?;
        let number = theirs.as_raw_fd();
        let words = [program.to_owned(), CString::new(number.to_string())?];
        let process = spawn(&self.path, &words, (theirs.as_fd(), number))?;
        drop(theirs);
        let mut poised = Poised { process, line: ours };
        poised.line.read_exact(&mut [0])?;
        Ok(poised)
    }
}

/// A process of the starter, from its start to its end.
#[derive(Debug)]
pub(super) struct Poised {
    pub(super) process: i32,
    line: UnixStream,
}

impl Poised {
    /// Starts the command: its number, and what the system's clock said just before.
    pub(super) fn start(&self) -> io::Result<(i32, u64)> {
        let mut report = [0; 24];
        (&self.line).write_all(b"!")?;
        (&self.line).read_exact(&mut report)?;
        let (numbers, _) = report.as_chunks();
        let [process, error, started] = [0, 1, 2].map(|place| i64::from_ne_bytes(numbers[place]));
        let process = process as i32;
        if process > 0 && error != 0 {
            calls::reap(process)?;
        }
        match error as i32 {
            0 => Ok((process, started as u64)),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

impl Drop for Poised {
    fn drop(&mut self) {
        if let Some(process) = Pid::from_raw(self.process) {
            let _ = kill_process(process, Signal::KILL);
            let _ = calls::reap(self.process);
        }
    }
}
