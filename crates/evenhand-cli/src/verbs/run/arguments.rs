//! What was said on the command line of `evenhand run`? What it means is in [`lineup`](mod@super::lineup).

use crate::seconds::Seconds;
use crate::verbs::measured::deciding::{Deciding, VERDICT};
use crate::verbs::measured::telling::{OUTPUT, Telling};
use clap::Args;
use evenhand_measure::grid::{Parameter, ParameterError};
use evenhand_report::terminal::{Terminal, When};
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  evenhand run './old --input x' './new --input x'       compare two commands
  evenhand run --param size=1,10,100 './old {size}' './new {size}'
  evenhand run --shell 'sort big.txt | uniq' 'sort -u big.txt'
  evenhand run --fail-if 'slower > 2%' ./main ./branch   for CI: exit status 1 if slower
  evenhand run ./program                                 measure one command
  evenhand run --continue @last                          more rounds of the same commands

Exit status: 0 success; 1 the condition of --fail-if is proven; 2 usage or file error; 3 a command
failed; 4 a verdict is inconclusive and --require-verdict was given; 130 interrupted.")]
pub(crate) struct Arguments {
    /// Commands to measure, each quoted with its arguments; the first is the baseline
    #[arg(required_unless_present = "goes_on", value_name = "COMMAND")]
    pub commands: Vec<OsString>,

    /// Name a command; the first NAME is for the first command, and so on
    #[arg(long, short, alias = "command-name", value_name = "NAME", help_heading = WHAT)]
    pub name: Vec<String>,
    /// Use this command as the baseline instead of the first: its number or name
    #[arg(long, value_name = "N", help_heading = WHAT)]
    pub baseline: Option<String>,
    /// Run each command with every value in place of `{NAME}`: NAME=a,b,c, NAME=1..8 or NAME=0..1..0.25
    #[arg(long, short = 'P', value_name = "NAME=VALUES", help_heading = WHAT)]
    pub param: Vec<Parameter>,
    /// Same as --param, in hyperfine's form: -L NAME A,B,C
    #[arg(short = 'L', long = "parameter-list", value_names = ["NAME", "VALUES"], num_args = 2, help_heading = WHAT)]
    pub list: Vec<String>,
    /// Continue a trial of the archive, such as @last, with more rounds of the same commands
    #[arg(long = "continue", value_name = "TRIAL", conflicts_with_all = ["no_save", "dry_run"], help_heading = WHAT)]
    pub goes_on: Option<OsString>,
    /// Run the commands in a shell [default without a value: sh]
    #[arg(long, value_name = "SHELL", num_args = 0..=1, require_equals = true, default_missing_value = "sh", help_heading = WHAT)]
    pub shell: Option<OsString>,
    /// Same as --shell=SHELL; `none` and `default` mean what they mean in hyperfine
    #[arg(short = 'S', value_name = "SHELL", conflicts_with_all = ["shell", "no_shell"], help_heading = WHAT)]
    pub in_shell: Option<OsString>,

    #[command(flatten)]
    pub deciding: Deciding,
    /// Measure exactly N rounds, unless --max-time ends first
    #[arg(long, short = 'r', alias = "runs", value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = VERDICT)]
    pub rounds: Option<u64>,
    /// Measure at least N rounds, whatever the verdict
    #[arg(long, short, alias = "min-runs", value_name = "N", conflicts_with = "rounds", help_heading = VERDICT)]
    pub min_rounds: Option<u64>,
    /// Measure at most N rounds
    #[arg(long, short = 'M', alias = "max-runs", value_name = "N", conflicts_with = "rounds",
        value_parser = clap::value_parser!(u64).range(1..), help_heading = VERDICT)]
    pub max_rounds: Option<u64>,
    /// Measure the baseline a second time as a control, and warn if it differs from itself
    #[arg(long, help_heading = VERDICT)]
    pub control: bool,

    /// Run each command N times before the first round, unrecorded
    #[arg(long, short, value_name = "N", default_value_t = 0, help_heading = HOW)]
    pub warmup: u32,
    /// Run COMMAND in a shell before each timed run; repeat the option to give each command its own
    #[arg(long, short, value_name = "COMMAND", help_heading = HOW)]
    pub prepare: Vec<OsString>,
    /// Run COMMAND in a shell after each timed run
    #[arg(long, short = 'C', value_name = "COMMAND", help_heading = HOW)]
    pub conclude: Vec<OsString>,
    /// Run COMMAND in a shell once, before a command is measured
    #[arg(long, short, value_name = "COMMAND", help_heading = HOW)]
    pub setup: Vec<OsString>,
    /// Run COMMAND in a shell once, after a command was measured
    #[arg(long, short, value_name = "COMMAND", help_heading = HOW)]
    pub cleanup: Vec<OsString>,
    /// Drop the file cache before each run (complete only as root)
    #[arg(long, help_heading = HOW)]
    pub cold: bool,
    /// Pin the commands to CPUs: auto (one quiet core, if no command uses several), none, or a list such as 0,2-3
    #[arg(long, value_name = "CPUS", default_value = "auto", help_heading = HOW)]
    pub pin: String,
    /// Standard input of the commands: a file, or null
    #[arg(long, value_name = "FILE", help_heading = HOW)]
    pub input: Option<PathBuf>,
    /// Standard output of the commands: null, pipe (read and discarded), inherit, or a file
    #[arg(long, value_name = "WHERE", help_heading = HOW)]
    pub output: Option<PathBuf>,
    /// Set an environment variable for the commands
    #[arg(long, value_name = "NAME=VALUE", help_heading = HOW)]
    pub env: Vec<OsString>,
    /// Run the commands in DIRECTORY
    #[arg(long, value_name = "DIRECTORY", help_heading = HOW)]
    pub cwd: Option<PathBuf>,
    /// Kill a run that takes longer, with all its processes; it counts as failed
    #[arg(long, value_name = "TIME", help_heading = HOW)]
    pub timeout: Option<Seconds>,
    /// Continue when a run fails; failed runs are recorded but excluded from all figures
    #[arg(long, short, help_heading = HOW)]
    pub ignore_failure: bool,
    /// Fail unless all commands print the same output
    #[arg(long, help_heading = HOW)]
    pub expect_same_output: bool,

    /// Print the plan without measuring
    #[arg(long, conflicts_with = "json", help_heading = OUTPUT)]
    pub dry_run: bool,
    #[command(flatten)]
    pub telling: Telling,
    /// No effect, as no shell is used by default; for compatibility with hyperfine
    #[arg(short = 'N', hide = true, conflicts_with = "shell")]
    pub no_shell: bool,
    /// The baseline, given as in hyperfine
    #[arg(long, value_name = "COMMAND", hide = true)]
    pub reference: Option<OsString>,
    /// Colours and progress, given as in hyperfine
    #[arg(long, value_name = "STYLE", hide = true)]
    pub style: Option<Style>,
    /// Same as --output inherit; hyperfine's name for it
    #[arg(long, hide = true, conflicts_with = "output")]
    pub show_output: bool,
}

/// What hyperfine calls a style, as far as it means the same here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// As it suits the terminal.
    Usual,
    /// No colours and no live line.
    Basic,
    /// No colours.
    NoColour,
    /// Colours, and no live line.
    Colour,
}

impl FromStr for Style {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" | "full" => Ok(Self::Usual),
            "basic" => Ok(Self::Basic),
            "nocolor" => Ok(Self::NoColour),
            "color" => Ok(Self::Colour),
            "none" => Err("--quiet prints the verdict only, and > /dev/null nothing"),
            _ => Err("one of auto, basic, full, nocolor, color is expected"),
        }
    }
}

impl Style {
    /// The same terminal, as this style uses it.
    pub(crate) fn of(self, terminal: Terminal) -> Terminal {
        let coloured = match self {
            Self::Usual => terminal,
            Self::Basic | Self::NoColour => terminal.coloured(When::Never),
            Self::Colour => terminal.coloured(When::Always),
        };
        let is_live = matches!(self, Self::Usual | Self::NoColour);
        Terminal { rows: coloured.rows.filter(|_| is_live), ..coloured }
    }
}

impl Arguments {
    /// The same, where it was said in hyperfine's words.
    pub(crate) fn in_our_words(mut self) -> Self {
        self.commands.splice(0..0, self.reference.take());
        self.shell = match self.in_shell.take() {
            Some(shell) if shell == "none" => None,
            Some(shell) if shell == "default" => Some("sh".into()),
            Some(shell) => Some(shell),
            None => self.shell,
        };
        if std::mem::take(&mut self.show_output) {
            self.output = Some("inherit".into());
        }
        self
    }

    /// All parameters, however they were given.
    pub(crate) fn parameters(&self) -> Result<Vec<Parameter>, ParameterError> {
        let listed = self.list.chunks_exact(2).map(|list| Parameter::listed(&list[0], &list[1]));
        self.param.iter().cloned().map(Ok).chain(listed).collect()
    }
}

const WHAT: &str = "What to measure";
const HOW: &str = "How to run it";
