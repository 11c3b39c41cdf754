//! `evenhand init`: what is in this project, which command works here, and what is missing for it? Files are written only when the user
//! says so.
//!
//! | file | question |
//! |---|---|
//! | `golang.rs` | what does a module of Go need? |
//! | `python.rs` | what does a project in Python need? |
//! | `rust.rs` | what does a crate need? |
//!
//! Tests: `tests/program/init.rs`.

mod golang;
mod python;
mod rust;

use crate::{CliError, Stage};
use clap::Args;
use evenhand_report::plain::plain;
use std::fs::{self, File};
use std::io::{IsTerminal, Write, stdin};
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand init          show what is found and what would be written, and ask
  evenhand init --yes    write it")]
pub(crate) struct Arguments {
    /// Write what is missing without asking
    #[arg(long, short = 'y')]
    yes: bool,
}

/// A project that was found, and what would make benchmarks of it work.
struct Project {
    /// `a Go module`, with what was found in it.
    what: String,
    writes: Vec<Text>,
    /// What the user has to do, because we cannot.
    first: Option<String>,
    /// The command that measures at once.
    now: String,
    /// What stands behind `evenhand compare --git REVISION`.
    compared: &'static str,
}

/// Text for a new file, or for the end of one that is there.
struct Text {
    file: String,
    text: String,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let here = std::env::current_dir().map_err(CliError::new)?;
    let found: Vec<Project> =
        [rust::look(&here), golang::look(&here), python::look(&here)].into_iter().flatten().collect();
    if found.is_empty() {
        return Err(CliError::with_hint(
            "no Cargo.toml, go.mod or pyproject.toml in this folder",
            "change to the folder of the project; to compare commands, run: evenhand run 'OLD COMMAND' 'NEW COMMAND'",
        ));
    }
    let revision = revision(&here);
    for project in &found {
        let is_ready = prepared(project, arguments, &here, stage)?;
        say_commands(project, is_ready, revision, stage)?;
    }
    Ok(())
}

/// Writes what is missing, if the user agrees. Whether nothing is missing any more.
fn prepared(
    project: &Project,
    arguments: &Arguments,
    here: &Path,
    stage: &mut Stage<'_>,
) -> Result<bool, CliError> {
    writeln!(stage.out, "{}", plain(&project.what))?;
    if project.writes.is_empty() {
        return Ok(true);
    }
    for Text { file, text } in &project.writes {
        let how = if here.join(file).exists() { "append to" } else { "create" };
        writeln!(stage.out, "\n{how} {}:\n", plain(file))?;
        text.lines().try_for_each(|line| writeln!(stage.out, "    {}", plain(line)))?;
    }
    writeln!(stage.out)?;
    if !arguments.yes && !agreed(stage)? {
        writeln!(stage.out, "nothing is written; to write it, run: evenhand init --yes")?;
        return Ok(false);
    }
    project.writes.iter().try_for_each(|text| written(text, here))?;
    Ok(true)
}

/// Asks, if there is somebody to ask.
fn agreed(stage: &mut Stage<'_>) -> Result<bool, CliError> {
    if !stdin().is_terminal() || stage.world.terminal.rows.is_none() {
        return Ok(false);
    }
    write!(stage.out, "write this? [y/N] ")?;
    stage.out.flush()?;
    let mut answer = String::new();
    stdin().read_line(&mut answer).map_err(CliError::new)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn written(Text { file, text }: &Text, here: &Path) -> Result<(), CliError> {
    let path = here.join(file);
    let unwritten = |error| CliError::new(format_args!("{}: {error}", path.display()));
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(unwritten)?;
    let mut options = File::options();
    // Between the look and now nobody else has made it, or it is not overwritten.
    let options = if path.exists() { options.append(true) } else { options.write(true).create_new(true) };
    options.open(&path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(unwritten)
}

fn say_commands(
    project: &Project,
    is_ready: bool,
    revision: Option<&str>,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    if !is_ready {
        return Ok(());
    }
    let mut steps: Vec<(&str, String)> = Vec::new();
    steps.extend(project.first.clone().map(|first| ("first:", first)));
    steps.push(("measure the benchmarks:", project.now.clone()));
    let compare = format!("evenhand compare --git {}{}", revision.unwrap_or("HEAD"), project.compared);
    let when = match (project.writes.is_empty(), revision) {
        (true, Some(_)) => "compare your changes:",
        _ => "commit, change the code, then compare:",
    };
    steps.push((when, compare));
    steps.iter().try_for_each(|(when, what)| writeln!(stage.out, "{when} {}", plain(what)))?;
    Ok(())
}

/// What changes are usually compared with. `None`: there is no commit yet, or no repository.
fn revision(here: &Path) -> Option<&'static str> {
    ["main", "master", "HEAD"].into_iter().find(|name| {
        let mut git = Command::new("git");
        git.args(["rev-parse", "--verify", "--quiet", name]).current_dir(here);
        git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        git.status().is_ok_and(|status| status.success())
    })
}

/// The files of this kind in a folder and all below that belong to the project, as far as they can be read.
fn files(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut texts = Vec::new();
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && !name.starts_with(['.', '_']) && !NOT_OURS.contains(&name.as_str()) {
            texts.extend(files(&entry.path(), is_wanted));
        } else if !is_folder && is_wanted(&name) {
            texts.extend(fs::read_to_string(entry.path()));
        }
    }
    texts
}

/// Folders with other people's code, or with what was built.
const NOT_OURS: [&str; 5] = ["target", "vendor", "testdata", "node_modules", "venv"];
