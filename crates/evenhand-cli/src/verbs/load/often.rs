//! How often is each service started? For each of its slices, so that the verdict is not about one start; once, if that was asked for
//! or would leave time for too few rounds.
//!
//! Tests: `tests/program/load.rs`.

use super::{Arguments, TIME};
use crate::{CliError, Stage};
use evenhand_analysis::words::duration;
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::{ServiceError, Shape, Started, Starts, Target};
use evenhand_report::message::Message;
use std::time::{Duration, Instant};

/// With fewer rounds there is hardly a verdict.
const FEWEST_ROUNDS: f64 = 12.0;
/// A service that has just started is loaded at least this long before a slice.
const LEAD_IN: Duration = Duration::from_secs(1);

/// Tries each start, and settles how often there will be one and how slices then begin.
pub(super) fn settled(
    arguments: &Arguments,
    targets: &[Target],
    shape: Shape,
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<(Starts, Shape), CliError> {
    let with_lead_in = |usual| Shape { lead_in: arguments.lead_in.map_or(usual, |time| time.0), ..shape };
    if arguments.start.is_empty() {
        return Ok((Starts::Never, with_lead_in(shape.lead_in)));
    }
    if arguments.start_once {
        return Ok((Starts::Once, with_lead_in(shape.lead_in)));
    }
    let anew = with_lead_in(shape.lead_in.max(LEAD_IN));
    let mut round = Duration::ZERO;
    for target in targets {
        round += tried(target, interrupt)? + anew.whole();
    }
    let time = arguments.deciding.max_time.map_or(TIME.time, |time| time.0);
    let rounds = arguments.rounds.map_or(FEWEST_ROUNDS, |rounds| FEWEST_ROUNDS.min(rounds as f64));
    if round.mul_f64(rounds) <= time {
        return Ok((Starts::EverySlice, anew));
    }
    let needed = duration(round.mul_f64(FEWEST_ROUNDS).as_secs_f64());
    let note = "each service is started once: there is no time to start it for each slice";
    stage.err.say(
        &Message::note(note).hint(format_args!("{FEWEST_ROUNDS} rounds would take {needed}: see --max-time")),
    )?;
    Ok((Starts::Once, with_lead_in(shape.lead_in)))
}

/// How long it takes to start a service and to end it.
fn tried(target: &Target, interrupt: &Interrupt) -> Result<Duration, CliError> {
    let Some(recipe) = &target.recipe else { return Ok(Duration::ZERO) };
    let began = Instant::now();
    let started = Started::of(recipe, &target.service, interrupt);
    drop(started.map_err(|down| not_started(&target.name, down, interrupt))?);
    Ok(began.elapsed())
}

/// A service that does not come to answer, and what it said last.
pub(super) fn not_started(name: &str, down: ServiceError, interrupt: &Interrupt) -> CliError {
    if interrupt.is_requested() {
        return CliError::Interrupted(format!("interrupted before {name} answered"));
    }
    let message = Message::error(format_args!("{name} {}", down.why));
    CliError::Quoted(message, down.last_words.unwrap_or_default())
}

/// How the record calls it.
pub(super) fn in_words(starts: Starts) -> Option<&'static str> {
    match starts {
        Starts::Never => None,
        Starts::Once => Some("once"),
        Starts::EverySlice => Some("for each slice"),
    }
}
