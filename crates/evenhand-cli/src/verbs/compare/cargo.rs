//! What does cargo build? The bench targets of a package, which it tells as JSON, a message a line.

use super::arguments::Arguments;
use super::repository::file_error;
use super::rustc;
use super::site::Site;
use crate::{CliError, Stage};
use evenhand_report::message::Message;
use serde::Deserialize;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

/// A program that was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Built {
    /// The name of the target.
    pub name: String,
    /// The program.
    pub program: PathBuf,
    /// The same program with its functions in other orders.
    pub layouts: Vec<PathBuf>,
    /// The folder of its package, in the user's checkout: where `cargo bench` would run it.
    pub home: PathBuf,
    pub is: Kind,
}

/// What a program that was built is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It may be of another harness.
    Unknown,
    /// It has our worker in it, even if it ends before that serves.
    Worker,
    /// It is no worker: each turn starts it anew.
    Whole,
}

/// A message of cargo, as far as we read it.
#[derive(Debug, Deserialize)]
struct CargoMessage {
    #[serde(default)]
    reason: String,
    #[serde(default)]
    manifest_path: PathBuf,
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
    #[serde(default)]
    src_path: PathBuf,
}

/// Builds the bench targets of the files that are checked out.
pub(crate) fn build(site: &Site<'_>, stage: &mut Stage<'_>) -> Result<Vec<Built>, CliError> {
    keep_versions(site)?;
    let usual = called(None, site, stage)?;
    let built: Vec<Built> = usual.iter().filter_map(|message| built(message, site)).collect();
    match site.arguments.layouts {
        Some(count) => with_layouts(count, &usual, built, site, stage),
        None => Ok(built),
    }
}

/// Makes the other layouts: a source that looks newer lets cargo compile and link its program again, and nothing else.
fn with_layouts(
    count: u32,
    usual: &[CargoMessage],
    built: Vec<Built>,
    site: &Site<'_>,
    stage: &mut Stage<'_>,
) -> Result<Vec<Built>, CliError> {
    let targets =
        usual.iter().filter_map(|message| message.target.as_ref()).filter(|target| target.is_bench());
    let mut wanted = count.to_string();
    for target in targets {
        let touched = File::options().append(true).open(&target.src_path);
        touched
            .and_then(|file| file.set_modified(SystemTime::now()))
            .map_err(|error| file_error(&target.src_path, &error))?;
        wanted += &format!("\n{}", target.name.replace('-', "_"));
    }
    called(Some(&wanted), site, stage)?;
    let of = |built: Built| {
        let (folder, name) = (built.program.parent()?, built.program.file_name()?);
        let layouts =
            (1..count).map(|number| folder.join(rustc::folder_of_layout(number)).join(name)).collect();
        Some(Built { layouts, ..built })
    };
    let built: Vec<Built> = built.into_iter().filter_map(of).collect();
    match built.iter().flat_map(|built| &built.layouts).find(|layout| !layout.is_file()) {
        None => Ok(built),
        Some(missing) => Err(CliError::new(format_args!("{} was not linked", missing.display()))),
    }
}

/// Calls cargo once. `layouts`: as [`rustc::LAYOUTS`].
fn called(
    layouts: Option<&str>,
    site: &Site<'_>,
    stage: &mut Stage<'_>,
) -> Result<Vec<CargoMessage>, CliError> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["bench", "--no-run", "--message-format=json-render-diagnostics"]);
    cargo.args(&site.arguments.commands);
    cargo.envs(layouts.map(|layouts| (rustc::LAYOUTS, layouts)));
    let output = run(cargo, site, stage)?;
    let text = String::from_utf8_lossy(&output);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

impl Target {
    fn is_bench(&self) -> bool {
        self.kind.iter().any(|kind| kind == "bench")
    }
}

fn built(message: &CargoMessage, site: &Site<'_>) -> Option<Built> {
    let target = message.target.as_ref().filter(|target| target.is_bench())?;
    let home = site.home(message.manifest_path.parent().unwrap_or(Path::new("")));
    let is_built = message.reason == "compiler-artifact";
    let program = message.executable.clone().filter(|_| is_built)?;
    Some(Built { name: target.name.clone(), program, layouts: Vec::new(), home, is: Kind::Unknown })
}

/// Builds with the user's command.
pub(crate) fn build_by(
    command: &OsString,
    program: &Path,
    site: &Site<'_>,
    stage: &mut Stage<'_>,
) -> Result<Vec<Built>, CliError> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    run(shell, site, stage)?;
    let home = site.top.join(&site.below);
    let program = site.here().join(program);
    if !program.is_file() {
        return Err(CliError::new(format_args!("the build made no {}: check --exe", program.display())));
    }
    Ok(vec![Built { name: "bench".to_owned(), program, layouts: Vec::new(), home, is: Kind::Unknown }])
}

/// Runs a build among the files that are checked out. Answers what it wrote to its standard output.
pub(super) fn run(mut command: Command, site: &Site<'_>, stage: &mut Stage<'_>) -> Result<Vec<u8>, CliError> {
    let arguments = site.arguments;
    let is_shown =
        stage.world.terminal.rows.is_some() && std::io::stderr().is_terminal() && !arguments.telling.quiet;
    command.current_dir(site.here()).envs(&site.variables.0);
    // What our stand-in adds to calls of rustc is not seen by cargo, which would take one kind of build for the other.
    let target = if arguments.no_align { "target-as-is" } else { "target" };
    command.env("CARGO_TARGET_DIR", site.place.join(target));
    align(&mut command, site)?;
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(if is_shown {
        Stdio::inherit()
    } else {
        Stdio::piped()
    });
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.spawn().and_then(std::process::Child::wait_with_output);
    let output =
        output.map_err(|error| CliError::new(format_args!("{name} could not be started: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    stage.err.say(&Message::error(format_args!("the build failed ({})", output.status)))?;
    let words = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = words.lines().collect();
    stage.err.quote(lines[lines.len().saturating_sub(LAST_LINES)..].iter().copied())?;
    Err(CliError::AlreadyReported)
}

/// So much of what a build says is shown when it failed.
const LAST_LINES: usize = 20;

/// Rust through cargo's wrapper; C and C++ through the variables that make, CMake and the crate `cc` read.
fn align(command: &mut Command, site: &Site<'_>) -> Result<(), CliError> {
    let Arguments { layouts, no_align, .. } = site.arguments;
    let me = std::env::current_exe().map_err(CliError::new)?;
    if layouts.is_some() || !no_align {
        command.env("RUSTC_WRAPPER", me).env(rustc::OPTIONS, if *no_align { "" } else { rustc::ALIGNED });
    }
    if *no_align {
        return Ok(());
    }
    for flags in ["CFLAGS", "CXXFLAGS"] {
        let mut value = site.variables.get(flags).unwrap_or_default();
        value.push(" -falign-functions=64");
        command.env(flags, value);
    }
    Ok(())
}

/// A `Cargo.lock` that git does not know pins the versions all the same: both sides get the user's.
fn keep_versions(site: &Site<'_>) -> Result<(), CliError> {
    for folder in site.below.ancestors() {
        let (theirs, ours) =
            (site.top.join(folder).join("Cargo.lock"), site.files.join(folder).join("Cargo.lock"));
        if theirs.is_file() && !ours.exists() && ours.parent().is_some_and(Path::is_dir) {
            fs::copy(&theirs, &ours).map_err(|error| file_error(&ours, &error))?;
        }
    }
    Ok(())
}
