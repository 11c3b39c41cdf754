//! Which two sides do two versions of a package of Python make? pip installs each of them, with what it needs, into a folder of its own,
//! where the same interpreter looks before all else: `--with 'orjson==3.9' --with 'orjson==3.10' bench.py`.
//!
//! Tests: `tests/program/python.rs`.

use super::arguments::Arguments;
use super::git::cache;
use super::repository::fingerprint;
use super::side::{Side, Sides};
use crate::verbs::functions::{filter, python};
use crate::{CliError, Stage};
use evenhand_analysis::words::counted;
use evenhand_measure::worker::WorkerCommand;
use evenhand_report::message::Message;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The last lines of what pip wrote are repeated if it fails.
const LAST_LINES: usize = 10;

/// The sides of `--with OLD --with NEW`.
pub(super) fn sides(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<Sides, CliError> {
    let [old, new] = arguments.with.as_slice() else {
        let given = arguments.with.len();
        return Err(CliError::with_hint(
            format_args!("--with is given {}, and two versions are compared", counted(given, "time")),
            "write --with 'NAME==OLD' --with 'NAME==NEW'",
        ));
    };
    let (command, filters) = match (arguments.words.as_slice(), arguments.commands.as_slice()) {
        (words, [_, ..]) => (arguments.commands.clone(), words),
        ([script, rest @ ..], _) if python::is_script(script) => (vec![script.clone()], rest),
        _ => {
            return Err(CliError::with_hint(
                "--with needs a file of benchmarks in Python",
                "name it: evenhand compare --with 'NAME==OLD' --with 'NAME==NEW' bench.py",
            ));
        }
    };
    let words = python::command(command)?;
    let sides = [side(&words, old, stage)?, side(&words, new, stage)?];
    let filters = filters.iter().map(|word| filter(word)).collect::<Result<_, _>>()?;
    Ok(Sides { sides, filters, notes: Vec::new() })
}

fn side(words: &[OsString], package: &str, stage: &mut Stage<'_>) -> Result<Side, CliError> {
    let interpreter = words.first().ok_or_else(|| CliError::new("there is no command to run"))?;
    let folder = installed(interpreter, package, stage)?;
    let inherited = std::env::var_os("PYTHONPATH").unwrap_or_default();
    let inherited = std::env::split_paths(&inherited).filter(|path| !path.as_os_str().is_empty());
    let path = std::env::join_paths([folder].into_iter().chain(inherited)).map_err(CliError::new)?;
    let environment = [("PYTHONPATH".into(), path)].into();
    let program = WorkerCommand {
        name: package.to_owned(),
        words: words.to_vec(),
        environment,
        ..WorkerCommand::default()
    };
    Ok(Side { name: package.to_owned(), programs: vec![program] })
}

/// The folder with a version. One that is pinned is kept for the next time; the folders of both sides have paths of the same length.
fn installed(interpreter: &OsStr, package: &str, stage: &mut Stage<'_>) -> Result<PathBuf, CliError> {
    let mut key = interpreter.to_owned();
    key.push(" ");
    key.push(package);
    let place = cache()?.join("packages");
    let folder = place.join(format!("{:016x}", fingerprint(&key)));
    if folder.is_dir() && package.contains("==") {
        return Ok(folder);
    }
    stage.err.say(&Message::note(format_args!("installing {package}")))?;
    let wrong = |error| CliError::new(format_args!("cannot write {}: {error}", place.display()));
    fs::create_dir_all(&place).map_err(wrong)?;
    let made = tempfile::tempdir_in(&place).map_err(wrong)?;
    install(interpreter, package, made.path(), stage)?;
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(wrong)?;
    }
    fs::rename(made.keep(), &folder).map_err(wrong)?;
    Ok(folder)
}

fn install(interpreter: &OsStr, package: &str, into: &Path, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let mut pip = Command::new(interpreter);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--target"]);
    let output = pip.arg(into).arg("--").arg(package).stdin(Stdio::null()).output();
    let interpreter = interpreter.to_string_lossy();
    let output = output.map_err(|error| {
        CliError::new(format_args!("{interpreter}, which installs {package}, could not be started: {error}"))
    })?;
    if output.status.success() {
        return Ok(());
    }
    stage.err.say(&Message::error(format_args!("{interpreter} -m pip could not install {package}")))?;
    let words = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let lines: Vec<&str> = words.lines().collect();
    stage.err.quote(lines[lines.len().saturating_sub(LAST_LINES)..].iter().copied())?;
    Err(CliError::AlreadyReported)
}
