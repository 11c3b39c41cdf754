//! What does a workload file say? Load, operations and services in TOML, for what a command line is too short for. Where the command
//! line says something, the file is not asked.
//!
//! ```toml
//! rate = 500
//!
//! [[operation]]
//! name = "read"
//! request = "GET /items/{zipf:1..100000}"
//! weight = 9
//!
//! [[operation]]
//! name = "order"
//! request = "POST /orders"
//! body = '{"item": {zipf:1..100000}}'
//!
//! [[service]]
//! name = "old"
//! start = "./old --port {port}"
//! ```
//!
//! Tests: `tests/program/workload.rs`.

use super::Arguments;
use super::rate::RateArgument;
use crate::CliError;
use crate::seconds::Seconds;
use evenhand_measure::service::starting::PORT;
use evenhand_report::message::Message;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

/// What stands in a file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub(super) struct Workload {
    #[serde(deserialize_with = "typed")]
    rate: Option<RateArgument>,
    clients: Option<u16>,
    connections: Option<u16>,
    http2: bool,
    streams: Option<u16>,
    cacert: Option<PathBuf>,
    insecure: bool,
    #[serde(deserialize_with = "typed")]
    timeout: Option<Seconds>,
    #[serde(deserialize_with = "typed")]
    time: Option<Seconds>,
    #[serde(deserialize_with = "typed")]
    slice: Option<Seconds>,
    #[serde(deserialize_with = "typed")]
    lead_in: Option<Seconds>,
    /// Headers of all requests.
    headers: Vec<String>,
    /// What is asked of services that are started.
    url: Option<String>,
    #[serde(deserialize_with = "typed")]
    prepare: Option<OsString>,
    #[serde(deserialize_with = "typed")]
    ready_within: Option<Seconds>,
    start_once: bool,
    no_pin: bool,
    #[serde(rename = "operation")]
    pub operations: Vec<OperationText>,
    #[serde(rename = "service")]
    pub services: Vec<ServiceText>,
}

/// `[[operation]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperationText {
    pub name: String,
    /// `GET /path`, or a command of Redis.
    pub request: String,
    #[serde(default = "one")]
    pub weight: f64,
    #[serde(default)]
    pub headers: Vec<String>,
    pub body: Option<String>,
}

fn one() -> f64 {
    1.0
}

/// `[[service]]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServiceText {
    name: String,
    url: Option<String>,
    #[serde(default, deserialize_with = "typed")]
    start: Option<OsString>,
    /// Instead of what stands above the services.
    #[serde(default, deserialize_with = "typed")]
    pub prepare: Option<OsString>,
    /// Variables for its start.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// A number or a text, as it would be typed.
fn typed<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<Option<T>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Typed {
        Whole(i64),
        Number(f64),
        Text(String),
    }
    let text = match Typed::deserialize(from)? {
        Typed::Whole(number) => number.to_string(),
        Typed::Number(number) => number.to_string(),
        Typed::Text(text) => text,
    };
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

/// The arguments, completed by the workload file if one is among them; and what only a file can say.
pub(super) fn completed(arguments: &Arguments) -> Result<(Arguments, Workload), CliError> {
    let is_file = |word: &String| !word.contains("://") && word.ends_with(".toml");
    let (files, urls) = arguments.urls.iter().cloned().partition::<Vec<_>, _>(is_file);
    let mut completed = Arguments { urls, ..arguments.clone() };
    let workload = match &files[..] {
        [] => Workload::default(),
        [file] => {
            let workload = Workload::of(file)?;
            workload
                .complete(&mut completed)
                .map_err(|wrong| CliError::new(format_args!("{file}: {wrong}")))?
        }
        [_, second, ..] => {
            return Err(CliError::with_hint(
                format_args!("unexpected second workload file {second}"),
                "describe all services in one file",
            ));
        }
    };
    completed.with_path()?;
    Ok((completed, workload))
}

impl Arguments {
    /// `--get` and `--post` say method and path, which else stand apart.
    fn with_path(&mut self) -> Result<(), CliError> {
        let (method, path) = match (self.get.take(), self.post.take()) {
            (Some(path), _) => ("GET", path),
            (_, Some(path)) => ("POST", path),
            (None, None) => return Ok(()),
        };
        if !path.starts_with('/') {
            return Err(CliError::with_hint(
                format_args!("{path} is no path"),
                format_args!("begin with a slash: --{} /{path}", method.to_ascii_lowercase()),
            ));
        }
        if self.urls.is_empty() {
            self.urls.push(format!("http://127.0.0.1:{PORT}"));
        }
        for url in &mut self.urls {
            *url = format!("{}{path}", url.trim_end_matches('/'));
        }
        self.method = Some(method.to_owned());
        Ok(())
    }
}

impl Workload {
    fn of(file: &str) -> Result<Self, CliError> {
        let text = fs::read_to_string(file)
            .map_err(|error| CliError::new(format_args!("cannot read the workload file {file}: {error}")))?;
        toml::from_str(&text).map_err(|error| {
            let message = Message::error(format_args!("cannot use the workload file {file}"));
            CliError::Quoted(message, error.to_string())
        })
    }

    /// Says what the command line does not say. Without services of its own, it has no say in how they are started.
    fn complete(mut self, arguments: &mut Arguments) -> Result<Self, String> {
        if arguments.urls.is_empty() && arguments.start.is_empty() {
            self.refuse_bad_services()?;
            arguments.start = self.services.iter().filter_map(|service| service.start.clone()).collect();
            arguments.urls = self.services.iter().filter_map(|service| service.url.clone()).collect();
            arguments.urls.extend(self.url.clone());
            let names = self.services.iter().map(|service| service.name.clone());
            let kept = std::mem::take(&mut arguments.name);
            let more = names.skip(kept.len()).collect::<Vec<_>>();
            arguments.name = kept.into_iter().chain(more).collect();
        } else {
            self.services.clear();
        }
        self.complete_load(arguments)?;
        arguments.timeout = arguments.timeout.or(self.timeout);
        arguments.header.splice(0..0, self.headers.iter().cloned());
        if !arguments.start.is_empty() {
            arguments.prepare = arguments.prepare.take().or_else(|| self.prepare.clone());
            arguments.ready_within = arguments.ready_within.or(self.ready_within);
            arguments.start_once |= self.start_once;
            arguments.no_pin |= self.no_pin;
        }
        if arguments.services() > 1 {
            arguments.slice = arguments.slice.or(self.slice);
            arguments.lead_in = arguments.lead_in.or(self.lead_in);
        } else {
            arguments.time = arguments.time.or(self.time);
        }
        self.refuse_bad_operations()?;
        Ok(self)
    }

    fn complete_load(&self, arguments: &mut Arguments) -> Result<(), String> {
        if self.rate.is_some() && self.clients.is_some() {
            return Err("rate and clients exclude each other".to_owned());
        }
        let Arguments { rate, clients, sweep, most, .. } = arguments;
        if rate.is_none() && clients.is_none() && sweep.is_empty() && most.is_none() {
            (*rate, *clients) = (self.rate, self.clients);
        }
        if arguments.clients.is_none() {
            arguments.connections = arguments.connections.or(self.connections);
        }
        arguments.http2 |= self.http2;
        arguments.streams = arguments.streams.or(self.streams);
        if arguments.cacert.is_none() && !arguments.insecure {
            (arguments.cacert, arguments.insecure) = (self.cacert.clone(), self.insecure);
        }
        if arguments.streams.is_some() && !arguments.http2 {
            return Err("streams need http2 = true".to_owned());
        }
        Ok(())
    }

    fn refuse_bad_services(&self) -> Result<(), String> {
        let started = self.services.iter().filter(|service| service.start.is_some()).count();
        if self.services.is_empty() {
            return Err("no service: add [[service]] with a name and a url or start".to_owned());
        }
        for service in &self.services {
            match (&service.url, &service.start) {
                (Some(_), Some(_)) => {
                    return Err(format!(
                        "the service {} has url and start: write the URL of services that are started once, above them",
                        service.name
                    ));
                }
                (None, None) => {
                    return Err(format!("the service {} has neither url nor start", service.name));
                }
                _ => {}
            }
        }
        if started > 0 && started < self.services.len() {
            return Err("some services are started and some are not: start all or none".to_owned());
        }
        Ok(())
    }

    /// Names of operations are parts of names of metrics.
    fn refuse_bad_operations(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for OperationText { name, weight, .. } in &self.operations {
            let is_plain = |part: char| part.is_ascii_alphanumeric() || part == '-';
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err(format!("an operation is named by letters, digits and -, not \"{name}\""));
            }
            if !names.insert(name) {
                return Err(format!("two operations are named {name}"));
            }
            if !(weight.is_finite() && *weight > 0.0) {
                return Err(format!(
                    "the weight of the operation {name} is {weight}: write a positive number"
                ));
            }
        }
        Ok(())
    }
}
