//! `evenhand run COMMAND COMMAND…`: is this command faster than that one? Measures in coin order until the verdict
//! stands, keeps the trial, and says what it shows.
//!
//! | file | question |
//! |---|---|
//! | `arguments.rs` | what was said on the command line? |
//! | `lineup.rs` | which commands are compared with which? |
//! | `settle.rs` | what do the options mean? |
//! | `preview.rs` | what would be done? |
//! | `resume.rs` | with which trial does it go on? |
//! | `ending.rs` | how did it end, and what is said of it? |
//!
//! What it has in common with other measurements is in [`measured`](super::measured).
//!
//! Tests: `tests/program/run.rs`, `tests/program/slow.rs`, `tests/program/resume.rs`.

mod arguments;
mod ending;
mod lineup;
mod preview;
mod resume;
pub(crate) mod settle;

pub(crate) use arguments::Arguments;

use super::measured::{Notebook, Onlooker, groups, head};
use crate::{CliError, Stage};
use evenhand_measure::command::{Commands, Interrupt};
use evenhand_measure::finish::{Finish, MeasureError};
use evenhand_measure::past::Past;
use evenhand_measure::plan::MeasurePlan;
use evenhand_measure::rounds::measure;
use evenhand_trial::{Plan, State, Trial};
use jiff::Timestamp;
use lineup::lineup;
pub(crate) use settle::pin;
use std::path::Path;
use std::time::Instant;

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    let earlier = arguments.goes_on.as_ref();
    let earlier = earlier.map(|word| resume::earlier(word, arguments, stage)).transpose()?;
    let repeated = earlier.as_ref().map(|earlier| earlier.arguments.clone());
    let arguments = repeated.as_ref().unwrap_or(arguments);
    if let Some(style) = arguments.style {
        stage.world.terminal = style.of(stage.world.terminal);
        stage.err.set_colour(stage.world.terminal.err.colour);
    }
    refuse_impossible_outputs(arguments)?;
    let lineup = lineup(arguments)?;
    let setting = settle::setting(arguments, stage.world.events)?;
    let interrupt = Interrupt::by_signals(|| {}).map_err(CliError::new)?;
    let mut commands = Commands::new(lineup.programs, setting, interrupt)
        .map_err(|trouble| CliError::new(lineup::with_hint(trouble.0, arguments)))?;
    let wanted = settle::plan(arguments);
    let (trial, archive) = match earlier {
        Some(earlier) => earlier.checked(&lineup.arms, &commands.metrics(), &wanted)?,
        None => {
            let Arguments { telling, deciding, .. } = arguments;
            (head(telling, deciding.seed, wanted.clone(), commands.metrics(), lineup.arms), None)
        }
    };
    let plan = plan(arguments, &wanted, &trial, commands.uncounted())?;
    if arguments.dry_run {
        return preview::print(&trial, &plan, stage);
    }
    let seconds = trial.seconds.unwrap_or(0.0);
    let journal = match archive {
        Some(archive) => {
            commands.go_on_after(since_it_began(&trial));
            Some(archive.resume(&trial.id)?)
        }
        None => arguments.telling.journal(&trial, stage)?,
    };
    let mut notebook = Notebook::new(trial, journal);
    let began = Instant::now();
    let ended = {
        let mut onlooker = Onlooker::new(notebook.trial(), &plan, &arguments.telling, "round", stage);
        measure(&plan, &mut commands, &mut notebook, &mut onlooker, &|| began.elapsed())
    };
    let closed = notebook.close(state(&ended), |trial| {
        trial.seconds = Some(seconds + began.elapsed().as_secs_f64());
        commands.notes(settle::judges_memory(arguments)).into_iter().for_each(|note| trial.note(note));
    });
    ending::tell(arguments, &ended, &closed, &commands, stage)
}

/// Nanoseconds from the beginning of a trial that goes on to now. A wall clock that was set back does not mix the sessions.
fn since_it_began(trial: &Trial) -> u64 {
    let began = trial.started.map_or(0, |began| Timestamp::now().duration_since(began).as_nanos());
    let starts = trial.series.iter().filter_map(|series| series.started.as_ref()?.get(series.len() - 1));
    u64::try_from(began).unwrap_or(0).max(starts.max().unwrap_or(0))
}

/// Before anything is measured: what cannot come out would be found out too late.
fn refuse_impossible_outputs(arguments: &Arguments) -> Result<(), CliError> {
    if arguments.telling.json && arguments.output.as_deref() == Some(Path::new("inherit")) {
        return Err(CliError::new(
            "--output inherit would mix the commands' output with the JSON: give a file, or omit --json",
        ));
    }
    arguments.telling.refuse_impossible_files()?;
    arguments.output.iter().try_for_each(|file| crate::verbs::export::folder_is_there(file))
}

fn plan(
    arguments: &Arguments,
    wanted: &Plan,
    trial: &Trial,
    uncounted: Option<&str>,
) -> Result<MeasurePlan, CliError> {
    let groups = groups(trial);
    let stop = settle::stop_rule(arguments, wanted, &trial.metrics, groups.len(), uncounted)?;
    let schedule = trial.schedule.ok_or_else(|| CliError::new("the order was not randomised"))?;
    let ignore_failures = arguments.ignore_failure;
    let (warmup, past) = (arguments.warmup, Past::of(trial));
    Ok(MeasurePlan { schedule, groups, warmup, stop, ignore_failures, past })
}

fn state(ended: &Result<Finish, MeasureError>) -> State {
    match ended {
        Ok(Finish::Complete) => State::Complete,
        _ => State::Interrupted,
    }
}
