//! Which services are loaded, how, and may they be? Everything that can be refused is refused before the first request of a slice: the
//! host of somebody else, a service that does not answer, a path that it does not have.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use super::address::{Url, is_here};
use super::request;
use crate::Failure;
use evenhand_analysis::words::counted;
use evenhand_load::{Failure as NoAnswer, Load, Protocol, Service, run_until};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::shape::TooFew;
use evenhand_measure::service::{Target, Traffic};
use std::net::SocketAddr;
use std::time::Duration;

/// A load generator is a weapon: so much goes to others without being asked twice, a second.
const REMOTE_LIMIT: f64 = 10_000.0;
/// What a thread sends at most.
const LIMIT: f64 = 1e6;

/// What was asked for.
pub(super) struct Asked {
    pub targets: Vec<Target>,
    pub traffic: Traffic,
}

impl Asked {
    pub(super) fn of(arguments: &Arguments, interrupt: &Interrupt) -> Result<Self, Failure> {
        let traffic = traffic(arguments)?;
        refuse_names_too_many(arguments)?;
        refuse_what_has_no_effect(arguments)?;
        let mut targets: Vec<Target> = Vec::new();
        for (place, text) in arguments.urls.iter().enumerate() {
            let service = service(arguments, text, traffic)?;
            try_once(text, &service, interrupt)?;
            let name = arguments.name.get(place).unwrap_or(text);
            targets.push(Target { name: unique(name, &targets), service });
        }
        Ok(Self { targets, traffic })
    }
}

fn traffic(arguments: &Arguments) -> Result<Traffic, Failure> {
    match (arguments.rate, arguments.clients) {
        (Some(rate), _) if rate > 0.0 && rate <= LIMIT => Ok(Traffic::Rate(rate)),
        (Some(rate), _) => Err(Failure::new(format_args!(
            "--rate must be above 0 and at most 1000000 per second, not {rate}"
        ))),
        (None, Some(clients)) => Ok(Traffic::Clients(usize::from(clients))),
        (None, None) => Err(Failure::with_hint(
            "no load is given",
            "--rate 1000 sends 1000 requests per second, --clients 8 keeps 8 clients waiting for their answers",
        )),
    }
}

fn refuse_names_too_many(arguments: &Arguments) -> Result<(), Failure> {
    let (names, urls) = (arguments.name.len(), arguments.urls.len());
    if names <= urls {
        return Ok(());
    }
    Err(Failure::new(format_args!("--name is given {names} times for {}", counted(urls, "URL"))))
}

/// A single service has no verdict, and is not stored.
fn refuse_what_has_no_effect(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.urls.len() > 1 {
        return match arguments.time {
            None => Ok(()),
            Some(_) => Err(Failure::with_hint(
                "--time is for a single service",
                "--max-time limits a comparison, --slice sets the length of its slices",
            )),
        };
    }
    let Arguments { deciding, telling, .. } = arguments;
    let of_comparisons = [
        ("--slice", arguments.slice.is_some()),
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
        Some((option, _)) => Err(Failure::with_hint(
            format_args!("{option} is for comparisons, and there is one URL"),
            "give a second URL; --time sets how long a single service is loaded",
        )),
    }
}

fn service(arguments: &Arguments, text: &str, traffic: Traffic) -> Result<Service, Failure> {
    let url = Url::of(text)?;
    let operation = request::operation(arguments, text, &url)?;
    let usual = Service::new(SocketAddr::from(([0, 0, 0, 0], 0)), url.protocol);
    let timeout = arguments.timeout.map_or(usual.timeout, |time| time.0);
    let address = url.address(timeout)?;
    refuse_strangers(arguments, &url, address, traffic)?;
    let connections = arguments.connections.map_or(usual.connections, usize::from);
    Ok(Service { address, operations: vec![operation], connections, timeout, drain: timeout, ..usual })
}

/// Only this machine is loaded without being asked for by name.
fn refuse_strangers(
    arguments: &Arguments,
    url: &Url,
    address: SocketAddr,
    traffic: Traffic,
) -> Result<(), Failure> {
    if is_here(address.ip()) {
        return Ok(());
    }
    let host = &url.host;
    if !arguments.remote.contains(host) {
        return Err(Failure::with_hint(
            format_args!("{host} ({}) is not this machine", address.ip()),
            format_args!("if you may load it, add --remote {host}"),
        ));
    }
    let is_limited = matches!(traffic, Traffic::Rate(rate) if rate <= REMOTE_LIMIT);
    if is_limited || arguments.remote_unlimited {
        return Ok(());
    }
    Err(Failure::with_hint(
        format_args!("{host} is not this machine, and gets at most 10000 requests per second"),
        "use a lower --rate; if the host may get more, add --remote-unlimited",
    ))
}

/// Sends one request, as all will be.
fn try_once(text: &str, service: &Service, interrupt: &Interrupt) -> Result<(), Failure> {
    let load = Load::Closed { clients: 1, length: Duration::from_nanos(1), seed: 0 };
    let tried = run_until(service, load, &mut |_| {}, &|| interrupt.is_requested());
    let all = tried.map_err(Failure::new)?.all();
    let Some(failure) = all.failures.keys().next() else { return Ok(()) };
    let next = match (failure, service.protocol) {
        (NoAnswer::Wrong, Protocol::Http) => "it answered with a status of 4xx or 5xx: check the path",
        (NoAnswer::Wrong, Protocol::Redis) => "it answered with an error: check --command",
        (NoAnswer::Garbled | NoAnswer::CutOff, Protocol::Http) => {
            "check that it speaks HTTP/1.1 on this port"
        }
        (NoAnswer::Garbled | NoAnswer::CutOff, Protocol::Redis) => "check that it is Redis on this port",
        (NoAnswer::TimedOut | NoAnswer::Unanswered, _) => "check the service, or allow more with --timeout",
        _ => "check that the service runs and listens on this port",
    };
    Err(Failure::with_hint(format_args!("{text} does not answer a first request: {failure}"), next))
}

/// The same service twice is a good test, but two arms need two names.
fn unique(name: &str, targets: &[Target]) -> String {
    let taken = |name: &String| targets.iter().any(|target| target.name == *name);
    let numbered = (2_usize..).map(|number| format!("{name} ({number})"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}

/// A slice that is too short, and what to do.
pub(super) fn too_few(few: &TooFew) -> Failure {
    Failure::with_hint(few, "use a longer --slice or a higher --rate")
}
