//! When is it enough? With numbers that are made up.

use evenhand_measure::plan::{Judged, Precision, StopRule};
use evenhand_measure::stop::{Decisions, Pieces};
use evenhand_stats::randomised::at::At;
use evenhand_stats::randomised::verdict::Margin;
use evenhand_stats::randomised::{LogRatio, Word};
use evenhand_trial::{ArmId, Better, MetricId, Round};
use std::time::Duration;

const BASELINE: ArmId = ArmId(0);
const CANDIDATE: ArmId = ArmId(1);
const OTHER: ArmId = ArmId(2);

fn judged(metric: u32, better: Better) -> Judged {
    Judged { metric: MetricId(metric), instead: None, better, timed: true }
}

fn rule() -> StopRule {
    StopRule {
        max_time: Duration::from_secs(30),
        longest: Duration::from_secs(30),
        rounds: None,
        fewest: 0,
        most: None,
        margin: Margin::default(),
        alpha: 0.01,
        metrics: vec![judged(0, Better::Lower)],
        tell_from: None,
        precision: Precision::ANY,
        at: At::Typical,
    }
}

/// A round in which these arms gave these numbers.
fn round_of(numbers: &[(ArmId, &[f64])]) -> Round {
    let mut round = Round::default();
    numbers.iter().for_each(|(arm, values)| round.push(*arm, None, None, 1, values.iter().copied()));
    round
}

/// A little noise that changes its sign, so that no two rounds are alike.
fn noise(round: u32) -> f64 {
    let size = f64::from(round % 7 + 1) * 1e-4;
    if round.is_multiple_of(2) { 1.0 + size } else { 1.0 - size }
}

/// So much that an effect of just the margin is not known well in a few hundred rounds.
fn much_noise(round: u32) -> f64 {
    1.0 + 20.0 * (noise(round) - 1.0)
}

/// Rounds in which each arm takes its factor, until all is settled; how many it took.
fn rounds_until_settled(decisions: &mut Decisions, arms: &[(ArmId, f64)], most: u32) -> Option<u32> {
    rounds_with_noise(decisions, arms, most, noise)
}

fn rounds_with_noise(
    decisions: &mut Decisions,
    arms: &[(ArmId, f64)],
    most: u32,
    noise: fn(u32) -> f64,
) -> Option<u32> {
    for round in 0..most {
        let values: Vec<(ArmId, [f64; 1])> = arms
            .iter()
            .map(|(arm, factor)| (*arm, [factor * if *arm == BASELINE { 1.0 } else { noise(round) }]))
            .collect();
        let wanted = values.iter().filter(|(arm, _)| *arm == BASELINE || !decisions.is_settled(*arm));
        let folded: Vec<(ArmId, &[f64])> = wanted.map(|(arm, values)| (*arm, values.as_slice())).collect();
        decisions.fold(&round_of(&folded));
        decisions.look(Duration::ZERO);
        if decisions.all_settled() {
            return Some(round + 1);
        }
    }
    None
}

#[test]
fn a_clear_difference_is_settled_soon_and_with_the_right_word() {
    for (factor, word) in [(1.10, Word::Slower), (0.90, Word::Faster), (1.0, Word::Same)] {
        let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
        let took = rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 8.0 * factor)], 200);
        assert!(took.is_some_and(|rounds| (5..60).contains(&rounds)), "{factor}: {took:?}");
        assert_eq!(decisions.comparisons()[0].verdict.word, word);
    }
}

#[test]
fn rounds_that_follow_may_take_a_verdict_away() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    let took = rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 8.0)], 200).unwrap();
    for round in 0..took {
        decisions.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[8.3 * noise(round)])]));
    }
    decisions.look(Duration::ZERO);
    let comparison = &decisions.comparisons()[0];
    assert!(!comparison.settled && comparison.verdict.rounds == 2 * took as usize, "{comparison:?}");
}

#[test]
fn an_effect_on_the_margin_is_never_settled() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    let on_the_margin = [(BASELINE, 8.0), (CANDIDATE, 8.0 * 1.01)];
    assert_eq!(rounds_with_noise(&mut decisions, &on_the_margin, 300, much_noise), None);
    let verdict = decisions.comparisons()[0].verdict;
    assert_eq!(verdict.word, Word::SlightlySlower);
    assert!(verdict.rounds_to_final.is_some_and(|rounds| rounds > 300), "{verdict:?}");
}

#[test]
fn more_is_better_turns_the_word() {
    let rule = StopRule { metrics: vec![judged(0, Better::Higher)], ..rule() };
    let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
    rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 8.8)], 200).unwrap();
    assert_eq!(decisions.comparisons()[0].verdict.word, Word::Faster);
}

#[test]
fn each_candidate_leaves_when_its_own_verdict_stands() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE, OTHER], Pieces::Rounds);
    let arms = [(BASELINE, 8.0), (CANDIDATE, 9.0), (OTHER, 8.0 * 1.01)];
    assert_eq!(rounds_with_noise(&mut decisions, &arms, 100, much_noise), None);
    assert!(decisions.is_settled(CANDIDATE) && !decisions.is_settled(OTHER));
    let rounds = |place: usize| decisions.comparisons()[place].verdict.rounds;
    assert!(rounds(0) < 60 && rounds(1) == 100, "{} {}", rounds(0), rounds(1));
}

#[test]
fn nothing_waits_for_a_control_and_it_runs_as_long_as_the_others() {
    let arms = [BASELINE, CANDIDATE, OTHER];
    let mut decisions = Decisions::new(&rule(), &arms, Pieces::Rounds).without_waiting_for(Some(OTHER));
    // On the margin, so that its own verdict never comes.
    let values = [(BASELINE, 8.0), (CANDIDATE, 9.0), (OTHER, 8.0 * 1.01)];
    let took = rounds_with_noise(&mut decisions, &values, 100, much_noise).unwrap();
    assert!(took < 60 && decisions.is_settled(OTHER) && !decisions.comparisons()[1].settled, "{took}");
    let mut decisions = Decisions::new(&rule(), &arms, Pieces::Rounds).without_waiting_for(Some(CANDIDATE));
    assert_eq!(rounds_with_noise(&mut decisions, &values, 100, much_noise), None);
    let control = &decisions.comparisons()[0];
    assert!(
        control.settled && !decisions.is_settled(CANDIDATE) && control.verdict.rounds == 100,
        "{control:?}"
    );
}

#[test]
fn a_fixed_number_of_rounds_settles_nothing_before() {
    let rule = StopRule { rounds: Some(50), ..rule() };
    let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
    assert_eq!(rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 9.0)], 50), None);
    assert_eq!(decisions.comparisons()[0].verdict.word, Word::Slower);
}

#[test]
fn no_verdict_ends_it_before_the_fewest_rounds() {
    let until = |fewest| {
        let rule = StopRule { fewest, ..rule() };
        let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
        rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 9.0)], 100)
    };
    assert!(until(0).is_some_and(|rounds| rounds < 50));
    assert_eq!(until(50), Some(50));
}

#[test]
fn a_size_that_was_asked_for_must_be_told_from_the_effect() {
    let mut asked = rule();
    asked.tell_from = LogRatio::from_percent(10.5);
    let arms = [(BASELINE, 8.0), (CANDIDATE, 8.0 * 1.10)];
    let without = rounds_until_settled(
        &mut Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds),
        &arms,
        500,
    )
    .unwrap();
    let mut decisions = Decisions::new(&asked, &[BASELINE, CANDIDATE], Pieces::Rounds);
    let with = rounds_until_settled(&mut decisions, &arms, 500).unwrap();
    assert!(with >= without, "{with} {without}");
    let interval = decisions.comparisons()[0].verdict.interval.unwrap();
    assert!(interval.high.unwrap() < LogRatio::from_percent(10.5).unwrap());
    // The effect itself can never be told from itself.
    asked.tell_from = LogRatio::from_percent(10.0);
    let mut decisions = Decisions::new(&asked, &[BASELINE, CANDIDATE], Pieces::Rounds);
    assert_eq!(rounds_with_noise(&mut decisions, &arms, 300, much_noise), None);
}

#[test]
fn several_metrics_must_all_be_settled() {
    let rule = StopRule { metrics: vec![judged(0, Better::Lower), judged(1, Better::Lower)], ..rule() };
    let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
    for round in 0..200 {
        let noise = much_noise(round);
        // The first is clear, the second lies on the margin.
        decisions.fold(&round_of(&[(BASELINE, &[8.0, 100.0]), (CANDIDATE, &[9.0 * noise, 101.0 * noise])]));
        decisions.look(Duration::ZERO);
    }
    let [first, second] = decisions.comparisons() else { panic!("two metrics make two comparisons") };
    assert!(first.settled && !second.settled && !decisions.all_settled());
}

/// Rounds in which both arms cost this, with a look after each; how many until all is settled.
fn rounds_of_costs(decisions: &mut Decisions, costs: [&[f64]; 2], most: u64) -> Option<u64> {
    let [baseline, candidate] = costs;
    (1..=most).find(|_| {
        decisions.fold(&round_of(&[(BASELINE, baseline), (CANDIDATE, candidate)]));
        decisions.look(Duration::ZERO);
        decisions.all_settled()
    })
}

#[test]
fn where_the_baseline_costs_nothing_signs_decide() {
    let decisions = || Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    for (costs, word) in [([0.0, 3.0], Word::Slower), ([3.0, 0.0], Word::Faster)] {
        let mut decisions = decisions();
        assert_eq!(rounds_of_costs(&mut decisions, [&costs[..1], &costs[1..]], 100), Some(10));
        assert_eq!(decisions.comparisons()[0].verdict.word, word);
    }
    let mut asked = rule();
    asked.tell_from = LogRatio::from_percent(5.0);
    let mut asked = Decisions::new(&asked, &[BASELINE, CANDIDATE], Pieces::Rounds);
    assert_eq!(rounds_of_costs(&mut asked, [&[0.0], &[3.0]], 100), Some(10), "it has no size to wait for");
    // What the rounds before the first zero proved is kept.
    let mut late = decisions();
    rounds_of_costs(&mut late, [&[8.0], &[9.0]], 6);
    assert_eq!(rounds_of_costs(&mut late, [&[0.0], &[3.0]], 100), Some(7));
}

#[test]
fn launches_that_cost_nothing_are_signs_too() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Launches);
    let launches = (1..=100).find(|_| {
        for round in 0..10 {
            let candidate = if round % 3 == 0 { 1.0 } else { 0.0 };
            decisions.fold(&round_of(&[(BASELINE, &[0.0]), (CANDIDATE, &[candidate])]));
        }
        decisions.end_launch();
        decisions.look(Duration::ZERO);
        decisions.all_settled()
    });
    assert_eq!(launches, Some(10));
    assert_eq!(decisions.comparisons()[0].verdict.word, Word::Slower);
}

#[test]
fn what_never_differs_is_waited_for_only_alone() {
    let mut alone = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    assert_eq!(rounds_of_costs(&mut alone, [&[0.0], &[0.0]], 300), None);
    assert!(!alone.is_hopeless());
    let untimed = |metric| Judged { timed: false, ..judged(metric, Better::Lower) };
    let both = StopRule { metrics: vec![untimed(0), untimed(1)], ..rule() };
    let mut beside = Decisions::new(&both, &[BASELINE, CANDIDATE], Pieces::Rounds);
    let rounds = rounds_of_costs(&mut beside, [&[8.0, 0.0], &[9.0, 0.0]], 300).unwrap();
    assert!(rounds < 20, "{rounds}");
    let mut differs = Decisions::new(&both, &[BASELINE, CANDIDATE], Pieces::Rounds);
    rounds_of_costs(&mut differs, [&[8.0, 0.0], &[9.0, 1.0]], 1);
    assert_eq!(rounds_of_costs(&mut differs, [&[8.0, 0.0], &[9.0, 0.0]], 300), None, "it may yet be proven");
}

#[test]
fn a_number_without_a_ratio_or_a_sign_ends_the_hope_for_a_verdict() {
    for (number, at) in [(0.0, At::Mean), (-1.0, At::Typical), (f64::INFINITY, At::Typical)] {
        let mut decisions =
            Decisions::new(&StopRule { at, ..rule() }, &[BASELINE, CANDIDATE], Pieces::Rounds);
        decisions.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[number])]));
        decisions.look(Duration::ZERO);
        assert!(decisions.all_settled());
        assert_eq!(decisions.comparisons()[0].verdict.word, Word::Unclear);
    }
}

#[test]
fn a_missing_number_or_arm_is_a_round_that_says_nothing() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    decisions.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[f64::NAN])]));
    decisions.fold(&round_of(&[(BASELINE, &[8.0])]));
    decisions.look(Duration::ZERO);
    assert!(!decisions.all_settled());
    assert_eq!((decisions.rounds(), decisions.comparisons()[0].verdict.rounds), (2, 0));
}

#[test]
fn a_number_that_is_always_missing_ends_the_hope_for_a_verdict() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    for _ in 0..8 {
        assert!(!decisions.is_hopeless());
        decisions.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[f64::NAN])]));
        decisions.look(Duration::ZERO);
    }
    assert!(decisions.is_hopeless() && decisions.all_settled());
    let mut sometimes = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    sometimes.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[8.0])]));
    for _ in 0..20 {
        sometimes.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[f64::NAN])]));
    }
    assert!(!sometimes.is_hopeless());
}

#[test]
fn an_arm_alone_has_nothing_to_settle() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE], Pieces::Rounds);
    decisions.fold(&round_of(&[(BASELINE, &[8.0])]));
    decisions.look(Duration::ZERO);
    assert!(!decisions.all_settled() && decisions.comparisons().is_empty());
}

#[test]
fn an_effect_of_just_the_margin_ends_when_it_is_known_well() {
    let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
    let took = rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 8.08)], 2000);
    assert!(took.is_some_and(|rounds| (10..100).contains(&rounds)), "{took:?}");
    let verdict = decisions.comparisons()[0].verdict;
    let interval = verdict.interval.unwrap();
    assert!(interval.high.unwrap().0 - interval.low.unwrap().0 < 0.001, "{interval:?}");
    assert_eq!(verdict.word, Word::SlightlySlower);
}

/// The first metric is missing in the first rounds, or always: then the second one is judged, until the first is known in more
/// than half of them.
#[test]
fn what_is_not_known_is_judged_by_another_metric() {
    let rule = || StopRule {
        metrics: vec![Judged { instead: Some(MetricId(1)), ..judged(0, Better::Lower) }],
        ..rule()
    };
    let measured = |known_from: u32, rounds: u32| {
        let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], Pieces::Rounds);
        for round in 0..rounds {
            let usual = if round < known_from { f64::NAN } else { 1.0 };
            let (old, new) = ([usual, 1.0], [usual * 1.1 * noise(round), 1.2 * noise(round)]);
            decisions.fold(&round_of(&[(BASELINE, &old), (CANDIDATE, &new)]));
        }
        decisions.look(Duration::ZERO);
        let comparison = &decisions.comparisons()[0];
        (comparison.metric, comparison.verdict.word, comparison.verdict.rounds, decisions.is_hopeless())
    };
    assert_eq!(measured(5, 40), (MetricId(0), Word::Slower, 35, false));
    assert_eq!(measured(20, 40), (MetricId(1), Word::Slower, 40, false), "half is not more than half");
    assert_eq!(measured(40, 40), (MetricId(1), Word::Slower, 40, false));
    assert_eq!(measured(0, 40), (MetricId(0), Word::Slower, 40, false));
}

/// A candidate that is 2 % slower, in noise of 1 %; how long it took to settle at a round a second, and how well it was known
/// then: the width of the interval over the effect.
fn seconds_and_width(precision: Precision) -> (u64, f64) {
    let rule = StopRule { precision, ..rule() };
    let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
    let seconds = (1..1000_u32).find(|second| {
        // No reading recurs, as none does on a fine clock.
        let noise = 1.0 + 0.014 * (1.7 * f64::from(*second)).sin();
        decisions.fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[8.24 * noise])]));
        decisions.look(Duration::from_secs(u64::from(*second)));
        decisions.all_settled()
    });
    let verdict = decisions.comparisons()[0].verdict;
    assert_eq!(verdict.word, Word::Slower);
    let interval = verdict.interval.unwrap();
    let width = interval.high.unwrap().0 - interval.low.unwrap().0;
    (u64::from(seconds.unwrap()), width / interval.estimate.0)
}

#[test]
fn a_change_is_measured_on_until_it_is_known_well_or_the_time_for_that_is_over() {
    let (word, wide) = seconds_and_width(Precision::ANY);
    assert!(wide > 0.5, "{wide}");
    let (precise, narrow) = seconds_and_width(Precision { part: 0.2, time: Duration::MAX });
    assert!(precise > word && narrow <= 0.2, "{precise} {word} {narrow}");
    let (later, _) = seconds_and_width(Precision { part: 0.2, time: Duration::from_secs(5) });
    assert_eq!(later, word + 5);
}

#[test]
fn the_same_is_enough_however_wide_its_interval() {
    let rule = StopRule { precision: Precision { part: 0.2, time: Duration::MAX }, ..rule() };
    let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
    let took = rounds_until_settled(&mut decisions, &[(BASELINE, 8.0), (CANDIDATE, 8.0)], 200);
    assert!(took.is_some_and(|rounds| rounds < 60), "{took:?}");
}

#[test]
fn where_the_typical_round_is_the_same_another_mean_is_waited_for() {
    let until_settled = |patience, long: fn(u32) -> f64| {
        let precision = Precision { part: 0.2, time: Duration::from_secs(patience) };
        let rule = StopRule { precision, ..rule() };
        let mut decisions = Decisions::new(&rule, &[BASELINE, CANDIDATE], Pieces::Rounds);
        let settled = (1..200).find(|round| {
            decisions
                .fold(&round_of(&[(BASELINE, &[8.0]), (CANDIDATE, &[8.0 * noise(*round) * long(*round)])]));
            decisions.look(Duration::from_secs(u64::from(*round)));
            decisions.all_settled()
        });
        assert_eq!(decisions.comparisons()[0].verdict.word, Word::Same);
        settled.unwrap()
    };
    let (always, now_and_then_long) = (|_| 1.0, |round| if round % 9 == 3 { 3.0 } else { 1.0 });
    assert_eq!(until_settled(20, always), until_settled(0, always));
    // Not to the end of that time: two rounds later more speaks against it.
    let [at_once, a_second, long] = [0, 1, 20].map(|seconds| until_settled(seconds, now_and_then_long));
    assert_eq!([a_second, long], [at_once + 1, at_once + 2]);
}

/// Three steps of a coarse clock each, and once four.
fn coarse_readings(decisions: &mut Decisions, level: f64, launch: Option<u32>) {
    for round in 0..120_u32 {
        let candidate = if round % 40 == 3 { level + 10.0 } else { level };
        decisions.fold(&round_of(&[(BASELINE, &[level]), (CANDIDATE, &[candidate])]));
        if launch.is_some_and(|rounds| (round + 1).is_multiple_of(rounds)) {
            decisions.end_launch();
        }
        decisions.look(Duration::ZERO);
    }
}

#[test]
fn equal_readings_of_a_coarse_clock_settle_nothing() {
    for (level, launch) in [(Pieces::Rounds, None), (Pieces::Launches, Some(10))] {
        let mut decisions = Decisions::new(&rule(), &[BASELINE, CANDIDATE], level);
        coarse_readings(&mut decisions, 30.0, launch);
        assert!(!decisions.all_settled() && decisions.comparisons()[0].verdict.word == Word::Unclear);
        let mut fine = Decisions::new(&rule(), &[BASELINE, CANDIDATE], level);
        coarse_readings(&mut fine, 3e6, launch);
        assert!(fine.all_settled() && fine.comparisons()[0].verdict.word == Word::Same);
    }
}

#[test]
fn equal_counts_are_settled() {
    let counted = StopRule { metrics: vec![Judged { timed: false, ..judged(0, Better::Lower) }], ..rule() };
    let mut decisions = Decisions::new(&counted, &[BASELINE, CANDIDATE], Pieces::Rounds);
    coarse_readings(&mut decisions, 30.0, None);
    assert!(decisions.all_settled() && decisions.comparisons()[0].verdict.word == Word::Same);
}
