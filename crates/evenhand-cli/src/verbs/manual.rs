//! `evenhand completions SHELL` and `evenhand man DIR`: what a package installs beside the program.
//!
//! Tests: `tests/program/manual.rs`.

use crate::verbs::export::folder_is_there;
use crate::{CliError, Stage};
use clap::{Args, Command};
use clap_complete::Shell;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand completions bash > ~/.local/share/bash-completion/completions/evenhand
  evenhand completions zsh  > ~/.local/share/zsh/site-functions/_evenhand
  evenhand completions fish > ~/.config/fish/completions/evenhand.fish")]
pub(crate) struct Completions {
    /// For this shell
    shell: Shell,
}

/// Completions of this command line.
pub(crate) fn completions(
    arguments: &Completions,
    mut line: Command,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    clap_complete::generate(arguments.shell, &mut line, "evenhand", &mut stage.out);
    Ok(())
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  evenhand man ~/.local/share/man/man1")]
pub(crate) struct Man {
    /// Write the pages to this folder, which is made where it is missing
    #[arg(value_name = "DIRECTORY")]
    folder: PathBuf,
}

/// A page for the program and one for each verb that the help shows.
pub(crate) fn man(arguments: &Man, line: Command) -> Result<(), CliError> {
    let folder = &arguments.folder;
    folder_is_there(folder)?;
    fs::create_dir_all(folder).map_err(|error| file_error(folder, &error))?;
    clap_mangen::generate_to(line.disable_help_subcommand(true), folder)
        .map_err(|error| file_error(folder, &error))
}

fn file_error(path: &Path, error: &std::io::Error) -> CliError {
    CliError::new(format_args!("{}: {error}", path.display()))
}
