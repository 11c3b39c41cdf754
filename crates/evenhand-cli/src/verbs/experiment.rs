//! `evenhand experiment NAME`: does what an article says of timings hold on this machine? The experiments are a program of their own,
//! `evenhand-experiment`, which is started as cargo starts `cargo-NAME`: it lies beside this program, or is in `PATH`.
//!
//! Tests: `tests/program/experiment.rs`.

use crate::{CliError, Stage, error};
use clap::Args;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "evenhand-experiment";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What is handed on
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    words: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    stage.out.flush()?;
    let program = beside_us().unwrap_or_else(|| PROGRAM.into());
    let archive = stage.archive.iter().flat_map(|folder| ["--archive".as_ref(), folder.as_os_str()]);
    match Command::new(&program).args(&arguments.words).args(archive).status() {
        Ok(status) => Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(error::WRONG)),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(CliError::with_hint(
            format_args!("no program `{PROGRAM}` beside evenhand or in PATH"),
            "install it from the same sources: cargo install --locked --path crates/evenhand-experiments",
        )),
        Err(error) => Err(CliError::new(format_args!(
            "{} could not be started: {error}",
            Path::new(&program).display()
        ))),
    }
}

/// The experiments' program in the folder of this one.
fn beside_us() -> Option<PathBuf> {
    let program =
        std::env::current_exe().ok()?.with_file_name(PROGRAM).with_extension(std::env::consts::EXE_EXTENSION);
    program.is_file().then_some(program)
}
