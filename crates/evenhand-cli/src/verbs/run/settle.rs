//! What do the options mean? From what was typed to the stop rule, the setting of the commands, and the plan that is
//! stored with the trial, so that it is analysed again as it was measured.

use super::arguments::Arguments;
use crate::CliError;
use crate::verbs::measured::deciding::UsualTime;
use crate::verbs::measured::given;
use evenhand_measure::command::{Input, Output, Pin, Setting};
use evenhand_measure::files::cpu;
use evenhand_measure::plan::StopRule;
use evenhand_measure::platform::affinity;
use evenhand_measure::platform::counters::{Event, HARDWARE};
use evenhand_trial::{Metric, Plan};
use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

const TIME: UsualTime = UsualTime { time: Duration::from_secs(30), longest: Duration::from_secs(10 * 60) };

/// `uncounted`: why the processor counts nothing here, or not all.
pub(crate) fn stop_rule(
    arguments: &Arguments,
    plan: &Plan,
    metrics: &[Metric],
    groups: usize,
    uncounted: Option<&str>,
) -> Result<StopRule, CliError> {
    let is_counted = |name: &str| HARDWARE.iter().any(|event| event.name == name);
    let why_missing = |name: &str| uncounted.filter(|_| is_counted(name)).map(str::to_owned);
    let (fewest, most) = (arguments.min_rounds.unwrap_or(0), arguments.max_rounds);
    if most.is_some_and(|most| most < fewest) {
        return Err(CliError::new("--max-rounds is below --min-rounds"));
    }
    let rule = arguments.deciding.stop_rule(plan, metrics, groups, TIME, &why_missing)?;
    Ok(StopRule { fewest, most, ..rule })
}

/// Whether the peak memory was asked for.
pub(crate) fn judges_memory(arguments: &Arguments) -> bool {
    arguments.deciding.metric_names().iter().any(|name| name == "max_rss")
}

pub(crate) fn setting(arguments: &Arguments, events: &'static [Event]) -> Result<Setting, CliError> {
    Ok(Setting {
        directory: arguments.cwd.clone(),
        environment: arguments.env.iter().map(|given| variable("--env", given)).collect::<Result<_, _>>()?,
        input: match arguments.input.as_deref().filter(|path| *path != Path::new("null")) {
            Some(file) => Input::File(file.to_owned()),
            None => Input::Null,
        },
        output: output(arguments),
        timeout: arguments.timeout.map(|time| time.0),
        same_output: arguments.expect_same_output,
        cold: arguments.cold,
        pin: pin(&arguments.pin)?,
        padding: true,
        events,
    })
}

fn output(arguments: &Arguments) -> Output {
    match arguments.output.as_deref() {
        None => Output::Null,
        Some(path) => match path.to_str() {
            Some("null") => Output::Null,
            Some("pipe") => Output::Pipe,
            Some("inherit") => Output::Inherit,
            _ => Output::File(path.to_owned()),
        },
    }
}

pub(crate) fn pin(given: &str) -> Result<Pin, CliError> {
    match given {
        "auto" => Ok(Pin::Auto),
        "none" => Ok(Pin::None),
        list => match cpu::list(list).filter(|cpus| !cpus.is_empty()) {
            Some(cpus) => known(cpus).map(Pin::Cpus),
            None => Err(CliError::new(format_args!(
                "--pin must be auto, none or a list of CPUs such as 0,2-3, not \"{}\"",
                given.escape_debug()
            ))),
        },
    }
}

fn known(cpus: Vec<u32>) -> Result<Vec<u32>, CliError> {
    let allowed = affinity::allowed().unwrap_or_else(|| cpus.clone());
    match cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(cpus),
        Some(missing) => {
            let here: Vec<String> = allowed.iter().map(u32::to_string).collect();
            Err(CliError::new(format_args!("--pin: no CPU {missing} here; choose from {}", here.join(", "))))
        }
    }
}

/// `NAME=VALUE`, given with this option.
pub(crate) fn variable(option: &str, given: &OsString) -> Result<(OsString, OsString), CliError> {
    let pair = given.to_str().and_then(|text| text.split_once('=')).filter(|(name, _)| !name.is_empty());
    pair.map(|(name, value)| (name.into(), value.into())).ok_or_else(|| {
        CliError::new(format_args!(
            "{option} must be NAME=VALUE, not \"{}\"",
            given.to_string_lossy().escape_debug()
        ))
    })
}

/// The settings, where they are not the usual ones; margin and confidence always. Of the variables only their names: their values may
/// be secrets.
pub(crate) fn plan(arguments: &Arguments) -> Plan {
    let listed = |words: Vec<Cow<'_, str>>| Some(words.join(", ")).filter(|words| !words.is_empty());
    let steps = |steps: &[OsString]| listed(steps.iter().map(|step| step.to_string_lossy()).collect());
    let variables = arguments.env.iter().map(|variable| variable.to_string_lossy());
    let names =
        variables.map(|given| given.split('=').next().unwrap_or_default().to_owned().into()).collect();
    let given = given([
        ("warmup", Some(arguments.warmup).filter(|warmup| *warmup > 0).map(|warmup| warmup.to_string())),
        ("min-rounds", arguments.min_rounds.map(|rounds| rounds.to_string())),
        ("max-rounds", arguments.max_rounds.map(|rounds| rounds.to_string())),
        ("pin", Some(arguments.pin.clone()).filter(|pin| pin != "auto")),
        ("shell", arguments.shell.as_ref().map(|shell| shell.to_string_lossy().into_owned())),
        ("timeout", arguments.timeout.map(|time| format!("{} s", time.0.as_secs_f64()))),
        ("cold", arguments.cold.then(|| "yes".to_owned())),
        ("output", arguments.output.as_ref().map(|output| output.display().to_string())),
        ("input", arguments.input.as_ref().map(|input| input.display().to_string())),
        ("expect-same-output", arguments.expect_same_output.then(|| "yes".to_owned())),
        ("ignore-failure", arguments.ignore_failure.then(|| "yes".to_owned())),
        ("prepare", steps(&arguments.prepare)),
        ("conclude", steps(&arguments.conclude)),
        ("setup", steps(&arguments.setup)),
        ("cleanup", steps(&arguments.cleanup)),
        ("env", listed(names)),
        ("cwd", arguments.cwd.as_ref().map(|folder| folder.display().to_string())),
    ]);
    Plan { rounds: arguments.rounds, given, ..arguments.deciding.plan() }
}
