//! The loop of rounds, with time, executor, recorder and watcher that are made up.

use crate::made_up::{A, B, C, Notebook, arms};

use evenhand_measure::budget::{Needed, Reason as For};
use evenhand_measure::executor::{DueTurn, Executor, Patience, Waiting};
use evenhand_measure::finish::{ExecutorError, Finish, MeasureError, NoSample};
use evenhand_measure::observers::{Notice, Progress, Watcher};
use evenhand_measure::past::Past;
use evenhand_measure::plan::{Group, MeasurePlan};
use evenhand_measure::rounds::measure;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_trial::{
    ArmId, Failure, LaunchId, Metric, Origin, Reason, Round, RoundId, Sample, Schedule, Seed, Series, Trial,
    TrialId, Unit,
};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

/// Each group may take so long.
const MAX_TIME: Duration = Duration::from_secs(30);

fn plan(groups: &[&[ArmId]]) -> MeasurePlan {
    crate::made_up::plan(groups, MAX_TIME)
}

/// What happens at a turn, in place of a sample.
type Surprise = Box<dyn Fn(&DueTurn) -> Option<NoSample>>;

/// A machine on which each arm takes its time, in milliseconds, and nothing else takes any.
struct Machine<'a> {
    clock: &'a Cell<Duration>,
    milliseconds: BTreeMap<ArmId, f64>,
    surprise: Surprise,
    /// The number that every turn gives, in place of its time.
    number: Option<f64>,
    /// How much longer the fifth turn takes than the first, in milliseconds; the sixth is as the first.
    wobble: f64,
    /// From this round on everything takes so many times as long.
    slower_from: Option<(RoundId, f64)>,
    turns: Vec<DueTurn>,
    said: Vec<String>,
    cannot_begin: bool,
    /// How long it takes to begin.
    setup: Duration,
}

impl<'a> Machine<'a> {
    fn new(clock: &'a Cell<Duration>, milliseconds: &[(ArmId, f64)]) -> Self {
        Self {
            clock,
            milliseconds: milliseconds.iter().copied().collect(),
            surprise: Box::new(|_| None),
            number: None,
            wobble: 4e-3,
            slower_from: None,
            turns: Vec::new(),
            said: Vec::new(),
            cannot_begin: false,
            setup: Duration::ZERO,
        }
    }

    /// Lets time pass, and says each second that something still runs.
    fn pass(&self, what: &str, time: Duration, patience: &mut dyn Patience) {
        let started = self.clock.get();
        for second in 1..=time.as_secs() {
            let time = Duration::from_secs(second);
            self.clock.set(started + time);
            patience.still_waiting(&Waiting { what, time, stays: false });
        }
        self.clock.set(started + time);
    }
}

impl Executor for Machine<'_> {
    fn begin(&mut self, arms: &[ArmId], patience: &mut dyn Patience) -> Result<(), ExecutorError> {
        self.said.push(format!("begin {}", arms.len()));
        self.pass("--setup", self.setup, patience);
        if self.cannot_begin { Err(ExecutorError("the setup of a failed".to_owned())) } else { Ok(()) }
    }

    fn turn(
        &mut self,
        turn: &DueTurn,
        round: &mut Round,
        patience: &mut dyn Patience,
    ) -> Result<(), NoSample> {
        let jitter = (self.turns.len() % 5) as f64 / 4.0 * self.wobble;
        self.turns.push(*turn);
        if let Some(surprise) = (self.surprise)(turn) {
            return Err(surprise);
        }
        let slower =
            self.slower_from.filter(|(round, _)| turn.round >= *round).map_or(1.0, |(_, times)| times);
        let milliseconds = (self.milliseconds[&turn.arm] + jitter) * slower;
        let started = self.clock.get();
        let length = Duration::from_secs_f64(milliseconds / 1e3);
        if let Some(left) = patience.left().filter(|left| *left < length) {
            self.pass("a run", left, patience);
            return Err(NoSample::OutOfTime { what: format!("arm {}", turn.arm.0), ran: left });
        }
        self.pass("a run", length, patience);
        let (started, number) = (Some(started.as_nanos() as u64), self.number.unwrap_or(milliseconds * 1e6));
        round.push(turn.arm, Some(turn.position), started, 1, [number]);
        Ok(())
    }

    fn end(&mut self, arms: &[ArmId], _: &mut dyn Patience) -> Result<(), ExecutorError> {
        self.said.push(format!("end {}", arms.len()));
        Ok(())
    }
}

#[derive(Default)]
struct Onlooker {
    seen: RefCell<Vec<(usize, u64, Duration)>>,
    /// After how many rounds there was a look.
    looks: Vec<usize>,
    notices: Vec<Notice>,
    /// What was waited for, the seconds it took so far, and those of the group.
    waits: Vec<(String, u64, u64)>,
    /// The times that the group was said to have.
    budgets: Vec<u64>,
}

impl Watcher for Onlooker {
    fn look_on(&mut self, progress: &Progress<'_>) {
        self.budgets.push(progress.budget.as_secs());
        self.budgets.dedup();
        if let Some(Waiting { what, time, .. }) = progress.waiting {
            self.waits.push((what.to_owned(), time.as_secs(), progress.elapsed.as_secs()));
            return;
        }
        self.seen.borrow_mut().push((progress.group, progress.rounds, progress.elapsed));
        self.looks.extend(progress.comparisons.first().map(|comparison| comparison.verdict.rounds));
        self.looks.dedup();
    }

    fn notice(&mut self, notice: &Notice) {
        self.notices.push(notice.clone());
    }
}

struct Done {
    ending: Result<Finish, MeasureError>,
    notebook: Notebook,
    onlooker: Onlooker,
    elapsed: Duration,
    turns: Vec<DueTurn>,
    said: Vec<String>,
}

fn run(
    plan: &MeasurePlan,
    milliseconds: &[(ArmId, f64)],
    change: impl FnOnce(&mut Machine<'_>, &mut Notebook),
) -> Done {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, milliseconds);
    let (mut notebook, mut onlooker) = (Notebook::default(), Onlooker::default());
    change(&mut machine, &mut notebook);
    let ending = measure(plan, &mut machine, &mut notebook, &mut onlooker, &|| clock.get());
    let Machine { turns, said, .. } = machine;
    Done { ending, notebook, onlooker, elapsed: clock.get(), turns, said }
}

fn as_it_is(_: &mut Machine<'_>, _: &mut Notebook) {}

#[test]
fn the_coin_decides_the_order_and_every_round_is_recorded_as_it_ran() {
    let plan = plan(&[&[A, B]]);
    let done = run(&plan, &[(A, 8.0), (B, 8.8)], as_it_is);
    assert_eq!(done.ending.unwrap(), Finish::Complete);
    let seconds = done.elapsed.as_secs_f64();
    assert!((1.0..1.02).contains(&seconds), "a tenth is settled soon, and sized for a second: {seconds}");
    for (number, round) in (0..).map(RoundId).zip(&done.notebook.rounds) {
        assert_eq!((round.number(), round.len()), (number, 2));
        assert_eq!(arms(round), plan.schedule.round(0, &[A, B], LaunchId(0), number));
        assert!((0..).zip(round.samples()).all(|(place, (_, sample))| sample.position == Some(place)));
    }
    let payloads: Vec<Seed> = done.turns.iter().map(|turn| turn.payload).collect();
    assert!(payloads.chunks(2).all(|round| round[0] == round[1]), "one payload for both arms of a round");
    assert_ne!(payloads[0], payloads[2]);
    assert_eq!(done.said, ["begin 2", "end 2"]);
}

#[test]
fn the_onlooker_sees_each_round() {
    let done = run(&plan(&[&[A, B]]), &[(A, 8.0), (B, 8.8)], as_it_is);
    let seen = done.onlooker.seen.into_inner();
    assert_eq!(seen.len(), 1 + done.notebook.rounds.len());
    assert!((0..).zip(&seen).all(|(count, (group, rounds, _))| (*group, *rounds) == (0, count)));
    assert_eq!(seen.last().unwrap().2, done.elapsed);
}

#[test]
fn what_cannot_be_decided_ends_with_the_time() {
    // On the margin itself no number of rounds decides, and it wobbles too much to be known well.
    let done = run(&plan(&[&[A, B]]), &[(A, 100.0), (B, 101.0)], |machine, _| machine.wobble = 4.0);
    assert_eq!(done.ending.unwrap(), Finish::Complete);
    let seconds = done.elapsed.as_secs_f64();
    assert!((29.8..=30.2).contains(&seconds), "{seconds}");
}

#[test]
fn what_can_never_be_decided_does_not_use_the_time() {
    // No cost is below 0.
    let done = run(&plan(&[&[A, B]]), &[(A, 8.0), (B, 8.0)], |machine, _| machine.number = Some(-1.0));
    assert_eq!((done.ending.unwrap(), done.notebook.rounds.len()), (Finish::Complete, 1));
}

#[test]
fn the_time_is_for_each_group_and_a_long_round_is_not_begun_late() {
    // 12 s a round: two fit into 30 s, a third would end at 36 s, more than half of itself late.
    let done = run(&plan(&[&[A, B], &[C]]), &[(A, 6000.0), (B, 6060.0), (C, 6000.0)], as_it_is);
    let of_arm = |arm| done.turns.iter().filter(|turn| turn.arm == arm).count();
    assert_eq!((of_arm(A), of_arm(B)), (2, 2));
    assert_eq!(of_arm(C), 5);
    assert_eq!(done.said, ["begin 2", "end 2", "begin 1", "end 1"]);
}

#[test]
fn a_round_longer_than_the_usual_time_is_still_measured_once() {
    let done = run(&patient_plan(&[&[A, B]]), &[(A, 40_000.0), (B, 41_000.0)], as_it_is);
    assert_eq!(done.notebook.rounds.len(), 1);
}

/// A plan for which the user did not choose the time.
fn patient_plan(groups: &[&[ArmId]]) -> MeasurePlan {
    let mut plan = plan(groups);
    plan.stop.longest = Duration::from_secs(600);
    plan
}

fn forecasts(done: &Done) -> Vec<(Needed, f64, Option<Duration>)> {
    let forecast = |notice: &Notice| match notice {
        Notice::Forecast(forecast) => {
            Some((forecast.needed, forecast.time.as_secs_f64().round(), forecast.too_short))
        }
        Notice::CutOff { .. } | Notice::Settled => None,
    };
    done.onlooker.notices.iter().filter_map(forecast).collect()
}

#[test]
fn slow_commands_get_the_time_for_the_fewest_rounds_that_can_give_a_verdict() {
    let done =
        run(&patient_plan(&[&[A, B]]), &[(A, 2000.0), (B, 4000.0)], |machine, _| machine.wobble = 40.0);
    let rounds = done.notebook.rounds.len();
    assert!((10..=12).contains(&rounds), "{rounds} rounds, until the verdict stands");
    assert!(done.onlooker.looks.last() == Some(&rounds));
    let needed = Needed { rounds: 10, reason: For::Verdict };
    assert_eq!(forecasts(&done), [(needed, 72.0, None)], "said once, after the first round");
    assert_eq!(done.onlooker.budgets, [30, 90], "who looks on knows how long it goes on");
}

#[test]
fn what_is_not_decided_by_then_does_not_use_up_the_extension() {
    // On the margin: no number of rounds decides.
    let arms = [(A, 3000.0), (B, 3030.0)];
    let done = run(&patient_plan(&[&[A, B]]), &arms, |machine, _| machine.wobble = 120.0);
    assert_eq!(done.notebook.rounds.len(), 12);
}

#[test]
fn a_quick_first_round_is_followed_by_slow_ones_for_a_quarter_longer_at_most() {
    let done = run(&patient_plan(&[&[A, B]]), &[(A, 3000.0), (B, 3030.0)], |machine, _| {
        machine.wobble = 120.0;
        machine.slower_from = Some((RoundId(1), 2.0));
    });
    let seconds = done.elapsed.as_secs();
    assert!((84..=96).contains(&seconds), "{seconds} s: 72 s were forecast");
}

#[test]
fn rounds_that_would_take_more_than_the_longest_time_are_not_waited_for() {
    let done = run(&patient_plan(&[&[A, B]]), &[(A, 40_000.0), (B, 41_000.0)], as_it_is);
    let needed = Needed { rounds: 10, reason: For::Verdict };
    assert_eq!(forecasts(&done), [(needed, 972.0, Some(MAX_TIME))]);
}

#[test]
fn a_time_that_the_user_chose_is_kept_to_and_said_to_be_too_short() {
    let done = run(&plan(&[&[A, B]]), &[(A, 2000.0), (B, 4000.0)], as_it_is);
    assert_eq!(done.notebook.rounds.len(), 5);
    let needed = Needed { rounds: 10, reason: For::Verdict };
    assert_eq!(forecasts(&done), [(needed, 72.0, Some(MAX_TIME))]);
}

#[test]
fn quick_commands_are_told_nothing() {
    for arms in [&[A, B][..], &[A]] {
        let done = run(&patient_plan(&[arms]), &[(A, 100.0), (B, 200.0)], as_it_is);
        assert_eq!((done.onlooker.notices, done.onlooker.waits), (Vec::new(), Vec::new()));
    }
}

#[test]
fn a_number_of_rounds_that_the_user_wants_gets_its_time_too() {
    let mut plan = patient_plan(&[&[A, B]]);
    plan.stop.rounds = Some(8);
    let done = run(&plan, &[(A, 4000.0), (B, 4000.0)], as_it_is);
    assert_eq!(done.notebook.rounds.len(), 8);
    assert_eq!(forecasts(&done), [(Needed { rounds: 8, reason: For::Asked }, 64.0, None)]);
}

#[test]
fn a_slow_arm_alone_is_measured_ten_times_if_the_time_is_not_chosen() {
    let done = run(&patient_plan(&[&[A]]), &[(A, 6000.0)], as_it_is);
    assert_eq!(done.notebook.rounds.len(), 10);
    assert_eq!(forecasts(&done), [(Needed { rounds: 10, reason: For::Alone }, 60.0, None)]);
    let chosen = run(&plan(&[&[A]]), &[(A, 6000.0)], as_it_is);
    assert_eq!((chosen.notebook.rounds.len(), chosen.onlooker.notices), (5, Vec::new()));
}

/// What was cut off, after how many seconds, with how many rounds before.
fn cut_offs(done: &Done) -> Vec<(&str, f64, u64)> {
    let mut cut_offs = Vec::new();
    for notice in &done.onlooker.notices {
        if let Notice::CutOff { what, ran, rounds } = notice {
            cut_offs.push((what.as_str(), ran.as_secs_f64(), *rounds));
        }
    }
    cut_offs
}

#[test]
fn the_first_round_has_all_the_time_that_the_user_chose_and_no_more() {
    let done = run(&plan(&[&[A, B], &[C]]), &[(A, 20_000.0), (B, 20_000.0), (C, 4000.0)], as_it_is);
    let cut = cut_offs(&done);
    assert!(cut.len() == 1 && (9.9..=10.0).contains(&cut[0].1) && cut[0].2 == 0, "{cut:?}");
    assert_eq!(done.ending.as_ref().unwrap(), &Finish::Complete);
    assert!(done.notebook.rounds.iter().all(|round| arms(round) == [C]), "the round is dropped");
    assert!(done.notebook.rounds.len() > 4, "the other group has its own time");
}

#[test]
fn without_a_word_of_the_user_each_first_run_has_the_longest_time() {
    let done = run(&patient_plan(&[&[A, B]]), &[(A, 590_000.0), (B, 610_000.0)], as_it_is);
    assert_eq!((cut_offs(&done), done.notebook.rounds.len()), (vec![("arm 1", 600.0, 0)], 0));
    let both = run(&patient_plan(&[&[A, B]]), &[(A, 590_000.0), (B, 595_000.0)], as_it_is);
    assert_eq!(both.notebook.rounds.len(), 1);
}

#[test]
fn a_run_that_hangs_later_is_ended_a_typical_round_after_the_time() {
    let done = run(&plan(&[&[A, B]]), &[(A, 2000.0), (B, 2020.0)], |machine, _| {
        machine.wobble = 0.0;
        machine.slower_from = Some((RoundId(3), 1000.0));
    });
    // Three rounds of 4.02 s, and the fourth ends at 30 s + 4.02 s.
    let cut = cut_offs(&done);
    assert!(cut.len() == 1 && (cut[0].1 - 21.96).abs() < 0.01 && cut[0].2 == 3, "{cut:?}");
    assert_eq!((done.ending.unwrap(), done.notebook.rounds.len()), (Finish::Complete, 3));
}

#[test]
fn a_short_run_may_end_a_little_late() {
    // On the margin: it goes on to the end of the time. The last of its rounds takes thirty times as long as usual.
    let on_the_margin = |slower_from| {
        run(&plan(&[&[A, B]]), &[(A, 10.0), (B, 10.1)], move |machine, _| {
            (machine.wobble, machine.slower_from) = (4.0, slower_from);
        })
    };
    let last = on_the_margin(None).notebook.rounds.len() as u64 - 1;
    let late = on_the_margin(Some((RoundId(last), 30.0)));
    assert_eq!((cut_offs(&late), late.notebook.rounds.len() as u64), (vec![], last + 1));
    assert!(late.elapsed > MAX_TIME + Duration::from_millis(500), "{:?}", late.elapsed);
}

#[test]
fn the_warm_up_is_bound_by_the_time_too() {
    let mut plan = plan(&[&[A, B]]);
    plan.warmup = 2;
    let done = run(&plan, &[(A, 20_000.0), (B, 20_000.0)], as_it_is);
    assert_eq!((cut_offs(&done).len(), done.notebook.rounds.len(), done.elapsed), (1, 0, MAX_TIME));
}

#[test]
fn who_looks_on_hears_what_is_waited_for() {
    let mut plan = patient_plan(&[&[A]]);
    plan.stop.rounds = Some(1);
    let done = run(&plan, &[(A, 3000.0)], |machine, _| machine.setup = Duration::from_secs(2));
    let wait = |what: &str, time, elapsed| (what.to_owned(), time, elapsed);
    let setup = [wait("--setup", 1, 1), wait("--setup", 2, 2)];
    let run = [wait("a run", 1, 1), wait("a run", 2, 2), wait("a run", 3, 3)];
    assert_eq!(
        done.onlooker.waits,
        [&setup[..], &run[..]].concat(),
        "the group's time begins after its setup"
    );
}

#[test]
fn a_number_of_rounds_is_kept_to() {
    let mut plan = plan(&[&[A, B]]);
    plan.stop.rounds = Some(17);
    assert_eq!(run(&plan, &[(A, 8.0), (B, 80.0)], as_it_is).notebook.rounds.len(), 17);
    assert_eq!(
        run(&plan, &[(A, 4000.0), (B, 4000.0)], as_it_is).notebook.rounds.len(),
        4,
        "the time ends it"
    );
    plan.stop.rounds = Some(0);
    assert_eq!(run(&plan, &[(A, 8.0), (B, 80.0)], as_it_is).turns.len(), 0);
}

#[test]
fn there_are_at_least_the_fewest_rounds_and_at_most_the_most() {
    let rounds = |fewest, most, milliseconds: &[(ArmId, f64)]| {
        let arms: Vec<ArmId> = milliseconds.iter().map(|(arm, _)| *arm).collect();
        let mut plan = plan(&[&arms]);
        (plan.stop.fewest, plan.stop.most) = (fewest, most);
        run(&plan, milliseconds, as_it_is).notebook.rounds.len()
    };
    let (clear, equal, alone) = ([(A, 100.0), (B, 200.0)], [(A, 10.0), (B, 10.0)], [(A, 100.0)]);
    assert_eq!(rounds(70, None, &clear), 70);
    assert_eq!(rounds(0, Some(25), &equal), 25);
    assert_eq!(rounds(0, Some(4), &alone), 4);
    assert_eq!(rounds(70, None, &alone), 70);
    assert_eq!(rounds(9999, None, &clear), 100, "the time ends them all the same");
}

#[test]
fn an_arm_alone_is_measured_three_seconds_and_ten_times() {
    let short = run(&plan(&[&[A]]), &[(A, 10.0)], as_it_is);
    assert!((3.0..3.1).contains(&short.elapsed.as_secs_f64()), "{:?}", short.elapsed);
    let long = run(&plan(&[&[A]]), &[(A, 1000.0)], as_it_is);
    assert_eq!(long.notebook.rounds.len(), 10);
}

#[test]
fn a_candidate_that_is_decided_leaves_and_the_others_go_on() {
    let done =
        run(&plan(&[&[A, B, C]]), &[(A, 10.0), (B, 12.0), (C, 10.1)], |machine, _| machine.wobble = 0.4);
    let of_arm = |arm| done.turns.iter().filter(|turn| turn.arm == arm).count();
    assert!(of_arm(B) < 50 && of_arm(C) > 100 && of_arm(A) == of_arm(C), "{} {}", of_arm(B), of_arm(C));
    let late = arms(&done.notebook.rounds[100]);
    let tossed = Schedule::new(Seed(7)).round(0, &[A, C], LaunchId(0), RoundId(100));
    assert_eq!(late, tossed, "the coin is tossed among those who stay");
}

#[test]
fn warmup_is_run_in_coin_order_and_not_recorded() {
    let mut plan = plan(&[&[A, B]]);
    (plan.warmup, plan.stop.rounds) = (3, Some(2));
    let done = run(&plan, &[(A, 8.0), (B, 8.0)], as_it_is);
    assert_eq!((done.turns.len(), done.notebook.rounds.len()), (10, 2));
    let round = done.turns[0].round;
    assert_eq!(round, RoundId(u64::MAX));
    let tossed = plan.schedule.round(0, &[A, B], LaunchId(0), round);
    assert_eq!([done.turns[0].arm, done.turns[1].arm], tossed[..]);
}

fn fails(arm: ArmId, round: u64) -> Surprise {
    Box::new(move |turn| {
        let failed = NoSample::Failed { arm, reason: Reason::Exit { code: 9 }, seconds: Some(0.5) };
        (turn.arm == arm && turn.round == RoundId(round)).then_some(failed)
    })
}

#[test]
fn a_failure_ends_the_measurement_and_is_recorded() {
    let done = run(&plan(&[&[A, B]]), &[(A, 8.0), (B, 8.0)], |machine, _| machine.surprise = fails(B, 4));
    let failure = Failure {
        arm: B,
        launch: LaunchId(0),
        round: RoundId(4),
        reason: Reason::Exit { code: 9 },
        seconds: Some(0.5),
    };
    assert_eq!(done.ending.unwrap(), Finish::Failed(failure.clone()));
    assert_eq!((done.notebook.rounds.len(), done.notebook.failures()), (5, vec![failure]));
    assert_eq!(done.said.last().unwrap(), "end 2");
}

#[test]
fn ignored_failures_are_recorded_and_their_rounds_are_no_pairs() {
    let mut plan = plan(&[&[A, B]]);
    (plan.ignore_failures, plan.stop.rounds) = (true, Some(20));
    let done = run(&plan, &[(A, 8.0), (B, 8.0)], |machine, _| machine.surprise = fails(B, 4));
    assert_eq!(done.ending.unwrap(), Finish::Complete);
    assert_eq!((done.notebook.rounds.len(), done.notebook.failures().len()), (20, 1));
    assert_eq!(done.notebook.rounds[4].len(), 1, "the baseline of that round is kept");
}

#[test]
fn an_arm_that_failed_has_no_sample_in_its_round_and_no_failure_in_the_next() {
    let mut plan = plan(&[&[A, B]]);
    (plan.ignore_failures, plan.stop.rounds) = (true, Some(6));
    let done = run(&plan, &[(A, 8.0), (B, 8.0)], |machine, _| machine.surprise = fails(B, 4));
    for (number, round) in (0..).zip(&done.notebook.rounds) {
        let b_failed = number == 4;
        assert_eq!(round.values(B).is_none(), b_failed, "round {number}");
        assert_eq!((round.len(), round.failures.len()), if b_failed { (1, 1) } else { (2, 0) });
    }
}

fn always_fails(arm: ArmId) -> Surprise {
    Box::new(move |turn| {
        let failed = NoSample::Failed { arm, reason: Reason::Exit { code: 1 }, seconds: Some(0.0) };
        (turn.arm == arm).then_some(failed)
    })
}

#[test]
fn what_never_succeeded_in_ten_runs_is_given_up() {
    let mut plan = plan(&[&[A, B, C]]);
    plan.ignore_failures = true;
    let arms = [(A, 10.0), (B, 10.0), (C, 12.0)];
    let of_arm = |done: &Done, arm| done.turns.iter().filter(|turn| turn.arm == arm).count();
    let one = run(&plan, &arms, |machine, _| machine.surprise = always_fails(B));
    assert_eq!((of_arm(&one, B), one.notebook.failures().len()), (10, 10));
    assert!(
        of_arm(&one, A) > 20 && one.elapsed < Duration::from_secs(2),
        "the others go on to their verdict"
    );
    let baseline = run(&plan, &arms, |machine, _| machine.surprise = always_fails(A));
    assert_eq!(
        [A, B, C].map(|arm| of_arm(&baseline, arm)),
        [10; 3],
        "without a baseline there is no verdict"
    );
    plan.groups[0].arms.pop();
    let candidate = run(&plan, &arms, |machine, _| machine.surprise = always_fails(B));
    assert_eq!([A, B].map(|arm| of_arm(&candidate, arm)), [10; 2], "nor without a candidate");
}

#[test]
fn a_control_alone_is_not_measured_on_after_its_rival_was_given_up() {
    let mut plan = plan(&[&[A, B, C]]);
    (plan.ignore_failures, plan.groups[0].control) = (true, Some(C));
    let arms = [(A, 10.0), (B, 10.0), (C, 10.1)];
    let done = run(&plan, &arms, |machine, _| machine.surprise = always_fails(B));
    assert_eq!(done.notebook.rounds.len(), 10, "there is no verdict left to come");
    plan.groups[0] = Group { arms: vec![A, C], ..plan.groups[0].clone() };
    let alone = run(&plan, &[(A, 10.0), (C, 12.0)], |_, _| {});
    assert!((11..200).contains(&alone.notebook.rounds.len()), "without a rival it decides itself");
}

#[test]
fn what_has_succeeded_once_is_not_given_up() {
    let mut plan = plan(&[&[A, B]]);
    (plan.ignore_failures, plan.stop.rounds) = (true, Some(30));
    let done = run(&plan, &[(A, 8.0), (B, 8.0)], |machine, _| {
        machine.surprise = Box::new(|turn| always_fails(B)(turn).filter(|_| turn.round != RoundId(9)));
    });
    assert_eq!((done.notebook.rounds.len(), done.notebook.failures().len()), (30, 29));
}

#[test]
fn an_interrupted_round_is_dropped_and_the_rest_is_kept() {
    let done = run(&plan(&[&[A, B]]), &[(A, 8.0), (B, 8.0)], |machine, _| {
        machine.surprise = Box::new(|turn| {
            (turn.round == RoundId(6) && turn.position == 1).then_some(NoSample::Interrupted)
        });
    });
    assert_eq!(done.ending.unwrap(), Finish::Interrupted);
    assert_eq!(done.notebook.rounds.len(), 6);
    assert_eq!(done.said.last().unwrap(), "end 2");
}

#[test]
fn what_was_begun_is_put_away_however_it_ends() {
    let broken = run(&plan(&[&[A, B], &[C]]), &[(A, 8.0), (B, 8.0)], |machine, _| {
        machine.surprise = Box::new(|turn| {
            (turn.round == RoundId(2)).then(|| ExecutorError("prepare failed".to_owned()).into())
        });
    });
    assert_eq!(broken.ending.unwrap_err().to_string(), "prepare failed");
    assert_eq!((broken.notebook.rounds.len(), broken.said.last().unwrap().as_str()), (2, "end 2"));

    let full = run(&plan(&[&[A, B]]), &[(A, 8.0), (B, 8.0)], |_, notebook| notebook.full_after = Some(3));
    assert!(matches!(full.ending, Err(MeasureError::NotRecorded(_))));
    assert_eq!((full.notebook.rounds.len(), full.said.last().unwrap().as_str()), (3, "end 2"));

    let cannot = run(&plan(&[&[A, B]]), &[], |machine, _| machine.cannot_begin = true);
    assert_eq!(cannot.ending.unwrap_err().to_string(), "the setup of a failed");
    assert_eq!((cannot.turns.len(), cannot.said.len()), (0, 2));
}

/// What a session left of A and B, the numbers in milliseconds, with a failure of B in the round after.
fn past(rounds: &[[f64; 2]]) -> Past {
    let mut trial = Trial::new(TrialId::from_number(1), Origin::Measured { version: "1".to_owned() });
    trial.metrics = vec![Metric::time("time", Unit::nanoseconds())];
    for (place, arm) in [A, B].into_iter().enumerate() {
        let mut series = Series::new(arm, LaunchId(0), 1);
        for (round, numbers) in (0..).zip(rounds) {
            let values = &[numbers[place] * 1e6];
            series.push(Sample {
                round: RoundId(round),
                position: None,
                started: None,
                iterations: 1,
                values,
            });
        }
        trial.series.push(series);
    }
    let (round, reason) = (RoundId(rounds.len() as u64), Reason::Exit { code: 1 });
    trial.failures.push(Failure { arm: B, launch: LaunchId(0), round, reason, seconds: None });
    Past::of(&trial)
}

#[test]
fn rounds_of_earlier_sessions_count_and_are_numbered_on() {
    let mut plan = patient_plan(&[&[A, B]]);
    plan.past =
        past(&[[2000.0, 3000.0], [2010.0, 3000.0], [2020.0, 3010.0], [2005.0, 3020.0], [2000.0, 3030.0]]);
    let done = run(&plan, &[(A, 2000.0), (B, 3000.0)], |machine, _| machine.wobble = 40.0);
    let rounds: Vec<u64> = done.notebook.rounds.iter().map(|round| round.number().0).collect();
    assert!(rounds.is_sorted() && rounds[0] == 6 && (5..=7).contains(&rounds.len()), "{rounds:?}");
    assert_eq!(*done.onlooker.looks.last().unwrap(), 5 + rounds.len(), "the verdict is over all of them");
    assert_eq!(arms(&done.notebook.rounds[0]), plan.schedule.round(0, &[A, B], LaunchId(0), RoundId(6)));
    assert_eq!(forecasts(&done), [], "five more rounds of 5 s fit into the time");
}

#[test]
fn what_earlier_sessions_settled_is_measured_only_if_the_user_wants_rounds() {
    let mut plan = plan(&[&[A, B], &[C]]);
    let noise = |round: u32| f64::from(round % 7) / 10.0;
    let rounds: Vec<[f64; 2]> =
        (0..40).map(|round| [100.0 + noise(round), 150.0 + noise(3 * round)]).collect();
    plan.past = past(&rounds);
    let arms = [(A, 100.0), (B, 150.0), (C, 100.0)];
    let done = run(&plan, &arms, as_it_is);
    assert_eq!(done.onlooker.notices, [Notice::Settled]);
    assert!(
        !done.turns.is_empty() && done.turns.iter().all(|turn| turn.arm == C),
        "the other group is measured"
    );
    plan.stop.rounds = Some(3);
    let more = run(&plan, &arms, as_it_is);
    assert_eq!((more.notebook.rounds.len(), more.onlooker.notices), (6, Vec::new()));
}

#[test]
fn what_succeeded_in_an_earlier_session_is_not_given_up() {
    let mut plan = plan(&[&[A, B]]);
    (plan.ignore_failures, plan.stop.rounds, plan.past) = (true, Some(20), past(&[[8.0, 8.0]]));
    let done = run(&plan, &[(A, 8.0), (B, 8.0)], |machine, _| machine.surprise = always_fails(B));
    assert_eq!(done.notebook.failures().len(), 20);
}

/// On a machine where every question for the time takes a millisecond, and so does a look, which is between two of them.
fn run_with_a_slow_clock(plan: &MeasurePlan, milliseconds: &[(ArmId, f64)]) -> Done {
    let clock = Cell::new(Duration::ZERO);
    let mut machine = Machine::new(&clock, milliseconds);
    let (mut notebook, mut onlooker) = (Notebook::default(), Onlooker::default());
    let slow = || {
        clock.set(clock.get() + Duration::from_millis(1));
        clock.get()
    };
    let ending = measure(plan, &mut machine, &mut notebook, &mut onlooker, &slow);
    let Machine { turns, said, .. } = machine;
    Done { ending, notebook, onlooker, elapsed: clock.get(), turns, said }
}

#[test]
fn looking_takes_a_few_percent_of_the_time() {
    let mut plan = plan(&[&[A, B]]);
    plan.stop.rounds = Some(400);
    // Nothing is ever the same within 0 %, so it stays open.
    plan.stop.margin = Margin::percent(0.0).unwrap();
    let done = run_with_a_slow_clock(&plan, &[(A, 1.0), (B, 1.0)]);
    let looks = done.onlooker.looks.len() as u32;
    assert!(looks > 10, "{looks}");
    assert!(Duration::from_millis(25) * looks <= done.elapsed, "{looks} looks in {:?}", done.elapsed);
    let free = run(&plan, &[(A, 1.0), (B, 1.0)], as_it_is);
    assert!(free.onlooker.looks.len() >= 400, "looks that cost nothing are after every round");
}

#[test]
fn the_look_that_ends_it_saw_every_round() {
    // At any of these speeds the last look might fall on the last round by chance.
    for milliseconds in [1.0, 1.1, 1.3, 1.7, 2.3, 3.1] {
        let arms = [(A, milliseconds), (B, 1.2 * milliseconds)];
        let done = run_with_a_slow_clock(&plan(&[&[A, B]]), &arms);
        assert!(done.elapsed < Duration::from_secs(5), "{:?}", done.elapsed);
        assert_eq!(done.onlooker.looks.last(), Some(&done.notebook.rounds.len()), "{milliseconds} ms");
    }
}
