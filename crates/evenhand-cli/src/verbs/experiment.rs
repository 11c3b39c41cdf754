//! `evenhand experiment NAME`: does what an article says of timings hold on this machine?

use crate::{Failure, Stage};
use clap::{Args, ValueEnum};
use evenhand_experiments::{Size, log_normal, paired, percentiles, sampling, uncertainty};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand experiment log-normal            are timings normally distributed? (a minute)
  evenhand experiment log-normal --whole    with runs as long as the article's (a quarter of an hour)
  evenhand experiment percentiles           what does a median hide? (a minute)
  evenhand experiment uncertainty           what is the error of a mean worth? (a minute)
  evenhand experiment sampling              few iterations in a sample, or many? (a minute)
  evenhand experiment paired                does it help to measure in pairs? (seconds)")]
pub(crate) struct Arguments {
    /// Which experiment
    name: Name,
    /// As large as in the article
    #[arg(long)]
    whole: bool,
    /// As small as can be: to see that it works
    #[arg(long, conflicts_with = "whole")]
    tiny: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// Lemire 2023: the times of walks through memory, 1 to 40 at once
    LogNormal,
    /// BenchmarkDotNet 2016: delays that are constant, random and rare
    Percentiles,
    /// Kołaczkowski 2020: the error of a mean latency, of a small server on this machine
    Uncertainty,
    /// Vaskovic 2018: one to 1024 iterations in a sample, beside ever more busy processes
    Sampling,
    /// Bazhenov 2023: ways to count characters, in pairs and one after the other
    Paired,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), Failure> {
    let size = match (arguments.tiny, arguments.whole) {
        (true, _) => Size::Tiny,
        (_, true) => Size::Whole,
        _ => Size::Usual,
    };
    let err = &mut *stage.err;
    // Where nobody reads what is told of the progress, the experiment goes on.
    let mut tell = |what: &str| drop(writeln!(err, "evenhand: {what}"));
    let sheet = match arguments.name {
        Name::LogNormal => log_normal::measure(log_normal::Plan::of(size), &mut tell).sheet(),
        Name::Percentiles => percentiles::measure(percentiles::Plan::of(size), &mut tell).sheet(),
        Name::Uncertainty => {
            let plan = uncertainty::Plan::of(size);
            let seen = uncertainty::measure(plan, &mut tell).map_err(|error| {
                Failure::new(format_args!(
                    "the experiment needs a server on 127.0.0.1, which cannot be: {error}"
                ))
            })?;
            seen.sheet()
        }
        Name::Sampling => {
            let plan = sampling::Plan::of(size);
            sampling::sheet(&plan, &sampling::measure(&plan, &mut tell))
        }
        Name::Paired => paired::measure(paired::Plan::of(size), &mut tell).sheet(),
    };
    write!(stage.out, "{}", sheet.shown(stage.world.layout()))?;
    Ok(())
}
