//! Is the plan what it says? Times against an independent program, gaps against the exponential distribution, rates against their
//! integral.

use evenhand_load::{Arrival, LoadError, LoadPlan, Operation, Rate, Spacing};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn operations() -> Vec<Operation> {
    vec![Operation::http("GET", "localhost", "/")]
}

fn plan(rate: Rate, spacing: Spacing, seed: u64) -> Vec<Arrival> {
    LoadPlan::new(rate, spacing, &operations(), seed).unwrap().collect()
}

fn times(plan: &[Arrival]) -> Vec<u64> {
    plan.iter().map(|arrival| arrival.at).collect()
}

#[test]
fn a_seed_gives_the_times_that_another_program_finds() {
    // Thirty lines of Python: SplitMix64, xoshiro256++, −ln(u), from the papers.
    let constant = |rate, seed| plan(Rate::constant(rate, SECOND).unwrap(), Spacing::Random, seed);
    assert_eq!(times(&constant(1000.0, 1))[..5], [208_733, 500_283, 2_801_360, 3_094_099, 4_783_237]);
    assert_eq!(times(&constant(250.0, 0xfeed))[..5], [5_648_956, 7_162_096, 7_726_638, 8_837_549, 9_375_231]);
    let ramp = plan(Rate::ramp(0.0, 1000.0, SECOND).unwrap(), Spacing::Random, 7);
    assert_eq!(times(&ramp)[..5], [76_077_462, 96_472_561, 99_853_430, 108_035_492, 108_377_590]);
}

#[test]
fn the_same_seed_gives_the_same_plan_and_another_seed_another() {
    let rate = Rate::constant(500.0, SECOND).unwrap();
    let [one, same, other] = [5, 5, 6].map(|seed| plan(rate.clone(), Spacing::Random, seed));
    assert_eq!(one, same);
    assert_ne!(one, other);
}

#[test]
fn random_gaps_are_exponential_and_do_not_follow_from_each_other() {
    let rate = 2000.0;
    let mut before = 0;
    let gaps = times(&plan(Rate::constant(rate, 10 * SECOND).unwrap(), Spacing::Random, 11));
    let gaps: Vec<f64> =
        gaps.into_iter().map(|at| (at - std::mem::replace(&mut before, at)) as f64 / 1e9).collect();
    let count = gaps.len() as f64;
    // A Poisson number with mean 20,000: five standard deviations.
    assert!((count - 20_000.0).abs() < 5.0 * 20_000.0_f64.sqrt(), "{count}");

    // Kolmogorov and Smirnov: above 1.63/√n in 1 % of plans; this one is always the same.
    let mut sorted = gaps.clone();
    sorted.sort_by(f64::total_cmp);
    let distance = sorted.iter().enumerate().map(|(place, gap)| {
        let expected = 1.0 - (-gap * rate).exp();
        (expected - place as f64 / count).abs().max((expected - (place + 1) as f64 / count).abs())
    });
    let distance = distance.fold(0.0, f64::max);
    assert!(distance < 1.63 / count.sqrt(), "{distance}");

    let mean = gaps.iter().sum::<f64>() / count;
    let together: f64 = gaps.windows(2).map(|pair| (pair[0] - mean) * (pair[1] - mean)).sum();
    let variance: f64 = gaps.iter().map(|gap| (gap - mean).powi(2)).sum();
    assert!((together / variance).abs() < 3.0 / count.sqrt(), "{}", together / variance);
}

#[test]
fn even_gaps_are_all_alike() {
    let plan = plan(Rate::constant(400.0, SECOND).unwrap(), Spacing::Even, 1);
    let expected: Vec<u64> = (0..400).map(|place| place * 2_500_000).collect();
    assert_eq!(times(&plan), expected);
}

#[test]
fn steps_and_ramps_have_as_many_requests_as_their_integral() {
    let step = |rate| Rate::constant(rate, SECOND).unwrap();
    let steps = times(&plan(step(100.0).then(step(300.0)).then(step(50.0)), Spacing::Even, 1));
    let within = |from: u64, to: u64| {
        steps.iter().filter(|at| (from * 1_000_000_000..to * 1_000_000_000).contains(*at)).count()
    };
    assert_eq!([within(0, 1), within(1, 2), within(2, 3), steps.len()], [100, 300, 50, 450]);

    // Up and down: the integral of the first half of a ramp is a quarter of it.
    let up = Rate::ramp(0.0, 800.0, SECOND).unwrap();
    let hill = up.then(Rate::ramp(800.0, 0.0, SECOND).unwrap());
    assert_eq!((hill.requests(), hill.length()), (800.0, 2 * SECOND));
    let hill = times(&plan(hill, Spacing::Even, 1));
    assert_eq!(hill.len(), 800);
    assert_eq!(hill.iter().filter(|at| **at < 500_000_000).count(), 100);
    assert_eq!(hill.iter().filter(|at| **at < 1_500_000_000).count(), 700);
    assert!(hill.is_sorted());
}

#[test]
fn operations_come_by_their_weights_and_leave_the_times_as_they_are() {
    let get = |path, weight| Operation::http("GET", "localhost", path).weighing(weight);
    let mix = [get("/a", 8.0), get("/b", 2.0)];
    let rate = Rate::constant(1000.0, 10 * SECOND).unwrap();
    let mixed: Vec<_> = LoadPlan::new(rate.clone(), Spacing::Random, &mix, 3).unwrap().collect();
    let seconds = mixed.iter().filter(|arrival| arrival.operation == 1).count() as f64;
    let share = seconds / mixed.len() as f64;
    // Five standard deviations of a share of 10,000.
    assert!((share - 0.2).abs() < 0.02, "{share}");
    let times_of_mixed = times(&mixed);
    assert_eq!(times_of_mixed, times(&plan(rate, Spacing::Random, 3)));
    // Nor do they follow from the gaps: before each operation they are alike, 1 ms.
    let gaps = times_of_mixed.windows(2).zip(&mixed[1..]).filter(|(_, arrival)| arrival.operation == 1);
    let mean = gaps.map(|(pair, _)| (pair[1] - pair[0]) as f64).sum::<f64>() / seconds;
    assert!((mean / 1e6 - 1.0).abs() < 0.12, "{mean}");
}

#[test]
fn what_cannot_be_planned_is_refused_by_name() {
    let message = |error: LoadError| error.to_string();
    for (from, to) in [(-1.0, 1.0), (0.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY), (2e6, 1.0)] {
        let error = message(Rate::ramp(from, to, SECOND).unwrap_err());
        assert!(error.contains(&format!("from {from} to {to}")), "{error}");
    }
    assert_eq!(message(Rate::constant(1.0, Duration::ZERO).unwrap_err()), message(LoadError::NoTime));
    let rate = || Rate::constant(1.0, SECOND).unwrap();
    let none = LoadPlan::new(rate(), Spacing::Random, &[], 1).unwrap_err();
    assert_eq!(message(none), "there is no operation to send: name one");
    let never = [operations().remove(0).weighing(0.0)];
    let never = LoadPlan::new(rate(), Spacing::Random, &never, 1).unwrap_err();
    assert_eq!(message(never), "the weight of the operation GET / is 0: give it a positive number");
}
