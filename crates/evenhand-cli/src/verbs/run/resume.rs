//! With which trial does `--continue` go on, and is it the same measurement?
//!
//! The rounds that come must be like those before: the same arms, metrics and settings. Without commands on the line the
//! recorded command line says them, where it can be repeated exactly; else the user repeats it, and it is compared with
//! the record. What concerns this session alone, such as its time, may be another.
//!
//! Tests: `tests/program/resume.rs`.

use super::{Arguments, settle};
use crate::trials::id;
use crate::verbs::measured::Deciding;
use crate::{CliError, Stage, recorded_run};
use evenhand_archive::Archive;
use evenhand_measure::secrets::BLANK;
use evenhand_measure::{Question, probe};
use evenhand_trial::{Arm, Environment, Metric, Note, Origin, Plan, Trial};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::ffi::OsStr;

/// Settings of a session, not of the trial.
const OF_A_SESSION: [&str; 5] = ["max-rounds", "max-time", "min-rounds", "precision", "rounds"];

/// A trial that goes on.
pub(crate) struct Earlier {
    pub trial: Trial,
    pub archive: Archive,
    /// What is measured now: as it was then.
    pub arguments: Arguments,
}

/// The trial that the user's word means, and what to do to go on with it.
pub(crate) fn earlier(word: &OsStr, now: &Arguments, stage: &mut Stage<'_>) -> Result<Earlier, CliError> {
    let archive = stage.archive_to_change()?;
    let trial = archive.trial(&id(&archive, word)?)?;
    let recorded = recorded(&trial)?;
    let arguments = if now.commands.is_empty() {
        refuse_settings(now, &trial)?;
        refuse_what_cannot_be_repeated(&trial, word)?;
        repeated(recorded, now)
    } else {
        now.clone()
    };
    Ok(Earlier { trial, archive, arguments })
}

/// What the trial was started with.
fn recorded(trial: &Trial) -> Result<Arguments, CliError> {
    let only = "only trials of `evenhand run` can be continued";
    let id = trial.id.short();
    match &trial.origin {
        Origin::Measured { .. } => {}
        Origin::Imported { format, .. } => {
            return Err(CliError::new(format_args!("trial {id} was imported from {format}: {only}")));
        }
        Origin::Joined { .. } => {
            return Err(CliError::new(format_args!("trial {id} was joined from others: {only}")));
        }
    }
    recorded_run(&trial.environment.arguments)
        .ok_or_else(|| CliError::new(format_args!("trial {id} was not measured by `evenhand run`: {only}")))
}

/// What was recorded, with the time and the outputs of now.
fn repeated(recorded: Arguments, now: &Arguments) -> Arguments {
    let deciding = Deciding {
        max_time: now.deciding.max_time,
        precision: now.deciding.precision,
        fail_if: now.deciding.fail_if.or(recorded.deciding.fail_if),
        require_verdict: now.deciding.require_verdict || recorded.deciding.require_verdict,
        seed: None,
        ..recorded.deciding
    };
    let Arguments { rounds, min_rounds, max_rounds, style, .. } = *now;
    let telling = now.telling.clone();
    Arguments { deciding, rounds, min_rounds, max_rounds, style, telling, ..recorded }
}

/// Without commands, the record says how they are run.
fn refuse_settings(now: &Arguments, trial: &Trial) -> Result<(), CliError> {
    let Arguments { deciding, .. } = now;
    let mut given = settle::plan(now).in_words();
    OF_A_SESSION.iter().for_each(|name| drop(given.remove(*name)));
    let is_given = [
        ("margin", deciding.margin.is_some()),
        ("confidence", deciding.confidence.is_some()),
        ("seed", deciding.seed.is_some()),
        ("name", !now.name.is_empty()),
        ("param", !now.param.is_empty() || !now.list.is_empty()),
        ("baseline", now.baseline.is_some()),
        ("control", now.control),
        ("label", now.telling.label.is_some()),
    ];
    given.retain(|name, _| !["margin", "confidence"].contains(&name.as_str()));
    let others = is_given.iter().filter(|(_, given)| *given).map(|(name, _)| *name);
    match others.chain(given.keys().map(String::as_str)).next() {
        None => Ok(()),
        Some(name) => Err(CliError::new(format_args!(
            "trial {} continues with its own settings, so --{name} cannot be given: omit it",
            trial.id.short()
        ))),
    }
}

fn refuse_what_cannot_be_repeated(trial: &Trial, word: &OsStr) -> Result<(), CliError> {
    let here = probe(&Question::default());
    let Some(why) = why_not_repeatable(&trial.environment, &here) else { return Ok(()) };
    let word = word.to_string_lossy();
    Err(CliError::new(format_args!(
        "trial {} cannot be repeated from its record: {why}. Repeat its commands and options: \
         evenhand run --continue {} COMMAND...",
        trial.id.short(),
        word.escape_debug()
    )))
}

fn why_not_repeatable(then: &Environment, here: &Environment) -> Option<String> {
    let any = |text: &str| then.arguments.iter().any(|argument| argument.contains(text));
    if any(BLANK) {
        return Some("an apparent secret in its command line was not stored".to_owned());
    }
    if any("\u{fffd}") {
        return Some("its command line is not UTF-8".to_owned());
    }
    if then.host != here.host {
        return Some(format!("it was measured on {}", then.host.as_deref().unwrap_or("an unknown machine")));
    }
    match &then.directory {
        None => Some("the directory it was measured in is not recorded".to_owned()),
        Some(directory) if then.directory != here.directory => {
            Some(format!("it was measured in {directory}"))
        }
        Some(_) => None,
    }
}

impl Earlier {
    /// The trial, ready for more rounds of these arms and metrics.
    pub(crate) fn checked(
        self,
        arms: &[Arm],
        metrics: &[Metric],
        wanted: &Plan,
    ) -> Result<(Trial, Option<Archive>), CliError> {
        let Self { mut trial, archive, arguments } = self;
        refuse_other_arms(&trial, arms)?;
        refuse_other_metrics(&trial, metrics)?;
        refuse_other_settings(&trial, wanted)?;
        refuse_other_names(&trial, &arguments)?;
        let samples = trial.sample_count() as u64;
        trial.notes.push(Note::WentOn { at: Timestamp::now(), samples });
        Ok((trial, Some(archive)))
    }
}

fn refuse_other_arms(trial: &Trial, arms: &[Arm]) -> Result<(), CliError> {
    if trial.arms == arms {
        return Ok(());
    }
    let names: Vec<String> = trial.arms.iter().map(|arm| format!("`{}`", arm.name)).collect();
    Err(CliError::new(format_args!(
        "these are not the commands of trial {}: it has {}, in this order",
        trial.id.short(),
        names.join(", ")
    )))
}

fn refuse_other_metrics(trial: &Trial, metrics: &[Metric]) -> Result<(), CliError> {
    let lacks = |those: &[Metric], metric: &Metric| !those.contains(metric);
    let id = trial.id.short();
    if let Some(lost) = trial.metrics.iter().find(|metric| lacks(metrics, metric)) {
        let name = &lost.name;
        return Err(CliError::new(format_args!(
            "trial {id} has {name}, which cannot be measured here now: measure a new trial"
        )));
    }
    match metrics.iter().find(|metric| lacks(&trial.metrics, metric)) {
        None => Ok(()),
        Some(new) => Err(CliError::new(format_args!(
            "trial {id} lacks {}, which is measured here now: measure a new trial",
            new.name
        ))),
    }
}

fn refuse_other_settings(trial: &Trial, wanted: &Plan) -> Result<(), CliError> {
    let (then, now) = (trial.plan.in_words(), wanted.in_words());
    let names = then.keys().chain(now.keys()).filter(|name| !OF_A_SESSION.contains(&name.as_str()));
    let Some(other) = names.into_iter().find(|name| then.get(*name) != now.get(*name)) else {
        return Ok(());
    };
    let in_words = |settings: &BTreeMap<String, String>| {
        settings.get(other).map_or_else(|| "not given".to_owned(), |value| format!("\"{value}\""))
    };
    Err(CliError::new(format_args!(
        "--{other} is {}, and was {} in trial {}: a trial continues only with its own settings",
        in_words(&now),
        in_words(&then),
        trial.id.short()
    )))
}

fn refuse_other_names(trial: &Trial, arguments: &Arguments) -> Result<(), CliError> {
    let id = trial.id.short();
    let seed = trial.schedule.map(|schedule| schedule.seed);
    if arguments.deciding.seed.is_some() && arguments.deciding.seed != seed {
        return Err(CliError::new(format_args!("trial {id} has another --seed and keeps it: omit --seed")));
    }
    if arguments.telling.label.is_some() && arguments.telling.label != trial.label {
        return Err(CliError::new(format_args!(
            "trial {id} has another label: change it with `evenhand label`, not with --continue"
        )));
    }
    Ok(())
}
