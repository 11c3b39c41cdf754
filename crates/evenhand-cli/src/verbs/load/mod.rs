//! `evenhand load URL URL…`: which of these services answers sooner under load? Loads them in turns, a slice at a time, in coin order,
//! until the verdict stands. `evenhand load URL` loads one, and says how long its answers take.
//!
//! | file | question |
//! |---|---|
//! | `arguments.rs` | what was said on the command line? |
//! | `address.rs` | what is a URL, and where is its host? |
//! | `workload.rs` | what does a workload file say? |
//! | `rate.rs` | how is a rate typed? |
//! | `task.rs` | which services are loaded, how, and may they be? |
//! | `capacity.rs` | how much can they answer? |
//! | `request.rs` | what is sent? |
//! | `secure.rs` | which certificates are trusted, and what is said of one that is not? |
//! | `starting.rs` | how are services started, and on which processors? |
//! | `revisions.rs` | in which folders is one command started, to compare two revisions? |
//! | `often.rs` | how often is each service started? |
//! | `dry_run.rs` | what would be done? |
//! | `check.rs` | does each service give the right answer to each request? |
//! | `alone.rs` | how long do the answers of one service take? |
//! | `rates.rs` | how do its response times depend on the load? |
//! | `most.rs` | up to which rate does it keep a promise? |
//! | `promise.rs` | which promise is written on the command line? |
//! | `finish.rs` | how did a comparison end, and what is said of it? |
//!
//! Tests: `tests/program/load.rs`, `tests/program/workload.rs`.

mod address;
mod alone;
mod arguments;
mod capacity;
mod check;
mod dry_run;
mod finish;
mod most;
mod often;
mod promise;
mod rate;
mod rates;
mod request;
#[cfg(target_os = "linux")]
mod revisions;
mod secure;
mod starting;
mod task;
mod workload;

pub(crate) use arguments::Arguments;

use super::measured::deciding::UsualTime;
use super::measured::{Notebook, Onlooker, control, given, groups, head};
use crate::{CliError, Stage};
use evenhand_analysis::words::{duration, quantity};
use evenhand_load::Operation;
use evenhand_measure::command::Interrupt;
use evenhand_measure::finish::Finish;
use evenhand_measure::past::Past;
use evenhand_measure::plan::MeasurePlan;
use evenhand_measure::rounds::measure;
use evenhand_measure::service::{Rise, Shape, Slices, Starts, Traffic};
use evenhand_trial::{Arm, Metric, Plan, State, Trial, Unit};
use std::time::{Duration, Instant};
use task::LoadTask;

/// Services are loaded for longer than commands are run: a slice takes a second.
const TIME: UsualTime = UsualTime { time: Duration::from_secs(120), longest: Duration::from_secs(120) };
const MARGIN_PERCENT: f64 = 3.0;

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    let (arguments, workload) = &workload::completed(arguments)?;
    if arguments.dry_run {
        return dry_run::print(arguments, workload, stage);
    }
    arguments.telling.refuse_impossible_files()?;
    let interrupt = Interrupt::by_signals(|| {}).map_err(CliError::new)?;
    let task = LoadTask::of(arguments, workload, &interrupt, stage)?;
    if arguments.check {
        return check::run(arguments, &task, &interrupt, stage);
    }
    if task.targets.len() == 1 {
        return match &arguments.most {
            Some(promise) => most::run(arguments, &promise.0, &task, &interrupt, stage),
            None if arguments.sweep.is_empty() => alone::run(arguments, &task, &interrupt, stage),
            None => rates::run(arguments, &task, &interrupt, stage),
        };
    }
    compare(arguments, task, interrupt, stage)
}

fn compare(
    arguments: &Arguments,
    task: LoadTask,
    interrupt: Interrupt,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let LoadTask { mut targets, traffic, .. } = task;
    let length = arguments.slice.map(|length| length.0);
    let shape = Shape::of(traffic, length).map_err(|few| task::too_few(&few))?;
    let (starts, shape) = often::settled(arguments, &targets, shape, &interrupt, stage)?;
    let name = |target: &evenhand_measure::service::Target| target.name.clone();
    let mut arms: Vec<Arm> =
        targets.iter().map(|target| Arm { name: name(target), ..Arm::default() }).collect();
    if arguments.control {
        control::add_controls(&mut arms, &mut targets, |target| &mut target.name);
    }
    let operations = targets.first().map_or_else(Vec::new, |target| target.service.operations.clone());
    let promise = arguments.most.clone().map(|most| most.0).unwrap_or_default();
    let mut slices = Slices::new(targets, starts, traffic, shape, interrupt).promising(promise);
    let wanted = wanted(arguments, traffic, starts, &shape, &operations, &slices.metrics());
    let trial = head(&arguments.telling, arguments.deciding.seed, wanted, slices.metrics(), arms);
    let plan = plan(arguments, starts, &trial)?;
    let journal = arguments.telling.journal(&trial, stage)?;
    let mut notebook = Notebook::new(trial, journal);
    let began = Instant::now();
    let ended = {
        let mut onlooker = Onlooker::new(notebook.trial(), &plan, &arguments.telling, "round", stage);
        measure(&plan, &mut slices, &mut notebook, &mut onlooker, &|| began.elapsed())
    };
    let state = if matches!(ended, Ok(Finish::Complete)) { State::Complete } else { State::Interrupted };
    let closed = notebook.close(state, |trial| {
        trial.seconds = Some(began.elapsed().as_secs_f64());
        slices.notes().into_iter().for_each(|note| trial.note(note));
        if arguments.deciding.plan().metrics.is_empty() {
            finish::judge_beside(trial);
        }
    });
    finish::tell(arguments, &ended, &closed, stage)
}

/// Beside the first metric, what decides for services that we start.
const OF_STARTED: &str = "cpu_per_request";

/// The settings, as they are stored. What decides is settled here: the first metric and what a request costs, unless others were
/// asked for.
fn wanted(
    arguments: &Arguments,
    traffic: Traffic,
    starts: Starts,
    shape: &Shape,
    operations: &[Operation],
    metrics: &[Metric],
) -> Plan {
    let load = match traffic {
        Traffic::Rate(rate) => format!("{} requests/s", quantity(rate, &Unit::count())),
        Traffic::Clients(clients) => format!("{clients} clients"),
        Traffic::Rising(Rise { from, to }) => {
            let rate = |rate: f64| quantity(rate, &Unit::count());
            format!("rising from {} to {} requests/s", rate(from), rate(to))
        }
    };
    let seconds = |time: Duration| duration(time.as_secs_f64());
    let plan = arguments.deciding.plan();
    let usual = metrics.iter().enumerate().filter(|(place, metric)| *place == 0 || metric.name == OF_STARTED);
    let usual = usual.map(|(_, metric)| metric.name.clone());
    Plan {
        margin_percent: arguments.deciding.margin.or(Some(MARGIN_PERCENT)),
        metrics: if plan.metrics.is_empty() { usual.collect() } else { plan.metrics },
        rounds: arguments.rounds,
        given: given([
            ("load", Some(load)),
            ("slice", Some(format!("{} after {}", seconds(shape.length), seconds(shape.lead_in)))),
            ("condition", arguments.most.as_ref().map(|most| most.0.text.clone())),
            ("operations", mix(operations)),
            ("connections", arguments.connections.map(|connections| connections.to_string())),
            ("http", arguments.http2.then(|| "2".to_owned())),
            ("streams", arguments.streams.map(|streams| streams.to_string())),
            ("insecure", arguments.insecure.then(|| "yes".to_owned())),
            ("timeout", arguments.timeout.map(|time| seconds(time.0))),
            ("started", often::in_words(starts).map(str::to_owned)),
            ("command", arguments.command.clone()),
            ("method", arguments.method.clone()),
            ("header", header_names(arguments)),
            ("body", arguments.body.as_ref().map(|_| "yes".to_owned())),
            ("warmup", Some(arguments.warmup.to_string())),
        ]),
        ..plan
    }
}

/// Several operations, with their weights.
fn mix(operations: &[Operation]) -> Option<String> {
    let each = operations.iter().map(|operation| format!("{} {}", operation.name, operation.weight));
    (operations.len() > 1).then(|| each.collect::<Vec<_>>().join(", "))
}

/// Only the names: the values may be secrets.
fn header_names(arguments: &Arguments) -> Option<String> {
    let names = arguments.header.iter().filter_map(|header| Some(header.split_once(':')?.0.trim()));
    Some(names.collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty())
}

fn plan(arguments: &Arguments, starts: Starts, trial: &Trial) -> Result<MeasurePlan, CliError> {
    let groups = groups(trial);
    let stop = arguments.deciding.stop_rule(&trial.plan, &trial.metrics, groups.len(), TIME, &|_| None)?;
    let schedule = trial.schedule.ok_or_else(|| CliError::new("the order was not randomised"))?;
    let past = Past::default();
    // What is started anew for each slice has no slices before it.
    let warmup = if starts == Starts::EverySlice { 0 } else { arguments.warmup };
    Ok(MeasurePlan { schedule, groups, warmup, stop, ignore_failures: false, past })
}
