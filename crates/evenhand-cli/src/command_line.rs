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
  evenhand run './old x' './new x'       is the second command faster than the first?
  evenhand import results/               take in what other tools measured
  evenhand list                          what is there now
  evenhand analyze @last                 what the newest shows
  evenhand report @last --open           the same as a page to look at
  evenhand analyze old.json new.json     two files against each other

Exit status: 0 done; 2 something is not as it has to be, and was said on standard error;
`evenhand run --help` has the others.";

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
    /// Keep trials in this folder, instead of `.evenhand` here or above, or the user's own
    #[arg(long, global = true, value_name = "DIRECTORY", display_order = 900)]
    pub archive: Option<PathBuf>,
    /// Use colours: auto, always or never [default: auto]
    #[arg(long, global = true, value_name = "WHEN", display_order = 901)]
    pub color: Option<When>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Say which of two commands is faster, by how much, and how sure that is
    Run(Box<verbs::run::Arguments>),
    /// Say what a change did to benchmarks: two programs, or two revisions
    #[cfg(target_os = "linux")]
    Compare(Box<verbs::compare::Arguments>),
    /// Measure the benchmarks of one program: what `cargo bench` comes to
    #[cfg(target_os = "linux")]
    Bench(Box<verbs::bench::Arguments>),
    /// Look what on this machine disturbs, and how small a difference it can see
    Doctor(verbs::doctor::Arguments),
    /// Say what trials or files of results show: verdicts, levels, warnings
    #[command(visible_alias = "analyse")]
    Analyze(verbs::analyze::Arguments),
    /// Write a page that shows everything, or a table for a pull request
    Report(verbs::report::Arguments),
    /// Draw one picture of a trial, as SVG or PNG
    Plot(verbs::plot::Arguments),
    /// List the trials of the archive, newest first
    List(verbs::list::Arguments),
    /// Show what is recorded in a trial
    Show(verbs::show::Arguments),
    /// Write trials for other programs: JSON, CSV, OpenMetrics, hyperfine's JSON
    Export(verbs::export::Arguments),
    /// Take results of other tools into the archive
    Import(verbs::import::Arguments),
    /// Give a trial a name
    Label(verbs::label::Arguments),
    /// Remove trials from the archive
    Rm(verbs::rm::Arguments),
    /// Check, compact or rescue the archive
    Archive(verbs::archive::Arguments),
    /// Talk to a worker by hand, to find out what is wrong with it
    #[command(hide = true)]
    Worker(verbs::worker::Arguments),
    /// Compute for a while and say nothing: what the doctor measures
    #[command(hide = true)]
    BusyWork(verbs::doctor::BusyWork),
    /// Repeat an article's experiment, by the program `evenhand-experiment`
    #[command(hide = true, disable_help_flag = true)]
    Experiment(verbs::experiment::Arguments),
    /// Print the completions of a shell
    #[command(hide = true)]
    Completions(verbs::manual::Completions),
    /// Write the manual pages
    #[command(hide = true)]
    Man(verbs::manual::Man),
}

/// The headings of the help, with the verbs below them.
const HEADINGS: [(&str, &[&str]); 3] = [
    ("Measure", &["run", "compare", "bench", "doctor"]),
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
