//! `evenhand doctor [-- COMMAND…]`: what on this machine disturbs, how small a difference can it see, and how short a response?

use crate::chance::chance;
use crate::seconds::Seconds;
use crate::{CliError, Stage};
use clap::Args;
use evenhand_measure::command::Interrupt;
use evenhand_measure::doctor::{Facts, Finding, LoadFloor, NoiseFloor, findings, floor, load_floor, work};
use evenhand_measure::noise::quietest;
use evenhand_measure::platform::affinity;
use evenhand_report::doctor::{Checkup, Floor, Idle};
use evenhand_trial::Seed;
use serde::Serialize;
use std::ffi::OsString;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand doctor                          check the machine and measure noise for 2 seconds
  evenhand doctor --time 10s               detect smaller differences
  evenhand doctor -- ./program input       measure your own command instead of 8 ms of busy work

It changes nothing: what to change it says, with the command for it.")]
pub(crate) struct Arguments {
    /// Measure the noise floor for TIME
    #[arg(long, value_name = "TIME", default_value = "2s", allow_negative_numbers = true)]
    time: Seconds,
    /// Also show in full what needs no attention
    #[arg(long)]
    all: bool,
    /// Print facts, findings and what was measured as JSON
    #[arg(long)]
    json: bool,
    /// Measure COMMAND against itself, instead of busy work of about 8 ms
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What another program gets.
#[derive(Serialize)]
struct DoctorJson<'a> {
    facts: &'a Facts,
    findings: &'a [Finding],
    noise_floor: &'a NoiseFloor,
    load_floor: Option<LoadFloor>,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let time = time(arguments.time)?;
    let facts = Facts::of_this_machine();
    let findings = findings(&facts);
    if !arguments.json {
        let checkup = Checkup { findings: &findings, layout: stage.world.layout(), all: arguments.all };
        // Shown first, so that there is something to read while it measures.
        writeln!(stage.out, "{checkup}")?;
        stage.out.flush()?;
    }
    let own = !arguments.command.is_empty();
    // Before signals are taken: Ctrl-C ends it.
    let load_floor = (!own).then(|| load_floor::of_this_machine(time, chance())).flatten();
    let command = if arguments.command.is_empty() { busy_command()? } else { arguments.command.clone() };
    let processor = quietest(&affinity::allowed().unwrap_or_default());
    let interrupt = Interrupt::by_signals(|| {}).map_err(CliError::new)?;
    let noise_floor = floor::of_command(&command, processor, time, Seed(chance()), interrupt)
        .map_err(|none| CliError::new(format_args!("{}: {none}", command[0].to_string_lossy())))?;
    if arguments.json {
        let answer = DoctorJson { facts: &facts, findings: &findings, noise_floor: &noise_floor, load_floor };
        serde_json::to_writer(&mut *stage.out, &answer).map_err(std::io::Error::from)?;
        return Ok(writeln!(stage.out)?);
    }
    let layout = stage.world.layout();
    write!(stage.out, "{}", Floor { floor: &noise_floor, own, layout })?;
    if let Some(floor) = load_floor {
        write!(stage.out, "{}", Idle { floor, layout })?;
    }
    Ok(())
}

/// Longer than a day is a mistake, and shorter than a round is no measurement.
fn time(Seconds(time): Seconds) -> Result<Duration, CliError> {
    if (Duration::from_millis(100)..=Duration::from_secs(86400)).contains(&time) {
        return Ok(time);
    }
    let seconds = time.as_secs_f64();
    Err(CliError::new(format_args!("--time must be between 100ms and 24h, such as 2s, not {seconds} s")))
}

/// How long the command computes; starting and ending it takes the rest of 8 ms.
const BUSY: Duration = Duration::from_millis(7);

/// This program, doing nothing useful for about 8 ms.
fn busy_command() -> Result<Vec<OsString>, CliError> {
    let program = std::env::current_exe().map_err(|error| {
        CliError::new(format_args!(
            "cannot find this program's own file ({error}); name a command: evenhand doctor -- COMMAND"
        ))
    })?;
    let steps = work::steps_for(BUSY).to_string();
    Ok(vec![program.into(), "busy-work".into(), steps.into()])
}

/// What the doctor's own command does.
#[derive(Debug, Args)]
pub(crate) struct BusyWork {
    /// How many steps
    steps: u64,
}

pub(crate) fn busy_work(arguments: &BusyWork) -> Result<(), CliError> {
    std::hint::black_box(work::busy(arguments.steps));
    Ok(())
}
