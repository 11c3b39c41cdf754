//! What would be done? Load, slices, requests and services, without a connection: for `--dry-run`.
//!
//! Tests: `tests/program/workload.rs`.

use super::rate::{LIMIT, RateArgument};
use super::workload::Workload;
use super::{Arguments, TIME, task};
use crate::{CliError, Stage, error};
use evenhand_analysis::words::{counted, duration, quantity, size};
use evenhand_load::{Operation, Service};
use evenhand_measure::service::{Rise, Shape, Traffic};
use evenhand_report::plain::plain;
use evenhand_trial::Unit;

/// Wide enough for every label.
const LABEL: usize = 10;

pub(super) fn print(
    arguments: &Arguments,
    workload: &Workload,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    task::refuse_what_makes_no_sense(arguments)?;
    let services = task::described(arguments, workload)?;
    let Some((_, first)) = services.first() else {
        return Err(CliError::new("there is no service to load"));
    };
    let mut line = |label: &str, what: &str| writeln!(stage.out, "{label:<LABEL$}  {}", plain(what));
    line("load", &load(arguments, first))?;
    if arguments.services() > 1 {
        line("slices", &slices(arguments)?)?;
    }
    let labels = |label: &'static str| [label].into_iter().chain(std::iter::repeat(""));
    for (label, request) in labels("requests").zip(requests(&first.operations)) {
        line(label, &request)?;
    }
    for (label, (service, _)) in labels("services").zip(&services) {
        line(label, service)?;
    }
    if let Some(revision) = &arguments.git {
        let both = revision.split_once("..").map(|(old, new)| format!("{old} and {new}"));
        line("revisions", &both.unwrap_or_else(|| format!("{revision} and the work tree")))?;
    }
    Ok(error::DONE)
}

fn load(arguments: &Arguments, service: &Service) -> String {
    let Arguments { rate, sweep, most, clients, .. } = arguments;
    let connections = counted(service.connections, "connection");
    let at_most = match service.streams {
        1 => connections,
        streams => format!("{connections} with {}", counted(streams, "stream")),
    };
    let one = |rate: &RateArgument| match rate {
        RateArgument::PerSecond(rate) => quantity(*rate, &Unit::new("requests/s")),
        RateArgument::OfCapacity(_) if arguments.services() == 1 => {
            format!("{rate} of what the service answers")
        }
        RateArgument::OfCapacity(_) => format!("{rate} of what the weaker service answers"),
    };
    match (most, clients, rate) {
        (Some(promise), ..) => format!("the highest rate that keeps {}, on {at_most}", promise.0.text),
        (_, Some(clients), _) => format!("{clients} clients, each with one request at a time"),
        (.., Some(rate)) => format!("{} at random intervals, on {at_most}", one(rate)),
        _ => {
            let rates: Vec<String> = sweep.iter().map(one).collect();
            format!("{}, in random order, on {at_most}", rates.join(", "))
        }
    }
}

fn slices(arguments: &Arguments) -> Result<String, CliError> {
    let traffic = match (arguments.rate, arguments.clients) {
        _ if arguments.most.is_some() => Traffic::Rising(Rise { from: 0.0, to: LIMIT }),
        (Some(RateArgument::PerSecond(rate)), _) => Traffic::Rate(rate),
        (_, Some(clients)) => Traffic::Clients(usize::from(clients)),
        _ => return Ok("as long as the rate needs".to_owned()),
    };
    let length = arguments.slice.map(|length| length.0);
    let shape = Shape::of(traffic, length).map_err(|few| task::too_few(&few))?;
    let time = arguments.deciding.max_time.map_or(TIME.time, |time| time.0);
    let judged = match traffic {
        Traffic::Rate(_) => format!("judged at P{}", shape.highest),
        Traffic::Clients(_) => "judged by throughput".to_owned(),
        Traffic::Rising(_) => "with a rate that rises until the condition breaks".to_owned(),
    };
    let seconds = |time: std::time::Duration| duration(time.as_secs_f64());
    Ok(format!("{} each, {judged}, for at most {}", seconds(shape.length), seconds(time)))
}

/// The first line of each request, and how often it comes.
fn requests(operations: &[Operation]) -> Vec<String> {
    let whole: f64 = operations.iter().map(|operation| operation.weight).sum();
    let one = |operation: &Operation| {
        let request = String::from_utf8_lossy(&operation.request);
        let shown = request.lines().next().unwrap_or_default().trim_end_matches(" HTTP/1.1");
        let shown = if shown.starts_with('*') { operation.name.clone() } else { shown.to_owned() };
        match operations {
            [_] => shown,
            _ => format!("{} {}: {shown}", size(operation.weight / whole), operation.name),
        }
    };
    operations.iter().map(one).collect()
}
