//! What is claimed of trials that were laid beside each other? They are compared without a coin, in one unit, by what they share.

use crate::analysis::planted::add;
use evenhand_analysis::{Comparison, Settings, analyse};
use evenhand_trial::{Arm, Better, Metric, Origin, Per, Schedule, Seed, Trial, TrialId, Unit};

fn trial(arms: &[&str], typical: f64) -> Trial {
    let origin = Origin::Imported { format: "columns".to_owned(), tool: None, file: "x.csv".to_owned() };
    let mut trial = Trial::new(TrialId::from_number(typical as u64), origin);
    trial.metrics = vec![Metric::time("wall", Unit::nanoseconds())];
    let times: Vec<f64> = (0..20_u32).map(|i| typical * (1.0 + 0.001 * f64::from(i * 7 % 11))).collect();
    for (index, name) in (0..).zip(arms) {
        trial.arms.push(Arm { name: (*name).to_owned(), ..Arm::default() });
        add(&mut trial, index, 0, &times);
    }
    trial
}

fn join<const N: usize>(trials: [(&str, Trial); N]) -> Trial {
    Trial::join(trials.map(|(name, trial)| (name.to_owned(), trial)).into()).unwrap()
}

/// `candidate/baseline` and the estimate in whole percent.
fn effects(trial: &Trial) -> Vec<(String, f64)> {
    let analysis = analyse(trial, &Settings::default()).unwrap();
    let (names, comparisons) = (&analysis.names, &analysis.comparisons);
    assert!(comparisons.iter().all(|one| one.coin().is_none()));
    let percent = |one: &Comparison| (100.0 * one.effect.estimate.unwrap()).round();
    let name =
        |one: &Comparison| format!("{}/{}", names.arm(one.pair.candidate), names.arm(one.pair.baseline));
    comparisons.iter().map(|one| (name(one), percent(one))).collect()
}

fn of(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|(pair, percent)| ((*pair).to_owned(), *percent)).collect()
}

#[test]
fn arms_of_one_name_are_compared() {
    let joined = join([("a.json", trial(&["x", "y"], 1000.0)), ("b.json", trial(&["y", "x"], 1100.0))]);
    assert_eq!(effects(&joined), of(&[("b.json: x/a.json: x", 10.0), ("b.json: y/a.json: y", 10.0)]));
}

#[test]
fn a_coin_inside_the_trials_is_none_between_them() {
    let mut measured = trial(&["x"], 1000.0);
    measured.schedule = Some(Schedule::new(Seed(1)));
    assert_eq!(effects(&join([("a", measured.clone()), ("b", measured)])), of(&[("b/a", 0.0)]));
}

#[test]
fn single_arms_need_no_common_name() {
    let joined = join([("a", trial(&["old"], 1000.0)), ("b", trial(&["new"], 1200.0))]);
    assert_eq!(effects(&joined), of(&[("b: new/a: old", 20.0)]));
}

#[test]
fn three_trials_share_a_baseline() {
    let joined = join([("a", trial(&["x"], 100.0)), ("b", trial(&["x"], 110.0)), ("c", trial(&["x"], 90.0))]);
    assert_eq!(effects(&joined), of(&[("b/a", 10.0), ("c/a", -10.0)]));
}

#[test]
fn seconds_and_nanoseconds_compare() {
    let mut seconds = trial(&["x"], 1.1e-6);
    seconds.metrics[0].unit = Unit::seconds();
    assert_eq!(effects(&join([("a", trial(&["x"], 1000.0)), ("b", seconds)])), of(&[("b/a", 10.0)]));
}

#[test]
fn nothing_is_compared_of_which_only_the_name_is_the_same() {
    let mut rate = trial(&["x"], 1e5);
    let (name, unit) = ("wall".to_owned(), Unit::new("op/s"));
    rate.metrics = vec![Metric { name, unit, per: Per::Iteration, better: Better::Higher }];
    let joined = join([("a", trial(&["x"], 1e3)), ("b", rate.clone()), ("c", rate)]);
    let analysis = analyse(&joined, &Settings::default()).unwrap();
    assert!(analysis.comparisons.is_empty());
    let codes: Vec<&str> = analysis.warnings.iter().map(|one| one.code()).collect();
    assert_eq!(codes, ["not-compared", "not-compared"]);
}

#[test]
fn machines_that_differ_are_noted_in_the_analysis() {
    let (mut first, mut second) = (trial(&["x"], 1.0), trial(&["x"], 1.0));
    first.environment.host = Some("alpha".to_owned());
    second.environment.host = Some("beta".to_owned());
    let joined = join([("a", first), ("b", second)]);
    assert_eq!(joined.notes.len(), 1);
    assert_eq!(analyse(&joined, &Settings::default()).unwrap().notes, joined.notes);
}
