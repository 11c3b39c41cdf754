//! Which versions do the tools have?
//!
//! Each tool is asked in its own way, all at the same time; its version is the first line that it says.
//!
//! Tests: `tests/programs.rs`.

use crate::program;
use std::collections::BTreeMap;
use std::process::Command;
use std::thread;
use std::time::Duration;

/// A longer line is no version.
const LONGEST: usize = 200;

/// The version of every tool that answers.
pub fn versions(tools: &[&str], patience: Duration) -> BTreeMap<String, String> {
    thread::scope(|scope| {
        let ask =
            |tool| thread::Builder::new().spawn_scoped(scope, move || (tool, version(tool, patience))).ok();
        let threads: Vec<_> = tools.iter().copied().filter_map(ask).collect();
        let answered = threads.into_iter().filter_map(|thread| thread.join().ok());
        answered.filter_map(|(tool, version)| Some((tool.to_owned(), version?))).collect()
    })
}

/// The version of one tool, by its name or path. `None` if there is no such tool or it does not say.
pub fn version(tool: &str, patience: Duration) -> Option<String> {
    let mut command = Command::new(tool);
    // A missing toolchain is not to be downloaded in the middle of a measurement.
    command.arg(version_argument(tool)).env("RUSTUP_AUTO_INSTALL", "0").env("DOTNET_NOLOGO", "1");
    let answer = program::answer(&mut command, patience).filter(|answer| answer.success)?;
    // Old versions of Java and Python say it on the standard error.
    first_line(&answer.output).or_else(|| first_line(&answer.error))
}

fn version_argument(tool: &str) -> &'static str {
    let name = tool.rsplit(['/', '\\']).next().unwrap_or(tool);
    match name.strip_suffix(".exe").unwrap_or(name) {
        "go" | "zig" => "version",
        "java" | "javac" => "-version",
        "lua" | "luajit" => "-v",
        _ => "--version",
    }
}

fn first_line(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    Some(line.chars().filter(|c| !c.is_control()).take(LONGEST).collect())
}
