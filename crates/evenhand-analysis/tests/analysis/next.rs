//! Is the one next step that is named one that helps?

use super::planted::{add, pair, trial};
use evenhand_analysis::words::next_step;
use evenhand_analysis::{Analysis, Next, Settings, ToDo, analyse, next};
use evenhand_trial::{Arm, ArmId, Trial};

fn after(trial: &Trial) -> Option<Next> {
    next(&analyse(trial, &Settings::default()).unwrap())
}

fn in_words(trial: &Trial, goes_on: bool) -> String {
    next_step(&after(trial).unwrap(), "@last", goes_on, &"40s")
}

/// Rounds of equals, in five seconds.
fn open(rounds: usize) -> Trial {
    let mut trial = pair(rounds, 0.0, 0.01, 61);
    trial.seconds = Some(5.0);
    trial
}

#[test]
fn what_is_open_is_measured_longer() {
    let Some(Next::Longer(ToDo { so_far, more, seconds, .. })) = after(&open(20)) else {
        panic!("it is open")
    };
    assert_eq!(so_far, 20);
    assert_eq!(seconds, Some(5.0 / 20.0 * more as f64));
    let goes_on = in_words(&open(20), true);
    assert!(
        goes_on.starts_with("next: evenhand run --continue @last --max-time 40s, for about "),
        "{goes_on}"
    );
    assert!(goes_on.ends_with(" more rounds"), "{goes_on}");
    assert!(in_words(&open(20), false).starts_with("next: repeat with --max-time 40s, for about "));
}

#[test]
fn what_nobody_waits_for_is_not_recommended() {
    let mut slow = open(20);
    slow.seconds = Some(1e6);
    assert_eq!(after(&slow), None);
    slow.seconds = None;
    assert_eq!(after(&slow), None, "how long it takes is not known");
}

#[test]
fn a_plain_result_needs_no_next_step() {
    assert_eq!(after(&pair(400, 0.05, 0.01, 62)), None);
    assert_eq!(after(&pair(4000, 0.0, 0.002, 62)), None);
}

#[test]
fn where_a_tail_moved_the_distributions_are_worth_a_look() {
    let mut spiky = pair(300, -0.03, 0.003, 18);
    spiky.series[1].values[0].iter_mut().skip(3).step_by(10).for_each(|value| *value *= 3.0);
    assert_eq!(after(&spiky), Some(Next::Distributions));
    assert_eq!(in_words(&spiky, true), "next: evenhand plot @last draws the distributions");
}

#[test]
fn two_kinds_of_behaviour_are_worth_a_look() {
    let mut alone = trial(&["only"]);
    let values: Vec<f64> =
        (0..200).map(|at| if at % 2 == 0 { 1e6 } else { 2e6 } + f64::from(at * 7919 % 103)).collect();
    add(&mut alone, 0, 0, &values);
    assert_eq!(after(&alone), Some(Next::Distributions));
}

/// Three benchmarks, the candidate of each slower by so much.
fn suite(effects: [f64; 3]) -> Analysis {
    let mut all = trial(&[]);
    all.seconds = Some(9.0);
    for (place, effect) in effects.into_iter().enumerate() {
        let one = pair(60, effect, 0.01, 63 + place as u64);
        for (side, series) in one.series.into_iter().enumerate() {
            let arm = ArmId((2 * place + side) as u32);
            let name = format!("{place} {side}");
            all.arms.push(Arm { name, group: place.to_string(), ..Arm::default() });
            all.series.push(evenhand_trial::Series { arm, ..series });
        }
    }
    analyse(&all, &Settings::default()).unwrap()
}

#[test]
fn a_suite_has_a_page() {
    let page = next(&suite([0.1, 0.0, 0.2])).unwrap();
    assert_eq!(page, Next::Page);
    assert_eq!(
        next_step(&page, "@last", false, &""),
        "next: evenhand report @last writes a page with every benchmark"
    );
    assert_ne!(next(&suite([0.0; 3])), Some(Next::Page), "there is nothing to see yet");
}
