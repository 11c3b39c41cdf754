//! How is a slice run, and when is it of no use? The executor whose turn is a slice of load on a service.
//!
//! Tests: `tests/service.rs`.

use super::climb::{Capacity, Climb, Promise};
use super::columns::{Columns, Loaded};
use super::shape::{Shape, Traffic};
use super::stall::Answers;
use super::starting::{Recipe, Started, Starts};
use crate::executor::{DueTurn, Executor, Patience};
use crate::finish::{ExecutorError, NoSample};
use crate::platform::Monotonic;
use crate::platform::interrupt::Interrupt;
use evenhand_load::{
    Fact, Load, LoadError, LoadPlan, Percentile, Rate, Service, Slice, Spacing, Tally, run_until,
};
use evenhand_trial::{ArmId, Metric, Note, Reason, Round, Seed};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A service that takes more than this part of a processor, in percent, while another is loaded has work of its own, such as
/// compaction.
const IDLE: f64 = 2.0;

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
    /// What a rising rate breaks.
    promise: Promise,
    shape: Shape,
    columns: Columns,
    interrupt: Interrupt,
    clock: Monotonic,
    observed: BTreeMap<ArmId, Observed>,
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
    /// For how long others were loaded while it ran, and the processor time that it took meanwhile, in nanoseconds.
    idle: u64,
    busy_while_idle: u64,
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
        let operations = targets.first().map_or(&[][..], |target| &target.service.operations);
        let columns = Columns::new(traffic, &shape, operations, starts != Starts::Never);
        Self {
            targets: targets.into_iter().map(with_lead_in).collect(),
            starts,
            started: BTreeMap::new(),
            traffic,
            promise: Promise::default(),
            shape,
            columns,
            interrupt,
            clock: Monotonic::start(),
            observed: BTreeMap::new(),
        }
    }

    /// What a rising rate breaks: without it, the first error.
    #[must_use]
    pub fn promising(self, promise: Promise) -> Self {
        Self { promise, ..self }
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
        for (arm, observed) in &self.observed {
            let Observed { slices, planned, failed, behind, busy, late, .. } = *observed;
            let arm = || name(arm);
            notes.extend((behind > 0).then(|| Note::FellBehind { arm: arm(), slices: behind, of: slices }));
            notes.extend((busy > 0).then(|| Note::GeneratorBusy { arm: arm(), slices: busy, of: slices }));
            notes.extend((late > 0).then(|| Note::GeneratorLate { arm: arm(), slices: late, of: slices }));
            notes.extend((failed > 0).then(|| Note::RequestsFailed {
                arm: arm(),
                requests: failed,
                of: planned,
            }));
            notes.extend(observed.idle_percent().map(|percent| Note::BusyWhileIdle { arm: arm(), percent }));
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
        let before = self.processors();
        let started = self.clock.nanoseconds();
        let loaded = self.slice(&service, turn.payload, &mut answers);
        let (slice, capacity) = loaded.map_err(|error| ExecutorError(error.to_string()))?;
        let after = self.processors();
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
            capacity,
            processor: taken(turn.arm, &before, &after),
            memory: self.started.get(&turn.arm).and_then(Started::memory),
        };
        round.push(turn.arm, Some(turn.position), Some(started), 1, self.columns.values(&loaded));
        if !is_warm_up(turn) {
            self.observed.entry(turn.arm).or_default().take(&slice, &all, capacity);
            self.watch_idle(turn.arm, slice.elapsed, &before, &after);
        }
        Ok(())
    }

    /// The processor time of each service that we have started and that runs.
    fn processors(&self) -> BTreeMap<ArmId, u64> {
        let processor = |(arm, started): (&ArmId, &Started)| Some((*arm, started.processor()?));
        self.started.iter().filter_map(processor).collect()
    }

    /// What the other services did while one was loaded.
    fn watch_idle(
        &mut self,
        loaded: ArmId,
        time: u64,
        before: &BTreeMap<ArmId, u64>,
        after: &BTreeMap<ArmId, u64>,
    ) {
        for arm in after.keys().filter(|arm| **arm != loaded) {
            let idle = self.observed.entry(*arm).or_default();
            idle.idle += time;
            idle.busy_while_idle += taken(*arm, before, after).unwrap_or(0);
        }
    }

    /// Says that a service has ended rather than that it did not answer.
    fn why_of_no_use(&mut self, arm: ArmId, all: &Tally) -> Option<String> {
        let why = why_of_no_use(all)?;
        let ended = self.started.get_mut(&arm).and_then(|started| started.ended("while it was loaded"));
        Some(ended.map_or(why, |ended| ended.to_string()))
    }

    fn slice(
        &self,
        service: &Service,
        seed: Seed,
        answers: &mut Answers,
    ) -> Result<(Slice, Option<Capacity>), LoadError> {
        let Shape { length, lead_in, .. } = self.shape;
        let whole = self.shape.whole();
        let open = |rate: Rate| {
            Ok::<_, LoadError>(Load::Open(LoadPlan::new(rate, Spacing::Random, &service.operations, seed.0)?))
        };
        let interrupted = || self.interrupt.is_requested();
        let load = match self.traffic {
            Traffic::Rate(rate) => open(Rate::constant(rate, whole)?)?,
            Traffic::Clients(clients) => Load::Closed { clients, length: whole, seed: seed.0 },
            Traffic::Rising(rise) => {
                let rate = Rate::constant(rise.from, lead_in)?.then(Rate::ramp(rise.from, rise.to, length)?);
                let climb = RefCell::new(Climb::new(&self.promise, rise, lead_in, length));
                let is_over = || interrupted() || climb.borrow().is_over();
                let slice = run_until(
                    service,
                    open(rate)?,
                    &mut |request| climb.borrow_mut().push(request),
                    &is_over,
                )?;
                let capacity = climb.borrow().capacity();
                return Ok((slice, Some(capacity)));
            }
        };
        let slice = run_until(service, load, &mut |request| answers.push(request), &interrupted)?;
        Ok((slice, None))
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
    /// The part of a processor that it took while another was loaded, in percent, if that is much.
    fn idle_percent(&self) -> Option<f64> {
        let percent = (100.0 * self.busy_while_idle as f64 / self.idle as f64).round();
        (percent >= IDLE).then_some(percent)
    }

    fn take(&mut self, slice: &Slice, all: &Tally, capacity: Option<Capacity>) {
        let facts = slice.facts();
        let any = |wanted: fn(&Fact) -> bool| u64::from(facts.iter().any(wanted));
        self.slices += 1;
        if let Some(capacity) = capacity {
            // A load that rises until it is too much is too much in the end.
            self.busy += u64::from(capacity == Capacity::Ours);
            return;
        }
        self.planned += all.planned;
        self.failed += all.failed() + all.unsent;
        self.behind += any(|fact| matches!(fact, Fact::Behind { .. }));
        self.late += any(|fact| matches!(fact, Fact::GeneratorLate { .. }));
        self.busy +=
            any(|fact| matches!(fact, Fact::GeneratorBusy { .. } | Fact::GeneratorWithoutSockets { .. }));
    }
}

/// The processor time that a service has taken in between.
fn taken(arm: ArmId, before: &BTreeMap<ArmId, u64>, after: &BTreeMap<ArmId, u64>) -> Option<u64> {
    Some(after.get(&arm)?.saturating_sub(*before.get(&arm)?))
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
