//! Which commands are compared with which? From what was typed to arms: each command with each combination of parameters.
//!
//! Several commands are alternatives to each other, so each combination is a group of its own. One command alone is
//! compared with itself: its combinations are the alternatives.

use super::arguments::Arguments;
use crate::CliError;
use crate::verbs::measured::control::add_controls;
use evenhand_analysis::words::counted;
use evenhand_measure::command::{Program, words};
use evenhand_measure::grid::{self, Combination, Parameter};
use evenhand_measure::secrets;
use evenhand_trial::Arm;
use std::ffi::{OsStr, OsString};

/// The arms with what they run, in the same order.
pub(crate) struct Lineup {
    pub arms: Vec<Arm>,
    pub programs: Vec<Program>,
}

pub(crate) fn lineup(arguments: &Arguments) -> Result<Lineup, CliError> {
    let parameters = arguments.parameters().map_err(CliError::new)?;
    let combinations = grid::combinations(&parameters).map_err(CliError::new)?;
    refuse_unused(&parameters, arguments)?;
    refuse_names_too_many(arguments)?;
    refuse_shell_as_command(arguments)?;
    let alternatives = arguments.commands.len() > 1;
    let mut lineup = Lineup { arms: Vec::new(), programs: Vec::new() };
    for combination in &combinations {
        let group = if alternatives { grid::in_words(combination) } else { String::new() };
        for (place, command) in arguments.commands.iter().enumerate() {
            let name = unique(name(arguments, place, command, combination), combination, &lineup.arms);
            let program = Program { name: name.clone(), ..program(arguments, place, command, combination)? };
            let command = secrets::without_secrets(program.words.iter().map(|word| word.to_string_lossy()));
            let parameters = combination.clone();
            lineup.arms.push(Arm { name, group: group.clone(), command, parameters, ..Arm::default() });
            lineup.programs.push(program);
        }
    }
    choose_baseline(arguments, &mut lineup.arms)?;
    if arguments.control {
        add_controls(&mut lineup.arms, &mut lineup.programs, |program| &mut program.name);
    }
    Ok(lineup)
}

fn program(
    arguments: &Arguments,
    place: usize,
    command: &OsStr,
    combination: &Combination,
) -> Result<Program, CliError> {
    let text = grid::filled(command, combination);
    let words = match &arguments.shell {
        Some(shell) => words::in_shell(&text, shell),
        None => words::split(&text).map_err(CliError::new)?,
    };
    let hook = |name: &str, given: &[OsString]| {
        let of_command = for_command(name, given, place, arguments.commands.len())?;
        Ok::<_, CliError>(of_command.map(|hook| grid::filled(hook, combination)))
    };
    Ok(Program {
        words,
        prepare: hook("--prepare", &arguments.prepare)?,
        conclude: hook("--conclude", &arguments.conclude)?,
        setup: hook("--setup", &arguments.setup)?,
        cleanup: hook("--cleanup", &arguments.cleanup)?,
        ..Program::default()
    })
}

/// What is given once is for all commands; else each has its own.
fn for_command<'a>(
    option: &str,
    given: &'a [OsString],
    place: usize,
    commands: usize,
) -> Result<Option<&'a OsString>, CliError> {
    match given.len() {
        0 => Ok(None),
        1 => Ok(given.first()),
        count if count == commands => Ok(given.get(place)),
        count => Err(CliError::new(format_args!(
            "{option} is given {count} times for {}: give it once, or once for each",
            counted(commands, "command")
        ))),
    }
}

/// The name that was given, else the command as it was typed.
fn name(arguments: &Arguments, place: usize, command: &OsStr, combination: &Combination) -> String {
    let Some(name) = arguments.name.get(place) else {
        return secrets::without_secrets_in(&grid::filled(command, combination).to_string_lossy());
    };
    let filled = grid::filled(OsStr::new(name), combination).to_string_lossy().into_owned();
    if filled == *name && !combination.is_empty() {
        return format!("{name} ({})", grid::in_words(combination));
    }
    filled
}

/// The same command twice is a good test of the machine, but two arms need two names.
fn unique(name: String, combination: &Combination, arms: &[Arm]) -> String {
    let taken = |name: &str| arms.iter().any(|arm| arm.name == name);
    if !taken(&name) {
        return name;
    }
    let by_parameters = format!("{name} ({})", grid::in_words(combination));
    if !combination.is_empty() && !taken(&by_parameters) {
        return by_parameters;
    }
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    let mut free = numbered.skip_while(|name| taken(name));
    free.next().unwrap_or(name)
}

fn choose_baseline(arguments: &Arguments, arms: &mut [Arm]) -> Result<(), CliError> {
    let Some(typed) = &arguments.baseline else { return Ok(()) };
    let per_group = if arguments.commands.len() > 1 { arguments.commands.len() } else { arms.len() };
    let by_number = typed.parse::<usize>().ok().filter(|number| (1..=per_group).contains(number));
    let by_name = || {
        let names = arguments.name.iter().position(|name| name == typed);
        let commands = || arguments.commands.iter().position(|command| command.to_str() == Some(typed));
        names
            .or_else(commands)
            .or_else(|| arms.iter().position(|arm| arm.name == *typed).map(|arm| arm % per_group))
    };
    let Some(chosen) = by_number.map(|number| number - 1).or_else(by_name) else {
        return Err(CliError::new(format_args!(
            "no command \"{}\" to use as the baseline: give its number, 1 to {per_group}, or its name",
            typed.escape_debug()
        )));
    };
    for group in arms.chunks_mut(per_group) {
        group[chosen].baseline = true;
    }
    Ok(())
}

fn refuse_names_too_many(arguments: &Arguments) -> Result<(), CliError> {
    let (names, commands) = (arguments.name.len(), arguments.commands.len());
    if names <= commands {
        return Ok(());
    }
    Err(CliError::new(format_args!("--name is given {names} times for {}", counted(commands, "command"))))
}

/// Commands without quotes fall into words, and each word is taken for a command.
pub(crate) fn with_hint(message: String, arguments: &Arguments) -> String {
    let one_word = |command: &OsString| !command.to_string_lossy().trim().contains(' ');
    let words = arguments.commands.len() > 1 && arguments.commands.iter().all(one_word);
    if words && message.contains("not in PATH") {
        return message
            + ". Quote a command with its arguments: evenhand run './old --input x' './new --input x'";
    }
    message
}

const SHELLS: [&str; 7] = ["sh", "bash", "dash", "zsh", "ksh", "fish", "nu"];

/// `--shell bash` would measure `bash`, and run the others in `sh`.
fn refuse_shell_as_command(arguments: &Arguments) -> Result<(), CliError> {
    let first = arguments.commands.first().and_then(|command| command.to_str()).unwrap_or_default();
    if arguments.shell.is_none() || !SHELLS.contains(&first) || arguments.commands.len() < 2 {
        return Ok(());
    }
    Err(CliError::new(format_args!(
        "`{first}` would be measured as a command: to run the others in it, write --shell={first}"
    )))
}

/// A parameter that nothing uses is a typing error: the trial would measure the same command again and again.
fn refuse_unused(parameters: &[Parameter], arguments: &Arguments) -> Result<(), CliError> {
    let Arguments { commands, prepare, setup, conclude, cleanup, .. } = arguments;
    let texts = || [commands, prepare, setup, conclude, cleanup].into_iter().flatten();
    for parameter in parameters {
        if !texts().any(|text| grid::uses(text, &parameter.name)) {
            return Err(CliError::new(format_args!(
                "no command contains {{{0}}}: write {{{0}}} where the value of the parameter goes",
                parameter.name
            )));
        }
    }
    Ok(())
}
