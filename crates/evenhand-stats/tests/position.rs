//! What running second costs is taken off, before the coin falls: exact, and of use only where there is something to take off.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use evenhand_stats::randomised::position::{Places, Position};
use evenhand_stats::randomised::{EProcess, LogRatio};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SECOND: Places = Places { baseline: 0, candidate: 1 };
const FIRST: Places = Places { baseline: 1, candidate: 0 };

/// Rounds whose candidate ran second or first by a coin: the toss, and bell-shaped noise.
fn rounds(seed: u64, n: usize) -> Vec<(Places, f64)> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    (0..n)
        .map(|_| (if uniform() < 0.5 { FIRST } else { SECOND }, uniform() + uniform() + uniform() - 1.5))
        .collect()
}

fn sign(places: Places) -> f64 {
    if places == SECOND { 1.0 } else { -1.0 }
}

/// The round in which "no difference" is refuted at 1 %, with or without the adjustment.
fn refuted(effect: f64, cost: f64, noise: f64, seed: u64, adjusted: bool) -> Option<usize> {
    let (mut position, mut evidence) = (Position::default(), EProcess::of_no_difference());
    rounds(seed, 400).into_iter().position(|(places, luck)| {
        let difference = LogRatio(effect + sign(places) * (cost + noise * luck));
        let taken = if adjusted { position.adjust(difference, places) } else { difference };
        evidence.push(taken).unwrap();
        evidence.refutes(0.01)
    })
}

fn median_rounds(cost: f64, adjusted: bool) -> usize {
    let mut found: Vec<usize> =
        (0..101).map(|seed| refuted(0.03, cost, 0.02, seed, adjusted).unwrap_or(usize::MAX)).collect();
    found.sort_unstable();
    found[50]
}

#[test]
fn a_position_effect_costs_little_once_it_is_known() {
    let (without, plain, adjusted) =
        (median_rounds(0.0, false), median_rounds(0.05, false), median_rounds(0.05, true));
    assert!(plain > 4 * without, "{plain} rounds instead of {without}");
    assert!(adjusted <= 2 * without, "{adjusted} rounds instead of {without}");
}

#[test]
fn where_there_is_nothing_to_adjust_it_costs_nothing() {
    let (plain, adjusted) = (median_rounds(0.0, false), median_rounds(0.0, true));
    assert!(10 * adjusted <= 11 * plain, "{adjusted} rounds instead of {plain}");
}

#[test]
fn false_alarms_stay_at_their_rate() {
    for cost in [0.0, 0.05, 0.3] {
        let alarms = (0..1000).filter(|seed| refuted(0.0, cost, 0.02, *seed, true).is_some()).count();
        assert!(alarms <= 18, "{alarms} of 1000 at 1 %, cost {cost}");
    }
}

#[test]
fn only_rounds_before_count() {
    let mut position = Position::default();
    let mut taken = Vec::new();
    for (places, luck) in rounds(7, 40) {
        taken.push(position.adjust(LogRatio(sign(places) * (0.5 + 0.01 * luck)), places));
    }
    // The same rounds, and then a wild one: what was taken before it is the same.
    let mut again = Position::default();
    for (round, (places, luck)) in rounds(7, 40).into_iter().enumerate() {
        let difference = if round == 39 { 1e9 } else { sign(places) * (0.5 + 0.01 * luck) };
        let now = again.adjust(LogRatio(difference), places);
        assert!(round == 39 || now == taken[round], "round {round}");
        assert!(round < 39 || (difference - now.0).abs() < 1.0, "a round says nothing of itself");
    }
    assert!(taken[30].0.abs() < 0.05, "half a unit is off by then: {:?}", taken[30]);
}

#[test]
fn every_pair_of_places_has_its_own_figure() {
    let mut position = Position::default();
    let places = |baseline, candidate| Places { baseline, candidate };
    for round in 0..40 {
        let wobble = 1e-3 * f64::from(round % 5);
        for (near, cost) in [(1, 0.1), (2, 0.4)] {
            position.adjust(LogRatio(cost + wobble), places(0, near));
            position.adjust(LogRatio(-cost + wobble), places(near, 0));
        }
    }
    let left = |baseline, candidate, difference| {
        position.clone().adjust(LogRatio(difference), places(baseline, candidate)).0
    };
    assert!(left(0, 1, 0.1).abs() < 0.01 && left(0, 2, 0.4).abs() < 0.01);
    assert!(left(2, 0, -0.4).abs() < 0.01, "the other way round too");
    assert!((left(1, 2, 0.3) - 0.3).abs() < 1e-12, "nothing is known of these two places");
}

#[test]
fn it_follows_a_cost_that_changes() {
    let mut position = Position::default();
    let mut last = f64::NAN;
    for (round, (places, luck)) in rounds(3, 600).into_iter().enumerate() {
        let cost = if round < 300 { 0.1 } else { 0.4 };
        last = position.adjust(LogRatio(sign(places) * (cost + 0.001 * luck)), places).0.abs();
    }
    assert!(last < 0.01, "{last}");
}
