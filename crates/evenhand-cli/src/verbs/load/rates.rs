//! How do the response times of one service depend on the load? The same service at several rates, a row for each.
//!
//! Tests: `tests/program/load.rs`.

use super::alone::{SHOWN, open, responses};
use super::task::LoadTask;
use super::{Arguments, alone};
use crate::chance::chance;
use crate::{CliError, Stage, error};
use evenhand_analysis::words::{self, duration, quantity, quantity_in, size};
use evenhand_load::{Fact, Service, Slice, Tally, run_until};
use evenhand_measure::command::Interrupt;
use evenhand_report::Layout;
use evenhand_report::message::Message;
use evenhand_report::plain::plain;
use evenhand_report::table::Table;
use evenhand_report::wrap::wrapped;
use evenhand_trial::{ArmId, LaunchId, RoundId, Schedule, Seed, Unit};
use serde::Serialize;
use std::time::Duration;

const USUAL_TIME: Duration = Duration::from_secs(5);

/// What a service did at a rate, in one slice or several.
pub(super) struct AtRate {
    pub rate: f64,
    pub all: Tally,
    /// Answers a second.
    pub served: f64,
    /// What is not as it should be: the service fell behind, evenhand was late or the limit.
    pub facts: Vec<Fact>,
}

/// `--sweep`: each rate once, in random order, so that what changes meanwhile is not taken for the rate's doing.
pub(super) fn run(
    arguments: &Arguments,
    task: &LoadTask,
    interrupt: &Interrupt,
    stage: &mut Stage<'_>,
) -> Result<u8, CliError> {
    let (target, _started, service) = alone::target(task, interrupt)?;
    let time = arguments.time.map_or(USUAL_TIME, |time| time.0);
    let seed = arguments.deciding.seed.unwrap_or_else(|| Seed(chance()));
    let mut found = Vec::new();
    for (place, rate) in in_random_order(&task.rates, seed).into_iter().enumerate() {
        let now = format_args!("{} of {}: {rate} requests/s", place + 1, task.rates.len());
        alone::announce(arguments, &now, stage)?;
        let slice = slice_at(&service, rate, time, Seed(seed.0.wrapping_add(place as u64)), interrupt)?;
        if interrupt.is_requested() {
            stage.err.say(&Message::warning("interrupted; the rates before count"))?;
            break;
        }
        found.push(AtRate::of(rate, &slice));
    }
    found.sort_by(|one, other| one.rate.total_cmp(&other.rate));
    if arguments.telling.json {
        let rates = found.iter().map(AtRate::in_json).collect();
        alone::write_json(&Json { schema_version: 1, service: &target.name, seed, rates }, stage)?;
    } else {
        let seconds = duration(time.as_secs_f64());
        let head = format!("{}: {} rates, {seconds} each", target.name, found.len());
        print(&head, &found, arguments, stage)?;
    }
    Ok(if interrupt.is_requested() { error::INTERRUPTED } else { error::DONE })
}

fn in_random_order(rates: &[f64], seed: Seed) -> Vec<f64> {
    let places: Vec<ArmId> = (0..rates.len() as u32).map(ArmId).collect();
    let order = Schedule::new(seed).round(0, &places, LaunchId(0), RoundId(0));
    order.into_iter().filter_map(|place| rates.get(place.index()).copied()).collect()
}

/// Loads a service at a rate.
pub(super) fn slice_at(
    service: &Service,
    rate: f64,
    time: Duration,
    seed: Seed,
    interrupt: &Interrupt,
) -> Result<Slice, CliError> {
    let lead_in = alone::lead_in(time);
    let service = Service { lead_in, ..service.clone() };
    let load = open(rate, &service, lead_in.saturating_add(time), seed)?;
    run_until(&service, load, &mut |_| {}, &|| interrupt.is_requested()).map_err(CliError::new)
}

impl AtRate {
    pub(super) fn of(rate: f64, slice: &Slice) -> Self {
        Self { rate, all: slice.all(), served: slice.served(), facts: slice.facts() }
    }

    /// Whether the service fell behind: how long its answers take then depends on how long it was loaded.
    pub(super) fn is_behind(&self) -> bool {
        self.facts.iter().any(|fact| matches!(fact, Fact::Behind { .. }))
    }

    /// Whether evenhand itself was late, so that the response times have that in them.
    pub(super) fn is_late(&self) -> bool {
        self.facts.iter().any(|fact| matches!(fact, Fact::GeneratorLate { .. }))
    }

    /// Whether evenhand itself was the limit.
    pub(super) fn is_ours(&self) -> bool {
        self.facts
            .iter()
            .any(|fact| fact.is_of_the_generator() && !matches!(fact, Fact::GeneratorLate { .. }))
    }

    fn responses(&self) -> [Option<u64>; 4] {
        if self.has_times() { responses(&self.all) } else { [None; 4] }
    }

    /// Whether its times are those of the service at this rate.
    fn has_times(&self) -> bool {
        !self.is_behind() && !self.is_ours()
    }

    pub(super) fn in_json(&self) -> Row {
        Row {
            rate: self.rate,
            served_per_second: self.served,
            errors: self.all.errors(),
            response_ns: self
                .has_times()
                .then(|| alone::Percentiles::of(self.responses(), self.all.response.max())),
            fell_behind: self.is_behind(),
            evenhand_was_late: self.is_late(),
            evenhand_was_the_limit: self.is_ours(),
        }
    }
}

/// A rate in the form of `--json`; docs/load.md describes it.
#[derive(Serialize)]
pub(super) struct Row {
    rate: f64,
    served_per_second: f64,
    errors: f64,
    response_ns: Option<alone::Percentiles>,
    fell_behind: bool,
    evenhand_was_late: bool,
    evenhand_was_the_limit: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    schema_version: u32,
    service: &'a str,
    seed: Seed,
    rates: Vec<Row>,
}

/// A line and the table below it, and why some rows have no times.
pub(super) fn print(
    head: &str,
    found: &[AtRate],
    arguments: &Arguments,
    stage: &mut Stage<'_>,
) -> Result<(), CliError> {
    let layout = arguments.telling.of_tables(stage.world.layout());
    writeln!(stage.out, "{}\n", wrapped(&plain(head), layout, 2))?;
    write!(stage.out, "{}", table(found, layout))?;
    let rates = |is: fn(&AtRate) -> bool| {
        let rates: Vec<String> = found.iter().filter(|at| is(at)).map(|at| plain_rate(at.rate)).collect();
        (!rates.is_empty()).then(|| rates.join(", "))
    };
    let behind =
        rates(|at| at.is_behind() && !at.is_ours()).map(|rates| words::service::fell_behind_at(&rates));
    let ours = rates(AtRate::is_ours).map(|rates| words::service::generator_at(&rates));
    let late = rates(|at| at.is_late() && !at.is_ours()).map(|rates| words::service::late_at(&rates));
    for sentence in [behind, ours, late].into_iter().flatten() {
        writeln!(stage.out, "\n{}", wrapped(&format!("note: {sentence}"), layout, "note: ".len()))?;
    }
    Ok(())
}

fn plain_rate(rate: f64) -> String {
    quantity(rate, &Unit::count())
}

fn table(found: &[AtRate], layout: Layout) -> Table {
    let headings = ["requests/s"].into_iter().chain(SHOWN.map(|(name, ..)| name)).chain(["served", "errors"]);
    let mut table = Table::new(&headings.collect::<Vec<_>>(), layout);
    let time = |time: u64| quantity_in(layout.time_unit, time as f64, &Unit::nanoseconds());
    for at in found {
        let times = at.responses().map(|response| response.map(time).unwrap_or_default());
        let ends = [plain_rate(at.served), size(at.all.errors())];
        table.row([plain_rate(at.rate)].into_iter().chain(times).chain(ends).collect());
    }
    table
}
