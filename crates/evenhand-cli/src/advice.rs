//! What did somebody mean who typed what no verb knows? Names of other tools and former names of ours get the name to use; commands
//! without a verb or without quotes get the line to type.
//!
//! Tests: `tests/program/messages.rs`.

use crate::command_line::command;
use crate::typed::as_typed;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use evenhand_report::message::Message;
use std::ffi::OsString;

/// Verbs, options that they do not know under these names, and what to use instead.
type Instead = (&'static [&'static str], &'static [&'static str], &'static str);

const INSTEAD: [Instead; 8] = [
    (&["analyze", "plot", "show", "import"], &["--format"], "--from names the format of a file"),
    (
        &["report", "export"],
        &["--format"],
        "--to names the format to write, --from the format of the file read",
    ),
    (&["compare"], &["--cargo"], "cargo options go after --: evenhand compare --git main -- --features fast"),
    (&["run"], &["--parameter-scan"], "-P NAME=FIRST..LAST counts"),
    (&["run"], &["-D", "--parameter-step-size"], "-P NAME=FIRST..LAST..STEP counts in steps"),
    (&["run"], &["--reference-name"], "-n names the commands in order, starting with the one of --reference"),
    (
        &["run"],
        &["--export-asciidoc", "--export-orgmode"],
        "--export-markdown writes a table, --export-csv every sample",
    ),
    (&["run"], &["--max-benchmarking-time", "--min-benchmarking-time"], "--max-time 10s sets a limit"),
];

/// What to say instead of the parser's own words, if we know better.
pub(crate) fn instead(error: &clap::Error, words: &[OsString]) -> Option<Message> {
    let words: Vec<&str> = words.iter().skip(1).filter_map(|word| word.to_str()).collect();
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            without_verb(context(error, ContextKind::InvalidSubcommand)?, error, &words)
        }
        ErrorKind::UnknownArgument => unknown(context(error, ContextKind::InvalidArg)?, error, &words),
        ErrorKind::ValueValidation => no_parameter(error),
        _ => None,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Commands where a verb is expected. One word alone may be anything, and one or two letters are like many verbs.
fn without_verb(word: &str, error: &clap::Error, words: &[&str]) -> Option<Message> {
    let is_command = |word: &str| word.contains([' ', '/']);
    let similar = word.len() > 2 && error.get(ContextKind::SuggestedSubcommand).is_some();
    if similar || (words.len() < 2 && !is_command(word)) {
        return None;
    }
    Some(Message::error(format_args!("there is no verb '{word}'")).hint(did_you_mean_run(words)))
}

fn did_you_mean_run(words: &[&str]) -> String {
    let typed: Vec<String> = words.iter().map(|word| as_typed(word)).collect();
    format!("did you mean `evenhand run {}`?", typed.join(" "))
}

fn unknown(option: &str, error: &clap::Error, words: &[&str]) -> Option<Message> {
    let message = Message::error(format_args!("unexpected argument '{option}' found"));
    let command = command();
    let Some(verb) = words.iter().find_map(|word| Some(command.find_subcommand(word)?.get_name())) else {
        return (words.len() > 1).then(|| message.hint(did_you_mean_run(words)));
    };
    let meant = |(verbs, names, _): &&Instead| verbs.contains(&verb) && names.contains(&option);
    if let Some((_, _, hint)) = INSTEAD.iter().find(meant) {
        return Some(message.hint(hint));
    }
    if verb != "run" || error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    Some(message.hint(put_in_quotes(option, words)))
}

/// An option that is not ours belongs to the word before it: a command without quotes.
fn put_in_quotes(option: &str, words: &[&str]) -> String {
    let is_word = |word: &&&str| !word.starts_with('-') && **word != "run" && !word.contains(' ');
    let place = words.iter().position(|word| word.starts_with(option)).unwrap_or(0);
    let before = words[..place].iter().rev().take_while(is_word).count();
    match before {
        1 => {
            let command = words[place - 1..].join(" ");
            format!("put the command in quotes: evenhand run {}", as_typed(&command))
        }
        _ => {
            "put each command with its arguments in quotes: evenhand run './old --input x' './new --input x'"
                .to_owned()
        }
    }
}

/// `-P NAME FIRST LAST` of hyperfine.
fn no_parameter(error: &clap::Error) -> Option<Message> {
    let (option, value) =
        (context(error, ContextKind::InvalidArg)?, context(error, ContextKind::InvalidValue)?);
    let is_name = option.starts_with("--param ") && !value.contains('=');
    let message = || Message::error(format_args!("invalid value '{value}' for '{option}'"));
    is_name
        .then(|| message().hint(format_args!("-P {value}=FIRST..LAST counts, -P {value}=A,B lists values")))
}
