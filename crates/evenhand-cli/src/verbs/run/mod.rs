//! `evenhand run COMMAND COMMAND…`: is this command faster than that one? Measures in coin order until the verdict
//! stands, keeps the trial, and says what it shows.
//!
//! | file | question |
//! |---|---|
//! | `arguments.rs` | what was said on the command line? |
//! | `seconds.rs`, `fail_if.rs` | how are times and conditions typed? |
//! | `lineup.rs` | which commands are compared with which? |
//! | `settle.rs` | what do the options mean? |
//! | `preview.rs` | what would be done? |
//! | `notebook.rs` | where do the rounds go? |
//! | `onlooker.rs` | what is seen while it is measured? |
//! | `outcome.rs` | what is said at the end, and with which exit status? |
//!
//! Tests: `tests/program/run.rs`.

mod arguments;
mod fail_if;
mod lineup;
mod notebook;
mod onlooker;
mod outcome;
mod preview;
mod seconds;
mod settle;

pub(crate) use arguments::Arguments;

use crate::chance::chance;
use crate::{Failure, Stage};
use evenhand_archive::{Archive, Journal};
use evenhand_measure::command::{Commands, Interrupt};
use evenhand_measure::plan::Plan;
use evenhand_measure::rounds::{Ended, Ending, measure};
use evenhand_measure::{Question, probe};
use evenhand_report::plain::plain;
use evenhand_trial::{Origin, Schedule, Seed, State, Trial, TrialId};
use jiff::Timestamp;
use lineup::{Lineup, lineup};
use notebook::{Closed, Notebook};
use onlooker::Onlooker;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, Failure> {
    outcome::refuse_impossible_outputs(arguments)?;
    let lineup = lineup(arguments)?;
    let trial = head(arguments, &lineup);
    let plan = plan(arguments, &trial)?;
    let setting = settle::setting(arguments)?;
    if arguments.dry_run {
        return preview::print(&trial, &plan, stage);
    }
    let interrupt = Interrupt::by_signals(|| {}).map_err(Failure::new)?;
    let mut commands = Commands::new(lineup.programs, setting, interrupt)
        .map_err(|trouble| Failure::new(lineup::with_hint(trouble.0, arguments)))?;
    let journal = journal(arguments, &trial, stage)?;
    let mut notebook = Notebook::new(trial, journal);
    let began = Instant::now();
    let ended = {
        let mut onlooker = Onlooker::new(notebook.trial(), &plan, arguments, stage);
        measure(&plan, &mut commands, &mut notebook, &mut onlooker, &|| began.elapsed())
    };
    let closed = notebook.close(state(&ended), |trial| {
        trial.seconds = Some(began.elapsed().as_secs_f64());
        trial.notes = commands.notes(settle::judges_memory(arguments));
    });
    outcome::tell(arguments, &ended, &closed, &commands, stage)
}

/// The trial without its samples.
fn head(arguments: &Arguments, lineup: &Lineup) -> Trial {
    let origin = Origin::Measured { version: env!("CARGO_PKG_VERSION").to_owned() };
    let command_line: Vec<_> = std::env::args_os().collect();
    Trial {
        label: arguments.label.clone(),
        started: Some(Timestamp::now()),
        schedule: Some(Schedule::new(arguments.seed.unwrap_or_else(|| Seed(chance())))),
        plan: settle::written(arguments),
        environment: probe(&Question { arguments: &command_line, ..Question::default() }),
        metrics: Commands::metrics(),
        arms: lineup.arms.clone(),
        ..Trial::new(TrialId::from_number(chance()), origin)
    }
}

fn plan(arguments: &Arguments, trial: &Trial) -> Result<Plan, Failure> {
    let stop = settle::stop_rule(arguments, &trial.metrics)?;
    let schedule = trial.schedule.ok_or_else(|| Failure::new("there is no coin"))?;
    let ignore_failures = arguments.ignore_failure;
    Ok(Plan { schedule, groups: lineup::groups(trial), warmup: arguments.warmup, stop, ignore_failures })
}

/// The journal of the trial. An archive that cannot be written does not stop the measuring: it is said.
fn journal(arguments: &Arguments, trial: &Trial, stage: &mut Stage<'_>) -> Result<Option<Journal>, Failure> {
    if arguments.no_save {
        return Ok(None);
    }
    let begun = stage.archive_to_write().and_then(|archive| begin(arguments, &archive, trial));
    match begun {
        Ok(journal) => Ok(Some(journal)),
        Err(Failure::Archive(error)) => {
            writeln!(stage.err, "evenhand: this trial is not kept: {}", plain(&error.to_string()))?;
            writeln!(stage.err, "          (--no-save measures without keeping, and without this message)")?;
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

fn begin(arguments: &Arguments, archive: &Archive, trial: &Trial) -> Result<Journal, Failure> {
    if let Some(label) = &arguments.label {
        crate::trials::check_label(archive, label, None)?;
    }
    Ok(archive.begin(trial)?)
}

fn state(ended: &Result<Ending, Ended>) -> State {
    match ended {
        Ok(Ending::Complete) => State::Complete,
        _ => State::Interrupted,
    }
}
