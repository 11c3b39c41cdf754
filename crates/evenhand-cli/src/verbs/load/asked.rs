//! Which services are loaded, how, and may they be? Everything that can be refused is refused before the first request of a slice: the
//! host of somebody else, a service that does not answer, a path that it does not have.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use super::address::{Url, is_here};
use super::request;
use super::starting::recipes;
use crate::{CliError, Stage};
use evenhand_analysis::words::counted;
use evenhand_load::{Protocol, RequestFailure, Service};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::shape::TooFew;
use evenhand_measure::service::starting::{PORT, first_answer};
use evenhand_measure::service::{Target, Traffic};
use std::net::SocketAddr;

/// A load generator is a weapon: so much goes to others without being asked twice, a second.
const REMOTE_LIMIT: f64 = 10_000.0;
/// What a thread sends at most.
const LIMIT: f64 = 1e6;

/// What was asked for.
pub(super) struct LoadTask {
    pub targets: Vec<Target>,
    pub traffic: Traffic,
}

impl LoadTask {
    pub(super) fn of(
        arguments: &Arguments,
        interrupt: &Interrupt,
        stage: &mut Stage<'_>,
    ) -> Result<Self, CliError> {
        let traffic = traffic(arguments)?;
        refuse_what_has_no_effect(arguments)?;
        refuse_names_too_many(arguments)?;
        let mut targets = if arguments.start.is_empty() {
            running(arguments, traffic, interrupt)?
        } else {
            to_start(arguments, stage)?
        };
        for (target, name) in targets.iter_mut().zip(&arguments.name) {
            target.name.clone_from(name);
        }
        tell_apart(&mut targets);
        Ok(Self { targets, traffic })
    }
}

/// Services that run already.
fn running(arguments: &Arguments, traffic: Traffic, interrupt: &Interrupt) -> Result<Vec<Target>, CliError> {
    let target = |text: &String| {
        let url = Url::of(text)?;
        let service = service(arguments, text, &url)?;
        let address = url.address(service.timeout)?;
        refuse_strangers(arguments, &url, address, traffic)?;
        let service = Service { address, ..service };
        try_once(text, &service, interrupt)?;
        Ok(Target { name: text.clone(), service, recipe: None })
    };
    arguments.urls.iter().map(target).collect()
}

/// Services that we start. All are asked for the same, byte for byte.
fn to_start(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<Vec<Target>, CliError> {
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
    let url = Url { authority: url.host.clone(), ..url };
    let service = service(arguments, text, &url)?;
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
    Ok(recipes(arguments, stage)?.into_iter().map(target).collect())
}

/// With several rates, the highest.
fn traffic(arguments: &Arguments) -> Result<Traffic, CliError> {
    let Arguments { rate, sweep, most, .. } = arguments;
    let highest = sweep.iter().copied().chain(*rate).chain(most.as_ref().map(|_| LIMIT)).reduce(f64::max);
    let (lowest, option) = match sweep.iter().copied().reduce(f64::min) {
        Some(lowest) => (Some(lowest), "--sweep"),
        None => (highest, "--rate"),
    };
    match (highest.zip(lowest), arguments.clients) {
        (Some((highest, lowest)), _) if lowest > 0.0 && highest <= LIMIT => Ok(Traffic::Rate(highest)),
        (Some((highest, lowest)), _) => Err(CliError::new(format_args!(
            "{option} must be above 0 and at most 1000000 per second, not {}",
            if highest > LIMIT { highest } else { lowest }
        ))),
        (None, Some(clients)) => Ok(Traffic::Clients(usize::from(clients))),
        (None, None) => Err(CliError::with_hint(
            "no load is given",
            "--rate 1000 sends 1000 requests per second, --clients 8 keeps 8 clients waiting for their answers",
        )),
    }
}

/// How many services are asked for.
fn services(arguments: &Arguments) -> usize {
    match (&arguments.git, arguments.start.len()) {
        (Some(_), _) => 2,
        (None, 0) => arguments.urls.len(),
        (None, starts) => starts,
    }
}

fn refuse_names_too_many(arguments: &Arguments) -> Result<(), CliError> {
    let (names, services) = (arguments.name.len(), services(arguments));
    if names <= services {
        return Ok(());
    }
    Err(CliError::new(format_args!("--name is given {names} times for {}", counted(services, "service"))))
}

/// A single service has no verdict, and is not stored.
fn refuse_what_has_no_effect(arguments: &Arguments) -> Result<(), CliError> {
    if services(arguments) > 1 {
        let Arguments { time, sweep, most, .. } = arguments;
        let of_one = [("--time", time.is_some()), ("--sweep", !sweep.is_empty()), ("--most", most.is_some())];
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
fn service(arguments: &Arguments, text: &str, url: &Url) -> Result<Service, CliError> {
    let operation = request::operation(arguments, text, url)?;
    let usual = Service::new(SocketAddr::from(([0, 0, 0, 0], 0)), url.protocol);
    let timeout = arguments.timeout.map_or(usual.timeout, |time| time.0);
    let connections = arguments.connections.map_or(usual.connections, usize::from);
    Ok(Service { operations: vec![operation], connections, timeout, drain: timeout, ..usual })
}

/// Only this machine is loaded without being asked for by name.
fn refuse_strangers(
    arguments: &Arguments,
    url: &Url,
    address: SocketAddr,
    traffic: Traffic,
) -> Result<(), CliError> {
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
    let is_limited = matches!(traffic, Traffic::Rate(rate) if rate <= REMOTE_LIMIT);
    if is_limited || arguments.remote_unlimited {
        return Ok(());
    }
    Err(CliError::with_hint(
        format_args!("{host} is not this machine, and gets at most 10000 requests per second"),
        "use a lower --rate; if the host may get more, add --remote-unlimited",
    ))
}

/// Sends one request, as all will be.
fn try_once(text: &str, service: &Service, interrupt: &Interrupt) -> Result<(), CliError> {
    let Some(failure) = first_answer(service, interrupt).map_err(CliError::new)? else { return Ok(()) };
    let next = match (failure, service.protocol) {
        (RequestFailure::Wrong, Protocol::Http) => "it answered with a status of 4xx or 5xx: check the path",
        (RequestFailure::Wrong, Protocol::Redis) => "it answered with an error: check --command",
        (RequestFailure::Garbled | RequestFailure::CutOff, Protocol::Http) => {
            "check that it speaks HTTP/1.1 on this port"
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
