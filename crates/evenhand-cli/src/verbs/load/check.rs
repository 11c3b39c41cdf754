//! Does each service give the right answer to each request? Each is sent once, and what became of it is a row: for `--check`.
//!
//! Tests: `tests/program/workload.rs`.

use super::task::LoadTask;
use super::{Arguments, often};
use crate::chance::chance;
use crate::{CliError, Stage, error};
use evenhand_analysis::words::quantity_in;
use evenhand_load::{Load, Operation, Outcome, Request, Service, run_until};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::{Started, Target};
use evenhand_report::plain::plain;
use evenhand_report::table::Table;
use evenhand_trial::Unit;
use std::time::Duration;

pub(super) fn run(
    arguments: &Arguments,
    task: &LoadTask,
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let layout = arguments.telling.of_tables(stage.world.layout());
    let mut table = Table::new(&["service", "request", "answer", "time"], layout);
    let mut all_right = true;
    for Target { name, service, recipe } in &task.targets {
        let started = recipe.as_ref().map(|recipe| Started::of(recipe, service, interrupt)).transpose();
        let started = started.map_err(|down| often::not_started(name, down, interrupt))?;
        let service = started.as_ref().map_or(service, Started::service);
        for operation in &service.operations {
            let answer = answer(service, operation, interrupt)?;
            let is_right = answer.is_some_and(|request| request.outcome == Outcome::Answered);
            all_right &= is_right;
            let what = match answer.map(|request| request.outcome) {
                Some(Outcome::Answered) => "right".to_owned(),
                Some(Outcome::Failed(failure)) => failure.to_string(),
                None => "none".to_owned(),
            };
            let time = answer
                .filter(|_| is_right)
                .and_then(|request| request.service())
                .map(|time| quantity_in(layout.time_unit, time as f64, &Unit::nanoseconds()));
            table.row(vec![
                plain(name).into_owned(),
                plain(&operation.name).into_owned(),
                what,
                time.unwrap_or_default(),
            ]);
        }
    }
    write!(stage.out, "{table}")?;
    Ok(if all_right { error::DONE } else { error::COMMAND_FAILED })
}

/// What becomes of one request.
fn answer(
    service: &Service,
    operation: &Operation,
    interrupt: &Interrupt,
) -> Result<Option<Request>, CliError> {
    let service = Service { operations: vec![operation.clone()], lead_in: Duration::ZERO, ..service.clone() };
    let load = Load::Closed { clients: 1, length: Duration::from_nanos(1), seed: chance() };
    let mut ended = None;
    let sent = run_until(&service, load, &mut |request| ended = Some(*request), &|| interrupt.is_requested());
    sent.map_err(CliError::new)?;
    if interrupt.is_requested() {
        return Err(CliError::Interrupted("interrupted before all requests were answered".to_owned()));
    }
    Ok(ended)
}
