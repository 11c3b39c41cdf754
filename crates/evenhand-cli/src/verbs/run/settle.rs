//! What do the options mean? From what was typed to the stop rule, the setting of the commands, and the plan that is
//! stored with the trial, so that it is analysed again as it was measured.

use super::arguments::Arguments;
use crate::Failure;
use evenhand_measure::command::{Commands, Input, Output, Pin, Setting};
use evenhand_measure::files::cpu;
use evenhand_measure::plan::{Judged, StopRule};
use evenhand_measure::platform::affinity;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_trial::{Metric, MetricId};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

const MAX_TIME: Duration = Duration::from_secs(30);
const MARGIN_PERCENT: f64 = 1.0;
const CONFIDENCE_PERCENT: f64 = 99.0;

pub(crate) fn stop_rule(arguments: &Arguments, metrics: &[Metric]) -> Result<StopRule, Failure> {
    let margin = arguments.margin.unwrap_or(MARGIN_PERCENT);
    let confidence = arguments.confidence.unwrap_or(CONFIDENCE_PERCENT);
    if !(50.0..100.0).contains(&confidence) {
        return Err(Failure::new(format_args!(
            "--confidence is in percent, from 50 to below 100, such as 99, not {confidence}"
        )));
    }
    Ok(StopRule {
        max_time: arguments.max_time.map_or(MAX_TIME, |time| time.0),
        rounds: arguments.rounds,
        margin: Margin::percent(margin).ok_or_else(|| {
            Failure::new(format_args!("--margin is from 0 to below 100 percent, not {margin}"))
        })?,
        alpha: 1.0 - confidence / 100.0,
        metrics: judged(arguments, metrics)?,
        tell_from: arguments.fail_if.and_then(super::fail_if::FailIf::threshold),
    })
}

fn judged(arguments: &Arguments, metrics: &[Metric]) -> Result<Vec<Judged>, Failure> {
    let names = metric_names(arguments);
    let wanted = if names.is_empty() { vec![metrics[0].name.clone()] } else { names };
    let find = |name: &String| {
        let place = metrics.iter().position(|metric| metric.name == *name).ok_or_else(|| {
            let known: Vec<&str> = metrics.iter().map(|metric| metric.name.as_str()).collect();
            let why = Commands::uncounted().filter(|_| COUNTED.contains(&name.as_str()));
            let why = why.map_or_else(String::new, |why| format!(" ({why})"));
            Failure::new(format_args!(
                "\"{}\" is not measured here{why}: choose from {}",
                name.escape_debug(),
                known.join(", ")
            ))
        })?;
        Ok(Judged { metric: MetricId(place as u32), better: metrics[place].better })
    };
    wanted.iter().map(find).collect()
}

/// What the processor counts, if it does.
const COUNTED: [&str; 5] = ["instructions", "cycles", "branches", "branch_misses", "cache_misses"];

/// Whether the peak memory was asked for.
pub(crate) fn judges_memory(arguments: &Arguments) -> bool {
    metric_names(arguments).iter().any(|name| name == "max_rss")
}

/// Other names that people have for some metrics.
const ALIASES: [(&str, &str); 6] = [
    ("user+sys", "cpu"),
    ("user+system", "cpu"),
    ("sys", "system"),
    ("rss", "max_rss"),
    ("memory", "max_rss"),
    ("branch-misses", "branch_misses"),
];

/// The metrics asked for, by their names in the trial, each once.
fn metric_names(arguments: &Arguments) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for said in arguments.metric.iter().flat_map(|list| list.split(',')).map(str::trim) {
        let name = ALIASES.iter().find(|(alias, _)| *alias == said).map_or(said, |(_, name)| name).to_owned();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

pub(crate) fn setting(arguments: &Arguments) -> Result<Setting, Failure> {
    Ok(Setting {
        directory: arguments.cwd.clone(),
        environment: arguments.env.iter().map(variable).collect::<Result<_, _>>()?,
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

fn pin(said: &str) -> Result<Pin, Failure> {
    match said {
        "auto" => Ok(Pin::Auto),
        "none" => Ok(Pin::None),
        list => match cpu::list(list).filter(|cpus| !cpus.is_empty()) {
            Some(cpus) => known(cpus).map(Pin::Cpus),
            None => Err(Failure::new(format_args!(
                "--pin is auto, none or a list of processors such as 0,2-3, not \"{}\"",
                said.escape_debug()
            ))),
        },
    }
}

fn known(cpus: Vec<u32>) -> Result<Vec<u32>, Failure> {
    let allowed = affinity::allowed().unwrap_or_else(|| cpus.clone());
    match cpus.iter().find(|cpu| !allowed.contains(cpu)) {
        None => Ok(cpus),
        Some(missing) => {
            let here: Vec<String> = allowed.iter().map(u32::to_string).collect();
            Err(Failure::new(format_args!(
                "--pin: there is no processor {missing} to run on; those here are {}",
                here.join(", ")
            )))
        }
    }
}

fn variable(said: &OsString) -> Result<(OsString, OsString), Failure> {
    let pair = said.to_str().and_then(|text| text.split_once('=')).filter(|(name, _)| !name.is_empty());
    pair.map(|(name, value)| (name.into(), value.into())).ok_or_else(|| {
        Failure::new(format_args!(
            "--env sets a variable as NAME=VALUE, not \"{}\"",
            said.to_string_lossy().escape_debug()
        ))
    })
}

/// The settings under the names of the command line, where they are not the usual ones; margin and confidence always. Of
/// the variables only their names: their values may be secrets.
pub(crate) fn written(arguments: &Arguments) -> BTreeMap<String, String> {
    let seconds = |time: super::seconds::Seconds| format!("{} s", time.0.as_secs_f64());
    let listed = |words: Vec<Cow<'_, str>>| Some(words.join(", ")).filter(|words| !words.is_empty());
    let steps = |steps: &[OsString]| listed(steps.iter().map(|step| step.to_string_lossy()).collect());
    let variables = arguments.env.iter().map(|variable| variable.to_string_lossy());
    let names = variables.map(|said| said.split('=').next().unwrap_or_default().to_owned().into()).collect();
    let metrics = metric_names(arguments).join(",");
    let entries = [
        ("margin", Some(arguments.margin.unwrap_or(MARGIN_PERCENT).to_string())),
        ("confidence", Some(arguments.confidence.unwrap_or(CONFIDENCE_PERCENT).to_string())),
        ("metric", Some(metrics).filter(|names| !names.is_empty())),
        ("max-time", arguments.max_time.map(seconds)),
        ("rounds", arguments.rounds.map(|rounds| rounds.to_string())),
        ("warmup", Some(arguments.warmup).filter(|warmup| *warmup > 0).map(|warmup| warmup.to_string())),
        ("pin", Some(arguments.pin.clone()).filter(|pin| pin != "auto")),
        ("shell", arguments.shell.as_ref().map(|shell| shell.to_string_lossy().into_owned())),
        ("timeout", arguments.timeout.map(seconds)),
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
    ];
    entries.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}
