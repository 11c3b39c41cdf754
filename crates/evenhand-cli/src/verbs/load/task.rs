//! Which services are loaded, how, and may they be? Everything that can be refused is refused before the first request of a slice: the
//! host of somebody else, a service that does not answer, a path that it does not have.
//!
//! Tests: `tests/program/load.rs`.

use super::address::{Url, is_here};
use super::rate::{LIMIT, RateArgument};
use super::starting::recipes;
use super::workload::Workload;
use super::{Arguments, capacity, request, secure};
use crate::{CliError, Stage};
use evenhand_analysis::words::counted;
use evenhand_load::{Protocol, RequestFailure, Service};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::shape::TooFew;
use evenhand_measure::service::starting::{PORT, first_answer};
use evenhand_measure::service::{Target, Traffic};
use std::net::SocketAddr;

/// A load generator is a weapon: more than this, a second, goes to others only if that is asked for as well.
const REMOTE_LIMIT: f64 = 10_000.0;

/// What is to be done.
pub(super) struct LoadTask {
    pub targets: Vec<Target>,
    /// With several rates, the highest.
    pub traffic: Traffic,
    /// Those of a sweep.
    pub rates: Vec<f64>,
}

impl LoadTask {
    pub(super) fn of(
        arguments: &Arguments,
        workload: &Workload,
        interrupt: &Interrupt,
        stage: &mut Stage<'_>,
    ) -> Result<Self, CliError> {
        refuse_what_makes_no_sense(arguments)?;
        let mut targets = if arguments.start.is_empty() {
            running(arguments, workload, interrupt)?
        } else {
            to_start(arguments, workload, stage)?
        };
        for (target, name) in targets.iter_mut().zip(&arguments.name) {
            target.name.clone_from(name);
        }
        tell_apart(&mut targets);
        let (rates, traffic) = traffic(arguments, &targets, interrupt, stage)?;
        Ok(Self { targets, traffic, rates })
    }
}

/// Services that run already.
fn running(
    arguments: &Arguments,
    workload: &Workload,
    interrupt: &Interrupt,
) -> Result<Vec<Target>, CliError> {
    let target = |text: &String| {
        let url = Url::of(text)?;
        let service = service(arguments, workload, text, &url)?;
        let address = url.address(service.timeout)?;
        refuse_strangers(arguments, &url, address)?;
        let service = Service { address, ..service };
        if !arguments.check {
            try_once(text, &url, &service, interrupt)?;
        }
        Ok(Target { name: text.clone(), service, recipe: None })
    };
    arguments.urls.iter().map(target).collect()
}

/// Services that we start. All are asked for the same, byte for byte.
fn to_start(
    arguments: &Arguments,
    workload: &Workload,
    stage: &mut Stage<'_>,
) -> Result<Vec<Target>, CliError> {
    let (text, url) = url_of_started(arguments)?;
    let service = service(arguments, workload, &text, &url)?;
    let address = url.resolved()?.find(|address| is_here(address.ip()));
    let Some(address) = address else {
        let hint = "evenhand starts services on this machine: write 127.0.0.1 or localhost";
        return Err(CliError::with_hint(format_args!("{} is not this machine", url.host), hint));
    };
    let target = |(name, recipe)| Target {
        name,
        service: Service { address, ..service.clone() },
        recipe: Some(recipe),
    };
    Ok(recipes(arguments, &workload.services, stage)?.into_iter().map(target).collect())
}

/// The URL of services that we start, as it was typed and with some port.
fn url_of_started(arguments: &Arguments) -> Result<(String, Url), CliError> {
    let usual = format!("http://127.0.0.1:{PORT}/");
    let text = match arguments.urls.as_slice() {
        [] => &usual,
        [text] if text.contains(PORT) => text,
        [text] => {
            let hint = format!("write {usual}: each service gets a port of its own");
            return Err(CliError::with_hint(format_args!("there is no {PORT} in {text}"), hint));
        }
        [_, second, ..] => {
            return Err(CliError::with_hint(
                format_args!("unexpected second URL {second}"),
                "with --start, one URL is for all services",
            ));
        }
    };
    let url = Url::of(&text.replace(PORT, "1"))?;
    Ok((text.clone(), Url { authority: url.host.clone(), ..url }))
}

/// Each service by its name, with what would be asked of it. Nobody is connected to.
pub(super) fn described(
    arguments: &Arguments,
    workload: &Workload,
) -> Result<Vec<(String, Service)>, CliError> {
    let mut services = if arguments.start.is_empty() {
        let described =
            |text: &String| Ok((text.clone(), service(arguments, workload, text, &Url::of(text)?)?));
        arguments.urls.iter().map(described).collect::<Result<Vec<_>, CliError>>()?
    } else {
        let (text, url) = url_of_started(arguments)?;
        let service = service(arguments, workload, &text, &url)?;
        let commands = arguments.start.iter().map(|command| command.to_string_lossy().into_owned());
        commands.map(|command| (command, service.clone())).collect()
    };
    for ((name, _), given) in services.iter_mut().zip(&arguments.name) {
        *name = format!("{given}: {name}");
    }
    Ok(services)
}

/// The rates of a sweep, and the load; of several rates the highest.
fn traffic(
    arguments: &Arguments,
    targets: &[Target],
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<(Vec<f64>, Traffic), CliError> {
    let Arguments { rate, sweep, most, clients, .. } = arguments;
    if arguments.check {
        return Ok((Vec::new(), Traffic::Clients(1)));
    }
    if let Some(clients) = clients {
        return Ok((Vec::new(), Traffic::Clients(usize::from(*clients))));
    }
    if most.is_some() && targets.len() > 1 {
        return Ok((Vec::new(), Traffic::Rising(capacity::rise(arguments, targets, interrupt, stage)?)));
    }
    let mut of_capacity = sweep.iter().chain(rate).filter(|rate| matches!(rate, RateArgument::OfCapacity(_)));
    let capacity = match of_capacity.next() {
        None => 0.0,
        Some(_) => capacity::of_all(arguments, targets, interrupt, stage)?.0,
    };
    let rates: Vec<f64> = sweep.iter().map(|rate| rate.per_second(capacity)).collect();
    let rate = rate.map(|rate| rate.per_second(capacity));
    let highest = rates.iter().copied().chain(rate).chain(most.as_ref().map(|_| LIMIT)).reduce(f64::max);
    Ok((rates, Traffic::Rate(highest.unwrap_or(LIMIT))))
}

/// What can be known before any service is asked.
pub(super) fn refuse_what_makes_no_sense(arguments: &Arguments) -> Result<(), CliError> {
    refuse_no_load(arguments)?;
    refuse_what_has_no_effect(arguments)?;
    refuse_names_too_many(arguments)
}

fn refuse_no_load(arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { rate, sweep, most, clients, .. } = arguments;
    if rate.is_some() || !sweep.is_empty() || most.is_some() || clients.is_some() || arguments.check {
        return Ok(());
    }
    Err(CliError::with_hint(
        "no load is given",
        "--rate 1000 sends 1000 requests per second, --clients 8 keeps 8 clients waiting for their answers",
    ))
}

fn refuse_names_too_many(arguments: &Arguments) -> Result<(), CliError> {
    let (names, services) = (arguments.name.len(), arguments.services());
    if names <= services {
        return Ok(());
    }
    Err(CliError::new(format_args!("--name is given {names} times for {}", counted(services, "service"))))
}

/// A single service has no verdict, and is not stored.
fn refuse_what_has_no_effect(arguments: &Arguments) -> Result<(), CliError> {
    if arguments.services() > 1 {
        let Arguments { time, sweep, .. } = arguments;
        let of_one = [("--time", time.is_some()), ("--sweep", !sweep.is_empty())];
        return match of_one.into_iter().find(|(_, is_given)| *is_given) {
            None => Ok(()),
            Some((option, _)) => Err(CliError::with_hint(
                format_args!("{option} is for a single service"),
                "--max-time limits a comparison, --slice sets the length of its slices",
            )),
        };
    }
    let Arguments { deciding, telling, .. } = arguments;
    let of_comparisons = [
        ("--slice", arguments.slice.is_some()),
        ("--lead-in", arguments.lead_in.is_some()),
        ("--start-once", arguments.start_once),
        ("--rounds", arguments.rounds.is_some()),
        ("--control", arguments.control),
        ("--max-time", deciding.max_time.is_some()),
        ("--metric", !deciding.metric.is_empty()),
        ("--fail-if", deciding.fail_if.is_some()),
        ("--require-verdict", deciding.require_verdict),
        ("--label", telling.label.is_some()),
        ("--plot", telling.plot),
        ("--percentiles", telling.percentiles.is_some()),
        ("an --export option", telling.files().next().is_some()),
    ];
    match of_comparisons.into_iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(CliError::with_hint(
            format_args!("{option} is for comparisons, and there is one service"),
            "give a second URL or --start; --time sets how long a single service is loaded",
        )),
    }
}

/// What is asked of a service, wherever it is.
fn service(arguments: &Arguments, workload: &Workload, text: &str, url: &Url) -> Result<Service, CliError> {
    let operations = request::operations(arguments, &workload.operations, text, url)?;
    let protocol = if arguments.http2 { Protocol::Http2 } else { url.protocol };
    let usual = Service::new(SocketAddr::from(([0, 0, 0, 0], 0)), protocol);
    let timeout = arguments.timeout.map_or(usual.timeout, |time| time.0);
    let connections = arguments.connections.map_or(usual.connections, usize::from);
    let streams = arguments.streams.map_or(usual.streams, usize::from);
    let tls = secure::tls(arguments, text, url, protocol)?;
    Ok(Service { operations, connections, streams, timeout, drain: timeout, tls, ..usual })
}

/// Only this machine is loaded without being asked for by name.
fn refuse_strangers(arguments: &Arguments, url: &Url, address: SocketAddr) -> Result<(), CliError> {
    if is_here(address.ip()) {
        return Ok(());
    }
    let host = &url.host;
    if !arguments.remote.contains(host) {
        return Err(CliError::with_hint(
            format_args!("{host} ({}) is not this machine", address.ip()),
            format_args!("if you may load it, add --remote {host}"),
        ));
    }
    let Arguments { rate, sweep, most, clients, .. } = arguments;
    let is_low = |rate: &RateArgument| matches!(rate, RateArgument::PerSecond(rate) if *rate <= REMOTE_LIMIT);
    let is_limited = most.is_none() && clients.is_none() && sweep.iter().chain(rate).all(is_low);
    if is_limited || arguments.remote_unlimited {
        return Ok(());
    }
    Err(CliError::with_hint(
        format_args!("{host} is not this machine, and gets at most 10000 requests per second"),
        "use a lower --rate; if the host may get more, add --remote-unlimited",
    ))
}

/// Sends one request, as all will be.
fn try_once(text: &str, url: &Url, service: &Service, interrupt: &Interrupt) -> Result<(), CliError> {
    let Some(failure) = first_answer(service, interrupt).map_err(CliError::new)? else { return Ok(()) };
    if let Some(error) = secure::refusal(failure, text, url) {
        return Err(error);
    }
    let next = match (failure, service.protocol) {
        (RequestFailure::Wrong, Protocol::Http | Protocol::Http2) => {
            "it answered with a status of 4xx or 5xx: check the path"
        }
        (RequestFailure::Wrong, Protocol::Redis) => "it answered with an error: check --command",
        (RequestFailure::Garbled | RequestFailure::CutOff, Protocol::Http) if !url.is_secure => {
            "check that it speaks HTTP/1.1 on this port; if it speaks TLS, write https://"
        }
        (RequestFailure::Garbled | RequestFailure::CutOff, Protocol::Http | Protocol::Http2) => {
            "check that it speaks HTTP on this port"
        }
        (RequestFailure::Garbled | RequestFailure::CutOff, Protocol::Redis) => {
            "check that it is Redis on this port"
        }
        (RequestFailure::TimedOut | RequestFailure::Unanswered, _) => {
            "check the service, or allow more with --timeout"
        }
        _ => "check that the service runs and listens on this port",
    };
    Err(CliError::with_hint(format_args!("{text} does not answer a first request: {failure}"), next))
}

/// The same service twice is a good test, but two arms need two names.
fn tell_apart(targets: &mut [Target]) {
    for place in 1..targets.len() {
        let (before, rest) = targets.split_at_mut(place);
        let taken = |name: &str| before.iter().any(|target| target.name == name);
        let target = &mut rest[0];
        let plain = target.name.clone();
        let numbered = (2_usize..).map(|number| format!("{plain} ({number})"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        target.name = names.find(|name| !taken(name)).unwrap_or_default();
    }
}

/// A slice that is too short, and what to do.
pub(super) fn too_few(few: &TooFew) -> CliError {
    CliError::with_hint(few, "use a longer --slice or a higher --rate")
}
