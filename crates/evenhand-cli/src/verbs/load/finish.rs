//! How did a comparison of services end, and what is said of it? Whole rounds count, however it ended.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use crate::verbs::measured::{Closed, outcome};
use crate::{CliError, Stage, error};
use evenhand_analysis::{Analysis, Settings, Study};
use evenhand_measure::finish::{Finish, MeasureError};
use evenhand_report::message::Message;
use evenhand_stats::randomised::Word;
use evenhand_trial::{Plan, Trial};
use std::collections::BTreeSet;

/// What no measurement waits for, and nobody wants to overlook.
const BESIDE: [&str; 2] = ["errors", "stall"];

/// Where more errors or longer stalls of one service are proven, that is a result of the trial, too.
pub(super) fn judge_beside(trial: &mut Trial) {
    let metrics = BESIDE.map(str::to_owned).to_vec();
    let settings = Settings::of_plan(&Plan { metrics, ..trial.plan.clone() });
    let Some(analysis) = settings.ok().and_then(|settings| Study::of(trial).analyse(&settings).ok()) else {
        return;
    };
    let changes = |word: Word| word.is_final() && word != Word::Same;
    let changed = analysis.counted().filter(|comparison| changes(comparison.verdict));
    let names = changed.map(|comparison| &analysis.names.metric(comparison.pair.metric).name);
    let found: BTreeSet<String> = names.cloned().collect();
    trial.plan.metrics.extend(found);
}

/// Says what the trial shows, writes the exports, and answers the exit status.
pub(super) fn tell(
    arguments: &Arguments,
    ended: &Result<Finish, MeasureError>,
    closed: &Closed,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    tell_early_end(ended, closed, stage)?;
    let early = match ended {
        Ok(Finish::Complete) => None,
        Ok(Finish::Interrupted) => Some(error::INTERRUPTED),
        Ok(Finish::Failed(_)) | Err(MeasureError::NotRun(_)) => Some(error::COMMAND_FAILED),
        Err(MeasureError::NotRecorded(_)) => Some(error::WRONG),
    };
    if closed.trial.sample_count() == 0 {
        return Ok(early.unwrap_or(error::COMMAND_FAILED));
    }
    let compared = |analysis: &Analysis| analysis.comparisons.iter().any(|both| both.rounds() > 0);
    let Arguments { deciding, telling, .. } = arguments;
    let status = outcome::tell(deciding, telling, closed, &compared, None, stage)?;
    Ok(early.unwrap_or(status))
}

fn tell_early_end(
    ended: &Result<Finish, MeasureError>,
    closed: &Closed,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let message = match ended {
        Ok(Finish::Complete) => return Ok(()),
        Ok(Finish::Interrupted) if closed.trial.sample_count() == 0 => {
            Message::error("interrupted before the first round was complete")
        }
        Ok(Finish::Interrupted) => Message::warning("interrupted; all complete rounds count"),
        Ok(Finish::Failed(failed)) => {
            let name = closed.trial.arm(failed.arm).map_or("", |arm| arm.name.as_str());
            let message = Message::error(format_args!("{name} {}", failed.reason));
            message.hint("all complete rounds count; check the service")
        }
        Err(error) => Message::error(error),
    };
    Ok(stage.err.say(&message)?)
}
