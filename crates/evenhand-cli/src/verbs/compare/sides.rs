//! Which two programs are compared? Two that are there, or two that are built from revisions.

use super::arguments::Arguments;
use super::side::{Side, Sides};
use super::site::{self, Variables};
use super::{git, here, packages, revisions};
use crate::verbs::functions::{filter, python};
use crate::{CliError, Stage};
use evenhand_measure::command::words;
use evenhand_measure::worker::WorkerCommand;
use std::ffi::{OsStr, OsString};
use std::path::Path;

pub(crate) fn sides(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<Sides, CliError> {
    let variables = Variables::of_both(arguments)?;
    let mut sides = without_variables(arguments, &variables, stage)?;
    for (side, Variables(variables)) in sides.sides.iter_mut().zip(variables) {
        for program in &mut side.programs {
            program.environment.extend(variables.clone());
        }
    }
    Ok(sides)
}

/// The sides by their names, before their programs get the variables.
fn without_variables(
    arguments: &Arguments,
    variables: &[Variables; 2],
    stage: &mut Stage<'_>,
) -> Result<Sides, CliError> {
    if let Some(typed) = &arguments.git {
        return match unbuilt(arguments) {
            Some((command, rest)) => {
                revisions::sides(arguments, typed, command, variables, filters(rest)?, stage)
            }
            None => git::sides(arguments, typed, variables, filters(&arguments.words)?, stage),
        };
    }
    if !arguments.with.is_empty() {
        return packages::sides(arguments, stage);
    }
    if !arguments.go.is_empty() {
        return here::sides(arguments, variables, filters(&arguments.words)?, stage);
    }
    if !arguments.commands.is_empty() {
        let [old, new] = commands(&arguments.commands)?;
        let sides = two(old, new, variables)?;
        return Ok(Sides { sides, filters: filters(&arguments.words)?, notes: Vec::new() });
    }
    match arguments.words.as_slice() {
        [old, new, rest @ ..] => {
            let sides = two(program(old)?, program(new)?, variables)?;
            Ok(Sides { sides, filters: filters(rest)?, notes: Vec::new() })
        }
        _ => Err(CliError::new(
            "nothing to compare: name two benchmark programs, or a revision with --git, such as --git main; see \
             `evenhand compare --help`",
        )),
    }
}

/// What is run in each revision as it is, and the words that are left as filters: a file of Python, or a command. Options after `--` are
/// cargo's.
fn unbuilt(arguments: &Arguments) -> Option<(&[OsString], &[OsString])> {
    match (arguments.words.as_slice(), arguments.commands.as_slice()) {
        _ if !arguments.go.is_empty() => None,
        ([script, rest @ ..], _) if python::is_script(script) => Some((&arguments.words[..1], rest)),
        (words, command @ [first, ..])
            if !first.as_encoded_bytes().starts_with(b"-") && !is_folder(first) =>
        {
            Some((command, words))
        }
        _ => None,
    }
}

/// A folder written as a path, or all below one as Go says it: `./...`. That is built, and not run; `python` is a command, whatever
/// folder lies here.
fn is_folder(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.ends_with(b"/...") || bytes.starts_with(b".") && Path::new(word).is_dir()
}

fn two(old: Vec<OsString>, new: Vec<OsString>, variables: &[Variables; 2]) -> Result<[Side; 2], CliError> {
    let names = names(&old, &new);
    let [name_of_old, name_of_new] = site::names(names.each_ref().map(String::as_str), variables);
    Ok([side(name_of_old, old)?, side(name_of_new, new)?])
}

fn side(name: String, words: Vec<OsString>) -> Result<Side, CliError> {
    let words = python::command(words)?;
    Ok(Side { programs: vec![WorkerCommand { name: name.clone(), words, ..WorkerCommand::default() }], name })
}

/// The parts of two paths that differ; of commands with arguments what was typed, if that tells them apart and is short.
fn names(old: &[OsString], new: &[OsString]) -> [String; 2] {
    const SHORT: usize = 30;
    let typed = [old, new].map(|words| {
        let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        words.join(" ")
    });
    let typed = if old.len() == 1 && new.len() == 1 { differing_parts(&typed) } else { typed };
    let is_short = |name: &String| (1..=SHORT).contains(&name.chars().count());
    let tells = typed[0] != typed[1] && typed.iter().all(is_short);
    if tells { typed } else { ["old".to_owned(), "new".to_owned()] }
}

/// `a/old/bench` and `a/new/bench`: `old` and `new`.
fn differing_parts([old, new]: &[String; 2]) -> [String; 2] {
    let [old, new]: [Vec<&str>; 2] = [old, new].map(|path| path.split('/').collect());
    let alike = |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| {
        pairs.take_while(|(one, other)| one == other).count()
    };
    let start = alike(&mut old.iter().zip(&new));
    let most = old.len().min(new.len()) - start;
    let end = alike(&mut old.iter().rev().zip(new.iter().rev())).min(most);
    [old, new].map(|parts| parts[start..parts.len() - end].join("/"))
}

/// A file that is there, or else a command as a shell would split it.
fn program(typed: &OsStr) -> Result<Vec<OsString>, CliError> {
    if Path::new(typed).is_file() {
        let path = Path::new(typed);
        // A name without a slash would be looked for in PATH.
        let path = std::path::absolute(path).map_err(CliError::new)?;
        return Ok(vec![path.into_os_string()]);
    }
    let words = words::split(typed).map_err(CliError::new)?;
    let missing = words
        .first()
        .is_some_and(|first| first.to_string_lossy().contains('/') && !Path::new(first).is_file());
    if missing {
        return Err(CliError::new(format_args!(
            "no program {}: build it first, or let --git build both sides",
            typed.to_string_lossy().escape_debug()
        )));
    }
    Ok(words)
}

/// Two commands with `--` between them.
fn commands(words: &[OsString]) -> Result<[Vec<OsString>; 2], CliError> {
    let mut parts = words.split(|word| word == "--");
    match (parts.next(), parts.next(), parts.next()) {
        (Some(old), Some(new), None) if !old.is_empty() && !new.is_empty() => {
            Ok([old.to_vec(), new.to_vec()])
        }
        _ => Err(CliError::new(
            "expected two commands after --, with another -- between them: evenhand compare -- ./old x -- ./new x",
        )),
    }
}

fn filters(words: &[OsString]) -> Result<Vec<String>, CliError> {
    words.iter().map(|word| filter(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_of(old: &[&str], new: &[&str]) -> [String; 2] {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        names(&words(old), &words(new))
    }

    #[test]
    fn sides_are_called_by_what_tells_them_apart() {
        assert_eq!(names_of(&["/a/old/bench"], &["/a/new/bench"]), ["old", "new"]);
        assert_eq!(names_of(&["/a/b/1000"], &["/a/b/990"]), ["1000", "990"]);
        assert_eq!(names_of(&["/a/b"], &["/a/x/b"]), ["old", "new"], "nothing is left of one of them");
        assert_eq!(names_of(&["/a/b"], &["/a/b"]), ["old", "new"]);
        assert_eq!(names_of(&["py", "a.py"], &["py", "b.py"]), ["py a.py", "py b.py"]);
        let long = "x".repeat(40);
        assert_eq!(names_of(&["py", &long], &["py", "b.py"]), ["old", "new"]);
    }
}
