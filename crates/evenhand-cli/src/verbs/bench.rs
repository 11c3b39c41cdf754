//! `evenhand bench PROGRAM`, `evenhand bench -- COMMAND`: what do the benchmarks of one program cost, and which of its alternatives is faster? This is what
//! `cargo bench` comes to. What the last such trial in the archive said is set beside it, as unpaired.

use super::functions::{
    Choice, FunctionsTask, Lineup, Sampling, filter, look, measured, measuring, python, useless,
    without_crate,
};
use super::measured::control::add_controls;
use super::measured::deciding::{Deciding, VERDICT};
use super::measured::given;
use super::measured::telling::Telling;
use super::run::pin;
use crate::{CliError, Stage};
use clap::Args;
use evenhand_analysis::{Settings, analyse, words};
use evenhand_measure::command::Interrupt;
use evenhand_measure::worker::error::WorkerErrorKind;
use evenhand_measure::worker::{Benchmark, Manner, WorkerCommand};
use evenhand_report::plain::plain;
use evenhand_trial::{Arm, Plan, State, Trial};
use std::ffi::OsString;
use std::path::Path;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  evenhand bench target/release/bench        all benchmarks of a program
  evenhand bench bench.py sort               those of a Python file with `sort` in their name
  evenhand bench sort -- python3.12 bench.py with another interpreter, or any program that speaks the protocol")]
pub(crate) struct Arguments {
    /// Benchmark program built with the library evenhand, or a file of benchmarks in Python. With a COMMAND: a filter
    #[arg(value_name = "PROGRAM", required_unless_present = "command")]
    program: Option<OsString>,
    /// Measure only benchmarks with this in their name
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Command that starts the benchmarks, such as python3 bench.py
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    deciding: Deciding,
    #[command(flatten)]
    sampling: Sampling,
    /// Measure each function against itself, as a control, and warn if it differs from itself
    #[arg(long, help_heading = VERDICT)]
    control: bool,
    /// Pin the program to CPUs: auto (the quiet cores in turns), none, or a list such as 0,2-3
    #[arg(long, value_name = "CPUS", default_value = "auto")]
    pin: String,
    #[command(flatten)]
    telling: Telling,
}

pub(crate) fn run(arguments: &Arguments, stage: &mut Stage<'_>) -> Result<u8, CliError> {
    arguments.telling.refuse_impossible_files()?;
    let task = FunctionsTask {
        deciding: &arguments.deciding,
        telling: &arguments.telling,
        manner: Manner { pin: pin(&arguments.pin)?, ..Manner::default() },
        plan: plan(arguments),
    };
    let before = if arguments.telling.no_save { None } else { before(&task.plan, stage) };
    let started = started(arguments)?;
    let interrupt = Interrupt::by_signals(|| {}).map_err(CliError::new)?;
    let Some(mut lineup) = lineup(arguments, &started, &interrupt)? else {
        return measuring::interrupted(stage);
    };
    arguments.sampling.settle(&mut lineup);
    if arguments.control {
        lineup.in_groups();
        add_controls(&mut lineup.arms, &mut lineup.members, |member| &mut member.launch.name);
    }
    let found = measured(task, lineup, interrupt, stage)?;
    if let (Some(before), Some(closed)) = (before, found.closed)
        && !arguments.telling.json
    {
        tell_since(before, closed.trial, stage)?;
    }
    Ok(found.status)
}

/// What is started, and which of its benchmarks are wanted.
struct Started {
    program: WorkerCommand,
    filters: Vec<String>,
}

fn started(arguments: &Arguments) -> Result<Started, CliError> {
    let name = name(arguments);
    let (words, first) = match (&arguments.program, arguments.command.as_slice()) {
        (Some(program), []) => {
            let path = std::path::absolute(program).map_err(CliError::new)?;
            (vec![path.into_os_string()], None)
        }
        (first, command) => (command.to_vec(), first.as_deref()),
    };
    let first = first.map(filter).transpose()?;
    let program = WorkerCommand { name, words: python::command(words)?, ..WorkerCommand::default() };
    Ok(Started { program, filters: first.into_iter().chain(arguments.filters.iter().cloned()).collect() })
}

/// Alternatives of one group are compared with its baseline; what has no group stands alone. `None`: the user had enough.
fn lineup(
    arguments: &Arguments,
    started: &Started,
    interrupt: &Interrupt,
) -> Result<Option<Lineup>, CliError> {
    let Started { program, filters } = started;
    let wanted = |name: &str| arguments.choice.wants(name, filters);
    let mut found = match look(program, &wanted, interrupt) {
        Ok(found) => found,
        Err(fault) if matches!(fault.what, WorkerErrorKind::Interrupted) => return Ok(None),
        Err(fault) => return Err(useless(program, fault)),
    };
    let mut lineup = Lineup::default();
    let names: Vec<String> = found.benchmarks.keys().cloned().collect();
    for name in names {
        let arm = found.benchmarks.get(&name).map(|found| {
            let benchmark = &found.benchmark;
            Arm {
                name: without_crate(&name).to_owned(),
                group: group(&name, benchmark),
                baseline: benchmark.baseline,
                ..Arm::default()
            }
        });
        if let Some(taken) = arm.and_then(|arm| found.take(&name, program, arm)) {
            lineup.push(taken);
        }
    }
    if lineup.arms.is_empty() && lineup.faults.is_empty() {
        let why = arguments.choice.none_left(filters);
        return Err(CliError::new(why.unwrap_or_else(|| format!("{} has no benchmark", program.name))));
    }
    Ok(Some(lineup))
}

/// Alternatives are those of the same group with the same parameters: another input is no rival.
fn group(name: &str, benchmark: &Benchmark) -> String {
    if benchmark.group.is_empty() {
        return name.to_owned();
    }
    let parameters = benchmark.parameters.iter().map(|(name, value)| format!(" {name}={value}"));
    parameters.fold(benchmark.group.clone(), |group, parameter| group + &parameter)
}

/// The name of the target, without what cargo adds to it, which changes with every build; of a command that of its script.
fn name(arguments: &Arguments) -> String {
    let script = || arguments.command.iter().find(|word| python::is_script(word));
    let program = match arguments.command.first() {
        Some(first) => script().unwrap_or(first).as_os_str(),
        None => arguments.program.as_deref().unwrap_or_default(),
    };
    let stem = Path::new(program).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match stem.rsplit_once('-') {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            name.to_owned()
        }
        _ => stem,
    }
}

/// The settings that are stored with the trial; the program and its package tell which trials are about the same.
fn plan(arguments: &Arguments) -> Plan {
    let [iterations, iteration_time] = arguments.sampling.given();
    Plan {
        program: Some(name(arguments)),
        package: package(arguments),
        launches: arguments.sampling.launches,
        rounds_per_launch: arguments.sampling.rounds_per_launch,
        given: given([
            iterations,
            iteration_time,
            ("pin", Some(arguments.pin.clone()).filter(|pin| pin != "auto")),
        ]),
        ..arguments.deciding.plan()
    }
}

/// Where the program belongs: cargo says it of its own; a script belongs to the folder in which we are.
fn package(arguments: &Arguments) -> Option<String> {
    let of_cargo = std::env::var("CARGO_MANIFEST_DIR").ok();
    let is_script = arguments.program.iter().chain(&arguments.command).any(|word| python::is_script(word));
    let here = || Some(std::env::current_dir().ok()?.to_string_lossy().into_owned());
    of_cargo.or_else(|| if is_script { here() } else { None })
}

/// So many trials are looked through for the last one of the same program.
const LOOKED_THROUGH: usize = 100;

/// The last trial of the same program. None, or none that can be read, is no reason not to measure.
fn before(now: &Plan, stage: &Stage<'_>) -> Option<Trial> {
    let archive = stage.archive_to_read().ok()?;
    let entries = archive.entries().ok()?;
    let is_like = |trial: &Trial| trial.plan.program == now.program && trial.plan.package == now.package;
    let complete =
        entries.iter().filter(|entry| entry.state == State::Complete && entry.origin == "evenhand");
    let like = complete
        .take(LOOKED_THROUGH)
        .find(|entry| archive.head(&entry.id).is_ok_and(|head| is_like(&head)))?;
    archive.trial(&like.id).ok()
}

/// What changed since the last trial, as far as two trials that were not measured together can tell.
fn tell_since(before: Trial, now: Trial, stage: &mut Stage<'_>) -> Result<(), CliError> {
    let settings = Settings::of_plan(&now.plan).map_err(CliError::new)?;
    let id = before.id.short().to_string();
    let joined = [(format!("before ({id})"), before), ("now".to_owned(), now)];
    // Nothing of the same name is no failure: then there is nothing to say.
    let Ok(joined) = Trial::join(joined.into()) else { return Ok(()) };
    let analysis = analyse(&joined, &settings).map_err(CliError::new)?;
    writeln!(
        stage.out,
        "\nsince trial {id}, not measured together: `evenhand compare --git REV` detects smaller changes"
    )?;
    for comparison in &analysis.comparisons {
        let sentence = words::statement(&analysis, comparison).sentence().to_string();
        writeln!(stage.out, "  {}", plain(&sentence))?;
    }
    Ok(())
}
