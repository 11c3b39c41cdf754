//! What can be typed? All verbs under the three headings of the help, and the options that every verb has.
//!
//! Tests: `tests/program/messages.rs`.

use crate::verbs;
use clap::{Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use evenhand_report::terminal::When;
use std::ffi::OsString;
use std::path::PathBuf;

const FIRST_STEPS: &str = "\
First steps:
  evenhand run './old x' './new x'       compare two commands
  evenhand import results/               import results of other tools
  evenhand list                          list what is stored
  evenhand analyze @last                 show the results of the newest trial
  evenhand report @last --open           open them as a page in the browser
  evenhand analyze old.json new.json     compare two files of results

Exit status: 0 success; 2 usage or file error (see standard error); `evenhand run --help` lists
the others.";

/// Is B faster than A, by how much, and can I trust it?
#[derive(Debug, Parser)]
#[command(name = "evenhand", bin_name = "evenhand", version, max_term_width = 100, after_help = FIRST_STEPS)]
pub(crate) struct CommandLine {
    #[command(flatten)]
    pub everywhere: Everywhere,
    #[command(subcommand)]
    pub verb: Verb,
}

/// What every verb can be given.
#[derive(Debug, Args)]
pub(crate) struct Everywhere {
    /// Store trials in DIRECTORY [default: `.evenhand` here or above, else the user's own]
    #[arg(long, global = true, value_name = "DIRECTORY", display_order = 900)]
    pub archive: Option<PathBuf>,
    /// Use colours: auto, always or never [default: auto]
    #[arg(long, global = true, value_name = "WHEN", display_order = 901)]
    pub color: Option<When>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Compare commands: which is faster, and by how much
    Run(Box<verbs::run::Arguments>),
    /// Compare the benchmarks of two revisions or two programs
    #[cfg(target_os = "linux")]
    Compare(Box<verbs::compare::Arguments>),
    /// Run one program's benchmarks (`cargo bench` does this)
    #[cfg(target_os = "linux")]
    Bench(Box<verbs::bench::Arguments>),
    /// Compare running services under load: which answers sooner
    Load(Box<verbs::load::Arguments>),
    /// Look at a project: which command compares its benchmarks, and what is missing for it
    Init(verbs::init::Arguments),
    /// Find sources of noise and the smallest detectable difference on this machine
    Doctor(verbs::doctor::Arguments),
    /// Show the verdicts, absolute times and warnings of trials or files of results
    #[command(visible_alias = "analyse")]
    Analyze(verbs::analyze::Arguments),
    /// Write a page with every sample, or Markdown for a pull request
    Report(verbs::report::Arguments),
    /// Draw one chart of a trial as SVG or PNG
    Plot(verbs::plot::Arguments),
    /// List the trials in the archive, newest first
    List(verbs::list::Arguments),
    /// Show what is recorded in a trial
    Show(verbs::show::Arguments),
    /// Export trials as JSON, CSV, OpenMetrics or hyperfine's JSON
    Export(verbs::export::Arguments),
    /// Import results of other tools into the archive
    Import(verbs::import::Arguments),
    /// Name a trial
    Label(verbs::label::Arguments),
    /// Remove trials from the archive
    Rm(verbs::rm::Arguments),
    /// Check, compact or salvage the archive
    Archive(verbs::archive::Arguments),
    /// Talk to a worker by hand, for debugging
    #[command(hide = true)]
    Worker(verbs::worker::Arguments),
    /// Compute for about 8 ms and print nothing, for the doctor to measure
    #[command(hide = true)]
    BusyWork(verbs::doctor::BusyWork),
    /// Reproduce an article's experiment with the program `evenhand-experiment`
    #[command(hide = true, disable_help_flag = true)]
    Experiment(verbs::experiment::Arguments),
    /// Print shell completions
    #[command(hide = true)]
    Completions(verbs::manual::Completions),
    /// Write the manual pages
    #[command(hide = true)]
    Man(verbs::manual::Man),
}

/// The headings of the help, with the verbs below them.
const HEADINGS: [(&str, &[&str]); 3] = [
    ("Measure", &["run", "compare", "bench", "load", "init", "doctor"]),
    ("Read", &["analyze", "report", "plot", "list", "show"]),
    ("Keep", &["export", "import", "label", "rm", "archive"]),
];

/// The whole command line, as help, manual and completions know it.
pub(crate) fn command() -> Command {
    let command = CommandLine::command();
    let verbs: String = HEADINGS.iter().map(|(heading, verbs)| below(heading, verbs, &command)).collect();
    command.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{verbs}Options:\n{{options}}{{after-help}}"
    ))
}

/// A heading and its verbs. clap knows headings of options only.
fn below(heading: &str, verbs: &[&str], command: &Command) -> String {
    let line = |verb: &&str| {
        let about = command.find_subcommand(verb)?.get_about()?;
        Some(format!("  {verb:<8}  {about}\n"))
    };
    format!("{heading}:\n{}\n", verbs.iter().filter_map(line).collect::<String>())
}

impl CommandLine {
    /// What was typed.
    pub(crate) fn of(words: &[OsString]) -> Result<Self, clap::Error> {
        let matches = command().try_get_matches_from(words)?;
        Self::from_arg_matches(&matches)
    }
}
