//! What running second costs is taken off, before the coin falls: exact, and of use only where there is something to take off.

use evenhand_stats::randomised::launches::Launches;
use evenhand_stats::randomised::position::{Placed, Places, Position};
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

fn placed(difference: f64, places: Places) -> Placed {
    Placed { difference, places: Some(places) }
}

fn sign(places: Places) -> f64 {
    if places == SECOND { 1.0 } else { -1.0 }
}

/// What noise makes of luck.
type Noise = fn(f64) -> f64;

const BELLS: Noise = |luck| 0.02 * luck;
/// A narrow middle and wild ends, as times often have.
const NARROW: Noise = |luck| if luck.abs() < 0.3 { 0.001 * luck } else { 0.05 * luck };

/// The round in which "no difference" is refuted at 1 %, with or without the adjustment.
fn refuted(effect: f64, cost: f64, noise: Noise, seed: u64, adjusted: bool) -> Option<usize> {
    let (mut position, mut evidence) = (Position::default(), EProcess::of_no_difference());
    rounds(seed, 400).into_iter().position(|(places, luck)| {
        let difference = effect + sign(places) * (cost + noise(luck));
        let taken = if adjusted { position.round(placed(difference, places)) } else { difference };
        evidence.push(LogRatio(taken)).unwrap();
        evidence.refutes(0.01)
    })
}

fn median_rounds(effect: f64, cost: f64, noise: Noise, adjusted: bool) -> usize {
    let find = |seed| refuted(effect, cost, noise, seed, adjusted).unwrap_or(usize::MAX);
    let mut found: Vec<usize> = (0..101).map(find).collect();
    found.sort_unstable();
    found[50]
}

#[test]
fn a_position_effect_costs_little_once_it_is_known() {
    let rounds = |cost, adjusted| median_rounds(0.03, cost, BELLS, adjusted);
    let (without, plain, adjusted) = (rounds(0.0, false), rounds(0.05, false), rounds(0.05, true));
    assert!(plain > 4 * without, "{plain} rounds instead of {without}");
    assert!(adjusted <= 2 * without, "{adjusted} rounds instead of {without}");
}

#[test]
fn where_there_is_nothing_to_adjust_it_costs_nothing() {
    let rounds = |adjusted| median_rounds(0.002, 0.0, NARROW, adjusted);
    let (plain, adjusted) = (rounds(false), rounds(true));
    assert!(10 * adjusted <= 11 * plain, "{adjusted} rounds instead of {plain}");
}

#[test]
fn false_alarms_stay_at_their_rate() {
    for cost in [0.0, 0.05, 0.3] {
        let alarms = (0..1000).filter(|seed| refuted(0.0, cost, BELLS, *seed, true).is_some()).count();
        assert!(alarms <= 18, "{alarms} of 1000 at 1 %, cost {cost}");
    }
}

#[test]
fn only_rounds_before_count() {
    let mut position = Position::default();
    let mut take = |difference, places| position.round(placed(difference, places));
    let first = [take(0.5, SECOND), take(0.5, SECOND), take(-0.5, FIRST), take(-0.5, FIRST)];
    assert_eq!(first, [0.5, 0.5, -0.5, -0.5], "the second round of the second kind does not know of itself");
    assert_eq!([take(0.5, SECOND), take(-0.25, FIRST)], [0.0, 0.25]);
}

#[test]
fn every_pair_of_places_has_its_own_figure() {
    let mut position = Position::default();
    let places = |baseline, candidate| Places { baseline, candidate };
    for round in 0..40 {
        let wobble = 1e-3 * f64::from(round % 5);
        for (near, cost) in [(1, 0.1), (2, 0.4)] {
            position.round(placed(cost + wobble, places(0, near)));
            position.round(placed(-cost + wobble, places(near, 0)));
        }
    }
    let left = |baseline, candidate, difference| {
        position.clone().round(placed(difference, places(baseline, candidate)))
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
        last = position.round(placed(sign(places) * (cost + 0.001 * luck), places)).abs();
    }
    assert!(last < 0.01, "{last}");
}

#[test]
fn a_launch_is_adjusted_by_the_launches_before_it() {
    let launch = [placed(0.5, SECOND), placed(-0.5, FIRST)].repeat(4);
    let mut position = Position::default();
    assert_eq!(position.launch(&launch), [0.5, -0.5].repeat(4), "its own rounds share its coin");
    assert_eq!(position.launch(&launch), [0.0; 8]);
    assert_eq!(
        position.launch(&[0.5, 0.25]),
        [0.5, 0.25],
        "nothing is taken off where the places are not known"
    );
}

#[test]
fn launches_whose_second_arm_is_slower_are_decided_as_if_it_were_not() {
    let launches = |cost: f64| -> Vec<Vec<Placed>> {
        (0..60)
            .map(|launch| {
                let luck = 0.01 * rounds(launch, 1)[0].1;
                rounds(500 + launch, 16)
                    .into_iter()
                    .map(|(places, noise)| placed(0.02 + luck + sign(places) * cost + 0.01 * noise, places))
                    .collect()
            })
            .collect()
    };
    let found = |cost| {
        let launches = launches(cost);
        let rounds: Vec<&[Placed]> = launches.iter().map(Vec::as_slice).collect();
        Launches::of(&rounds, 0.01).unwrap()
    };
    let (without, with) = (found(0.0), found(0.1));
    assert!(with.ln_e_across > 0.8 * without.ln_e_across, "{} of {}", with.ln_e_across, without.ln_e_across);
    assert!(with.effects[1..].iter().all(|effect| effect.0.abs() < 0.06), "no launch is in one of the heaps");
}
