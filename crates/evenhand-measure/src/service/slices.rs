//! How is a slice run, and when is it of no use? The executor whose turn is a slice of load on a service.
//!
//! Tests: `tests/service.rs`.

use super::columns::{Columns, Loaded};
use super::shape::{Shape, Traffic};
use super::stall::Answers;
use super::starting::{Recipe, Started, Starts};
use crate::executor::{DueTurn, Executor, Patience};
use crate::finish::{ExecutorError, NoSample};
use crate::platform::Monotonic;
use crate::platform::family::Used;
use crate::platform::interrupt::Interrupt;
use evenhand_load::{
    Fact, Load, LoadError, LoadPlan, Percentile, Rate, Service, Slice, Spacing, Tally, run_until,
};
use evenhand_trial::{ArmId, Metric, Note, Reason, Round, Seed};
use std::collections::BTreeMap;

/// A service that is compared with others.
#[derive(Debug, Clone)]
pub struct Target {
    /// What people call it.
    pub name: String,
    /// Where it is, unless we start it, and what is asked of it.
    pub service: Service,
    /// How we start it.
    pub recipe: Option<Recipe>,
}

/// Puts load on services, a slice a turn.
#[derive(Debug)]
pub struct Slices {
    targets: Vec<Target>,
    starts: Starts,
    /// Those that we have started.
    started: BTreeMap<ArmId, Started>,
    traffic: Traffic,
    shape: Shape,
    columns: Columns,
    interrupt: Interrupt,
    clock: Monotonic,
    seen: BTreeMap<ArmId, Observed>,
}

/// What was seen of a service in all of its slices.
#[derive(Debug, Clone, Copy, Default)]
struct Observed {
    slices: u64,
    planned: u64,
    failed: u64,
    /// Slices in which it fell behind.
    behind: u64,
    /// Slices in which the generator had no time to spare, or was late.
    busy: u64,
    late: u64,
}

impl Slices {
    /// Gets ready to load services, in the order of their arms. Nothing is started or sent yet.
    pub fn new(
        targets: Vec<Target>,
        starts: Starts,
        traffic: Traffic,
        shape: Shape,
        interrupt: Interrupt,
    ) -> Self {
        let with_lead_in = |target: Target| {
            let service = Service { lead_in: shape.lead_in, ..target.service };
            Target { service, ..target }
        };
        Self {
            targets: targets.into_iter().map(with_lead_in).collect(),
            starts,
            started: BTreeMap::new(),
            traffic,
            shape,
            columns: Columns::new(traffic, &shape, starts != Starts::Never),
            interrupt,
            clock: Monotonic::start(),
            seen: BTreeMap::new(),
        }
    }

    /// What is told of every slice, what decides first.
    pub fn metrics(&self) -> Vec<Metric> {
        self.columns.metrics()
    }

    /// What a reader of the record should know.
    pub fn notes(&self) -> Vec<Note> {
        let name = |arm: &ArmId| self.targets.get(arm.index()).map_or("", |target| &target.name).to_owned();
        let mut notes: Vec<Note> = match self.starts {
            Starts::Never => vec![Note::RunningInstances],
            Starts::Once => vec![Note::ServicesStartedOnce],
            Starts::EverySlice => Vec::new(),
        };
        notes.extend(self.pinned_to().map(|cpus| Note::PinnedTo { cpus }));
        for (arm, seen) in &self.seen {
            let Observed { slices, planned, failed, behind, busy, late } = *seen;
            let arm = || name(arm);
            notes.extend((behind > 0).then(|| Note::FellBehind { arm: arm(), slices: behind, of: slices }));
            notes.extend((busy > 0).then(|| Note::GeneratorBusy { arm: arm(), slices: busy, of: slices }));
            notes.extend((late > 0).then(|| Note::GeneratorLate { arm: arm(), slices: late, of: slices }));
            notes.extend((failed > 0).then(|| Note::RequestsFailed {
                arm: arm(),
                requests: failed,
                of: planned,
            }));
        }
        notes
    }

    /// The processors that services which we start are kept to.
    fn pinned_to(&self) -> Option<Vec<u32>> {
        let recipe = self.targets.iter().find_map(|target| target.recipe.as_ref())?;
        Some(recipe.cpus.clone()).filter(|cpus| !cpus.is_empty())
    }

    fn target(&self, arm: ArmId) -> Result<&Target, ExecutorError> {
        self.targets.get(arm.index()).ok_or_else(|| ExecutorError(format!("there is no service {}", arm.0)))
    }

    /// Starts a service, if that is how it comes to run.
    fn start(&mut self, arm: ArmId) -> Result<(), NoSample> {
        let Target { service, recipe: Some(recipe), .. } = self.target(arm)? else { return Ok(()) };
        match Started::of(recipe, service, &self.interrupt) {
            Ok(started) => {
                self.started.insert(arm, started);
                Ok(())
            }
            Err(_) if self.interrupt.is_requested() => Err(NoSample::Interrupted),
            Err(down) => {
                let reason = Reason::Other { message: down.to_string() };
                Err(NoSample::Failed { arm, reason, seconds: None })
            }
        }
    }

    /// Loads the service of a turn, and adds its numbers to the round.
    fn load(&mut self, turn: &DueTurn, round: &mut Round) -> Result<(), NoSample> {
        let service = match self.started.get(&turn.arm) {
            Some(started) => started.service().clone(),
            None => self.target(turn.arm)?.service.clone(),
        };
        let mut answers = Answers::default();
        let before = self.used(turn.arm);
        let started = self.clock.nanoseconds();
        let slice = self.slice(&service, turn.payload, &mut answers);
        let slice = slice.map_err(|error| ExecutorError(error.to_string()))?;
        let after = self.used(turn.arm);
        if self.interrupt.is_requested() {
            return Err(NoSample::Interrupted);
        }
        let all = slice.all();
        if let Some(message) = self.why_of_no_use(turn.arm, &all) {
            let seconds = Some(slice.elapsed as f64 / 1e9);
            return Err(NoSample::Failed { arm: turn.arm, reason: Reason::Other { message }, seconds });
        }
        let loaded = Loaded {
            slice: &slice,
            all: &all,
            stalled: answers.stalled(all.response.percentile(0.5).unwrap_or(0)),
            timeout: service.timeout,
            used: before.zip(after).map(|(before, after)| Used {
                processor: after.processor.saturating_sub(before.processor),
                ..after
            }),
        };
        round.push(turn.arm, Some(turn.position), Some(started), 1, self.columns.values(&loaded));
        if !is_warm_up(turn) {
            self.seen.entry(turn.arm).or_default().take(&slice, &all);
        }
        Ok(())
    }

    fn used(&self, arm: ArmId) -> Option<Used> {
        self.started.get(&arm)?.used()
    }

    /// Says that a service has ended rather than that it did not answer.
    fn why_of_no_use(&mut self, arm: ArmId, all: &Tally) -> Option<String> {
        let why = why_of_no_use(all)?;
        let ended = self.started.get_mut(&arm).and_then(|started| started.ended("while it was loaded"));
        Some(ended.map_or(why, |ended| ended.to_string()))
    }

    fn slice(&self, service: &Service, seed: Seed, answers: &mut Answers) -> Result<Slice, LoadError> {
        let length = self.shape.whole();
        let load = match self.traffic {
            Traffic::Rate(rate) => {
                let rate = Rate::constant(rate, length)?;
                Load::Open(LoadPlan::new(rate, Spacing::Random, &service.operations, seed.0)?)
            }
            Traffic::Clients(clients) => Load::Closed { clients, length, seed: seed.0 },
        };
        let interrupt = &self.interrupt;
        run_until(service, load, &mut |request| answers.push(request), &|| interrupt.is_requested())
    }
}

impl Executor for Slices {
    fn begin(&mut self, arms: &[ArmId], _: &mut dyn Patience) -> Result<(), ExecutorError> {
        if self.starts != Starts::Once {
            return Ok(());
        }
        for arm in arms {
            let name = self.target(*arm)?.name.clone();
            // An interrupted start is said by the first turn.
            if let Err(NoSample::Failed { reason, .. }) = self.start(*arm) {
                return Err(ExecutorError(format!("{name} {reason}")));
            }
        }
        Ok(())
    }

    /// A slice is as long as it was settled to be: ended by the clock, it would be another measurement.
    fn turn(&mut self, turn: &DueTurn, round: &mut Round, _: &mut dyn Patience) -> Result<(), NoSample> {
        if self.starts != Starts::EverySlice {
            return self.load(turn, round);
        }
        self.start(turn.arm)?;
        let loaded = self.load(turn, round);
        self.started.remove(&turn.arm);
        loaded
    }

    fn end(&mut self, _: &[ArmId], _: &mut dyn Patience) -> Result<(), ExecutorError> {
        self.started.clear();
        Ok(())
    }
}

impl Observed {
    fn take(&mut self, slice: &Slice, all: &Tally) {
        let facts = slice.facts();
        let any = |wanted: fn(&Fact) -> bool| u64::from(facts.iter().any(wanted));
        self.slices += 1;
        self.planned += all.planned;
        self.failed += all.planned - all.answered;
        self.behind += any(|fact| matches!(fact, Fact::Behind { .. }));
        self.late += any(|fact| matches!(fact, Fact::GeneratorLate { .. }));
        self.busy +=
            any(|fact| matches!(fact, Fact::GeneratorBusy { .. } | Fact::GeneratorWithoutSockets { .. }));
    }
}

/// Rounds of the warm-up count down from the largest number.
fn is_warm_up(turn: &DueTurn) -> bool {
    turn.round.0 > u64::MAX / 2
}

/// A service that does not answer most requests is not measured: a percentile of it would be that of its failures.
fn why_of_no_use(all: &Tally) -> Option<String> {
    if matches!(all.response_at(0.5), Some(Percentile::Answered(_))) {
        return None;
    }
    let Tally { planned, answered, .. } = all;
    let most = all.failures.iter().max_by_key(|(_, count)| **count);
    let why = most.map_or_else(String::new, |(failure, count)| format!(" ({failure}: {count})"));
    Some(match (planned, answered) {
        (0, _) => "got no request in a slice".to_owned(),
        (_, 0) => format!("answered none of {planned} requests in a slice{why}"),
        _ => format!("answered only {answered} of {planned} requests in a slice{why}"),
    })
}
