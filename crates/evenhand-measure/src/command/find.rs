//! Which file is the program? As `execvp(3)` finds it: a word with a slash is a path, from where the command runs; any
//! other is looked for in PATH. Found once before anything is measured, so that no run searches.
//!
//! Tests: `tests/command.rs`.

use crate::finish::ExecutorError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs, io, path};

/// Where programs are looked for if there is no PATH (`confstr(3)`, `_CS_PATH`).
const USUAL: &str = "/bin:/usr/bin";

/// The file of a program.
///
/// # Errors
/// If there is none, or it cannot be executed, with what to do.
pub fn program(
    word: &OsStr,
    directory: Option<&Path>,
    search: Option<&OsStr>,
) -> Result<PathBuf, ExecutorError> {
    let here = Path::new("");
    let directory = directory.unwrap_or(here);
    if word.as_encoded_bytes().iter().any(|byte| path::is_separator(char::from(*byte))) {
        let file = path::absolute(directory.join(word)).map_err(|error| unreadable(word, &error))?;
        return state(&file).describe(word, directory).map(|()| file);
    }
    let mut best = State::Missing;
    for folder in env::split_paths(search.unwrap_or(OsStr::new(USUAL))) {
        let Ok(file) = path::absolute(directory.join(folder).join(word)) else { continue };
        for file in spellings(file) {
            match state(&file) {
                State::Good => return Ok(file),
                State::Missing => {}
                bad => best = bad,
            }
        }
    }
    Err(match best {
        State::NotExecutable(file) => State::NotExecutable(file).trouble(word, directory),
        _ if state(&path::absolute(directory.join(word)).unwrap_or_default()) == State::Good => {
            ExecutorError(format!(
                "no program `{0}` in PATH, but there is one here: write `./{0}`",
                word.display()
            ))
        }
        _ => ExecutorError(format!(
            "no program `{0}` in PATH: check the spelling, give its path (./{0}), or add --shell if it is a shell builtin",
            word.display()
        )),
    })
}

/// What may stand for a program: on Windows also with `.exe`.
fn spellings(file: PathBuf) -> impl Iterator<Item = PathBuf> {
    let with_suffix = (!env::consts::EXE_SUFFIX.is_empty() && file.extension().is_none())
        .then(|| file.with_extension(env::consts::EXE_EXTENSION));
    [file].into_iter().chain(with_suffix)
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Good,
    Missing,
    Directory(PathBuf),
    NotExecutable(PathBuf),
    Unreadable(String),
}

fn state(file: &Path) -> State {
    match fs::metadata(file) {
        Ok(metadata) if metadata.is_dir() => State::Directory(file.to_owned()),
        Ok(metadata) if !is_executable(&metadata) => State::NotExecutable(file.to_owned()),
        Ok(_) => State::Good,
        Err(error) if error.kind() == io::ErrorKind::NotFound => State::Missing,
        Err(error) => State::Unreadable(error.to_string()),
    }
}

impl State {
    fn describe(self, word: &OsStr, directory: &Path) -> Result<(), ExecutorError> {
        if self == Self::Good { Ok(()) } else { Err(self.trouble(word, directory)) }
    }

    fn trouble(self, word: &OsStr, directory: &Path) -> ExecutorError {
        let word = word.display();
        ExecutorError(match self {
            Self::Directory(_) => format!("`{word}` is a directory: name a program in it"),
            Self::NotExecutable(file) => {
                let file = file.display();
                format!(
                    "`{word}` is not executable: run `chmod +x '{file}'`, or name its interpreter before it"
                )
            }
            Self::Unreadable(error) => format!("`{word}` cannot be read: {error}"),
            Self::Good | Self::Missing if directory == Path::new("") => {
                format!("no program `{word}`: check the path, or build it first")
            }
            Self::Good | Self::Missing => {
                let directory = directory.display();
                format!(
                    "no program `{word}` in `{directory}`, where the command runs: check --cwd and the path"
                )
            }
        })
    }
}

fn unreadable(word: &OsStr, error: &io::Error) -> ExecutorError {
    ExecutorError(format!("`{}` cannot be read: {error}", word.display()))
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
