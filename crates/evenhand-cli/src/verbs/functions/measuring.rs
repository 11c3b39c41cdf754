//! How are benchmarks measured and told? In launches, until the verdict on each stands.

use super::Lineup;
use crate::verbs::measured::deciding::UsualTime;
use crate::verbs::measured::outcome;
use crate::verbs::measured::{Closed, Deciding, Notebook, Onlooker, Telling, groups, head};
use crate::{CliError, Stage, error};
use evenhand_measure::command::Interrupt;
use evenhand_measure::finish::{Finish, MeasureError};
use evenhand_measure::launches::{Launching, measure};
use evenhand_measure::past::Past;
use evenhand_measure::plan::MeasurePlan;
use evenhand_measure::worker::{Crew, Manner, WorkerError};
use evenhand_report::message::Message;
use evenhand_trial::{Reason, State, Trial};
use std::time::{Duration, Instant};

/// For each benchmark.
const TIME: UsualTime = UsualTime { time: Duration::from_secs(15), longest: Duration::from_secs(15) };

/// The first rounds of a launch find cold caches, and are not recorded.
const WARMUP: u32 = 1;

/// What the command line wants.
pub(crate) struct FunctionsTask<'a> {
    pub deciding: &'a Deciding,
    pub telling: &'a Telling,
    pub manner: Manner,
    /// The settings that are stored with the trial.
    pub plan: evenhand_trial::Plan,
}

/// What came of it.
pub(crate) struct Measured {
    pub status: u8,
    /// The trial, if there is any sample in it.
    pub closed: Option<Closed>,
}

/// Measures, keeps the trial, and says what it shows.
pub(crate) fn measured(
    task: FunctionsTask<'_>,
    lineup: Lineup,
    interrupt: Interrupt,
    stage: &mut Stage<'_>,
) -> Result<Measured, CliError> {
    let Lineup { arms, members, faults, notes } = lineup;
    let FunctionsTask { deciding, telling, .. } = task;
    let launching = Launching { launches: task.plan.launches, rounds: task.plan.rounds_per_launch };
    tell_faults(&faults, stage)?;
    if arms.is_empty() {
        return Ok(Measured { status: error::COMMAND_FAILED, closed: None });
    }
    let mut crew = Crew::new(members, task.manner, interrupt);
    let trial = head(telling, deciding.seed, task.plan, crew.metrics().to_vec(), arms);
    let plan = plan(deciding, &trial)?;
    let journal = telling.journal(&trial, stage)?;
    let mut notebook = Notebook::new(trial, journal);
    let unit = if launching.launches == Some(1) { "round" } else { "launch" };
    let began = Instant::now();
    let ended = {
        let mut onlooker = Onlooker::new(notebook.trial(), &plan, telling, unit, stage);
        measure(&plan, launching, &mut crew, &mut notebook, &mut onlooker, &|| began.elapsed())
    };
    let state = if matches!(ended, Ok(Finish::Complete)) { State::Complete } else { State::Interrupted };
    let closed = notebook.close(state, |trial| {
        trial.seconds = Some(began.elapsed().as_secs_f64());
        trial.notes = notes.into_iter().chain(crew.notes()).collect();
    });
    tell_faults(crew.faults(), stage)?;
    let early = tell_early_end(&ended, &closed.trial, !faults.is_empty(), stage)?;
    if closed.trial.sample_count() == 0 {
        return Ok(Measured { status: early.unwrap_or(error::COMMAND_FAILED), closed: None });
    }
    let status = outcome::tell(deciding, telling, &closed, &|_| true, None, stage)?;
    Ok(Measured { status: early.unwrap_or(status), closed: Some(closed) })
}

fn plan(deciding: &Deciding, trial: &Trial) -> Result<MeasurePlan, CliError> {
    let groups = groups(trial);
    let stop = deciding.stop_rule(&trial.plan, &trial.metrics, groups.len(), TIME, &|_| None)?;
    let schedule = trial.schedule.ok_or_else(|| CliError::new("the order was not randomised"))?;
    Ok(MeasurePlan { schedule, groups, warmup: WARMUP, stop, ignore_failures: false, past: Past::default() })
}

/// The user had enough before anything was measured.
pub(crate) fn interrupted(stage: &mut Stage<'_>) -> Result<u8, CliError> {
    stage.err.say(&Message::error("interrupted before the first round was complete"))?;
    Ok(error::INTERRUPTED)
}

/// The status, if it is not that of the verdicts.
fn tell_early_end(
    ended: &Result<Finish, MeasureError>,
    trial: &Trial,
    faulty: bool,
    stage: &mut Stage<'_>,
) -> Result<Option<u8>, CliError> {
    match ended {
        Err(error) => {
            stage.err.say(&Message::error(error))?;
            Ok(Some(error::WRONG))
        }
        Ok(Finish::Interrupted) if trial.sample_count() == 0 => interrupted(stage).map(Some),
        Ok(Finish::Interrupted) => {
            stage.err.say(&Message::warning("interrupted; all complete rounds count"))?;
            Ok(Some(error::INTERRUPTED))
        }
        Ok(_) => {
            tell_other_results(trial, stage)?;
            Ok((faulty || !trial.failures.is_empty()).then_some(error::COMMAND_FAILED))
        }
    }
}

/// What is wrong with workers, each with its last words.
fn tell_faults(faults: &[WorkerError], stage: &mut Stage<'_>) -> Result<(), CliError> {
    for fault in faults {
        let text = fault.to_string();
        let mut lines = text.lines();
        stage.err.say(&Message::error(lines.next().unwrap_or_default()))?;
        stage.err.quote(lines)?;
    }
    Ok(())
}

/// Results that differ are no fault of a worker.
fn tell_other_results(trial: &Trial, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let differ = trial.failures.iter().filter(|failure| matches!(failure.reason, Reason::WrongResult { .. }));
    for failed in differ {
        let name = trial.arm(failed.arm).map_or("", |arm| arm.name.as_str());
        let hint = "--allow-other-results measures it anyway";
        stage.err.say(&Message::error(format_args!("{name} {}", failed.reason)).hint(hint))?;
    }
    Ok(())
}
