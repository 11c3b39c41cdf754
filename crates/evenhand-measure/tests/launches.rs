//! The loop of launches, with time, launcher and recorder that are made up.

use crate::made_up::{A, B, C, Notebook, arms};

use evenhand_measure::finish::{ExecutorError, Finish, MeasureError, NoSample};
use evenhand_measure::launches::{Done, DueRound, Launched, Launcher, Launching, measure};
use evenhand_measure::observers::{Progress, Watcher};
use evenhand_measure::plan::MeasurePlan;
use evenhand_stats::randomised::Word;
use evenhand_trial::{ArmId, Failure, LaunchId, Reason, Round, RoundId, Seed};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Each group may take so long.
const MAX_TIME: Duration = Duration::from_secs(15);
const D: ArmId = ArmId(3);

fn plan(groups: &[&[ArmId]]) -> MeasurePlan {
    crate::made_up::plan(groups, MAX_TIME)
}

/// A machine on which each arm takes its time in microseconds, with luck that a launch draws for each arm, and a little more in
/// each round.
struct Machine<'a> {
    clock: &'a Cell<Duration>,
    microseconds: BTreeMap<ArmId, f64>,
    /// How much the luck of a launch is worth.
    luck: f64,
    launching: Duration,
    drawn: BTreeMap<ArmId, f64>,
    said: Vec<String>,
    surprise: Option<(u32, fn() -> NoSample)>,
    launches: u32,
    asked: Vec<DueRound>,
}

impl<'a> Machine<'a> {
    fn new(clock: &'a Cell<Duration>, microseconds: &[(ArmId, f64)]) -> Self {
        Self {
            clock,
            microseconds: microseconds.iter().copied().collect(),
            luck: 0.03,
            launching: Duration::from_millis(3),
            drawn: BTreeMap::new(),
            said: Vec::new(),
            surprise: None,
            launches: 0,
            asked: Vec::new(),
        }
    }

    fn takes(&self, time: Duration) {
        self.clock.set(self.clock.get() + time);
    }
}

/// A number from −1 to 1 that depends on its seed in no way that can be seen.
fn drawn(seed: u64) -> f64 {
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

impl Launcher for Machine<'_> {
    fn begin(&mut self, arms: &[ArmId]) -> Result<(), ExecutorError> {
        self.said.push(format!("begin {}", arms.len()));
        Ok(())
    }

    fn launch(&mut self, order: &[ArmId], launch: LaunchId, luck: Seed) -> Result<Launched, NoSample> {
        self.launches += 1;
        self.said.push("launch".to_owned());
        self.takes(self.launching);
        for (place, arm) in (0..).zip(order) {
            self.drawn.insert(*arm, 1.0 + self.luck * drawn(luck.0 ^ (place << 40) ^ u64::from(arm.0) << 50));
        }
        Ok(Launched { round: Duration::from_micros(300), layout: launch.0 % 3, cpu: Some(launch.0 % 2) })
    }

    fn rounds(&mut self, due: &[DueRound], round: &mut Round, done: &mut Done<'_>) -> Result<(), NoSample> {
        if let Some((launch, surprise)) = &self.surprise
            && *launch == self.launches
        {
            return Err(surprise());
        }
        self.asked.extend(due.iter().cloned());
        for due in due {
            round.begin(due.launch, due.number);
            for (position, arm) in (0..).zip(&due.order) {
                let jitter = 1.0 + 0.005 * drawn(due.payload.0 ^ u64::from(arm.0) << 48);
                let microseconds = self.microseconds[arm] * self.drawn[arm] * jitter;
                self.takes(Duration::from_secs_f64(microseconds * 1e-6));
                round.push(*arm, Some(position), None, 1, [microseconds * 1e3]);
            }
            done(round)?;
        }
        Ok(())
    }

    fn land(&mut self) {
        self.said.push("land".to_owned());
    }

    fn end(&mut self) {
        self.said.push("end".to_owned());
    }
}

/// How many rounds each launch had.
fn launches(notebook: &Notebook) -> BTreeMap<LaunchId, usize> {
    let mut launches = BTreeMap::new();
    notebook.rounds.iter().for_each(|round| *launches.entry(round.launch()).or_default() += 1);
    launches
}

#[derive(Default)]
struct Onlooker {
    words: BTreeMap<usize, Word>,
    groups: BTreeSet<usize>,
}

impl Watcher for Onlooker {
    fn look_on(&mut self, progress: &Progress<'_>) {
        self.groups.insert(progress.group);
        if let Some(comparison) = progress.comparisons.first() {
            self.words.insert(progress.group, comparison.verdict.word);
        }
    }
}

struct Measured {
    ending: Result<Finish, MeasureError>,
    notebook: Notebook,
    onlooker: Onlooker,
}

fn measured(plan: &MeasurePlan, launching: Launching, machine: &mut Machine<'_>) -> Measured {
    recorded(plan, launching, machine, Notebook::default())
}

fn recorded(
    plan: &MeasurePlan,
    launching: Launching,
    machine: &mut Machine<'_>,
    mut notebook: Notebook,
) -> Measured {
    let (clock, mut onlooker) = (machine.clock, Onlooker::default());
    let now = || {
        // Reading the clock takes a little, or a look would cost nothing.
        clock.set(clock.get() + Duration::from_nanos(100));
        clock.get()
    };
    let ending = measure(plan, launching, machine, &mut notebook, &mut onlooker, &now);
    Measured { ending, notebook, onlooker }
}

const FREE: Launching = Launching { launches: None, rounds: None };

#[test]
fn a_difference_is_found_across_launches_and_no_difference_is_not() {
    for (factor, word) in [(1.05, Word::Slower), (0.95, Word::Faster), (1.0, Word::Same)] {
        let clock = Cell::new(Duration::ZERO);
        let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 150.0 * factor)]);
        let found = measured(&plan(&[&[A, B]]), FREE, &mut machine);
        assert_eq!(found.ending.unwrap(), Finish::Complete);
        assert_eq!(found.onlooker.words[&0], word, "{factor}");
        assert!(clock.get() < Duration::from_secs(15), "{factor}: {:?}", clock.get());
        assert!(machine.launches > 10, "{} launches", machine.launches);
    }
}

#[test]
fn every_launch_is_started_and_landed_in_its_group() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 300.0), (C, 10.0), (D, 20.0)]);
    let found = measured(&plan(&[&[A, B], &[C, D]]), FREE, &mut machine);
    assert_eq!(found.onlooker.groups, BTreeSet::from([0, 1]));
    let said = machine.said.join(" ");
    assert!(said.starts_with("begin 2 launch land launch land"), "{said}");
    assert_eq!(said.matches("land end begin 2 launch").count(), 1);
    assert!(said.ends_with("land end"));
    let times = |word: &str| machine.said.iter().filter(|said| *said == word).count();
    assert_eq!((times("launch"), times("land")), (machine.launches as usize, machine.launches as usize));
}

#[test]
fn what_each_launch_drew_is_recorded_and_each_group_counts_its_own() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 300.0), (C, 10.0), (D, 20.0)]);
    let fixed = Launching { launches: Some(4), rounds: Some(2) };
    let drawn = measured(&plan(&[&[A, B], &[C, D]]), fixed, &mut machine).notebook.drawn;
    let facts: Vec<_> =
        drawn.iter().map(|facts| (facts.group, facts.id.0, facts.layout, facts.cpu)).collect();
    let of_group = |group| (0..4).map(move |launch| (group, launch, launch % 3, Some(launch % 2)));
    assert_eq!(facts, of_group(0).chain(of_group(1)).collect::<Vec<_>>());
    assert!(drawn.is_sorted_by(|before, after| before.began < after.began), "{drawn:?}");
}

#[test]
fn both_coins_are_those_of_the_schedule() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 150.0)]);
    let fixed = Launching { launches: Some(6), rounds: Some(10) };
    let plan = plan(&[&[A, B]]);
    let found = measured(&plan, fixed, &mut machine);
    assert_eq!(launches(&found.notebook), (0..6).map(|launch| (LaunchId(launch), 10)).collect());
    for round in &found.notebook.rounds {
        assert_eq!(arms(round), plan.schedule.round(0, &[A, B], round.launch(), round.number()));
    }
    let payloads: BTreeSet<u64> = machine.asked.iter().map(|round| round.payload.0).collect();
    assert_eq!(payloads.len(), 60, "each round has an input of its own");
}

#[test]
fn the_rounds_of_a_launch_follow_what_scatters() {
    let rounds_at_the_end = |luck: f64, launching: u64| {
        let clock = Cell::new(Duration::ZERO);
        let mut machine = Machine::new(&clock, &[(A, 50.0), (B, 50.0)]);
        (machine.luck, machine.launching) = (luck, Duration::from_millis(launching));
        let fixed = Launching { launches: Some(40), rounds: None };
        let found = measured(&plan(&[&[A, B]]), fixed, &mut machine);
        *launches(&found.notebook).values().last().unwrap()
    };
    let lucky = rounds_at_the_end(0.1, 3);
    assert_eq!(lucky, 8, "where launches differ much, each has the fewest rounds that count");
    let alike = rounds_at_the_end(0.001, 100);
    assert!(alike > 3 * lucky, "{alike} rounds where launches differ little and cost much");
}

#[test]
fn with_one_launch_the_rounds_decide() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 157.0)]);
    machine.luck = 0.0;
    let one = Launching { launches: Some(1), rounds: None };
    let found = measured(&plan(&[&[A, B]]), one, &mut machine);
    assert_eq!((machine.launches, found.onlooker.words[&0]), (1, Word::Slower));
    assert!(clock.get() < Duration::from_secs(1), "{:?}", clock.get());
    let fixed = Launching { launches: Some(1), rounds: Some(33) };
    let found = measured(&plan(&[&[A, B]]), fixed, &mut machine);
    assert_eq!(found.notebook.rounds.len(), 33);
}

#[test]
fn the_time_ends_what_nothing_else_ends() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 151.5)]);
    machine.luck = 0.5;
    let found = measured(&plan(&[&[A, B]]), FREE, &mut machine);
    assert_eq!(found.ending.unwrap(), Finish::Complete);
    let took = clock.get().as_secs_f64();
    assert!((14.9..15.1).contains(&took), "{took} s");
}

#[test]
fn a_failure_ends_its_group_and_no_other() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 150.0), (C, 10.0), (D, 20.0)]);
    let failed = || NoSample::Failed { arm: B, reason: Reason::Exit { code: 9 }, seconds: None };
    machine.surprise = Some((3, failed));
    let found = measured(&plan(&[&[A, B], &[C, D]]), FREE, &mut machine);
    let failure = Failure {
        arm: B,
        launch: LaunchId(2),
        round: RoundId(0),
        reason: Reason::Exit { code: 9 },
        seconds: None,
    };
    assert_eq!(found.ending.unwrap(), Finish::Complete);
    assert_eq!(found.notebook.failures(), [failure]);
    assert_eq!(found.onlooker.words[&1], Word::Slower, "the other group was measured");
    let rounds_before = found.notebook.rounds.iter().filter(|round| round.values(A).is_some()).count();
    assert_eq!(rounds_before, 32, "two launches of sixteen rounds are kept");
}

#[test]
fn the_user_and_a_full_disk_end_everything() {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, &[(A, 150.0), (B, 150.0), (C, 10.0), (D, 20.0)]);
    machine.surprise = Some((2, || NoSample::Interrupted));
    let found = measured(&plan(&[&[A, B], &[C, D]]), FREE, &mut machine);
    assert_eq!(found.ending.unwrap(), Finish::Interrupted);
    assert_eq!(found.onlooker.groups, BTreeSet::from([0]));
    assert_eq!(machine.said.last().unwrap(), "end");
    machine.surprise = None;
    let full = Notebook { full_after: Some(5), ..Notebook::default() };
    let found = recorded(&plan(&[&[A, B]]), FREE, &mut machine, full);
    assert!(matches!(found.ending, Err(MeasureError::NotRecorded(_))));
    assert_eq!((found.notebook.rounds.len(), machine.said.last().unwrap().as_str()), (5, "end"));
}
