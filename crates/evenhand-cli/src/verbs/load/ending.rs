//! How did a comparison of services end, and what is said of it? Whole rounds count, however it ended.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use crate::verbs::measured::{Closed, outcome};
use crate::{Failure, Stage, failure};
use evenhand_analysis::Analysis;
use evenhand_measure::ending::{Ending, MeasureError};
use evenhand_report::message::Message;

/// Says what the trial shows, writes the exports, and answers the exit status.
pub(super) fn tell(
    arguments: &Arguments,
    ended: &Result<Ending, MeasureError>,
    closed: &Closed,
    stage: &mut Stage<'_>,
) -> Result<u8, Failure> {
    tell_early_end(ended, closed, stage)?;
    let early = match ended {
        Ok(Ending::Complete) => None,
        Ok(Ending::Interrupted) => Some(failure::INTERRUPTED),
        Ok(Ending::Failed(_)) | Err(MeasureError::Trouble(_)) => Some(failure::COMMAND_FAILED),
        Err(MeasureError::NotRecorded(_)) => Some(failure::WRONG),
    };
    if closed.trial.sample_count() == 0 {
        return Ok(early.unwrap_or(failure::COMMAND_FAILED));
    }
    let compared = |analysis: &Analysis| analysis.comparisons.iter().any(|both| both.rounds() > 0);
    let Arguments { deciding, telling, .. } = arguments;
    let status = outcome::tell(deciding, telling, closed, &compared, None, stage)?;
    Ok(early.unwrap_or(status))
}

fn tell_early_end(
    ended: &Result<Ending, MeasureError>,
    closed: &Closed,
    stage: &mut Stage<'_>,
) -> Result<(), Failure> {
    let message = match ended {
        Ok(Ending::Complete) => return Ok(()),
        Ok(Ending::Interrupted) if closed.trial.sample_count() == 0 => {
            Message::error("interrupted before the first round was complete")
        }
        Ok(Ending::Interrupted) => Message::warning("interrupted; all complete rounds count"),
        Ok(Ending::Failed(failed)) => {
            let name = closed.trial.arm(failed.arm).map_or("", |arm| arm.name.as_str());
            let told = Message::error(format_args!("{name} {}", failed.reason));
            told.hint("all complete rounds count; check the service")
        }
        Err(error) => Message::error(error),
    };
    Ok(stage.err.say(&message)?)
}
