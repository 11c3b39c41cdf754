//! Steps and drifts: found where they are, not found where there are none.

use evenhand_stats::Rule;
use evenhand_stats::level::stationarity::{Movement, MovementKind, movements};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use statrs::distribution::{ContinuousCDF, Normal};

struct Draws(Xoshiro256PlusPlus, Normal);

impl Draws {
    fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed), Normal::standard())
    }

    fn normal(&mut self) -> f64 {
        self.1.inverse_cdf((self.0.next_u64() >> 12) as f64 / (1_u64 << 52) as f64 + 1e-17)
    }

    fn lognormal(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| 1000.0 * (0.3 * self.normal()).exp()).collect()
    }

    fn autoregression(&mut self, n: usize, phi: f64) -> Vec<f64> {
        let mut value = self.normal();
        (0..n)
            .map(|_| {
                value = phi * value + (1.0 - phi * phi).sqrt() * self.normal();
                100.0 + value
            })
            .collect()
    }
}

fn alarm_share(runs: u32, mut draw: impl FnMut(u64) -> Vec<f64>) -> f64 {
    let alarms: u32 =
        (0..runs).map(|seed| u32::from(!movements(&draw(u64::from(seed))).unwrap().is_empty())).sum();
    f64::from(alarms) / f64::from(runs)
}

fn only(found: &[Movement]) -> Movement {
    assert_eq!(found.len(), 1, "{found:?}");
    found[0]
}

#[test]
fn quiet_runs_raise_no_alarm() {
    let mut shares = Vec::new();
    for n in [50, 500, 3000] {
        let runs = if n == 3000 { 200 } else { 500 };
        let plain = alarm_share(runs, |seed| Draws::new(seed).lognormal(n));
        assert!(plain <= 0.016, "log-normal, n {n}: {plain}");
        shares.push(plain);
    }
    assert!(shares.iter().sum::<f64>() / 3.0 <= 0.01, "{shares:?}");
    for (n, phi, most) in [(500, 0.5, 0.03), (1000, 0.9, 0.05), (20_000, 0.9, 0.02)] {
        let runs = if n > 2000 { 60 } else { 300 };
        let share = alarm_share(runs, |seed| Draws::new(seed).autoregression(n, phi));
        assert!(share <= most, "phi {phi}, n {n}: {share}");
    }
}

#[test]
fn runs_of_the_rarer_of_two_heaps_are_no_levels() {
    for rare in [0.1, 0.3, 0.45] {
        let heaps = |seed| {
            let mut draws = Draws::new(seed);
            let mut one = || {
                let heap = if draws.normal() < Normal::standard().inverse_cdf(rare) { 1.5 } else { 1.0 };
                heap * (0.005 * draws.normal()).exp()
            };
            (0..400).map(|_| one()).collect()
        };
        let share = alarm_share(300, heaps);
        assert!(share <= 0.02, "{rare}: {share}");
    }
}

#[test]
fn a_step_is_found_where_it_is_and_as_large_as_it_is() {
    for (n, at) in [(200, 120), (2000, 700), (50_000, 20_000)] {
        let mut samples = Draws::new(5).lognormal(n);
        samples[at..].iter_mut().for_each(|x| *x *= 1.5);
        let step = only(&movements(&samples).unwrap());
        assert_eq!(step.kind, MovementKind::Step);
        assert!(step.index.abs_diff(at) <= n / 50, "n {n}: {step:?}");
        assert!((step.relative() - 0.5).abs() < 0.08, "n {n}: {step:?}");
        assert!(step.strength > 4.0);
    }
}

#[test]
fn the_index_is_the_first_sample_of_the_new_level() {
    let samples: Vec<f64> =
        (0..100).map(|i| if i < 60 { 10.0 } else { 20.0 } + f64::from(i % 3) / 10.0).collect();
    let step = only(&movements(&samples).unwrap());
    assert_eq!((step.index, step.before, step.after), (60, 10.1, 20.1));
}

#[test]
fn an_unbalanced_step_is_placed_as_well() {
    let mut samples = Draws::new(11).lognormal(200);
    samples[170..].iter_mut().for_each(|x| *x *= 0.1);
    let step = only(&movements(&samples).unwrap());
    assert_eq!(step.index, 170);
    assert!(step.relative() < -0.5);
}

#[test]
fn two_steps_come_in_order() {
    let mut samples = Draws::new(9).lognormal(3000);
    samples[1000..2000].iter_mut().for_each(|x| *x *= 2.0);
    let found = movements(&samples).unwrap();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].index.abs_diff(1000) < 30 && found[1].index.abs_diff(2000) < 30);
    assert!(found[0].relative() > 0.8 && found[1].relative() < -0.4);
    assert!((found[0].after - found[1].before).abs() < 1e-9);
}

#[test]
fn a_drift_is_one_movement_from_end_to_end() {
    for n in [300, 5000] {
        let mut samples = Draws::new(3).lognormal(n);
        samples.iter_mut().enumerate().for_each(|(i, x)| *x *= 1.0 + 0.5 * i as f64 / n as f64);
        let drift = only(&movements(&samples).unwrap());
        assert_eq!((drift.kind, drift.index), (MovementKind::Drift, 0));
        assert!((drift.relative() - 0.5).abs() < 0.15, "{drift:?}");
    }
}

#[test]
fn spikes_hide_nothing_and_make_nothing() {
    let mut samples = Draws::new(4).lognormal(1000);
    samples.iter_mut().step_by(97).for_each(|x| *x *= 1e6);
    assert!(movements(&samples).unwrap().is_empty());
    samples[400..].iter_mut().for_each(|x| *x *= 1.5);
    assert!(only(&movements(&samples).unwrap()).index.abs_diff(400) < 20);
}

#[test]
fn certain_but_tiny_movements_are_not_worth_a_word() {
    let step = |size: f64| -> Vec<f64> {
        (0..400).map(|i| 1000.0 + f64::from(i % 5) / 100.0 + if i < 200 { 0.0 } else { size }).collect()
    };
    assert!(movements(&step(1.0)).unwrap().is_empty());
    assert_eq!(only(&movements(&step(3.0)).unwrap()).index, 200);
}

#[test]
fn a_step_without_noise_is_the_clearest_of_all() {
    let samples: Vec<f64> = (0..100).map(|i| if i < 60 { 10.0 } else { 12.0 }).collect();
    let step = only(&movements(&samples).unwrap());
    assert_eq!((step.kind, step.index, step.before, step.after), (MovementKind::Step, 60, 10.0, 12.0));
    assert!(step.strength > 100.0);
}

/// Samples at each level, and the level.
const LEVELS: [&[(usize, f64)]; 6] = [
    &[(10, 100.0), (10, 110.0)],
    &[(90, 100.0), (10, 110.0)],
    &[(20, 100.0), (50, 110.0), (30, 121.0)],
    &[(40, 100.0), (12, 110.0), (48, 100.0)],
    &[(10, 100.0), (40, 110.0), (25, 121.0), (25, 133.0)],
    &[(10, 100.0), (12, 110.0), (15, 95.0), (10, 105.0)],
];

fn places(levels: &[(usize, f64)]) -> Vec<usize> {
    let end = |at: &mut usize, level: &(usize, f64)| {
        *at += level.0;
        Some(*at)
    };
    levels[..levels.len() - 1].iter().scan(0, end).collect()
}

#[test]
fn two_three_and_four_levels_without_noise_are_found_to_the_sample() {
    for levels in LEVELS {
        let samples: Vec<f64> =
            levels.iter().flat_map(|(n, level)| std::iter::repeat_n(*level, *n)).collect();
        let found = movements(&samples).unwrap();
        assert!(found.iter().all(|step| step.kind == MovementKind::Step), "{levels:?}: {found:?}");
        assert_eq!(found.iter().map(|step| step.index).collect::<Vec<_>>(), places(levels));
        for (step, pair) in found.iter().zip(levels.windows(2)) {
            assert_eq!((step.before, step.after), (pair[0].1, pair[1].1));
        }
    }
}

#[test]
fn two_three_and_four_levels_are_found_in_noise() {
    for levels in &LEVELS[1..] {
        for phi in [0.0, 0.5] {
            let found_all = |seed: &u64| {
                let level = levels.iter().flat_map(|(n, level)| std::iter::repeat_n(*level, *n));
                let n = levels.iter().map(|level| level.0).sum();
                let noise = Draws::new(*seed).autoregression(n, phi);
                let samples: Vec<f64> =
                    level.zip(noise).map(|(level, noise)| level + noise - 100.0).collect();
                let (found, places) = (movements(&samples).unwrap(), places(levels));
                let near = |(step, place): (&Movement, &usize)| step.index.abs_diff(*place) <= 2;
                found.len() == places.len() && found.iter().zip(&places).all(near)
            };
            let hits = (0..50).filter(found_all).count();
            assert!(hits >= 47, "{levels:?}, phi {phi}: {hits} of 50");
        }
    }
}

#[test]
fn a_random_walk_has_no_steps() {
    let walk = |seed| {
        let mut draws = Draws::new(seed);
        let mut value = 100.0;
        let samples = (0..300).map(|_| {
            value += 0.1 * draws.normal();
            value
        });
        movements(&samples.collect::<Vec<_>>()).unwrap()
    };
    let steps = (0..200).filter(|seed| walk(*seed).iter().any(|one| one.kind == MovementKind::Step)).count();
    assert!(steps <= 4, "{steps} of 200");
}

#[test]
fn a_straight_line_is_a_drift_and_no_stair() {
    let line: Vec<f64> = (0..200).map(|i| 100.0 + 0.1 * f64::from(i)).collect();
    assert_eq!(only(&movements(&line).unwrap()).kind, MovementKind::Drift);
}

#[test]
fn two_states_that_change_by_chance_have_no_steps() {
    let coins = |seed| {
        let mut draws = Draws::new(seed);
        (0..200).map(|_| if draws.normal() > 0.5 { 11.0 } else { 10.0 }).collect::<Vec<f64>>()
    };
    let alarms = alarm_share(200, coins);
    assert!(alarms <= 0.01, "{alarms}");
}

#[test]
fn odd_input_has_an_answer_or_a_rule() {
    assert_eq!(movements(&[]).unwrap_err().rule, Rule::AtLeast { needed: 1, got: 0 });
    assert_eq!(movements(&[1.0, f64::NAN]).unwrap_err().rule, Rule::Finite { index: 1 });
    assert!(movements(&[1.0, 2.0]).unwrap().is_empty());
    assert!(movements(&[4.0; 5000]).unwrap().is_empty());
    let jump: Vec<f64> = (0..100).map(|i| if i < 50 { -1e308 } else { 1e308 }).collect();
    assert!(movements(&jump).unwrap().iter().all(|m| m.index == 50 && !m.relative().is_nan()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn places_do_not_depend_on_the_unit(at in 20_usize..180, seed in 0_u64..1000, scale in 0.001..1e6f64) {
        let mut samples = Draws::new(seed).lognormal(200);
        samples[at..].iter_mut().for_each(|x| *x *= 3.0);
        let scaled: Vec<f64> = samples.iter().map(|x| x * scale).collect();
        let places = |s: &[f64]| movements(s).unwrap().iter().map(|m| m.index).collect::<Vec<_>>();
        prop_assert_eq!(places(&samples), places(&scaled));
    }
}

#[test]
fn a_second_step_is_placed_from_the_start_of_the_run() {
    // The first step is by far the larger one, so the second is found in what lies behind it.
    let mut samples = Draws::new(8).lognormal(600);
    samples[300..].iter_mut().for_each(|x| *x *= 4.0);
    samples[450..].iter_mut().for_each(|x| *x *= 1.5);
    let places: Vec<usize> = movements(&samples).unwrap().iter().map(|step| step.index).collect();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(places[0].abs_diff(300) <= 12 && places[1].abs_diff(450) <= 12, "{places:?}");
}
