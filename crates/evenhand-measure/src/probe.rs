//! On which machine, with which tools, started how?
//!
//! Whatever cannot be found out is left out; nothing here fails. Without tools and source no program is started, and
//! the answer takes a few milliseconds.
//!
//! Tests: `tests/probe.rs`; `cargo run -p evenhand-measure --example probe` prints the answer.

use crate::{clock, platform, secrets, source, tools, variables};
use evenhand_trial::Environment;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

/// What is asked for beyond the machine itself.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// Programs whose versions matter, such as `rustc`. Each is started once, all at the same time.
    pub tools: &'a [&'a str],
    /// A folder of the source that is measured.
    pub source: Option<&'a Path>,
    /// The command line. Secrets in it are blanked.
    pub arguments: &'a [OsString],
    /// How long each program may take to answer.
    pub patience: Duration,
}

impl Default for Question<'_> {
    fn default() -> Self {
        Self { tools: &[], source: None, arguments: &[], patience: Duration::from_secs(5) }
    }
}

/// Describes this machine, now.
pub fn probe(question: &Question<'_>) -> Environment {
    let mut environment = platform::describe();
    environment.architecture = Some(std::env::consts::ARCH.to_owned());
    environment.clock = clock::of_this_machine();
    environment.tools = tools::versions(question.tools, question.patience);
    environment.git = question.source.and_then(|folder| source::git(folder, question.patience));
    let arguments = question.arguments.iter().map(|argument| argument.to_string_lossy());
    environment.arguments = secrets::without_secrets(arguments);
    environment.directory =
        std::env::current_dir().ok().and_then(|here| here.into_os_string().into_string().ok());
    environment.variables = variables::kept(std::env::vars_os());
    environment
}
