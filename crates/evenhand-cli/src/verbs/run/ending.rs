//! How did the measuring of commands end, and what is said of it?
//!
//! Tests: `tests/program/run.rs`.

use super::Arguments;
use crate::verbs::measured::Closed;
use crate::verbs::measured::outcome;
use crate::{CliError, Stage, error};
use evenhand_analysis::Analysis;
use evenhand_analysis::words::counted;
use evenhand_measure::command::Commands;
use evenhand_measure::finish::{Finish, MeasureError};
use evenhand_report::message::Message;
use evenhand_trial::{ArmId, Trial};

/// Says what the trial shows, writes the exports, and answers the exit status.
pub(crate) fn tell(
    arguments: &Arguments,
    ended: &Result<Finish, MeasureError>,
    closed: &Closed,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let trial = &closed.trial;
    tell_early_end(ended, closed, commands, stage)?;
    tell_who_never_succeeded(ended, trial, commands, stage)?;
    let early = status_of_end(ended, trial);
    if trial.sample_count() == 0 {
        return Ok(early.unwrap_or(error::COMMAND_FAILED));
    }
    let worth_showing = |analysis: &Analysis| worth_showing(ended, analysis);
    let name = arguments.goes_on.as_ref().map_or("@last".into(), |name| name.to_string_lossy());
    let Arguments { deciding, telling, .. } = arguments;
    let status = outcome::tell(deciding, telling, closed, &worth_showing, Some(&name), stage)?;
    Ok(early.unwrap_or(status))
}

/// After a failure there is a verdict only if both arms have run before.
fn worth_showing(ended: &Result<Finish, MeasureError>, analysis: &Analysis) -> bool {
    let compared = analysis.comparisons.iter().any(|comparison| comparison.rounds() > 0);
    matches!(ended, Ok(Finish::Complete)) || compared || analysis.levels.iter().any(|level| level.samples > 1)
}

fn tell_early_end(
    ended: &Result<Finish, MeasureError>,
    closed: &Closed,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let err = &mut stage.err;
    match ended {
        Ok(Finish::Complete) => {}
        Ok(Finish::Interrupted) if closed.trial.sample_count() == 0 => {
            err.say(&Message::error("interrupted before the first round was complete"))?;
        }
        Ok(Finish::Interrupted) => err.say(&Message::warning("interrupted; all complete rounds count"))?,
        Ok(Finish::Failed(failed)) => {
            let name = closed.trial.arm(failed.arm).map_or("", |arm| arm.name.as_str());
            err.say(&Message::error(format_args!("{name} {}", failed.reason)))?;
            err.quote(commands.last_words(failed.arm).iter().flat_map(|words| words.lines()))?;
            err.say(&Message::next_step("--ignore-failure continues and excludes failed runs"))?;
        }
        Err(error) => {
            let text = error.to_string();
            let mut lines = text.lines();
            err.say(&Message::error(lines.next().unwrap_or_default()))?;
            err.quote(lines)?;
        }
    }
    Ok(())
}

/// With `--ignore-failure` a measurement can come to its end without a single sample of a command.
fn tell_who_never_succeeded(
    ended: &Result<Finish, MeasureError>,
    trial: &Trial,
    commands: &Commands,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let complete = matches!(ended, Ok(Finish::Complete));
    for arm in never_succeeded(trial).filter(|_| complete) {
        let mut failed = trial.failures.iter().filter(|failure| failure.arm == arm);
        let Some(first) = failed.next() else { continue };
        let name = trial.arm(arm).map_or("", |arm| arm.name.as_str());
        let runs = counted(1 + failed.count(), "run");
        let text = format_args!("`{name}` never succeeded in {runs}: it {}", first.reason);
        stage.err.say(&Message::error(text))?;
        stage.err.quote(commands.last_words(arm).iter().flat_map(|words| words.lines()))?;
    }
    Ok(())
}

/// The status of a measurement that did not come to its end, or in which a command never succeeded.
fn status_of_end(ended: &Result<Finish, MeasureError>, trial: &Trial) -> Option<u8> {
    match ended {
        Ok(Finish::Interrupted) => Some(error::INTERRUPTED),
        Ok(Finish::Failed(_)) => Some(error::COMMAND_FAILED),
        Err(MeasureError::NotRun(_)) => Some(error::COMMAND_FAILED),
        Err(MeasureError::NotRecorded(_)) => Some(error::WRONG),
        Ok(Finish::Complete) => never_succeeded(trial).next().map(|_| error::COMMAND_FAILED),
    }
}

/// The arms without a sample.
fn never_succeeded(trial: &Trial) -> impl Iterator<Item = ArmId> {
    let measured = |arm: &ArmId| trial.series.iter().any(|series| series.arm == *arm && !series.is_empty());
    (0..trial.arms.len() as u32).map(ArmId).filter(move |arm| !measured(arm))
}
