//! Equal readings of a coarse clock are no equal times: with a coin, over launches and without one.

use super::planted::{Draws, add, compared, imported, margin, only, trial};
use evenhand_stats::randomised::Word;
use evenhand_trial::environment::Clock;
use evenhand_trial::{Per, Trial, Unit};

const STEP: f64 = 10.0;

/// What a clock with a step of 10 reads of these times.
fn read(times: &[f64]) -> Vec<f64> {
    times.iter().map(|time| (time / STEP).round() * STEP).collect()
}

/// Times with a noise of a twentieth of the step, on a coarse clock.
fn arms(count: usize, typical: f64, effect: f64, seed: u64) -> [Vec<f64>; 2] {
    let mut draws = Draws::new(seed);
    [typical, typical * (1.0 + effect)].map(|typical| read(&draws.times(count, typical, 0.015)))
}

fn with_coin(launches: u32, rounds: usize, effect: f64) -> Trial {
    let mut trial = trial(&["old", "new"]);
    for launch in 0..launches {
        let [old, mut new] = arms(rounds, 30.0, effect, 60 + u64::from(launch));
        // A reading one step off shows what the step is.
        new[0] = 40.0;
        add(&mut trial, 0, launch, &old);
        add(&mut trial, 1, launch, &new);
    }
    trial
}

const COARSE: &str =
    "the clock's step of 10 ns is 33.3 % of the time, 30 ns: measure more iterations per sample";

#[test]
fn readings_of_three_steps_are_not_called_the_same() {
    for launches in [1, 12] {
        let found = compared(&with_coin(launches, 30, 0.05));
        assert_eq!(found.verdict, Word::Unclear, "{}", found.sentence);
        assert_eq!(found.limits, [COARSE]);
        let (low, high) = (found.effect.low.unwrap(), found.effect.high.unwrap());
        assert!(low < -0.2 && (0.3..0.5).contains(&high), "{:?}", found.effect);
        assert_eq!(found.needed, None, "no number of rounds helps");
        let median = found.percentiles.iter().find(|scaled| scaled.percent == 50.0).unwrap();
        assert!(median.low.unwrap() < 0.8 && median.high.unwrap() > 1.3, "{median:?}");
    }
}

#[test]
fn nor_after_two_hundred_slow_rounds_that_are_all_unlike() {
    let mut draws = Draws::new(63);
    let mut trial = trial(&["old", "new"]);
    for (arm, typical) in [(0, 31.0), (1, 34.0)] {
        let times = [draws.times(200, 20_000.0, 0.5), draws.times(400, typical, 0.003)].concat();
        add(&mut trial, arm, 0, &read(&times));
    }
    let found = compared(&trial);
    assert_eq!(found.verdict, Word::Unclear, "{}", found.sentence);
    assert_eq!(found.limits, [COARSE]);
    assert!(found.effect.low.unwrap() < -0.2 && found.effect.high.unwrap() > 0.3, "{:?}", found.effect);
}

#[test]
fn nor_without_a_coin() {
    let [old, mut new] = arms(100, 30.0, 0.05, 61);
    new[50] = 40.0;
    let found = compared(&imported(&old, &new));
    assert_eq!((found.verdict, found.limits), (Word::Unclear, vec![COARSE.to_owned()]));
}

#[test]
fn a_difference_of_many_steps_is_told() {
    let [old, new] = arms(60, 300.0, 0.5, 62);
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &old);
    add(&mut trial, 1, 0, &new);
    let found = compared(&trial);
    assert_eq!((found.verdict, found.limits.len()), (Word::Slower, 0), "{}", found.sentence);
    assert!(found.effect.low.unwrap() < 0.48 && found.effect.high.unwrap() > 0.52, "{:?}", found.effect);
}

#[test]
fn within_a_margin_wider_than_the_step_they_may_be_the_same() {
    assert_eq!(only(&with_coin(1, 30, 0.05), &margin(60.0)).verdict, Word::Same);
}

#[test]
fn iterations_divide_the_step() {
    let [old, new] = arms(60, 300_000.0, 0.0, 63);
    let mut trial = imported(&old, &new);
    trial
        .series
        .iter_mut()
        .for_each(|series| series.iterations = evenhand_trial::Whole::Same { same: 10_000 });
    let found = compared(&trial);
    assert!(found.limits.is_empty(), "30 ns each, in samples of 30,000 steps: {:?}", found.limits);
}

#[test]
fn a_count_of_three_is_three() {
    let mut trial = with_coin(1, 30, 0.05);
    trial.metrics[0].unit = Unit::count();
    trial.metrics[0].per = Per::Iteration;
    assert_eq!(compared(&trial).verdict, Word::Same);
}

#[test]
fn where_all_read_the_same_the_clock_is_asked() {
    let mut trial = trial(&["old", "new"]);
    add(&mut trial, 0, 0, &[30.0; 40]);
    add(&mut trial, 1, 0, &[30.0; 40]);
    let unknown = compared(&trial);
    assert_eq!((unknown.verdict, unknown.effect.low), (Word::Unclear, None));
    assert!(unknown.limits[0].starts_with("all samples read 30 ns, so"), "{:?}", unknown.limits);
    let clock = |resolution_ns| Some(Clock { source: "made up".to_owned(), cost_ns: 20.0, resolution_ns });
    trial.environment.clock = clock(10.0);
    assert_eq!(compared(&trial).limits, [COARSE]);
    trial.environment.clock = clock(0.001);
    assert_eq!(compared(&trial).verdict, Word::Same);
}
