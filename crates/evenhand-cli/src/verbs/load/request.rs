//! What is sent? The request that is repeated, from the URL and the options, with what varies in it.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use super::address::Url;
use super::workload::OperationText;
use crate::CliError;
use evenhand_load::{Http, Operation, Protocol, Text};
use std::{env, fs};

/// Headers that follow from the URL and the body.
const OURS: [&str; 3] = ["host", "content-length", "transfer-encoding"];

/// Everything that is sent to a service: what a workload file describes, or the one request of the command line.
pub(super) fn operations(
    arguments: &Arguments,
    described: &[OperationText],
    text: &str,
    url: &Url,
) -> Result<Vec<Operation>, CliError> {
    if described.is_empty() {
        return Ok(vec![operation(arguments, text, url)?]);
    }
    let Arguments { method, body, command, .. } = arguments;
    let of_one =
        [("--method", method.is_some()), ("--body", body.is_some()), ("--command", command.is_some())];
    if let Some((option, _)) = of_one.into_iter().find(|(_, is_given)| *is_given) {
        return Err(CliError::new(format_args!(
            "{option} is for a single request, and the workload file has operations"
        )));
    }
    let made = |described: &OperationText| {
        let operation = described_as(arguments, described, url)
            .map_err(|error| CliError::new(format_args!("the operation {}: {error}", described.name)))?;
        Ok(operation.named(&described.name).weighing(described.weight))
    };
    described.iter().map(made).collect()
}

fn described_as(arguments: &Arguments, described: &OperationText, url: &Url) -> Result<Operation, CliError> {
    let OperationText { request, headers, body, .. } = described;
    match url.protocol {
        Protocol::Redis if body.is_some() || !headers.is_empty() => {
            Err(CliError::new("headers and body are for HTTP"))
        }
        Protocol::Redis => of_redis(request),
        Protocol::Http | Protocol::Http2 => {
            let (method, path) = request.split_once(' ').unwrap_or(("GET", request));
            let path = path.trim();
            if !path.starts_with('/') {
                return Err(CliError::new(format_args!(
                    "a request is METHOD /PATH, such as GET /items, not {request}"
                )));
            }
            let url = Url { path: format!("{}{path}", url.path.trim_end_matches('/')), ..url.clone() };
            let headers = arguments.header.iter().chain(headers);
            of_http(method, headers, body.as_deref(), &url)
        }
    }
}

fn operation(arguments: &Arguments, text: &str, url: &Url) -> Result<Operation, CliError> {
    let Arguments { method, header, body, command, .. } = arguments;
    let for_http = [
        ("--method", method.is_some()),
        ("--header", !header.is_empty()),
        ("--body", body.is_some()),
        ("--http2", arguments.http2),
    ];
    let given = |(option, is_given): (&'static str, bool)| is_given.then_some(option);
    match url.protocol {
        Protocol::Http | Protocol::Http2 if command.is_some() => {
            Err(CliError::new(format_args!("--command is for redis:// URLs, and {text} is none")))
        }
        Protocol::Http | Protocol::Http2 => {
            let usual = if body.is_some() { "POST" } else { "GET" };
            of_http(method.as_deref().unwrap_or(usual), header.iter(), body.as_deref(), url)
        }
        Protocol::Redis => match for_http.into_iter().find_map(given) {
            Some(option) => {
                Err(CliError::new(format_args!("{option} is for http:// URLs, and {text} is none")))
            }
            None => of_redis(command.as_deref().unwrap_or("PING")),
        },
    }
}

fn of_redis(command: &str) -> Result<Operation, CliError> {
    let words = command.split_whitespace().map(|word| text(word.as_bytes()));
    let words = words.collect::<Result<Vec<_>, _>>()?;
    if words.is_empty() {
        return Err(CliError::new("--command is empty: give a command of Redis, such as 'GET key'"));
    }
    Ok(Operation::of_redis(command.to_owned(), words))
}

fn of_http<'a>(
    method: &str,
    headers: impl Iterator<Item = &'a String>,
    body: Option<&str>,
    url: &Url,
) -> Result<Operation, CliError> {
    let body = body.map(content).transpose()?;
    let method = method.to_ascii_uppercase();
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(CliError::new(format_args!("a method is a word such as GET or PUT, not \"{method}\"")));
    }
    let headers = headers.map(|line| {
        let (name, value) = header(line)?;
        Ok((name.to_owned(), text(value.as_bytes())?))
    });
    let headers = headers.collect::<Result<_, CliError>>()?;
    let (host, path) = (url.authority.clone(), text(url.path.as_bytes())?);
    let body = text(&body.unwrap_or_default())?;
    Ok(Operation::of_http(&url.path, Http { method, host, path, headers, body }))
}

fn text(bytes: &[u8]) -> Result<Text, CliError> {
    Text::of(&with_environment(bytes)?).map_err(CliError::new)
}

/// `{env:NAME}` stands for a variable, so that no secret has to stand in a file or on a command line.
fn with_environment(bytes: &[u8]) -> Result<Vec<u8>, CliError> {
    const BEGIN: &[u8] = b"{env:";
    let (mut rest, mut made) = (bytes, Vec::new());
    while let Some(at) = rest.windows(BEGIN.len()).position(|part| part == BEGIN) {
        let (before, place) = rest.split_at(at);
        let Some(end) = place.iter().position(|byte| *byte == b'}') else { break };
        let name = String::from_utf8_lossy(&place[BEGIN.len()..end]);
        let value = env::var(&*name).map_err(|_| {
            CliError::new(format_args!("the environment has no {name} for {{env:{name}}}: set it"))
        })?;
        made.extend_from_slice(before);
        made.extend_from_slice(value.as_bytes());
        rest = &place[end + 1..];
    }
    made.extend_from_slice(rest);
    Ok(made)
}

/// A text, or what is in a file.
fn content(body: &str) -> Result<Vec<u8>, CliError> {
    let Some(file) = body.strip_prefix('@') else { return Ok(body.as_bytes().to_vec()) };
    fs::read(file).map_err(|error| CliError::new(format_args!("cannot read the body {file}: {error}")))
}

/// Its value is not repeated in a message: it may be a secret.
fn header(line: &str) -> Result<(&str, &str), CliError> {
    let is_token =
        |character: char| character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character);
    let parts = line.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
    let usable = |(name, value): &(&str, &str)| {
        !name.is_empty() && name.chars().all(is_token) && !value.contains(|part: char| part.is_control())
    };
    let Some((name, value)) = parts.filter(usable) else {
        return Err(CliError::new("--header must be 'NAME: VALUE', such as 'Accept: text/html'"));
    };
    if OURS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(CliError::new(format_args!(
            "--header {name} is not possible: evenhand writes it itself"
        )));
    }
    Ok((name, value))
}
