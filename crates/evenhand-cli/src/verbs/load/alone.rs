//! How long do the answers of one service take? One load, a table, and what should be known of it; no verdict, and nothing stored.
//!
//! Tests: `tests/program/load.rs`.

use super::task::LoadTask;
use super::{Arguments, often};
use crate::chance::chance;
use crate::{CliError, Stage, error};
use evenhand_analysis::words::{self, counted, quantity, quantity_in, size};
use evenhand_load::{
    Fact, Load, LoadPlan, Percentile, Rate, RequestFailure, Service, Slice, Spacing, Tally, Times, run_until,
};
use evenhand_measure::command::Interrupt;
use evenhand_measure::service::shape::requests_for;
use evenhand_measure::service::{Rise, Started, Target, Traffic};
use evenhand_report::message::Message;
use evenhand_report::plain::plain;
use evenhand_report::table::Table;
use evenhand_report::wrap::wrapped;
use evenhand_trial::{Seed, Unit};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

const USUAL_TIME: Duration = Duration::from_secs(10);
/// A fifth of the load comes before it, uncounted; not less and not more than this.
const LEAD_IN: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(1)];

/// The percentiles that are shown, by their names, with the requests that each needs; and the largest.
pub(super) const SHOWN: [(&str, f64, u64); 4] = [
    ("P50", 0.5, requests_for(50) as u64),
    ("P90", 0.9, requests_for(90) as u64),
    ("P99", 0.99, requests_for(99) as u64),
    ("P99.9", 0.999, 10_000),
];

pub(super) fn run(
    arguments: &Arguments,
    task: &LoadTask,
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let (Target { name, .. }, _started, service) = target(task, interrupt)?;
    let time = arguments.time.map_or(USUAL_TIME, |time| time.0);
    let lead_in = lead_in(time);
    let service = Service { lead_in, ..service };
    let seed = arguments.deciding.seed.unwrap_or_else(|| Seed(chance()));
    let load = load(task.traffic, &service, lead_in.saturating_add(time), seed)?;
    let seconds = words::duration((lead_in + time).as_secs_f64());
    announce(arguments, &format_args!("loading {name} for {seconds}"), stage)?;
    let slice =
        run_until(&service, load, &mut |_| {}, &|| interrupt.is_requested()).map_err(CliError::new)?;
    let found = Found { name, slice: &slice, all: slice.all(), facts: slice.facts() };
    if arguments.telling.json {
        write_json(&found.in_json(task.traffic, seed, &service), stage)?;
    } else {
        found.print(arguments, stage)?;
    }
    found.status(interrupt, stage)
}

/// The only service, started if that is asked for, and where it answers. It ends when it is dropped.
pub(super) fn target<'a>(
    task: &'a LoadTask,
    interrupt: &Interrupt,
) -> Result<(&'a Target, Option<Started>, Service), CliError> {
    let target = task.targets.first().ok_or_else(|| CliError::new("there is no service to load"))?;
    let Target { name, service, recipe } = target;
    let started = recipe.as_ref().map(|recipe| Started::of(recipe, service, interrupt)).transpose();
    let started = started.map_err(|down| often::not_started(name, down, interrupt))?;
    let service = started.as_ref().map_or(service, Started::service).clone();
    Ok((target, started, service))
}

/// What comes before a load, uncounted.
pub(super) fn lead_in(time: Duration) -> Duration {
    time.div_f64(5.0).clamp(LEAD_IN[0], LEAD_IN[1])
}

/// Says on a terminal what is done now.
pub(super) fn announce(
    arguments: &Arguments,
    what: &impl Display,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    if stage.world.terminal.rows.is_some() && !arguments.telling.quiet {
        let hint = "Ctrl-C ends it and shows what was measured";
        stage.err.say(&Message::note(what).hint(hint))?;
    }
    Ok(())
}

fn load(traffic: Traffic, service: &Service, length: Duration, seed: Seed) -> Result<Load, CliError> {
    match traffic {
        Traffic::Rate(rate) => open(rate, service, length, seed),
        Traffic::Clients(clients) => Ok(Load::Closed { clients, length, seed: seed.0 }),
        // Only several services are compared by it.
        Traffic::Rising(Rise { to, .. }) => open(to, service, length, seed),
    }
}

/// So many requests a second, whatever the answers.
pub(super) fn open(rate: f64, service: &Service, length: Duration, seed: Seed) -> Result<Load, CliError> {
    let rate = Rate::constant(rate, length).map_err(CliError::new)?;
    let plan = LoadPlan::new(rate, Spacing::Random, &service.operations, seed.0);
    Ok(Load::Open(plan.map_err(CliError::new)?))
}

/// What a load gave.
struct Found<'a> {
    name: &'a str,
    slice: &'a Slice,
    all: Tally,
    facts: Vec<Fact>,
}

impl Found<'_> {
    /// Would a percentile be that of the service at this load?
    fn is_of_the_service(&self) -> bool {
        !self.facts.iter().any(|fact| fact.is_of_the_generator() || matches!(fact, Fact::Behind { .. }))
    }

    /// How long it was counted.
    fn counted_for(&self) -> Duration {
        Duration::from_nanos(self.slice.length.saturating_sub(self.slice.lead_in))
    }

    fn print(&self, arguments: &Arguments, stage: &mut Stage<'_>) -> Result<(), CliError> {
        let Self { name, all: Tally { planned, answered, .. }, .. } = self;
        let layout = arguments.telling.of_tables(stage.world.layout());
        let seconds = words::duration(self.counted_for().as_secs_f64());
        let served = quantity(self.slice.served(), &Unit::new("requests/s"));
        let of = counted(*planned as usize, "request");
        let line = format!("{name}: {answered} of {of} answered in {seconds}, {served}");
        writeln!(stage.out, "{}", wrapped(&plain(&line), layout, 2))?;
        if let Some(errors) = self.errors() {
            writeln!(stage.out, "{}", wrapped(&plain(&errors), layout, 2))?;
        }
        if *answered > 0 && self.is_of_the_service() {
            write!(stage.out, "\n{}", self.table(layout))?;
        }
        for sentence in self.sentences() {
            writeln!(stage.out, "\n{}", wrapped(&format!("warning: {sentence}"), layout, "warning: ".len()))?;
        }
        Ok(())
    }

    /// `errors: 12, 0.12 % of all: 10 connection refused, 2 no answer in time`
    fn errors(&self) -> Option<String> {
        let Tally { unsent, failures, .. } = &self.all;
        let failed = self.all.failed() + unsent;
        let kinds = failures.iter().map(|(failure, count)| format!("{count} {failure}"));
        let unsent = (*unsent > 0).then(|| format!("{unsent} not sent before the end"));
        let kinds: Vec<String> = kinds.chain(unsent).collect();
        let share = size(self.all.errors());
        (failed > 0).then(|| format!("errors: {failed}, {share} of all: {}", kinds.join(", ")))
    }

    fn table(&self, layout: evenhand_report::Layout) -> Table {
        let headings: Vec<&str> =
            [""].into_iter().chain(SHOWN.map(|(name, ..)| name)).chain(["max"]).collect();
        let mut table = Table::new(&headings, layout);
        let time = |time: Option<u64>| {
            let written = |time: u64| quantity_in(layout.time_unit, time as f64, &Unit::nanoseconds());
            time.map(written).unwrap_or_default()
        };
        let mut row = |name: &str, percentiles: [Option<u64>; 4], max: Option<u64>| {
            let cells = percentiles.into_iter().chain([max]).map(time);
            table.row([name.to_owned()].into_iter().chain(cells).collect());
        };
        let Tally { response, service, late, .. } = &self.all;
        row("response", responses(&self.all), response.max());
        for tally in self.operations() {
            row(&format!("  {}", tally.name), responses(tally), tally.response.max());
        }
        row("service time", self.percentiles(service), service.max());
        row("evenhand late", self.percentiles(late), late.max());
        table
    }

    /// Each of them, where there are several.
    fn operations(&self) -> &[Tally] {
        let operations = &self.slice.operations;
        if operations.len() > 1 { operations } else { &[] }
    }

    fn percentiles(&self, times: &Times) -> [Option<u64>; 4] {
        SHOWN.map(|(_, q, needed)| times.percentile(q).filter(|_| times.count() >= needed))
    }

    fn sentences(&self) -> Vec<String> {
        let of = |fact: &Fact| match *fact {
            Fact::GeneratorBusy { share } => Some(words::service::generator_busy(share)),
            Fact::GeneratorLate { late, response } => Some(words::service::generator_late(late, response)),
            Fact::GeneratorWithoutSockets { requests } => {
                Some(words::service::generator_without_sockets(requests))
            }
            Fact::Behind { waiting, planned } => Some(words::service::fell_behind(waiting, planned)),
            // The line of errors says it.
            Fact::Failures { .. } => None,
        };
        let sentences: Vec<String> = self.facts.iter().filter_map(of).collect();
        let withheld = (!self.is_of_the_service()).then(|| words::service::no_percentiles().to_owned());
        sentences.into_iter().chain(withheld).collect()
    }

    fn status(&self, interrupt: &Interrupt, stage: &mut Stage<'_>) -> Result<u8, CliError> {
        if interrupt.is_requested() {
            stage.err.say(&Message::warning("interrupted; what was answered until then counts"))?;
            return Ok(error::INTERRUPTED);
        }
        if self.all.answered > 0 || self.all.planned == 0 {
            return Ok(error::DONE);
        }
        let message = format_args!("{} answered none of {} requests", self.name, self.all.planned);
        stage.err.say(&Message::error(message))?;
        Ok(error::COMMAND_FAILED)
    }

    fn in_json(&self, traffic: Traffic, seed: Seed, service: &Service) -> Json<'_> {
        let Tally { planned, answered, unsent, failures, response, service: served, late, .. } = &self.all;
        let is_shown = self.is_of_the_service();
        let times = |percentiles: [Option<u64>; 4], max| is_shown.then(|| Percentiles::of(percentiles, max));
        let (rate, clients) = match traffic {
            Traffic::Rate(rate) => (Some(rate), None),
            Traffic::Clients(clients) => (None, Some(clients)),
            Traffic::Rising(_) => (None, None),
        };
        Json {
            schema_version: 1,
            service: self.name,
            address: service.address.to_string(),
            rate,
            clients,
            seed,
            seconds: self.counted_for().as_secs_f64(),
            planned: *planned,
            answered: *answered,
            unsent: *unsent,
            errors: by_kind(failures),
            served_per_second: self.slice.served(),
            response_ns: times(responses(&self.all), response.max()),
            service_ns: times(self.percentiles(served), served.max()),
            late_ns: times(self.percentiles(late), late.max()),
            operations: self
                .operations()
                .iter()
                .map(|tally| OfOperation {
                    name: &tally.name,
                    planned: tally.planned,
                    answered: tally.answered,
                    errors: by_kind(&tally.failures),
                    response_ns: times(responses(tally), tally.response.max()),
                })
                .collect(),
            warnings: self.sentences(),
        }
    }
}

/// Over all that was planned; `None` where too few requests tell, or one without an answer stands there.
pub(super) fn responses(all: &Tally) -> [Option<u64>; 4] {
    SHOWN.map(|(_, q, needed)| match all.response_at(q).filter(|_| all.planned >= needed) {
        Some(Percentile::Answered(time)) => Some(time),
        _ => None,
    })
}

pub(super) fn write_json(value: &impl Serialize, stage: &mut Stage<'_>) -> Result<(), CliError> {
    serde_json::to_writer(&mut *stage.out, value).map_err(std::io::Error::from)?;
    Ok(writeln!(stage.out)?)
}

fn by_kind(failures: &BTreeMap<RequestFailure, u64>) -> BTreeMap<String, u64> {
    failures.iter().map(|(failure, count)| (failure.to_string(), *count)).collect()
}

/// The form of `--json`; docs/load.md describes it.
#[derive(Serialize)]
struct Json<'a> {
    schema_version: u32,
    service: &'a str,
    address: String,
    rate: Option<f64>,
    clients: Option<usize>,
    seed: Seed,
    seconds: f64,
    planned: u64,
    answered: u64,
    unsent: u64,
    errors: BTreeMap<String, u64>,
    served_per_second: f64,
    response_ns: Option<Percentiles>,
    service_ns: Option<Percentiles>,
    late_ns: Option<Percentiles>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<OfOperation<'a>>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct OfOperation<'a> {
    name: &'a str,
    planned: u64,
    answered: u64,
    errors: BTreeMap<String, u64>,
    response_ns: Option<Percentiles>,
}

#[derive(Serialize)]
pub(super) struct Percentiles {
    p50: Option<u64>,
    p90: Option<u64>,
    p99: Option<u64>,
    p99_9: Option<u64>,
    max: Option<u64>,
}

impl Percentiles {
    pub(super) fn of([p50, p90, p99, p99_9]: [Option<u64>; 4], max: Option<u64>) -> Self {
        Self { p50, p90, p99, p99_9, max }
    }
}
