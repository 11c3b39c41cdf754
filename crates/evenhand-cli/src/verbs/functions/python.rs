//! How are benchmarks in Python started? A file that ends in `.py` alone stands for `python3 -m evenhand FILE`. An interpreter is asked for its
//! own path first: what is called `python3` may be a script that looks for one, which takes longer than Python needs to start.
//!
//! Tests: below, and `tests/program/python.rs`.

use crate::CliError;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// The interpreter for a file.
const USUAL: &str = "python3";

/// What an interpreter is asked: its path, and whether it has our package.
const QUESTION: &str =
    "import sys, importlib.util as u; print(sys.executable); print(u.find_spec('evenhand') is not None)";

/// Whether a word names a file of Python.
pub(crate) fn is_script(word: &OsStr) -> bool {
    Path::new(word).extension().is_some_and(|ending| ending == "py")
}

/// The command behind what was typed: a file of Python with its interpreter, an interpreter by its own path, anything else as it is.
pub(crate) fn command(words: Vec<OsString>) -> Result<Vec<OsString>, CliError> {
    match words.as_slice() {
        [script] if is_script(script) => {
            let interpreter = interpreter(USUAL.as_ref(), script)?;
            Ok([interpreter, "-m".into(), "evenhand".into(), script.clone()].into())
        }
        [program, rest @ ..] if is_interpreter(program) => {
            let program = interpreter_of(program).map_or_else(|| program.clone(), |found| found.path);
            Ok([program].into_iter().chain(rest.iter().cloned()).collect())
        }
        _ => Ok(words),
    }
}

/// `python3`, `/usr/bin/python3.12`, `pypy3`.
fn is_interpreter(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let version = ["python", "pypy"].into_iter().find_map(|start| name.strip_prefix(start));
    version.is_some_and(|version| version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
}

/// What an interpreter said.
struct Interpreter {
    path: OsString,
    has_our_package: bool,
}

/// `None`: it could not be started, or is no interpreter.
fn interpreter_of(program: &OsStr) -> Option<Interpreter> {
    let mut question = Command::new(program);
    question.args(["-c", QUESTION]).stdin(Stdio::null()).stderr(Stdio::null());
    let answer = String::from_utf8(question.output().ok()?.stdout).ok()?;
    let mut lines = answer.lines();
    let path = lines.next().filter(|path| !path.is_empty())?;
    Some(Interpreter { path: path.into(), has_our_package: lines.next() == Some("True") })
}

/// The path of an interpreter that can run a file of benchmarks.
fn interpreter(program: &OsStr, script: &OsStr) -> Result<OsString, CliError> {
    let script = script.to_string_lossy();
    let Some(Interpreter { path, has_our_package }) = interpreter_of(program) else {
        return Err(CliError::with_hint(
            format_args!("{}, which {script} needs, could not be started", program.to_string_lossy()),
            format_args!("name the interpreter: -- /path/to/python -m evenhand {script}"),
        ));
    };
    if has_our_package {
        return Ok(path);
    }
    let path = path.to_string_lossy();
    Err(CliError::with_hint(
        format_args!("{path} does not have the package evenhand, which {script} needs"),
        format_args!("install it from a copy of this repository: {path} -m pip install ./python"),
    ))
}

/// What to do about a program that ended by itself: a script that serves nobody comes to its end.
pub(crate) fn advice(words: &[OsString]) -> Option<String> {
    let [_, rest @ ..] = words else { return None };
    let script = rest.iter().find(|word| is_script(word))?.to_string_lossy();
    let loads = rest.windows(2).any(|pair| pair[0] == "-m" && pair[1] == "evenhand");
    (!loads)
        .then(|| format!("end {script} with evenhand.main(), or start it by: python3 -m evenhand {script}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(typed: &[&str]) -> Vec<OsString> {
        typed.iter().map(OsString::from).collect()
    }

    #[test]
    fn interpreters_are_known_by_their_names() {
        for name in ["python", "python3", "/usr/bin/python3.12", "pypy3", "pypy3.10"] {
            assert!(is_interpreter(name.as_ref()), "{name}");
        }
        for name in ["pythonic", "python3-config", "ipython", "./bench", "python/bench", "bench.py"] {
            assert!(!is_interpreter(name.as_ref()), "{name}");
        }
    }

    #[test]
    fn other_commands_stay_as_they_are() {
        for typed in [&["./worker", "bench.py"][..], &["node", "bench.js"], &["python3-of-nowhere", "x.py"]] {
            assert_eq!(command(words(typed)).unwrap(), words(typed));
        }
    }

    #[test]
    fn a_script_that_ends_is_told_how_to_serve() {
        let told = advice(&words(&["/usr/bin/python3", "bench.py"])).unwrap();
        assert_eq!(told, "end bench.py with evenhand.main(), or start it by: python3 -m evenhand bench.py");
        assert_eq!(advice(&words(&["python3", "-m", "evenhand", "bench.py"])), None);
        assert_eq!(advice(&words(&["./worker"])), None);
    }
}
