//! What was said on the command line of `evenhand compare`?

use crate::verbs::functions::{Choice, Sampling};
use crate::verbs::measured::deciding::{Deciding, VERDICT};
use crate::verbs::measured::telling::Telling;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand compare --git main                what does the work tree do to the benchmarks?
  evenhand compare --git main sort           only those with `sort` in their name
  evenhand compare --git main -- --features fast -p parser
                                             with options of cargo
  evenhand compare --git v1.2..v1.3          one revision against another
  evenhand compare --git main...topic        what did the branch do since it left main?
  evenhand compare old/bench new/bench       two benchmark programs that are there
  evenhand compare -- python3 old.py -- python3 new.py
                                             any two programs that speak the protocol
  evenhand compare --git main --build 'make bench' --exe build/bench
                                             another build system than cargo

Exit status: 0 done, or nothing to decide; 1 a regression that --fail-if asked for; 2 something is
not as it has to be; 3 a benchmark failed; 4 no verdict although --require-verdict asked for one;
130 interrupted.")]
pub(crate) struct Arguments {
    /// Two benchmark programs, the baseline first; then parts of the names of benchmarks. With --git only the parts
    #[arg(value_name = "OLD NEW] [FILTER")]
    pub words: Vec<OsString>,
    /// Two commands with their arguments, each after --. With --git: options of cargo, such as --features fast -p parser
    #[arg(last = true, value_name = "COMMAND")]
    pub commands: Vec<OsString>,

    /// Build and compare revisions: REV against the work tree, REV..REV, or REV...REV, the second against the merge base of both. An
    /// empty side of the dots is HEAD
    #[arg(long, value_name = "REV", help_heading = WHAT)]
    pub git: Option<String>,
    /// Build with this command instead of cargo
    #[arg(long, value_name = "COMMAND", requires = "git", requires = "exe", conflicts_with = "commands", help_heading = WHAT)]
    pub build: Option<OsString>,
    /// The benchmark program that --build makes, as seen from this folder
    #[arg(long, value_name = "PATH", requires = "build", help_heading = WHAT)]
    pub exe: Option<PathBuf>,
    /// Do not align functions to 64 bytes, which takes away the luck of their addresses
    #[arg(long, requires = "git", help_heading = WHAT)]
    pub no_align: bool,
    /// Link both sides so often, each time with the functions in another order, and say what luck that is worth
    #[arg(long, value_name = "N", requires = "git", conflicts_with = "build", value_parser = clap::value_parser!(u32).range(2..=64), help_heading = WHAT)]
    pub layouts: Option<u32>,
    /// Let the two sides return different results
    #[arg(long, help_heading = WHAT)]
    pub allow_other_results: bool,

    #[command(flatten, next_help_heading = WHAT)]
    pub choice: Choice,

    #[command(flatten)]
    pub deciding: Deciding,
    #[command(flatten)]
    pub sampling: Sampling,
    /// Measure the baseline once more beside the others, and warn if it differs from itself
    #[arg(long, conflicts_with = "lockstep", help_heading = VERDICT)]
    pub control: bool,

    /// Run on this processor: auto (the quiet cores in turns), none, or a list such as 0,2-3
    #[arg(long, value_name = "CPUS", default_value = "auto", help_heading = HOW)]
    pub pin: String,

    /// Run both sides at the same time on two processors, instead of in turns on one. Then no coin decides who comes first, and two
    /// processors are never alike
    #[arg(long, help_heading = HOW)]
    pub lockstep: bool,

    #[command(flatten)]
    pub telling: Telling,
}

const WHAT: &str = "What is measured";
const HOW: &str = "How it is run";
