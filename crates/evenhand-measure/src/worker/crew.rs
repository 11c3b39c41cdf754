//! How do the arms of a group, each a worker of its own, take turns? They are started afresh for each launch, all on the same
//! processor, a quiet one, and hand the turn from one to the next on a page that they share; the host only says who comes when, and hears the
//! results. Workers without shared memory are asked for one turn after the other.
//!
//! Tests: `tests/worker/`.

use super::error::{WorkerError, WorkerErrorKind};
use super::iterations::Iterations;
use super::metrics::Layout;
use super::peer::{self, Peer, WorkerCommand};
use super::running::{FIRST_NUMBER, Running};
use super::{GREETING, READY};
use crate::command::{Interrupt, Pin, environment};
use crate::finish::{ExecutorError, NoSample};
use crate::launches::{Done, DueRound, Launched, Launcher};
use crate::noise;
use crate::platform::Monotonic;
use crate::platform::pinned::{self, Pinned};
use crate::platform::{addresses, affinity};
use evenhand_protocol::message::{Hello, Prepared, Results, Run, Sample, Turn};
use evenhand_protocol::page::{Futex, TurnPage};
use evenhand_protocol::turns::SLOTS;
use evenhand_trial::note::WhyNotPinned;
use evenhand_trial::{ArmId, LaunchId, Metric, Note, Reason, Round, Seed};
use std::collections::BTreeSet;
use std::time::Duration;

/// A turn is at least so long, or it is a batch: reading the clock and what it disturbs would be too large a part of it.
const SHORTEST_TURN: f64 = 2000.0;
/// And so many times the step of the clock.
const STEPS: f64 = 100.0;
/// And so many times what a reading costs.
const READINGS: f64 = 20.0;
/// A shorter function is taken for this long, in nanoseconds: nobody can see less in one run.
const SHORTEST: f64 = 0.5;
/// From here on a turn is often interrupted on a busy machine, and asking the system for that is a small part of it.
const WORTH_ASKING: f64 = 50_000.0;
/// An answer is due in so many times the time that the turns should take, and
const PATIENCE: u32 = 20;
/// a second, which is how long a dead machine can look alive.
const GRACE: Duration = Duration::from_secs(1);

/// An arm.
#[derive(Debug, Clone)]
pub struct Member {
    /// How its worker is started.
    pub launch: WorkerCommand,
    /// The place of its benchmark in the worker's list.
    pub benchmark: u32,
    /// What is known of it.
    pub prepared: Prepared,
    /// Who its worker is, with which clock.
    pub hello: Hello,
    /// How often it shall run in one turn, if not as often as the clock needs.
    pub iterations: Option<Iterations>,
}

/// How a crew works.
#[derive(Debug, Clone)]
pub struct Manner {
    /// On which processors.
    pub pin: Pin,
    /// Whether results that differ end the comparison.
    pub same_results: bool,
    /// Whether the two arms of a round run at the same time, each on a processor of its own.
    pub lockstep: bool,
    /// Whether all arms of a launch get the same addresses and the same hash seed, and others in the next launch. Otherwise each has its own.
    pub shared_layout: bool,
}

impl Default for Manner {
    fn default() -> Self {
        Self { pin: Pin::Auto, same_results: true, lockstep: false, shared_layout: false }
    }
}

/// All arms of a trial, of which one group runs.
#[derive(Debug)]
pub struct Crew {
    members: Vec<Member>,
    layout: Layout,
    manner: Manner,
    interrupt: Interrupt,
    clock: Monotonic,
    group: CrewGroup,
    running: Option<Running>,
    faults: Vec<WorkerError>,
    notes: Vec<Note>,
    /// Where launches ran.
    processors: BTreeSet<u32>,
}

/// What holds for all launches of a group.
#[derive(Debug, Default)]
struct CrewGroup {
    baseline: Option<ArmId>,
    iterations: u64,
    /// How long an iteration takes in which nothing is done, in nanoseconds: the same for all, so that it adds no noise.
    iteration: f64,
    /// Whether the time less the waiting for others is known.
    waits: bool,
    /// In lockstep: where each arm runs, by its place in the order of the launch.
    apart: Vec<u32>,
    /// A launch runs on one of these, or wherever it may.
    quiet: Vec<u32>,
    pinned: Option<Pinned>,
    /// The one processor that it is kept to.
    cpu: Option<u32>,
}

impl Crew {
    /// The arms in the order of their numbers.
    pub fn new(members: Vec<Member>, manner: Manner, interrupt: Interrupt) -> Self {
        Self {
            layout: Layout::new(members.iter().map(|member| &member.prepared)),
            members,
            manner,
            interrupt,
            clock: Monotonic::start(),
            group: CrewGroup::default(),
            running: None,
            faults: Vec::new(),
            notes: Vec::new(),
            processors: BTreeSet::new(),
        }
    }

    /// What is measured, `time` first.
    pub fn metrics(&self) -> &[Metric] {
        self.layout.metrics()
    }

    /// What was wrong with workers, in the order in which it happened.
    pub fn faults(&self) -> &[WorkerError] {
        &self.faults
    }

    /// What should be known of how it was measured.
    pub fn notes(&self) -> Vec<Note> {
        let cpus: Vec<u32> = self.processors.iter().copied().collect();
        let pinned = (!cpus.is_empty()).then_some(Note::EachLaunchOnOne { cpus });
        self.notes.iter().cloned().chain(pinned).collect()
    }

    fn note(&mut self, note: Note) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn member(&self, arm: ArmId) -> &Member {
        &self.members[arm.index()]
    }

    /// One turn of an arm, in nanoseconds.
    fn turn(&self, arm: ArmId) -> f64 {
        self.member(arm).prepared.once.max(SHORTEST) * self.group.iterations as f64
    }

    /// Remembers a fault, and says what it means for the measuring.
    fn failed(&mut self, arm: ArmId, fault: WorkerError) -> NoSample {
        if let Some(page) = self.running.as_ref().and_then(|running| running.page.as_ref()) {
            page.stop(&Futex);
        }
        if matches!(fault.what, WorkerErrorKind::Interrupted) {
            return NoSample::Interrupted;
        }
        let reason = fault.reason();
        self.faults.push(fault);
        NoSample::Failed { arm, reason, seconds: None }
    }

    fn set_apart(&mut self, processors: Vec<u32>) -> Result<(), ExecutorError> {
        if processors.len() < 2 {
            return Err(ExecutorError("--lockstep needs two CPUs: omit it, or see --pin".to_owned()));
        }
        self.note(Note::InLockstep { cpus: processors.clone() });
        self.group.apart = processors;
        Ok(())
    }

    /// Keeps what is started from now on to these processors.
    fn stay_on(&mut self, processors: &[u32]) {
        // What is kept to one processor could not be kept to another.
        self.group.pinned = None;
        self.group.cpu = None;
        self.group.pinned = pinned::pin(processors);
        match processors {
            _ if self.group.pinned.is_none() => self.note_free("the system refused it"),
            [only] => {
                self.group.cpu = Some(*only);
                self.processors.insert(*only);
            }
            several => self.note(Note::LaunchesOn { cpus: several.to_vec() }),
        }
    }

    fn note_free(&mut self, why: &str) {
        self.note(Note::NotPinned(WhyNotPinned::Refused { reason: why.to_owned() }));
    }

    fn start(&self, order: &[ArmId], layout: u32, draw: Seed) -> Result<Running, (ArmId, WorkerError)> {
        let (page, without_page) = shared_page(order.len());
        let mut running = Running {
            arms: order.to_vec(),
            peers: Vec::new(),
            began: Vec::new(),
            page,
            without_page,
            number: FIRST_NUMBER,
            round: Duration::from_nanos(order.iter().map(|arm| self.turn(*arm)).sum::<f64>() as u64),
        };
        for (position, arm) in (0..).zip(order) {
            let of_arm = |fault| (*arm, fault);
            let member = self.member(*arm);
            let mut launch = member.launch.clone();
            launch.choose_layout(layout);
            self.lay_out(&mut launch, position, draw);
            let apart = self.group.apart.get(position as usize);
            let _pinned = apart.and_then(|processor| pinned::pin(&[*processor]));
            let mut peer = Peer::start(&launch, running.page.as_ref(), &self.interrupt).map_err(of_arm)?;
            let hello = peer.greet(GREETING).map_err(of_arm)?;
            running.began.push(self.clock.nanoseconds());
            if !hello.turns {
                running.page = None;
                running.without_page = running.without_page.or(Some("a worker takes no turns on a page"));
            }
            peer.prepare(member.benchmark, READY).map_err(of_arm)?;
            running.peers.push(peer);
        }
        Ok(running)
    }

    /// Where the worker's memory lies is drawn from the luck of the launch: by its place in the order, or for all arms alike. Either way no
    /// arm has a place of its own over all launches.
    fn lay_out(&self, launch: &mut WorkerCommand, position: u32, draw: Seed) {
        let shared = self.manner.shared_layout;
        let place = if shared { 0 } else { position };
        let mut set = |name: &str, value: String| launch.environment.insert(name.into(), value.into());
        set(environment::PADDING, environment::value(draw, place));
        if shared {
            set("EVENHAND_SEED", draw.0.to_string());
            // Python takes 32 bits, and reads it before any program of ours runs.
            set("PYTHONHASHSEED", (draw.0 as u32).to_string());
            launch.stack = Some(addresses::stack(draw.0));
        }
    }

    fn request(&self, slot: usize, turns: Vec<Turn>) -> Run {
        Run { iterations: self.group.iterations, slot: slot as u8, waits: self.group.waits, turns }
    }

    /// All turns at once, handed on on the page.
    fn on_page(
        &self,
        running: &mut Running,
        page: &TurnPage,
        rounds: &[DueRound],
    ) -> Result<Vec<Results>, (usize, WorkerError)> {
        let within = self.within(running, rounds.len());
        running.begin_again_in_time(page, rounds.len());
        let first = running.number;
        let lockstep = self.manner.lockstep && running.arms.len() == 2;
        let (turns, starters) = if lockstep { running.in_lockstep(rounds) } else { running.in_turns(rounds) };
        for (slot, turns) in turns.into_iter().enumerate() {
            running.peers[slot].run(self.request(slot, turns), within).map_err(|fault| (slot, fault))?;
        }
        starters.iter().for_each(|slot| page.hand(*slot, first, &Futex));
        peer::results(&mut running.peers, &self.interrupt, within)
    }

    /// One request for each turn.
    fn one_by_one(
        &self,
        running: &mut Running,
        rounds: &[DueRound],
    ) -> Result<Vec<Results>, (usize, WorkerError)> {
        let within = self.within(running, 1);
        let nothing = Results { verification: 0, samples: Vec::new() };
        let mut all = vec![nothing; running.arms.len()];
        for round in rounds {
            let slots: Vec<usize> = round.order.iter().filter_map(|arm| running.slot(*arm)).collect();
            for slot in slots {
                let turns = vec![Turn { payload: round.payload.0, handed: None }];
                let peer = &mut running.peers[slot..=slot];
                peer[0].run(self.request(slot, turns), within).map_err(|fault| (slot, fault))?;
                let found =
                    peer::results(peer, &self.interrupt, within).map_err(|(_, fault)| (slot, fault))?;
                for results in found {
                    all[slot].verification = all[slot].verification.rotate_left(1) ^ results.verification;
                    all[slot].samples.extend(results.samples);
                }
            }
        }
        Ok(all)
    }

    fn within(&self, running: &Running, rounds: usize) -> Duration {
        GRACE + running.round * PATIENCE * rounds as u32
    }

    /// Hands the results on round by round.
    fn hand_on(
        &mut self,
        running: &Running,
        results: &[Results],
        due: &[DueRound],
        round: &mut Round,
        done: &mut Done<'_>,
    ) -> Result<(), NoSample> {
        self.group.waits &= all_know_their_waits(results);
        self.refuse_other_results(running, results)?;
        for (place, due) in due.iter().enumerate() {
            self.fill(round, due, place, running, results);
            done(round)?;
        }
        Ok(())
    }

    /// Fills the samples of a round in, in the order in which they ran. `place`: where it is among those that were asked for.
    fn fill(&self, round: &mut Round, due: &DueRound, place: usize, running: &Running, results: &[Results]) {
        round.begin(due.launch, due.number);
        for (position, arm) in (0..).zip(&due.order) {
            let Some(slot) = running.slot(*arm) else { continue };
            let Some(sample) = results[slot].samples.get(place) else { continue };
            let (time, wall) = self.time_and_wall(sample, self.dither(*arm, due.payload, position));
            let (started, iterations) = (Some(running.began[slot] + sample.started), self.group.iterations);
            let values = self.layout.values(*arm, iterations, time, wall, &sample.values);
            round.push(*arm, Some(position), started, iterations, values);
        }
    }

    /// Part of a step of the clock. Times that are whole steps would tie with each other all the time, and hypothetical effects
    /// between two steps would look refuted.
    fn dither(&self, arm: ArmId, draw: Seed, position: u32) -> f64 {
        self.member(arm).hello.resolution * unsteady(draw, position)
    }

    fn time_and_wall(&self, sample: &Sample, dither: f64) -> (f64, f64) {
        let looping = self.group.iteration * self.group.iterations as f64;
        let wall = (sample.wall - looping + dither).max(0.0);
        let time = if self.group.waits && sample.waited < wall { wall - sample.waited } else { f64::NAN };
        (time, wall)
    }

    /// Whether all gave the same results, as far as they say.
    fn refuse_other_results(&self, running: &Running, results: &[Results]) -> Result<(), NoSample> {
        let of = |arm: ArmId| running.slot(arm).map_or(0, |slot| results[slot].verification);
        let wanted = self.group.baseline.map_or(0, of);
        let differs = |arm: &&ArmId| ![0, wanted].contains(&of(**arm));
        match running.arms.iter().find(differs) {
            Some(arm) if self.manner.same_results && wanted != 0 => {
                let message = "for the same input".to_owned();
                let reason = Reason::WrongResult { message };
                Err(NoSample::Failed { arm: *arm, reason, seconds: None })
            }
            _ => Ok(()),
        }
    }
}

impl Launcher for Crew {
    fn begin(&mut self, arms: &[ArmId]) -> Result<(), ExecutorError> {
        let members = || arms.iter().map(|arm| self.member(*arm));
        let wanted_by_user =
            members().filter_map(|member| Some(member.iterations?.of(member.prepared.once))).max();
        let wanted = wanted_by_user.or_else(|| members().map(iterations_needed).max()).unwrap_or(1);
        let on_threads = members().any(|member| member.prepared.threads > 1);
        let shortest = members().map(|member| member.prepared.once).fold(f64::INFINITY, f64::min);
        let group = CrewGroup {
            baseline: arms.first().copied(),
            iterations: wanted,
            iteration: members().map(|member| member.hello.iteration).fold(f64::INFINITY, f64::min),
            waits: !on_threads && shortest * wanted as f64 >= WORTH_ASKING,
            ..CrewGroup::default()
        };
        self.group = group;
        let allowed = affinity::allowed().unwrap_or_default();
        match self.manner.pin.clone() {
            Pin::None => {}
            // One processor would make them wait for each other.
            Pin::Auto if on_threads => {}
            Pin::Cpus(processors) if self.manner.lockstep => return self.set_apart(processors),
            Pin::Auto if self.manner.lockstep => {
                return self.set_apart(allowed.into_iter().take(2).collect());
            }
            Pin::Cpus(processors) => self.stay_on(&processors),
            Pin::Auto => {
                self.group.quiet = noise::quiet(&allowed);
                if self.group.quiet.is_empty() {
                    self.note_free("the system refused it");
                }
            }
        }
        Ok(())
    }

    fn launch(&mut self, order: &[ArmId], launch: LaunchId, draw: Seed) -> Result<Launched, NoSample> {
        if let Some(processor) = noise::in_turn(&self.group.quiet, launch) {
            self.stay_on(&[processor]);
        }
        let layout = WorkerCommand::layout_in_turn(launch, order.iter().map(|arm| &self.member(*arm).launch));
        match self.start(order, layout, draw) {
            Ok(running) => {
                if let Some(why) = running.without_page {
                    self.note(Note::TurnsAskedFor { why: why.to_owned() });
                }
                let round = running.round;
                self.running = Some(running);
                Ok(Launched { round, layout, cpu: self.group.cpu })
            }
            Err((arm, fault)) => Err(self.failed(arm, fault)),
        }
    }

    fn rounds(&mut self, due: &[DueRound], round: &mut Round, done: &mut Done<'_>) -> Result<(), NoSample> {
        let Some(mut running) = self.running.take() else {
            return Err(ExecutorError("nothing was started".to_owned()).into());
        };
        let page = running.page.take();
        let results = match &page {
            Some(page) => self.on_page(&mut running, page, due),
            None => self.one_by_one(&mut running, due),
        };
        running.page = page;
        match results.and_then(|results| running.all_there(results, due.len())) {
            Ok(results) => {
                let handed_on = self.hand_on(&running, &results, due, round, done);
                self.running = Some(running);
                handed_on
            }
            Err((slot, fault)) => {
                let arm = running.arms[slot];
                self.running = Some(running);
                Err(self.failed(arm, fault))
            }
        }
    }

    fn land(&mut self) {
        self.running = None;
    }

    fn end(&mut self) {
        self.group = CrewGroup::default();
    }
}

/// Whether each turn knows what it waited for others. One that does not may have waited for threads of its own: then the time of
/// the whole group is not known from here on, because only the turns without such work would be left.
fn all_know_their_waits(results: &[Results]) -> bool {
    let mut samples = results.iter().flat_map(|results| &results.samples);
    samples.all(|sample| !sample.waited.is_nan())
}

/// The page on which so many workers hand on their turns; or why there is none.
fn shared_page(workers: usize) -> (Option<TurnPage>, Option<&'static str>) {
    if workers >= SLOTS {
        return (None, Some("there are more workers than places on a page"));
    }
    match TurnPage::new() {
        Ok(page) => (Some(page), None),
        Err(_) => (None, Some("the system gives workers no memory to share")),
    }
}

/// A number from −½ to ½, from the luck of a round and the place in it: whichever arm the coin sends there gets it.
fn unsteady(draw: Seed, position: u32) -> f64 {
    let mixed = environment::mixed(draw.0 ^ u64::from(position).rotate_left(16));
    (mixed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
}

/// How often a function has to run in one turn, so that the clock is no large part of it.
fn iterations_needed(member: &Member) -> u64 {
    let Hello { resolution, cost, .. } = member.hello;
    let turn = SHORTEST_TURN.max(STEPS * resolution).max(READINGS * cost);
    (turn / member.prepared.once.max(SHORTEST)).ceil().max(1.0) as u64
}
