//! How much can the services answer? Each is loaded by clients who wait for their answers, and the weakest counts: for `--rate 70%`.
//!
//! Tests: `tests/program/workload.rs`.

use super::rate::LIMIT;
use super::{Arguments, often};
use crate::chance::chance;
use crate::{CliError, Stage};
use evenhand_analysis::words::{counted, quantity, service};
use evenhand_load::{Fact, Load, Service, run_until};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::{Rise, Started, Target};
use evenhand_report::message::Message;
use evenhand_trial::Unit;
use std::time::Duration;

/// A service is loaded for this long, and before that uncounted.
const TIME: Duration = Duration::from_secs(2);
const LEAD_IN: Duration = Duration::from_millis(500);

/// A rate rises from this part of what the weakest can answer to this multiple of what the strongest can.
const RISE: [f64; 2] = [0.05, 2.0];

/// The rates through which two services are compared by the most that they can do.
pub(super) fn rise(
    arguments: &Arguments,
    targets: &[Target],
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<Rise, CliError> {
    let (weakest, strongest) = of_all(arguments, targets, interrupt, stage)?;
    Ok(Rise { from: RISE[0] * weakest, to: (RISE[1] * strongest).min(LIMIT) })
}

/// Answers a second of the weakest and the strongest.
pub(super) fn of_all(
    arguments: &Arguments,
    targets: &[Target],
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<(f64, f64), CliError> {
    let (mut weakest, mut strongest): (Option<(f64, &Target)>, f64) = (None, 0.0);
    for target in targets {
        let answers = of(target, interrupt, stage)?;
        strongest = strongest.max(answers);
        if weakest.is_none_or(|(fewest, _)| answers < fewest) {
            weakest = Some((answers, target));
        }
    }
    let (answers, target) = weakest.ok_or_else(|| CliError::new("there is no service to load"))?;
    if !arguments.telling.quiet {
        let clients = counted(target.service.connections, "client");
        let rate = quantity(answers, &Unit::new("requests/s"));
        stage.err.say(&Message::note(format_args!("{} answers {rate} with {clients}", target.name)))?;
    }
    Ok((answers, strongest))
}

fn of(target: &Target, interrupt: &Interrupt, stage: &mut Stage<'_>) -> Result<f64, CliError> {
    let Target { name, service, recipe } = target;
    let started = recipe.as_ref().map(|recipe| Started::of(recipe, service, interrupt)).transpose();
    let started = started.map_err(|down| often::not_started(name, down, interrupt))?;
    let service = started.as_ref().map_or(service, Started::service);
    let service = Service { lead_in: LEAD_IN, ..service.clone() };
    let load = Load::Closed { clients: service.connections, length: LEAD_IN + TIME, seed: chance() };
    let slice =
        run_until(&service, load, &mut |_| {}, &|| interrupt.is_requested()).map_err(CliError::new)?;
    if interrupt.is_requested() {
        return Err(CliError::Interrupted(format!("interrupted before the capacity of {name} was known")));
    }
    if slice.all().answered == 0 {
        let planned = counted(slice.all().planned as usize, "request");
        return Err(CliError::new(format_args!("{name} answered none of {planned}")));
    }
    for fact in slice.facts() {
        if let Fact::GeneratorBusy { share } = fact {
            stage.err.say(&Message::warning(service::generator_busy(share)))?;
        }
    }
    Ok(slice.served())
}
