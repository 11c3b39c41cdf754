//! What is sent? The request that is repeated, from the URL and the options, with what varies in it.
//!
//! Tests: `tests/program/load.rs`.

use super::Arguments;
use super::address::Url;
use crate::CliError;
use evenhand_load::{Http, Operation, Protocol, Text};
use std::fs;

/// Headers that follow from the URL and the body.
const OURS: [&str; 3] = ["host", "content-length", "transfer-encoding"];

pub(super) fn operation(arguments: &Arguments, text: &str, url: &Url) -> Result<Operation, CliError> {
    let Arguments { method, header, body, command, .. } = arguments;
    let of_http =
        [("--method", method.is_some()), ("--header", !header.is_empty()), ("--body", body.is_some())];
    let given = |(option, is_given): (&'static str, bool)| is_given.then_some(option);
    match url.protocol {
        Protocol::Http if command.is_some() => {
            Err(CliError::new(format_args!("--command is for redis:// URLs, and {text} is none")))
        }
        Protocol::Http => of_http_url(arguments, url),
        Protocol::Redis => match of_http.into_iter().find_map(given) {
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

fn of_http_url(arguments: &Arguments, url: &Url) -> Result<Operation, CliError> {
    let body = arguments.body.as_deref().map(content).transpose()?;
    let usual = if body.is_some() { "POST" } else { "GET" };
    let method = arguments.method.as_deref().unwrap_or(usual).to_ascii_uppercase();
    if method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
        return Err(CliError::new(format_args!(
            "--method must be a word such as GET or PUT, not \"{method}\""
        )));
    }
    let headers = arguments.header.iter().map(|said| {
        let (name, value) = header(said)?;
        Ok((name.to_owned(), text(value.as_bytes())?))
    });
    let headers = headers.collect::<Result<_, CliError>>()?;
    let (host, path) = (url.authority.clone(), text(url.path.as_bytes())?);
    let body = text(&body.unwrap_or_default())?;
    Ok(Operation::of_http(&url.path, Http { method, host, path, headers, body }))
}

fn text(bytes: &[u8]) -> Result<Text, CliError> {
    Text::of(bytes).map_err(CliError::new)
}

/// A text, or what is in a file.
fn content(said: &str) -> Result<Vec<u8>, CliError> {
    let Some(file) = said.strip_prefix('@') else { return Ok(said.as_bytes().to_vec()) };
    fs::read(file).map_err(|error| CliError::new(format_args!("cannot read {file} for --body: {error}")))
}

/// Its value is not repeated in a message: it may be a secret.
fn header(said: &str) -> Result<(&str, &str), CliError> {
    let is_token =
        |character: char| character.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(character);
    let parts = said.split_once(':').map(|(name, value)| (name.trim(), value.trim()));
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
