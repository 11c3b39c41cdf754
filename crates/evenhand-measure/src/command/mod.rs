//! How is a command measured? Each turn is one fresh process, started directly from the words of the command, in a group
//! of its own, with random padding of its environment so that luck with the layout of the stack averages out.
//!
//! | question | file |
//! |---|---|
//! | in which order do the steps of a turn come? | [`commands`] |
//! | which words is a command made of? | [`words`] |
//! | which file is the program? | [`find`] |
//! | which variables does it see? | [`environment`] |
//! | what is measured? | [`metrics`] |
//! | on which processor? | [`pinning`] |
//! | is it a single task? | [`proof`] |
//! | what did it write? | [`listeners`] |
//! | with which files in memory? | [`cold`] |
//! | how are `--prepare` and its kin run? | [`steps`] |
//! | what should a reader of the record know? | [`notes`] |
//!
//! How a process is started, timed and put away is the business of [`platform::process`](crate::platform::process).
//!
//! Tests: `tests/command.rs`, `tests/interrupt.rs`, `tests/pinning.rs`, `tests/words.rs`.

pub mod cold;
pub mod commands;
pub mod environment;
pub mod find;
pub mod listeners;
pub mod metrics;
pub mod notes;
pub mod pinning;
pub mod proof;
pub mod steps;
pub mod words;

pub use crate::platform::interrupt::Interrupt;
pub use commands::Commands;

use crate::platform::counters::{Event, HARDWARE};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// One command, as the user gave it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// What people call it.
    pub name: String,
    /// The program and what it is told. See [`words`] for how a text becomes words, with a shell or without.
    pub words: Vec<OsString>,
    /// Run by `sh` before each run.
    pub prepare: Option<OsString>,
    /// Run by `sh` after each run.
    pub conclude: Option<OsString>,
    /// Run by `sh` once, before the first run.
    pub setup: Option<OsString>,
    /// Run by `sh` once, after the last run.
    pub cleanup: Option<OsString>,
}

/// What all commands have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Where they run; here if `None`.
    pub directory: Option<PathBuf>,
    /// Variables beside those that are inherited.
    pub environment: Vec<(OsString, OsString)>,
    /// What they read.
    pub input: Input,
    /// Where they write.
    pub output: Output,
    /// The longest that one may run.
    pub timeout: Option<Duration>,
    /// Whether all must write the same to their standard output. It is then read, whatever `output` says.
    pub same_output: bool,
    /// Whether files shall be read from the disk each time.
    pub cold: bool,
    /// On which processors they run.
    pub pin: Pin,
    /// Whether a variable of random length moves the stack, as another user's environment would.
    pub padding: bool,
    /// What is counted of a run, where the machine can.
    pub events: &'static [Event],
}

impl Default for Setting {
    fn default() -> Self {
        Self {
            directory: None,
            environment: Vec::new(),
            input: Input::Null,
            output: Output::Null,
            timeout: None,
            same_output: false,
            cold: false,
            pin: Pin::Auto,
            padding: true,
            events: &HARDWARE,
        }
    }
}

/// What commands read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Nothing.
    Null,
    /// A file, from its beginning each time.
    File(PathBuf),
}

/// Where commands write their standard output. Standard error is heard, for messages about failures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Nowhere.
    Null,
    /// To a pipe; it is read and forgotten.
    Pipe,
    /// To where this program writes, standard error, too.
    Inherit,
    /// To a file, which is emptied each time.
    File(PathBuf),
}

/// On which processors commands run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pin {
    /// All on the same one, the quietest, if each is a single task.
    Auto,
    /// Wherever the system puts them.
    None,
    /// On these.
    Cpus(Vec<u32>),
}
