//! `evenhand show TRIAL`: what is recorded in a trial?

use crate::{CliError, Stage};
use clap::Args;
use evenhand_formats::import::Format;
use evenhand_report::record::Record;
use evenhand_trial::json;
use std::ffi::OsString;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand show @last
  evenhand show results/old.json      without importing it")]
pub(crate) struct Arguments {
    /// Trials by id, label, `@last` or `@last~1`, or files of results; `-` is standard input
    #[arg(required = true, value_name = "TRIAL|FILE")]
    trials: Vec<OsString>,
    /// Read files as FORMAT instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Print the record as JSON, without its samples
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    for (place, (_, trial)) in stage.trials(&arguments.trials, arguments.from)?.iter().enumerate() {
        if arguments.json {
            json::write(&trial.head(), &mut *stage.out)?;
            continue;
        }
        if place > 0 {
            writeln!(stage.out)?;
        }
        write!(stage.out, "{}", Record { trial, layout: stage.world.layout() })?;
    }
    Ok(())
}
