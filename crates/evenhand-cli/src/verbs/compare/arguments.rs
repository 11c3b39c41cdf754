//! What was said on the command line of `evenhand compare`?

use crate::verbs::functions::{Choice, Sampling};
use crate::verbs::measured::deciding::{Deciding, VERDICT};
use crate::verbs::measured::telling::Telling;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand compare --git main                compare the work tree with main
  evenhand compare --git main sort           only benchmarks with `sort` in their name
  evenhand compare --git main -- --features fast -p parser
                                             with cargo options
  evenhand compare --git v1.2..v1.3          one revision against another
  evenhand compare --git main...topic        the branch's own changes since it left main
  evenhand compare old/bench new/bench       two existing benchmark programs
  evenhand compare old.py new.py             two files of benchmarks in Python
  evenhand compare --git main bench.py       the same file in two revisions
  evenhand compare --with 'orjson==3.9.0' --with 'orjson==3.10.0' bench.py
                                             two versions of a package of Python
  evenhand compare -- python3.12 bench.py -- python3.13 bench.py
                                             two interpreters, or any programs that speak the protocol
  evenhand compare --go ./... --new-env GOAMD64=v3
                                             the same code of Go, built in two ways
  evenhand compare --git main --build 'make bench' --exe build/bench
                                             with another build system than cargo

Exit status: 0 success; 1 the condition of --fail-if is proven; 2 usage or file error; 3 a benchmark
failed; 4 a verdict is inconclusive and --require-verdict was given; 130 interrupted.")]
pub(crate) struct Arguments {
    /// Two benchmark programs, the baseline first, then filters: parts of benchmark names. With --git: filters only, or a
    /// Python file and filters
    #[arg(value_name = "OLD NEW] [FILTER")]
    pub words: Vec<OsString>,
    /// Two commands with their arguments, each after --. With --git: cargo options, such as --features fast -p parser, or one
    /// command, which is run in each revision instead of building it
    #[arg(last = true, value_name = "COMMAND")]
    pub commands: Vec<OsString>,

    /// Build and compare revisions: REV against the work tree, OLD..NEW, or OLD...NEW, which compares NEW with the merge base
    /// of both. An empty side means HEAD
    #[arg(long, value_name = "REV", help_heading = WHAT)]
    pub git: Option<String>,
    /// Run a file of Python with this version of a package, such as 'orjson==3.9'; given twice, the baseline first
    #[arg(long, value_name = "PACKAGE", conflicts_with_all = ["git", "go"], help_heading = WHAT)]
    pub with: Vec<String>,
    /// Build the benchmarks of these packages of Go, such as ./... or strings,sort: the files as they are now for both sides, or
    /// the revisions of --git. Words after -- are flags of `go test -c`; those after -args go to the benchmarks
    #[arg(long, value_name = "PACKAGES", value_delimiter = ',', conflicts_with_all = ["build", "layouts", "no_align"], help_heading = WHAT)]
    pub go: Vec<OsString>,
    /// Set a variable for the baseline, when it is built and when it runs
    #[arg(long, value_name = "NAME=VALUE", help_heading = WHAT)]
    pub old_env: Vec<OsString>,
    /// Set a variable for the candidate, when it is built and when it runs
    #[arg(long, value_name = "NAME=VALUE", help_heading = WHAT)]
    pub new_env: Vec<OsString>,
    /// Build with COMMAND instead of cargo
    #[arg(long, value_name = "COMMAND", requires = "git", requires = "exe", conflicts_with = "commands", help_heading = WHAT)]
    pub build: Option<OsString>,
    /// Path of the benchmark program that --build makes, relative to this folder
    #[arg(long, value_name = "PATH", requires = "build", help_heading = WHAT)]
    pub exe: Option<PathBuf>,
    /// Do not align functions to 64 bytes; alignment reduces layout effects
    #[arg(long, requires = "git", help_heading = WHAT)]
    pub no_align: bool,
    /// Link both sides N times, each with the functions in another order, and report the layout effect
    #[arg(long, value_name = "N", requires = "git", conflicts_with = "build", value_parser = clap::value_parser!(u32).range(2..=64), help_heading = WHAT)]
    pub layouts: Option<u32>,
    /// Allow the two sides to return different results
    #[arg(long, help_heading = WHAT)]
    pub allow_other_results: bool,

    #[command(flatten, next_help_heading = WHAT)]
    pub choice: Choice,

    #[command(flatten)]
    pub deciding: Deciding,
    #[command(flatten)]
    pub sampling: Sampling,
    /// Measure the baseline a second time as a control, and warn if it differs from itself
    #[arg(long, conflicts_with = "lockstep", help_heading = VERDICT)]
    pub control: bool,

    /// Pin the programs to CPUs: auto (the quiet cores in turns), none, or a list such as 0,2-3
    #[arg(long, value_name = "CPUS", default_value = "auto", help_heading = HOW)]
    pub pin: String,

    /// Give both sides of a launch the same addresses and hash seed, others in the next launch (shared), or draw them for each
    /// side (own). Shared finds smaller changes in interpreters
    #[arg(long, value_enum, value_name = "WHOSE", default_value = "own", conflicts_with = "lockstep", help_heading = HOW)]
    pub layout: Layout,

    /// Run both sides at the same time on two CPUs, instead of in turns on one. The order is then not randomised, and two
    /// CPUs are never equal
    #[arg(long, help_heading = HOW)]
    pub lockstep: bool,

    #[command(flatten)]
    pub telling: Telling,
}

/// Whose memory layout it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    Own,
    Shared,
}

const WHAT: &str = "What to measure";
const HOW: &str = "How to run it";
